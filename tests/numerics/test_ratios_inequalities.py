"""Ratios: the scalar grids agree with the designs they abbreviate, and the bounds are the printed formulas."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.covariance import bias_average, core_average, stationary_core, stationary_layers, variance_average
from numerics.designs import Elliptical, Gaussian, IndependentCoordinates, OneHot, with_kurtosis
from numerics.operators import StepSizes
from numerics.parameters import as_printed_appendix, constants_of, repaired
from numerics.ratios import (
    NoiseModel,
    a_power_ratio,
    a_power_worst_ratio,
    bias_energy_ratio,
    bias_ratio,
    bounds,
    design_ratios,
    layer_ratio,
    pi_average_ratio,
    pi_stationary_ratio,
    ratio_table,
    variance_ratio,
)

from .dynamics_support import KINDS, printed_steps, random_design, random_noise

points = st.tuples(st.floats(1e-4, 1.0), st.floats(1e-3, 0.06), st.floats(1e-3, 0.2), st.floats(0.05, 2.0))


def one(lam: float, kurtosis: float = 3.0) -> IndependentCoordinates:
    return IndependentCoordinates(np.array([[np.sqrt(lam)]]), with_kurtosis(kurtosis))


@settings(max_examples=40, deadline=None)
@given(points, st.integers(0, 60))
def test_the_power_of_a_is_the_power_of_the_mean_block(point: tuple[float, ...], k: int) -> None:
    lam, eta, theta, gamma = point
    block = StepSizes(eta, theta, gamma).mean_block(lam)
    truth = abs((np.linalg.matrix_power(block, k) @ np.ones(2))[0]) / 2
    assert float(a_power_ratio(lam, eta, theta, gamma, k)) == pytest.approx(truth, rel=1e-9, abs=1e-12)


def test_the_worst_power_is_the_largest_of_them() -> None:
    rng = np.random.default_rng(51)
    lam, eta, theta, gamma = rng.uniform(0.01, 1, (4, 50)) * np.array([1, 0.05, 0.2, 2])[:, None]
    powers = np.stack([a_power_ratio(lam, eta, theta, gamma, k) for k in range(41)])
    assert np.allclose(a_power_worst_ratio(lam, eta, theta, gamma, 40), powers.max(axis=0), rtol=1e-12)


@settings(max_examples=25, deadline=None)
@given(points, st.integers(1, 200), st.floats(1.0, 9.0))
def test_scalar_averages_are_those_of_a_design_with_one_direction(
    point: tuple[float, ...], half: int, kurtosis: float
) -> None:
    lam, eta, theta, gamma = point
    steps, horizon = StepSizes(eta, theta, gamma), 2 * half
    design, unit = one(lam, kurtosis), np.eye(1)
    core = core_average(design, steps, unit, horizon, "loop")
    assert float(pi_average_ratio(lam, eta, theta, gamma, horizon)) == pytest.approx(
        core * horizon * lam / 64, rel=1e-10
    )
    bias = bias_average(design, steps, [1.0], horizon, "loop") / lam * 8
    assert float(bias_ratio(lam, eta, theta, gamma, kurtosis, horizon)) == pytest.approx(bias, rel=1e-9)
    spread = variance_average(design, steps, unit, horizon, "loop")
    bound = bounds.variance(1 / lam, 1.0, 0.0, eta, 5.0, 1.0, 1.0, 1.0, horizon)
    found = float(variance_ratio(lam, eta, theta, gamma, kurtosis, horizon, 5.0))
    assert found == pytest.approx(spread / bound, rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(points, st.floats(1.5, 9.0))
def test_scalar_limits_are_those_of_a_design_with_one_direction(point: tuple[float, ...], kurtosis: float) -> None:
    lam, eta, theta, gamma = point
    steps, design = StepSizes(eta, theta, gamma), one(lam, kurtosis)
    energy = stationary_core(design, steps, np.eye(1)).y_energy(design.sigma)
    found = float(pi_stationary_ratio(lam, eta, theta, gamma, 7.0))
    assert found == pytest.approx(energy / (1 / (28 * lam) + 4 * eta), rel=1e-11)
    ratio = float(layer_ratio(lam, eta, theta, gamma, kurtosis))
    if ratio < 1.9:
        sigmas = stationary_layers(design, steps, np.eye(1), 2).sigmas
        assert sigmas[1] / sigmas[0] * 2 == pytest.approx(ratio, rel=1e-10)


def test_an_unstable_point_is_nan_not_a_number() -> None:
    found = pi_stationary_ratio(1.0, np.array([0.05, 5.0]), 0.1, np.array([0.1, 5.0]), 3.0)
    assert np.isfinite(found[0])
    assert np.isnan(found[1])


def test_the_energy_ratio_of_one_direction_agrees_with_the_design() -> None:
    design = one(0.3, 3.0)
    p = as_printed_appendix(**constants_of(design), rounds=2, horizon=60)
    rows = {
        r.part: r.ratio
        for r in design_ratios(design, p, NoiseModel.well_specified(np.eye(1)), [1.5])
        if r.statement == "lem:bias-bound"
    }
    for weight, part in ((0.5, "weight theta/(2 gamma), as printed"), (1.0, "weight theta/gamma, as proved")):
        found = float(bias_energy_ratio(0.3, p.eta, p.theta, p.gamma, 3.0, 60, weight))
        assert rows[part] == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_the_proved_inequalities_hold_for_every_kind_of_design(kind: str) -> None:
    rng = np.random.default_rng(52)
    design = random_design(kind, 3, rng)
    p = repaired(**constants_of(design), rounds=4)
    found = design_ratios(design, p, NoiseModel.well_specified(random_noise(3, rng)), rng.standard_normal(3))
    for r in found:
        if "as printed" not in r.part:
            assert 0 <= r.ratio <= 1 + 1e-12, (r.statement, r.part)
    assert len({r.statement for r in found}) == 15


def test_the_statistical_condition_number_is_tight_where_the_layer_trace_meets_it() -> None:
    design = OneHot([0.5, 0.5], [1.0, 1.0])
    p = as_printed_appendix(**constants_of(design), rounds=2, horizon=100)
    found = design_ratios(design, p, NoiseModel.well_specified(np.eye(2)), [1.0, 0.0], depth=1)
    ratio = next(r.ratio for r in found if r.part == "tr(Sigma^-1 R^(1))")
    assert ratio == pytest.approx(0.5, rel=1e-12)  # N drops Sigma X Sigma, half of M here


def test_a_violated_bound_shows_a_ratio_above_one() -> None:
    design = Gaussian(np.diag([0.1, 1.0]))
    p = as_printed_appendix(**constants_of(design), rounds=2, horizon=2)
    found = {r.statement: r.ratio for r in design_ratios(design, p, NoiseModel.well_specified(np.eye(2)), [1.0, 1.0])}
    assert found["lem:r-bound"] > 1  # T = 2 cannot have removed the bias
    assert found["lem:v-bound"] < 1


def test_constants_are_arguments_and_scale_the_ratio() -> None:
    args = (0.3, 0.02, 0.01, 0.2)
    assert float(pi_average_ratio(*args, 100, constant=32.0)) == pytest.approx(2 * float(pi_average_ratio(*args, 100)))
    assert float(a_power_ratio(*args, 5, limit=1.0)) == pytest.approx(2 * float(a_power_ratio(*args, 5)))
    sharper = pi_stationary_ratio(*args, 3.0, first=1 / 16, second=1.0)
    assert float(sharper) == pytest.approx(4 * float(pi_stationary_ratio(*args, 3.0)), rel=1e-14)
    full = bounds.summed_layers(1.0, 2.0, 0.5, 0.1, 3.0, 4.0, 5.0, 6.0, 7.0, 10)
    assert full == pytest.approx((640 * (1 + 7 * 9 * 0.5) + 2560 * 0.1 * 3 * (2 + 7 * 9 * 0.5)) / 10)


def test_arrays_broadcast_and_keep_their_shape() -> None:
    lam, horizon = np.array([[0.1], [0.5]]), np.array([2, 50, 1000])
    found = pi_average_ratio(lam, 0.02, 0.01, 0.2, horizon)
    assert found.shape == (2, 3)
    assert found[1, 2] == pytest.approx(float(pi_average_ratio(0.5, 0.02, 0.01, 0.2, 1000)))


@pytest.mark.parametrize("horizon", [3, 0, 2.0])
def test_a_bad_horizon_is_named(horizon: float) -> None:
    with pytest.raises(ValueError, match="even integers >= 2"):
        pi_average_ratio(0.1, 0.02, 0.01, 0.2, horizon)


def test_a_bad_parameter_is_named() -> None:
    with pytest.raises(ValueError, match="not a positive finite number"):
        pi_stationary_ratio(0.1, 0.02, np.array([0.1, -0.1]), 0.2, 3.0)
    design = Gaussian(np.eye(1))
    p = as_printed_appendix(**constants_of(design), rounds=2, horizon=4)
    with pytest.raises(ValueError, match="cannot be negative"):
        design_ratios(design, p, NoiseModel(np.eye(1), np.eye(1), -1.0), [1.0])


def test_a_table_covers_the_grid_of_designs_and_parameters() -> None:
    designs = [("gaussian", Gaussian(np.diag([0.2, 1.0]))), ("heavy", Elliptical(np.eye(2), kurtosis=4.0))]
    rows = ratio_table(
        designs,
        lambda d: [(f"T={t}", as_printed_appendix(**constants_of(d), rounds=2, horizon=t)) for t in (10, 100)],
        lambda d: NoiseModel.well_specified(d.sigma),
        lambda d: np.ones(d.dim),
        depth=1,
    )
    assert {(r["design"], r["parameters"]) for r in rows} == {(n, t) for n, _ in designs for t in ("T=10", "T=100")}
    assert all(r["ratio"] == pytest.approx(float(r["truth"]) / float(r["bound"])) for r in rows)


def test_printed_steps_meet_the_layer_recursion_with_room() -> None:
    design = Gaussian(np.diag([0.01, 1.0]))
    steps = printed_steps(design)
    sigmas = stationary_layers(design, steps, np.eye(2), 3).sigmas
    assert all(b < a / 2 for a, b in pairwise(sigmas))


def test_every_bound_of_a_design_is_the_printed_formula() -> None:
    design = Gaussian(np.diag([0.2, 1.0]))
    p = as_printed_appendix(
        **constants_of(design), rounds=2, alpha=3.0, smoothness=2.0, horizon=50, noise_b=7.0, noise_l=11.0
    )
    r, q, gap, start = np.diag([1.0, 2.0]), np.array([[3.0, 0.5], [0.5, 4.0]]), 0.25, np.array([1.0, -2.0])
    r_inv, q_inv, tr_q, kt, r2 = 7.0, 19.0, 7.0, 4.0, 1.2 + 2.0
    eta, theta, gamma = 1 / (16 * r2), p.theta, p.gamma
    sigma = stationary_layers(design, p.steps, r, 1)
    trace, inverse = np.trace(sigma.noises[1]), np.sum(np.diagonal(sigma.noises[1]) / [0.2, 1.0])
    inner = core_average(design, p.steps, sigma.noises[1], 50)
    zero = 5 * (q_inv + 2 * (11 + kt) * gap) / (4 * kt) + 20 * eta * (tr_q + 2 * (7 + r2) * gap)
    expected = {
        ("lem:noise-bound-Sigma-inverse", "tr(Sigma^-1 R)"): 5 * q_inv + 5 * 2 * (11 + kt) * gap,
        ("lem:noise-bound-2-norm", "tr R"): 5 * tr_q + 5 * 2 * (7 + r2) * gap,
        ("lem:Pi-average-bound", "M = R"): 64 * r_inv / 50,
        ("lem:Pi-stationary-bound", "layer 0"): r_inv / (4 * kt) + 4 * eta * 3,
        ("lem:var-tilde-C-l-bound", "layer 1"): inverse / (4 * kt) + 4 * eta * trace,
        ("lem:var-fourth-moment", "tr R^(1)"): r2 * sigma.sigmas[0],
        ("lem:var-fourth-moment", "tr(Sigma^-1 R^(1))"): kt * sigma.sigmas[0],
        ("lem:var-sigma-l-recursion", "sigma^(1)"): sigma.sigmas[0] / 2,
        ("lem:L-var-C-tilde", "layer 0"): 320 * q_inv / 50 + 320 * (11 + kt) * gap / 50,
        ("lem:var-tilde-C-bound", "sigma^(0)"): (5 * q_inv + 5 * (11 + kt) * gap) / (4 * kt)
        + 20 * eta * tr_q
        + 20 * eta * (7 + r2) * gap,
        ("lem:L-var-l-bound", "layer 1 against Pi(R^(1))"): inner,
        ("lem:L-var-l-bound", "Pi(R^(1))"): 64 * inverse / 50,
        ("lem:L-var-bound-C-l", "layer 1"): 64 * kt / 50 * zero,
        ("lem:C-1-bound", "all layers from 1"): (640 * q_inv + 640 * 2 * (11 + kt) * gap) / 50
        + (2560 * eta * kt * tr_q + 2560 * eta * kt * 2 * (7 + r2) * gap) / 50,
        ("lem:v-bound", "E|v|^2_Sigma"): 320 * (3 * q_inv + 8 * eta * kt * 2 * tr_q) / 50
        + 160 * 2 * (6 * 11 + kt * (7 + 16 * eta * 7)) * gap / 50,
        ("lem:bias-bound", "weight theta/(2 gamma), as printed"): (1 - theta) ** 50 * (5 + theta / (2 * gamma) * 9),
        ("lem:bias-bound", "weight theta/gamma, as proved"): (1 - theta) ** 50 * (5 + theta / gamma * 9),
        ("lem:r-bound", "E|r|^2_Sigma"): 2 / (8 * 3) * 4.2,
    }
    found = design_ratios(design, p, NoiseModel(r, q, gap), start, depth=1)
    assert {(x.statement, x.part) for x in found} == set(expected)
    for x in found:
        assert x.bound == pytest.approx(expected[x.statement, x.part], rel=1e-12), (x.statement, x.part)
