"""The sharper readings of the inner loop against its exact dynamics: the two sides share no formula."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.covariance import bias_average, core_average, layer_averages, stationary_layers, variance_average
from numerics.designs import Design, Gaussian, OneHot
from numerics.operators import Array, StepSizes
from tests.numerics.dynamics_support import KINDS, printed_steps, random_design, random_noise

HORIZONS = (2, 6, 40, 1000)


def inverse_trace(design: Design, matrix: Array) -> float:
    turned = design.eigenvectors.T @ matrix @ design.eigenvectors
    return float(np.sum(np.diagonal(turned) / design.eigenvalues))


def rate(horizon: int, steps: StepSizes) -> float:
    root = (1 - steps.theta) ** (horizon / 4)
    return 2 / horizon * (1 + (1 + root) / (horizon * steps.theta))


def many(seed: int, dims: tuple[int, ...] = (1, 3)) -> list[tuple[Design, StepSizes, Array]]:
    """Designs of every kind, the paper's step sizes, and noise that does not commute with Sigma."""
    rng = np.random.default_rng(seed)
    designs = [random_design(kind, d, rng) for kind in KINDS for d in dims]
    designs += [Gaussian(np.diag(np.geomspace(1e-6, 1.0, 6))), OneHot(np.array([0.001, 0.099, 0.9]), np.ones(3))]
    return [(design, printed_steps(design), random_noise(design.dim, rng)) for design in designs]


@pytest.mark.parametrize("horizon", HORIZONS)
def test_the_core_average_is_below_two_over_t(horizon: int) -> None:
    for design, steps, noise in many(1):
        truth = core_average(design, steps, noise, horizon)
        assert truth <= rate(horizon, steps) * inverse_trace(design, noise) * (1 + 1e-9), design


def test_two_over_t_cannot_be_lowered() -> None:
    for design, steps, noise in many(2):
        horizon = 2 * int(200 / steps.theta)
        assert core_average(design, steps, noise, horizon) >= 1.9 / horizon * inverse_trace(design, noise), design


@pytest.mark.parametrize("horizon", HORIZONS)
def test_the_variance_is_below_the_composed_bound(horizon: int) -> None:
    for design, steps, noise in many(3):
        near, far = inverse_trace(design, noise), float(np.trace(noise))
        bound = rate(horizon, steps) * (29 / 28 * near + 4 / 7 * steps.eta * design.kappa_tilde * far)
        assert variance_average(design, steps, noise, horizon) <= bound * (1 + 1e-9), design


@pytest.mark.parametrize("horizon", HORIZONS)
def test_all_layers_from_one_on_are_below_their_geometric_sum(horizon: int) -> None:
    for design, steps, noise in many(4):
        layers = layer_averages(design, steps, noise, horizon, 3)
        sigma = stationary_layers(design, steps, noise, 1).sigmas[0]
        bound = 15 / 14 * rate(horizon, steps) * design.kappa_tilde * sigma
        assert layers[1:].sum() <= bound * (1 + 1e-9), design


def test_each_stationary_layer_is_a_fifteenth_of_the_one_below() -> None:
    for design, steps, noise in many(5):
        sigmas = np.asarray(stationary_layers(design, steps, noise, 4).sigmas)
        assert np.all(15 * sigmas[1:] <= sigmas[:-1] + 1e-9 * sigmas[0]), design


def test_the_stationary_bound_holds_with_two_fifteenths_of_its_constants() -> None:
    for design, steps, noise in many(6):
        sigma = stationary_layers(design, steps, noise, 1).sigmas[0]
        near, far = inverse_trace(design, noise), float(np.trace(noise))
        assert sigma <= (near / (30 * design.kappa_tilde) + 8 / 15 * steps.eta * far) * (1 + 1e-9), design


@pytest.mark.parametrize("horizon", HORIZONS)
def test_the_bias_is_below_its_bound_for_every_even_horizon(horizon: int) -> None:
    rng = np.random.default_rng(7)
    for design, steps, _ in many(7):
        start = rng.standard_normal(design.dim)
        gradient = float(start @ design.eigenvectors @ (design.eigenvalues * (design.eigenvectors.T @ start)))
        power = (1 - steps.theta) ** (horizon // 2)
        bound = design.condition_number * power * (1 + power) * gradient
        assert bias_average(design, steps, start, horizon) <= bound * (1 + 1e-9), design
