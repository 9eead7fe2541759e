"""L_var: double sum, O(T) loop and O(log T) closed form agree, and the functional has the paper's properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.covariance import (
    RATIONAL,
    Definition,
    Field,
    balls,
    bias_average,
    core_average,
    core_covariance,
    covariance,
    frame,
    l_var,
    layer_averages,
    reference,
    variance_average,
)
from numerics.covariance.fields import as_float
from numerics.designs import Design, Gaussian
from numerics.operators import Array, Blocks, StepSizes

from .dynamics_support import cases, printed_steps, random_design, random_noise

Case = tuple[Design, StepSizes, Array, Array]
EVEN = st.sampled_from((2, 4, 6, 10))


def methods(design: Design, steps: StepSizes) -> tuple[str, ...]:
    closed = ("closed",) if frame(design, steps).excess is not None else ()
    return ("auto", "loop", "reference", *closed)


@settings(max_examples=25, deadline=None)
@given(cases(), EVEN)
def test_every_method_gives_the_exact_averages(case: Case, horizon: int) -> None:
    design, steps, noise, start = case
    exact = {
        variance_average: reference.l_var_values(design, steps, horizon, noise=noise, field=RATIONAL)[0],
        bias_average: reference.l_var_values(design, steps, horizon, start=start, field=RATIONAL)[0],
    }
    for method in methods(design, steps):
        for function, truth in exact.items():
            argument = noise if function is variance_average else start
            assert function(design, steps, argument, horizon, method) == pytest.approx(truth, rel=1e-12), method


@settings(max_examples=15, deadline=None)
@given(cases(most=2), EVEN)
def test_the_core_average_has_a_closed_form_for_every_design(case: Case, horizon: int) -> None:
    design, steps, noise, _ = case
    truth = reference.l_var_values(design, steps, horizon, noise=noise, mean_only=True, field=RATIONAL)[0]
    for method in ("auto", "loop", "closed", "reference"):
        assert core_average(design, steps, noise, horizon, method) == pytest.approx(truth, rel=1e-12)  # type: ignore[arg-type]


@settings(max_examples=15, deadline=None)
@given(cases(most=2), st.sampled_from((6, 8)))
def test_layer_averages_are_exact_and_add_up_to_the_variance(case: Case, horizon: int) -> None:
    design, steps, noise, _ = case
    truth = reference.l_var_values(design, steps, horizon, noise=noise, depth=2, field=RATIONAL)
    for method in methods(design, steps):
        found = layer_averages(design, steps, noise, horizon, 2, method)  # type: ignore[arg-type]
        assert np.allclose(found, truth, rtol=1e-11, atol=1e-15 * truth[0])
        assert np.sum(found) == pytest.approx(variance_average(design, steps, noise, horizon), rel=1e-12)


@pytest.mark.parametrize("kind", ["gaussian", "finite"])
def test_the_functional_of_a_sequence_agrees_with_the_recursion(kind: str) -> None:
    rng = np.random.default_rng(31)
    design, noise = random_design(kind, 3, rng), random_noise(3, rng)
    steps, horizon = printed_steps(design), 20
    sequence = [covariance(design, steps, noise, t) for t in range(horizon // 2 + 1, horizon + 1)]
    assert l_var(design, steps, sequence, horizon) == pytest.approx(
        variance_average(design, steps, noise, horizon), rel=1e-11
    )


def test_the_functional_is_linear_and_monotone() -> None:
    rng = np.random.default_rng(32)
    design = random_design("student", 3, rng)
    steps, horizon = printed_steps(design), 12

    def positive() -> list[Blocks]:
        factors = rng.standard_normal((horizon // 2, 6, 6))
        return [Blocks.from_full(f @ f.T) for f in factors]

    one, two = positive(), positive()
    both = [2 * a + 3 * b for a, b in zip(one, two, strict=True)]
    value = [l_var(design, steps, s, horizon) for s in (one, two, both)]
    assert value[2] == pytest.approx(2 * value[0] + 3 * value[1], rel=1e-12)
    # monotone in the paper's sense needs X_t <= Y_t for all t: take sequences of one matrix, as in its use
    core = [core_covariance(design, steps, np.eye(3), t) for t in range(horizon // 2 + 1, horizon + 1)]
    more = [c + core_covariance(design, steps, np.diag([1.0, 0.0, 2.0]), t + 7) for t, c in enumerate(core)]
    assert l_var(design, steps, core, horizon) <= l_var(design, steps, more, horizon)


@pytest.mark.parametrize("scale", [1.0, 1e-6])
def test_the_closed_form_is_within_1e_14_of_arb_in_sixteen_dimensions(scale: float) -> None:
    lam = 1 / np.arange(1.0, 17.0)
    design = Gaussian(np.diag(lam))
    steps, horizon, field = printed_steps(design, scale), 10**6, balls(2000)
    with field.precision():
        truth = [_one_direction(field, float(x), steps, horizon) for x in lam]
    exact = float(np.sum(truth))
    assert core_average(design, steps, np.eye(16), horizon) == pytest.approx(exact, rel=1e-14)


def _one_direction(f: Field, lam: float, steps: StepSizes, horizon: int) -> float:
    """L_var({Pi_t(1)}) of a one-dimensional design by squaring its (C, E s eta, E s^2, 1) recursion in balls."""
    it = Definition.of(Gaussian(np.array([[lam]])), steps, f)
    (g, bottom), c = (f.entry(it.mean, 0, 1), f.entry(it.mean, 1, 1)), it.c
    one, zero, eta, q = f.scalar(1), f.scalar(0), it.eta, it.q
    # state: xx, xy, yy, E s x, E s y, E s^2, 1
    moved = [
        [zero, zero, g * g, zero, zero, zero, eta * eta],
        [zero, -c * g, g * bottom, zero, zero, zero, eta * q],
        [c * c, -2 * c * bottom, bottom * bottom, zero, zero, zero, q * q],
    ]
    cross = [
        [moved[0][k] + (g if k == 4 else zero) for k in range(7)],
        [moved[1][k] + (-c if k == 3 else bottom if k == 4 else zero) for k in range(7)],
    ]
    total = [moved[0][k] + (2 * g if k == 4 else one if k == 5 else zero) for k in range(7)]
    constant = [zero] * 6 + [one]
    early = f.matrix([*moved, [zero] * 7, [zero] * 7, [zero] * 7, constant])
    late = f.matrix([*moved, *cross, total, constant])
    vector = f.matrix([[zero]] * 6 + [[one]])
    for phase in (early, late):
        steps_left, power = horizon // 2, phase
        while steps_left:
            if steps_left & 1:
                vector = power * vector
            steps_left >>= 1
            power = power * power
    value = vector[5, 0] * 4 * f.scalar(lam) / (f.scalar(horizon) * horizon)
    return as_float(value)  # refuses a ball without 53 right bits


@pytest.mark.parametrize("method", ["loop", "closed"])
def test_the_coupled_average_at_a_long_horizon_agrees_between_loop_and_closed_form(method: str) -> None:
    design = Gaussian(np.diag(1 / np.arange(1.0, 9.0)))
    steps, noise = printed_steps(design), random_noise(8, np.random.default_rng(33))
    found = variance_average(design, steps, noise, 20_000, method)  # type: ignore[arg-type]
    layers = layer_averages(design, steps, noise, 20_000, 3, "closed" if method == "loop" else "loop")
    assert found == pytest.approx(float(np.sum(layers)), rel=1e-12)
    assert layers[0] == pytest.approx(core_average(design, steps, noise, 20_000), rel=1e-12)


def test_the_shortest_horizon_averages_one_iterate() -> None:
    design = Gaussian(np.array([[0.4]]))
    steps = printed_steps(design)
    for noise in (np.array([[0.0]]), np.array([[2.0]])):
        last = covariance(design, steps, noise, 2)
        assert variance_average(design, steps, noise, 2) == pytest.approx(last.x_energy(design.sigma), rel=1e-15)
