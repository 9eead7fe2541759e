"""General designs in O(log T): against stepping, exact balls, brute force over all paths, and its stated memory."""

from __future__ import annotations

import tracemalloc
import warnings

import numpy as np
import pytest

from numerics.covariance import (
    ConditioningWarning,
    Definition,
    balls,
    bias_average,
    bias_covariance,
    closed_bytes,
    covariance,
    enumerate_paths,
    frame,
    half_vector,
    layer_averages,
    peel,
    variance_average,
)
from numerics.covariance.half_vector import HalfVector
from numerics.covariance.paths import as_floats
from numerics.designs import Design, Empirical, FiniteSupport, Gaussian
from numerics.operators import Blocks, StepSizes, apply_second_moment, noise_blocks
from numerics.trajectories import tail_risk_curves

from .dynamics_support import apart, printed_steps, random_design, random_noise

GENERAL = ("finite", "mixed")


def setting(kind: str, d: int, seed: int = 0) -> tuple[Design, StepSizes, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    design = random_design(kind, d, rng)
    return design, printed_steps(design), random_noise(d, rng), rng.standard_normal(d)


@pytest.mark.parametrize("kind", GENERAL)
@pytest.mark.parametrize(("d", "horizon"), [(1, 10**5), (2, 1000), (4, 10**5), (8, 20_000), (16, 2000)])
def test_doubling_has_the_digits_of_the_loop(kind: str, d: int, horizon: int) -> None:
    design, steps, noise, start = setting(kind, d)
    pairs = [(covariance, noise), (bias_covariance, start)]
    for call, given in pairs[: 1 if horizon > 5000 else 2]:
        found, stepped = (call(design, steps, given, horizon, m) for m in ("closed", "loop"))  # type: ignore[operator]
        assert apart(found, stepped) < 1e-10
    if horizon <= 20_000:
        found, stepped = (variance_average(design, steps, noise, horizon, m) for m in ("closed", "loop"))  # type: ignore[arg-type]
        assert found == pytest.approx(stepped, rel=1e-10)


@pytest.mark.parametrize("kind", GENERAL)
@pytest.mark.parametrize("horizon", [2, 4, 50, 400])
def test_layers_and_tail_averages_have_the_digits_of_the_loop(kind: str, horizon: int) -> None:
    design, steps, noise, start = setting(kind, 3)
    found, stepped = (peel(design, steps, noise, horizon, 2, m) for m in ("closed", "loop"))  # type: ignore[arg-type]
    for a, b in zip((*found.layers, found.remainder), (*stepped.layers, stepped.remainder), strict=True):
        assert a.full() == pytest.approx(b.full(), rel=1e-10, abs=1e-18)
    for call in (
        lambda m: layer_averages(design, steps, noise, horizon, 2, m),
        lambda m: bias_average(design, steps, start, horizon, m),
        lambda m: variance_average(design, steps, noise, horizon, m),
    ):
        assert call("closed") == pytest.approx(call("loop"), rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("kind", GENERAL)
@pytest.mark.parametrize("horizon", [10**3, 10**6, 10**9])
@pytest.mark.parametrize("scale", [1.0, 1e-4])
def test_doubling_is_right_to_fourteen_digits_against_balls(kind: str, horizon: int, scale: float) -> None:
    design, _, noise, _ = setting(kind, 2)
    steps, field = printed_steps(design, scale), balls(2000)
    with field.precision():
        it = Definition.of(design, steps, field)
        truth = it.blocks(it.leap(it.zero(), it.noise(field.from_array(noise)), horizon))
    assert apart(covariance(design, steps, noise, horizon, "closed"), truth) < 5e-14


@pytest.mark.parametrize("horizon", [2, 4, 6])
def test_doubling_is_the_average_over_all_sample_paths(horizon: int) -> None:
    atoms, weights = np.array([[1.0, 0.5], [-0.5, 1.0], [0.25, -1.5]]), np.array([0.5, 0.25, 0.25])
    steps, start = StepSizes(0.0625, 0.125, 0.375), np.array([1.0, -2.0])
    paths = enumerate_paths(atoms, weights, [0, 0, 0], steps, start, horizon)
    design = FiniteSupport(atoms, weights)
    found = bias_covariance(design, steps, start, horizon, "closed")
    assert apart(found, Blocks.from_full(as_floats(paths.final))) < 1e-13
    risk = float(paths.tail_risk(design.sigma))
    assert bias_average(design, steps, start, horizon, "closed") == pytest.approx(risk, rel=1e-13)


def test_packing_and_unpacking_a_state_changes_nothing() -> None:
    design, steps, _, _ = setting("finite", 3)
    half, rng = HalfVector(frame(design, steps)), np.random.default_rng(1)
    packed = rng.standard_normal(half.size)
    assert half.size == 21
    assert np.array_equal(half.pack(half.unpack(packed)), packed)


@pytest.mark.parametrize("depth", [None, 0, 2])
@pytest.mark.parametrize("d", [4, 8])
def test_the_memory_that_is_stated_suffices(d: int, depth: int | None) -> None:
    design, steps, noise, _ = setting("finite", d)

    def work() -> None:
        if depth is None:
            covariance(design, steps, noise, 1000, "closed")
        else:
            layer_averages(design, steps, noise, 1000, depth, "closed")

    work()
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    stated = closed_bytes(d, 0 if depth is None else depth + 1, tail=depth is not None)
    assert peak < stated + 200_000
    assert stated < 3 * peak + 200_000


def test_above_the_budget_closed_is_refused_with_the_number_and_auto_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    design, steps, noise, _ = setting("finite", 4)
    stepped = covariance(design, steps, noise, 5000, "loop"), variance_average(design, steps, noise, 5000, "loop")
    monkeypatch.setattr(half_vector, "MEMORY_BUDGET", 1 << 10)
    for call in (covariance, variance_average):
        with pytest.raises(ValueError, match=r"couples 36 moments; doubling needs 0\.0 GiB.*use method='loop'"):
            call(design, steps, noise, 5000, "closed")
    assert np.array_equal(covariance(design, steps, noise, 5000).c22, stepped[0].c22)
    assert variance_average(design, steps, noise, 5000) == stepped[1]


def test_a_design_of_a_hundred_dimensions_is_refused_before_anything_is_allocated() -> None:
    rng = np.random.default_rng(0)
    design = Empirical(rng.standard_normal((150, 100)))
    with pytest.raises(ValueError, match=r"d = 100 couples 20100 moments; doubling needs 27\.1 GiB"):
        covariance(design, printed_steps(design), np.eye(100), 4, "closed")


@pytest.mark.parametrize("d", [2, 40])
def test_the_loop_is_the_same_with_the_excess_as_a_matrix_or_applied(d: int) -> None:
    design, steps, noise, _ = setting("finite", d)
    state = Blocks.zeros(d)
    for _ in range(5):
        state = apply_second_moment(design, steps, state) + noise_blocks(steps, noise)
    assert apart(covariance(design, steps, noise, 5, "loop"), state) < 1e-11


def test_tail_curves_of_a_general_design_reach_a_million_steps() -> None:
    design, steps, noise, start = setting("finite", 3)
    curves = tail_risk_curves(design, steps, noise, start, [100, 10**6], depth=1)
    truth = layer_averages(design, steps, noise, 100, 1, "loop")
    assert [curves[p][0] for p in ("layer 0", "layer 1", "remainder")] == pytest.approx(truth, rel=1e-10)
    assert curves["variance"][1] == pytest.approx(variance_average(design, steps, noise, 10**6, "closed"), rel=1e-10)


@pytest.mark.parametrize(("exponent", "digits"), [(6, 9), (8, 7), (10, 5)])
def test_a_dense_ill_conditioned_sigma_warns_with_the_digits_that_are_left(exponent: int, digits: int) -> None:
    rng, lam = np.random.default_rng(1), np.logspace(-exponent, 0, 2)
    turn = np.linalg.qr(rng.standard_normal((2, 2)))[0]
    sigma = (turn * lam) @ turn.T
    design, field = Gaussian((sigma + sigma.T) / 2), balls(2000)
    steps = printed_steps(design)
    with pytest.warns(ConditioningWarning, match=f"dense with condition number .* about {digits} right digits"):
        found = covariance(design, steps, design.sigma, 10**5)
    with field.precision():
        it = Definition.of(design, steps, field)
        truth = it.blocks(it.leap(it.zero(), it.noise(field.from_array(design.sigma)), 10**5))
    assert apart(found, truth) < 10.0**-digits


@pytest.mark.parametrize("design", [Gaussian(np.diag([1e-12, 1.0])), Gaussian([[1.0, 0.5], [0.5, 1.0]])])
def test_a_diagonal_or_well_conditioned_sigma_does_not_warn(design: Gaussian) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        covariance(design, printed_steps(design), np.eye(2), 10)
