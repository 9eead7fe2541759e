"""The second phase: exact against every sample path, against the efficient rate, and when it does not help."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from numerics.designs import FiniteSupport
from numerics.errors import ParameterError
from numerics.losses import Logistic, Loss, PseudoHuber, Squared, UserLoss
from numerics.operators import StepSizes
from numerics.optimizers import METHODS, ProblemInfo, SadaTwoPhaseParams, estimate, preset, references, step
from numerics.optimizers.presets import inner_steps
from numerics.problems import LogisticLabels, Problem
from numerics.race import Entrant, ProblemSpec, RacePlan, band, efficient_risk, last_loop, race, rivals

from .optimizers_support import CASES, Source, horizon, information, reference, rows
from .variants_support import START, mean_square, small_problem

STEPS = StepSizes(0.0625, 0.125, 0.375)
HUBER = PseudoHuber(0.05, 1.0, 0.7)


@pytest.mark.parametrize("loss", [HUBER, Squared(2.0)], ids=lambda loss: loss.name)
@pytest.mark.parametrize("curved", [True, False])
def test_the_risk_of_one_last_loop_is_the_average_over_all_sample_paths(loss: Loss, curved: bool) -> None:
    problem, inner = small_problem(loss), (STEPS.eta, STEPS.gamma, STEPS.theta)

    def lines(sample, unlabelled):  # type: ignore[no-untyped-def]
        if curved:
            return references.sada_two_phase(sample, loss, START, (), (), *inner, 2, inner, 5, 1)
        return references.sada(sample, loss, START, (0.7,), (0.0,), *inner, 5)

    exact = last_loop(problem, START, STEPS, 5, curved=curved, h=0.7)
    hessian = problem.hessian(problem.x_star)
    assert 2 * exact.risk == pytest.approx(mean_square(problem, 5, lines, problem.x_star, hessian), rel=1e-11)


def sampled_logistic(alpha: float) -> Problem:
    """Forty rows in three dimensions, labels of a logistic model: well-specified for mu = 0 only."""
    rng = np.random.default_rng(2)
    design = FiniteSupport(rng.standard_normal((40, 3)) * np.array([0.5, 1.0, 1.5]))
    return Problem(design, Logistic(0.25 / (alpha - 1)), LogisticLabels(np.array([1.5, -1.0, 0.5])))


def practical(problem: Problem, curved: bool) -> StepSizes:
    info, loss = ProblemInfo.of(problem), problem.loss
    assert info.r2 is not None
    assert info.mu is not None
    assert info.kappa_tilde is not None
    scale, low, worst = (loss.L, loss.mu, loss.alpha) if curved else (1.0, 1.0, 1.0)
    chosen = inner_steps(1 / (5 * scale * info.r2), low * info.mu, worst * info.kappa_tilde, 1 / 3)
    return StepSizes(chosen.eta, chosen.theta, chosen.gamma)


@pytest.mark.parametrize("alpha", [3.0, 20.0])
def test_the_noise_of_the_second_phase_tends_to_twice_the_efficient_rate(alpha: float) -> None:
    """Only the second half is averaged: twice the empirical minimiser's risk, and the layers on top of it."""
    problem, T = sampled_logistic(alpha), 10**7
    exact = last_loop(problem, problem.x_star, practical(problem, True), T, curved=True)
    assert exact.radius < 1
    assert 2 <= exact.risk / efficient_risk(problem, T) < 2.3


def test_near_the_optimum_newtons_step_misses_quadratically_and_the_proximal_step_linearly() -> None:
    problem = sampled_logistic(6.0)
    away = np.array([0.3, -0.2, 0.1])
    misses = {
        curved: [
            last_loop(problem, problem.x_star + s * away, practical(problem, curved), 10, curved=curved, h=h).miss
            for s in (1e-2, 1e-3)
        ]
        for curved, h in ((True, 1.0), (False, 1 / problem.loss.L))
    }
    assert misses[True][0] / misses[True][1] == pytest.approx(1e4, rel=0.2), "the risk falls with the fourth power"
    assert misses[False][0] / misses[False][1] == pytest.approx(1e2, rel=0.2), "with the second power"


def test_one_proximal_loop_at_the_optimum_has_less_noise_and_forgets_less() -> None:
    """Honest: at x* itself h = 1/L_l damps the noise; but from a distance it keeps most of the distance."""
    problem, T = sampled_logistic(6.0), 10**5
    h = 1 / problem.loss.L
    at = [last_loop(problem, problem.x_star, practical(problem, c), T, curved=c, h=h).risk for c in (True, False)]
    assert at[1] < at[0]
    far = problem.x_star + np.array([0.3, -0.2, 0.1])
    off = [last_loop(problem, far, practical(problem, c), T, curved=c, h=h).risk for c in (True, False)]
    assert off[0] < 0.1 * off[1]


