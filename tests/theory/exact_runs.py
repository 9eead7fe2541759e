"""Exact runs of the whole algorithm in one dimension: nothing of the theorem's proof is used.

Data a = +-1, loss curvature 1/alpha with L_l = 1: the algorithm is linear, the noise of a sample has variance Q, and
the mean excess risk after K outer loops of T samples comes from the impulse response of the inner loop and the
covariance of two outer iterates. mu = kt = R^2 = 1, so that eta = theta = gamma = 1/16.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

ETA = THETA = GAMMA = 1 / 16


@dataclass(frozen=True)
class Run:
    """The outer loop: h_k = step alpha theta_k^2, theta_k of the recursion with contraction a, and which momentum."""

    alpha: float
    length: int
    rounds: int
    step: float = 2.0
    contraction: float = 0.5
    printed_momentum: bool = True

    @property
    def l_eff(self) -> float:
        return 160 * (6 * self.alpha + 7 + 16 * ETA * self.alpha)

    @property
    def top(self) -> float:
        """theta_max as in disp:559."""
        return min(1 / math.sqrt(12 * self.alpha), self.length / (12 * math.sqrt(2) * self.alpha * self.l_eff))

    def thetas(self) -> list[float]:
        b, half = 2 / (self.contraction * self.top), self.rounds // 2
        return [self.top] * half + [2 / (self.contraction * (b + j)) for j in range(1, half + 1)]


def inner_weights(length: int) -> NDArray[np.float64]:
    """What each sample's gradient contributes to the tail average, step by step as the algorithm is printed."""
    x = z = 0.0
    response = np.zeros(length)
    for t in range(length):  # an impulse at the first step
        y = (x + THETA * z) / (1 + THETA)
        gradient = y + (1.0 if t == 0 else 0.0)
        x, z = y - ETA * gradient, THETA * y + (1 - THETA) * z - GAMMA * gradient
        response[t] = x
    total = np.concatenate([[0.0], np.cumsum(response)])
    half = length // 2
    first = np.maximum(half - np.arange(length), 0)
    weights: NDArray[np.float64] = (total[length - np.arange(length)] - total[first]) * 2 / length
    return weights


@lru_cache(maxsize=16)
def gain_and_spread(length: int) -> tuple[float, float]:
    """How far the inner loop goes towards its minimiser, and the variance that it adds for noise of variance 1."""
    weights = inner_weights(length)
    return -float(weights.sum()), float((weights**2).sum())


def excess(run: Run, start: float, noise: float) -> float:
    """E F(x_K) - F(x*) with F(x) = x^2/(2 alpha), from x_0 = x_{-1} = start."""
    gain, spread = gain_and_spread(run.length)
    second = np.full((2, 2), start**2)
    before = run.top
    for theta in run.thetas():
        beta = (1 - theta) / (1 + theta)
        if not run.printed_momentum:
            beta = theta * (1 - before) / (before * (1 + theta))
        h = run.step * run.alpha * theta**2
        shrink = 1 - h * gain / run.alpha
        move = np.array([[shrink * (1 + beta), -shrink * beta], [1.0, 0.0]])
        second = move @ second @ move.T
        second[0, 0] += h**2 * spread * noise
        before = theta
    return float(second[0, 0]) / (2 * run.alpha)
