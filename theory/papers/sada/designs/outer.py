"""One outer step on its worst quadratics, and the whole algorithm: exact expectations, else simulation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from numerics.designs import Gaussian
from numerics.losses import Logistic, Squared
from numerics.optimizers import METHODS, ProblemInfo, SadaParams, estimate, step
from numerics.outer import (
    HALF_STEP,
    PRINTED,
    REPAIRED_ENERGY,
    REPAIRED_MOMENTUM,
    Rule,
    momentum,
    one_step,
    worst_quadratic,
)
from numerics.problems import GaussianNoise, LinearLabels, LogisticLabels, Problem
from numerics.race.bounds import CONSTANTS, Choice, setting_of, statistical_trace
from numerics.race.exact import expected_excess
from numerics.race.theorem import theorem_params
from theory.papers.sada.designs.scenes import spread
from theory.ratios import Observation

ONE_STEP = {
    "lem:outer-one-step": PRINTED,
    "lem:outer-one-step/repaired": REPAIRED_ENERGY,
    "lem:outer-one-step/sharper": HALF_STEP,
    "lem:outer-one-step/sharper#momentum": REPAIRED_MOMENTUM,
}
ALPHAS = (1.5, 4.0, 16.0, 100.0, 1e4, 1e6)


def one_outer_step(seed: int) -> Iterator[Observation]:
    """E_k on the quadratic and the state that make E_k/E_{k-1} largest, with and without bias."""
    for key, rule in ONE_STEP.items():
        for alpha in ALPHAS:
            top = math.sqrt(1 / (12 * alpha))
            for share in (1.0, 0.1):
                yield _worst_step(key, rule, alpha, share * top)


def _worst_step(key: str, rule: Rule, alpha: float, theta: float) -> Observation:
    found = worst_quadratic(rule, alpha, theta, theta, grid=120)
    q, x, gap = found.curvature, found.x, found.gap
    _, after = one_step(rule, alpha, theta, theta, q, x, gap, 0.0)
    y = x + momentum(rule, theta, theta) * gap
    values = {
        "alpha": alpha, "th": theta, "tp": theta, "tn": theta, "Ll": 1.0, "T": 1e9, "Leff": 1.0, "kt": 1.0, "sig2": 0.0,
        "d": 1, "q": [q], "x": [x], "p": [x - gap], "o": [0.0], "y": [y], "g": [q * y], "Fx": q * x**2 / 2, "Fs": 0.0,
        "Fy": q * y**2 / 2,
    }  # fmt: skip
    share = theta * math.sqrt(12 * alpha)
    setting = f"θ = {share:.2g}/√(12α), curvature {q:.3g}"
    curve = key if share > 0.5 else ""
    return Observation(
        key, f"worst quadratic, α = {alpha:g}", after, values, setting=setting, curve=curve, at=("α", alpha)
    )


@lru_cache(maxsize=1)
def least_squares() -> tuple[tuple[str, Problem], ...]:
    def made(design: Gaussian, noise: float) -> Problem:
        return Problem(design, Squared(), LinearLabels(np.ones(design.dim), GaussianNoise(noise)))

    found = []
    for d, condition in ((1, 1.0), (2, 1.0), (4, 10.0)):
        for noise in (0.1, 1.0):
            name = f"least squares, Gaussian, d = {d}, condition {condition:g}, noise {noise:g}"
            found.append((name, made(Gaussian(spread(d, condition)), noise)))
    return tuple(found)


READINGS = {
    "printed": "thm:full-glm#the algorithm",
    "repaired": "thm:full-glm/repaired",
    "sharpened": "thm:full-glm/sharper",
}
LENGTHS = (2, 8, 32, 128)


def theorem(seed: int) -> Iterator[Observation]:
    """E F(x_K) - F(x*) of the very algorithm that a reading speaks of; of the first design along K."""
    for position, (name, problem) in enumerate(least_squares()):
        for rounds in LENGTHS if position == 3 else (2, 32):
            for reading, key in READINGS.items():
                chosen = CONSTANTS[reading].rule(setting_of(problem), rounds)
                truth = expected_excess(problem, theorem_params(problem, CONSTANTS[reading], chosen))
                if truth is not None and math.isfinite(truth):
                    curve = key if position == 3 else ""
                    yield _observed(key, name, truth, problem, chosen, curve=curve)
    yield from simulated(seed)


def asymptotic(seed: int) -> Iterator[Observation]:
    """The same truths against the bound of the short theorem, whose constant is the composed one."""
    for name, problem in least_squares():
        for rounds in (2, 32):
            chosen = CONSTANTS["repaired"].rule(setting_of(problem), rounds)
            truth = expected_excess(problem, theorem_params(problem, CONSTANTS["repaired"], chosen))
            if truth is not None and math.isfinite(truth):
                yield _observed("thm:glm", name, truth, problem, chosen)


RUNS = 24


def simulated(seed: int) -> Iterator[Observation]:
    """Logistic regression, for which nothing is exact: the mean excess risk of many runs with its 95% interval."""
    problem = Problem(Gaussian(np.eye(1)), Logistic(0.25), LogisticLabels(np.ones(1)))
    for reading in ("printed", "repaired"):
        chosen = CONSTANTS[reading].rule(setting_of(problem), 4)
        if chosen.K * chosen.T > 400_000:
            continue
        params = theorem_params(problem, CONSTANTS[reading], chosen)
        risks = np.array([_excess(problem, params, seed, turn) for turn in range(RUNS)])
        mean, error = float(risks.mean()), 1.96 * float(risks.std(ddof=1)) / math.sqrt(RUNS)
        name = f"logistic, Gaussian, d = 1, mean of {RUNS} runs"
        yield _observed(READINGS[reading], name, mean, problem, chosen, spread=(mean - error, mean + error))


def _excess(problem: Problem, params: SadaParams, seed: int, turn: int) -> float:
    rng = np.random.default_rng([seed, 5, turn])
    state = METHODS["sada"].init(ProblemInfo.of(problem), np.zeros(problem.dim), params)
    state = step(state, *problem.sample(len(params.h) * params.T, rng))
    return problem.excess_risk(estimate(state))


def _observed(
    key: str, name: str, truth: float, problem: Problem, c: Choice, curve: str = "", **more: Any
) -> Observation:
    """The names of the three readings; half a schedule of outer steps is `half`, T = 2(p + 1)."""
    s, half = setting_of(problem), c.K // 2
    start = problem.excess_risk(np.zeros(problem.dim))
    far = float(np.trace(problem.Q))
    length = 8 * math.sqrt(3 * s.alpha) + 24 * math.sqrt(2) * s.alpha * c.l_eff / c.T
    values: dict[str, Any] = {
        "alpha": s.alpha, "Ll": problem.loss.L, "n": c.K * c.T, "E": math.exp(-c.K / length), "F0": start,
        "trHQ": statistical_trace(problem), "trQ": far, "eta": s.eta, "kt": s.kappa_tilde,
    }  # fmt: skip
    over = ""
    if "#" not in key:
        near = statistical_trace(problem) * problem.loss.L
        values = {k: v for k, v in values.items() if k not in ("n", "E", "trHQ", "trQ", "eta")} | {
            "theta": s.theta, "mu": s.mu, "R2": s.r2, "half": half, "p": c.T // 2 - 1, "top": c.theta_max, "E0": start,
            "l0": [1.0], "n": [near], "N": [far], "p_w": [1.0], "Da": [0.0] * half, "Ea": [0.0] * half,
        }  # fmt: skip
        over = "bottom_K"
    goal = 1 if key.startswith("thm:full-glm/") else 0
    setting = f"K = {c.K}, T = {c.T}"
    at = ("K", float(c.K))
    return Observation(key, name, truth, values, goal, setting, over=over, curve=curve, at=at, **more)
