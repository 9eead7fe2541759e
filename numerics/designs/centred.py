r"""N(X) = E[(a a^T - Sigma) X (a a^T - Sigma)] of atoms, without the cancellation of M(X) - Sigma X Sigma.

As a matrix on packed symmetric X, N is made of the covariances of products a_i a_j. Each product is centred around
that of the mean magnitudes m_i of its coordinates, through |a_i| - m_i, so that a product which hardly varies keeps
its digits:

    |a_i| |a_j| - m_i m_j = (|a_i| - m_i) s_j + s_i (|a_j| - m_j),    s_i = (|a_i| + m_i)/2.

Applied to one X (O(n d^2), for many dimensions), atoms are turned to one side of their longest one, written as a_k =
m + delta_k around their mean; with s_k = m + delta_k / 2 and a_k a_k^T - m m^T = G_k = delta_k s_k^T + s_k delta_k^T

    N(X) = sum_k w_k G_k X G_k - G X G,    G = sum_k w_k G_k.

Both work through chunks of rows, so that temporaries stay small.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .checks import Array

_CHUNK_ENTRIES = 1 << 18


@dataclass(frozen=True, eq=False)
class CentredAtoms:
    """Atoms as pivot + offsets, all on one side of the pivot."""

    pivot: Array  # m, (d,)
    offsets: Array  # delta_k, (n, d)
    weights: Array

    @classmethod
    def of(cls, atoms: Array, weights: Array) -> CentredAtoms:
        longest = atoms[int(np.argmax(np.sum(atoms**2, axis=1)))]
        aligned = np.where((atoms @ longest < 0)[:, None], -atoms, atoms)
        pivot = weights @ aligned
        return cls(pivot, aligned - pivot, weights)

    @cached_property
    def _mean(self) -> Array:
        """G = sum_k w_k G_k."""
        d = len(self.pivot)
        total = np.zeros((d, d))
        for rows in _chunks(*self.offsets.shape):
            delta = self.offsets[rows]
            half = (delta * self.weights[rows, None]).T @ (self.pivot + delta / 2)
            total += half + half.T
        return total

    def excess(self, x: Array) -> Array:
        """N(X) for a symmetric X; exactly symmetric."""
        total = -(self._mean @ x @ self._mean)
        for rows in _chunks(*self.offsets.shape):
            delta, w = self.offsets[rows], self.weights[rows]
            middle = self.pivot + delta / 2
            far, near = delta @ x, middle @ x
            cross = (delta * (w * np.sum(near * delta, axis=1))[:, None]).T @ middle
            total += cross + cross.T
            total += (delta * (w * np.sum(near * middle, axis=1))[:, None]).T @ delta
            total += (middle * (w * np.sum(far * delta, axis=1))[:, None]).T @ middle
        return np.asarray((total + total.T) / 2)


def packed_excess(atoms: Array, weights: Array) -> Array:
    """N on packed symmetric matrices (upper triangle by rows), d(d+1)/2 square."""
    d = atoms.shape[1]
    rows, columns = np.triu_indices(d)
    at = np.zeros((d, d), dtype=np.intp)
    at[rows, columns] = at[columns, rows] = np.arange(len(rows))
    covariances = _covariances(atoms, weights, rows, columns)
    i, j, k, l = rows[:, None], columns[:, None], rows[None], columns[None]
    swapped = np.where(k == l, 0.0, covariances[at[i, l], at[k, j]])
    return np.asarray(covariances[at[i, k], at[l, j]] + swapped)


def _covariances(atoms: Array, weights: Array, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Array:
    """Covariances of the products a_i a_j, i <= j."""
    middle = weights @ np.abs(atoms)
    chunks = _chunks(len(atoms), len(rows))
    signs = np.sign(sum(weights[c] @ (np.sign(atoms[c][:, rows]) * np.sign(atoms[c][:, columns])) for c in chunks))
    usual = np.where(signs == 0, 1.0, signs)  # of each product
    parts = (middle, rows, columns, usual)
    mean = np.sum([weights[c] @ _varied(atoms[c], *parts) for c in chunks], axis=0)
    total = np.zeros((len(rows), len(rows)))
    for c in chunks:
        centred = _varied(atoms[c], *parts) - mean
        total += centred.T @ (centred * weights[c, None])
    return np.asarray((total + total.T) / 2 * np.outer(usual, usual))


def _varied(atoms: Array, middle: Array, rows: NDArray[np.intp], columns: NDArray[np.intp], usual: Array) -> Array:
    """usual_ij a_i a_j - m_i m_j, exact to rounding of the difference where the sign is the usual one."""
    size = np.abs(atoms)
    delta, mid = size - middle, (size + middle) / 2
    off = delta[:, rows] * mid[:, columns] + mid[:, rows] * delta[:, columns]
    sign = usual * np.sign(atoms[:, rows]) * np.sign(atoms[:, columns])
    return np.asarray(sign * off + (sign - 1) * (middle[rows] * middle[columns]))


def _chunks(n: int, width: int) -> list[slice]:
    step = max(1, _CHUNK_ENTRIES // width, min(width, 512))
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]
