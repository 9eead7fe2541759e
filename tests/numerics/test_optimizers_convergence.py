"""Every method finds the minimiser; acceleration shows where the data are ill-conditioned."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.losses import Logistic, Squared, TwoCurvature
from numerics.optimizers import METHODS, PRESETS, DoublingParams, ProblemInfo, estimate, preset, run, step
from numerics.optimizers.erm import EmpiricalRisk
from numerics.optimizers.params import ErmParams
from numerics.optimizers.presets import sada_main_text, sada_practical, sada_repaired, sada_ud, sada_wc
from numerics.problems import GaussianNoise, LinearLabels, LogisticLabels, Problem
from numerics.streams import FreshStream

from .optimizers_support import gaussian

LEAST_SQUARES = Problem(gaussian(5, 10.0), Squared(), LinearLabels(np.ones(5), GaussianNoise(0.5)))
LOGISTIC = Problem(gaussian(5, 10.0), Logistic(0.1), LogisticLabels(np.ones(5)))
N = 40_000


def excess(problem: Problem, name: str, n: int, params: object = None, seed: int = 3) -> float:
    stream = FreshStream(problem, seed)
    info = ProblemInfo.of(problem)
    result = run(name, stream, info=info, n=n, params=params)  # type: ignore[arg-type]
    return problem.excess_risk(result.x)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "streaming-svrg"])
@pytest.mark.parametrize("problem", [LEAST_SQUARES, LOGISTIC], ids=["least squares", "logistic"])
def test_every_method_comes_near_the_minimiser(name: str, problem: Problem) -> None:
    """Within 60 times the statistical rate tr(H(x*)^-1 Q)/(2n) of the unconstrained optimum."""
    rate = float(np.trace(np.linalg.solve(problem.hessian(problem.x_star), problem.Q))) / (2 * N)
    assert excess(problem, name, N) < 60 * rate


@pytest.mark.parametrize("problem", [LEAST_SQUARES, LOGISTIC], ids=["least squares", "logistic"])
def test_streaming_svrg_reduces_the_risk_a_hundredfold(problem: Problem) -> None:
    assert excess(problem, "streaming-svrg", N) < problem.excess_risk(np.zeros(5)) / 100


@pytest.mark.parametrize("problem", [LEAST_SQUARES, LOGISTIC], ids=["least squares", "logistic"])
def test_variants_of_sada_come_near_the_minimiser(problem: Problem) -> None:
    info, start = ProblemInfo.of(problem), problem.excess_risk(np.zeros(5))
    assert excess(problem, "sada", N, sada_practical(info, N, batch=4)) < start / 100
    assert excess(problem, "sada", N, sada_practical(info, N, runs=4)) < start / 100
    assert excess(problem, "sada-ud-corrected", N, sada_ud(info, N // 4, m=3)) < start / 25
    weak = sada_wc(info, N, epsilon=1e-3, D=5.0, M=5.0)
    assert excess(problem, "sada-wc-corrected", N, weak) < start / 100


def test_the_doubling_trick_costs_a_small_factor_only() -> None:
    doubled = excess(LEAST_SQUARES, "doubling", N, DoublingParams("sada", 500))
    assert doubled < 20 * excess(LEAST_SQUARES, "sada", N)


def test_the_main_texts_schedule_converges() -> None:
    """Its hidden constants taken as 1; alpha = 4, because at alpha = 1 it gives h = 2/L_l, where no step contracts."""
    loss = TwoCurvature(1.0, 0.25, 0.5)
    problem = Problem(gaussian(5, 10.0), loss, LinearLabels(np.ones(5), GaussianNoise(0.5)))
    params = sada_main_text(ProblemInfo.of(problem), N)
    assert excess(problem, "sada", N, params) < problem.excess_risk(np.zeros(5)) / 10


def test_the_theorys_constants_converge_slowly_but_surely() -> None:
    problem = Problem(gaussian(2, 2.0), Squared(), LinearLabels(np.ones(2), GaussianNoise(0.1)))
    n = 3_000_000
    params = sada_repaired(ProblemInfo.of(problem), n)
    assert params.horizon > 0.9 * n
    assert excess(problem, "sada", n, params) < problem.excess_risk(np.zeros(2)) / 2


def test_sada_beats_sgd_on_ill_conditioned_noiseless_data() -> None:
    """kappa(Sigma) = 3000: after 1/theta-many samples the accelerated bias is gone, that of SGD is not."""
    problem = Problem(gaussian(8, 3000.0), Squared(), LinearLabels(np.full(8, 10.0), GaussianNoise(1e-3)))
    n = 60_000
    assert excess(problem, "sada", n) < excess(problem, "sgd", n) / 20


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
@pytest.mark.parametrize("problem", [LEAST_SQUARES, LOGISTIC], ids=["least squares", "logistic"])
def test_erm_is_a_stationary_point_of_the_empirical_risk(solver: str, problem: Problem) -> None:
    a, b = problem.sample(3000, np.random.default_rng(0))
    state = METHODS["erm"].init(ProblemInfo(5, problem.loss), None, ErmParams(3000, solver))
    x = estimate(step(state, a, b))
    risk, move = EmpiricalRisk(problem.loss, a, b), 1e-3
    for direction in np.eye(5):
        assert risk.value(x) < min(risk.value(x + move * direction), risk.value(x - move * direction))
    assert np.linalg.norm(risk.gradient(x)) < 1e-6


def test_erm_of_the_squared_loss_is_least_squares() -> None:
    a, b = LEAST_SQUARES.sample(200, np.random.default_rng(1))
    state = METHODS["erm"].init(
        ProblemInfo(5, Squared()), None, preset("erm", "practical", ProblemInfo(5, Squared()), 200)
    )
    np.testing.assert_allclose(estimate(step(state, a, b)), np.linalg.lstsq(a, b, rcond=None)[0], rtol=1e-9)
