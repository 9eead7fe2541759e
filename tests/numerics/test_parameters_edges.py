"""Every condition with both of its sides by hand, rounding at the limits, and the smallest even horizon exactly."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log, sqrt

import numpy as np
import pytest

from numerics import parameters
from numerics.parameters import Condition, as_printed_appendix, as_printed_main, repaired

PROBLEM = {"mu": 0.25, "r2": 4.0, "kappa_tilde": 4.0, "condition_number": 8.0}  # eta = 1/64, theta = 1/128
BUILT = {"alpha": 3.0, "smoothness": 2.0, "rounds": 4, "horizon": 100}


def test_a_condition_holds_at_equality_up_to_rounding_and_a_strict_one_does_not() -> None:
    def holds(left: float, relation: str, right: float) -> bool:
        return Condition("", "", left, relation, right).holds

    assert holds(1.0, "<=", 1.0)
    assert holds(1.0 + 1e-13, "<=", 1.0)
    assert not holds(1.0 + 1e-11, "<=", 1.0)
    assert holds(-5.0, "<=", 1.0)
    assert holds(1.0, "=", 1.0 + 1e-13)
    assert not holds(1.0, "=", 1.0 + 1e-11)
    assert not holds(1.0 + 1e-11, "=", 1.0)
    assert holds(0.0, "=", 0.0)
    assert not holds(1.0, "<", 1.0)
    assert holds(1.0 - 1e-15, "<", 1.0)
    assert holds(-100.0, "<=", -100.0 - 1e-11)  # the slack is relative to the larger side
    assert not holds(-100.0, "<=", -100.0 - 1e-9)


def test_every_condition_has_the_two_sides_that_its_text_says() -> None:
    p = as_printed_appendix(**PROBLEM, **BUILT)  # type: ignore[arg-type]
    eta, theta, gamma = 1 / 64, 1 / 128, 1 / 32
    l_eff = 160 * (6 * 12 + 4 * (7 + 16 * eta * 12))
    top = 100 / (12 * sqrt(2) * 3 * l_eff)
    last = 4 / (4 / top + 2)
    q = (eta + theta * gamma) / (1 + theta)
    radius = max(
        float(np.abs(np.linalg.eigvals(p.steps.mean_block(lam))).max()) for lam in (PROBLEM["mu"], 8 * PROBLEM["mu"])
    )
    shape = [4 / (4 / top + k) for k in (0, 0, 1, 2)]
    beta = [(1 - t) / (1 + t) for t in shape]
    assert (p.theta, p.gamma) == (theta, gamma)
    sides = {
        "lambda_max(Sigma) <= R^2": (2.0, 4.0),
        "1 <= kappa~": (1.0, 4.0),
        "kappa~ <= R^2/mu": (4.0, 16.0),
        "eta <= 1/(16 R^2)": (eta, 1 / 64),
        "eta = 16 kappa~ theta gamma": (eta, 64 * theta * gamma),
        "gamma mu = theta": (gamma / 4, theta),
        "eta lambda_max < 1": (2 * eta, 1.0),
        "eta <= q": (eta, q),
        "theta gamma <= eta": (theta * gamma, eta),
        "theta^2 <= 1/2": (theta**2, 0.5),
        "radius of A(lambda) < 1 on [mu, lambda_max]": (radius, 1.0),
        "1/4 + 4 eta R^2 <= 1/2": (0.5, 0.5),
        "T even": (0.0, 0.0),
        "sqrt(kappa~/(mu eta)) ln kappa(Sigma) ln(4/theta_K^2) <= T": (32 * log(8) * log(4 / last**2), 100),
        "6 kappa(Sigma) exp(-theta T/2) <= theta_K^2": (48 * exp(-50 * theta), last**2),
        "K even": (0.0, 0.0),
        "theta_max <= sqrt(1/(12 alpha))": (top, 1 / 6),
        "theta_max <= T/(12 sqrt2 alpha L_eff)": (top, 100 / (12 * sqrt(2) * 3 * l_eff)),
    }
    assert [c.text for c in p.conditions] == list(sides)
    for c in p.conditions:
        assert (c.left, c.right) == pytest.approx(sides[c.text], rel=1e-9), c.text
    assert p.outer_beta == pytest.approx(beta)
    assert p.outer_h[0] == pytest.approx(2 * 3 * top**2 / 2)
    assert replace(p, variant="repaired") == repaired(**PROBLEM, **BUILT), "they differ in T only"  # type: ignore[arg-type]


def test_derived_numbers_by_hand() -> None:
    p = as_printed_appendix(**PROBLEM, **BUILT)  # type: ignore[arg-type]
    found = p.derived()
    assert found["kappa = R^2/mu"] == 16.0
    assert found["n = K T"] == 400.0
    assert found["c"] == pytest.approx(127 / 129)
    assert found["theta_max"] == p.theta_max == found["h_1"] ** 0.5 / 3**0.5
    assert (found["h_K"] / found["h_1"]) ** 0.5 == pytest.approx(found["theta_K"] / found["theta_max"])
    assert found["beta_1"] == pytest.approx((1 - p.theta_max) / (1 + p.theta_max))
    assert found["beta_K"] == pytest.approx((1 - found["theta_K"]) / (1 + found["theta_K"]))
    assert found["exp(-theta T/2)"] == pytest.approx(exp(-50 / 128))
    assert "  T                       100\n  K                       4\n" in str(p)
    assert p.lam_max == 2.0


def test_an_odd_number_of_rounds_is_reported_with_half_a_step_of_growth() -> None:
    p = as_printed_appendix(**PROBLEM, rounds=3, horizon=100)
    assert [c.left for c in p.conditions if c.text == "K even"] == [1.0]
    assert p.outer_theta == pytest.approx([4 / (4 / p.theta_max + late) for late in (0, 0.5, 1.5)])
    assert as_printed_appendix(**PROBLEM, rounds=1, horizon=100).outer_beta.shape == (1,)


def test_the_repaired_choice_caps_theta_by_the_longer_of_both_rules() -> None:
    short = repaired(**PROBLEM, rounds=2, horizon=100)
    l_eff = 160 * (6 * 4 + 4 * (7 + 16 / 64 * 4))
    assert short.l_eff == pytest.approx(l_eff)
    assert short.theta_max == pytest.approx(100 / (12 * sqrt(2) * l_eff))
    assert repaired(**PROBLEM, rounds=2, horizon=10**9).theta_max == sqrt(1 / 12)
    assert as_printed_appendix(**PROBLEM, rounds=2, horizon=10**9).theta_max == sqrt(1 / 12)


def test_the_repaired_horizon_solves_its_equation() -> None:
    t = parameters.repaired_horizon(1 / 128, 8.0, 0.1)
    assert 48 * exp(-t / 256) == pytest.approx(0.01)


@pytest.mark.parametrize("least", range(-1, 40))
def test_the_smallest_even_horizon_is_found_wherever_it_lies(least: int) -> None:
    assert parameters._smallest_even(lambda t: t >= least) == max(2, least + least % 2)


def test_without_a_horizon_below_the_limit_there_is_none() -> None:
    with pytest.raises(ValueError, match=r"no horizon T below 2\^62 satisfies the rule"):
        parameters._smallest_even(lambda t: False)
    assert parameters._smallest_even(lambda t: t >= 2**62) == 2**62


def test_real_horizons_are_rounded_up_to_even_ones() -> None:
    assert [parameters._even(t) for t in (-3.0, 0.0, 1.9, 2.0, 2.1, 4.0, 4.5)] == [2, 2, 2, 2, 4, 4, 6]
    assert as_printed_main(**PROBLEM, rounds=2).horizon == 32
    assert as_printed_main(**PROBLEM, rounds=2, horizon=8).theta_max == 1.0
    assert as_printed_main(**PROBLEM, rounds=2, horizon=8, alpha=2.0).theta_max == 0.5  # 8/(4 * 4) < 1/sqrt(2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"horizon": 0}, "horizon T = 0"),
        ({"horizon": True}, "horizon T = True"),
        ({"horizon": 4.5}, "horizon T = 4.5"),
        ({"rounds": True}, "rounds K = True"),
        ({"rounds": 1.5}, "rounds K = 1.5"),
        ({"kappa_tilde": -1.0}, "kappa_tilde = -1.0: must be a positive finite number"),
        ({"smoothness": 0.0}, "smoothness = 0.0: must be a positive finite number"),
        ({"r2": float("inf")}, "r2 = inf: must be a positive finite number"),
        ({"alpha": float("inf")}, "alpha = inf: a condition number is at least 1"),
        ({"eta": 0.0}, "eta = 0.0: must be a positive finite number"),
        ({"eta": float("inf")}, "eta = inf: must be a positive finite number"),
        ({"noise_l": 0.0}, "noise_l = 0.0: must be a positive finite number"),
        ({"noise_b": float("inf")}, "noise_b = inf: must be a positive finite number"),
    ],
)
def test_every_input_out_of_range_is_refused_by_every_builder(change: dict[str, float], message: str) -> None:
    arguments = {**PROBLEM, "rounds": 4, "horizon": 2, **change}
    for build in (as_printed_main, as_printed_appendix, repaired):
        with pytest.raises(ValueError, match=message.replace(".", r"\.")):
            build(**arguments)  # type: ignore[operator]
