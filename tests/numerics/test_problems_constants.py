"""Closed forms of least squares, the brackets of B and L, and the honesty of error estimates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from numerics.designs import Design, FiniteSupport, Gaussian, StudentT
from numerics.losses import Logistic, Loss, Poisson, PseudoHuber, Squared, TwoCurvature
from numerics.problems import (
    DiscreteNoise,
    GaussianNoise,
    LabelModel,
    LinearLabels,
    LogisticLabels,
    NonlinearLabels,
    PoissonLabels,
    Problem,
    TabulatedLabels,
)
from numerics.problems.engines import Weight
from numerics.problems.estimate import Accuracy
from numerics.problems.newton import Minimiser
from numerics.problems.quantities import Integrated
from tests.strategies import designs, rotation

TURN = rotation(3, np.random.default_rng(6))
SIGMA = (TURN * [0.2, 0.7, 1.5]) @ TURN.T
SIGMA = (SIGMA + SIGMA.T) / 2
W, Y = np.array([0.6, -0.9, 0.3]), np.array([-0.4, 0.8, 1.0])
ATOMS = np.random.default_rng(2).standard_normal((7, 3))


@settings(max_examples=60, deadline=None)
@given(designs())
def test_well_specified_least_squares_has_the_papers_closed_forms_on_every_design(design: Design) -> None:
    w, y = np.linspace(1, 2, design.dim), np.linspace(-1, 1, design.dim)
    problem = Problem(design, Squared(), LinearLabels(w, GaussianNoise(0.5)))
    np.testing.assert_array_equal(problem.x_star, w)
    np.testing.assert_allclose(problem.Q, 0.25 * design.sigma, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(problem.R(y, 2.0), design.sigma, rtol=1e-13, atol=1e-15)
    assert problem.alpha * np.trace(np.linalg.solve(problem.H, problem.Q)) == pytest.approx(0.25 * design.dim, rel=1e-8)
    np.testing.assert_allclose(problem.x_plus_star(y, 1.0), w, atol=1e-6)
    assert problem.excess_risk(y) == pytest.approx(problem.F(y) - problem.F(w), rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(designs())
def test_for_least_squares_the_generic_constants_are_attained(design: Design) -> None:
    problem = Problem(design, Squared(3.0), LinearLabels(np.ones(design.dim), GaussianNoise(1.0)))
    constants = problem.noise_constants(np.random.default_rng(0), evaluations=20)
    for bracket, generic in ((constants.B, design.r2), (constants.L, design.kappa_tilde)):
        assert bracket.generic == pytest.approx(generic, rel=1e-12)
        assert bracket.local == pytest.approx(generic, rel=1e-7)
        assert bracket.searched <= generic * (1 + 1e-7)


def test_least_squares_closed_forms_match_samples_of_a_heavy_tailed_design() -> None:
    problem = Problem(StudentT(SIGMA, 12.0), Squared(), LinearLabels(W, GaussianNoise(0.5)))
    a, b = problem.sample(200_000, np.random.default_rng(1))
    draws = [(problem.loss.value(a @ Y, b), problem.F(Y))]
    moment = problem.estimates.gradient_second_moment(Y).value
    draws += [(problem.loss.d1(a @ Y, b) ** 2 * a[:, i] * a[:, j], moment[i, j]) for i in range(3) for j in range(3)]
    for sample, exact in draws:
        assert abs(sample.mean() - exact) <= 6 * sample.std() / np.sqrt(len(sample))


PROBLEMS: dict[str, tuple[Design, Loss, LabelModel]] = {
    "logistic": (Gaussian(SIGMA), Logistic(0.1), LogisticLabels(W)),
    "pseudo-Huber": (Gaussian(SIGMA), PseudoHuber(0.1, 1.0, 0.3), LinearLabels(W, GaussianNoise(0.5))),
    "two-curvature": (Gaussian(SIGMA), TwoCurvature(1.0, 0.1, 0.2), LinearLabels(W, GaussianNoise(0.5))),
    "misspecified": (Gaussian(SIGMA), Squared(), NonlinearLabels(W, np.tanh, GaussianNoise(0.5))),
    "finite": (FiniteSupport(ATOMS), TwoCurvature(1.0, 0.1, 0.2), LinearLabels(W, GaussianNoise(0.5))),
    "tabulated": (FiniteSupport(ATOMS), PseudoHuber(0.1, 1.0, 0.3), TabulatedLabels(np.arange(7.0))),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_search_stays_within_its_bracket_and_reports_a_point_that_attains_it(name: str) -> None:
    problem = Problem(*PROBLEMS[name])
    constants = problem.noise_constants(np.random.default_rng(3), evaluations=24)
    again = problem.noise_constants(np.random.default_rng(3), evaluations=24)
    assert "24 points x for each constant" in constants.search
    for bracket, other, weight in (
        (constants.B, again.B, Weight.NORM),
        (constants.L, again.L, Weight.STATISTICAL_NORM),
    ):
        assert bracket.searched == other.searched
        assert 0 < bracket.searched <= bracket.lower <= bracket.generic * (1 + 1e-4)
        growth = problem.estimates.noise_growth(bracket.worst_x, problem.x_star, weight).value
        ratio = growth / (2 * problem.loss.L * problem.excess_risk(bracket.worst_x))
        assert ratio == pytest.approx(bracket.searched, rel=1e-3)


@pytest.mark.parametrize("name", ["logistic", "pseudo-Huber", "two-curvature", "finite"])
def test_the_local_constant_is_the_limit_of_the_ratio_at_x_star(name: str) -> None:
    """Along random directions the ratio at a tiny radius never exceeds it, and along the best of many comes close."""
    problem = Problem(*PROBLEMS[name])
    rng = np.random.default_rng(5)
    local = problem.noise_constants(rng, evaluations=2).B.local
    ratios, coarse = [], problem.estimates.coarse()
    for _ in range(60):
        x = problem.x_star + 1e-2 * np.linalg.solve(np.linalg.cholesky(problem.design.sigma).T, rng.standard_normal(3))
        growth = coarse.noise_growth(x, problem.x_star, Weight.NORM).value
        ratios.append(growth / (2 * problem.loss.L * coarse.excess(x, problem.x_star).value))
    assert max(ratios) <= local * 1.01
    assert max(ratios) >= local * 0.9


def test_a_search_of_one_evaluation_is_refused() -> None:
    with pytest.raises(ValueError, match="evaluations = 1 is too few for a search"):
        Problem(*PROBLEMS["logistic"]).noise_constants(np.random.default_rng(0), evaluations=1)


@pytest.mark.parametrize("name", [*PROBLEMS, "poisson"])
def test_the_error_of_a_coarse_integral_is_no_larger_than_estimated(name: str) -> None:
    poisson = (Gaussian(0.3 * SIGMA), Poisson(0.8), PoissonLabels(0.5 * W, 0.8))
    fine = Problem(*(poisson if name == "poisson" else PROBLEMS[name])).estimates
    assert isinstance(fine, Integrated)
    rough = [
        replace(fine, engine=replace(fine.engine, accuracy=Accuracy(wanted=wanted, tolerance=1.0)))
        for wanted in (1e-1, 1e-4, 1e-8)
    ]
    for x in (Y, 4 * Y, W):
        for quantity in (
            lambda q, x=x: q.F(x),
            lambda q, x=x: q.gradient(x),
            lambda q, x=x: q.gradient_second_moment(x),
            lambda q, x=x: q.R(x, 0.5),
        ):
            exact = quantity(fine)
            for coarse in map(quantity, rough):
                assert np.max(np.abs(coarse.value - exact.value)) <= coarse.error + exact.error


def test_an_integral_that_does_not_converge_is_refused_with_its_error() -> None:
    labels = NonlinearLabels(W, lambda t: np.sign(np.sin(40 * t)), DiscreteNoise())
    problem = Problem(Gaussian(SIGMA), Squared(), labels, tolerance=1e-9)
    with pytest.raises(ValueError, match=r"F: quadrature error estimate .* exceeds tolerance 1e-09"):
        problem.F(Y)
    rough = Problem(Gaussian(SIGMA), Squared(), labels, tolerance=0.2).estimates.F(Y)
    assert rough.error > 1e-9


def test_x_star_reports_how_far_it_may_be_from_the_minimiser() -> None:
    for name, (design, loss, labels) in PROBLEMS.items():
        problem = Problem(design, loss, labels)
        assert problem.minimiser.error < 1e-9, name
        moved = problem.x_star + 1e-6
        assert problem.F(moved) > problem.F(problem.x_star) - 1e-14


def test_symmetric_problems_have_their_minimiser_in_closed_form() -> None:
    assert Problem(*PROBLEMS["pseudo-Huber"]).minimiser.steps == 0
    np.testing.assert_array_equal(Problem(*PROBLEMS["two-curvature"]).x_star, W)
    skewed = DiscreteNoise([-1.0, 0.5], [1 / 3, 2 / 3])
    assert not skewed.symmetric
    problem = Problem(FiniteSupport(ATOMS), PseudoHuber(0.1, 1.0, 0.3), LinearLabels(W, skewed))
    assert problem.minimiser.steps > 0
    assert np.max(np.abs(problem.x_star - W)) > 1e-3
    np.testing.assert_array_equal(Problem(FiniteSupport(ATOMS), Squared(), LinearLabels(W, skewed)).x_star, W)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_error_of_q_covers_the_error_of_x_star(name: str) -> None:
    true, moved = Problem(*PROBLEMS[name]), Problem(*PROBLEMS[name])
    shift = np.array([1e-3, -2e-3, 1e-3])
    distance = float(np.sqrt(shift @ true.design.sigma @ shift))
    moved.__dict__["minimiser"] = Minimiser(true.x_star + shift, distance, 0)  # as if Newton had stopped early
    gap = np.max(np.abs(moved.Q - true.Q))
    assert 1e-7 < gap <= moved.Q_estimate.error
