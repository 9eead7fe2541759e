"""Why the average bound is about 2/T: both sums of lem:L-var, exactly, through the Lyapunov function of the block.

A = [[0, u], [-c, v]]. V(s) = p11 x^2 + 2 p12 x y + p22 y^2 with V(s) - V(A s) = x^2, and l(s) = l1 x + l2 y with
l(s) - l(A s) = x. Along s_k = A^k (1, 1)^T the sums telescope: with e = s_n,
    rise   = n - 1 - 2 l(s_1) + 2 l(e) + V(s_1) - V(e),      spread <= V(s_0 - e),
so that rise + spread <= n + 2 (V - l)(s_0) + 2 (l(e) - <s_0, P e>): what is left is linear in e, and e stays in an
ellipse (the energy of lem:bias-bound in one direction). With a = eta lam and b = gamma lam everything is rational.
"""

from __future__ import annotations

from theory.papers.sada.inner_loop._facts import PLAIN, added
from theory.provers.tactics import Tactic, chain, induction

LYAPUNOV = (
    "p11 == c**2*p22+1",
    "p12 == -c*(u*p12+v*p22)",
    "p22 == u**2*p11+2*u*v*p12+v**2*p22",
    "l1 == -c*l2+1",
    "l2 == u*l1+v*l2",
)
STABLE = ("p22 > 0", "c >= 0", "u >= 0", "v <= 1+c*u", "v >= -1-c*u")
EXAMPLE = {
    "u": "1/2", "c": "0", "v": "1/2", "p11": "1", "p12": "0", "p22": "1/3", "l1": "1", "l2": "1",
    "e1": "1", "e2": "1", "k": "2", "first": "1/2",
}  # fmt: skip
MOVE = "u*r[2], -c*r[1]+v*r[2]"
RISE = f"iterate(r, k, [u, first, 0], [{MOVE}, r[3]+(1-r[1])**2])"
SPREAD = f"iterate(r, k, [1, 1, e1, e2, 0], [{MOVE}, u*r[4], -c*r[3]+v*r[4], r[5]+(r[1]-r[3])**2])[5]"


def form(x: str, y: str) -> str:
    return f"(p11*({x})**2+2*p12*({x})*({y})+p22*({y})**2)"


def line(x: str, y: str) -> str:
    return f"(l1*({x})+l2*({y}))"


def _falls(x: str, y: str, start: int) -> list[tuple[int, str]]:
    """V(A s) - V(s) + x^2, as a combination of the Lyapunov equations from position `start` on."""
    return [(start, f"-({x})**2"), (start + 1, f"-2*({x})*({y})"), (start + 2, f"-({y})**2")]


def spread_is_below_the_form() -> Tactic:
    """Facts: 0-4 the equations, 5-9 stability, 10 the invariant; p22 V is a sum of squares."""
    x, y = "r1-r3", "r2-r4"
    invariant = f"r5+{form(x, y)} == {form('1-e1', '1-e2')}"
    kept: Tactic = {"kind": "identity", "modulo": [list(m) for m in ((10, "1"), *_falls(x, y, 0))]}
    one = "(1+c*u)"
    # (1+cu)^2 (p11 p22 - p12^2) = p22 (1+cu)^2 + p22^2 c^2 (1+cu-v)(1+cu+v)
    definite = added(
        ("1", [5], one),
        ("1", [8, 9], "p22*c"),
        multiplier=[11, 11],
        modulo=[(0, f"p22*{one}**2"), (1, f"-(p12*{one}-c*v*p22)")],
    )
    last = added(("1", [], f"p12*({x})+p22*({y})"), ("1", [12], x), multiplier=[5], modulo=[(10, "-p22")])
    then = chain(("1+c*u > 0", PLAIN), ("p11*p22-p12**2 >= 0", definite), then=last)
    return induction("k", {"r": SPREAD[:-3]}, [invariant], step=[kept], then=then)


def rise_is_exact() -> Tactic:
    """Facts: 0-4 the equations, 5 the invariant."""
    state = f"{form('r1', 'r2')}-2*{line('r1', 'r2')}"
    start = f"{form('u', 'first')}-2*{line('u', 'first')}"
    step = [(5, "1"), *_falls("r1", "r2", 0), (3, "2*r1"), (4, "2*r2")]
    kept: Tactic = {"kind": "identity", "modulo": [list(m) for m in step]}
    end: Tactic = {"kind": "identity", "modulo": [[5, "1"]]}
    return induction("k", {"r": RISE}, [f"r3+{state} == k+{start}"], step=[kept], then=end)
