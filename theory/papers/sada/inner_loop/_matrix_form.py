"""L_var of Pi_t(M) in matrix form, for every dimension: the double sum from m + 1 to T is A_m + B_m
(lem:L-var-matrix-form).

The printed m is n here, and T = n + r + 1: G(r) = I + A + … + A^r is the sum of all powers that fit in. By
induction over r, for all n at once: the row and the column of the first time stand apart.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop import _pi_of_every_size as pi
from theory.papers.sada.inner_loop._l_var_of_every_size import ID as L_VAR
from theory.papers.sada.inner_loop._l_var_of_every_size import (
    NOTIONS,
    ONLY_POWERS,
    WITH_X,
    at,
    double,
    earlier,
    l_var,
    later,
    ours,
)
from theory.provers.tactics import Tactic, cite, induct, instance, order, unroll

ID = "lem:L-var-matrix-form"
G = {"G(r)": "sum(k, 0, r, Pw[k])", "H(r)": "sum(k, 1, r, Pw[k])"}
FORM = {
    **NOTIONS, **G,
    "Dm(n, r)": double("Pi[{}]", "n+r+1", "n+r+1"),
    "Lm(n, r)": "tr(S1 @ Dm(n, r))",
    "Am(n, r)": "tr(S1 @ G(r) @ Pi[n+1] @ G(r).T)",
    "Em(r)": "sum(i, 1, r, G(i-1) @ J(M) @ G(i-1).T)",
    "Bm(r)": "sum(i, 1, r, tr(S1 @ G(i-1) @ J(M) @ G(i-1).T))",
}  # fmt: skip
POINT = {**pi.POINT, "n": "1", "r": "1", "p": "0", "N": "4"}
ONLY_SUMS: dict[str, Any] = {**ONLY_POWERS, "where": {**NOTIONS, **G}, "example": {**ONLY_POWERS["example"], "r": "1"}}
SUMS: dict[str, Any] = {**WITH_X, "where": {**NOTIONS, **G}, "example": {**WITH_X["example"], "r": "1", "N": "4"}}
CORE: dict[str, Any] = {**pi.CORE, "where": FORM, "example": POINT}


def cited(part: str, then: Tactic, where: dict[str, str] | None = None) -> Tactic:
    return cite(f"{ID}#{part}", where, then=then, called=part)


def peel(of: str, then: Tactic, called: str, end: str = "last") -> Tactic:
    return unroll(of, then, end=end, called=called)


USE = [{"use": "one"}, {"use": "two"}]


def geometric() -> Tactic:
    base = order(ops=[{"use": "one"}, {"use": "zero"}, {"use": "none"}, at("Pw", "0", "k"), {"use": "Pw[0]"}])
    base = peel("G(1)", peel("G(0)", peel("G(-1)", base, "none", "empty"), "zero"), "one")
    step = order({"eq": "past"}, ops=[{"use": "one"}, {"use": "two"}, at("Pw", "r + 1", "k")])
    step = peel("G(r+2)", peel("G(r+1)", step, "two"), "one")
    # the sum with r + 1 terms more stands on both sides: open the left one first, then that of A G
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def commute() -> Tactic:
    base = order(ops=[{"use": "zero"}, {"use": "none"}, {"use": "Pw[0]"}])
    base = peel("G(0)", peel("G(-1)", base, "none", "empty"), "zero")
    step = order({"eq": "past"}, {"eq": "power"}, ops=[{"use": "one"}])
    step = peel("G(r+1)", cite(f"{L_VAR}#commute", {"k": "r+1"}, then=step, called="power"), "one")
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def from_one() -> Tactic:
    """H(r + 1) = A G(r)."""
    base = order(ops=[{"use": "one"}, {"use": "zero"}, {"use": "none"}, {"use": "nothing"}, at("Pw", "0", "k")])
    base = peel("H(0)", peel("G(-1)", base, "none", "empty"), "nothing", "empty")
    base = peel("H(1)", peel("G(0)", base, "zero"), "one")
    step = order({"eq": "past"}, ops=[{"use": "one"}, {"use": "two"}, at("Pw", "r + 1", "k")])
    step = peel("H(r+2)", peel("G(r+1)", step, "two"), "one")
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


# ---- the first time apart

WHOLE = double("X[{}]", "n+r+1", "n+r+1")


def rest(x: str, last: str, first: str) -> str:
    """The rows from n + 2 on, with their columns from `first` on."""
    at_i = f"sum(j, {first}, i, Pw[i-j] @ {x.replace('{}', 'j')}) + {later(x.replace('{}', 'i'), 'N')}"
    return f"sum(i, n+2, {last}, {at_i})"


def first_column() -> Tactic:
    """By induction over the number of rows."""
    names = ("wide", "narrow", "powers")

    def sums(count: str) -> tuple[str, str, str]:
        last = f"n+{count}+1"
        return rest("X[{}]", last, "n+1"), rest("X[{}]", last, "n+2"), f"H({count})"

    base, step = order(ops=[{"use": name} for name in names]), order({"eq": "past"}, ops=[
        {"use": name} for name in (*names, "first")])  # fmt: skip
    step = peel(earlier("X[j]", "n+r+2", "n+r+2"), step, "first", "first")
    for name, now, then in zip(names, sums("0"), sums("r+1"), strict=True):
        base, step = peel(now, base, name, "empty"), peel(then, step, name)
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def first_row() -> Tactic:
    def sums(count: str) -> tuple[str, str]:
        return f"sum(j, n+2, n+{count}+1, X[n+1] @ Pw[j-(n+1)].T)", f"H({count})"

    base, step = order(ops=USE), order({"eq": "past"}, ops=USE)
    for name, now, then in zip(("one", "two"), sums("0"), sums("r+1"), strict=True):
        base, step = peel(now, base, name, "empty"), peel(then, step, name)
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def first_apart() -> Tactic:
    ops = [{"use": name} for name in ("whole", "corner", "nothing")]
    last = order({"eq": "first column"}, {"eq": "first row"}, ops=[*ops, {"use": "Pw[0]"}])
    last = cited("first row", cited("first column", last, {"N": "n+r+1"}))
    last = peel("sum(j, n+1, n, Pw[n+1-j] @ X[j])", last, "nothing", "empty")
    last = peel(earlier("X[j]", "n+1", "n+1"), last, "corner")
    return peel(double("X[{}]", "n+r+1", "n+r+1"), last, "whole", "first")


# ---- the matrix form


def pi_apart(then: Tactic) -> Tactic:
    """The first time apart, for Pi, with r + 1 for r: the fact "apart"."""
    return cite(
        f"{ID}#first apart", {"r": "r+1"}, then=then, called="apart", letters={"X": {"at": ["t"], "is": "Pi[t]"}}
    )


def matrix() -> Tactic:
    names = ("all", "row", "none", "above", "past it", "g", "g none", "e none")
    base = order(ops=[*({"use": name} for name in names), {"use": "Pw[0]"}])
    base = peel("Em(0)", peel("G(0)", peel("G(-1)", base, "g none", "empty"), "g"), "e none", "empty")
    base = peel(later("Pi[n+1]", "n+1", "n+1"), base, "past it", "empty")
    base = peel(earlier("Pi[j]", "n+1", "n+1"), peel(earlier("Pi[j]", "n", "n+1"), base, "above", "empty"), "row")
    base = peel(double("Pi[{}]", "n+1", "n+1"), peel(double("Pi[{}]", "n", "n+1"), base, "none", "empty"), "all")
    a_g = "A @ G(r)"
    step = order(
        {"eq": "past"},
        {"eq": "apart"},
        {"eq": "from one", "R": "Pi[n+1]"},
        {"eq": "from one", "T": 1, "L": "Pi[n+1]"},
        {"eq": "g", "k": "-1", "R": "Pi[n+1] @ (G(r+1)).T"},
        {"eq": "g", "k": "-1", "T": 1, "L": f"({a_g} + I(2*d)) @ Pi[n+1]"},
        {"eq": "swap", "k": "-1", "R": f"Pi[n+1] @ ({a_g}).T"},
        {"eq": "swap", "k": "-1", "T": 1, "L": "G(r) @ A @ Pi[n+1]"},
        {"eq": "next", "L": "G(r)", "R": "G(r).T"},
        ops=[{"use": "more"}],
    )
    step = cite(f"{ID}#geometric", then=step, called="g")
    step = cite(f"{ID}#geometric commutes", then=cited("from one", step), called="swap")
    step = instance("Pi[t + 1]", pi_apart(step), called="next", t="n + 1")
    step = peel("Em(r+1)", step, "more")
    return induct("r", general=["n"], base=base, step=instance("IH", step, called="past", m="r", n="n+1"))


def traces_of_e() -> Tactic:
    base = order({"eq": "one"}, {"eq": "two", "L": "S1", "tr": 1, "k": "-1"})
    base = peel("Bm(0)", peel("Em(0)", base, "two", "empty"), "one", "empty")
    step = order({"eq": "past"}, {"eq": "one"}, {"eq": "two", "L": "S1", "tr": 1, "k": "-1"})
    step = peel("Bm(r+1)", peel("Em(r+1)", step, "two"), "one")
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def form() -> Tactic:
    last = order({"eq": "matrix", "L": "S1", "tr": 1}, {"eq": "traces", "k": "-1"})
    return cited("matrix", cited("traces", last))


CHAIN = (
    ours("geometric", "G(r+1) == A @ G(r) + I(2*d)", "One power of A more.", **ONLY_SUMS, naturals="r",
         proof=lambda claim: geometric()),
    ours("geometric commutes", "A @ G(r) == G(r) @ A", "It commutes with A.", **ONLY_SUMS, naturals="r",
         proof=lambda claim: commute()),
    ours("from one", "H(r+1) == A @ G(r)", "The sum that begins at 1.", **ONLY_SUMS, naturals="r",
         proof=lambda claim: from_one()),
    ours("first column", f"{rest('X[{}]', 'n+r+1', 'n+1')} == {rest('X[{}]', 'n+r+1', 'n+2')} + H(r) @ X[n+1]",
         "The column t = n + 1 apart.", **SUMS, naturals=("n", "r", "N"), proof=lambda claim: first_column()),
    ours("first row", "sum(j, n+2, n+r+1, X[n+1] @ Pw[j-(n+1)].T) == X[n+1] @ H(r).T", "The row s = n + 1.", **SUMS,
         naturals=("n", "r"), proof=lambda claim: first_row()),
    ours("first apart", f"{WHOLE} == {WHOLE.replace('n+1', 'n+2')}"
         " + X[n+1] + H(r) @ X[n+1] + X[n+1] @ H(r).T", "The first row and column apart.", **SUMS,
         naturals=("n", "r"), proof=lambda claim: first_apart()),
    ours("matrix", "Dm(n, r) == G(r) @ Pi[n+1] @ G(r).T + Em(r)", "The double sum as a matrix.",
         **CORE, naturals=("n", "r"), proof=lambda claim: matrix()),
    ours("traces", "Bm(r) == tr(S1 @ Em(r))", "B_m as a trace.", **CORE, naturals="r",
         proof=lambda claim: traces_of_e()),
)  # fmt: skip

# ---- the displays

HALF = {"n": "p+1"}  # T = 2n with n >= 1
A_HALF, B_HALF = "tr(S1 @ G(p) @ Pi[n+1] @ G(p).T)", "Bm(p)"
AT_HALF: dict[str, Any] = {
    **CORE,
    "where": {**HALF, **{name: text for name, text in FORM.items() if "(n, r)" not in name}, "LvarPi": l_var("Pi[{}]")},
    "naturals": "p",
    "scope": "every d, every T = 2n, every nonnegative M, every distribution whose moments exist",
}


def at_half() -> Tactic:
    last = order({"eq": "form", "k": "4/(2*(p+1))**2"})
    return cite(f"{ID}/disp:1042.1", {"n": "p+1", "r": "p"}, then=last, called="form")


def one_power_more() -> Tactic:
    first = {"eq": "g", "L": "S1", "R": "Pi[n+1] @ (G(r+1)).T", "tr": 1}
    second = {"eq": "g", "T": 1, "L": "S1 @ (A @ G(r) + I(2*d)) @ Pi[n+1]", "tr": 1}
    return cite(f"{ID}#geometric", then=order(first, second), called="g")


def expansion() -> Tactic:
    """The product is multiplied out; A G is the sum of powers from 1 on, and commutes with A."""
    last = order(
        {"eq": "apart", "L": "S1", "tr": 1, "k": "-1"},
        {"eq": "from one", "L": "S1", "R": "Pi[n+1]", "tr": 1, "k": "-1"},
        {"eq": "from one", "T": 1, "L": "S1 @ Pi[n+1]", "tr": 1, "k": "-1"},
        {"eq": "swap", "L": "S1", "R": "Pi[n+1] @ (A @ G(r)).T", "tr": 1},
        {"eq": "swap", "T": 1, "L": "S1 @ G(r) @ A @ Pi[n+1]", "tr": 1},
    )
    return cite(f"{ID}#geometric commutes", then=cited("from one", pi_apart(last)), called="swap")
