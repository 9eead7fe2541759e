"""Certificates of false claims, each by another trick: the kernel refuses them, and witnesses show the claims false."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, POSITIVE, cone, of
from theory.kernel import SCHEMA, Claim, Evidence, KernelError, Malformed, Rejected, Verdict, check_witness, judge


def induction(states: dict[str, str], invariant: list[str], base: list[Any], step: list[Any], then: Any) -> Any:
    return {
        "kind": "induction",
        "on": "k",
        "states": states,
        "invariant": invariant,
        "base": base,
        "step": step,
        "then": then,
    }


def root_of_minus_one(facts: int) -> dict[str, Any]:
    """r**2 == -1 is fact number facts + 1."""
    return {
        "kind": "root",
        "of": "sqrt(-1)",
        "name": "r",
        "then": cone({"c": "1", "sq": "r"}, modulo=[[facts + 1, "-1"]]),
    }


@dataclass(frozen=True)
class Forgery:
    trick: str
    claim: Claim
    proof: dict[str, Any]
    witness: dict[str, Any]
    refusal: str
    library: dict[str, Claim] = field(default_factory=dict)
    defined: dict[str, Any] = field(default_factory=dict)


def claim(says: str, *given: str, naturals: tuple[str, ...] = (), **example: Any) -> Claim:
    return Claim("c", (says,), given, naturals=naturals, example=tuple(example.items()))


INVERSE_POSITIVE = Claim("p", ("y > 0",), ("1/y > 0",), example=(("y", "1"),))
FORGERIES = (
    Forgery(
        "a cofactor with a negative power",
        claim("y == z", "x*y == x*z", x="1", y="1", z="1"),
        {**IDENTITY, "modulo": [[0, "x**(-1)"]]},
        {"x": "0", "y": "1", "z": "2"},
        "are polynomials",
    ),
    Forgery(
        "a square of a negative power",
        claim("y >= 0", "x*x*y >= 0", x="1", y="1"),
        cone(of(0, sq="x**(-1)")),
        {"x": "0", "y": "-1"},
        "are polynomials",
    ),
    Forgery(
        "a hypothesis of a cited claim that has no value here",
        claim("y > 0", "y >= 0", y="1"),
        {"kind": "cite", "claim": "p", "then": cone(of(1))},
        {"y": "0"},
        "not shown to be defined: y != 0",
        {"p": INVERSE_POSITIVE},
    ),
    Forgery(
        "a root whose name a sum captures",
        claim("sum(r, 1, 2, r*sqrt(x)) >= sum(r, 1, 2, r*r)", "x >= 0", x="9"),
        {"kind": "root", "of": "sqrt(x)", "name": "r", "then": IDENTITY},
        {"x": "1"},
        "would capture",
    ),
    Forgery(
        "a state whose name a sum captures",
        claim("sum(p, 1, 2, p*x**k) >= sum(p, 1, 2, p*p)", naturals=("k",), x="3", k="1"),
        induction({"p": "x**k"}, [], [], [], IDENTITY),
        {"x": "1", "k": "1"},
        "would capture",
    ),
    Forgery(
        "two states of one name",
        claim("iterate(s, k, [5], [s[1]])[1] <= 1", naturals=("k",), k="0"),
        induction(
            {"p": "iterate(s, k, [5], [s[1]])", "p1": "1**k"},
            ["p1 == 1"],
            [IDENTITY],
            [{**IDENTITY, "modulo": [[0, "1"]]}],
            {**IDENTITY, "modulo": [[0, "1"]]},
        ),
        {"k": "0"},
        "two states are called p1",
    ),
    Forgery(
        "a state that starts at the name of another",
        claim("iterate(s, k, q, s) <= 1", naturals=("k",), k="0", q="0"),
        induction({"p": "1**k", "z": "iterate(s, k, p, s)"}, ["z == p"], [IDENTITY], [IDENTITY], IDENTITY),
        {"k": "0", "q": "2"},
        "already in use in a state",
    ),
    Forgery(
        "a state without a value",
        claim("1 <= 0", naturals=("k",), k="0"),
        induction(
            {"p": "iterate(s, k, sqrt(-1), s)"},
            ["p**2 == -1"],
            [{"kind": "root", "of": "sqrt(-1)", "name": "r", "then": {**IDENTITY, "modulo": [[1, "1"]]}}],
            [{**IDENTITY, "modulo": [[0, "1"]]}],
            cone({"c": "1", "sq": "p"}, modulo=[[0, "-1"]]),
        ),
        {"k": "0"},
        "not shown to be defined: -1 >= 0",
    ),
    Forgery(
        "a root below a forall over nothing",
        claim("1 <= 0", "forall(i, 1, d, v[i]*sqrt(-1) >= 0)", naturals=("d",), d="0", v=["1"]),
        root_of_minus_one(1),
        {"d": "0", "v": ["1"]},
        "not shown to be defined: -1 >= 0",
    ),
    Forgery(
        "a root below an empty sum",
        claim("1 <= 0", "sum(i, 1, d, v[i]*sqrt(-1)) >= 0", naturals=("d",), d="0", v=["1"]),
        root_of_minus_one(1),
        {"d": "0", "v": ["1"]},
        "not shown to be defined: -1 >= 0",
    ),
    Forgery(
        "the cases of an absolute value that an empty sum hides",
        claim(
            "y >= 0",
            "x*y <= 0",
            "x*y >= 0",
            "sum(i, 1, d, abs(1/x)*v[i]) >= 0",
            naturals=("d",),
            d="0",
            v=["1"],
            x="1",
            y="0",
        ),
        {"kind": "split", "of": "abs(1/x)", "branches": [cone(of(1, 3, c="1/2")), cone(of(0, 3, c="1/2"))]},
        {"d": "0", "v": ["1"], "x": "0", "y": "-1"},
        "not shown to be defined: x != 0",
    ),
    Forgery(
        "a divisor that leaves an empty sum",
        claim(
            "sum(i, 1, d, v[i]/x) <= y",
            "x >= 0",
            "d*x >= d",
            "x*y >= sum(i, 1, d, v[i])",
            naturals=("d",),
            d="1",
            v=["1"],
            x="1",
            y="1",
        ),
        {
            "kind": "positive",
            "slacks": {"s": {"is": "x*y - sum(i, 1, d, v[i])", "because": cone(of(2))}},
            "put": {"sum(1..d; v[#])": "x*y - s"},
        },
        {"d": "0", "v": ["1"], "x": "0", "y": "-1"},
        "not shown to be defined: x != 0",
        defined={
            "x != 0 for i": {
                "side": ">",
                "proof": {
                    "kind": "have",
                    "fact": "d > 0",
                    "proof": cone(of(3), of(4), {"c": "1"}),
                    "then": cone(of(1), of(5), multiplier=[5]),
                },
            }
        },
    ),
    Forgery(
        "powers of matrices that commute",
        claim(
            "A**n @ B**n == B**n @ A**n".replace("A", "[[1, 1], [0, 1]]").replace("B", "[[1, 0], [1, 1]]"),
            naturals=("n",),
            n="0",
        ),
        IDENTITY,
        {"n": "1"},
        "is a matrix, and a number is needed",
    ),
    Forgery(
        "an iterate of matrices that is symmetric",
        claim("iterate(S, n, [[1, 1], [0, 1]], S).T == iterate(S, n, [[1, 1], [0, 1]], S)", naturals=("n",), n="0"),
        IDENTITY,
        {"n": "0"},
        "is a matrix, and a number is needed",
    ),
    Forgery(
        "a number solved from a commutator",
        claim(
            "x == 0",
            "A @ B - B @ A == x*[[1, 0], [0, -1]]**n".replace("A", "[[0, 1], [0, 0]]**n").replace(
                "B", "[[0, 0], [1, 0]]**n"
            ),
            "[[1, 0], [0, -1]]**n != 0*[[1, 0], [0, -1]]**n",
            naturals=("n",),
            n="1",
            x="1",
        ),
        {"kind": "solve", "fact": 0, "for": "x", "then": IDENTITY},
        {"n": "1", "x": "1"},
        "is a matrix, and a number is needed",
    ),
    Forgery(
        "matrices put in for numbers",
        claim("A @ B == B @ A".replace("A", "[[0, 1], [0, 0]]").replace("B", "[[0, 0], [1, 0]]")),
        {
            "kind": "cite",
            "claim": "commute",
            "with": {"A": "[[0, 1], [0, 0]]", "B": "[[0, 0], [1, 0]]"},
            "then": {**IDENTITY, "modulo": [[0, "1"]]},
        },
        {},
        "is a matrix, and a number is needed",
        {"commute": Claim("commute", ("A @ B == B @ A",), example=(("A", "1"), ("B", "1")))},
    ),
    Forgery(
        "a power whose exponent is no sum of natural numbers",
        claim("1 <= 0", "x == 0", "x**((k-3)+3) >= 1", naturals=("k",), x="0", k="0"),
        cone(of(1), modulo=[[0, "-x**(k-3)*x**2"]]),
        {"x": "0", "k": "0"},
        "the two sides of the identity differ",
    ),
    Forgery(
        "a factor taken out of a power whose exponent may be zero",
        claim("1 <= 0", "x == 0", "x**(k-m+1) >= 1", naturals=("k", "m"), x="0", k="0", m="1"),
        cone(of(1), modulo=[[0, "-x**(k-m)"]]),
        {"x": "0", "k": "0", "m": "1"},
        "the two sides of the identity differ by",
    ),
    Forgery(
        "a factor taken out by name of a power whose exponent may be zero",
        claim("x**n == 0", "x == 0", naturals=("n",), x="0", n="1"),
        {
            "kind": "unroll",
            "of": "x**n",
            "end": "last",
            "long": POSITIVE,
            "then": {**IDENTITY, "modulo": [[1, "1"], [0, "x**(n-1)"]]},
        },
        {"x": "0", "n": "0"},
        "a coefficient of the numerator is negative",
    ),
    Forgery(
        "a power that is called empty",
        claim("x**n == 1", naturals=("n",), x="1", n="1"),
        {
            "kind": "unroll",
            "of": "x**n",
            "end": "empty",
            "long": POSITIVE,
            "then": {**IDENTITY, "modulo": [[0, "1"]]},
        },
        {"x": "2", "n": "1"},
        "a coefficient of the numerator is negative",
    ),
    Forgery(
        "a factor of the terms of a sum, the last of which has none",
        claim("sum(i, 0, n, x**(n-i)) == 0", "x == 0", naturals=("n",), x="0", n="0"),
        {**IDENTITY, "modulo": [[0, "sum(i, 0, n, x**(n-i-1))"]]},
        {"x": "0", "n": "0"},
        "left - right is not zero",
        defined={"n - i is natural": cone({"c": "1", "of": [2]})},
    ),
)


def verdict(claim: Claim, proof: Any, library: dict[str, Claim], defined: Any) -> Verdict:
    certificate = {"schema": SCHEMA, "claim": claim.digest, "goals": [proof], "defined": defined}
    return judge(claim, Evidence(certificate=certificate), library).verdict


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.trick)
def test_a_false_claim_is_not_proved_by_a_trick(forgery: Forgery) -> None:
    try:
        check_witness(forgery.claim, forgery.witness)
    except Rejected:
        assert forgery.claim.says == ("1 <= 0",)
    with pytest.raises(KernelError, match=forgery.refusal.replace("*", r"\*")):
        verdict(forgery.claim, forgery.proof, forgery.library, forgery.defined)


@pytest.mark.parametrize(
    "says", ["max(x**(1/2), 0) == max(x**(1/2), 0)", "iterate(s, 1/2, x, s) == iterate(s, 1/2, x, s)"]
)
def test_what_has_no_value_is_not_equal_to_itself(says: str) -> None:
    free = dict.fromkeys(Claim("c", (says,)).variables, "4")
    with pytest.raises(Rejected, match="not shown to be defined"):
        verdict(claim(says, **free), IDENTITY, {}, {})


def test_a_point_with_too_few_entries_refutes_nothing() -> None:
    with pytest.raises(Rejected, match="too few values"):
        check_witness(claim("sum(i, 1, d, v[i]**2) >= 0", naturals=("d",), d="1", v=["1"]), {"v": ["1"], "d": "2"})


def test_a_name_without_index_is_a_number_in_examples_and_witnesses() -> None:
    commute = claim("A @ B == B @ A", A="1", B="1")
    with pytest.raises(Rejected, match="A is a number in this claim"):
        check_witness(commute, {"A": [["1", "1"], ["0", "1"]], "B": [["1", "0"], ["1", "1"]]})
    with pytest.raises(Rejected, match="A is a number in this claim"):
        verdict(claim("A @ B == B @ A", A=[["1"]], B=[["1"]]), IDENTITY, {}, {})


def test_a_name_is_a_number_or_a_family_and_not_both() -> None:
    with pytest.raises(KernelError, match="with and without an index"):
        claim("v + v[1] >= 0", "v >= 0")


@pytest.mark.parametrize(
    "says",
    [
        "abs([1, 2]) == abs([1, 2])",
        "[1, 2] <= [1, 2]",
        "[1, 2] == 1",
        "[[1, 2], [3, 4]] + 1 == 1",
        "tr([1, 2]) == 1",
        "[[1, 2]]**2 == 1",
        "[1, 2] * [1, 2] == 1",
        "[1, 2] @ [1, 2] == 1",
        "iterate(s, 2, 1, [s, s]) == 1",
        "[[1, 2], 3] == 1",
        "1[1] == 1".replace("1[", "(1 + 1)["),
        "x[[1, 2]] == 1",
        "1 / [1, 2] == 1",
    ],
)
def test_numbers_and_matrices_that_do_not_fit_are_no_claim(says: str) -> None:
    with pytest.raises(Malformed):
        Claim("c", (says,))


def test_a_family_is_as_deep_as_its_indices() -> None:
    with pytest.raises(Rejected, match="v has 1 index"):
        check_witness(claim("v[1].T == v[1]", v=["1"]), {"v": [["1", "2"], ["3", "4"]]})
    with pytest.raises(Malformed, match="with one index and with two"):
        claim("v[1] + v[1, 2] >= 0")


def test_only_a_name_or_a_list_is_put_in_for_a_family() -> None:
    cited = Claim("sums", ("v[1]**2 >= 0",), example=(("v", ["1"]),))
    proof = {"kind": "cite", "claim": "sums", "with": {"v": "x + 1"}, "then": IDENTITY}
    with pytest.raises(Rejected, match="v is a family"):
        verdict(claim("x == x", x="1"), proof, {"sums": cited}, {})
