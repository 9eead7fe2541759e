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

STEPS = tuple(10.0**k for k in np.arange(-4, 0.6, 0.75))
Judge = Callable[[Any, Any, Any], float]


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _adam(x: Any, y: Any, order: Any, step: float, logistic: bool, w: Any) -> None:
    """One output; labels -1 and 1 for logistic. The last entry of w is the intercept."""
    d = x.shape[1]
    m, v = np.zeros(d + 1), np.zeros(d + 1)
    b1, b2 = 0.9, 0.999
    for t, i in enumerate(order, 1):
        z = w[d]
        for j in range(d):
            z += w[j] * x[i, j]
        slope = -y[i] / (1.0 + math.exp(min(y[i] * z, 700.0))) if logistic else z - y[i]
        scale = step * math.sqrt(1 - b2**t) / (1 - b1**t)
        for j in range(d + 1):
            g = slope * (x[i, j] if j < d else 1.0)
            m[j] = b1 * m[j] + (1 - b1) * g
            v[j] = b2 * v[j] + (1 - b2) * g * g
            w[j] -= scale * m[j] / (math.sqrt(v[j]) + 1e-8)


class Adam(BaseEstimator):  # type: ignore[misc]
    """Adam with one row a step; several classes one against the rest."""

    def __init__(self, step: float, passes: int, seed: int, classify: bool) -> None:
        self.step, self.passes, self.seed, self.classify = step, passes, seed, classify

    def fit(self, x: Any, y: Any) -> Adam:
        rng = np.random.default_rng(self.seed)
        order = np.concatenate([rng.permutation(len(y)) for _ in range(self.passes)])
        targets = np.asarray(y, dtype=float)[:, None]
        if self.classify:
            self.classes_ = np.unique(y)
            positive = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
            targets = np.where(np.asarray(y)[:, None] == positive, 1.0, -1.0)
        self.w = np.zeros((targets.shape[1], x.shape[1] + 1))
        for k in range(targets.shape[1]):
            _adam(x, np.ascontiguousarray(targets[:, k]), order, self.step, self.classify, self.w[k])
        return self

    def predict(self, x: Any) -> Any:
        return x @ self.w[0, :-1] + self.w[0, -1]

    def predict_proba(self, x: Any) -> Any:
        z = np.clip(x @ self.w[:, :-1].T + self.w[:, -1], -500, 500)
        p = 1 / (1 + np.exp(-z))
        return np.column_stack([1 - p, p]) if p.shape[1] == 1 else p / p.sum(axis=1, keepdims=True)


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
