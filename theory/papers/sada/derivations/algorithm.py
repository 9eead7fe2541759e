"""Algorithm 1, inner loop, in one eigen-direction of Sigma: the only place where its three lines are written for sympy.

Deviations from the minimiser of the subproblem; p is a_t a_t^T in this direction and e the noise eps_t a_t.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from theory.papers.sada.derivations.symbols import e, eta, g, gam, p, theta, x, y, z

x_next, z_next, y_next = sympy.symbols("x_next z_next y_next", real=True)

EXTRAPOLATE = sympy.Eq(y, (x + theta * z) / (1 + theta))
DESCEND = sympy.Eq(x_next, y - eta * g)
MOMENTUM = sympy.Eq(z_next, theta * y + (1 - theta) * z - gam * g)
GRADIENT = sympy.Eq(g, p * y - e)


@dataclass(frozen=True)
class Pair:
    """(x_t, y_t) after one step, from (x_{t-1}, y_{t-1}) and the gradient g."""

    z: sympy.Expr
    x_next: sympy.Expr
    y_next: sympy.Expr


def z_eliminated() -> Pair:
    """Solve the extrapolation for z_{t-1}, put it into the other two lines, extrapolate again."""
    z_before = sympy.solve(EXTRAPOLATE, z)[0]
    z_after = MOMENTUM.rhs.subs(z, z_before)
    extrapolated = EXTRAPOLATE.rhs.subs({x: DESCEND.rhs, z: z_after}, simultaneous=True)
    return Pair(z_before, DESCEND.rhs, sympy.collect(sympy.expand(extrapolated), (x, y, g), sympy.factor))
