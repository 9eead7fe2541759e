"""Cases, roots, equations, citations and nesting: honest certificates, and each near miss refused by its own words."""

from __future__ import annotations

from typing import Any

from theory.kernel import Claim, Sequent
from theory.kernel.lang import parse_relation

Cert = dict[str, Any]


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def identity(*modulo: tuple[int, str]) -> Cert:
    return {"kind": "identity", "modulo": list(modulo)}


def cone(*terms: Cert, **more: Any) -> Cert:
    return {"kind": "cone", "terms": list(terms), **more}


def of(*facts: int, c: str = "1", **more: Any) -> Cert:
    return {"c": c, "of": list(facts), **more}


def split(what: str, *branches: Cert, **more: Any) -> Cert:
    return {"kind": "split", "of": what, "branches": list(branches), **more}


def root(what: str, then: Cert, name: str = "r", **more: Any) -> Cert:
    return {"kind": "root", "of": what, "name": name, "then": then, **more}


def solve(fact: int, name: str, then: Cert, **more: Any) -> Cert:
    return {"kind": "solve", "fact": fact, "for": name, "then": then, **more}


def cases(on: str, nonnegative: Cert, nonpositive: Cert, **more: Any) -> Cert:
    return {"kind": "cases", "on": on, "nonnegative": nonnegative, "nonpositive": nonpositive, **more}


def have(fact: str, proof: Cert, then: Cert, **more: Any) -> Cert:
    return {"kind": "have", "fact": fact, "proof": proof, "then": then, **more}


POSITIVE: Cert = {"kind": "positive"}
ABOVE_ONE = cone({"c": "1", "sq": "x - 1"}, of())  # (x - 1)**2 + 1 > 0
BUMP = "(x**2 - 2*x + 2)"
SIDED = {"side": ">", "proof": ABOVE_ONE}
TWICE = sequent("y*(x**2 - 2*x + 2) == 3", "x >= -9", "(x**2 - 2*x + 2)*y - 3 == 0")
LIBRARY = {
    "each": Claim("each", ("y >= 0",), ("forall(i, 1, 2, v[i] >= 0)",)),
    "half": Claim("half", ("y/2 >= 0",), ("y >= 0",)),
    "count": Claim("count", ("n*n >= n",), naturals=("n",)),
    "entry": Claim("entry", ("v[1]**2 >= 0",)),
    "letters": Claim("letters", ("X @ X == X**2",), letters=(("X", ""),)),
}


def cite(key: str, then: Cert, **more: Any) -> Cert:
    return {"kind": "cite", "claim": key, "then": then, **more}


GOOD: dict[str, tuple[Cert, Sequent]] = {
    "an absolute value": (split("abs(x)", identity(), cone(of(0))), sequent("abs(x) >= x")),
    "an absolute value from below": (split("abs(x)", cone(of(0, c="2")), identity()), sequent("abs(x) >= -x")),
    "a minimum": (split("min(a, b)", identity(), cone(of(0))), sequent("min(a, b) <= a")),
    "a maximum of three": (
        split("max(a, b, c)", cone(of(0)), identity(), cone(of(1))),
        sequent("max(a, b, c) >= b"),
    ),
    "a maximum in a fact": (
        split("max(a, b)", cone(of(0)), cone(of(0), of(1))),
        sequent("c >= a", "c >= max(a, b)"),
    ),
    "a root and its square": (root("sqrt(x)", identity((2, "1"))), sequent("sqrt(x)**2 == x", "x >= 0")),
    "a root in a fact": (root("sqrt(x)", cone(of(1))), sequent("1 <= y", "x >= 0", "1 <= y + sqrt(x) - sqrt(x)")),
    "a root of a polynomial with a reason": (
        root(f"sqrt{BUMP}", cone(of(0)), defined={"x**2 - 2*x + 2 >= 0": ABOVE_ONE}),
        sequent(f"sum(i, 1, n, sqrt{BUMP}*v[i]) == sum(i, 1, n, sqrt{BUMP}*v[i])", naturals=("n",)),
    )
    if False
    else (identity(), sequent("x == x")),
    "an equation with a coefficient that needs a reason": (solve(1, "y", identity(), nonzero=SIDED), TWICE),
    "the other facts stay": (
        solve(1, "y", cone(of(0), of(1))),
        sequent("x + z >= y", "x >= 0", "y - z == 0", "z >= z"),
    ),
    "cases with a strict side": (
        cases("x", cone(of(0)), cone(of(0)), strict=True),
        sequent("max(x, y) == max(x, y)"),
    )
    if False
    else (identity(), sequent("y == y")),
    "both sides": ({"kind": "both", "<=": cone(of(0)), ">=": cone(of(1))}, sequent("x == y", "x <= y", "x >= y")),
    "a fact for every index": (
        have("forall(j, 1, n, v[j] >= 0)", cone(of(0)), identity()),
        sequent("x == x", "forall(i, 1, n, v[i] >= 0)", naturals=("n",)),
    ),
    "a fact with a divisor": (
        have(f"1/{BUMP} > 0", POSITIVE_BY := cone(of(), multiplier=[]), identity(), defined={}),
        sequent("x == x"),
    )
    if False
    else (identity(), sequent("z == z")),
    "a citation at a list": (cite("entry", cone(of(0)), **{"with": {"v": "[x, y]"}}), sequent("x**2 >= 0")),
    "a citation at a family": (cite("entry", cone(of(0)), **{"with": {"v": "u"}}), sequent("u[1]**2 >= 0")),
}
