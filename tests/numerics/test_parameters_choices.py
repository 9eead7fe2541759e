"""Hyperparameters: printed formulas to the letter, conditions with both sides, a repaired choice that meets them."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.covariance import bias_average, stability
from numerics.designs import Gaussian, StudentT
from numerics.parameters import (
    Hyperparameters,
    as_printed_appendix,
    as_printed_main,
    constants_of,
    repaired,
)

RULE = "6 kappa(Sigma) exp(-theta T/2) <= theta_K^2"
PROBLEM = {"mu": 0.01, "r2": 3.11, "kappa_tilde": 5.0, "condition_number": 100.0}
problems = st.builds(
    lambda mu, spread, slack, kt: {
        "mu": mu,
        "condition_number": spread,
        "r2": mu * spread * slack * kt,
        "kappa_tilde": kt,
    },
    st.floats(1e-6, 10),
    st.floats(1, 1e6),
    st.floats(1, 10),
    st.floats(1, 200),
)


def failing(p: Hyperparameters) -> set[str]:
    return {c.text for c in p.failing()}


def test_the_appendix_choice_is_the_printed_one_to_the_letter() -> None:
    p = as_printed_appendix(**PROBLEM, rounds=10, alpha=2.0, smoothness=3.0, horizon=1000, noise_b=7.0, noise_l=11.0)
    eta = 1 / (16 * 3.11)
    assert p.eta == eta
    assert p.gamma == pytest.approx(0.25 * sqrt(eta / (5 * 0.01)), rel=1e-15)
    assert p.theta == pytest.approx(0.25 * sqrt(0.01 * eta / 5), rel=1e-15)
    l_eff = 160 * (6 * 11 + 5 * (7 + 16 * eta * 7))
    assert p.l_eff == pytest.approx(l_eff, rel=1e-15)
    top = min(sqrt(1 / 24), 1000 / (12 * sqrt(2) * 2 * l_eff))
    assert p.theta_max == pytest.approx(top, rel=1e-15)
    late = [4 / (4 / top + k) for k in range(1, 6)]
    assert np.allclose(p.outer_theta, [top] * 5 + late, rtol=1e-15)
    assert np.allclose(p.outer_h, 2 * 2.0 * p.outer_theta**2 / 3.0, rtol=1e-15)
    assert np.allclose(p.outer_beta, (1 - p.outer_theta) / (1 + p.outer_theta), rtol=1e-15)
    assert p.l_eff_of_part_two(0.5) == pytest.approx(l_eff * 0.5 / 1000, rel=1e-15)
    printed = 1 / min(sqrt(1 / 24), 3.0 * 1000 / (12 * sqrt(2) * 2 * l_eff))
    assert p.theta_max_of_theorem_proof == pytest.approx(printed, rel=1e-15)


def test_the_appendix_horizon_is_the_smallest_even_one_its_rule_allows() -> None:
    p = as_printed_appendix(**PROBLEM, rounds=10, alpha=2.0)

    def rule(q: Hyperparameters) -> float:
        return sqrt(5 / (0.01 * q.eta)) * log(100) * log(4 / float(q.outer_theta[-1]) ** 2)

    assert p.horizon % 2 == 0
    assert p.horizon >= rule(p)
    shorter = as_printed_appendix(**PROBLEM, rounds=10, alpha=2.0, horizon=p.horizon - 2)
    assert shorter.horizon < rule(shorter)


def test_the_main_text_choice_has_its_hidden_constants_as_arguments() -> None:
    p = as_printed_main(**PROBLEM, rounds=4, alpha=4.0, horizon_constant=3.0, theta_constant=0.5)
    assert p.horizon == 2 * int(np.ceil(3 * sqrt(5 / (0.01 * p.eta)) / 2))
    assert p.theta_max == pytest.approx(0.5 * min(0.5, p.horizon / (16 * 5)), rel=1e-15)


def test_the_printed_rule_asks_for_nothing_when_sigma_is_a_multiple_of_the_identity() -> None:
    constants = constants_of(Gaussian(np.eye(3)))
    p = as_printed_appendix(**constants, rounds=10)
    assert p.horizon == 2
    assert failing(p) == {RULE}
    assert repaired(**constants, rounds=10).horizon > 1000


def test_the_printed_horizon_alone_does_not_meet_what_the_proved_theorem_needs() -> None:
    texts = failing(as_printed_appendix(**PROBLEM, rounds=20, alpha=2.0))
    assert texts == {RULE}


@settings(max_examples=60, deadline=None)
@given(problems, st.floats(1, 50), st.floats(0.1, 10), st.integers(1, 40).map(lambda k: 2 * k))
def test_the_repaired_choice_meets_every_condition(
    problem: dict[str, float], alpha: float, smoothness: float, rounds: int
) -> None:
    p = repaired(**problem, rounds=rounds, alpha=alpha, smoothness=smoothness)  # type: ignore[arg-type]
    assert {t for t in failing(p) if "ln kappa(Sigma)" not in t} == set()
    if p.horizon > 2:
        shorter = repaired(**problem, rounds=rounds, alpha=alpha, smoothness=smoothness, horizon=p.horizon - 2)  # type: ignore[arg-type]
        assert RULE in failing(shorter)


@pytest.mark.parametrize("lam", [[1.0, 1.0], [0.01, 1.0], [0.2, 0.7, 1.0]])
def test_the_repaired_horizon_makes_the_true_bias_as_small_as_the_outer_loop_needs(lam: list[float]) -> None:
    design = Gaussian(np.diag(lam))
    p = repaired(**constants_of(design), rounds=8, alpha=3.0)
    for start in np.eye(len(lam)):
        risk = bias_average(design, p.steps, start, p.horizon)
        gradient = float(start @ design.sigma @ start)
        assert risk <= float(p.outer_theta[-1]) ** 2 / 4 * gradient


def test_the_printed_choice_is_mean_square_stable_for_its_design() -> None:
    for design in (Gaussian(np.diag([1e-6, 1.0])), StudentT(np.diag([0.1, 1.0]), nu=4.5)):
        p = as_printed_appendix(**constants_of(design), rounds=2)
        assert stability(design, p.steps).stable


def test_quoted_constants_are_taken_when_asked_for_and_refused_when_there_are_none() -> None:
    design = Gaussian(np.diag([0.5, 1.0]))
    assert constants_of(design, quoted=True)["kappa_tilde"] == 6.0
    assert constants_of(design)["kappa_tilde"] == 4.0
    with pytest.raises(ValueError, match="quotes no R\\^2"):
        constants_of(StudentT(np.eye(2), nu=5.0), quoted=True)


def test_a_choice_prints_itself_with_every_condition() -> None:
    p = as_printed_appendix(**PROBLEM, rounds=20, alpha=2.0)
    text, page = str(p), p._repr_html_()
    for c in p.conditions:
        assert c.text in text
    assert text.count("FAILS") == page.count("<b>fails</b>") == len(p.failing())
    assert "&lt;=" in page
    assert "appendix as printed" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mu": 0.0}, "mu = 0.0"),
        ({"r2": float("nan")}, "r2 = nan"),
        ({"condition_number": 0.5}, "condition_number = 0.5: a condition number is at least 1"),
        ({"alpha": 0.9}, "alpha = 0.9"),
        ({"rounds": 0}, "rounds K = 0"),
        ({"eta": -1.0}, "eta = -1.0"),
        ({"horizon": 7}, "horizon T = 7"),
        ({"noise_b": -2.0}, "noise_b = -2.0"),
        ({"eta": 1e9}, "theta = "),
    ],
)
def test_bad_input_is_named_with_its_value(change: dict[str, float], message: str) -> None:
    arguments = {**PROBLEM, "rounds": 4, **change}
    for build in (as_printed_appendix, repaired):
        with pytest.raises(ValueError, match=message):
            build(**arguments)  # type: ignore[arg-type]


def test_a_step_size_above_the_limit_is_reported_not_refused() -> None:
    p = as_printed_appendix(**PROBLEM, rounds=4, eta=0.5)
    assert "eta <= 1/(16 R^2)" in failing(p)
    assert "1/4 + 4 eta R^2 <= 1/2" in failing(p)
