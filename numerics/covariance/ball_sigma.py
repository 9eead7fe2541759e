r"""Sigma and its eigenvalues in balls, from what the design was given as.

A dense Sigma is made diagonal by Jacobi rotations in balls: each is orthogonal, so the result is similar to Sigma, and
by Weyl's inequality every eigenvalue lies within the norm of what is left off the diagonal. Beyond
`MOST_ROTATED` dimensions the computed eigenvalues are taken within their error bar.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, arb_mat

from numerics.designs import Design, FiniteSupport, IndependentCoordinates
from numerics.operators import Array

MOST_ROTATED = 48  # dimension: three quarters of a second
_FEWEST_SWEEPS, _MOST_SWEEPS = 6, 30


def balls_of(array: Array) -> Any:
    """An array of doubles as a matrix of exact balls."""
    return arb_mat(*array.shape, [float(v) for v in array.ravel()])


def scaled_rows(matrix: Any, factors: list[Any]) -> Any:
    columns = matrix.ncols()
    entries = [v * factors[k // columns] for k, v in enumerate(matrix.entries())]
    return arb_mat(matrix.nrows(), columns, entries)


def sigma_balls(design: Design) -> Any:
    """Sigma from atoms and weights, or from the mixing matrix, or as it was given."""
    if isinstance(design, IndependentCoordinates):
        mixing = balls_of(design.mixing)
        return mixing * mixing.transpose()
    if isinstance(design, FiniteSupport):
        atoms = balls_of(design.atoms)
        return atoms.transpose() * scaled_rows(atoms, [arb(float(w)) for w in design.weights])
    return balls_of(design.sigma)


def eigenvalue_balls(design: Design, *, fine: bool) -> tuple[Any, ...]:
    """The eigenvalues of Sigma, in no particular order; `fine` asks for rotations where they are worth their time."""
    by_definition = design.eigensystem.relative_error == 0.0 and not isinstance(
        design, FiniteSupport | IndependentCoordinates
    )
    if by_definition:
        return tuple(arb(float(x)) for x in design.eigenvalues)
    if design.dim == 1 or (fine and design.dim <= MOST_ROTATED):
        return _rotated(sigma_balls(design).tolist())
    lam = design.eigenvalues
    doubt = max(design.eigensystem.relative_error, 1e-15) * np.sqrt(lam[0] * lam)
    return tuple(arb(float(x), float(r)) for x, r in zip(lam, doubt, strict=True))


def _rotated(a: list[list[Any]]) -> tuple[Any, ...]:
    n = len(a)
    last = arb("inf")
    for sweep in range(_MOST_SWEEPS):
        left = _off_diagonal(a)
        if sweep > _FEWEST_SWEEPS and not left < last / 2:  # only the radii are left
            break
        last = left
        for i in range(n):
            for j in range(i + 1, n):
                _rotate(a, i, j)
    around = arb(0, _off_diagonal(a))
    return tuple(a[i][i] + around for i in range(n))


def _off_diagonal(a: list[list[Any]]) -> Any:
    """At least the Frobenius norm of what is off the diagonal: the sum of absolute values."""
    n = len(a)
    return sum((a[i][j].abs_upper() for i in range(n) for j in range(n) if i != j), arb(0)).upper()


def _rotate(a: list[list[Any]], i: int, j: int) -> None:
    """Make a_ij vanish by a rotation whose cosine and sine are those of a double-width guess, exactly normalised."""
    if a[i][j].mid() == 0:
        return
    half = ((a[j][j].mid() - a[i][i].mid()) / (2 * a[i][j].mid())).mid()
    root = (1 + half**2).sqrt()
    t = (1 / (abs(half) + root) * (1 if half >= 0 else -1)).mid()
    c = 1 / (1 + t**2).sqrt()
    s = t * c
    for k in range(len(a)):
        x, y = a[k][i], a[k][j]
        a[k][i], a[k][j] = c * x - s * y, s * x + c * y
    for k in range(len(a)):
        x, y = a[i][k], a[j][k]
        a[i][k], a[j][k] = c * x - s * y, s * x + c * y
