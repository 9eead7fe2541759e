r"""Finite support: a = a_k with probability w_k. Every expectation is a finite sum, the referee of everything else.

    Sigma = sum_k w_k a_k a_k^T,    M(X) = sum_k w_k (a_k^T X a_k) a_k a_k^T.

The paper remarks that R = L when |a| <= L almost surely; `r2_quoted` is that max_k |a_k|^2 and `kappa_tilde_quoted`
its analogue max_k |a_k|^2_{Sigma^-1}. Atoms and weights given as Fractions also have exact moments, see `exact`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from . import spectral
from .base import Design
from .centred import CentredAtoms, packed_excess
from .checks import Array, freeze, frozen_array, generator, orthogonal, probabilities, sample_size, square_argument
from .exact import ExactMoments, rational_matrix, rational_vector

_CHUNK_ENTRIES = 1 << 18
_MOST_PACKED = 8  # dimension up to which N is held as a matrix to apply it


@dataclass(frozen=True, eq=False, repr=False)
class FiniteSupport(Design):
    """Atoms (n, d) with positive weights (n,) that sum to one; equal weights when none are given."""

    atoms: Array
    weights: Array = None  # type: ignore[assignment]  # None asks for equal weights
    _rational: ExactMoments | None = field(init=False, default=None)

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, atoms: Any, weights: Any = None) -> None: ...

    def __post_init__(self) -> None:
        given_atoms, given_weights = self.atoms, self.weights
        atoms = frozen_array(given_atoms, name="atoms", ndim=2)
        n = len(atoms)
        weights = freeze(np.full(n, 1 / n)) if given_weights is None else probabilities(given_weights, name="weights")
        if len(weights) != n:
            raise ValueError(f"weights: {len(weights)} entries for {n} atoms; give one weight an atom")
        object.__setattr__(self, "atoms", atoms)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "_rational", _rational_moments(given_atoms, given_weights))
        object.__setattr__(self, "sigma", freeze(self._weighted_gram(weights)))
        _ = self.eigensystem  # refuses atoms that do not span the space at once

    def _weighted_gram(self, weights: Array) -> Array:
        """sum_k weights_k a_k a_k^T in chunks of rows, so that temporaries stay small."""
        d = self.atoms.shape[1]
        total = np.zeros((d, d))
        for rows in self._chunks():
            block = self.atoms[rows]
            total += block.T @ (block * weights[rows, None])
        return (total + total.T) / 2

    def _chunks(self) -> list[slice]:
        n, d = self.atoms.shape
        step = max(1, _CHUNK_ENTRIES // d, d)
        return [slice(start, min(start + step, n)) for start in range(0, n, step)]

    @cached_property
    def eigensystem(self) -> spectral.Eigensystem:
        if spectral.is_diagonal(self.sigma):
            return spectral.of_diagonal(np.diagonal(self.sigma), name="Sigma")
        return spectral.of_factor(self.atoms * np.sqrt(self.weights)[:, None], name="Sigma = sum_k w_k a_k a_k^T")

    def fourth_moment(self, x: ArrayLike) -> Array:
        x = square_argument(x, dim=self.dim, name="X")
        return self._weighted_gram(self.weights * self._quadratic_forms(x))

    @cached_property
    def _centred(self) -> CentredAtoms:
        return CentredAtoms.of(self.atoms, self.weights)

    def excess(self, x: ArrayLike) -> Array:
        """N(X) for a symmetric X through centred products: no subtraction of nearly equal matrices."""
        x = square_argument(x, dim=self.dim, name="X")
        if self.dim > _MOST_PACKED:
            return self._centred.excess(x)
        upper, value = np.triu_indices(self.dim), np.zeros_like(x)
        value[upper] = self._packed_excess @ x[upper]
        return np.asarray(value + np.triu(value, 1).T)

    @cached_property
    def _packed_excess(self) -> Array:
        return freeze(packed_excess(self.atoms, self.weights))

    def excess_matrix(self) -> Array:
        return self._packed_excess

    def _quadratic_forms(self, x: Array) -> Array:
        forms = [np.sum((self.atoms[rows] @ x) * self.atoms[rows], axis=1) for rows in self._chunks()]
        return np.concatenate(forms)

    @cached_property
    def _whitened(self) -> Array:
        """Rows Sigma^{-1/2} a_k in the eigenbasis."""
        return np.asarray((self.atoms @ self.eigenvectors) / np.sqrt(self.eigenvalues))

    @cached_property
    def leverages(self) -> Array:
        """|a_k|^2_{Sigma^-1} of every atom."""
        return freeze(np.asarray(np.sum(self._whitened**2, axis=1)))

    def _largest_whitened_eigenvalue(self, factors: Array) -> float:
        w = self._whitened
        return float(np.linalg.eigvalsh(w.T @ (w * (self.weights * factors)[:, None]))[-1])

    @cached_property
    def _tight(self) -> tuple[float, float]:
        norms = np.sum(self.atoms**2, axis=1)
        return self._largest_whitened_eigenvalue(norms), self._largest_whitened_eigenvalue(self.leverages)

    @property
    def r2(self) -> float:
        return self._tight[0]

    @property
    def kappa_tilde(self) -> float:
        return self._tight[1]

    @property
    def r2_quoted(self) -> float:
        return float(np.max(np.sum(self.atoms**2, axis=1)))

    @property
    def kappa_tilde_quoted(self) -> float:
        return float(np.max(self.leverages))

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        return np.asarray(self.atoms[self.sample_indices(n, rng)], dtype=np.float64)

    def sample_indices(self, n: int, rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Indices of n independent draws of atoms."""
        return generator(rng).choice(len(self.atoms), size=sample_size(n), p=self.weights)

    def rotated(self, q: ArrayLike) -> Self:
        return type(self)(self.atoms @ orthogonal(q, dim=self.dim, name="Q").T, self.weights)

    def finite_support(self) -> FiniteSupport:
        return self

    def exact(self) -> ExactMoments:
        """Moments in rational arithmetic; needs atoms and weights given as Fractions or integers."""
        if self._rational is None:
            raise ValueError(
                "exact(): atoms or weights were given as floats; give every one as a fractions.Fraction or an integer"
            )
        return self._rational

    def _parameters(self) -> dict[str, str]:
        return {"atoms": str(len(self.atoms)), "exact": "yes" if self._rational else "no"}


def _rational_moments(atoms: Any, weights: Any) -> ExactMoments | None:
    a = rational_matrix(atoms)
    if a is None:
        return None
    w = rational_vector([1] * a.nrows(), scale=a.nrows()) if weights is None else rational_vector(weights)
    return None if w is None else ExactMoments(a, w)
