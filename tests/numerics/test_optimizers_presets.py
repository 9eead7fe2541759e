"""Schedules and presets: the printed formulas, recomputed by hand, and their refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from numerics.errors import ParameterError
from numerics.losses import Logistic, Squared
from numerics.optimizers import PRESETS, AsgdParams, ProblemInfo, SadaParams, SvrgParams, preset
from numerics.optimizers.presets import (
    averaged_constants,
    inner_length,
    inner_steps,
    practical_momentum,
    sada_practical,
)

INFO = ProblemInfo(4, Logistic(0.05), mu=0.1, lambda_max=2.0, r2=10.0, kappa_tilde=6.0)


def test_the_inner_steps_are_the_printed_ones() -> None:
    steps = inner_steps(0.01, 0.04, 4.0)
    assert steps.gamma == pytest.approx(0.25 * math.sqrt(0.01 / 0.16))
    assert steps.theta == pytest.approx(0.25 * math.sqrt(0.0004 / 4))


@pytest.mark.parametrize("name", ["theory", "appendix", "main-text"])
def test_the_printed_and_the_repaired_rules_fill_the_samples(name: str) -> None:
    """h_k, beta_k by hand from theta~_k, which is constant for half of the outer iterations and then decays."""
    params = preset("sada", name, INFO, 3_000_000)
    assert isinstance(params, SadaParams)
    assert params.eta == 1 / 160
    assert params.gamma == pytest.approx(math.sqrt(params.eta / 0.6) / 4)
    assert params.theta == pytest.approx(math.sqrt(0.1 * params.eta / 6) / 4)
    K, alpha, L = params.K, INFO.loss.alpha, INFO.loss.L
    top = math.sqrt(params.h[0] * L / (2 * alpha))
    thetas = [top if k <= K / 2 else 4 / (4 / top + k - K / 2) for k in range(1, K + 1)]
    np.testing.assert_allclose(params.h, [2 * alpha * theta**2 / L for theta in thetas], rtol=1e-12)
    if name != "theory":
        np.testing.assert_allclose(params.beta, [(1 - theta) / (1 + theta) for theta in thetas], rtol=1e-12)
    assert 3_000_000 - 2 * params.T < params.horizon <= 3_000_000


def test_theta_max_by_hand() -> None:
    """The appendix: min{sqrt(1/(12 alpha)), T/(12 sqrt2 alpha L_eff)} with L = alpha kappa~ and B = alpha R^2."""
    params = preset("sada", "appendix", INFO, 3_000_000)
    assert isinstance(params, SadaParams)
    alpha = INFO.loss.alpha
    effective = 160 * (6 * alpha * 6 + 6 * (7 + 16 * params.eta * alpha * 10))
    top = min(math.sqrt(1 / (12 * alpha)), params.T / (12 * math.sqrt(2) * alpha * effective))
    assert params.h[0] == pytest.approx(2 * alpha * top**2 / INFO.loss.L)


@pytest.mark.parametrize("name", ["theory", "appendix", "main-text"])
def test_a_theory_preset_asks_for_more_samples_when_one_inner_loop_does_not_fit(name: str) -> None:
    with pytest.raises(ParameterError, match="too few for the theory's constants"):
        preset("sada", name, INFO, 50)


def test_momentum_vanishes_for_a_nearly_quadratic_loss_and_grows_with_alpha() -> None:
    assert practical_momentum(1.0) == practical_momentum(2.0) == 0.0
    assert practical_momentum(200.0) == pytest.approx(0.9 / 1.1)


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


def test_accelerated_sgd_takes_the_curvature_of_the_loss_into_its_condition_numbers() -> None:
    """Outside least squares: L_l R^2, mu_l mu and alpha kappa~ in the places of R^2, mu and kappa~."""
    params = preset("asgd", "theory", INFO, 100)
    assert isinstance(params, AsgdParams)
    L, mu = 0.3 * 10.0, 0.05 * 0.1
    assert pytest.approx(1 / (5 * L)) == params.D
    assert pytest.approx(1 / (9 * math.sqrt(L / mu * 6.0 * 6.0))) == params.B


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
        ParameterError, match="no preset 'best' for method 'sada'; there are: sada/practical, sada/theory"
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
