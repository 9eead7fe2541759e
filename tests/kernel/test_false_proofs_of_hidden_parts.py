"""More certificates of false claims: parts freed from empty ranges, shadowed names, rows taken for numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, cone, of
from tests.kernel.test_false_proofs import Forgery, claim, induction, verdict
from theory.kernel import Claim, KernelError, Malformed, Rejected, check_witness

MEAN_OF_NONNEGATIVE = Claim(
    "p",
    ("mean(w, X[w]) >= 0",),
    ("forall(w, Omega, Omega, X[w] >= 0)",),
    example=(("X", ["1"]), ("p_w", ["1"])),
)
OUTER_PRODUCT = Claim(
    "p",
    ("([v[1], v[2]] @ [v[1], v[2]].T)[1, 2] == (-[v[1], v[2]])[1, 1]*(-[v[1], v[2]])[2, 1]",),
    example=(("v", ["1", "1"]),),
)
ROWS = "iterate(s, k, [[1, 2], [3, 4]], s)"
TWO_RANGES = "sum(i, 1, d, 1/(v[i] - 1)) + sum(i, 1, e, 1/(v[i] - 1))"
SHADOWED = "mean(w, sum(w, 1, 2, 1/X[w]))"


def absurd_root(facts: int, goal: str) -> dict[str, Any]:
    """r = sqrt(-1) is taken out of its sum; then 0 >= 1, and then anything."""
    square = {"c": "1/4", "of": [facts + 2], "sq": f"({goal}) - 1"}
    return {
        "kind": "root",
        "of": "sqrt(-1)",
        "name": "r",
        "then": {
            "kind": "have",
            "fact": "0 >= 1",
            "proof": cone({"c": "1", "sq": "r"}, modulo=[[facts + 1, "-1"]]),
            "then": cone({"c": "1/4", "sq": f"({goal}) + 1"}, square),
        },
    }


FORGERIES = (
    Forgery(
        "a number put in for the probability space",
        claim("mean(w, X[w]) >= 0", "forall(w, 1, 1, X[w] >= 0)", X=["1"], p_w=["1"]),
        {"kind": "cite", "claim": "p", "with": {"Omega": "1"}, "then": cone(of(1))},
        {"X": ["1", "-3"], "p_w": ["1/2", "1/2"]},
        "Omega is the probability space",
        {"p": MEAN_OF_NONNEGATIVE},
    ),
    Forgery(
        "a root that is called like the probability space",
        claim(
            "mean(w, v[w]) >= 0",
            "forall(w, sqrt(x), sqrt(x), v[w] >= 0)",
            "sqrt(x) >= 0",
            x="1",
            v=["1"],
            p_w=["1"],
        ),
        {
            "kind": "root",
            "of": "sqrt(x)",
            "name": "Omega",
            "then": {"kind": "termwise", "over": "mean", "index": "u", "each": POSITIVE},
        },
        {"x": "1", "v": ["1", "-3"], "p_w": ["1/2", "1/2"]},
        "'Omega' is not a name",
    ),
    Forgery(
        "a sum that shadows the sample of a mean",
        claim(f"{SHADOWED} >= {SHADOWED}", "forall(w, Omega, Omega, X[w] > 0)", X=["1", "1"], p_w=["1"]),
        IDENTITY,
        {"X": ["1", "0"], "p_w": ["1"]},
        "the bound name w",
    ),
    Forgery(
        "one definedness for two ranges",
        claim(
            f"{TWO_RANGES} == {TWO_RANGES}",
            "forall(i, 1, d, v[i] >= 2)",
            naturals=("d", "e"),
            v=["2"],
            d="1",
            e="1",
        ),
        IDENTITY,
        {"v": ["1"], "d": "0", "e": "1"},
        "the two sides of the identity differ|not shown|does not|out of range",
        defined={"v[i] - 1 != 0 for i": {"side": ">", "proof": cone(of(0), {"c": "1"})}},
    ),
    Forgery(
        "a root that a mean frees from an empty sum",
        claim(
            "mean(w, X[w]) + sum(i, 1, d, v[i]*sqrt(-1)) >= 0",
            "d <= 0",
            naturals=("d",),
            X=["1"],
            p_w=["1"],
            v=["1"],
            d="0",
        ),
        {"kind": "termwise", "over": "mean", "index": "u", "each": absurd_root(1, "X_u + r*sum(i, 1, d, v[i])")},
        {"X": ["-1"], "p_w": ["1"], "v": ["1"], "d": "0"},
        "not shown to be defined: -1 >= 0",
        defined={"-1 >= 0 for i": cone(of(0), of(1), of(2))},
    ),
    Forgery(
        "a root that an equation frees from an empty sum",
        claim("y >= 5", "y == sum(i, 1, d, v[i]*sqrt(-1))", naturals=("d",), y="0", v=["1"], d="0"),
        {"kind": "solve", "fact": 0, "for": "y", "then": absurd_root(0, "r*sum(i, 1, d, v[i]) - 5")},
        {"y": "0", "v": ["1"], "d": "0"},
        "not shown to be defined: -1 >= 0",
    ),
    Forgery(
        "rows of a state taken for numbers",
        claim(f"({ROWS} @ {ROWS}.T)[1, 2] == (-{ROWS})[1, 1]*(-{ROWS})[2, 1]", naturals=("k",), k="0"),
        induction({"p": ROWS}, [], [], [], IDENTITY),
        {"k": "0"},
        "not a column of numbers",
    ),
    Forgery(
        "columns put in for the entries of a family",
        claim("b*e == 0", b="0", e="0"),
        {
            "kind": "cite",
            "claim": "p",
            "with": {"v": "[[a, b], [g, e]]"},
            "then": {**IDENTITY, "modulo": [[0, "1"]]},
        },
        {"b": "1", "e": "1"},
        "not so",
        {"p": OUTER_PRODUCT},
    ),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.trick)
def test_a_hidden_part_proves_nothing_false(forgery: Forgery) -> None:
    said = check_witness(forgery.claim, forgery.witness)
    assert "fails" in said or "has no value" in said
    with pytest.raises(KernelError, match=forgery.refusal):
        verdict(forgery.claim, forgery.proof, forgery.library, forgery.defined)


def test_the_cited_claims_are_right_so_that_the_citation_is_at_fault() -> None:
    verdict(MEAN_OF_NONNEGATIVE, {"kind": "termwise", "over": "mean", "index": "u", "each": POSITIVE}, {}, {})
    verdict(OUTER_PRODUCT, IDENTITY, {}, {})


@pytest.mark.parametrize(
    "entry",
    [
        "iterate(s, k, [1, 2], [s[5], s[1]])[1]",
        "(-[1, 2])[5]",
        "([1, 2] + [1, 2])[0]",
        "(-[1, 2])[k]",
        "[1, 2][3]",
        "[[1, 2], [3, 4]][1, 3]",
    ],
)
def test_an_entry_outside_is_no_claim(entry: str) -> None:
    with pytest.raises(Malformed, match="entries are counted from 1"):
        claim(f"max({entry}, 0) == max({entry}, 0)", naturals=("k",))


def test_a_family_at_a_broken_index_refutes_nothing() -> None:
    with pytest.raises(Rejected, match="no witness"):
        check_witness(claim("v[x]**2 >= 0", v=["1"], x="1"), {"v": ["1"], "x": "1/2"})


def test_a_fact_for_every_index_has_ends_that_are_integers() -> None:
    proof = {"kind": "have", "fact": "forall(i, 1, x, i >= 1)", "proof": cone(of(0)), "then": cone(of(0))}
    with pytest.raises(Rejected, match="not integers by their form"):
        verdict(claim("1 >= 0", x="1"), proof, {}, {})


@pytest.mark.parametrize("says", ["sum(Omega, 1, 1, v[Omega]) >= 0", "mean(Omega, 1) >= 0", "Omega**2 >= 0"])
def test_the_probability_space_is_no_number_and_no_index(says: str) -> None:
    with pytest.raises(Malformed, match="Omega"):
        Claim("c", (says,))
