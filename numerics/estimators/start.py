r"""The first rows, solved to the end: x = argmin sum_i w_i l(a_i.x, b_i) + ridge |x|^2/2 (the intercept is free).

They are the start of everything that follows, and all there is while the rows are few. The minimiser depends on the
rows as a set: not on their order, and a weight of 2 is a row twice. Unless told, the ridge is the one of `RIDGES` with
the smallest loss of each row under the minimiser of the others; other data than these rows are not asked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Loss, Squared
from numerics.optimizers.erm import EmpiricalRisk, newton

TOLERANCE = 1e-11
FREE = 1e-8  # the ridge of the intercept: keeps the Hessian regular, moves nothing
RIDGES = (100.0, 10.0, 1.0, 0.1, 0.01)
ALONE = 1e-6  # of the curvature of the others: where a row has no others, it is not divided by less


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

    def left_out(self, x: Array, unit: float) -> float:
        """The mean loss of a row under the minimiser without it, by one Newton step from x (exact for least squares);
        `unit` is the weight of one row."""
        z, h = self.a @ x, self.hessian(x)
        lever = unit * np.sum(self.a * np.linalg.solve(h, self.a.T).T, axis=1)
        d1, d2 = self.loss.d1(z, self.b), self.loss.d2(z, self.b)
        found = float(self.weights @ self.loss.value(z + d1 * lever / np.maximum(1 - d2 * lever, ALONE), self.b))
        return found if np.isfinite(found) else np.inf


def solved(rows: Array, labels: Array, weights: Array, loss: Loss, ridge: float | None, intercept: bool) -> Array:
    """The minimiser; with more columns than rows, within the span of the rows, where it lies; None chooses."""
    d = rows.shape[1] - intercept
    if d <= len(rows):
        return _penalised(rows, labels, weights, loss, ridge, intercept)
    basis, _ = np.linalg.qr(rows[:, :d].T)
    x = _penalised(np.column_stack([rows[:, :d] @ basis, rows[:, d:]]), labels, weights, loss, ridge, intercept)
    return np.append(basis @ x[: basis.shape[1]], x[basis.shape[1] :])


def _penalised(rows: Array, labels: Array, weights: Array, loss: Loss, ridge: float | None, intercept: bool) -> Array:
    if ridge is None:
        return min(path(rows, labels, weights, loss, intercept), key=lambda one: one[1])[0]
    risk = PenalisedRisk(loss, rows, labels, weights / weights.sum(), penalty(rows, weights, ridge, intercept))
    return newton(risk, np.zeros(rows.shape[1]), TOLERANCE, strict=False)


def penalty(rows: Array, weights: Array, ridge: float, intercept: bool) -> Array:
    """Of every column, for a mean over the total weight."""
    found = np.full(rows.shape[1], ridge / float(weights.sum()))
    found[rows.shape[1] - intercept :] *= FREE
    return found


def path(rows: Array, labels: Array, weights: Array, loss: Loss, intercept: bool) -> list[tuple[Array, float]]:
    """The minimiser for each of `RIDGES`, and the mean loss of a row under the minimiser of the others."""
    total, x, found = float(weights.sum()), np.zeros(rows.shape[1]), []
    for ridge in RIDGES:
        risk = PenalisedRisk(loss, rows, labels, weights / total, penalty(rows, weights, ridge, intercept))
        x = newton(risk, x, TOLERANCE, strict=False)
        found.append((x, risk.left_out(x, 1 / total)))
    return found


def residual_scale(rows: Array, labels: Array, weights: Array, ridge: float | None, intercept: bool) -> float:
    """1.48 times the median residual of least squares on the first rows; the spread of the labels where it vanishes, a
    hundredth of their size where they are constant, and 1 where they are zero."""
    r = np.abs(labels - rows @ solved(rows, labels, weights, Squared(), ridge, intercept))
    order = np.argsort(r, kind="stable")
    heavy = np.cumsum(weights[order])
    median = float(r[order[int(np.searchsorted(heavy, heavy[-1] / 2))]])
    centre = float(weights @ labels / weights.sum())
    spread = float(np.sqrt(weights @ (labels - centre) ** 2 / weights.sum()))
    return next((s for s in (1.4826 * median, spread, 0.01 * abs(centre)) if s > 1e-9 * max(spread, abs(centre))), 1.0)
