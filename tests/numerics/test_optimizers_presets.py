"""Schedules and presets: the printed formulas, recomputed by hand, and their refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from numerics.errors import ParameterError
from numerics.losses import Logistic, Squared
from numerics.optimizers import PRESETS, AsgdParams, ProblemInfo, SadaParams, SvrgParams, preset
from numerics.optimizers.presets import averaged_constants, inner_length, sada_practical, sada_theory
from numerics.optimizers.schedules import (
    fit_theory,
    inner_steps,
    momenta,
    shortest_inner_loop,
    step_sizes,
    theta_max_appendix,
    theta_max_main_text,
    two_phases,
)

INFO = ProblemInfo(4, Logistic(0.05), mu=0.1, lambda_max=2.0, r2=10.0, kappa_tilde=6.0)


def test_the_schedule_is_constant_for_half_of_the_outer_iterations_and_then_decays() -> None:
    assert two_phases(0.4, 6) == (0.4, 0.4, 0.4, 4 / (10 + 1), 4 / (10 + 2), 4 / (10 + 3))
    assert two_phases(0.5, 5) == (0.5, 0.5, 4 / 8.5, 4 / 9.5, 4 / 10.5)


def test_step_sizes_and_momenta_follow_the_schedule() -> None:
    assert step_sizes((0.5, 0.25), alpha=2.0, L_l=4.0) == (0.25, 0.0625)
    assert momenta((1.0, 0.5, 0.25)) == (0.0, 0.5 / 1.5, 0.75 / 1.25)


def test_theta_max_by_hand() -> None:
    assert theta_max_main_text(4.0, 10.0, 80) == 0.5
    assert theta_max_main_text(4.0, 10.0, 16) == 16 / 160
    effective = 160 * (6 * 3 * 5 + 5 * (7 + 16 * 0.01 * 3 * 2))
    assert theta_max_appendix(3.0, 5.0, 2.0, 0.01, 7) == pytest.approx(7 / (12 * math.sqrt(2) * 3 * effective))
    assert theta_max_appendix(3.0, 5.0, 2.0, 0.01, 10**9) == 1 / 6


def test_the_inner_steps_are_the_printed_ones() -> None:
    steps = inner_steps(0.01, 0.04, 4.0)
    assert steps.gamma == pytest.approx(0.25 * math.sqrt(0.01 / 0.16))
    assert steps.theta == pytest.approx(0.25 * math.sqrt(0.0004 / 4))


def test_the_theory_preset_satisfies_its_own_conditions() -> None:
    params = sada_theory(INFO, 3_000_000)
    assert params.eta == 1 / 160
    last = math.sqrt(params.h[-1] * INFO.loss.L / (2 * INFO.loss.alpha))
    assert shortest_inner_loop(params.eta, 0.1, 6.0, 20.0, last) <= params.T
    top = theta_max_appendix(INFO.loss.alpha, 6.0, 10.0, params.eta, params.T)
    np.testing.assert_allclose(params.h, step_sizes(two_phases(top, params.K), INFO.loss.alpha, INFO.loss.L))
    assert params.T * (params.K + 1) > 3_000_000 >= params.T * params.K


def test_the_theory_preset_asks_for_more_samples_when_one_inner_loop_does_not_fit() -> None:
    with pytest.raises(ParameterError, match="too few for the theory's constants"):
        fit_theory(100, 0.01, 0.1, 6.0, 10.0, 20.0, 2.0)


def test_an_isotropic_design_still_gets_an_inner_loop() -> None:
    """ln kappa(Sigma) = 0 would print T >= 0."""
    assert shortest_inner_loop(0.01, 1.0, 4.0, 1.0, 0.5) >= math.sqrt(4.0 / 0.01)


def test_the_practical_preset_is_one_outer_iteration_for_a_quadratic_loss() -> None:
    info = ProblemInfo(4, Squared(2.0), mu=0.1, lambda_max=2.0, r2=10.0, kappa_tilde=6.0)
    params = sada_practical(info, 10_001)
    assert (params.h, params.beta, params.T) == ((0.5,), (0.0,), 10_000)


def test_batches_and_runs_fit_into_the_samples() -> None:
    for batch, runs in ((1, 1), (7, 1), (1, 3), (4, 2)):
        params = sada_practical(INFO, 5000, batch=batch, runs=runs)
        assert 0.9 * 5000 < params.horizon <= 5000
        assert params.T % (2 * runs) == 0


def test_averaging_improves_the_constants_as_printed() -> None:
    assert averaged_constants(10.0, 6.0, 2.0, 4) == ((10 + 3 * 2) / 4, (6 + 3) / 4)
    assert averaged_constants(10.0, 6.0, 2.0, 1) == (10.0, 6.0)


def test_accelerated_sgd_has_the_constants_of_jain_et_al() -> None:
    info = ProblemInfo(4, Squared(), mu=0.1, lambda_max=2.0, r2=10.0, kappa_tilde=6.0)
    params = preset("asgd", "theory", info, 100)
    assert isinstance(params, AsgdParams)
    k = math.sqrt(100 * 6)
    root = 3 * math.sqrt(5)
    expected = (root * k / (1 + root * k), 1 / (9 * k), 1 / (root * 0.1 * k), 1 / 50)
    np.testing.assert_allclose((params.A, params.B, params.G, params.D), expected)


def test_streaming_svrg_grows_its_anchor() -> None:
    params = preset("streaming-svrg", "theory", INFO, 1000)
    assert isinstance(params, SvrgParams)
    assert params.growth == 3.0
    assert params.step == pytest.approx(1 / (20 * 27 * INFO.loss.L * 10.0))


@pytest.mark.parametrize("method", PRESETS)
def test_a_preset_names_the_constant_that_it_misses(method: str) -> None:
    for name in PRESETS[method]:
        if method == "erm":
            continue
        with pytest.raises(ParameterError, match=r"(mu|r2|kappa_tilde) is unknown: this preset needs"):
            preset(method, name, ProblemInfo(3, Squared()), 1000)


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        ParameterError, match="no preset 'best' for method 'sada'; there are: sada/theory, sada/practical"
    ):
        preset("sada", "best", INFO, 100)
    with pytest.raises(ParameterError, match="n = 1 is not a number of samples"):
        preset("sada", "practical", INFO, 1)


def test_too_few_samples_for_the_outer_iterations_are_refused() -> None:
    with pytest.raises(ParameterError, match="cannot fill K = 4"):
        inner_length(7, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"eta": 0.0}, "eta = 0.0 must be a number above 0"),
        ({"eta": math.nan}, "eta = nan"),
        ({"eta": math.inf}, "eta = inf"),
        ({"gamma": -1.0}, "gamma = -1.0"),
        ({"theta": 1.5}, "theta = 1.5 must be a number above 0, at most 1"),
        ({"T": 1}, "T = 1 must be an integer >= 2"),
        ({"T": 2.5}, "T = 2.5 must be an integer"),
        ({"h": ()}, "0 values of h and 1 of beta"),
        ({"h": (0.0,)}, "h contains 0.0"),
        ({"beta": (1.5,)}, "beta contains 1.5"),
        ({"runs": 3}, "T = 10 cannot be cut into runs = 3"),
        ({"batch": 0}, "batch = 0"),
        ({"workers": True}, "workers = True"),
    ],
)
def test_parameters_out_of_range_are_refused_by_name(change: dict[str, object], message: str) -> None:
    good: dict[str, object] = {"eta": 0.1, "gamma": 0.2, "theta": 0.1, "T": 10, "h": (0.5,), "beta": (0.1,)}
    with pytest.raises(ParameterError, match="SadaParams") as caught:
        SadaParams(**(good | change))  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_constants_of_a_problem_must_be_positive() -> None:
    with pytest.raises(ParameterError, match=r"mu = -1\.0 must be positive"):
        ProblemInfo(3, Squared(), mu=-1.0)
    with pytest.raises(ParameterError, match="dim = 0"):
        ProblemInfo(0, Squared())
