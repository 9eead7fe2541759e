r"""Brute force: every sample path of a finite-support design, in exact rationals.

The three-line recursion in x, z, y is run along all n^T sequences of atoms and the outcomes are averaged with their
probabilities. Nothing here knows A, B, q or L_var, so this is the independent referee of everything else; it is for
tiny T.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from numerics.operators import Array, StepSizes

Number = Fraction | int | float
MOST_PATHS = 200_000


@dataclass(frozen=True, eq=False)
class PathMoments:
    """Exact second moments over all paths, as arrays of Fractions (`as_floats` converts)."""

    final: Any  # (2d, 2d): E (x_T, y_T)(x_T, y_T)^T
    tail: Any  # (d, d): second moment of (2/T) sum_{t > T/2} x_t
    mean_tail: Any  # (d,): its mean
    energies: Any  # (T + 1, d, d): E x_t x_t^T

    def tail_risk(self, sigma: Any) -> Fraction:
        return Fraction(np.sum(np.asarray(sigma, dtype=object) * self.tail))


def as_floats(values: Any) -> Array:
    return np.asarray(np.vectorize(float, otypes=[np.float64])(values))


def enumerate_paths(
    atoms: Iterable[Iterable[Number]] | Array,
    weights: Iterable[Number] | Array,
    residuals: Iterable[Number] | Array,
    steps: StepSizes,
    start: Iterable[Number] | Array,
    horizon: int,
) -> PathMoments:
    """Average over all sequences of atoms; residuals are eps of every atom (zeros: the bias), start is x_0 = z_0.

    A start of zeros gives the variance iterate; it needs sum_k w_k eps_k a_k = 0 to have mean zero.
    """
    a = [np.array([Fraction(v) for v in atom], dtype=object) for atom in atoms]
    w, eps = [Fraction(v) for v in weights], [Fraction(v) for v in residuals]
    if horizon < 2 or horizon % 2:
        raise ValueError(f"horizon T = {horizon}: must be even and at least 2")
    if len(a) ** horizon > MOST_PATHS:
        raise ValueError(f"{len(a)}^{horizon} paths exceed {MOST_PATHS}; use fewer atoms or a shorter horizon")
    eta, theta, gamma = Fraction(steps.eta), Fraction(steps.theta), Fraction(steps.gamma)
    d = len(a[0])
    zero = np.array([Fraction(0)] * d, dtype=object)
    final, tail = _zeros(2 * d, 2 * d), _zeros(d, d)
    mean_tail, energies = zero.copy(), _zeros(horizon + 1, d, d)
    x0 = np.array([Fraction(v) for v in start], dtype=object)

    def walk(t: int, chance: Fraction, x: Any, z: Any, total: Any) -> None:
        nonlocal final, tail, mean_tail
        energies[t] = energies[t] + chance * np.outer(x, x)
        y = (x + theta * z) / (1 + theta)
        if t == horizon:
            both = np.concatenate([x, y])
            average = total * Fraction(2, horizon)
            final = final + chance * np.outer(both, both)
            tail = tail + chance * np.outer(average, average)
            mean_tail = mean_tail + chance * average
            return
        for atom, weight, e in zip(a, w, eps, strict=True):
            g = (atom @ y - e) * atom
            new_x = y - eta * g
            new_z = theta * y + (1 - theta) * z - gamma * g
            walk(t + 1, chance * weight, new_x, new_z, total + new_x if t + 1 > horizon // 2 else total)

    walk(0, Fraction(1), x0, x0, zero)
    return PathMoments(final, tail, mean_tail, energies)


def _zeros(*shape: int) -> Any:
    return np.full(shape, Fraction(0), dtype=object)
