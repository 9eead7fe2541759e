r"""Piecewise losses: the two-curvature loss of the paper's minimax section, corrected and as printed, and Poisson.

Printed (r = z - b):    l_delta(r) = L r^2/2 for |r| <= delta, else  mu r^2/2 + (L - mu) delta r - (L - mu) delta^2/2.
The last formula is right for r > delta only. For r < -delta it must have (L - mu) delta |r|: as printed l_delta
falls by 2 (L - mu) delta^2 and its slope rises by 2 (L - mu) delta as r leaves [-delta, delta] to the left, so that
the printed function is neither continuous nor convex.

Poisson: e^z - b z on |z| <= B, continued outside by its second-order Taylor polynomial at the nearer end, so that
e^-B <= l'' <= e^B everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs.checks import Array, positive

from . import kernels
from .base import Loss, broadcast


@dataclass(frozen=True, repr=False)
class TwoCurvature(Loss):
    """l_delta, corrected: curvature L for |z - b| <= delta and mu outside, with a continuous derivative."""

    name: ClassVar[str] = "two-curvature l_delta"
    code: ClassVar[int] = kernels.TWO_CURVATURE
    residual: ClassVar[bool] = True
    even: ClassVar[bool] = True
    L: float = field()
    mu: float = field()
    delta: float = 1.0

    def __post_init__(self) -> None:
        L, mu, delta = (positive(getattr(self, p), name=f"{self.name}: {p}") for p in ("L", "mu", "delta"))
        if mu > L:
            raise ValueError(f"{self.name}: mu = {mu} exceeds L = {L}; the loss needs mu <= L")
        object.__setattr__(self, "delta", delta)
        self._set_constants(L=L, mu=mu)

    @property
    def domain(self) -> str:
        return "every z and every finite b (l'' is taken one-sidedly at |z - b| = delta)"

    @property
    def params(self) -> tuple[float, float, float]:
        return self.L, self.mu, self.delta

    @property
    def kinks_in_residual(self) -> tuple[float, ...]:
        return (-self.delta, self.delta)

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = np.abs(z - b)
        outside = 0.5 * self.mu * r**2 + (self.L - self.mu) * self.delta * (r - 0.5 * self.delta)
        return np.where(r <= self.delta, 0.5 * self.L * r**2, outside)

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        return np.asarray(self.mu * r + (self.L - self.mu) * np.clip(r, -self.delta, self.delta))

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.where(np.abs(z - b) <= self.delta, self.L, self.mu)


def huber(delta: float = 1.35, mu: float = 1e-3) -> TwoCurvature:
    """The Huber loss r^2/2 for |r| <= delta, delta (|r| - delta/2) outside, plus mu (|r| - delta)^2/2 outside."""
    return TwoCurvature(1.0, mu, delta)


@dataclass(frozen=True, repr=False)
class TwoCurvatureAsPrinted(TwoCurvature):
    """l_delta exactly as printed: it jumps at z - b = -delta and is not convex there (see the module)."""

    name: ClassVar[str] = "two-curvature l_delta as printed"
    code: ClassVar[int] = kernels.TWO_CURVATURE_AS_PRINTED
    even: ClassVar[bool] = False
    convex: ClassVar[bool] = False

    @property
    def domain(self) -> str:
        return "z - b > -delta, or z - b < -delta; across z - b = -delta the loss jumps and is not convex"

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        outside = 0.5 * self.mu * r**2 + (self.L - self.mu) * self.delta * (r - 0.5 * self.delta)
        return np.where(np.abs(r) <= self.delta, 0.5 * self.L * r**2, outside)

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        r = z - b
        return np.where(np.abs(r) <= self.delta, self.L * r, self.mu * r + (self.L - self.mu) * self.delta)


@dataclass(frozen=True, repr=False)
class Poisson(Loss):
    """exp(z) - b z on |z| <= bound, continued quadratically outside; labels b >= 0."""

    name: ClassVar[str] = "Poisson on a bounded range"
    code: ClassVar[int] = kernels.POISSON
    bound: float = 2.0

    def __post_init__(self) -> None:
        bound = positive(self.bound, name=f"{self.name}: bound")
        if bound > 300:
            raise ValueError(f"{self.name}: bound = {bound} makes alpha = exp(2 bound) overflow; lower it below 300")
        object.__setattr__(self, "bound", bound)
        self._set_constants(L=float(np.exp(bound)), mu=float(np.exp(-bound)))

    @property
    def domain(self) -> str:
        return f"every z and every b >= 0; equals exp(z) - b z for |z| <= {self.bound:g}"

    @property
    def params(self) -> tuple[float, float, float]:
        return self.bound, 0.0, 0.0

    @property
    def kinks_in_prediction(self) -> tuple[float, ...]:
        return (-self.bound, self.bound)

    def _allowed(self, labels: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return labels >= 0

    def remedy(self) -> str:
        return "labels are counts or rates: they must be >= 0"

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        m = np.clip(z, -self.bound, self.bound)
        return np.asarray(np.exp(m) * (1 + (z - m) + 0.5 * (z - m) ** 2) - b * z)

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        m = np.clip(z, -self.bound, self.bound)
        return np.asarray(np.exp(m) * (1 + (z - m)) - b)

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.exp(np.clip(z, -self.bound, self.bound))
