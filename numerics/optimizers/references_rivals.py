r"""The methods that SADA is compared with, line by line; numpy only, no speed.

g(x; a, b) = l'(a.x, b) a. `sample()` draws a fresh pair; a sample is used once. All stop after n samples.
"""

from __future__ import annotations

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Loss

from .references import Sample


def gradient(loss: Loss, x: Array, a: Array, b: float) -> Array:
    """g(x; a, b)."""
    return np.asarray(loss.d1(a @ x, b) * a)


def sgd(sample: Sample, loss: Loss, x0: Array, eta: float, n: int) -> Array:
    """Constant step; the mean of the second half of the iterates."""
    x, total = x0, np.zeros_like(x0)
    for t in range(1, n + 1):
        a, b = sample()
        x = x - eta * gradient(loss, x, a, b)
        total = total + x if t > n // 2 else total
    return np.asarray(total / (n - n // 2))


def sgd_decay(sample: Sample, loss: Loss, x0: Array, eta: float, n: int, phases: int) -> Array:
    """The step is halved after each of `phases` phases of n/phases samples; the last iterate."""
    x = x0
    for t in range(n):
        a, b = sample()
        x = x - eta * 0.5 ** (t * phases // n) * gradient(loss, x, a, b)
    return x


def asgd(sample: Sample, loss: Loss, x0: Array, A: float, B: float, G: float, D: float, n: int) -> Array:
    """Jain, Kakade, Kidambi, Netrapalli, Sidford (2018); the mean of the second half of x."""
    x, v, total = x0, x0, np.zeros_like(x0)
    for t in range(1, n + 1):
        a, b = sample()
        y = A * x + (1 - A) * v
        g = gradient(loss, y, a, b)
        x = y - D * g
        z = B * y + (1 - B) * v
        v = z - G * g
        total = total + x if t > n // 2 else total
    return np.asarray(total / (n - n // 2))


def streaming_svrg(
    sample: Sample, loss: Loss, x0: Array, step: float, m: int, k0: int, growth: float, n: int, seed: int
) -> Array:
    """Frostig, Ge, Kakade, Sidford (2015); a stage that does not fit into n samples is cut off where they end."""
    anchor, left, stage = x0, n, 0
    while left:
        k = anchor_size(k0, growth, stage)
        total = np.zeros_like(x0)
        for _ in range(min(k, left)):
            a, b = sample()
            total = total + gradient(loss, anchor, a, b)
        left -= min(k, left)
        mean, w, chosen, keep = total / k, anchor, anchor, drawn_iterate(seed, stage, m)
        for t in range(1, min(m, left) + 1):
            a, b = sample()
            w = w - step * (gradient(loss, w, a, b) - gradient(loss, anchor, a, b) + mean)
            chosen = w if t == keep else chosen
        anchor = chosen if left >= m else anchor
        left -= min(m, left)
        stage += 1
    return anchor


def anchor_size(k0: int, growth: float, stage: int) -> int:
    """k_s: samples in the gradient estimate of stage s."""
    return min(int(np.ceil(k0 * growth**stage)), 2**62)


def drawn_iterate(seed: int, stage: int, m: int) -> int:
    """Which of the m iterates of the stage becomes the next anchor: uniform, the same for the same seed and stage."""
    return int(np.random.default_rng([seed, stage]).integers(1, m + 1))


def root_sgd(sample: Sample, loss: Loss, x0: Array, eta: float, burn_in: int, n: int) -> Array:
    """Li, Mou, Wainwright, Jordan (2022); x is held for the first `burn_in` samples; the last iterate."""
    x, x_before, v = x0, x0, np.zeros_like(x0)
    for t in range(1, n + 1):
        a, b = sample()
        v = gradient(loss, x, a, b) + (t - 1) / t * (v - gradient(loss, x_before, a, b))
        x_before = x
        x = x - eta * v if t > burn_in else x
    return x
