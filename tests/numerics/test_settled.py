"""Where a general design has mixed, C_T is read from its limit: never too early, never when there is none."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.covariance import bias_covariance, covariance, dynamics, peel, spectral_radius
from numerics.covariance.frame import frame
from numerics.covariance.settled import limits_if_reached
from numerics.designs import Empirical, FiniteSupport
from numerics.operators import StepSizes

from .dynamics_support import apart, printed_steps, random_design, random_noise


@pytest.fixture(autouse=True)
def limits_from_one_dimension_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynamics, "LIMIT_WINS", 1)


def setting(d: int = 3, seed: int = 0) -> tuple[FiniteSupport, StepSizes, np.ndarray]:
    rng = np.random.default_rng(seed)
    design = random_design("finite", d, rng)
    assert isinstance(design, FiniteSupport)
    return design, printed_steps(design), random_noise(d, rng)


def first_settled(design: FiniteSupport, steps: StepSizes, noise: np.ndarray) -> int:
    view = frame(design, steps)
    low, high = 1, 1 << 22
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if limits_if_reached(view, noise, middle, 0) else (middle, high)
    return high


@pytest.mark.parametrize("seed", range(4))
def test_at_the_first_horizon_that_counts_as_settled_the_loop_has_the_same_digits(seed: int) -> None:
    design, steps, noise = setting(seed=seed)
    border = first_settled(design, steps, noise)
    assert border < 50 / (1 - spectral_radius(design, steps)) * 6
    for horizon in (border - 1, border, border + 1):
        found, stepped = (covariance(design, steps, noise, horizon, m) for m in ("closed", "loop"))  # type: ignore[arg-type]
        assert apart(found, stepped) < 1e-10


def test_the_limits_of_layers_are_those_of_the_loop() -> None:
    design, steps, noise = setting()
    horizon = 2 * first_settled(design, steps, noise)
    found, stepped = (peel(design, steps, noise, horizon, 3, m) for m in ("closed", "loop"))  # type: ignore[arg-type]
    for a, b in zip((*found.layers, found.remainder), (*stepped.layers, stepped.remainder), strict=True):
        assert apart(a, b) < 1e-10


def test_a_settled_horizon_takes_no_step_and_no_doubling(monkeypatch: pytest.MonkeyPatch) -> None:
    design, steps, noise = setting()

    def refuse(*_: object) -> None:
        raise AssertionError("it evolved")

    monkeypatch.setattr(dynamics, "evolve", refuse)
    covariance(design, steps, noise, 10**9)
    with pytest.raises(AssertionError, match="it evolved"):
        covariance(design, steps, noise, 10**9, "loop")
    with pytest.raises(AssertionError, match="it evolved"):
        bias_covariance(design, steps, np.ones(3), 10**9)


def test_unstable_dynamics_have_no_limit() -> None:
    design, steps, noise = setting()
    fast = StepSizes(steps.eta * 40, steps.theta, steps.gamma * 40)
    assert spectral_radius(design, fast) > 1
    assert limits_if_reached(frame(design, fast), noise, 10**6, 0) is None
    found, stepped = (covariance(design, fast, noise, 40, m) for m in ("closed", "loop"))  # type: ignore[arg-type]
    assert apart(found, stepped) < 1e-10


def test_stable_means_with_unstable_second_moments_have_no_limit() -> None:
    atoms = np.array([[1.0, 0.2], [0.1, 40.0], [0.9, -0.1]])
    design = FiniteSupport(atoms, np.array([0.6, 0.002, 0.398]))
    steps = StepSizes(0.01, 0.05, 0.02)
    assert np.all(steps.mean_gap(design.eigenvalues) > 0)
    assert spectral_radius(design, steps) > 1
    assert limits_if_reached(frame(design, steps), np.eye(2), 10**6, 0) is None


def test_noise_that_leaves_a_direction_at_rest_is_not_called_settled_on_rounding() -> None:
    atoms = np.array([[1.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    design, noise = FiniteSupport(atoms), np.diag([1.0, 0.0])
    steps = printed_steps(design)
    found, stepped = (covariance(design, steps, noise, 50_000, m) for m in ("closed", "loop"))  # type: ignore[arg-type]
    assert apart(found, stepped) < 1e-10
    assert found.c22[1, 1] == stepped.c22[1, 1] == 0.0


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_the_units_of_the_data_do_not_matter(scale: float) -> None:
    rng = np.random.default_rng(5)
    rows, noise = rng.standard_normal((12, 2)), random_noise(2, rng)
    design = Empirical(rows * scale)
    steps = printed_steps(design)
    found, stepped = (covariance(design, steps, noise, 40_000, m) for m in ("auto", "loop"))  # type: ignore[arg-type]
    assert apart(found, stepped) < 1e-10


def test_no_noise_stays_no_noise() -> None:
    design, steps, _ = setting()
    assert not covariance(design, steps, np.zeros((3, 3)), 10**8).full().any()


def test_in_sixteen_dimensions_a_million_steps_have_the_digits_of_the_loop_after_a_mixing_time() -> None:
    rng = np.random.default_rng(0)
    design, noise = FiniteSupport(rng.standard_normal((64, 16))), random_noise(16, rng)
    steps = printed_steps(design, scale=8.0)
    far, stepped = covariance(design, steps, noise, 10**6), covariance(design, steps, noise, 20_000, "loop")
    assert limits_if_reached(frame(design, steps), frame(design, steps).into(noise), 10**6, 0) is not None
    assert apart(far, stepped) < 1e-10
