"""Elliptical designs beyond the Gaussian: Student t, finite scale mixtures, and any given kurtosis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, finite, freeze, frozen_array, probabilities
from .elliptical import EllipticalDesign


@dataclass(frozen=True, eq=False, repr=False)
class StudentT(EllipticalDesign):
    """Multivariate Student t with nu > 4 degrees of freedom, scaled so that E a a^T = Sigma; k = (nu - 2)/(nu - 4)."""

    nu: float

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, sigma: ArrayLike, nu: float) -> None: ...

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
class ScaleMixture(EllipticalDesign):
    """a = s Sigma^{1/2} g with s drawn from finitely many positive scales, rescaled so that E s^2 = 1."""

    scales: Array
    weights: Array

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, sigma: ArrayLike, scales: ArrayLike, weights: ArrayLike) -> None: ...

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
class Elliptical(EllipticalDesign):
    """Elliptical with a given kurtosis k >= d/(d + 2): the moments of every elliptical law with that k.

    Sampled as a two-point scale mixture: of Gaussians when k >= 1, of the uniform law on the sphere when k < 1.
    """

    kurtosis: float = field()

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, sigma: ArrayLike, kurtosis: float) -> None: ...

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
