r"""The first rows, solved to the end: x = argmin sum_i w_i l(a_i.x, b_i) + ridge |x|^2/2 (the intercept is free).

They are the start of everything that follows, and all there is while the rows are few. The minimiser depends on the
rows as a set: not on their order, and a weight of 2 is a row twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Loss, Squared
from numerics.optimizers.erm import EmpiricalRisk, newton

TOLERANCE = 1e-11
FREE = 1e-8  # the ridge of the intercept: keeps the Hessian regular, moves nothing


@dataclass(frozen=True, eq=False)
class PenalisedRisk(EmpiricalRisk):
    """The mean of w_i l(a_i.x, b_i) and penalty |x|^2/2 over the total weight, as Newton's method takes it."""

    weights: Array  # sum to 1
    penalty: Array

    def value(self, x: Array) -> float:
        return float(self.weights @ self.loss.value(self.a @ x, self.b) + x @ (self.penalty * x) / 2)

    def gradient(self, x: Array) -> Array:
        return np.asarray(self.a.T @ (self.weights * self.loss.d1(self.a @ x, self.b)) + self.penalty * x)

    def hessian(self, x: Array) -> Array:
        scale = self.weights * self.loss.d2(self.a @ x, self.b)
        return np.asarray((self.a * scale[:, None]).T @ self.a + np.diag(self.penalty))

    def gradient_scale(self, x: Array) -> float:
        """The size of the terms that cancel in the gradient."""
        z = self.a @ x
        terms = self.weights * (np.abs(self.loss.d1(z, self.b)) + self.loss.d2(z, self.b) * np.abs(z))
        return float(np.linalg.norm(np.abs(self.a).T @ terms)) + float(np.finfo(float).tiny)


def solved(rows: Array, labels: Array, weights: Array, loss: Loss, ridge: float, intercept: bool) -> Array:
    """The minimiser; with more columns than rows, within the span of the rows, where it lies."""
    total = float(weights.sum())
    d = rows.shape[1] - intercept
    penalty = np.full(rows.shape[1], ridge / total)
    penalty[d:] = FREE * ridge / total
    if d <= len(rows):
        risk = PenalisedRisk(loss, rows, labels, weights / total, penalty)
        return newton(risk, np.zeros(len(penalty)), TOLERANCE, strict=False)
    basis, _ = np.linalg.qr(rows[:, :d].T)
    small = np.column_stack([rows[:, :d] @ basis, rows[:, d:]])
    kept = np.append(penalty[: basis.shape[1]], penalty[d:])
    risk = PenalisedRisk(loss, small, labels, weights / total, kept)
    x = newton(risk, np.zeros(len(kept)), TOLERANCE, strict=False)
    return np.append(basis @ x[: basis.shape[1]], x[basis.shape[1] :])


def residual_scale(rows: Array, labels: Array, weights: Array, ridge: float, intercept: bool) -> float:
    """1.48 times the median residual of least squares on the first rows; the spread of the labels where it vanishes."""
    r = np.abs(labels - rows @ solved(rows, labels, weights, Squared(), ridge, intercept))
    order = np.argsort(r, kind="stable")
    heavy = np.cumsum(weights[order])
    median = float(r[order[int(np.searchsorted(heavy, heavy[-1] / 2))]])
    centre = float(weights @ labels / weights.sum())
    spread = float(np.sqrt(weights @ (labels - centre) ** 2 / weights.sum()))
    return next((s for s in (1.4826 * median, spread) if s > 1e-9 * max(spread, abs(centre))), 1.0)
