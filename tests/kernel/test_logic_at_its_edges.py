"""Cases, roots, equations, citations and nesting: honest certificates, and each near miss refused by its own words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.certificates import Cert, cone, of
from theory.kernel import Claim, Rejected, Sequent, Tally, check
from theory.kernel.lang import parse_relation


def sequent(goal: str, *facts: str, naturals: tuple[str, ...] = ()) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal), frozenset(naturals))


def identity(*modulo: tuple[int, str]) -> Cert:
    return {"kind": "identity", "modulo": list(modulo)}


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


ABOVE_ONE = cone({"c": "1", "sq": "x - 1"}, of())  # (x - 1)**2 + 1 > 0
BUMP = "(x**2 - 2*x + 2)"
SIDED = {"side": ">", "proof": ABOVE_ONE}
TWICE = sequent("y*(x**2 - 2*x + 2) == 3", "x >= -9", "(x**2 - 2*x + 2)*y - 3 == 0")
LIBRARY = {
    "each": Claim("each", ("y >= 0",), ("forall(i, 1, 2, v[i] >= 0)",)),
    "half": Claim("half", ("y/2 >= 0",), ("y >= 0",)),
    "count": Claim("count", ("n*n >= n",), naturals=("n",)),
    "entry": Claim("entry", ("v[1]**2 >= 0",)),
    "pair": Claim("pair", ("a*b >= 0",), ("a >= 0", "b >= 0")),
    "square": Claim("square", ("M[1, 2]**2 >= 0",)),
}


def cite(key: str, then: Cert, **more: Any) -> Cert:
    return {"kind": "cite", "claim": key, "then": then, **more}


SPLIT_SUM = f"sum(i, 1, n, sqrt{BUMP}*v[i]) == sum(i, 1, n, v[i]*sqrt{BUMP})"
STRICT_SIDE = sequent("z > 0", "z - x > 0", "z + x >= 0")
GOOD: dict[str, tuple[Cert, Sequent]] = {
    "an absolute value": (split("abs(x)", identity(), cone(of(0))), sequent("abs(x) >= x")),
    "an absolute value from below": (split("abs(x)", cone(of(0)), identity()), sequent("abs(x) >= -x")),
    "a minimum": (split("min(a, b)", identity(), cone(of(0))), sequent("min(a, b) <= a")),
    "a maximum of three": (split("max(a, b, c)", cone(of(0)), identity(), cone(of(1))), sequent("max(a, b, c) >= b")),
    "a maximum in a fact": (
        split("max(a, b)", cone(of(0)), cone(of(0), of(1))),
        sequent("c >= a", "c >= max(a, b)"),
    ),
    "a root and its square": (root("sqrt(x)", identity((2, "1"))), sequent("sqrt(x)**2 == x", "x >= 0")),
    "a root in a fact": (root("sqrt(x)", cone(of(0), of(1))), sequent("y >= 0", "y >= sqrt(x)")),
    "a name that another fact binds": (
        root("sqrt(k)", cone(of(2))),
        sequent("sqrt(k) >= 0", "k >= 0", "forall(k, 0, 3, sqrt(k) <= 2)"),
    ),
    "a case whose name a sum binds": (
        split("abs(i)", cone(of(0), of(1, c="1/2")), cone(of(0), of(1, c="1/2"))),
        sequent("abs(i) + sum(i, 1, 2, abs(i)) >= s", "sum(i, 1, 2, abs(i)) - s >= 0"),
    ),
    "a root with a reason": (
        root(f"sqrt{BUMP}", identity(), defined={"x**2 - 2*x + 2 >= 0": ABOVE_ONE}),
        sequent(SPLIT_SUM, naturals=("n",)),
    ),
    "a coefficient with a reason": (solve(1, "y", identity(), nonzero=SIDED), TWICE),
    "a fact after the equation": (solve(0, "y", cone(of(0))), sequent("z >= 0", "y - z == 0", "y >= 0")),
    "a natural number, of which it is kept that it is not negative": (
        solve(0, "n", cone(of(0))),
        sequent("x >= 0", "n - x == 0", naturals=("n",)),
    ),
    "a fact before the equation": (solve(1, "y", cone(of(0))), sequent("z >= 0", "y >= 0", "y - z == 0")),
    "a root elsewhere in the equation": (
        solve(0, "y", identity()),
        sequent("y == sqrt(x) + 1", "y - sqrt(x) == 1"),
    ),
    "a case with a strict side": (cases("x", cone(of(0), of(2)), cone(of(1), of(2)), strict=True), STRICT_SIDE),
    "both sides": ({"kind": "both", "<=": cone(of(0)), ">=": cone(of(1))}, sequent("x == y", "x <= y", "x >= y")),
    "a fact for every index": (
        have("forall(j, 1, n, v[j] >= 0)", cone(of(0)), identity()),
        sequent("j == j", "forall(i, 1, n, v[i] >= 0)", naturals=("n",)),
    ),
    "a fact with a divisor": (
        have(
            f"1/{BUMP} > 0",
            have(f"{BUMP} > 0", ABOVE_ONE, cone(of(), multiplier=[0])),
            identity(),
            defined={"x**2 - 2*x + 2 != 0": SIDED},
        ),
        sequent("x == x"),
    ),
    "a citation at a list": (cite("entry", cone(of(0)), **{"with": {"v": "[x, y]"}}), sequent("x**2 >= 0")),
    "a citation at a family": (cite("entry", cone(of(0)), **{"with": {"v": "u"}}), sequent("u[1]**2 >= 0")),
    "a citation at a list of lists": (
        cite("square", cone(of(0)), **{"with": {"M": "[[x, y], [z, x]]"}}),
        sequent("y**2 >= 0"),
    ),
    "a citation with a hypothesis as it stands": (
        cite("each", cone(of(1)), **{"with": {"v": "u"}}),
        sequent("y >= 0", "forall(i, 1, 2, u[i] >= 0)"),
    ),
    "a citation with two hypotheses": (
        cite(
            "pair",
            cone(of(1)),
            **{"with": {"b": "a + 1"}},
            discharge={"0": cone(of(0), of()), "1": cone(of(0), of(c="2"))},
        ),
        sequent("a*(a + 1) >= 0", "a - 1 >= 0"),
    ),
}
OCCURS, DEFINED = "does not occur here", "not shown to be defined: "
BAD: dict[str, tuple[str, Cert, Sequent]] = {
    "a maximum that is absent": (OCCURS, split("max(c, b)", identity(), identity()), sequent("max(a, b) >= a")),
    "a root that is absent": (OCCURS, root("sqrt(y)", identity()), sequent("sqrt(x) == sqrt(x)", "x >= 0")),
    "a bound name in a sum": (
        "uses a bound name",
        split("abs(v[i])", identity(), identity()),
        sequent("sum(i, 1, n, abs(v[i])) == sum(i, 1, n, abs(v[i]))", naturals=("n",)),
    ),
    "a bound name in a mean": (
        "uses a bound name",
        split("abs(X[w])", identity(), identity()),
        sequent("mean(w, abs(X[w])) == mean(w, abs(X[w]))"),
    ),
    "a bound name in an iteration": (
        "uses a bound name",
        split("abs(s)", identity(), identity()),
        sequent("iterate(s, 2, x, abs(s)) == iterate(s, 2, x, abs(s))"),
    ),
    "a bound name of a fact": (
        "uses a bound name",
        split("abs(v[i])", identity(), identity()),
        sequent("x == x", "forall(i, 1, 2, abs(v[i]) >= 0)"),
    ),
    "a bound name is not the one outside": (
        "differ by",
        root("sqrt(k)", cone(of(2))),
        sequent("2 - sqrt(k) >= 0", "k >= 0", "forall(k, 0, 3, 2 - sqrt(k) >= 0)"),
    ),
    "the sum keeps its own absolute values": (
        "left - right is not zero",
        split("abs(i)", identity(), identity()),
        sequent("sum(i, 1, 2, abs(i)) + abs(i) == sum(i, 1, 2, i) + abs(i)", "i >= 0"),
    ),
    "one branch for two": ("2 branches are needed, 1 are given", split("abs(x)", identity()), sequent("abs(x) >= x")),
    "three branches for two": (
        "2 branches are needed, 3 are given",
        split("abs(x)", identity(), cone(of(0)), identity()),
        sequent("abs(x) >= x"),
    ),
    "a root is split": ("is not a max, min or abs", split("sqrt(x)", identity()), sequent("sqrt(x) >= 0", "x >= 0")),
    "an absolute value as a root": ("is not a square root", root("abs(x)", identity()), sequent("abs(x) == abs(x)")),
    "a minimum the wrong way": ("differ by", split("min(a, b)", identity(), cone(of(0))), sequent("min(a, b) >= a")),
    "a root without a reason": (
        DEFINED + r"x\*\*2 - 2\*x \+ 2 >= 0",
        root(f"sqrt{BUMP}", identity()),
        sequent(SPLIT_SUM, naturals=("n",)),
    ),
    "a name that is no name": ("'r s' is not a name", root("sqrt(x)", identity(), name="r s"), sequent("sqrt(x) == 1")),
    "a name in the goal": ("the name y is already", root("sqrt(x)", identity(), name="y"), sequent("sqrt(x) == y")),
    "a name in a fact": (
        "the name y is already",
        root("sqrt(x)", identity(), name="y"),
        sequent("sqrt(x) == sqrt(x)", "y >= 0"),
    ),
    "a name of a natural number": (
        "the name n is already",
        root("sqrt(x)", identity(), name="n"),
        sequent("sqrt(x) == sqrt(x)", naturals=("n",)),
    ),
    "an inequality is solved": ("can be solved", solve(0, "y", identity()), sequent("y == x", "y - x >= 0")),
    "an equation for every index is solved": (
        "is not an equation that can be solved for y",
        solve(0, "y", identity()),
        sequent("y == x", "forall(i, 1, 0, y == x)"),
    ),
    "a natural number that is eliminated is no exponent any more": (
        "not shown to be defined: x is natural",
        solve(0, "n", have("2**x >= 0", cone(of(0)), identity())),
        sequent("n == x", "n - x == 0", naturals=("n",)),
    ),
    "a natural number that is eliminated is at least zero and no more": (
        "differ by",
        solve(0, "n", cone(of(0))),
        sequent("x >= 1", "n - x == 0", "n > 1/2", naturals=("n",)),
    ),
    "a name that is absent is solved for": (
        "z does not occur in",
        solve(0, "z", identity()),
        sequent("y == x", "y - x == 0"),
    ),
    "a name inside a root": (
        "y occurs inside a root",
        solve(0, "y", identity()),
        sequent("y == x", "y + sqrt(y) == x"),
    ),
    "a square is solved": ("is not linear in that name", solve(0, "y", identity()), sequent("y == x", "y**2 == x**2")),
    "a name that cancels": ("the name cancels", solve(0, "y", identity()), sequent("y == x", "y - y + x == 0")),
    "a coefficient without a side": (
        "say on which side of zero it lies",
        solve(1, "y", identity(), nonzero={"proof": ABOVE_ONE}),
        TWICE,
    ),
    "a coefficient on the wrong side": (
        "differ by",
        solve(1, "y", identity(), nonzero={"side": "<", "proof": ABOVE_ONE}),
        TWICE,
    ),
    "a case with a weak side": (
        "a term that is positive",
        cases("x", cone(of(0), of(2)), cone(of(1), of(2))),
        STRICT_SIDE,
    ),
    "a case on a quotient": (
        DEFINED + "x != 0",
        cases("1/x", identity(), identity()),
        sequent("x == x"),
    ),
    "both for an inequality": ("both proves an equation", {"kind": "both"}, sequent("x <= x")),
    "both for every index": (
        "both proves an equation",
        {"kind": "both", "<=": identity(), ">=": identity()},
        sequent("forall(i, 1, 2, x == x)"),
    ),
    "a fact without a value": (DEFINED + "x != 0", have("1/x == 1/x", identity(), identity()), sequent("x == x")),
    "a fact without a value for every index": (
        DEFINED + "v_j != 0",
        have("forall(j, 1, n, 1/v[j] == 1/v[j])", identity(), identity()),
        sequent("x == x", naturals=("n",)),
    ),
    "an index that is a name of the facts": (
        "the name j is already in use",
        have("forall(j, 1, n, j >= 1)", cone(of(1)), identity()),
        sequent("x == x", "j >= 5", naturals=("n",)),
    ),
    "a citation of nothing": ("which is not in the library", cite("nothing", identity()), sequent("x == x")),
    "a sum for a family": ("v is a family", cite("entry", identity(), **{"with": {"v": "x + 1"}}), sequent("x == x")),
    "a list of lists for one index": (
        r"v has 1 index\(es\), not so",
        cite("entry", identity(), **{"with": {"v": "[[x, y], [y, x]]"}}),
        sequent("x == x"),
    ),
    "a list for two indices": (
        r"M has 2 index\(es\), not so",
        cite("square", identity(), **{"with": {"M": "[x, y]"}}),
        sequent("x == x"),
    ),
    "a list for a number": (
        "is a matrix, and a number is needed",
        cite("half", identity(), **{"with": {"y": "[1, 2]"}}),
        sequent("x == x"),
    ),
    "a quotient for a number": (
        DEFINED + "x != 0",
        cite("half", identity(), **{"with": {"y": "1/x"}}),
        sequent("x == x"),
    ),
    "a half for a natural number": (
        "n must be a natural number, not 1/2",
        cite("count", identity(), **{"with": {"n": "1/2"}}),
        sequent("x == x"),
    ),
    "a name that is not natural here": (
        "n must be a natural number, not n",
        cite("count", identity()),
        sequent("n == n"),
    ),
    "a hypothesis for every index that is no fact": (
        "is not among the facts",
        cite("each", cone(of(1))),
        sequent("y >= 0", "forall(i, 1, 1, v[i] >= 0)"),
    ),
    "a hypothesis that is not discharged": ("coefficient|sign", cite("half", cone(of(0))), sequent("y/2 >= 0")),
    "an unknown kind": ("unknown certificate kind 'faith'", {"kind": "faith"}, sequent("x == x")),
    "a text": ("unknown certificate kind 'faith'", "faith", sequent("x == x")),
    "a certificate without its parts": (r"malformed certificate \(KeyError", {"kind": "have"}, sequent("x == x")),
    "a formula that cannot be read": ("cases: cannot read", cases("x +", identity(), identity()), sequent("x == x")),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_meets_every_condition_is_accepted(name: str) -> None:
    cert, what = GOOD[name]
    check(cert, what, LIBRARY, Tally())


@pytest.mark.parametrize("name", BAD)
def test_a_near_miss_is_refused_by_name(name: str) -> None:
    refusal, cert, what = BAD[name]
    with pytest.raises(Rejected, match=refusal):
        check(cert, what, LIBRARY, Tally())
