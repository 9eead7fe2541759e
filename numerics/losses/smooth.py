r"""Smooth losses: squared, regularised logistic, softplus plus quadratic, smoothed quantile, pseudo-Huber.

squared             s (z - b)^2 / 2                                     l'' = s
logistic            log(1 + e^{-bz}) + mu z^2 / 2,  b in {-1, +1}       mu < l'' <= mu + 1/4
softplus/quadratic  mu r^2 / 2 + w tau log(1 + e^{r/tau}),  r = z - b   mu < l'' <= mu + w / (4 tau)
smoothed quantile   mu r^2 / 2 - q r + tau log(1 + e^{r/tau})           mu < l'' <= mu + 1 / (4 tau)
pseudo-Huber        mu r^2 / 2 + w delta^2 (sqrt(1 + r^2/delta^2) - 1)  mu < l'' <= mu + w
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from numerics.designs.checks import Array, positive

from . import kernels
from .base import Loss, broadcast

EVERYWHERE = "every z and every finite b"


@dataclass(frozen=True, repr=False)
class Squared(Loss):
    """scale (z - b)^2 / 2."""

    name: ClassVar[str] = "squared"
    code: ClassVar[int] = kernels.SQUARED
    residual: ClassVar[bool] = True
    even: ClassVar[bool] = True
    scale: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive(self.scale, name="squared: scale"))
        self._set_constants(L=self.scale, mu=self.scale)

    @property
    def domain(self) -> str:
        return EVERYWHERE

    @property
    def params(self) -> tuple[float, float, float]:
        return self.scale, 0.0, 0.0

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.asarray(0.5 * self.scale * (z - b) ** 2)

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.asarray(self.scale * (z - b))

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.full(z.shape, self.scale)


@dataclass(frozen=True, repr=False)
class Logistic(Loss):
    """log(1 + exp(-b z)) + mu z^2 / 2 for labels b = -1 or +1."""

    name: ClassVar[str] = "regularised logistic"
    code: ClassVar[int] = kernels.LOGISTIC
    mu: float = field()

    def __post_init__(self) -> None:
        mu = positive(self.mu, name="regularised logistic: mu")
        self._set_constants(L=mu + 0.25, mu=mu)

    @property
    def domain(self) -> str:
        return "every z and b in {-1, +1}"

    @property
    def params(self) -> tuple[float, float, float]:
        return self.mu, 0.0, 0.0

    def _allowed(self, labels: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return np.asarray(np.abs(labels) == 1)

    def remedy(self) -> str:
        return "labels must be -1 or +1: map labels 0 and 1 by 2 b - 1"

    @property
    def width_in_prediction(self) -> float:
        return math.pi

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.asarray(np.logaddexp(0.0, -b * z) + 0.5 * self.mu * z**2)

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.asarray(self.mu * z - b * expit(-b * z))

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.asarray(self.mu + b**2 * expit(b * z) * expit(-b * z))


@dataclass(frozen=True, repr=False)
class SoftplusQuadratic(Loss):
    """mu r^2 / 2 + weight tau log(1 + exp(r / tau)) with r = z - b: overshooting costs more."""

    name: ClassVar[str] = "softplus/quadratic mixture"
    code: ClassVar[int] = kernels.SOFTPLUS_QUADRATIC
    residual: ClassVar[bool] = True
    mu: float = field()
    weight: float = 1.0
    tau: float = 1.0

    def __post_init__(self) -> None:
        mu, weight, tau = (positive(getattr(self, p), name=f"{self.name}: {p}") for p in ("mu", "weight", "tau"))
        object.__setattr__(self, "weight", weight)
        object.__setattr__(self, "tau", tau)
        self._set_constants(L=mu + weight / (4 * tau), mu=mu)

    @property
    def domain(self) -> str:
        return EVERYWHERE

    @property
    def params(self) -> tuple[float, float, float]:
        return self.mu, self.weight, self.tau

    @property
    def width_in_residual(self) -> float:
        return math.pi * self.tau

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        return np.asarray(0.5 * self.mu * r**2 + self.weight * self.tau * np.logaddexp(0.0, r / self.tau))

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        return np.asarray(self.mu * r + self.weight * expit(r / self.tau))

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        t = (z - b) / self.tau
        return np.asarray(self.mu + self.weight / self.tau * expit(t) * expit(-t))


@dataclass(frozen=True, repr=False)
class SmoothQuantile(Loss):
    """mu r^2 / 2 - q r + tau log(1 + exp(r / tau)) with r = z - b: tends to the pinball loss of quantile q."""

    name: ClassVar[str] = "smoothed quantile"
    code: ClassVar[int] = kernels.SMOOTH_QUANTILE
    residual: ClassVar[bool] = True
    mu: float = field()
    q: float = 0.5
    tau: float = 0.25

    def __post_init__(self) -> None:
        mu, q, tau = (positive(getattr(self, p), name=f"{self.name}: {p}") for p in ("mu", "q", "tau"))
        if q >= 1:
            raise ValueError(f"{self.name}: q = {q} is no quantile; choose it between 0 and 1")
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "tau", tau)
        self._set_constants(L=mu + 1 / (4 * tau), mu=mu)

    @property
    def domain(self) -> str:
        return EVERYWHERE

    @property
    def params(self) -> tuple[float, float, float]:
        return self.mu, self.q, self.tau

    @property
    def width_in_residual(self) -> float:
        return math.pi * self.tau

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        return np.asarray(0.5 * self.mu * r**2 - self.q * r + self.tau * np.logaddexp(0.0, r / self.tau))

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        return np.asarray(self.mu * r - self.q + expit(r / self.tau))

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        t = (z - b) / self.tau
        return np.asarray(self.mu + expit(t) * expit(-t) / self.tau)


@dataclass(frozen=True, repr=False)
class PseudoHuber(Loss):
    """mu r^2 / 2 + weight delta^2 (sqrt(1 + (r/delta)^2) - 1) with r = z - b."""

    name: ClassVar[str] = "pseudo-Huber plus quadratic"
    code: ClassVar[int] = kernels.PSEUDO_HUBER
    residual: ClassVar[bool] = True
    even: ClassVar[bool] = True
    mu: float = field()
    weight: float = 1.0
    delta: float = 1.0

    def __post_init__(self) -> None:
        mu, weight, delta = (positive(getattr(self, p), name=f"{self.name}: {p}") for p in ("mu", "weight", "delta"))
        object.__setattr__(self, "weight", weight)
        object.__setattr__(self, "delta", delta)
        self._set_constants(L=mu + weight, mu=mu)

    @property
    def domain(self) -> str:
        return EVERYWHERE

    @property
    def params(self) -> tuple[float, float, float]:
        return self.mu, self.weight, self.delta

    @property
    def width_in_residual(self) -> float:
        return self.delta

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r2 = (z - b) ** 2
        return np.asarray(0.5 * self.mu * r2 + self.weight * r2 / (1 + np.sqrt(1 + r2 / self.delta**2)))

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        return np.asarray(self.mu * r + self.weight * r / np.sqrt(1 + (r / self.delta) ** 2))

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.asarray(self.mu + self.weight * (1 + ((z - b) / self.delta) ** 2) ** -1.5)
