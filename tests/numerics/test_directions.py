"""The truths of one eigendirection against matrices that are multiplied out and against designs with one direction."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import covariance, directions
from numerics.designs import Gaussian, IndependentCoordinates, with_kurtosis
from numerics.operators import StepSizes

from .dynamics_support import printed_steps

LAM, ETA, THETA, GAMMA = 0.3, 0.05, 0.2, 0.4
POINT = (LAM, ETA, THETA, GAMMA)
BLOCK = StepSizes(ETA, THETA, GAMMA).mean_block(LAM)
PUSH = np.array([ETA, StepSizes(ETA, THETA, GAMMA).q])
points = st.tuples(st.floats(1e-4, 1.0), st.floats(1e-3, 0.06), st.floats(1e-3, 0.2), st.floats(0.05, 2.0))


def one(lam: float, kurtosis: float = 3.0) -> IndependentCoordinates:
    return IndependentCoordinates(np.array([[np.sqrt(lam)]]), with_kurtosis(kurtosis))


def second_moments(kurtosis: float, steps: int) -> np.ndarray:
    """E (x, y)(x, y)^T after so many steps from (1, 1) without noise, with a a^T of the given kurtosis."""
    state = np.ones((2, 2))
    for _ in range(steps):
        state = BLOCK @ state @ BLOCK.T + (kurtosis - 1) * LAM**2 * state[1, 1] * np.outer(PUSH, PUSH)
    return state


@settings(max_examples=40, deadline=None)
@given(points, st.integers(0, 60))
def test_the_power_of_a_is_the_power_of_the_mean_block(point: tuple[float, ...], k: int) -> None:
    lam, eta, theta, gamma = point
    truth = abs((np.linalg.matrix_power(StepSizes(eta, theta, gamma).mean_block(lam), k) @ np.ones(2))[0])
    assert float(directions.power_of_a(lam, eta, theta, gamma, k)) == pytest.approx(truth, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_energies_after_so_many_steps(steps: int) -> None:
    c = second_moments(5.0, steps)
    zz = ((1 + THETA) ** 2 * c[1, 1] - 2 * (1 + THETA) * c[0, 1] + c[0, 0]) / THETA**2
    truth = c[0, 0] + 0.75 * THETA / GAMMA * zz / LAM
    assert float(directions.bias_energy(*POINT, 5.0, steps, 0.75)) == pytest.approx(truth)


def test_stationary_energy_solves_its_own_equation_and_knows_the_edge_of_stability() -> None:
    state = np.zeros((2, 2))
    for _ in range(3000):
        state = BLOCK @ state @ BLOCK.T + np.outer(PUSH, PUSH)
    y = float(directions.stationary_y(*POINT))
    assert y == pytest.approx(state[1, 1], rel=1e-9)
    assert float(directions.layer_share(*POINT, 5.0)) == pytest.approx(4 * LAM**2 * y)
    cases = [(eta, 0.9 * eta) for eta in np.linspace(0.1, 5.0, 50)] + [(0.2, g) for g in np.linspace(0.5, 40.0, 80)]
    for eta, gamma in cases:
        radius = np.abs(np.linalg.eigvals(StepSizes(eta, THETA, gamma).mean_block(1.0))).max()
        assert np.isfinite(directions.stationary_y(1.0, eta, THETA, gamma)) == (radius < 1)


def test_averages_of_two_steps_by_hand() -> None:
    """T = 2: the tail average is x_2 alone."""
    assert float(directions.bias_average(*POINT, 5.0, 2)) == pytest.approx(LAM * second_moments(5.0, 2)[0, 0])
    mean = BLOCK @ np.outer(PUSH, PUSH) @ BLOCK.T + np.outer(PUSH, PUSH)
    noisy = mean + 4 * LAM**2 * PUSH[1] ** 2 * np.outer(PUSH, PUSH)
    assert float(directions.core_average(*POINT, 2)) == pytest.approx(LAM * mean[0, 0])
    assert float(directions.variance_average(*POINT, 5.0, 2)) == pytest.approx(LAM * noisy[0, 0])


@settings(max_examples=25, deadline=None)
@given(points, st.integers(1, 200), st.floats(1.0, 9.0))
def test_averages_are_those_of_a_design_with_one_direction(
    point: tuple[float, ...], half: int, kurtosis: float
) -> None:
    steps, horizon, design = StepSizes(*point[1:]), 2 * half, one(point[0], kurtosis)
    core = covariance.core_average(design, steps, np.eye(1), horizon, "loop")
    assert float(directions.core_average(*point, horizon)) == pytest.approx(core, rel=1e-10)
    bias = covariance.bias_average(design, steps, [1.0], horizon, "loop")
    assert float(directions.bias_average(*point, kurtosis, horizon)) == pytest.approx(bias, rel=1e-9)
    spread = covariance.variance_average(design, steps, np.eye(1), horizon, "loop")
    assert float(directions.variance_average(*point, kurtosis, horizon)) == pytest.approx(spread, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(points, st.floats(1.5, 9.0))
def test_limits_are_those_of_a_design_with_one_direction(point: tuple[float, ...], kurtosis: float) -> None:
    steps, design = StepSizes(*point[1:]), one(point[0], kurtosis)
    energy = covariance.stationary_core(design, steps, np.eye(1)).y_energy(design.sigma)
    assert point[0] * float(directions.stationary_y(*point)) == pytest.approx(energy, rel=1e-11)
    share = float(directions.layer_share(*point, kurtosis))
    if share < 0.95:
        sigmas = covariance.stationary_layers(design, steps, np.eye(1), 2).sigmas
        assert sigmas[1] / sigmas[0] == pytest.approx(share, rel=1e-10)


def test_an_unstable_point_is_nan_not_a_number() -> None:
    found = directions.stationary_y(1.0, np.array([0.05, 5.0]), 0.1, np.array([0.1, 5.0]))
    assert np.isfinite(found[0])
    assert np.isnan(found[1])


def test_arrays_broadcast_and_points_with_different_horizons_are_kept_apart() -> None:
    lam, horizon = np.array([[0.1], [0.5]]), np.array([2, 50, 1000])
    found = directions.core_average(lam, 0.02, 0.01, 0.2, horizon)
    assert found.shape == (2, 3)
    assert found[1, 2] == pytest.approx(float(directions.core_average(0.5, 0.02, 0.01, 0.2, 1000)))
    apart = [float(directions.power_of_a(*POINT, k)) for k in (2, 4)]
    assert directions.power_of_a(*POINT, np.array([4, 2])) == pytest.approx(apart[::-1])


def test_powers_take_any_whole_number_and_averages_only_even_ones() -> None:
    for wrong in (-1, 0.5):
        with pytest.raises(ValueError, match="horizon must be integers >= 0"):
            directions.power_of_a(*POINT, wrong)
    for wrong in (1, 0, -2, 2.0, [2, 3]):
        with pytest.raises(ValueError, match="horizon must be even integers >= 2"):
            directions.bias_average(*POINT, 3.0, wrong)
    assert float(directions.bias_average(*POINT, 3.0, np.int32(2))) > 0
    for place in range(4):
        for bad in (0.0, -0.1, np.inf, np.nan):
            point = [*POINT]
            point[place] = bad
            with pytest.raises(ValueError, match="a parameter is not a positive finite number"):
                directions.power_of_a(*point, 3)


def test_printed_steps_meet_the_layer_recursion_with_room() -> None:
    design = Gaussian(np.diag([0.01, 1.0]))
    sigmas = covariance.stationary_layers(design, printed_steps(design), np.eye(2), 3).sigmas
    assert all(b < a / 2 for a, b in pairwise(sigmas))
