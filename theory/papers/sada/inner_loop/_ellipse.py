"""The ellipse in which A^k (1, 1)^T stays, and the linear form that is left of both sums, maximised over it.

With a = eta lam, b = gamma lam the energy b theta x^2 + ((1+theta) y - x)^2 never grows (it is b theta times that of
lem:bias-bound), and it starts at theta (b + theta). M(e) = l(e) - <s_0, P e> has the coefficients X, Z below in the
coordinates x and z; completing the squares leaves a polynomial inequality in theta, a, b, which holds for all sizes
with theta <= b, 16 theta b <= a <= 1/16.
"""

from __future__ import annotations

from theory.kernel.lang import parse, substitute, text
from theory.papers.sada.inner_loop._blocks import MOMENTUM
from theory.papers.sada.inner_loop._facts import added
from theory.provers.tactics import Tactic, chain, cite, induction

A, B = "(eta*lam)", "(gam*lam)"
ENERGY_GIVEN = ("theta > 0", "theta < 1", f"{B} >= theta", f"2*{A}-{A}**2-theta*{B} >= 0")
STATE = "iterate(r, k, [1-eta*lam, 1-q*lam, 0], [(1-eta*lam)*r[2], -c*r[1]+(1+c-q*lam)*r[2], r[3]+(1-r[1])**2])"
EXPANDED = text(substitute(parse(STATE), {name: parse(formula) for name, formula in MOMENTUM.items()}))


def energy(x: str, y: str, b: str = B, left: str = "1") -> str:
    """The energy is at most `left` of what it was at the start."""
    return f"{b}*theta*({x})**2+((1+theta)*({y})-({x}))**2 <= {left}*(theta*({b}+theta))"


def ellipse_shrinks() -> Tactic:
    """Facts: 0-3 given, 4 b > 0, 5 the invariant; each step loses theta of the energy and squares."""

    def lost(x: str, y: str) -> list[tuple[str, list[int], str]]:
        return [
            ("1", [1, 0], f"({y})-({x})"),
            ("1", [1, 0, 4], f"({y})-({x})"),
            ("1", [2], f"theta*({y})"),
            ("1", [4, 0, 3], y),
        ]

    base = added(*lost("1", "1"))
    step = added(("1", [1, 5], ""), *lost("r1", "r2"))
    invariant = energy("r1", "r2", left="((1-theta)*w)")
    kept = induction("k", {"r": EXPANDED, "w": "(1-theta)**k"}, [invariant], base=[base], step=[step])
    return chain((f"{B} > 0", added(("1", [0], ""), ("1", [2], ""))), then=kept)


# the closed forms; D is their common denominator
N, K = "(2*theta+a*(1-theta))", "(4-2*a-b*theta+a*theta)"
D = f"((a+b)*{N}*{K})"
P22 = f"((1-a)**2*(1+theta)**2*(2-a+a*theta)/(theta*{D}))"
P12 = f"((1-a)**2*(1-theta)*(1+theta)*(a+b*theta-2)/(theta*{D}))"
P11 = f"(((1-theta)/(1+theta))**2*{P22}+1)"
L1, L2 = "((a+b*theta+theta-1)/(theta*(a+b)))", "((1-a)*(1+theta)/(theta*(a+b)))"
CLOSED = {"p11": P11, "p12": P12, "p22": P22, "l1": L1, "l2": L2}
X = "(2*a*b*theta-2*a*b-a*theta**2+a*theta-2*a+b*theta**2-b*theta+2*b-4*theta)"
Z = "(-2*a**2+2*a**2*theta+a*theta**2-3*a*theta+4*a-b*theta**2-b*theta+4*theta)"
S = "(a**2*theta-a**2-a*b*theta+a*b+a*theta**2-2*a*theta+3*a-b*theta**2-b+4*theta)"
SIZES = ("theta > 0", "16*theta <= 1", "b >= theta", "a >= 16*theta*b", "16*a <= 1")
SIZES_EXAMPLE = {"theta": "1/64", "a": "1/64", "b": "1/64"}
POLYNOMIALS = {"D": D, "S": S, "X": X, "Z": Z}


FIRST_TERM = f"{D}+8*theta*(1-a)*{S} >= 0"


def largest_in_the_ellipse(polynomial: str, first_term: str) -> Tactic:
    """Complete the squares in x and theta z = (1+theta) y - x; what is left is linear in root, and true at 0 and 1.

    Facts: 0-4 the sizes, 5 the energy, 6 root > 0, 7 root <= 1, 8 and 9 what is cited, 10-14 positive numbers.
    """
    facts = ("b > 0", "a > 0", f"{N} > 0", f"{K} > 0", "a+b > 0")
    b, n, k, both = 10, 12, 13, 14
    squares = added(
        ("1/4", [b, 0], f"{D}*x+4*theta*root*(1-a)*{X}"),
        ("1/4", [], f"{D}*((1+theta)*y-x)-4*b*theta*root*(1-a)*{Z}"),
        ("1/4", [5], D),
        ("1/4", [0, 8], "root"),
        ("1/2", [b, 0, 6, 7, 9, both, n, k], ""),
        multiplier=[b, 0, 0, 6, both, both, n, n, k, k],
    )
    return cite(polynomial, then=cite(first_term, then=chain(*facts, then=squares)))
