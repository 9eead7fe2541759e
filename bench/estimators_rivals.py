"""Rivals of the estimators, used well: SGD with constant and decaying steps, averaged or not, and Adam, row by row.

Every rival gets standardised columns and its own step size, the best of a grid on a quarter of the training rows held
back (which shows it those rows once more than SADA sees them), and is then trained on all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.model_selection import train_test_split

from numerics.estimators.joint import probabilities
from numerics.estimators.named import indicators

STEPS = tuple(10.0**k for k in np.arange(-4, 0.6, 0.75))
Judge = Callable[[Any, Any, Any], float]


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _adam(x: Any, y: Any, order: Any, step: float, kind: int, w: Any) -> None:
    """w is (outputs, columns + 1), the last one the intercept; kind 0: least squares, 1: logistic with labels -1 and 1,
    2: softmax with labels 1 at the class."""
    outputs, d = w.shape[0], x.shape[1]
    m, v = np.zeros_like(w), np.zeros_like(w)
    z, slope = np.empty(outputs), np.empty(outputs)
    b1, b2 = 0.9, 0.999
    for t, i in enumerate(order, 1):
        for k in range(outputs):
            z[k] = w[k, d]
            for j in range(d):
                z[k] += w[k, j] * x[i, j]
        if kind == 2:
            e = np.exp(z - np.max(z))
            slope[:] = e / np.sum(e)
        for k in range(outputs):
            if kind == 0:
                slope[k] = z[k] - y[i, k]
            elif kind == 1:
                slope[k] = -y[i, k] / (1.0 + math.exp(min(y[i, k] * z[k], 700.0)))
            elif y[i, k] > 0:
                slope[k] -= 1.0
        scale = step * math.sqrt(1 - b2**t) / (1 - b1**t)
        for k in range(outputs):
            for j in range(d + 1):
                g = slope[k] * (x[i, j] if j < d else 1.0)
                m[k, j] = b1 * m[k, j] + (1 - b1) * g
                v[k, j] = b2 * v[k, j] + (1 - b2) * g * g
                w[k, j] -= scale * m[k, j] / (math.sqrt(v[k, j]) + 1e-8)


class Adam(BaseEstimator):  # type: ignore[misc]
    """Adam with one row a step; several classes at once."""

    def __init__(self, step: float, passes: int, seed: int, classify: bool) -> None:
        self.step, self.passes, self.seed, self.classify = step, passes, seed, classify

    def fit(self, x: Any, y: Any) -> Adam:
        rng = np.random.default_rng(self.seed)
        order = np.concatenate([rng.permutation(len(y)) for _ in range(self.passes)])
        targets, kind = np.asarray(y, dtype=float)[:, None], 0
        if self.classify:
            self.classes_ = np.unique(y)
            targets, kind = indicators(np.asarray(y), self.classes_), min(2, len(self.classes_) - 1)
        self.w = np.zeros((targets.shape[1], x.shape[1] + 1))
        _adam(x, targets, order, self.step, kind, self.w)
        return self

    def predict(self, x: Any) -> Any:
        return x @ self.w[0, :-1] + self.w[0, -1]

    def predict_proba(self, x: Any) -> Any:
        return probabilities(x @ self.w[:, :-1].T + self.w[:, -1])


def kinds(classify: bool, passes: int, seed: int) -> dict[str, Callable[[float], Any]]:
    """A model for every step size."""
    more = {"loss": "log_loss"} if classify else {}
    shared: dict[str, Any] = {"max_iter": passes, "tol": None, "random_state": seed, **more}
    sgd = SGDClassifier if classify else SGDRegressor
    return {
        "constant": lambda step: sgd(learning_rate="constant", eta0=step, **shared),
        "averaged": lambda step: sgd(learning_rate="constant", eta0=step, average=True, **shared),
        "decaying": lambda step: sgd(learning_rate="invscaling", power_t=0.5, eta0=10 * step, **shared),
        "Adam": lambda step: Adam(step, passes, seed, classify),
    }


def tuned(x: Any, y: Any, classify: bool, passes: int, seed: int, judge: Judge) -> Iterator[tuple[str, Any]]:
    """Every kind with its best step size, fitted."""
    part, held, known, asked = train_test_split(
        x, y, test_size=0.25, random_state=seed, stratify=y if classify else None
    )
    for name, make in kinds(classify, passes, seed).items():
        losses = [_safely(judge, make(step).fit(part, known), held, asked) for step in STEPS]
        yield name, make(STEPS[int(np.argmin(losses))]).fit(x, y)


def _safely(judge: Judge, model: Any, x: Any, y: Any) -> float:
    """Infinity where a step size was too large for any number."""
    try:
        found = judge(model, x, y)
    except ValueError:
        return math.inf
    return found if math.isfinite(found) else math.inf
