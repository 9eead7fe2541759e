r"""The stationary covariance Pi_infinity of one eigen-direction, all four entries, for a unit diagonal element m.

The noise that enters in one step has the covariance v v^T with v = (eta, q). A covariance that one more step leaves as
it is solves

    Pi = A Pi A^T + v v^T,

four linear equations for four numbers. sympy solves them; the paper prints the entry in the lower right corner and
stars for the others. The denominators are the conditions of Jury: they are positive exactly when both eigenvalues of A
lie inside the unit circle, and then the series v v^T + A v v^T A^T + ... converges to this solution.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from theory.derivation.value import Derivation, Opinion, Printed, Setting, Step
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.block import in_letters
from theory.papers.sada.derivations.inverse import BLOCK, letters
from theory.papers.sada.derivations.symbols import c, eta, lam, nu, q, x1, x2

UNKNOWN = sympy.Matrix(2, 2, sympy.symbols("p11 p12 p21 p22"))
NOISE = sympy.Matrix([eta, q]) * sympy.Matrix([[eta, q]])
STABLE = ("lam > 0", "q - c*eta > 0", "1 - c*(1-eta*lam) > 0", "2 + 2*c - (q+c*eta)*lam > 0", "c > 0", "eta*lam < 1")
POINT = {"c": "1/2", "eta": "1/2", "q": "1/2", "lam": "1"}
EQUATION = "[[p11, p12], [p21, p22]] == A @ [[p11, p12], [p21, p22]] @ A.T + [[eta**2, eta*q], [q*eta, q**2]]"


@lru_cache(maxsize=1)
def solution() -> sympy.Matrix:
    """The matrix that one step leaves as it is."""
    after = in_letters() * UNKNOWN * in_letters().T + NOISE
    solved = sympy.solve(list(UNKNOWN - after), list(UNKNOWN), dict=True)[0]
    return UNKNOWN.subs(solved).applyfunc(tidy)


def tidy(fraction: sympy.Expr) -> sympy.Expr:
    """Numerator by powers of lambda; each factor of the denominator positive for small lambda, q > c eta and c < 1."""
    above, below = sympy.fraction(sympy.factor(fraction))
    factors = [one if _positive(one) else -one for one in sympy.Mul.make_args(below)]
    sign = sympy.cancel(below / sympy.Mul(*factors))
    return sympy.collect(sympy.expand(above / sign), lam, sympy.factor) / sympy.Mul(*factors)


def _positive(factor: sympy.Expr) -> bool:
    tiny = sympy.Rational(1, 1000)
    return bool(factor.subs({lam: tiny, nu: tiny, c: sympy.Rational(1, 2), eta: tiny, q: tiny}) > 0)


def entry(row: int, column: int) -> Derivation:
    """One entry of the solution; the steps are the same for all."""
    block, pi = in_letters(), solution()
    stepped, found = block * UNKNOWN * block.T + NOISE, pi[row - 1, column - 1]
    name = f"Pi_{row}{column}"
    return Derivation(
        name=name,
        title=f"the entry {row}{column} of the stationary covariance Pi_infinity, for m = 1",
        source="the fixed-point equation Pi = A Pi A^T + v v^T",
        derived=found,
        steps=(
            Step("the noise of one step, v v^T with v = (eta, q)", NOISE),
            *(
                Step(f"a step leaves Pi as it is, entry {one}", sympy.Eq(p, _collected(after)))
                for one, p, after in zip((11, 12, 21, 22), UNKNOWN, stepped, strict=True)
            ),
            Step("four linear equations, solved", sympy.Eq(sympy.Symbol(name), found)),
        ),
        hidden=4,
        letter=f"p{row}{column}",
        also={f"p{i}{j}": pi[i - 1, j - 1] for i in (1, 2) for j in (1, 2) if (i, j) != (row, column)},
        solves=(EQUATION,),
        setting=Setting(STABLE, BLOCK, example=POINT),
        printed=PRINTED if (row, column) == (2, 2) else (),
        opinion=Opinion("inner", lambda v: (letters(v), runs.limit(v)[row - 1][column - 1])),
    )


def _collected(entry_after: sympy.Expr) -> sympy.Expr:
    return sympy.collect(sympy.expand(entry_after), list(UNKNOWN), sympy.factor)


PRINTED = (
    Printed(
        "disp:1204",
        r"\dfrac{(1+c)(q-c\eta)+c\eta(q+c\eta)\lambda_i}{(2+2c-(q+c\eta)\lambda_i)(1-c+c\eta\lambda_i)\lambda_i}",
        "lem:Pi-infinity",
        Setting(STABLE, example=POINT),
    ),
)


@lru_cache(maxsize=1)
def pi_11() -> Derivation:
    return entry(1, 1)


@lru_cache(maxsize=1)
def pi_12() -> Derivation:
    return entry(1, 2)


@lru_cache(maxsize=1)
def pi_21() -> Derivation:
    return entry(2, 1)


@lru_cache(maxsize=1)
def pi_22() -> Derivation:
    return entry(2, 2)


@lru_cache(maxsize=1)
def jury() -> Derivation:
    """A pair of eigenvalues lies inside the unit circle exactly when these three numbers are positive."""
    trace, determinant = in_letters().trace(), in_letters().det()
    named = sympy.Matrix([(1 - x1) * (1 - x2), (1 + x1) * (1 + x2), 1 - x1 * x2])
    raw = sympy.Matrix([1 - trace + determinant, 1 + trace + determinant, 1 - determinant])
    found = raw.applyfunc(sympy.factor)
    return Derivation(
        name="Jury",
        title="the conditions under which the series converges to Pi_infinity",
        source="both eigenvalues inside the unit circle",
        derived=found,
        steps=(
            Step("three numbers, positive exactly when |x1| < 1 and |x2| < 1", named),
            Step("in trace and determinant: 1 - trace + det, 1 + trace + det, 1 - det", raw),
            Step("of A(lambda)", found),
            Step("the denominator of Pi_22: two of them, times lambda", sympy.denom(solution()[1, 1])),
        ),
        letter="w",
        solves=("w == [(1-x1)*(1-x2), (1+x1)*(1+x2), 1-x1*x2]",),
        setting=Setting(
            ("c > 0", "lam > 0"),
            {"q": "(1+c-x1-x2)/lam", "eta": "(1-x1*x2/c)/lam"},
            example={"c": "1/2", "lam": "1", "x1": "1/4", "x2": "1/2"},
            scope="every pair of real eigenvalues; eta and q are those that give them",
        ),
        opinion=Opinion("inner", lambda v: (letters(v), _jury(v))),
    )


def _jury(v: Any) -> list[Any]:
    (a, b), (d, e) = runs.matrix(v)
    det = a * e - b * d
    return [1 - a - e + det, 1 + a + e + det, 1 - det]


ALL = (pi_11, pi_12, pi_21, pi_22, jury)
