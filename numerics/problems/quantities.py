r"""F, its derivatives, Q and R of a problem as estimates: by integration, or in closed form for linear least squares.

For the squared loss s r^2/2 and b = a.w + e with e independent of a, of mean 0 and variance v, for any design:

    F(x) = s (|x - w|^2_Sigma + v)/2,   E[l'^2 aa^T] = s^2 (M((x-w)(x-w)^T) + v Sigma),   R(y) = h^2 s^2 v Sigma,

the last because y - x_+^* = h s (y - w), so that eps = h s e exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from numerics.designs import Design
from numerics.designs.checks import Array
from numerics.losses import Loss

from .engines import Engine, Weight
from .estimate import ROUNDING, Accuracy, Estimate

COARSE = Accuracy(wanted=1e-6, tolerance=1e-4, evaluations=3_000_000)


@dataclass(frozen=True, eq=False)
class Quantities(ABC):
    """Every expectation that a problem is asked for, each with an error estimate."""

    design: Design
    loss: Loss

    @abstractmethod
    def F(self, x: Array) -> Estimate[float]:
        """F(x) = E l(a.x, b)."""

    @abstractmethod
    def gradient(self, x: Array) -> Estimate[Array]:
        """E l'(a.x, b) a."""

    @abstractmethod
    def hessian(self, x: Array) -> Estimate[Array]:
        """E l''(a.x, b) a a^T."""

    @abstractmethod
    def gradient_second_moment(self, x: Array) -> Estimate[Array]:
        """E l'(a.x, b)^2 a a^T; at x* this is Q."""

    @abstractmethod
    def R(self, y: Array, h: float) -> Estimate[Array]:
        """E eps^2 a a^T with eps = -h l'(a.y, b) + a.(y - x_+^*), x_+^* = y - h Sigma^-1 grad F(y)."""

    @abstractmethod
    def excess(self, x: Array, x_star: Array) -> Estimate[float]:
        """F(x) - F(x*), summed from nonnegative terms: E[l(z) - l(z*) - l'(z*)(z - z*)]."""

    @abstractmethod
    def noise_growth(self, x: Array, x_star: Array, weight: Weight) -> Estimate[float]:
        """E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2, in either norm."""

    @abstractmethod
    def curvature_growth(self, x_star: Array, weight: Weight) -> Estimate[Array]:
        """E l''(a.x*, b)^2 |a|^2 a a^T, in either norm."""

    def coarse(self) -> Quantities:
        """The same quantities at less cost, right to about four digits, for searches."""
        return self


