r"""Eigenvalues of Sigma with an honest error bar.

A diagonal Sigma has exact eigenvalues. Otherwise a backward stable solver finds lambda_min up to about
d * eps * lambda_max, that is a relative error of d * eps * kappa(Sigma); from a factor G with Sigma = G^T G the
singular values give d * eps * sqrt(kappa(Sigma)). A design whose smallest eigenvalue would have fewer than three
right digits is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from .checks import Array, freeze

EPS = float(np.finfo(np.float64).eps)
WORST_RELATIVE_ERROR = 1e-3
LARGEST = 1e75


@dataclass(frozen=True, eq=False)
class Eigensystem:
    """sigma = vectors @ diag(values) @ vectors.T, values ascending, each known to `relative_error`."""

    values: Array
    vectors: Array
    relative_error: float


def is_diagonal(matrix: Array) -> bool:
    return not np.any(matrix - np.diag(np.diagonal(matrix)))


def of_diagonal(diagonal: Array, *, name: str) -> Eigensystem:
    order = np.argsort(diagonal, kind="stable")
    values = diagonal[order]
    _refuse_non_positive(values, name=name)
    refuse_extreme(values, name=name)
    return Eigensystem(freeze(values), freeze(np.eye(len(values))[:, order]), 0.0)


def of_matrix(sigma: Array, *, name: str) -> Eigensystem:
    """From a symmetric matrix, refused unless it is positive definite beyond rounding."""
    if is_diagonal(sigma):
        return of_diagonal(np.diagonal(sigma), name=name)
    values, vectors = np.linalg.eigh(sigma)
    doubt = len(values) * EPS * float(np.max(np.abs(values)))
    if values[0] < -doubt:
        raise ValueError(
            f"{name}: not positive semidefinite, smallest eigenvalue {values[0]:.3g}; a second-moment matrix cannot "
            "have one, correct the matrix"
        )
    _refuse_near_singular(values, doubt, name=name, remedy="drop the null directions, or build it with from_spectrum")
    refuse_extreme(values, name=name)
    return Eigensystem(freeze(values), freeze(vectors), doubt / float(values[0]))


def of_factor(factor: Array, *, name: str) -> Eigensystem:
    """From G of shape (n, d) with Sigma = G^T G, through singular values: twice the digits of `of_matrix`."""
    n, d = factor.shape
    tall = linalg.qr(factor, mode="r", check_finite=False)[0][: min(n, d)] if n > d else factor
    _, singular, vt = np.linalg.svd(tall, full_matrices=True)
    padded = np.zeros(d)
    padded[: len(singular)] = singular
    padded, vectors = padded[::-1].copy(), vt.T[:, ::-1].copy()
    doubt = d * EPS * float(padded[-1])
    _refuse_near_singular(
        padded, doubt, name=name, remedy="the atoms do not span the space: add atoms or drop collinear columns"
    )
    refuse_extreme(padded**2, name=name)
    return Eigensystem(freeze(padded**2), freeze(vectors), 2 * doubt / float(padded[0]))


def refuse_extreme(values: Array, *, name: str) -> None:
    """Products of four entries must neither overflow nor underflow."""
    if values[-1] > LARGEST or values[0] < 1 / LARGEST:
        raise ValueError(
            f"{name}: eigenvalues in [{values[0]:.3g}, {values[-1]:.3g}], outside [{1 / LARGEST:g}, {LARGEST:g}] "
            "fourth moments overflow or underflow; rescale the data"
        )


def _refuse_non_positive(values: Array, *, name: str) -> None:
    if values[0] <= 0:
        raise ValueError(
            f"{name}: smallest eigenvalue is {values[0]}, must be positive definite (the paper assumes mu > 0); "
            "drop the null directions"
        )


def _refuse_near_singular(values: Array, doubt: float, *, name: str, remedy: str) -> None:
    if values[0] * WORST_RELATIVE_ERROR < doubt:
        raise ValueError(
            f"{name}: singular to rounding, smallest eigenvalue or singular value {values[0]:.3g} +- {doubt:.1g} "
            f"against largest {values[-1]:.3g}, so it has fewer than three right digits; {remedy}"
        )
