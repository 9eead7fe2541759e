"""Brute force over all sample paths of a finite-support design, in exact rationals: a referee that knows no formula."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from numerics.covariance import (
    bias_average,
    bias_covariance,
    covariance,
    enumerate_paths,
    variance_average,
)
from numerics.covariance.paths import as_floats
from numerics.designs import FiniteSupport, OneHot
from numerics.operators import Array, Blocks, StepSizes
from numerics.trajectories import risk_curves

from .dynamics_support import apart

STEPS = StepSizes(0.0625, 0.125, 0.375)
ATOMS = np.array([[1.0, 0.5], [-0.5, 1.0], [0.25, -1.5]])
WEIGHTS = np.array([0.5, 0.25, 0.25])
START = np.array([1.0, -2.0])


def exact_residuals() -> list[Fraction]:
    """The same direction in exact rationals: the cross product of the two rows of weighted atoms."""
    rows = [[Fraction(w) * Fraction(a[j]) for a, w in zip(ATOMS, WEIGHTS, strict=True)] for j in range(2)]
    (a, b, c), (d, e, f) = rows
    return [b * f - c * e, c * d - a * f, a * e - b * d]


def noise_matrix(residuals: list[Fraction]) -> Array:
    squares = np.array([float(e) ** 2 for e in residuals]) * WEIGHTS
    return (ATOMS * squares[:, None]).T @ ATOMS


@pytest.mark.parametrize("horizon", [2, 4, 6])
def test_the_variance_covariance_is_the_average_over_all_paths(horizon: int) -> None:
    residuals = exact_residuals()
    paths = enumerate_paths(ATOMS, WEIGHTS, residuals, STEPS, [0, 0], horizon)
    design = FiniteSupport(ATOMS, WEIGHTS)
    noise = noise_matrix(residuals)
    assert not any(paths.mean_tail)
    assert apart(covariance(design, STEPS, noise, horizon), Blocks.from_full(as_floats(paths.final))) < 1e-13
    risk = float(paths.tail_risk(design.sigma))
    assert variance_average(design, STEPS, noise, horizon) == pytest.approx(risk, rel=1e-13)


@pytest.mark.parametrize("horizon", [2, 4, 6])
def test_the_bias_covariance_is_the_average_over_all_paths(horizon: int) -> None:
    paths = enumerate_paths(ATOMS, WEIGHTS, [0, 0, 0], STEPS, START, horizon)
    design = FiniteSupport(ATOMS, WEIGHTS)
    assert apart(bias_covariance(design, STEPS, START, horizon), Blocks.from_full(as_floats(paths.final))) < 1e-13
    risk = float(paths.tail_risk(design.sigma))
    assert bias_average(design, STEPS, START, horizon) == pytest.approx(risk, rel=1e-13)


def test_a_one_hot_design_agrees_with_its_paths_through_the_closed_form() -> None:
    probabilities, scales = [0.25, 0.75], [1.5, 0.5]
    design = OneHot(probabilities, scales)
    paths = enumerate_paths(np.diag(scales), probabilities, [0, 0], STEPS, START, 8)
    found = bias_covariance(design, STEPS, START, 8, "closed")
    assert apart(found, Blocks.from_full(as_floats(paths.final))) < 1e-13


def test_the_total_risk_needs_the_cross_term_of_a_misspecified_model() -> None:
    residuals = exact_residuals()
    paths = enumerate_paths(ATOMS, WEIGHTS, residuals, STEPS, START, 6)
    design, noise = FiniteSupport(ATOMS, WEIGHTS), noise_matrix(residuals)
    weights = np.array([float(e) for e in residuals]) * WEIGHTS

    def third_moment(y: Array) -> Array:
        return (ATOMS * (weights * (ATOMS @ y))[:, None]).T @ ATOMS

    curves = risk_curves(design, STEPS, noise, START, 6, depth=2, third_moment=third_moment)
    truth = [float(np.sum(design.sigma * as_floats(e))) for e in paths.energies]
    assert np.allclose(curves["total"], truth, rtol=1e-13)
    assert np.max(np.abs(curves["cross"][1:])) > 1e-3 * np.max(truth)
    without = risk_curves(design, STEPS, noise, START, 6)
    assert not np.allclose(without["total"], truth, rtol=1e-6)


def test_the_lower_left_entry_of_the_mean_matrix_is_minus_c() -> None:
    lam, eta, theta, gamma = Fraction(1, 3), Fraction(1, 16), Fraction(1, 8), Fraction(3, 8)

    def step(x: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
        """The three-line recursion with a a^T = lam and no noise."""
        z = ((1 + theta) * y - x) / theta
        g = lam * y
        new_x, new_z = y - eta * g, theta * y + (1 - theta) * z - gamma * g
        return new_x, (new_x + theta * new_z) / (1 + theta)

    columns = [step(Fraction(1), Fraction(0)), step(Fraction(0), Fraction(1))]
    derived = np.array([[float(columns[j][i]) for j in range(2)] for i in range(2)])
    block = StepSizes(float(eta), float(theta), float(gamma)).mean_block(float(lam))
    assert np.allclose(block, derived, rtol=1e-15)
    assert block[1, 0] == -(1 - 0.125) / (1 + 0.125)


def test_too_many_paths_are_refused_with_their_number() -> None:
    with pytest.raises(ValueError, match=r"3\^20 paths exceed"):
        enumerate_paths(ATOMS, WEIGHTS, [0, 0, 0], STEPS, START, 20)
