"""Bounds with every argument set by hand, and scalar truths against matrices that are multiplied out."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.operators import StepSizes
from numerics.ratios import (
    NoiseModel,
    Ratio,
    a_power_ratio,
    a_power_worst_ratio,
    bias_energy_ratio,
    bias_ratio,
    bounds,
    layer_ratio,
    pi_average_ratio,
    stationary_y,
    variance_ratio,
)

LAM, ETA, THETA, GAMMA = 0.3, 0.05, 0.2, 0.4
POINT = (LAM, ETA, THETA, GAMMA)
BLOCK = StepSizes(ETA, THETA, GAMMA).mean_block(LAM)
PUSH = np.array([ETA, StepSizes(ETA, THETA, GAMMA).q])
ONES = np.ones((2, 2))


def second_moments(kurtosis: float, steps: int) -> np.ndarray:
    """E (x, y)(x, y)^T after so many steps from (1, 1) without noise, with a a^T of the given kurtosis."""
    state = ONES
    for _ in range(steps):
        state = BLOCK @ state @ BLOCK.T + (kurtosis - 1) * LAM**2 * state[1, 1] * np.outer(PUSH, PUSH)
    return state


def test_bounds_with_every_number_by_hand() -> None:
    assert bounds.a_power() == 2.0
    assert bounds.a_power(3.0) == 3.0
    assert float(bounds.pi_average(3.0, 4.0)) == 48.0
    assert float(bounds.pi_stationary(8.0, 3.0, 2.0, 0.5)) == 8 / 8 + 4 * 0.5 * 3
    assert bounds.noise_sigma_inverse(1.0, 0.5, 2.0, 3.0, 4.0) == 5 + 5 * 2 * 7 * 0.5
    assert bounds.noise_trace(1.0, 0.5, 2.0, 3.0, 4.0) == 5 + 5 * 2 * 7 * 0.5
    assert bounds.layer_zero_average(1.0, 0.5, 3.0, 4.0, 10.0) == (320 + 320 * 7 * 0.5) / 10
    assert bounds.layer_zero_average(1.0, 0.5, 3.0, 4.0, 10.0, smoothness=2.0) == (320 + 320 * 2 * 7 * 0.5) / 10
    zero = bounds.layer_zero_stationary(1.0, 2.0, 0.5, 0.25, 4.0, 5.0, 6.0, 7.0, smoothness=3.0)
    assert zero == 1.25 * (1 + 3 * 11 * 0.5) / 4 + 20 * 0.25 * (2 + 3 * 11 * 0.5)
    assert [bounds.layer_average(l, 3.0, 2.0, 16.0) for l in (1, 2, 3)] == [24.0, 12.0, 6.0]
    plain = bounds.variance(1.0, 2.0, 0.0, 0.5, 3.0, 4.0, 5.0, 6.0, 8.0)
    assert plain == 320 * (3 + 8 * 0.5 * 3 * 6 * 2) / 8
    mended = bounds.variance(1.0, 2.0, 0.25, 0.5, 3.0, 4.0, 5.0, 6.0, 8.0, trace_weight=1.0)
    assert mended == 320 * (3 + 8 * 0.5 * 3 * 2) / 8 + 160 * 6 * (30 + 3 * (7 + 16 * 0.5 * 4)) * 0.25 / 8
    assert float(bounds.bias_energy(1.0, 2.0, 0.5, 0.25, 3)) == pytest.approx(0.5**3 * (1 + 0.5 * 2 * 2))
    assert float(bounds.bias(3.0, 2.0, 4.0)) == 6 / 32


def test_a_ratio_without_a_positive_bound_is_not_a_number() -> None:
    assert Ratio("s", "p", 1.0, 4.0).ratio == 0.25
    assert np.isnan(Ratio("s", "p", 1.0, 0.0).ratio)
    assert np.isnan(Ratio("s", "p", 1.0, -1.0).ratio)
    noise = NoiseModel.well_specified([[2.0]])
    assert (noise.r.tolist(), noise.q.tolist(), noise.gap) == ([[2.0]], [[2.0]], 0.0)


@pytest.mark.parametrize("steps", [0, 1, 2, 7])
def test_powers_and_energies_after_so_many_steps(steps: int) -> None:
    power = np.linalg.matrix_power(BLOCK, steps) @ [1, 1]
    assert float(a_power_ratio(*POINT, steps)) == pytest.approx(abs(power[0]) / 2)
    c = second_moments(5.0, steps)
    zz = ((1 + THETA) ** 2 * c[1, 1] - 2 * (1 + THETA) * c[0, 1] + c[0, 0]) / THETA**2
    start = (1 - THETA) ** steps * (1 + 0.75 * THETA / GAMMA / LAM)
    truth = c[0, 0] + 0.75 * THETA / GAMMA * zz / LAM
    assert float(bias_energy_ratio(*POINT, 5.0, steps, 0.75)) == pytest.approx(truth / start)


def test_the_worst_power_of_no_steps_is_the_start_and_most_is_included() -> None:
    """With eta lam = 5/2 the first step turns x = 1 into -3/2, the second is larger still."""
    wild = (1.0, 2.5, 0.2, 0.1)
    powers = [float(a_power_ratio(*wild, k)) for k in range(3)]
    assert powers[0] == 0.5
    assert powers[1] == pytest.approx(0.75)
    assert float(a_power_worst_ratio(*wild, 0)) == 0.5
    assert float(a_power_worst_ratio(*wild, 1)) == pytest.approx(0.75)
    assert float(a_power_worst_ratio(*wild, 2, limit=1.0)) == pytest.approx(2 * max(powers))
    many = a_power_worst_ratio(np.full(130, 1.0), *wild[1:], 2)
    assert np.allclose(many, max(powers))


def test_stationary_energy_solves_its_own_equation_and_knows_the_edge_of_stability() -> None:
    y = float(stationary_y(*POINT))
    state = np.zeros((2, 2))
    for _ in range(3000):
        state = BLOCK @ state @ BLOCK.T + np.outer(PUSH, PUSH)
    assert y == pytest.approx(state[1, 1], rel=1e-9)
    assert float(layer_ratio(*POINT, 5.0)) == pytest.approx(2 * 4 * LAM**2 * y)
    assert float(layer_ratio(*POINT, 5.0, limit=1.0)) == pytest.approx(4 * LAM**2 * y)
    for eta in np.linspace(0.1, 5.0, 50):
        radius = np.abs(np.linalg.eigvals(StepSizes(eta, THETA, 0.9 * eta).mean_block(1.0))).max()
        assert np.isfinite(stationary_y(1.0, eta, THETA, 0.9 * eta)) == (radius < 1)
    for gamma in np.linspace(0.5, 40.0, 80):
        radius = np.abs(np.linalg.eigvals(StepSizes(0.2, THETA, gamma).mean_block(1.0))).max()
        assert np.isfinite(stationary_y(1.0, 0.2, THETA, gamma)) == (radius < 1)


def test_averages_of_two_steps_by_hand() -> None:
    """T = 2: the tail average is x_2 alone."""
    c = second_moments(5.0, 2)
    assert float(bias_ratio(*POINT, 5.0, 2, 2.0, 3.0)) == pytest.approx(c[0, 0] / (2 / (8 * 3)))
    mean = BLOCK @ np.outer(PUSH, PUSH) @ BLOCK.T + np.outer(PUSH, PUSH)
    noisy = mean + 4 * LAM**2 * PUSH[1] ** 2 * np.outer(PUSH, PUSH)
    assert float(pi_average_ratio(*POINT, 2)) == pytest.approx(LAM * mean[0, 0] / (64 / LAM / 2))
    found = float(variance_ratio(*POINT, 5.0, 2, 7.0, main=10.0))
    assert found == pytest.approx(LAM * noisy[0, 0] / (10 * (3 / LAM + 8 * ETA * 7) / 2))


def test_powers_take_any_whole_number_and_averages_only_even_ones() -> None:
    for wrong in (-1, 0.5):
        with pytest.raises(ValueError, match="horizon must be integers >= 0"):
            a_power_ratio(*POINT, wrong)
    for wrong in (1, 0, -2, [2, 3]):
        with pytest.raises(ValueError, match="horizon must be even integers >= 2"):
            bias_ratio(*POINT, 3.0, wrong)
    assert float(bias_ratio(*POINT, 3.0, np.int32(2))) > 0
    for place in range(4):
        for bad in (0.0, np.inf, np.nan):
            point = [*POINT]
            point[place] = bad
            with pytest.raises(ValueError, match="a parameter is not a positive finite number"):
                a_power_ratio(*point, 3)


def test_points_with_different_horizons_are_kept_apart() -> None:
    horizons = np.array([[4, 2], [2, 4]])
    found = a_power_ratio(*POINT, horizons)
    apart = [float(a_power_ratio(*POINT, k)) for k in (2, 4)]
    assert found == pytest.approx(np.array([[apart[1], apart[0]], [apart[0], apart[1]]]))
