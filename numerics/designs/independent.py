r"""Independent coordinates a = A xi with E xi_i = 0, E xi_i^2 = 1, E xi_i^4 = k_i. With Y = A^T X A,

    M(X) = A (Y + Y^T + tr(Y) I + diag((k_i - 3) Y_ii)) A^T.

The paper quotes 16 s^4 tr Sigma and 16 s^4 d when Sigma^{-1/2} a is s^2-sub-Gaussian; s^2 is the largest variance proxy
of the coordinates, and nothing is quoted when one of them has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import spectral
from .base import Design
from .checks import Array, freeze, frozen_array, generator, orthogonal, sample_size, square_argument, symmetric
from .coordinates import Coordinate
from .finite import FiniteSupport

MOST_ATOMS = 4096


@dataclass(frozen=True, eq=False, repr=False, init=False)
class IndependentCoordinates(Design):
    """mixing is A of shape (d, m) with m >= d; coordinates is one law for all, or one for each column of A."""

    mixing: Array
    coordinates: tuple[Coordinate, ...]

    def __init__(self, mixing: Any, coordinates: Coordinate | Sequence[Coordinate]) -> None:
        a = frozen_array(mixing, name="mixing", ndim=2)
        m = a.shape[1]
        laws = (coordinates,) * m if isinstance(coordinates, Coordinate) else tuple(coordinates)
        if len(laws) != m:
            raise ValueError(f"coordinates: {len(laws)} laws for {m} columns of mixing; give one law or {m} laws")
        object.__setattr__(self, "mixing", a)
        object.__setattr__(self, "coordinates", laws)
        gram = a @ a.T
        object.__setattr__(self, "sigma", freeze((gram + gram.T) / 2))
        _ = self.eigensystem  # refuses a rank-deficient mixing matrix at once

    @classmethod
    def from_sigma(cls, sigma: Any, coordinates: Coordinate | Sequence[Coordinate]) -> IndependentCoordinates:
        """a = V Lambda^{1/2} xi for Sigma = V Lambda V^T: coordinates are independent along the eigenvectors."""
        matrix = symmetric(frozen_array(sigma, name="sigma", ndim=2), name="sigma")
        if spectral.is_diagonal(matrix):
            spectral.of_diagonal(np.diagonal(matrix), name="sigma")
            return cls(np.sqrt(matrix), coordinates)
        system = spectral.of_matrix(matrix, name="sigma")
        return cls(system.vectors * np.sqrt(system.values), coordinates)

    @cached_property
    def eigensystem(self) -> spectral.Eigensystem:
        if spectral.is_diagonal(self.sigma):
            return spectral.of_diagonal(np.diagonal(self.sigma), name="Sigma = A A^T")
        return spectral.of_factor(np.ascontiguousarray(self.mixing.T), name="Sigma = A A^T")

    @cached_property
    def _kurtoses(self) -> Array:
        return np.array([law.kurtosis for law in self.coordinates])

    def _inner(self, y: Array) -> Array:
        """E[xi xi^T Y xi xi^T]."""
        diagonal = np.trace(y) + (self._kurtoses - 3) * np.diagonal(y)
        return np.asarray(y + y.T + np.diag(diagonal))

    def fourth_moment(self, x: ArrayLike) -> Array:
        x = square_argument(x, dim=self.dim, name="X")
        a = self.mixing
        return np.asarray(a @ self._inner(a.T @ x @ a) @ a.T)

    def excess(self, x: ArrayLike) -> Array:
        """N(X) for a symmetric X as a sum without subtraction: on the diagonal, (k_i - 1) Y_ii and all other Y_jj."""
        x = square_argument(x, dim=self.dim, name="X")
        y = self.mixing.T @ x @ self.mixing
        own = np.diagonal(y)
        others = (1 - np.eye(len(own))) @ own
        inner = y - np.diag(own) + np.diag(others + (self._kurtoses - 1) * own)
        value = self.mixing @ inner @ self.mixing.T
        return np.asarray((value + value.T) / 2)

    @cached_property
    def _tight(self) -> tuple[float, float]:
        white = (self.eigenvectors.T @ self.mixing) / np.sqrt(self.eigenvalues)[:, None]
        plain = white @ self._inner(self.mixing.T @ self.mixing) @ white.T
        statistical = white @ self._inner(white.T @ white) @ white.T
        return float(np.linalg.eigvalsh(plain)[-1]), float(np.linalg.eigvalsh(statistical)[-1])

    @property
    def r2(self) -> float:
        return self._tight[0]

    @property
    def kappa_tilde(self) -> float:
        return self._tight[1]

    @property
    def subgaussian(self) -> float | None:
        """A proxy s^2 for which Sigma^{-1/2} a is s^2-sub-Gaussian, None when a coordinate has none."""
        proxies = [law.proxy for law in self.coordinates]
        return None if None in proxies else max(p for p in proxies if p is not None)

    @property
    def r2_quoted(self) -> float | None:
        return None if self.subgaussian is None else 16 * self.subgaussian**2 * float(np.sum(self.eigenvalues))

    @property
    def kappa_tilde_quoted(self) -> float | None:
        return None if self.subgaussian is None else 16 * self.subgaussian**2 * self.dim

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        n, rng = sample_size(n), generator(rng)
        m = len(self.coordinates)
        if len(set(self.coordinates)) == 1:
            xi = self.coordinates[0].sample((n, m), rng)
        else:
            xi = np.empty((n, m))
            for j, law in enumerate(self.coordinates):
                xi[:, j] = law.sample((n,), rng)
        return np.asarray(xi @ self.mixing.T)

    def rotated(self, q: ArrayLike) -> IndependentCoordinates:
        return IndependentCoordinates(orthogonal(q, dim=self.dim, name="Q") @ self.mixing, self.coordinates)

    def finite_support(self) -> FiniteSupport | None:
        """All combinations of values, when every coordinate is discrete and there are at most 4096 of them."""
        counts = [len(law.values) for law in self.coordinates]
        if 0 in counts or np.prod([float(c) for c in counts]) > MOST_ATOMS:
            return None
        xi = np.array(list(product(*(law.values for law in self.coordinates))))
        weights = np.array([np.prod(w) for w in product(*(law.weights for law in self.coordinates))])
        return FiniteSupport(xi @ self.mixing.T, weights)

    def _parameters(self) -> dict[str, str]:
        names = list(dict.fromkeys(law.name for law in self.coordinates))
        return {"coordinates": ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")}
