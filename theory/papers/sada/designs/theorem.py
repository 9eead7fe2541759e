"""The theorem's quantity E F(x̃_K) − F(x*) for Algorithm 1 as printed, with the rule for T repaired, and for ours (half
the step, another momentum, a longer T): exact expectations.

For least squares the state (x_t, z_t, Σ x_t, x̃_{k−1}, x̃_{k−2}, σ) moves by a random matrix at every draw, so its
second moments move by one fixed matrix; the excess risk is read off from them, and nothing is simulated. Only moments
of a up to the fourth count, so three atoms stand for a Gaussian exactly. The minimiser is 0, labels are noise ±σ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.ratios import Observation

Array = NDArray[np.float64]
READINGS = (
    "thm:full-glm/repaired",
    "thm:full-glm/repaired#as the paper argues",
    "thm:full-glm/sharper#the algorithm as printed",
    "thm:full-glm/sharper#our algorithm",
)
OURS = READINGS[-1]


@dataclass(frozen=True)
class Atoms:
    """A distribution of a with finitely many values."""

    name: str
    points: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]

    def mean(self, of: Callable[[Array], Any]) -> Any:
        return sum(p * of(np.array(a)) for a, p in zip(self.points, self.weights, strict=True))


def one_hot(*weights: float) -> Atoms:
    axes = tuple(tuple(float(i == j) for j in range(len(weights))) for i in range(len(weights)))
    return Atoms(f"one-hot, Σ = diag({', '.join(f'{w:g}' for w in weights)})", axes, weights)


ROOT3 = math.sqrt(3)
DESIGNS = (
    Atoms("Rademacher, d = 1", ((1.0,), (-1.0,)), (0.5, 0.5)),
    Atoms("Gaussian, d = 1", ((0.0,), (ROOT3,), (-ROOT3,)), (2 / 3, 1 / 6, 1 / 6)),
    Atoms("heavy-tailed (1, or 5 with probability 1/50), d = 1", ((1.0,), (5.0,)), (0.98, 0.02)),
    one_hot(0.5, 0.5),
    one_hot(0.8, 0.2),
)
STARTS = (
    ("from x*, noise 1", 0.0, 1.0),
    ("from distance 1, no noise", 1.0, 0.0),
    ("from distance 1, noise 1", 1.0, 1.0),
)
STEPS = {
    design: (2, 8, 32, 128, 512) if len(design.points[0]) == 1 else (2, 8) for design in DESIGNS
}  # the values of K


@dataclass(frozen=True, eq=False)
class Choice:
    """The hyperparameters of rem:hyperparameters for a design, K = 2m, the repaired rule for T = 2n; or ours."""

    sigma: Array
    mu: float
    r2: float
    kt: float
    ks: float
    eta: float
    theta: float
    n: int
    top: float
    m: int
    ours: bool = False

    def momentum(self, k: int) -> float:
        return self.top if k <= self.m else 4 / (4 / self.top + k - self.m)

    def beta(self, k: int) -> float:
        now, before = self.momentum(k), self.momentum(k - 1)
        return now * (1 - before) / (before * (1 + now)) if self.ours else (1 - now) / (1 + now)

    def length(self, k: int) -> float:
        """h_k; α = L_ℓ = 1."""
        return (1 if self.ours else 2) * self.momentum(k) ** 2


@cache
def choice(design: Atoms, m: int, ours: bool = False) -> Choice:
    sigma = design.mean(lambda a: np.outer(a, a))
    low, *_, high = sorted([*np.linalg.eigvalsh(sigma)] * 2)
    root = np.diag(1 / np.sqrt(np.diag(sigma)))  # every design here has a diagonal Σ
    fourth = root @ design.mean(lambda a: (a @ a) * np.outer(a, a)) @ root
    white = root @ design.mean(lambda a: (a @ np.linalg.solve(sigma, a)) * np.outer(a, a)) @ root
    r2, kt = (float(np.linalg.eigvalsh(one)[-1]) for one in (fourth, white))
    eta = 1 / (16 * r2)
    theta = math.sqrt(low * eta / kt) / 4
    n, top, needed = 1, 0.0, 2
    while n < needed:  # a longer inner loop allows a larger θ̃_max, which needs a shorter one
        n = needed
        top = min(math.sqrt(1 / 12), 2 * n / (12 * math.sqrt(2) * 160 * (6 * kt + kt * (7 + 16 * eta * r2))))
        last = 4 / (4 / top + m)
        needed = math.ceil(math.log((12 if ours else 6) * high / low / last**2) / theta)
    return Choice(sigma, low, r2, kt, high / low, eta, theta, n, top, m, ours)


@cache
def excesses(design: Atoms, m: int, ours: bool = False) -> tuple[float, ...]:
    """E F(x̃_K) − F(x*) after K = 2m outer steps, for each of the starts."""
    d, c = len(design.points[0]), choice(design, m, ours)
    states = [np.concatenate([np.zeros(3 * d), np.full(2 * d, start), [noise]]) for _, start, noise in STARTS]
    moments = np.stack([np.outer(state, state).reshape(-1) for state in states], axis=1)
    for k in range(1, 2 * m + 1):
        for move in _step(design, c, c.beta(k), c.length(k)):
            moments = move @ moments
    shaped = moments.reshape(5 * d + 1, 5 * d + 1, -1)[3 * d : 4 * d, 3 * d : 4 * d]
    return tuple(float(np.trace(c.sigma @ shaped[:, :, i])) / 2 for i in range(len(STARTS)))


def _parts(d: int) -> dict[str, slice]:
    return {name: slice(i * d, (i + 1) * d) for i, name in enumerate(("x", "z", "sum", "new", "old"))}


def _twice(matrix: Array) -> Array:
    return np.kron(matrix, matrix).astype(np.float64)


@lru_cache(maxsize=4)
def _step(design: Atoms, c: Choice, beta: float, h: float) -> tuple[Array, ...]:
    """Second moments: x_0 = z_0 = ỹ, T/2 draws, T/2 draws whose iterates are summed, and x̃ is their mean."""
    d = len(design.points[0])
    at, one = _parts(d), np.eye(d)
    begin, end = np.eye(5 * d + 1), np.eye(5 * d + 1)
    begin[: 3 * d] = 0
    begin[at["x"]] = begin[at["z"]] = _anchor(d, beta)
    end[3 * d : 5 * d] = 0
    end[at["old"], at["new"]], end[at["new"], at["sum"]] = one, one / c.n
    powers = []
    for counted in (False, True):
        drawn = sum(
            p / 2 * _twice(_draw(np.array(a), sign, c, beta, h, counted))
            for a, p in zip(design.points, design.weights, strict=True)
            for sign in (1.0, -1.0)
        )
        powers.append(np.linalg.matrix_power(drawn, c.n))
    return _twice(begin), *powers, _twice(end)


def _anchor(d: int, beta: float) -> Array:
    """ỹ = x̃_{k−1} + β_k (x̃_{k−1} − x̃_{k−2})"""
    at = _parts(d)
    rows = np.zeros((d, 5 * d + 1))
    rows[:, at["new"]], rows[:, at["old"]] = (1 + beta) * np.eye(d), -beta * np.eye(d)
    return rows


def _draw(a: Array, sign: float, c: Choice, beta: float, h: float, counted: bool) -> Array:
    """One line of the inner loop on the sample (a, ±σ), as a matrix; σ is the last coordinate."""
    d = len(a)
    at, outer = _parts(d), np.outer(a, a)
    middle = np.zeros((d, 5 * d + 1))
    middle[:, at["x"]], middle[:, at["z"]] = np.eye(d) / (1 + c.theta), np.eye(d) * c.theta / (1 + c.theta)
    gradient = outer @ (middle + (h - 1) * _anchor(d, beta))
    gradient[:, -1] -= h * sign * a
    move = np.eye(5 * d + 1)
    move[at["z"]] = c.theta * middle + (1 - c.theta) * move[at["z"]] - c.theta / c.mu * gradient
    move[at["x"]] = middle - c.eta * gradient
    if counted:
        move[at["sum"]] += move[at["x"]]
    return move


def excess_risk(*keys: str) -> Callable[[int], Iterator[Observation]]:
    def observe(seed: int) -> Iterator[Observation]:
        for design in DESIGNS:
            for m in (k // 2 for k in STEPS[design]):
                found = {ours: excesses(design, m, ours) for ours in {key == OURS for key in keys}}
                for i, (words, start, noise) in enumerate(STARTS):
                    yield from (_seen(key, design, words, start, noise, m, found[key == OURS][i]) for key in keys)

    return observe


def _seen(key: str, design: Atoms, words: str, start: float, noise: float, m: int, found: float) -> Observation:
    c = choice(design, m, key == OURS)
    d = len(design.points[0])
    values = {
        "F(x0)": start**2 * float(c.sigma.sum()) / 2, "F(o)": 0.0, "tr(inv(Sigma) @ Q)": noise**2 * d,
        "tr(Q)": noise**2 * float(np.trace(c.sigma)), "alpha": 1.0, "Ll": 1.0, "kt": c.kt, "R2": c.r2, "mu": c.mu,
        "kS": c.ks, "L": c.kt, "B": c.r2, "step": c.eta, "theta": c.theta, "gam": c.theta / c.mu, "top": c.top,
        "b": 4 / c.top, "n": float(c.n), "m": float(m), "c1": c.top * (1 + c.kt / (2 * c.n)),
    }  # fmt: skip
    curve = f"{key}, {design.name}" if words.startswith("from distance 1, noise") and design is DESIGNS[1] else ""
    return Observation(
        key, design.name, found, values, setting=f"{words}, K = {2 * m}, T = {2 * c.n}",
        curve=curve, at=("K", 2.0 * m),
    )  # fmt: skip
