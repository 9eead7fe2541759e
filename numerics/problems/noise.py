"""Label noise with mean zero: Gaussian, or discrete with finitely many values (none at all is one value, 0)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from numerics.designs.checks import Array, frozen_array, positive, probabilities
from numerics.designs.exact import rational_vector

from . import quadrature


@dataclass(frozen=True, eq=False)
class Noise(ABC):
    """A law with mean zero."""

    @property
    @abstractmethod
    def variance(self) -> float: ...

    @property
    @abstractmethod
    def symmetric(self) -> bool: ...

    @property
    def spread(self) -> float:
        """The standard deviation when continuous, 0 when discrete."""
        return 0.0 if self.discrete else float(np.sqrt(self.variance))

    @property
    def discrete(self) -> bool:
        return bool(self.atoms)

    @property
    def atoms(self) -> tuple[float, ...]:
        """Its values when discrete, else empty."""
        return ()

    @abstractmethod
    def nodes(self, kinks: Array, level: int) -> tuple[Array, Array]:
        """Nodes e and weights, (N, m), for N integrals with kinks (N, K) in e."""

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> Array: ...


@dataclass(frozen=True, eq=False)
class GaussianNoise(Noise):
    """N(0, sigma^2)."""

    sigma: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", positive(self.sigma, name="noise sigma"))

    @property
    def variance(self) -> float:
        return self.sigma**2

    @property
    def symmetric(self) -> bool:
        return True

    def nodes(self, kinks: Array, level: int) -> tuple[Array, Array]:
        if kinks.shape[1]:
            x, w = quadrature.split_axis(kinks / self.sigma, level)
        else:
            smooth, weights = quadrature.smooth_axis(level)
            x, w = (
                np.broadcast_to(smooth, (len(kinks), len(smooth))),
                np.broadcast_to(weights, (len(kinks), len(smooth))),
            )
        return self.sigma * x, w

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        return self.sigma * rng.standard_normal(n)


@dataclass(frozen=True, eq=False)
class DiscreteNoise(Noise):
    """Finitely many values with weights and mean zero; Fractions are kept exactly."""

    values: Array = (0,)  # type: ignore[assignment]  # converted below
    weights: Array = (1,)  # type: ignore[assignment]
    rational: tuple[tuple[Any, Any], ...] | None = field(init=False, repr=False)

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, values: Any = (0,), weights: Any = (1,)) -> None: ...

    def __post_init__(self) -> None:
        given_values, given_weights = list(self.values), list(self.weights)
        values = frozen_array(given_values, name="noise values", ndim=1)
        weights = probabilities(given_weights, name="noise weights")
        if values.shape != weights.shape:
            raise ValueError(f"noise: {len(values)} values and {len(weights)} weights; give one weight a value")
        mean = float(weights @ values)
        if abs(mean) > 1e-12 * max(1.0, float(np.max(np.abs(values)))):
            raise ValueError(f"noise: has mean {mean:g}, must have mean 0; subtract the mean from its values")
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "weights", weights)
        exact_values, exact_weights = rational_vector(given_values), rational_vector(given_weights)
        rational = exact_values is not None and exact_weights is not None
        exact = tuple(zip(exact_values or (), exact_weights or (), strict=True)) if rational else None
        object.__setattr__(self, "rational", exact)

    @property
    def atoms(self) -> tuple[float, ...]:
        return tuple(float(v) for v in self.values)

    @property
    def variance(self) -> float:
        return float(self.weights @ self.values**2)

    @property
    def symmetric(self) -> bool:
        law = sorted(zip(self.values, self.weights, strict=True))
        mirrored = sorted(zip(-self.values, self.weights, strict=True))
        return law == mirrored

    def nodes(self, kinks: Array, level: int) -> tuple[Array, Array]:
        shape = (len(kinks), len(self.values))
        return np.broadcast_to(self.values, shape), np.broadcast_to(self.weights, shape)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        return self.values[rng.choice(len(self.values), size=n, p=self.weights)]


def rademacher_noise(size: float = 1.0) -> DiscreteNoise:
    """+-size with equal probability."""
    size = positive(size, name="noise size")
    return DiscreteNoise(np.array([-size, size]), np.array([0.5, 0.5]))
