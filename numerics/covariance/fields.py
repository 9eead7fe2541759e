r"""Number fields for the reference: extended floats, exact rationals and Arb balls behind five operations.

Every input double is taken as the rational number that it is, so the rational field gives the exact answer to the
very question that the fast code was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from numerics.operators import Array


@dataclass(frozen=True)
class Field:
    """Matrices over one kind of number: build, multiply, transpose, solve, read back."""

    name: str
    scalar: Callable[[Any], Any]
    matrix: Callable[[Sequence[Sequence[Any]]], Any]
    multiply: Callable[[Any, Any], Any]
    transpose: Callable[[Any], Any]
    solve: Callable[[Any, Any], Any]
    entry: Callable[[Any, int, int], Any]
    precision: Callable[[], AbstractContextManager[Any]]

    def from_array(self, array: Array) -> Any:
        return self.matrix([[self.scalar(float(v)) for v in row] for row in np.atleast_2d(array)])

    def to_array(self, matrix: Any, rows: int, columns: int) -> Array:
        return np.array([[float(as_float(self.entry(matrix, i, j))) for j in range(columns)] for i in range(rows)])


def as_float(value: Any) -> float:
    """The nearest double to a rational, the midpoint of a ball."""
    if isinstance(value, flint.fmpq):
        return float(Fraction(int(value.p), int(value.q)))
    if isinstance(value, flint.arb):
        if value.rel_accuracy_bits() < 53 and not value.rad() < 1e-300:
            raise ArithmeticError(f"the ball {value.str(5)} has no 53 right bits; ask for more bits (about 4 a step)")
        return float(value.mid())
    return float(value)


def _rational(value: Any) -> flint.fmpq:
    if isinstance(value, flint.fmpq):
        return value
    exact = Fraction(value)
    return flint.fmpq(exact.numerator, exact.denominator)


EXTENDED = Field(
    name="extended",
    scalar=np.longdouble,
    matrix=lambda rows: np.array(rows, dtype=np.longdouble),
    multiply=lambda a, b: a @ b,
    transpose=lambda a: a.T,
    solve=lambda a, b: _eliminate(a, b),
    entry=lambda a, i, j: a[i, j],
    precision=nullcontext,
)

RATIONAL = Field(
    name="rational",
    scalar=_rational,
    matrix=lambda rows: flint.fmpq_mat([[_rational(v) for v in row] for row in rows]),
    multiply=lambda a, b: a * b,
    transpose=lambda a: a.transpose(),
    solve=lambda a, b: a.solve(b),
    entry=lambda a, i, j: a[i, j],
    precision=nullcontext,
)


def balls(bits: int = 400) -> Field:
    """Arb balls of `bits` bits; wrap the computation in `with field.precision():`."""
    return Field(
        name=f"balls{bits}",
        scalar=lambda v: v if isinstance(v, flint.arb) else flint.arb(v),
        matrix=lambda rows: flint.arb_mat([list(row) for row in rows]),
        multiply=lambda a, b: a * b,
        transpose=lambda a: a.transpose(),
        solve=lambda a, b: a.solve(b),
        entry=lambda a, i, j: a[i, j],
        precision=lambda: flint.ctx.workprec(bits),
    )


def _eliminate(a: Any, b: Any) -> Any:
    """Gaussian elimination with partial pivoting in extended precision (numpy has none)."""
    n = len(a)
    m = np.concatenate([a, b], axis=1)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(m[k:, k])))
        m[[k, pivot]] = m[[pivot, k]]
        m[k + 1 :] -= np.outer(m[k + 1 :, k] / m[k, k], m[k])
    x = np.zeros_like(b)
    for k in range(n - 1, -1, -1):
        x[k] = (m[k, n:] - m[k, k + 1 : n] @ x[k + 1 :]) / m[k, k]
    return x
