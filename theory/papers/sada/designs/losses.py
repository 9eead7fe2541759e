"""Generalised linear problems: gradients, excess risks and noise by exact sums and quadrature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from numerics.designs import FiniteSupport, Gaussian, OneHot
from numerics.losses import Logistic, Squared
from numerics.operators import Array
from numerics.parameters import constants_of, repaired
from numerics.problems import GaussianNoise, LinearLabels, LogisticLabels, Problem
from numerics.problems.engines import Weight
from theory.papers.sada.designs.scenes import ROUNDS, Scene, spread
from theory.ratios import Observation

DISTANCES = (0.01, 0.1, 1.0, 10.0)


@lru_cache(maxsize=2)
def problems(seed: int) -> tuple[tuple[str, Problem], ...]:
    rng = np.random.default_rng([seed, 3])
    atoms, weights = rng.standard_normal((9, 2)), rng.dirichlet(np.full(9, 3.0))
    heavy = np.vstack([np.eye(2), [[12.0, 9.0]]])
    return (
        ("logistic, 9 random atoms", Problem(FiniteSupport(atoms, weights), _logistic(0.02), _signs(2))),
        ("logistic, one-hot", Problem(OneHot(np.array([0.6, 0.3, 0.1])), _logistic(0.05), _signs(3))),
        (
            "logistic, one rare large atom",
            Problem(FiniteSupport(heavy, [0.495, 0.495, 0.01]), _logistic(0.02), _signs(2)),
        ),
        ("logistic, Gaussian of condition 10", Problem(Gaussian(spread(2, 10)), _logistic(0.1), _signs(2))),
        ("least squares, Gaussian of condition 100", Problem(Gaussian(spread(3, 100)), Squared(), _linear(3))),
    )


def _logistic(ridge: float) -> Logistic:
    return Logistic(ridge)


def _signs(d: int) -> LogisticLabels:
    return LogisticLabels(np.linspace(1.0, -1.0, d))


def _linear(d: int) -> LinearLabels:
    return LinearLabels(np.ones(d), GaussianNoise(0.5))


def states(seed: int) -> Iterator[tuple[str, str, Problem, Array]]:
    """Points y~ at several distances from the optimum, in two directions."""
    rng = np.random.default_rng([seed, 4])
    for name, problem in problems(seed):
        for distance in DISTANCES:
            for turn in range(2):
                direction = rng.standard_normal(problem.dim)
                y = problem.x_star + distance * direction / np.linalg.norm(direction)
                yield name, f"|ỹ − x*| = {distance:g} ({turn + 1})", problem, y


def loss_scenes(seed: int) -> Iterator[Scene]:
    """Inner loops at some of these points: the noise at y~ is not that at the optimum."""
    for name, setting, problem, y in states(seed):
        if setting.endswith("(1)") and not isinstance(problem.loss, Squared):
            constants: dict[str, Any] = constants_of(problem.design)
            chosen = repaired(
                **constants, rounds=ROUNDS, alpha=problem.alpha, smoothness=problem.loss.L,
                noise_b=problem.B, noise_l=problem.L,
            )  # fmt: skip
            start = y - problem.x_plus_star(y)
            yield Scene(name, setting, problem.design, chosen, problem.R(y), problem.Q, problem.excess_risk(y), start)


def gradient(seed: int) -> Iterator[Observation]:
    """|grad F|^2_{Sigma^-1}."""
    for name, setting, problem, y in states(seed):
        g = problem.gradient(y)
        truth = float(g @ problem.design.solve(g))
        values = {"Ll": problem.loss.L, "V": [problem.excess_risk(y)], "Fs": 0.0, "p_w": [1.0]}
        yield Observation("lem:gradient-bound#in numbers", name, truth, values, setting=setting)


def growth(key: str, inverse: bool) -> Callable[[int], Iterator[Observation]]:
    """E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2 in either norm."""

    def observe(seed: int) -> Iterator[Observation]:
        weight = Weight.STATISTICAL_NORM if inverse else Weight.NORM
        for name, setting, problem, y in states(seed):
            truth = problem.estimates.noise_growth(y, problem.x_star, weight).value
            values = {
                "Ll": problem.loss.L, "mul": problem.loss.mu, "R2": problem.design.r2, "kt": problem.design.kappa_tilde,
                "gap": problem.excess_risk(y),
            }  # fmt: skip
            yield Observation(key, name, float(truth), values, setting=setting)

    return observe


def noise(key: str, inverse: bool) -> Callable[[int], Iterator[Observation]]:
    """tr(Sigma^-1 R) or tr R at y~, R = E zeta zeta^T with h = 1/L_l scaled back; weights x, y, z as they are best."""

    def observe(seed: int) -> Iterator[Observation]:
        for name, setting, problem, y in states(seed):
            r, q, gap = problem.R(y), problem.Q, problem.excess_risk(y)
            solve = problem.design.solve
            truth, at_optimum = (
                (float(np.trace(solve(m))) for m in (r, q)) if inverse else (float(np.trace(m)) for m in (r, q))
            )
            own = problem.L if inverse else problem.B
            base = problem.design.kappa_tilde if inverse else problem.design.r2
            sizes = np.sqrt([max(at_optimum, 1e-300), 2 * problem.loss.L * own * gap, 2 * problem.loss.L * base * gap])
            shares = dict(zip("xyz", (sizes / sizes.sum() * (1 - 1e-12)).tolist(), strict=True))
            values = {
                "Ll": problem.loss.L, "L": problem.L, "kt": problem.design.kappa_tilde, "B": problem.B,
                "R2": problem.design.r2, "l0": [1.0], "n": [at_optimum], "N": [at_optimum], "V": [gap], "Fs": 0.0,
                "p_w": [1.0], **shares,
            }  # fmt: skip
            for one in (f"{key}#in numbers", f"{key}/sharper"):
                yield Observation(one, name, truth, values, setting=setting)

    return observe
