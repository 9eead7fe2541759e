"""The formulas inside the claims, evaluated exactly, are the dynamics that they abbreviate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from numerics.covariance import core_average, stationary_core
from numerics.designs import FiniteSupport, Gaussian
from numerics.operators import StepSizes
from tests.sada import find
from theory.kernel.claim import Claim
from theory.kernel.evaluate import evaluate
from theory.kernel.points import environment
from theory.kernel.rings import Exact

SPECTRUM = ["1/8", "1/2", "3/4"]
NOISE = ["1", "3", "1/5"]
POINT: dict[str, Any] = {"theta": "1/40", "mu": "1/8", "kt": "2", "R2": "1", "d": "3", "lam": SPECTRUM, "m": NOISE}


def steps_of(point: dict[str, Any]) -> StepSizes:
    theta, mu, kt = (float(Fraction(point[name])) for name in ("theta", "mu", "kt"))
    return StepSizes(16 * kt * theta**2 / mu, theta, theta / mu)


def numbers(values: list[str]) -> list[float]:
    return [float(Fraction(value)) for value in values]


def sides(claim: Claim, point: dict[str, Any], goal: int = 0) -> tuple[float, float]:
    """Both sides of a goal at a point, exactly, as floats."""
    env = environment(point, claim)
    relation = claim.goals[goal]
    left, right = (evaluate(side, env, Exact()) for side in (relation.left, relation.right))
    return float(Fraction(str(left))), float(Fraction(str(right)))


@pytest.mark.parametrize("key", ["lem:Pi-average-bound#in numbers", "lem:Pi-average-bound/sharper#2/T"])
@pytest.mark.parametrize("half", [1, 2, 7, 30])
def test_l_var_of_the_core_dynamics_is_the_double_sum(key: str, half: int) -> None:
    left, _ = sides(find(key).claim, {**POINT, "p": str(half - 1)})
    truth = core_average(Gaussian(np.diag(numbers(SPECTRUM))), steps_of(POINT), np.diag(numbers(NOISE)), 2 * half)
    assert left == pytest.approx(truth, rel=1e-11)


def test_the_stationary_value_is_the_limit_of_the_core_dynamics() -> None:
    left, _ = sides(find("lem:Pi-stationary-bound/sharper#2/15 of it").claim, POINT)
    design = Gaussian(np.diag(numbers(SPECTRUM)))
    limit = stationary_core(design, steps_of(POINT), np.diag(numbers(NOISE)))
    assert left == pytest.approx(float(np.trace(design.sigma @ limit.c22)), rel=1e-9)


def test_one_step_of_the_bias_is_a_step_of_the_algorithm_averaged_over_the_samples() -> None:
    """Atoms (2, 0), (0, 1), (0, -1) with the weights 1/4, 1/2, 1/4: Sigma = diag(1, 3/4)."""
    atoms, weights = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), np.array([0.25, 0.5, 0.25])
    lam, y, z = np.array([1.0, 0.75]), np.array([0.5, -2.0]), np.array([1.5, 0.25])
    theta, gamma, eta = 1 / 16, 1 / 10, 1 / 64
    point = {
        "theta": "1/16", "gam": "1/10", "eta": "1/64", "kt": "4", "R2": "4", "mu": "3/4", "d": "2",
        "lam": ["1", "3/4"], "y": ["1/2", "-2"], "z": ["3/2", "1/4"], "p_w": ["1/4", "1/2", "1/4"],
        "a": [["2", "0"], ["0", "1"], ["0", "-1"]],
    }  # fmt: skip
    left, right = sides(find("lem:bias-bound/sharper").claim, point)
    x = (1 + theta) * y - theta * z
    new = 0.0
    for a, weight in zip(atoms, weights, strict=True):
        gradient = a * (a @ y)
        moved_x, moved_z = y - eta * gradient, theta * y + (1 - theta) * z - gamma * gradient
        new += weight * (moved_x @ moved_x + theta / gamma * (moved_z / lam) @ moved_z)
    old = x @ x + theta / gamma * (z / lam) @ z
    assert left == pytest.approx(new, rel=1e-12)
    assert right == pytest.approx((1 - theta) * old, rel=1e-12)
    assert FiniteSupport(atoms, weights).sigma == pytest.approx(np.diag(lam))


def test_two_steps_of_noise_are_the_variance_at_the_shortest_horizon() -> None:
    """T = 2 in one dimension, where E|v|^2 is a polynomial: every path of a two-point design is summed up."""
    a2, weights = (0.5, 2.0), (0.25, 0.75)
    lam = sum(w * s for w, s in zip(weights, a2, strict=True))
    s4 = sum(w * s * s for w, s in zip(weights, a2, strict=True))
    eta, q, m = 0.1, 0.12, 1.7
    truth = 0.0
    for s, w in zip(a2, weights, strict=True):
        truth += w * lam * ((1 - eta * s) ** 2 * q**2 * m + eta**2 * m)
    point = {"lam": str(Fraction(lam)), "s4": str(Fraction(s4)), "eta": "1/10", "q": "3/25", "m": "17/10"}
    left, right = sides(find("lem:v-decom").claim, {**point, "Ll": "1"})  # with L_l = 1 the H-norm is the Sigma-norm
    assert left == pytest.approx(truth, rel=1e-12)
    assert right == pytest.approx(truth, rel=1e-12)
