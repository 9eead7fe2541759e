"""The part of a loss that a predictor explains: 1 for the best predictor of all, 0 for the best constant."""

from __future__ import annotations

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Loss, Poisson

STEPS = 400
FARTHEST = 1e100  # a loss may fall for ever: counts that are all zero


def explained(loss: Loss, z: Array, targets: Array, weights: Array) -> float:
    """Mean over the outputs (columns) of 1 - (loss - least)/(loss of the best constant - least)."""
    found = []
    for k in range(targets.shape[1]):
        b = targets[:, k]
        least = float(weights @ loss.value(_ideal(loss, b), b))
        null = float(weights @ loss.value(np.full(len(b), best_constant(loss, b, weights)), b)) - least
        got = float(weights @ loss.value(z[:, k], b)) - least
        found.append(1 - got / null if null > 0 else float(got <= 0))
    return float(np.mean(found))


def best_constant(loss: Loss, b: Array, weights: Array) -> float:
    """The root of sum w l'(z, b) in z, which grows with z, by bisection; a far point where there is none."""
    low, high = -1.0, 1.0

    def slope(z: float) -> float:
        return float(weights @ loss.d1(np.full(len(b), z), b))

    while slope(low) > 0 and low > -FARTHEST:
        low *= 2
    while slope(high) < 0 and high < FARTHEST:
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return (low + high) / 2


def _ideal(loss: Loss, b: Array) -> Array:
    """The prediction with the smallest loss for each label on its own."""
    if isinstance(loss, Poisson):
        return np.clip(np.log(np.maximum(b, 1e-300)), -loss.bound, loss.bound)
    return b * 1.0 if loss.residual and loss.even else _by_bisection(loss, b)


def _by_bisection(loss: Loss, b: Array) -> Array:
    """For any loss: the root of l'(., b), label by label."""
    low, high = b - 1.0, b + 1.0
    for _ in range(STEPS):
        low = np.where(loss.d1(low, b) > 0, low - 2 * (high - low), low)
        high = np.where(loss.d1(high, b) < 0, high + 2 * (high - low), high)
        if np.all(loss.d1(low, b) <= 0) and np.all(loss.d1(high, b) >= 0):
            break
    for _ in range(STEPS):
        middle = (low + high) / 2
        below = loss.d1(middle, b) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2
