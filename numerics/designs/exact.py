"""Exact moments of a finite-support design in rationals (python-flint), for small dimensions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat


@dataclass(frozen=True, eq=False)
class ExactMoments:
    """Atoms as an (n, d) rational matrix with rational weights that sum to exactly one."""

    atoms: fmpq_mat
    weights: tuple[fmpq, ...]

    def __post_init__(self) -> None:
        total = sum(self.weights, fmpq(0))
        if total != 1:
            raise ValueError(f"weights: sum to exactly {total}, must sum to 1; divide them by their sum")

    @property
    def dim(self) -> int:
        return int(self.atoms.ncols())

    @cached_property
    def sigma(self) -> fmpq_mat:
        """Sigma = sum_k w_k a_k a_k^T."""
        return self.weighted_gram(self.weights)

    @cached_property
    def sigma_inverse(self) -> fmpq_mat:
        return self.sigma.inv()

    def weighted_gram(self, weights: Iterable[fmpq]) -> fmpq_mat:
        """sum_k weights_k a_k a_k^T."""
        n, d = self.atoms.nrows(), self.dim
        scaled = fmpq_mat(n, d, [w * self.atoms[k, i] for k, w in enumerate(weights) for i in range(d)])
        return self.atoms.transpose() * scaled

    def fourth_moment(self, x: fmpq_mat) -> fmpq_mat:
        """M(X) = sum_k w_k (a_k^T X a_k) a_k a_k^T, exactly."""
        if (x.nrows(), x.ncols()) != (self.dim, self.dim):
            raise ValueError(f"X: has shape ({x.nrows()}, {x.ncols()}), needs ({self.dim}, {self.dim})")
        ax = self.atoms * x
        forms = (
            sum((ax[k, i] * self.atoms[k, i] for i in range(self.dim)), fmpq(0)) for k in range(self.atoms.nrows())
        )
        return self.weighted_gram(w * form for w, form in zip(self.weights, forms, strict=True))


def as_fmpq(value: Any) -> fmpq | None:
    """A Fraction, integer or fmpq as fmpq; None for a float or anything else."""
    if isinstance(value, fmpq):
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return fmpq(int(value))
    return fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else None


def rational_vector(values: Any, *, scale: int = 1) -> tuple[fmpq, ...] | None:
    """All entries divided by `scale`, or None when one of them is not rational."""
    entries = tuple(as_fmpq(v) for v in values)
    return None if any(e is None for e in entries) else tuple(e / scale for e in entries if e is not None)


def rational_matrix(rows: Any) -> fmpq_mat | None:
    """Rows as a rational matrix, or None when an entry is not rational."""
    if isinstance(rows, np.ndarray) and rows.dtype.kind == "f":
        return None
    converted = [rational_vector(row) for row in rows]
    if any(row is None for row in converted):
        return None
    entries = [entry for row in converted if row is not None for entry in row]
    return fmpq_mat(len(converted), len(entries) // len(converted), entries)


def to_float(matrix: fmpq_mat) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Nearest doubles of a rational matrix."""
    rows, cols = matrix.nrows(), matrix.ncols()
    return np.array([[int(matrix[i, j].p) / int(matrix[i, j].q) for j in range(cols)] for i in range(rows)])
