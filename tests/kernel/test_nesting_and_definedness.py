"""How deep a proof may be, and how a divisor, a root or a logarithm is shown to make sense."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import IDENTITY, Cert
from theory.kernel import Rejected, Sequent, Tally, check
from theory.kernel.lang import parse, parse_relation
from theory.kernel.proof import require_defined, show_nonzero

BUMP = "x**2 - 2*x + 2"
ABOVE: Cert = {"kind": "cone", "terms": [{"c": "1", "sq": "x - 1"}, {"c": "1"}]}


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def nested(levels: int) -> Cert:
    cert = IDENTITY
    for _ in range(levels):
        cert = {"kind": "have", "fact": "0 == 0", "proof": IDENTITY, "then": cert}
    return cert


def test_a_proof_is_nested_two_hundred_levels_and_no_deeper() -> None:
    check(nested(200), sequent("x == x"), {}, Tally())
    with pytest.raises(Rejected, match="nested deeper than 200"):
        check(nested(201), sequent("x == x"), {}, Tally())


def test_the_depth_goes_on_from_where_it_is_called() -> None:
    check(IDENTITY, sequent("x == x"), {}, Tally(), 200)
    with pytest.raises(Rejected, match="nested deeper"):
        check(IDENTITY, sequent("x == x"), {}, Tally(), 201)


def defined(formula: str, certs: dict[str, Any], *facts: str, naturals: tuple[str, ...] = ()) -> None:
    require_defined([parse(formula)], sequent("0 == 0", *facts, naturals=naturals), certs, {}, Tally(), 0)


SIDED = {"side": ">", "proof": ABOVE}
FOR_EACH = {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}
SHOWN: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "a plain divisor": ("1/x", {}, ("x > 0",)),
    "a divisor with a reason": (f"1/({BUMP})", {f"{BUMP} != 0": SIDED}, ()),
    "a divisor twice with one reason": (f"1/({BUMP}) + 2/({BUMP})", {f"{BUMP} != 0": SIDED}, ()),
    "a root with a reason": (f"sqrt({BUMP})", {f"{BUMP} >= 0": ABOVE}, ()),
    "a logarithm with a reason": (f"log({BUMP})", {f"{BUMP} > 0": ABOVE}, ()),
    "a root below a sum": (
        "sum(i, 1, n, sqrt(v[i] - 1))",
        {"v[i] - 1 >= 0 for i": FOR_EACH},
        ("forall(j, 1, n, v[j] >= 1)",),
    ),
    "a root below a sum by its key": (
        "sum(i, 1, n, sqrt(v[i] - 1))",
        {"v[i] - 1 >= 0": FOR_EACH},
        ("forall(j, 1, n, v[j] >= 1)",),
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_formula_is_shown_to_be_defined(name: str) -> None:
    formula, certs, facts = SHOWN[name]
    defined(formula, certs, *facts, naturals=("n",))


MISSED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a divisor": ("not shown to be defined: x != 0", "1/x", {}),
    "the second divisor": ("not shown to be defined: y != 0", f"1/({BUMP}) + 1/y", {f"{BUMP} != 0": SIDED}),
    "a divisor without a side": ("say on which side", f"1/({BUMP})", {f"{BUMP} != 0": {"side": "!=", "proof": ABOVE}}),
    "a divisor on the wrong side": ("differ by", f"1/({BUMP})", {f"{BUMP} != 0": {"side": "<", "proof": ABOVE}}),
    "a root with a wrong reason": ("is not zero", "sqrt(x)", {"x >= 0": IDENTITY}),
    "a logarithm with a weak reason": (
        "a term that is positive",
        "log(x**2)",
        {"x**2 > 0": {"kind": "cone", "terms": [{"c": "1", "sq": "x"}]}},
    ),
    "an exponent with a reason": ("defined: k is natural", "x**k", {"k is natural": IDENTITY}),
    "an end of a sum with a reason": ("defined: k is integer", "sum(i, 1, k, i)", {"k is integer": IDENTITY}),
    "an entry with a reason": ("defined: .* is entry", "[1, 2][3]", {"[1, 2][3] is entry": IDENTITY}),
    "an inverse with a reason": (
        "defined: .* is invertible",
        "inv([[x, 0], [0, 1]])",
        {"[[x, 0], [0, 1]] is invertible": SIDED},
    ),
}


@pytest.mark.parametrize("name", MISSED)
def test_a_formula_without_a_reason_is_not_defined(name: str) -> None:
    refusal, formula, certs = MISSED[name]
    with pytest.raises(Rejected, match=refusal):
        defined(formula, certs, naturals=("n",))


def test_something_is_not_zero_on_either_side() -> None:
    below: Cert = {"kind": "cone", "terms": [{"c": "1", "sq": "x"}, {"c": "1"}]}
    show_nonzero({"side": "<", "proof": below}, sequent("-1 - x**2 != 0"), {}, Tally(), 0)
    show_nonzero({"side": ">", "proof": below}, sequent("1 + x**2 != 0"), {}, Tally(), 0)
    show_nonzero(below, sequent("1 + x**2 > 0"), {}, Tally(), 0)
    for side in ("<", "!=", None):
        with pytest.raises(Rejected):
            show_nonzero({"side": side, "proof": below}, sequent("1 + x**2 != 0"), {}, Tally(), 0)
    with pytest.raises(Rejected, match="differ by"):
        show_nonzero(below, sequent("2 + x**2 > 0"), {}, Tally(), 0)