@dataclass(frozen=True, eq=False)
class Integrated(Quantities):
    """By finite sums or quadrature."""

    engine: Engine

    def coarse(self) -> Quantities:
        return replace(self, engine=replace(self.engine, accuracy=COARSE))

    def F(self, x: Array) -> Estimate[float]:
        return _scalar(self.engine.expect(lambda z, b: self.loss.value(z[0], b), [x], Weight.ONE, what="F"))

    def gradient(self, x: Array) -> Estimate[Array]:
        return self.engine.expect(lambda z, b: self.loss.d1(z[0], b), [x], Weight.VECTOR, what="gradient of F")

    def hessian(self, x: Array) -> Estimate[Array]:
        return self.engine.expect(lambda z, b: self.loss.d2(z[0], b), [x], Weight.MATRIX, what="Hessian of F")

    def gradient_second_moment(self, x: Array) -> Estimate[Array]:
        return self.engine.expect(lambda z, b: self.loss.d1(z[0], b) ** 2, [x], Weight.MATRIX, what="E l'^2 a a^T")

    def R(self, y: Array, h: float) -> Estimate[Array]:
        gradient = self.gradient(y)
        step = h * self.design.solve(gradient.value)
        noise = self.engine.expect(
            lambda z, b: (z[1] - h * self.loss.d1(z[0], b)) ** 2, [y], Weight.MATRIX, what="R", aligned=[step]
        )
        # an error e of the step in |.|_Sigma moves v^T R v by at most 2 sqrt(lambda_max(R) R^2) e + R^2 e^2
        e = h * gradient.error * np.sqrt(self.design.dim / self.design.mu)
        top = float(np.linalg.eigvalsh(noise.value)[-1])
        moved = 2 * np.sqrt(max(top, 0.0) * self.design.r2) * e + self.design.r2 * e**2
        return Estimate(noise.value, noise.error + float(moved))

    def excess(self, x: Array, x_star: Array) -> Estimate[float]:
        loss = self.loss
        bregman = self.engine.expect(
            lambda z, b: loss.value(z[0], b) - loss.value(z[1], b) - loss.d1(z[1], b) * (z[0] - z[1]),
            [x, x_star],
            Weight.ONE,
            what="F(x) - F(x*)",
        )
        return _scalar(bregman)

    def noise_growth(self, x: Array, x_star: Array, weight: Weight) -> Estimate[float]:
        loss = self.loss
        growth = self.engine.expect(
            lambda z, b: (loss.d1(z[0], b) - loss.d1(z[1], b)) ** 2, [x, x_star], weight, what="E (l' - l'*)^2 |a|^2"
        )
        return _scalar(growth)

    def curvature_growth(self, x_star: Array, weight: Weight) -> Estimate[Array]:
        return self.engine.expect(lambda z, b: self.loss.d2(z[0], b) ** 2, [x_star], weight, what="E l''^2 |a|^2 a a^T")


@dataclass(frozen=True, eq=False)
class LeastSquares(Quantities):
    """Squared loss, b = a.w + e with e independent of a and Var e = variance: closed forms for every design."""

    w: Array
    variance: float

    def F(self, x: Array) -> Estimate[float]:
        return _rounded(0.5 * self.loss.L * (self._distance(x) + self.variance))

    def _distance(self, x: Array) -> float:
        return float((x - self.w) @ self.design.sigma @ (x - self.w))

    def gradient(self, x: Array) -> Estimate[Array]:
        return _rounded_array(self.loss.L * (self.design.sigma @ (x - self.w)))

    def hessian(self, x: Array) -> Estimate[Array]:
        return _rounded_array(self.loss.L * self.design.sigma)

    def gradient_second_moment(self, x: Array) -> Estimate[Array]:
        gap = np.outer(x - self.w, x - self.w)
        return _rounded_array(self.loss.L**2 * (self.design.fourth_moment(gap) + self.variance * self.design.sigma))

    def R(self, y: Array, h: float) -> Estimate[Array]:
        return _rounded_array((h * self.loss.L) ** 2 * self.variance * self.design.sigma)

    def excess(self, x: Array, x_star: Array) -> Estimate[float]:
        return _rounded(0.5 * self.loss.L * self._distance(x))

    def noise_growth(self, x: Array, x_star: Array, weight: Weight) -> Estimate[float]:
        gap = x - x_star
        return _rounded(self.loss.L**2 * float(gap @ self.design.fourth_moment(self._metric(weight)) @ gap))

    def curvature_growth(self, x_star: Array, weight: Weight) -> Estimate[Array]:
        return _rounded_array(self.loss.L**2 * self.design.fourth_moment(self._metric(weight)))

    def _metric(self, weight: Weight) -> Array:
        identity = np.eye(self.design.dim)
        return identity if weight in (Weight.NORM, Weight.NORM_MATRIX) else self.design.solve(identity)


def _scalar(estimate: Estimate[Array]) -> Estimate[float]:
    return Estimate(float(estimate.value), estimate.error)


def _rounded(value: float) -> Estimate[float]:
    return Estimate(value, ROUNDING * abs(value))


def _rounded_array(value: Array) -> Estimate[Array]:
    return Estimate(np.asarray(value), ROUNDING * float(np.max(np.abs(value))))
