"""Certificates of false claims: what is rewritten, opened or iterated may lose the value that it was shown to have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, cone, of
from tests.kernel.test_false_proofs import Forgery, claim, verdict
from theory.kernel import Claim, KernelError, Malformed, Rejected, check_witness


def nonempty(at: int, then: Any, rule: int = 2, new: int = 6) -> Any:
    """d > 0 from an index between 1 and d (facts at and at + 1), the new fact; x > 0 from d*x >= d (fact rule)."""
    positive = {"kind": "have", "fact": "x > 0", "proof": cone(of(rule), of(new), multiplier=[new]), "then": then}
    return {"kind": "have", "fact": "d > 0", "proof": cone(of(at), of(at + 1), {"c": "1"}), "then": positive}


def over_x(fact: int) -> Any:
    """sum(v)/x <= y from x*y >= sum(v), which needs x > 0."""
    slack = {"is": "x*y - sum(i, 1, d, v[i])", "because": cone(of(fact))}
    return {"kind": "positive", "slacks": {"s": slack}, "put": {"sum(1..d; v[#])": "x*y - s"}}


EMPTY = {"d": "0", "u": ["1"], "v": ["1"], "x": "0", "y": "-1", "z": "0"}
ROTATION = "iterate(s, n, [[0, -1], [1, 0]], {step})[1, 1]"
FORGERIES = (
    Forgery(
        "an exponent that is no natural number once another is put in for it",
        claim("x**n == 0", "n == m + 1", "x == 0", naturals=("n",), n="1", m="0", x="0"),
        {"kind": "solve", "fact": 0, "for": "n", "then": {**IDENTITY, "modulo": [[0, "x**m"]]}},
        {"n": "0", "m": "-1", "x": "0"},
        "n counts steps or terms here, or is an exponent",
    ),
    Forgery(
        "a divisor that leaves an empty sum once an equation is solved",
        claim(
            "sum(i, 1, d, v[i]/(u[i]*z + x)) <= y",
            *("z == 0", "x >= 0", "d*x >= d", "x*y >= sum(i, 1, d, v[i])"),
            naturals=("d",),
            **{**EMPTY, "d": "1", "x": "1", "y": "1"},
        ),
        {"kind": "solve", "fact": 0, "for": "z", "then": over_x(2)},
        EMPTY,
        "not shown to be defined: x != 0",
        defined={
            "u[i]*z + x != 0 for i": {"side": ">", "proof": nonempty(4, cone(of(7), modulo=[[0, "u_i"]]))},
        },
    ),
    Forgery(
        "a divisor that leaves an empty sum with one of the cases",
        claim(
            "sum(i, 1, d, v[i]/(u[i]*(abs(z) - z) + x)) <= y",
            *("z >= 1", "x >= 0", "d*x >= d", "x*y >= sum(i, 1, d, v[i])"),
            naturals=("d",),
            **{**EMPTY, "d": "1", "x": "1", "y": "1", "z": "1"},
        ),
        {"kind": "split", "of": "abs(z)", "branches": [over_x(3), over_x(3)]},
        {**EMPTY, "z": "1"},
        "not shown to be defined: x != 0",
        defined={
            "u[i]*(abs(z) - z) + x != 0 for i": {
                "side": ">",
                "proof": {
                    "kind": "split",
                    "of": "abs(z)",
                    "branches": [
                        nonempty(4, cone(of(8)), new=7),
                        {
                            "kind": "have",
                            "fact": "0 >= 1",
                            "proof": cone(of(0), of(6, c="1/2")),
                            "then": cone(
                                {"c": "1/4", "sq": "-2*u_i*z + x + 1"},
                                {"c": "1/4", "of": [7], "sq": "-2*u_i*z + x - 1"},
                                {"c": "1/4", "of": [7]},
                                {"c": "1/4"},
                            ),
                        },
                    ],
                },
            },
        },
    ),
    Forgery(
        "a mean without a value that stands below an empty sum",
        claim(
            "sum(i, 1, d, a[i]*mean(w, 1/(X[w]**2 + x))) <= y",
            *("x >= 0", "d*x >= d", "forall(w, Omega, Omega, (X[w]**2 + x)*y >= sum(i, 1, d, a[i]))"),
            naturals=("d",),
            d="1",
            a=["1"],
            X=["1"],
            p_w=["1"],
            y="1",
            x="1",
        ),
        {
            "kind": "termwise",
            "over": "mean",
            "index": "u",
            "each": {
                "kind": "positive",
                "slacks": {"s": {"is": "(X_u**2 + x)*y - sum(i, 1, d, a[i])", "because": cone(of(2))}},
                "put": {"sum(1..d; a[#])": "(X_u**2 + x)*y - s"},
            },
        },
        {"d": "0", "a": ["1"], "X": ["0"], "p_w": ["1"], "y": "-1", "x": "0"},
        "not shown to be defined: X_u\\*\\*2 \\+ x != 0",
        defined={
            "X[w]**2 + x != 0 for i for w": {
                "side": ">",
                "proof": nonempty(2, cone({"c": "1", "sq": "X_w"}, of(5)), rule=1, new=4),
            },
        },
    ),
    Forgery(
        "the inverse of a matrix that is iterated, as if it were a number",
        claim("{0} == {0}".format(ROTATION.format(step="inv(s@s + s**0)")), naturals=("n",), n="0"),
        IDENTITY,
        {"n": "1"},
        "is invertible",
    ),
    Forgery(
        "a negative power of a matrix that is iterated, as if it were a number",
        claim("{0} <= {0}".format(ROTATION.format(step="(s@s + s**0)**-1")), naturals=("n",), n="0"),
        IDENTITY,
        {"n": "1"},
        "not shown to be defined",
    ),
)


@pytest.mark.parametrize("forged", FORGERIES, ids=lambda one: one.trick)
def test_the_claim_is_false_and_the_certificate_is_refused(forged: Forgery) -> None:
    check_witness(forged.claim, forged.witness)
    with pytest.raises(Rejected, match=forged.refusal):
        verdict(forged.claim, forged.proof, forged.library, forged.defined)


def test_a_family_of_numbers_has_no_matrix_among_its_values() -> None:
    made = claim("v[2] @ v[3] == v[3] @ v[2]", v=["1", "1", "1"])
    with pytest.raises(KernelError, match="give a list as deep as that"):
        check_witness(made, {"v": ["1", [["1", "1"], ["0", "1"]], [["1", "0"], ["1", "1"]]]})


@pytest.mark.parametrize(
    ("says", "refusal"),
    [
        ("max([1, 2][()], 0) == max([1, 2][()], 0)", "is not in the formula language"),
        ("sum(i, 1, 3, i[1]) == sum(i, 1, 3, i[1])", "a number has no entries"),
        ("mean(w, w[1]) == mean(w, w[1])", "a number has no entries"),
        ("([0, 0] + sum(i, 1, m, [x[i], 1]))[1] == 0", "taken entry by entry"),
    ],
)
def test_what_is_no_formula_is_no_claim(says: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        Claim("c", (says,))


def test_the_index_of_a_forall_is_a_number() -> None:
    with pytest.raises(Malformed, match="a number has no entries"):
        Claim("c", ("x >= 0",), ("forall(i, 1, 3, i[1] <= x)",))


@pytest.mark.parametrize(
    "defined",
    [{"x != 0": {"side": ">"}}, {"x != 0": []}, {"x != 0": "yes"}, [], "x != 0", {"x != 0": {"side": []}}],
)
def test_a_malformed_reason_for_being_defined_is_refused_like_any_other(defined: Any) -> None:
    with pytest.raises(Rejected):
        verdict(claim("1/x == 1/x", "x**2 > 0", x="1"), IDENTITY, {}, defined)
