"""Problems on a finite support: every quantity is compared with the sum that defines it, and with exact rationals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.designs import RADEMACHER, FiniteSupport, IndependentCoordinates, OneHot
from numerics.designs.exact import to_float
from numerics.losses import Logistic, Loss, Poisson, PseudoHuber, Squared
from numerics.problems import (
    DiscreteNoise,
    HeteroscedasticLabels,
    LinearLabels,
    LogisticLabels,
    NonlinearLabels,
    PoissonLabels,
    Problem,
    TabulatedLabels,
    column,
    rademacher_noise,
)
from numerics.problems.engines import Weight
from tests.strategies import finite_designs, rational_supports, residual_losses, rotation, seeds

F = Fraction
EVERY_KIND = ("linear", "nonlinear", "heteroscedastic", "tabulated", "logistic")


def outcomes(problem: Problem) -> list[tuple[float, np.ndarray, float]]:
    """(probability, a, b) of everything that can happen, written out per label model."""
    design = problem.design
    assert isinstance(design, FiniteSupport)
    listed = []
    for k, (a, p) in enumerate(zip(design.atoms, design.weights, strict=True)):
        labels = problem.labels
        if isinstance(labels, TabulatedLabels):
            listed.append((p, a, float(labels.values[k])))
        elif isinstance(labels, LogisticLabels):
            up = 1 / (1 + np.exp(-a @ labels.w))
            listed += [(p * up, a, 1.0), (p * (1 - up), a, -1.0)]
        elif isinstance(labels, (LinearLabels, NonlinearLabels, HeteroscedasticLabels)):
            mean = labels.mean(a @ labels.w) if isinstance(labels, NonlinearLabels) else a @ labels.w
            scale = labels.scale(a @ labels.w) if isinstance(labels, HeteroscedasticLabels) else 1.0
            noise = labels.noise
            assert isinstance(noise, DiscreteNoise)
            listed += [(p * q, a, mean + scale * e) for e, q in zip(noise.values, noise.weights, strict=True)]
    return listed


@st.composite
def problems(draw: st.DrawFn, kinds: tuple[str, ...] = EVERY_KIND) -> Problem:
    design = draw(finite_designs())
    rng = np.random.default_rng(draw(seeds))
    w = rng.standard_normal(design.dim)
    noise = draw(st.sampled_from([rademacher_noise(0.7), DiscreteNoise([-1.0, 0.5], [1 / 3, 2 / 3]), DiscreteNoise()]))
    loss: Loss = draw(residual_losses())
    match draw(st.sampled_from(kinds)):
        case "linear":
            return Problem(design, loss, LinearLabels(w, noise))
        case "nonlinear":
            return Problem(design, loss, NonlinearLabels(w, np.sin, noise))
        case "heteroscedastic":
            return Problem(design, loss, HeteroscedasticLabels(w, lambda t: 0.2 + t**2, noise))
        case "tabulated":
            return Problem(design, loss, TabulatedLabels(rng.standard_normal(len(design.atoms))))
        case _:
            return Problem(design, Logistic(draw(st.floats(0.05, 2.0))), LogisticLabels(w))


@settings(max_examples=60, deadline=None)
@given(problems(), seeds, st.floats(0.1, 2.0))
def test_every_quantity_is_the_sum_over_outcomes(problem: Problem, seed: int, h: float) -> None:
    d, loss = problem.dim, problem.loss
    y = np.random.default_rng(seed).standard_normal(d)
    everything = outcomes(problem)
    value = sum(p * float(loss.value(a @ y, b)) for p, a, b in everything)
    gradient = sum((p * float(loss.d1(a @ y, b)) * a for p, a, b in everything), np.zeros(d))
    hessian = sum((p * float(loss.d2(a @ y, b)) * np.outer(a, a) for p, a, b in everything), np.zeros((d, d)))
    assert problem.F(y) == pytest.approx(value, rel=1e-12, abs=1e-13)
    np.testing.assert_allclose(problem.gradient(y), gradient, rtol=0, atol=1e-11 * loss.L)
    np.testing.assert_allclose(problem.hessian(y), hessian, rtol=0, atol=1e-12 * loss.L)
    x_plus = y - h * np.linalg.solve(problem.design.sigma, gradient)
    np.testing.assert_allclose(problem.x_plus_star(y, h), x_plus, rtol=0, atol=1e-9 * loss.L)
    noise = np.zeros((d, d))
    for p, a, b in everything:
        eps = -h * float(loss.d1(a @ y, b)) + a @ (y - x_plus)
        noise += p * eps**2 * np.outer(a, a)
    np.testing.assert_allclose(problem.R(y, h), noise, rtol=0, atol=1e-9 * (1 + np.abs(noise).max()))


@settings(max_examples=60, deadline=None)
@given(problems())
def test_the_gradient_vanishes_at_x_star_and_q_is_its_second_moment_there(problem: Problem) -> None:
    d, loss = problem.dim, problem.loss
    x = problem.x_star
    everything = outcomes(problem)
    gradient = sum((p * float(loss.d1(a @ x, b)) * a for p, a, b in everything), np.zeros(d))
    norm = np.sqrt(gradient @ np.linalg.solve(problem.design.sigma, gradient))
    assert norm <= 1e-10 * loss.L * (1 + np.abs(x).max())
    q = sum((p * float(loss.d1(a @ x, b)) ** 2 * np.outer(a, a) for p, a, b in everything), np.zeros((d, d)))
    np.testing.assert_allclose(problem.Q, q, rtol=0, atol=1e-11 * (1 + np.abs(q).max()))
    np.testing.assert_allclose(problem.R(x, 0.5), 0.25 * q, rtol=0, atol=1e-8 * (1 + np.abs(q).max()))
    np.testing.assert_array_equal(problem.H, loss.L * problem.design.sigma)


@settings(max_examples=60, deadline=None)
@given(problems(), seeds)
def test_the_papers_inequalities_between_these_quantities_hold(problem: Problem, seed: int) -> None:
    """lemma:gradient-bound, strong convexity and smoothness, and the generic B and L of lemma:gradient-noise(-I)."""
    x = problem.x_star + np.random.default_rng(seed).standard_normal(problem.dim)
    loss, design = problem.loss, problem.design
    excess, gap = problem.excess_risk(x), x - problem.x_star
    gradient = problem.gradient(x)
    distance = gap @ design.sigma @ gap
    assert excess == pytest.approx(problem.F(x) - problem.F(problem.x_star), rel=1e-6, abs=1e-9 * loss.L)
    assert 0.5 * loss.mu * distance <= excess * (1 + 1e-9) + 1e-12
    assert excess <= 0.5 * loss.L * distance * (1 + 1e-9) + 1e-12
    assert gradient @ design.solve(gradient) <= 2 * loss.L * excess * (1 + 1e-9) + 1e-12
    inverse = np.linalg.inv(design.sigma)
    growth = [
        sum(
            p * float(loss.d1(a @ x, b) - loss.d1(a @ problem.x_star, b)) ** 2 * (a @ metric @ a)
            for p, a, b in outcomes(problem)
        )
        for metric in (np.eye(problem.dim), inverse)
    ]
    for norm, expected in zip((Weight.NORM, Weight.STATISTICAL_NORM), growth, strict=True):
        computed = problem.estimates.noise_growth(x, problem.x_star, norm).value
        assert computed == pytest.approx(expected, rel=1e-8, abs=1e-10 * loss.L**2)
    assert growth[0] <= 2 * loss.L * problem.B * excess * (1 + 1e-9) + 1e-12
    assert growth[1] <= 2 * loss.L * problem.L * excess * (1 + 1e-9) + 1e-12


@settings(max_examples=25, deadline=None)
@given(problems(("linear", "tabulated", "logistic")), seeds)
def test_rotating_design_and_labels_rotates_the_problem(problem: Problem, seed: int) -> None:
    q = rotation(problem.dim, np.random.default_rng(seed))
    labels = problem.labels
    if isinstance(labels, (LinearLabels, LogisticLabels)):
        labels = replace(labels, w=q @ labels.w)
    turned = Problem(problem.design.rotated(q), problem.loss, labels)
    size = 1 + np.abs(problem.x_star).max()
    np.testing.assert_allclose(turned.x_star, q @ problem.x_star, rtol=0, atol=1e-6 * size)
    np.testing.assert_allclose(turned.Q, q @ problem.Q @ q.T, rtol=0, atol=1e-7 * (1 + np.abs(problem.Q).max()))
    assert turned.F(q @ problem.x_star) == pytest.approx(problem.F(problem.x_star), rel=1e-9, abs=1e-12)


@st.composite
def rational_problems(draw: st.DrawFn) -> Problem:
    design = draw(rational_supports())
    small = st.fractions(min_value=-2, max_value=2, max_denominator=5)
    loss = Squared(draw(st.sampled_from([1.0, 0.5, 3.0])))
    if draw(st.booleans()):
        labels = draw(st.lists(small, min_size=len(design.atoms), max_size=len(design.atoms)))
        return Problem(design, loss, TabulatedLabels(labels))
    w = draw(st.lists(small, min_size=design.dim, max_size=design.dim))
    noise = DiscreteNoise([F(-1, 2), F(1)], [F(2, 3), F(1, 3)])
    return Problem(design, loss, LinearLabels(w, noise))


@settings(max_examples=40, deadline=None)
@given(rational_problems(), st.integers(1, 3))
def test_exact_least_squares_has_its_identities_and_equals_the_floats(problem: Problem, steps: int) -> None:
    exact, d = problem.exact(), problem.dim
    zero = fmpq_mat(d, 1)
    assert exact.gradient(exact.x_star) == zero
    assert exact.R(exact.x_star, fmpq(steps)) == fmpq(steps) ** 2 * exact.Q
    assert exact.scale * exact.moments.sigma == exact.H
    y = column([F(i + 1, 2) for i in range(d)])
    h = fmpq(steps, 2)
    assert exact.x_plus_star(y, h) == y - h * exact.scale * (y - exact.x_star)
    y_float, h_float = to_float(y)[:, 0], steps / 2
    x_star = to_float(exact.x_star)[:, 0]
    np.testing.assert_allclose(problem.x_star, x_star, rtol=0, atol=1e-9 * (1 + np.abs(x_star).max()))
    value = exact.F(y)
    assert problem.F(y_float) == pytest.approx(int(value.p) / int(value.q), rel=1e-12)
    for ours, truth in ((problem.Q, exact.Q), (problem.R(y_float, h_float), exact.R(y, h))):
        expected = to_float(truth)
        np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-9 * (1 + np.abs(expected).max()))
    np.testing.assert_allclose(problem.gradient(y_float), to_float(exact.gradient(y))[:, 0], rtol=0, atol=1e-11)


def test_in_exact_least_squares_with_independent_noise_r_does_not_depend_on_y() -> None:
    design = FiniteSupport([[F(1), F(2)], [F(0), F(1)], [F(3), F(-1)]], [F(1, 2), F(1, 3), F(1, 6)])
    noise = DiscreteNoise([F(-1), F(2)], [F(2, 3), F(1, 3)])
    problem = Problem(design, Squared(), LinearLabels([F(1), F(-1)], noise))
    exact = problem.exact()
    variance = fmpq(2)
    assert exact.x_star == column([1, -1])
    assert variance * exact.moments.sigma == exact.Q
    assert exact.R(column([5, 7]), 3) == 9 * variance * exact.moments.sigma


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (
            Problem(FiniteSupport([[1]]), PseudoHuber(1.0), TabulatedLabels([1])),
            "loss has no rational moments; use Squared",
        ),
        (Problem(FiniteSupport([[1.0]]), Squared(), TabulatedLabels([1])), "given as floats"),
        (Problem(FiniteSupport([[1]]), Squared(), TabulatedLabels([0.5])), "TabulatedLabels is not rational"),
        (
            Problem(FiniteSupport([[1]]), Squared(), LinearLabels([0.5], DiscreteNoise())),
            "LinearLabels is not rational",
        ),
        (
            Problem(FiniteSupport([[1]]), Squared(), LinearLabels([1], rademacher_noise())),
            "LinearLabels is not rational",
        ),
    ],
)
def test_problems_that_are_not_rational_say_why(problem: Problem, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        problem.exact()


def test_a_column_of_floats_is_refused() -> None:
    with pytest.raises(ValueError, match="column: an entry is not rational"):
        column([0.5])


def test_an_empirical_problem_is_ordinary_least_squares() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((30, 3)), rng.standard_normal(30)
    problem = Problem.from_data(a, b, Squared())
    np.testing.assert_allclose(problem.x_star, np.linalg.lstsq(a, b, rcond=None)[0], rtol=1e-10)
    drawn_a, drawn_b = problem.sample(200, rng)
    pairs = {(*row, label) for row, label in zip(a.tolist(), b.tolist(), strict=True)}
    assert all((*row, label) in pairs for row, label in zip(drawn_a.tolist(), drawn_b.tolist(), strict=True))


def test_designs_with_few_atoms_are_summed_whatever_their_class() -> None:
    w = np.array([1.0, -0.5])
    for design in (OneHot([0.5, 0.5], [1.0, 2.0]), IndependentCoordinates(np.eye(2), RADEMACHER)):
        listed = design.finite_support()
        assert listed is not None
        one, other = (Problem(d, Logistic(0.2), LogisticLabels(w)) for d in (design, listed))
        np.testing.assert_allclose(one.x_star, other.x_star, rtol=1e-12)
        np.testing.assert_allclose(one.Q, other.Q, rtol=1e-10, atol=1e-15)


def test_poisson_labels_on_a_finite_support_match_their_mean_and_variance() -> None:
    """F and Q are linear and quadratic in b, so E b = Var b = rate gives both in closed form."""
    design = FiniteSupport([[1.0, 0.2], [0.1, 1.0], [-0.5, 0.5]])
    w = np.array([0.5, -0.8])
    problem = Problem(design, Poisson(1.0), PoissonLabels(w, 1.0))
    z, rate = design.atoms @ w, np.exp(design.atoms @ w)
    np.testing.assert_allclose(problem.gradient(w), 0, atol=1e-14)
    np.testing.assert_allclose(problem.x_star, w, rtol=1e-10)
    assert problem.F(w) == pytest.approx(float(design.weights @ (rate - rate * z)), rel=1e-13)
    q = (design.atoms * (design.weights * rate)[:, None]).T @ design.atoms
    np.testing.assert_allclose(problem.Q, q, rtol=1e-10)
