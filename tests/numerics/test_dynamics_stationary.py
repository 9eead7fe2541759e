"""Stability and limits: the structured spectral radius against the operator written out, and clear refusals."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.covariance import (
    Definition,
    UnstableDynamicsError,
    balls,
    covariance,
    spectral_radius,
    stability,
    stationary_core,
    stationary_covariance,
    stationary_layers,
)
from numerics.designs import RADEMACHER, Design, FiniteSupport, Gaussian, IndependentCoordinates
from numerics.operators import Blocks, StepSizes, apply_second_moment

from .dynamics_support import KINDS, apart, printed_steps, random_design, random_noise


def radius_by_hand(design: Design, steps: StepSizes) -> float:
    """The largest eigenvalue modulus of B written out on symmetric matrices."""
    n = 2 * design.dim
    keys = [(i, j) for i in range(n) for j in range(i, n)]
    columns = []
    for i, j in keys:
        unit = np.zeros((n, n))
        unit[i, j] = unit[j, i] = 1.0
        image = apply_second_moment(design, steps, Blocks.from_full(unit)).full()
        columns.append([image[k] for k in keys])
    return float(np.max(np.abs(np.linalg.eigvals(np.array(columns).T))))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", [30.0, 300.0])
def test_the_spectral_radius_is_that_of_the_operator_written_out(kind: str, scale: float) -> None:
    design = random_design(kind, 3, np.random.default_rng(11))
    base = printed_steps(design)
    steps = StepSizes(base.eta * scale, base.theta, base.gamma * scale)
    assert spectral_radius(design, steps) == pytest.approx(radius_by_hand(design, steps), abs=2e-7)


@pytest.mark.parametrize("kind", ["gaussian", "finite", "onehot"])
def test_stable_and_unstable_sides_are_told_apart(kind: str) -> None:
    design = random_design(kind, 2, np.random.default_rng(12))
    base = printed_steps(design)

    def at(scale: float) -> StepSizes:
        return StepSizes(base.eta * scale, base.theta, base.gamma * scale)

    low, high = 1.0, 1000.0
    assert stability(design, at(low)).stable
    assert not stability(design, at(high)).stable
    for _ in range(40):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if stability(design, at(middle)).stable else (low, middle)
    noise = np.eye(2)
    assert np.all(np.isfinite(stationary_covariance(design, at(low * 0.99), noise).c11))
    with pytest.raises(UnstableDynamicsError, match="lower eta"):
        stationary_covariance(design, at(high * 1.01), noise)


@pytest.mark.parametrize("kind", KINDS)
def test_the_limit_is_the_fixed_point_of_the_definition(kind: str) -> None:
    rng = np.random.default_rng(13)
    design = random_design(kind, 2, rng)
    steps, noise, field = printed_steps(design, 10.0), random_noise(2, rng), balls(300)
    with field.precision():
        it = Definition.of(design, steps, field)
        push = it.noise(field.from_array(noise))
        whole, core = (it.blocks(it.stationary(push, mean_only=only)) for only in (False, True))
    assert apart(stationary_covariance(design, steps, noise), whole) < 1e-12
    assert apart(stationary_core(design, steps, noise), core) < 1e-13


@pytest.mark.parametrize("kind", ["student", "finite", "mixed"])
def test_a_long_run_reaches_the_limit_at_the_rate_of_the_spectral_radius(kind: str) -> None:
    rng = np.random.default_rng(14)
    design = random_design(kind, 2, rng)
    steps, noise = printed_steps(design, 12.0), random_noise(2, rng)
    rate, limit = stability(design, steps), stationary_covariance(design, steps, noise)
    horizon = int(12 / rate.gap)
    distance = [apart(covariance(design, steps, noise, t), limit) for t in (horizon // 2, horizon)]
    assert distance[1] < 1e-2 * distance[0] < 1e-3
    assert np.log(distance[0] / distance[1]) == pytest.approx(horizon / 2 * -np.log1p(-rate.gap), rel=0.35)


@pytest.mark.parametrize("kind", ["gaussian", "finite", "laplace"])
def test_the_layer_ratio_tends_to_the_radius_of_the_layer_map(kind: str) -> None:
    rng = np.random.default_rng(15)
    design = random_design(kind, 3, rng)
    steps = printed_steps(design, 8.0)
    sigmas = stationary_layers(design, steps, random_noise(3, rng), 25).sigmas
    assert sigmas[-1] / sigmas[-2] == pytest.approx(stability(design, steps).layer_ratio, rel=1e-6)


def test_a_design_without_fourth_moment_noise_has_the_radius_of_its_mean() -> None:
    design = IndependentCoordinates(np.array([[0.7]]), RADEMACHER)  # a^2 is constant, so N = 0
    steps = printed_steps(design)
    found = stability(design, steps)
    assert found.layer_ratio == pytest.approx(0.0, abs=1e-15)
    assert found.gap == pytest.approx(found.mean_gap * (2 - found.mean_gap), rel=1e-10)
    same = FiniteSupport(np.array([[0.7], [-0.7]]))
    assert stability(same, steps).gap == pytest.approx(found.gap, rel=1e-10)


def test_an_unstable_mean_is_refused_with_its_eigenvalue() -> None:
    design = Gaussian(np.diag([0.5, 1.0]))
    with pytest.raises(UnstableDynamicsError, match=r"A\(lambda\) has spectral radius .* at lambda = 1 "):
        stationary_core(design, StepSizes(5.0, 0.1, 5.0), np.eye(2))


def test_the_gap_is_accurate_when_theta_is_tiny() -> None:
    design = Gaussian(np.diag([1e-12, 1.0]))
    steps = printed_steps(design)
    found = stability(design, steps)
    # near theta -> 0 the slowest direction is mu, whose block decays like theta: 1 - radius(A) is about theta
    assert found.mean_gap == pytest.approx(steps.theta, rel=0.05)
    assert 0 < found.gap < 2.1 * found.mean_gap
