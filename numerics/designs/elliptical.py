r"""Elliptical designs a = s Sigma^{1/2} g with a random scale s independent of direction.

With k = E s^4 for E s^2 = 1 and Gaussian g,
    M(X) = k (Sigma X Sigma + Sigma X^T Sigma + tr(Sigma X) Sigma),
so R^2 = k (2 lambda_max + tr Sigma) and kappa~ = k (d + 2), both attained. The paper quotes 3 tr Sigma and 3 d for
the Gaussian (k = 1), and 16 s^4 tr Sigma and 16 s^4 d when Sigma^{-1/2} a is s^2-sub-Gaussian.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from . import spectral
from .base import Design
from .checks import (
    Array,
    freeze,
    frozen_array,
    generator,
    orthogonal,
    sample_size,
    square_argument,
    symmetric,
)


@dataclass(frozen=True, eq=False, repr=False)
class EllipticalDesign(Design):
    sigma: Array
    kurtosis: float = field(init=False)  # k = E s^4 / (E s^2)^2

    def __post_init__(self) -> None:
        sigma = symmetric(frozen_array(self.sigma, name="sigma", ndim=2), name="sigma")
        object.__setattr__(self, "sigma", sigma)
        _ = self.eigensystem  # refuses a singular or indefinite matrix at once

    @classmethod
    def from_spectrum(cls, eigenvalues: Any, eigenvectors: Any = None, **parameters: Any) -> Self:
        """From eigenvalues (and orthonormal columns): keeps every digit of the eigenvalues at any condition number."""
        values = frozen_array(eigenvalues, name="eigenvalues", ndim=1)
        exact = spectral.of_diagonal(values, name="eigenvalues")
        if eigenvectors is None:
            return cls(np.diag(values), **parameters)
        v = orthogonal(eigenvectors, dim=len(values), name="eigenvectors") @ exact.vectors
        return cls._with_eigensystem(spectral.Eigensystem(exact.values, freeze(v), 0.0), **parameters)

    @classmethod
    def _with_eigensystem(cls, system: spectral.Eigensystem, **parameters: Any) -> Self:
        sigma = (system.vectors * system.values) @ system.vectors.T
        design = cls.__new__(cls)
        design.__dict__["eigensystem"] = system  # cached_property keeps it: not recomputed from the rounded matrix
        design.__init__((sigma + sigma.T) / 2, **parameters)  # type: ignore[misc]
        return design

    @property
    @abstractmethod
    def subgaussian(self) -> float | None:
        """A proxy s^2 for which Sigma^{-1/2} a is s^2-sub-Gaussian, None when there is none."""

    @abstractmethod
    def _directions(self, n: int, rng: np.random.Generator) -> Array:
        """n rows with second moment I: the sample before Sigma^{1/2}."""

    def _shape_parameters(self) -> dict[str, Any]:
        return {}

    def fourth_moment(self, x: ArrayLike) -> Array:
        x = square_argument(x, dim=self.dim, name="X")
        if self.is_diagonal:
            lam = np.diagonal(self.sigma)
            moment = np.outer(lam, lam) * (x + x.T) + np.diag((lam @ np.diagonal(x)) * lam)
        else:
            inner = self.sigma @ (x + x.T) @ self.sigma
            moment = inner + np.sum(self.sigma * x) * self.sigma
        return np.asarray(self.kurtosis * moment, dtype=np.float64)

    def excess(self, x: ArrayLike) -> Array:
        """N(X) = (2k - 1) Sigma X Sigma + k tr(Sigma X) Sigma for a symmetric X; 3k - 1 in one dimension."""
        x, k = square_argument(x, dim=self.dim, name="X"), self.kurtosis
        inner = self.sigma @ x @ self.sigma
        if self.dim == 1:
            return np.asarray((3 * k - 1) * inner)
        value = (2 * k - 1) * inner + k * float(np.sum(self.sigma * x)) * self.sigma
        return np.asarray((value + value.T) / 2)

    @property
    def r2(self) -> float:
        return self.kurtosis * float(2 * self.eigenvalues[-1] + np.sum(self.eigenvalues))

    @property
    def kappa_tilde(self) -> float:
        return self.kurtosis * (self.dim + 2)

    @property
    def r2_quoted(self) -> float | None:
        return None if self.subgaussian is None else 16 * self.subgaussian**2 * float(np.sum(self.eigenvalues))

    @property
    def kappa_tilde_quoted(self) -> float | None:
        return None if self.subgaussian is None else 16 * self.subgaussian**2 * self.dim

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        white = self._directions(sample_size(n), generator(rng))
        if self.is_diagonal:
            return white * np.sqrt(np.diagonal(self.sigma))
        return np.asarray((white * np.sqrt(self.eigenvalues)) @ self.eigenvectors.T, dtype=np.float64)

    def rotated(self, q: ArrayLike) -> Self:
        v = orthogonal(q, dim=self.dim, name="Q") @ self.eigenvectors
        system = spectral.Eigensystem(self.eigenvalues, freeze(v), self.eigensystem.relative_error)
        return self._with_eigensystem(system, **self._shape_parameters())

    def in_eigenbasis(self) -> Self:
        return type(self)(np.diag(self.eigenvalues), **self._shape_parameters())


@dataclass(frozen=True, eq=False, repr=False)
class Gaussian(EllipticalDesign):
    """a ~ N(0, Sigma)."""

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, sigma: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "kurtosis", 1.0)

    @property
    def subgaussian(self) -> float:
        return 1.0

    @property
    def r2_quoted(self) -> float:
        return 3 * float(np.sum(self.eigenvalues))

    @property
    def kappa_tilde_quoted(self) -> float:
        return 3.0 * self.dim

    def _directions(self, n: int, rng: np.random.Generator) -> Array:
        return rng.standard_normal((n, self.dim))
