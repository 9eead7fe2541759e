r"""The first rows of several classes, solved to the end: argmin sum_i w_i l(X a_i, b_i) + ridge |X|^2/2.

Newton's method; its systems are solved by conjugate gradients, eased by one block a class, so that nothing of size
(classes columns)^2 is held. Unless told, the ridge is the one that the most frequent classes, each against the rest,
prefer together when a row is predicted from the others (`start`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Logistic

from .joint import conjugate, softmax
from .softmax import Softmax
from .start import RIDGES, TOLERANCE, path, penalty

STEPS = 100  # of Newton's method
ASKED = 16  # classes: what a hundred more would say does not pay
SLACK = 1e-14  # of a value: rounding


@dataclass(frozen=True, eq=False)
class Risk:
    """The mean loss of X (classes, columns) and its penalty; `weights` sum to 1."""

    loss: Softmax
    a: Array
    b: Array
    weights: Array
    penalty: Array

    def value(self, x: Array) -> float:
        return float(self.weights @ self.loss.value(self.a @ x.T, self.b) + np.sum(self.penalty * x**2) / 2)

    def gradient(self, x: Array) -> Array:
        slope = self.loss.slope(self.a @ x.T, self.b)
        return np.asarray((slope * self.weights[:, None]).T @ self.a + self.penalty * x)

    def curvature(self, x: Array) -> Callable[[Array], Array]:
        """The Hessian at x as a map."""
        p = softmax(self.a @ x.T)

        def apply(v: Array) -> Array:
            z = self.a @ v.T
            z = p * (z - np.sum(p * z, axis=1, keepdims=True)) + self.loss.mu * z
            return np.asarray((z * self.weights[:, None]).T @ self.a + self.penalty * v)

        return apply

    def majorant(self, x: Array) -> Array:
        """The inverses (classes, columns, columns) of E (p_k + mu) a a^T + penalty: the Hessian at x is at most the
        matrix of these blocks, and equal to it on rows whose probabilities are alike over any set of classes."""
        weights = (softmax(self.a @ x.T) + self.loss.mu) * self.weights[:, None]
        blocks = np.array([(self.a * one[:, None]).T @ self.a for one in weights.T])
        return np.linalg.inv(blocks + np.diag(self.penalty))


def softmax_solved(
    rows: Array, b: Array, w: Array, loss: Softmax, ridge: float | None, intercept: bool
) -> tuple[Array, float]:
    """The minimiser (classes, columns) and the ridge; with more columns than rows, within the span of the rows."""
    d = rows.shape[1] - intercept
    if d <= len(rows):
        return _penalised(rows, b, w, loss, ridge, intercept)
    basis, _ = np.linalg.qr(rows[:, :d].T)
    x, found = _penalised(np.column_stack([rows[:, :d] @ basis, rows[:, d:]]), b, w, loss, ridge, intercept)
    width = basis.shape[1]
    return np.column_stack([x[:, :width] @ basis.T, x[:, width:]]), found


def _penalised(
    rows: Array, b: Array, w: Array, loss: Softmax, ridge: float | None, intercept: bool
) -> tuple[Array, float]:
    if ridge is None:
        asked = np.argsort(-(w @ (b > 0)), kind="stable")[:ASKED]
        each = [path(rows, b[:, k], w, Logistic(loss.mu), intercept) for k in asked]
        ridge = RIDGES[int(np.argmin(np.sum([[found for _, found in one] for one in each], axis=0)))]
    risk = Risk(loss, rows, b, w / w.sum(), penalty(rows, w, ridge, intercept))
    return minimised(risk, np.zeros((b.shape[1], rows.shape[1]))), ridge


def minimised(risk: Risk, x: Array) -> Array:
    """Damped Newton steps until the gradient is `TOLERANCE` times the size of its terms, or rounding allows no more."""
    value, last = risk.value(x), np.inf
    scale = float(np.linalg.norm(risk.weights @ np.abs(risk.a))) + 1e-300
    for _ in range(STEPS):
        g = risk.gradient(x)
        size = float(np.linalg.norm(g))
        if size <= TOLERANCE * scale:
            break
        direction = conjugate(risk.curvature(x), risk.majorant(x), g, min(0.1, size / scale))
        slope, step = float(np.sum(g * direction)), 1.0
        while risk.value(x - step * direction) > value - 1e-4 * step * slope + SLACK * abs(value) and step > 1e-12:
            step /= 2
        before, x = value, x - step * direction
        value = risk.value(x)
        if before - value <= SLACK * abs(before) and size > last / 2:
            break
        last = size
    return x