def test_for_the_squared_loss_the_second_phase_is_a_loop_of_algorithm_one() -> None:
    problem = small_problem(Squared())
    both = [last_loop(problem, START, STEPS, 50, curved=curved).risk for curved in (True, False)]
    assert both[0] == pytest.approx(both[1], rel=1e-12)


def test_a_users_own_loss_runs_with_its_own_curvature() -> None:
    loss = UserLoss(L=HUBER.L, mu=HUBER.mu, l=HUBER.value, dl=HUBER.d1, ddl=HUBER.d2)
    rng, n = np.random.default_rng(0), horizon("two phases")
    a, b = rows(HUBER, rng, n, 5)
    params = CASES["two phases"][1]
    state = METHODS["sada-two-phase"].init(information(5, loss), np.ones(5), params)
    expected = reference("two phases", HUBER, np.ones(5), Source(a, b))
    np.testing.assert_allclose(estimate(step(state, a, b)), expected, rtol=1e-10)

    def broken(z: object, b: object) -> object:
        return HUBER.d2(z, b) if np.size(z) > 1 else 1 / 0  # type: ignore[arg-type]

    wrong = UserLoss(L=HUBER.L, mu=HUBER.mu, l=HUBER.value, dl=HUBER.d1, ddl=broken)  # type: ignore[arg-type]
    state = METHODS["sada-two-phase"].init(information(5, wrong), np.ones(5), params)
    with pytest.raises(ZeroDivisionError):
        step(state, a, b)


def test_too_few_samples_for_a_second_phase_are_refused_with_the_number_that_is_enough() -> None:
    info = ProblemInfo.of(ProblemSpec.of("logistic", {"kappa": 10, "dim": 5}).build())
    with pytest.raises(ParameterError, match="too few for a second phase: its inner loop needs T = ") as caught:
        preset("sada-two-phase", "practical", info, 1000)
    enough = int(str(caught.value).split("give ")[1].split()[0])
    chosen = preset("sada-two-phase", "practical", info, enough + 50)
    assert isinstance(chosen, SadaTwoPhaseParams)
    assert chosen.horizon <= enough + 50
    with pytest.raises(ParameterError, match="set both to 1"):
        SadaTwoPhaseParams(preset("sada", "parallel-4", info, 1000), chosen.second, 10)  # type: ignore[arg-type]


def test_a_second_phase_that_keeps_the_metric_is_a_long_last_round() -> None:
    """`same-metric` is what the Hessian is compared with: chained runs of plain SADA give the same."""
    problem = ProblemSpec.of("logistic", {"kappa": 10, "dim": 3}).build()
    info, n = ProblemInfo.of(problem), 4000
    params = preset("sada-two-phase", "same-metric", info, n)
    assert isinstance(params, SadaTwoPhaseParams)
    a, b = problem.sample(params.horizon, np.random.default_rng(0))
    whole = estimate(step(METHODS["sada-two-phase"].init(info, None, params), a, b))
    k, base = params.base.horizon, params.base
    first = estimate(step(METHODS["sada"].init(info, None, base), a[:k], b[:k]))
    last = replace(base, T=params.T2, h=(1 / info.loss.L,), beta=(0.0,))
    np.testing.assert_allclose(whole, estimate(step(METHODS["sada"].init(info, first, last), a[k:], b[k:])), rtol=1e-9)


def test_with_samples_enough_the_second_phase_beats_sada_on_logistic_loss_and_not_on_squared_loss() -> None:
    for name, wins in (("logistic", True), ("least-squares", False)):
        spec = ProblemSpec.of(name, {"kappa": 10, "dim": 3})
        entrants = (Entrant("sada"), Entrant("sada-two-phase"))
        result = race(RacePlan(spec, entrants, (40_000,), tuple(range(16))))
        (plain,), (second,) = (band(result.curve(e.label)) for e in entrants)
        assert plain is not None
        assert second is not None
        if wins:
            assert second.high < plain.low  # type: ignore[operator]
        else:
            assert second.value > 0.9 * plain.value


def test_the_second_phase_races_unasked_where_the_loss_is_not_squared() -> None:
    small = {"kappa": 10, "dim": 3}
    assert "sada-two-phase" in rivals(ProblemSpec.of("logistic", small).build())
    assert "sada-two-phase" not in rivals(ProblemSpec.of("least-squares", small).build())
