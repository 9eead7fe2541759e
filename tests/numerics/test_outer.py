"""The outer loop on its own: exact and float runs agree, and the worst cases are worst cases."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from numerics.errors import ParameterError
from numerics.outer import (
    HALF_STEP,
    PRINTED,
    REPAIRED_ENERGY,
    REPAIRED_MOMENTUM,
    RULES,
    Array,
    Rule,
    exactly,
    iterate,
    momentum,
    one_step,
    thetas,
    worst_function,
    worst_quadratic,
)

Q = Fraction
PROVED = Q(11, 12)
ALPHA = Q(4)
CURVATURES = (Q(1, 4), Q(1, 2), Q(1))
START = (Q(3), Q(-1), Q(2))


def top(alpha: float) -> float:
    return float((1 / (12 * alpha)) ** 0.5)


def bias(rule: Rule, theta: float) -> float:
    """L_l h/(8 alpha), the relative bias that the inner loop may leave."""
    return float(rule.step) * theta**2 / 8


def later(theta: float) -> float:
    """theta_{k-1} of the second phase."""
    return 1 / (1 / theta - 0.25)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_floats_and_fractions_give_the_same_run(rule: Rule) -> None:
    schedule = thetas(Q(1, 8), 12, Q(1, 4))
    exact = iterate(rule, ALPHA, CURVATURES, START, schedule)
    floats = iterate(rule, 4.0, [float(q) for q in CURVATURES], [float(x) for x in START], [float(t) for t in schedule])
    assert all(isinstance(energy, Fraction) for energy in exact.energies)
    assert np.allclose([float(e) for e in exact.energies], floats.energies, rtol=1e-12)
    assert np.allclose([[float(a) for a in x] for x in exact.points], floats.points, rtol=1e-12)


def test_the_schedule_is_constant_and_then_the_printed_formula() -> None:
    schedule = thetas(Q(1, 8), 10, Q(1, 4))
    assert schedule[:5] == [Q(1, 8)] * 5
    assert schedule[5:] == [4 / (4 / Q(1, 8) + k - 5) for k in range(6, 11)]


def test_printed_and_repaired_momentum_agree_exactly_when_theta_is_constant() -> None:
    assert momentum(PRINTED, Q(1, 8), Q(1, 8)) == momentum(HALF_STEP, Q(1, 8), Q(1, 8))
    assert momentum(HALF_STEP, Q(1, 9), Q(1, 8)) < momentum(PRINTED, Q(1, 9), Q(1, 8))


def test_repaired_momentum_makes_the_old_z_a_continuation_of_y() -> None:
    """z_{k-1} = x + (1/theta_{k-1} - 1) gap is y + (y - x)/theta_k; with the printed momentum it is not."""
    theta, previous, x, gap = Q(1, 9), Q(1, 8), Q(3), Q(2)
    for rule, same in ((HALF_STEP, True), (REPAIRED_ENERGY, False)):
        y = x + momentum(rule, theta, previous) * gap
        assert (x + (1 / previous - 1) * gap == y + (y - x) / theta) is same


def test_a_bias_makes_the_worst_quadratic_worse() -> None:
    theta = top(9.0)
    free, biased = (worst_quadratic(HALF_STEP, 9.0, theta, theta, rho) for rho in (0.0, 0.1))
    assert biased.rate < free.rate - 0.05
    assert abs(biased.share) == pytest.approx(0.1**0.5)


@pytest.mark.parametrize("rule", [REPAIRED_ENERGY, REPAIRED_MOMENTUM, HALF_STEP], ids=lambda rule: rule.name)
def test_repaired_energies_contract_along_exact_runs_through_both_phases(rule: Rule) -> None:
    schedule = thetas(Q(1, 7), 40, Q(1, 4))
    energies = iterate(rule, ALPHA, CURVATURES, START, schedule).energies
    for k, theta in enumerate(schedule):
        assert energies[k + 1] <= (1 - PROVED * theta) * energies[k]


def test_the_printed_energy_grows_on_a_parabola_without_noise() -> None:
    theta = Q(1, 1000)
    gap = Q(13, 10) - Q(533, 333)
    old, new = one_step(PRINTED, Q(10000), theta, theta, Q(1), Q(13, 10), gap, Q(0))
    assert (old, new) == (Q(169, 200) + Q(89401, 30000), Q(2401, 5000) + Q(10156969, 3000000))
    assert new > old


def test_the_printed_energy_grows_in_the_third_step_of_its_own_run() -> None:
    run = iterate(PRINTED, Q(10000), (Q(1),), (Q(1),), [Q(1, 1000)] * 3)
    assert run.points[1:3] == ((Q(49, 50),), (Q(6727, 7150),))
    assert run.energies[3] > run.energies[2]


def test_a_found_worst_case_is_one_in_rational_arithmetic_too() -> None:
    theta = Q(1, 1000)
    found = worst_quadratic(PRINTED, 1e4, 1e-3, 1e-3)
    assert found.ratio > 1
    assert exactly(PRINTED, Q(10000), theta, theta, found) > 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_worst_quadratic_beats_random_states_and_reports_its_own_ratio(rule: Rule) -> None:
    rng = np.random.default_rng(5)
    theta = top(9.0)
    worst = worst_quadratic(rule, 9.0, theta, later(theta), bias(rule, theta))
    old, new = one_step(rule, 9.0, theta, later(theta), worst.curvature, worst.x, worst.gap, worst.share)
    assert new / old == pytest.approx(worst.ratio, rel=1e-9)
    for _ in range(200):
        q = float(rng.uniform(1 / 9.0, 1.0))
        share = float(rng.uniform(-1, 1) * bias(rule, theta) ** 0.5)
        x, gap = rng.normal(size=2)
        old, new = one_step(rule, 9.0, theta, later(theta), q, float(x), float(gap), share)
        assert new <= worst.ratio * old * (1 + 1e-4)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("alpha", [1.5, 20.0, 400.0])
def test_no_quadratic_is_worse_than_the_worst_function(rule: Rule, alpha: float) -> None:
    theta = top(alpha)
    for previous in (theta, later(theta)):
        rho = bias(rule, theta)
        general = worst_function(rule, alpha, theta, previous, rho)
        assert general.ratio >= worst_quadratic(rule, alpha, theta, previous, rho).ratio - 1e-6
        assert general.doubt < 1e-4


@pytest.mark.parametrize("rule", [REPAIRED_ENERGY, REPAIRED_MOMENTUM, HALF_STEP], ids=lambda rule: rule.name)
@pytest.mark.parametrize("alpha", [1.5, 4.0, 20.0, 400.0])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_the_proved_rate_is_below_the_worst_function_and_close_to_it(rule: Rule, alpha: float, share: float) -> None:
    theta = share * top(alpha)
    for previous in (theta, later(theta)):
        rate = worst_function(rule, alpha, theta, previous, bias(rule, theta)).rate
        assert float(PROVED) < rate < 1.5


def test_general_functions_break_the_printed_energy_where_quadratics_do_not() -> None:
    theta = 0.3 * top(20.0)
    rho = bias(PRINTED, theta)
    assert worst_quadratic(PRINTED, 20.0, theta, later(theta), rho).rate > 0.5
    assert worst_function(PRINTED, 20.0, theta, later(theta), rho).rate < 0.5


def curved(cuts: Array, values: Array, x: float) -> tuple[float, float]:
    """F and F' on the line for a second derivative that is constant between the cuts; F(0) = F'(0) = 0."""
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    low, high = np.clip(ends[:-1], min(0.0, x), max(0.0, x)), np.clip(ends[1:], min(0.0, x), max(0.0, x))
    slope = float(np.sum(values * (high - low)))
    value = float(np.sum(values * ((x - low) ** 2 - (x - high) ** 2))) / 2
    return (value, slope) if x >= 0 else (-value, -slope)


def random_rate(rule: Rule, alpha: float, theta: float, rng: np.random.Generator) -> float:
    """E_k/E_{k-1} = 1 - rate theta for a random piecewise quadratic function, state and bias."""
    previous, cuts = later(theta), np.sort(rng.normal(size=2))
    values = rng.choice([1 / alpha, 1.0], size=3)
    x, gap = float(rng.normal()), float(rng.normal() * theta * 10 ** rng.uniform(-1, 1.5))
    beta = (1 - theta) / (1 + theta)
    if rule.momentum == "repaired":
        beta = theta / previous * (1 - previous) / (1 + theta)
    y = x + beta * gap
    error = float(rng.choice([-1, 0, 1])) * bias(rule, theta) ** 0.5
    new = y - float(rule.step) * alpha * theta**2 * (1 - error) * curved(cuts, values, y)[1]
    old_z, new_z = x + gap / previous - gap, new + (new - x) / theta - (new - x)
    weights = [float(rule.weight) * (1 + float(rule.bonus) * t) / alpha for t in (previous, theta)]
    before = curved(cuts, values, x)[0] + weights[0] * old_z**2
    return float(1 - (curved(cuts, values, new)[0] + weights[1] * new_z**2) / before) / theta


@pytest.mark.parametrize(("rule", "near"), [(PRINTED, 0.3), (REPAIRED_MOMENTUM, 0.1), (HALF_STEP, 0.05)])
def test_piecewise_quadratic_functions_approach_the_worst_function_and_never_beat_it(rule: Rule, near: float) -> None:
    rng = np.random.default_rng(3)
    theta = 0.3 * top(20.0)
    worst = worst_function(rule, 20.0, theta, later(theta), bias(rule, theta))
    rates = [random_rate(rule, 20.0, theta, rng) for _ in range(4000)]
    assert worst.rate - 1e-6 <= min(rates) <= worst.rate + near


def test_more_bias_or_a_faster_schedule_is_worse() -> None:
    theta = top(20.0)
    rates = [worst_function(HALF_STEP, 20.0, theta, theta, rho).rate for rho in (0.0, theta**2 / 8, theta / 2, 0.9)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < float(PROVED)
    slow, fast = (worst_function(REPAIRED_ENERGY, 20.0, theta, 1 / (1 / theta - g), 0.0).rate for g in (0.25, 1.0))
    assert fast < 0.5 < slow


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_noise_adds_what_the_two_squares_say(rule: Rule) -> None:
    """On F = x^2/2 the mean over v = +-1 exceeds the run without noise by s^2/2 + omega s^2/theta^2."""
    theta, one = Q(1, 8), (Q(1),)
    quiet = iterate(rule, ALPHA, one, one, [theta]).energies[1]
    loud = [iterate(rule, ALPHA, one, one, [theta], [(v,)]).energies[1] for v in (Q(1), Q(-1))]
    s = rule.step * ALPHA * theta**2
    weight = rule.weight * (1 + rule.bonus * theta) / ALPHA
    assert sum(loud) / 2 - quiet == s**2 / 2 + weight * s**2 / theta**2


def test_the_energy_weight_is_what_makes_the_gradient_terms_cancel() -> None:
    """weight * step = 1/2 up to the bonus; the printed energy has 2/3."""
    assert {rule.name: rule.weight * rule.step for rule in RULES} == {
        "as printed": Q(2, 3),
        "printed momentum, repaired energy": Q(1, 2),
        "repaired momentum": Q(1, 2),
        "half the step": Q(1, 2),
    }


def test_parameters_outside_their_range_are_named_with_value_and_remedy() -> None:
    with pytest.raises(ParameterError, match=r"theta = 1.5 is outside \(0, 1\); choose it below"):
        worst_quadratic(PRINTED, 4.0, 1.5, 0.1)
    with pytest.raises(ParameterError, match=r"alpha = 0.5 is below one"):
        worst_quadratic(PRINTED, 0.5, 0.1, 0.1)
    with pytest.raises(ParameterError, match=r"alpha = 1.0 leaves one function only"):
        worst_function(PRINTED, 1.0, 0.1, 0.1)
    with pytest.raises(ParameterError, match=r"rho = 1.0 is outside \[0, 1\)"):
        worst_function(PRINTED, 4.0, 0.1, 0.1, 1.0)
    with pytest.raises(ParameterError, match=r"curvature 2 is outside \[1/alpha, 1\]"):
        iterate(PRINTED, ALPHA, (Q(2),), (Q(1),), [Q(1, 8)])
    with pytest.raises(ParameterError, match=r"previous = 0 is outside"):
        worst_quadratic(replace(PRINTED, name="x"), 4.0, 0.1, 0)
