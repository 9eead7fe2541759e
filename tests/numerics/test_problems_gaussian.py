"""Gaussian problems: the low-dimensional integrals against full-space quadrature, closed forms and samples."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from numerics.designs import Design, Elliptical, Gaussian, ScaleMixture
from numerics.losses import Logistic, Poisson, PseudoHuber, SoftplusQuadratic, Squared, TwoCurvature
from numerics.problems import (
    DiscreteNoise,
    GaussianNoise,
    HeteroscedasticLabels,
    LabelModel,
    LinearLabels,
    LogisticLabels,
    NonlinearLabels,
    PoissonLabels,
    Problem,
    rademacher_noise,
)
from numerics.problems.engines import Weight
from tests.strategies import rotation

TURN = rotation(2, np.random.default_rng(3))
SIGMA = (TURN * [0.3, 1.2]) @ TURN.T
SIGMA = (SIGMA + SIGMA.T) / 2
W, Y = np.array([0.6, -0.9]), np.array([-0.4, 0.8])
GAUSSIAN = Gaussian(SIGMA)


def full_space(problem: Problem, nodes: int = 70) -> list[tuple[Any, Any, Any]]:
    """(weight, a, b) on a tensor Gauss-Hermite grid over all of a and the noise: no reduction of dimension."""
    x, p = np.polynomial.hermite_e.hermegauss(nodes)
    p = p / p.sum()
    root = np.linalg.cholesky(problem.design.sigma)
    scales: list[tuple[float, float]] = [(1.0, 1.0)]
    if isinstance(problem.design, ScaleMixture):
        scales = list(zip(problem.design.scales, problem.design.weights, strict=True))
    g = np.array(list(product(x, repeat=2)))
    mass = np.array([u * v for u, v in product(p, repeat=2)])
    points = []
    for scale, m in scales:
        a = scale * g @ root.T
        labels = problem.labels
        if isinstance(labels, LogisticLabels):
            up = 1 / (1 + np.exp(-a @ labels.w))
            points += [(m * mass * up, a, np.ones(len(a))), (m * mass * (1 - up), a, -np.ones(len(a)))]
            continue
        noise, t = labels.noise, a @ labels.w  # type: ignore[attr-defined]
        mean = labels.mean(t) if isinstance(labels, NonlinearLabels) else t
        spread = 1.0
        if isinstance(labels, HeteroscedasticLabels):
            spread = labels.scale(t if labels.v is None else a @ labels.v)
        draws = (
            zip(noise.sigma * x, p, strict=True)
            if isinstance(noise, GaussianNoise)
            else zip(noise.values, noise.weights, strict=True)
        )
        points += [(m * mass * q, a, mean + spread * e) for e, q in draws]
    return points


SMOOTH: dict[str, tuple[Design, object, LabelModel]] = {
    "logistic": (GAUSSIAN, Logistic(0.1), LogisticLabels(W)),
    "logistic, scale mixture": (ScaleMixture(SIGMA, [0.7, 1.3], [0.6, 0.4]), Logistic(0.1), LogisticLabels(W)),
    "pseudo-Huber": (GAUSSIAN, PseudoHuber(0.2, 1.0, 1.5), LinearLabels(W, GaussianNoise(0.5))),
    "pseudo-Huber, misspecified": (
        GAUSSIAN,
        PseudoHuber(0.2, 1.0, 2.0),
        NonlinearLabels(W, np.sin, GaussianNoise(0.5)),
    ),
    "softplus, discrete": (GAUSSIAN, SoftplusQuadratic(0.2, 1.0, 1.5), LinearLabels(W, rademacher_noise(0.5))),
    "softplus, heteroscedastic": (
        GAUSSIAN,
        SoftplusQuadratic(0.3, 1.0, 2.0),
        HeteroscedasticLabels(W, lambda t: np.sqrt(0.5 + 0.1 * t**2), GaussianNoise(0.8), v=np.array([1.0, 0.5])),
    ),
    "squared, misspecified": (GAUSSIAN, Squared(2.0), NonlinearLabels(W, np.sin, GaussianNoise(0.5))),
    "squared, heteroscedastic": (
        GAUSSIAN,
        Squared(),
        HeteroscedasticLabels(W, lambda t: 0.5 + 0.1 * t**2, DiscreteNoise([-1.0, 0.5], [1 / 3, 2 / 3])),
    ),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_reduced_integrals_equal_integrals_over_the_whole_space(name: str) -> None:
    design, loss, labels = SMOOTH[name]
    problem = Problem(design, loss, labels)  # type: ignore[arg-type]
    grid, h = full_space(problem), 0.6

    def total(f: Any) -> Any:
        return sum(f(p, a, b) for p, a, b in grid)

    l = problem.loss
    value = total(lambda p, a, b: p @ l.value(a @ Y, b))
    gradient = total(lambda p, a, b: a.T @ (p * l.d1(a @ Y, b)))
    hessian = total(lambda p, a, b: (a * (p * l.d2(a @ Y, b))[:, None]).T @ a)
    step = h * np.linalg.solve(design.sigma, gradient)
    noise = total(lambda p, a, b: (a * (p * (a @ step - h * l.d1(a @ Y, b)) ** 2)[:, None]).T @ a)
    close: Any = {"rtol": 0, "atol": 2e-7}
    assert problem.F(Y) == pytest.approx(float(value), abs=1e-7)
    np.testing.assert_allclose(problem.gradient(Y), gradient, **close)
    np.testing.assert_allclose(problem.hessian(Y), hessian, **close)
    np.testing.assert_allclose(problem.R(Y, h), noise, **close)
    x = problem.x_star
    np.testing.assert_allclose(total(lambda p, a, b: a.T @ (p * l.d1(a @ x, b))), 0, **close)
    np.testing.assert_allclose(
        total(lambda p, a, b: (a * (p * l.d1(a @ x, b) ** 2)[:, None]).T @ a), problem.Q, **close
    )
    inverse = np.linalg.inv(design.sigma)
    for metric, norm, matrix in (
        (np.eye(2), Weight.NORM, Weight.NORM_MATRIX),
        (inverse, Weight.STATISTICAL_NORM, Weight.STATISTICAL_NORM_MATRIX),
    ):
        growth = total(
            lambda p, a, b, m=metric: p @ ((l.d1(a @ Y, b) - l.d1(a @ x, b)) ** 2 * np.sum((a @ m) * a, axis=1))
        )
        curvature = total(
            lambda p, a, b, m=metric: (a * (p * l.d2(a @ x, b) ** 2 * np.sum((a @ m) * a, axis=1))[:, None]).T @ a
        )
        assert problem.estimates.noise_growth(Y, x, norm).value == pytest.approx(float(growth), abs=1e-6)
        np.testing.assert_allclose(problem.estimates.curvature_growth(x, matrix).value, curvature, rtol=0, atol=1e-6)
    bregman = total(lambda p, a, b: p @ (l.value(a @ Y, b) - l.value(a @ x, b)))
    assert problem.excess_risk(Y) == pytest.approx(float(bregman), abs=1e-6)


def test_the_two_curvature_loss_has_its_closed_form() -> None:
    """r = a.x - b ~ N(0, tau^2): F is a one-dimensional integral, and Stein gives the gradient."""
    loss = TwoCurvature(2.0, 0.25, 0.3)
    problem = Problem(GAUSSIAN, loss, LinearLabels(W, GaussianNoise(0.4)))
    gap = Y - W
    tau = mp.sqrt(mp.mpf(float(gap @ SIGMA @ gap)) + mp.mpf(0.4) ** 2)
    delta = mp.mpf(0.3)
    with mp.workdps(30):
        density = lambda r: mp.exp(-((r / tau) ** 2) / 2) / (tau * mp.sqrt(2 * mp.pi))  # noqa: E731 - a formula
        inner = mp.quad(lambda r: r**2 * density(r), [0, delta]) * 2
        outer = mp.quad(
            lambda r: (mp.mpf(0.25) * r**2 / 2 + mp.mpf(1.75) * delta * (r - delta / 2)) * density(r), [delta, 2, 20]
        )
        value = inner + 2 * outer
        curvature = mp.mpf(0.25) + mp.mpf(1.75) * mp.erf(delta / tau / mp.sqrt(2))
    assert problem.F(Y) == pytest.approx(float(value), rel=1e-13)
    np.testing.assert_allclose(problem.gradient(Y), float(curvature) * SIGMA @ gap, rtol=1e-12)


def test_the_noise_of_the_two_curvature_loss_at_x_star_tends_to_mu_squared_times_the_variance() -> None:
    """Q_delta -> mu^2 sigma^2 Sigma as delta -> 0; the paper prints mu^2 Sigma, without sigma^2."""
    sigma = 0.4
    for delta, allowed in ((1e-2, 5e-1), (1e-4, 5e-3), (1e-6, 5e-5)):
        problem = Problem(GAUSSIAN, TwoCurvature(2.0, 0.25, delta), LinearLabels(W, GaussianNoise(sigma)))
        np.testing.assert_allclose(problem.Q, 0.25**2 * sigma**2 * SIGMA, rtol=allowed)
        assert problem.Q_estimate.error < 1e-12
        np.testing.assert_array_equal(problem.x_star, W)


def test_kinks_met_at_discrete_noise_are_integrated_to_rounding() -> None:
    loss = TwoCurvature(2.0, 0.25, 0.3)
    problem = Problem(GAUSSIAN, loss, LinearLabels(W, rademacher_noise(0.5)))
    gap = Y - W
    tau = float(np.sqrt(gap @ SIGMA @ gap))
    with mp.workdps(25):
        density = lambda u: mp.exp(-(u**2) / 2) / mp.sqrt(2 * mp.pi)  # noqa: E731 - a formula
        cuts = sorted([-12, 12, *((s * 0.3 + e) / tau for s in (-1, 1) for e in (-0.5, 0.5))])
        value = mp.quad(
            lambda u: density(u) * sum(mp.mpf(float(loss.value(float(tau * u), e))) for e in (-0.5, 0.5)) / 2, cuts
        )
    assert problem.F(Y) == pytest.approx(float(value), rel=1e-12)
    assert problem.estimates.F(Y).error < 1e-12


def test_the_poisson_loss_is_split_at_the_ends_of_its_range() -> None:
    """With E b = rate(a.w) the risk is an integral over (a.y, a.w); inside |z| <= B all of it is smooth."""
    w, y = np.array([0.5, -0.2]), np.array([0.3, 0.9])
    loss = Poisson(0.8)
    problem = Problem(GAUSSIAN, loss, PoissonLabels(w, 0.8))
    covariance = np.array([[v @ SIGMA @ u for u in (y, w)] for v in (y, w)])
    root = np.linalg.cholesky(covariance)

    def inner(s: float) -> float:
        cuts = sorted({-9.0, 9.0, *np.clip([(e - root[1, 0] * s) / root[1, 1] for e in (-0.8, 0.8)], -9, 9)})
        z = root[0, 0] * s
        return panels(lambda u: np.exp(np.clip(root[1, 0] * s + root[1, 1] * u, -0.8, 0.8)), cuts) * -z + float(
            loss.value(z, 0.0)
        )

    cuts = sorted([-9.0, 9.0, *(e / root[0, 0] for e in (-0.8, 0.8))])
    value = panels(np.vectorize(inner), cuts)
    assert problem.F(y) == pytest.approx(value, rel=1e-11)
    np.testing.assert_allclose(problem.gradient(problem.x_star), 0, atol=1e-11)


def panels(f: object, cuts: list[float]) -> float:
    """E f(u), u ~ N(0, 1), by Gauss-Legendre on panels of width at most 1.5."""
    x, w = np.polynomial.legendre.leggauss(16)
    total = 0.0
    for left, right in pairwise(cuts):
        parts = max(1, int(np.ceil((right - left) / 1.5)))
        edges = np.linspace(left, right, parts + 1)
        for a, b in pairwise(edges):
            u = (a + b) / 2 + (b - a) / 2 * x
            total += (b - a) / 2 * float(w @ (f(u) * np.exp(-(u**2) / 2))) / np.sqrt(2 * np.pi)  # type: ignore[operator]
    return total


@pytest.mark.parametrize("far", [1.0, 30.0, 3000.0])
@pytest.mark.parametrize(
    "loss", [PseudoHuber(0.1, 1.0, 0.2), TwoCurvature(1.0, 0.1, 0.2), SoftplusQuadratic(0.1, 1.0, 0.2)]
)
def test_risks_far_from_the_optimum_are_integrated_through_their_sharp_transition(
    far: float, loss: PseudoHuber
) -> None:
    """The residual is N(0, tau^2): a one-dimensional integral, however large tau is."""
    x = W + far * np.array([1.0, 1.0])
    problem = Problem(GAUSSIAN, loss, LinearLabels(W, GaussianNoise(0.3)))
    tau = float(np.sqrt((x - W) @ SIGMA @ (x - W) + 0.09))
    near = [s * 0.2 * 2.0**k / tau for s in (-1, 1) for k in range(-2, 40) if 0.2 * 2.0**k / tau < 9]
    value = panels(lambda u: loss.value(tau * u, 0.0), sorted([-9.5, 9.5, 0.0, *near]))
    assert problem.F(x) == pytest.approx(value, rel=1e-9)


def test_logistic_risk_far_out_is_integrated_too() -> None:
    x = 500.0 * W
    problem = Problem(GAUSSIAN, Logistic(0.1), LogisticLabels(W))
    size = float(np.sqrt(W @ SIGMA @ W))

    def integrand(u: np.ndarray) -> np.ndarray:
        up, z = 1 / (1 + np.exp(-size * u)), 500.0 * size * u
        return np.asarray(up * problem.loss.value(z, 1.0) + (1 - up) * problem.loss.value(z, -1.0))

    near = [s * 2.0**k / (500 * size) for s in (-1, 1) for k in range(-2, 40) if 2.0**k / (500 * size) < 9]
    assert problem.F(x) == pytest.approx(panels(integrand, sorted([-9.5, 9.5, 0.0, *near])), rel=1e-10)


def test_heteroscedastic_least_squares_has_polynomial_moments() -> None:
    """Var(b|a) = (1 + t^2)^2 s^2 with t = a.w: Q from Gaussian moments of order six, by Gauss-Hermite, exactly."""
    problem = Problem(GAUSSIAN, Squared(), HeteroscedasticLabels(W, lambda t: 1 + t**2, GaussianNoise(0.5)))
    x, p = np.polynomial.hermite_e.hermegauss(8)
    root = np.linalg.cholesky(SIGMA)
    q = np.zeros((2, 2))
    for (u, pu), (v, pv) in product(zip(x, p / p.sum(), strict=True), repeat=2):
        a = root @ [u, v]
        q += pu * pv * 0.25 * (1 + (a @ W) ** 2) ** 2 * np.outer(a, a)
    np.testing.assert_allclose(problem.Q, q, rtol=1e-12)
    np.testing.assert_array_equal(problem.x_star, W)


def test_an_elliptical_design_is_integrated_as_the_mixture_it_samples() -> None:
    heavy = Elliptical(SIGMA, 2.0)
    problem = Problem(heavy, Logistic(0.1), LogisticLabels(W))
    a, b = problem.sample(400_000, np.random.default_rng(8))
    draws = problem.loss.value(a @ Y, b)
    assert abs(draws.mean() - problem.F(Y)) <= 6 * draws.std() / np.sqrt(len(draws))
    just_gaussian = Problem(Elliptical(SIGMA, 1.0), Logistic(0.1), LogisticLabels(W))
    gaussian = Problem(GAUSSIAN, Logistic(0.1), LogisticLabels(W))
    assert just_gaussian.F(Y) == pytest.approx(gaussian.F(Y), rel=1e-13)


@pytest.mark.parametrize("name", SMOOTH)
def test_sampled_pairs_have_the_risk_the_gradient_and_the_noise_of_the_problem(name: str) -> None:
    design, loss, labels = SMOOTH[name]
    problem = Problem(design, loss, labels)  # type: ignore[arg-type]
    a, b = problem.sample(100_000, np.random.default_rng(21))
    z, h = a @ Y, 0.6
    eps = -h * problem.loss.d1(z, b) + a @ (Y - problem.x_plus_star(Y, h))
    gradient, noise = problem.gradient(Y), problem.R(Y, h)
    pairs = [(problem.loss.value(z, b), problem.F(Y))]
    pairs += [(problem.loss.d1(z, b) * a[:, i], gradient[i]) for i in range(2)]
    pairs += [(eps**2 * a[:, i] * a[:, j], noise[i, j]) for i, j in product(range(2), repeat=2)]
    for draws, exact in pairs:
        assert abs(draws.mean() - exact) <= 6 * draws.std() / np.sqrt(len(draws))


def test_dimension_does_not_matter_to_the_integrals() -> None:
    d = 60
    rng = np.random.default_rng(4)
    w = rng.standard_normal(d) / np.sqrt(d)
    design = Gaussian.from_spectrum(np.geomspace(1e-4, 1.0, d), rotation(d, rng))
    problem = Problem(design, Logistic(0.05), LogisticLabels(w))
    assert problem.minimiser.error < 1e-9
    gradient = problem.gradient(problem.x_star)
    assert np.sqrt(gradient @ design.solve(gradient)) < 1e-11
    cosine = (
        problem.x_star
        @ design.sigma
        @ w
        / np.sqrt((w @ design.sigma @ w) * (problem.x_star @ design.sigma @ problem.x_star))
    )
    assert cosine == pytest.approx(1.0, abs=1e-12)
