"""Accuracy against Arb: ill-conditioned Sigma, tiny theta, equal eigenvalues, one dimension, horizons up to 1e9."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.covariance import (
    Definition,
    balls,
    bias_covariance,
    core_covariance,
    covariance,
    peel,
    stationary_core,
    stationary_covariance,
    stationary_layers,
)
from numerics.designs import Gaussian, OneHot, StudentT
from numerics.operators import Array, Blocks, StepSizes

from .dynamics_support import apart, printed_steps, random_noise

FIELD = balls(1500)
SPECTRA = {
    "condition number 1e12": [1e-12, 1.0],
    "equal eigenvalues": [1.0, 1.0],
    "one dimension": [0.3],
    "condition number 1e6": [1e-6, 1.0],
}


def setting(name: str, scale: float) -> tuple[Gaussian, StepSizes, Array]:
    lam = np.array(SPECTRA[name])
    design = Gaussian(np.diag(lam))
    noise = np.sqrt(np.outer(lam, lam)) * random_noise(len(lam), np.random.default_rng(1))
    return design, printed_steps(design, scale), noise


def entrywise(found: Blocks, truth: Blocks) -> float:
    return max(float(np.max(np.abs(a / b - 1))) for a, b in zip(_parts(found), _parts(truth), strict=True))


def _parts(c: Blocks) -> tuple[Array, Array, Array]:
    return c.c11, c.c12, c.c22


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("scale", [1.0, 1e-8])
@pytest.mark.parametrize(("horizon", "accuracy"), [(2, 2e-15), (1000, 5e-15), (10**6, 5e-14), (10**9, 1e-11)])
def test_the_closed_form_is_right_entry_by_entry(name: str, scale: float, horizon: int, accuracy: float) -> None:
    design, steps, noise = setting(name, scale)
    with FIELD.precision():
        it = Definition.of(design, steps, FIELD)
        truth = it.blocks(it.leap(it.zero(), it.noise(FIELD.from_array(noise)), horizon))
    assert entrywise(covariance(design, steps, noise, horizon, "closed"), truth) < accuracy


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("scale", [1.0, 1e-8])
def test_the_loop_keeps_eleven_digits_over_a_hundred_thousand_steps(name: str, scale: float) -> None:
    design, steps, noise = setting(name, scale)
    with FIELD.precision():
        it = Definition.of(design, steps, FIELD)
        truth = it.blocks(it.leap(it.zero(), it.noise(FIELD.from_array(noise)), 100_000))
    assert apart(covariance(design, steps, noise, 100_000, "loop"), truth) < 1e-11


@pytest.mark.parametrize("method", ["closed", "loop"])
def test_a_bias_that_has_decayed_by_many_orders_keeps_its_digits(method: str) -> None:
    design = Gaussian(np.diag([0.5, 1.0]))
    steps, start = printed_steps(design), np.array([1.0, -2.0])
    with FIELD.precision():
        it = Definition.of(design, steps, FIELD)
        truth = it.blocks(it.leap(it.start(start), it.zero(), 2000))
    assert np.max(np.abs(truth.full())) < 1e-15
    assert apart(bias_covariance(design, steps, start, 2000, method), truth) < 1e-11  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("scale", [1.0, 1e-8])
def test_stationary_covariances_are_right_entry_by_entry(name: str, scale: float) -> None:
    design, steps, noise = setting(name, scale)
    with FIELD.precision():
        it = Definition.of(design, steps, FIELD)
        push = it.noise(FIELD.from_array(noise))
        whole, core = (it.blocks(it.stationary(push, mean_only=only)) for only in (False, True))
    assert entrywise(stationary_covariance(design, steps, noise), whole) < 3e-15
    assert entrywise(stationary_core(design, steps, noise), core) < 3e-15


@pytest.mark.parametrize(
    "design", [StudentT(np.diag([0.1, 1.0]), nu=6.0), OneHot([0.3, 0.7], [2.0, 1.0])], ids=["student", "onehot"]
)
def test_layers_at_a_long_horizon_reach_their_limits_and_add_up(design: StudentT | OneHot) -> None:
    steps, noise = printed_steps(design), random_noise(2, np.random.default_rng(2))
    limits = stationary_layers(design, steps, noise, 3)
    found = peel(design, steps, noise, 10**7, 3, "closed")
    for layer, limit in zip((*found.layers, found.remainder), (*limits.layers, limits.remainder), strict=True):
        assert apart(layer, limit) < 1e-12
    total = sum(limits.layers[1:], limits.layers[0]) + limits.remainder
    assert apart(total, stationary_covariance(design, steps, noise)) < 1e-14


def test_core_covariance_of_a_long_horizon_is_its_limit() -> None:
    design, steps, noise = setting("condition number 1e6", 1.0)
    assert apart(core_covariance(design, steps, noise, 10**9), stationary_core(design, steps, noise)) < 1e-13


def test_a_ball_without_enough_digits_is_refused() -> None:
    design, steps, noise = setting("one dimension", 1.0)
    poor = balls(60)
    with poor.precision():
        it = Definition.of(design, steps, poor)
        last = it.variance_sequence(poor.from_array(noise), 60)[-1]
        with pytest.raises(ArithmeticError, match="ask for more bits"):
            it.blocks(last)
