"""The tail average of the bias: Jensen's inequality, and the sum of a sequence that shrinks by 1 - theta at each step.

`after(k)` is the energy e_k, where e_k = (1-theta) e_(k-1) - D[k]^2 is any sequence with e_k <= (1-theta) e_(k-1);
`tail(n)` is e_(m+1) + ... + e_(m+n) from e_m = start. Since (1-theta)^j is convex in j, its average over j = 1 .. n is
at most (1 + (1-theta)^n)/2.
"""

from __future__ import annotations

from theory.papers.sada.inner_loop._facts import PLAIN, added
from theory.provers.tactics import Tactic, have, induction

ENERGY = "((1-theta)*s[1]-D[s[2]]**2)"


def after(count: str, start: str) -> str:
    return f"iterate(s, {count}, [{start}, 1], [{ENERGY}, s[2]+1])[1]"


def tail(count: str, start: str, first: str) -> str:
    return f"iterate(s, {count}, [{start}, {first}, 0], [{ENERGY}, s[2]+1, s[3]+{ENERGY}])[3]"


def tail_is_short() -> Tactic:
    """Facts: 0 theta >= 0, 1 theta <= 1, 2 e <= top, 3 top >= 0, then the invariants 4-7, 8 n >= 0."""
    invariant = ["s1 <= p*top", "2*s3 <= n*top*(1+p)", "p*(1+n*theta) <= 1", "p >= 0"]
    slack = "D[[s1, s2, s3][2]]"
    step = [
        added(("1", [1, 4], ""), ("1", [], slack)),
        added(("1", [5], ""), ("2", [1, 4], ""), ("2", [], slack), ("1", [3, 6], ""), ("1", [3, 7, 0], "")),
        added(("1", [6], ""), ("1", [7], "theta"), ("1", [7, 8], "theta")),
        added(("1", [1, 7], "")),
    ]
    states = {"s": tail("n", "e", "m")[:-3], "p": "(1-theta)**n"}
    return induction("n", states, invariant, step=step)


# the sum of n + 1 numbers and of their squares
SUMS = "iterate(s, n, [x[1], x[1]**2, 2], [s[1]+x[s[3]], s[2]+x[s[3]]**2, s[3]+1])"


def jensen() -> Tactic:
    """n+1 times the new difference is n+2 times the old one plus a square; facts: 0 the invariant, 1 n+1 > 0."""
    grown = added(("1", [0, 1], ""), ("1", [0], ""), ("1", [], "s1-(n+1)*x[[s1, s2, s3][3]]"), multiplier=[1])
    return induction("n", {"s": SUMS}, ["s1**2 <= (n+1)*s2"], step=[have("n+1 > 0", PLAIN, then=grown)])
