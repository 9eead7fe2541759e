r"""Elliptical designs a = s Sigma^{1/2} g with a random scale s independent of direction.

With k = E s^4 for E s^2 = 1 and Gaussian g,
    M(X) = k (Sigma X Sigma + Sigma X^T Sigma + tr(Sigma X) Sigma),
so R^2 = k (2 lambda_max + tr Sigma) and kappa~ = k (d + 2), both attained. The paper quotes 3 tr Sigma and 3 d for
the Gaussian (k = 1), and 16 s^4 tr Sigma and 16 s^4 d when Sigma^{-1/2} a is s^2-sub-Gaussian.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from . import spectral
from .base import Design
from .checks import (
    Array,
    finite,
    freeze,
    frozen_array,
    generator,
    orthogonal,
    probabilities,
    sample_size,
    square_argument,
    symmetric,
)


@dataclass(frozen=True, eq=False, repr=False)
class _EllipticalDesign(Design):
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

    def fourth_moment(self, x: Array) -> Array:
        x = square_argument(x, dim=self.dim, name="X")
        if self.is_diagonal:
            lam = np.diagonal(self.sigma)
            moment = np.outer(lam, lam) * (x + x.T) + np.diag((lam @ np.diagonal(x)) * lam)
        else:
            inner = self.sigma @ (x + x.T) @ self.sigma
            moment = inner + np.sum(self.sigma * x) * self.sigma
        return np.asarray(self.kurtosis * moment, dtype=np.float64)

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

    def rotated(self, q: Array) -> Self:
        v = orthogonal(q, dim=self.dim, name="Q") @ self.eigenvectors
        system = spectral.Eigensystem(self.eigenvalues, freeze(v), self.eigensystem.relative_error)
        return self._with_eigensystem(system, **self._shape_parameters())

    def in_eigenbasis(self) -> Self:
        return type(self)(np.diag(self.eigenvalues), **self._shape_parameters())


@dataclass(frozen=True, eq=False, repr=False)
class Gaussian(_EllipticalDesign):
    """a ~ N(0, Sigma)."""

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


@dataclass(frozen=True, eq=False, repr=False)
class StudentT(_EllipticalDesign):
    """Multivariate Student t with nu > 4 degrees of freedom, scaled so that E a a^T = Sigma; k = (nu - 2)/(nu - 4)."""

    nu: float

    def __post_init__(self) -> None:
        nu = finite(self.nu, name="nu")
        if nu <= 4:
            raise ValueError(f"nu = {nu}: fourth moments are infinite unless nu > 4; raise nu")
        object.__setattr__(self, "nu", nu)
        object.__setattr__(self, "kurtosis", (nu - 2) / (nu - 4))
        super().__post_init__()

    @property
    def subgaussian(self) -> None:
        return None

    def _directions(self, n: int, rng: np.random.Generator) -> Array:
        scale = np.sqrt((self.nu - 2) / rng.chisquare(self.nu, size=n))
        return np.asarray(rng.standard_normal((n, self.dim)) * scale[:, None])

    def _shape_parameters(self) -> dict[str, Any]:
        return {"nu": self.nu}

    def _parameters(self) -> dict[str, str]:
        return {"nu": f"{self.nu:g}"}


@dataclass(frozen=True, eq=False, repr=False)
class ScaleMixture(_EllipticalDesign):
    """a = s Sigma^{1/2} g with s drawn from finitely many positive scales, rescaled so that E s^2 = 1."""

    scales: Array
    weights: Array

    def __post_init__(self) -> None:
        scales = frozen_array(self.scales, name="scales", ndim=1)
        weights = probabilities(self.weights, name="weights")
        if scales.shape != weights.shape:
            raise ValueError(
                f"scales and weights have {len(scales)} and {len(weights)} entries; give one weight a scale"
            )
        if np.any(scales <= 0):
            raise ValueError(f"scales: smallest is {scales.min()}, must be positive; remove it")
        scales = freeze(scales / np.sqrt(weights @ scales**2))
        object.__setattr__(self, "scales", scales)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "kurtosis", float(weights @ scales**4))
        super().__post_init__()

    @property
    def subgaussian(self) -> float:
        return float(np.max(self.scales) ** 2)

    def _directions(self, n: int, rng: np.random.Generator) -> Array:
        scale = self.scales[rng.choice(len(self.scales), size=n, p=self.weights)]
        return np.asarray(rng.standard_normal((n, self.dim)) * scale[:, None])

    def _shape_parameters(self) -> dict[str, Any]:
        return {"scales": self.scales, "weights": self.weights}

    def _parameters(self) -> dict[str, str]:
        return {"scales": str(len(self.scales)), "kurtosis": f"{self.kurtosis:.4g}"}


@dataclass(frozen=True, eq=False, repr=False)
class Elliptical(_EllipticalDesign):
    """Elliptical with a given kurtosis k >= d/(d + 2): the moments of every elliptical law with that k.

    Sampled as a two-point scale mixture: of Gaussians when k >= 1, of the uniform law on the sphere when k < 1.
    """

    kurtosis: float = field()

    def __post_init__(self) -> None:
        super().__post_init__()
        k, least = finite(self.kurtosis, name="kurtosis"), self.dim / (self.dim + 2)
        if k < least * (1 - 1e-15):
            raise ValueError(f"kurtosis = {k} is below d/(d+2) = {least:.6g}, no elliptical law has it; raise it")
        object.__setattr__(self, "kurtosis", k)

    @property
    def _squared_scales(self) -> tuple[Array, Array]:
        on_sphere = self.kurtosis * (self.dim + 2) / self.dim
        return two_point_squares(self.kurtosis if self.kurtosis >= 1 else max(on_sphere, 1.0))

    @property
    def subgaussian(self) -> float:
        return float(np.max(self._squared_scales[0]))

    def _directions(self, n: int, rng: np.random.Generator) -> Array:
        squares, weights = self._squared_scales
        scale = np.sqrt(squares[rng.choice(2, size=n, p=weights)])
        g = rng.standard_normal((n, self.dim))
        if self.kurtosis < 1:
            g *= np.sqrt(self.dim) / np.linalg.norm(g, axis=1, keepdims=True)
        return np.asarray(g * scale[:, None])

    def _shape_parameters(self) -> dict[str, Any]:
        return {"kurtosis": self.kurtosis}

    def _parameters(self) -> dict[str, str]:
        return {"kurtosis": f"{self.kurtosis:.4g}"}


def two_point_squares(second_moment: float) -> tuple[Array, Array]:
    """Two positive values and weights of a law for t^2 with E t^2 = 1 and E t^4 = `second_moment` >= 1."""
    v = second_moment - 1
    p = 1 / (2 * (1 + v))
    squares = 1 + np.sqrt(v) * np.array([np.sqrt((1 - p) / p), -np.sqrt(p / (1 - p))])
    return squares, np.array([p, 1 - p])
