"""Problems are values: reproducible samples, readable print, and refusals that name the thing and the remedy."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from numerics.designs import LAPLACE, Elliptical, FiniteSupport, Gaussian, IndependentCoordinates, StudentT
from numerics.losses import Logistic, Poisson, PseudoHuber, Squared, TwoCurvatureAsPrinted, UserLoss
from numerics.problems import (
    DiscreteNoise,
    GaussianNoise,
    HeteroscedasticLabels,
    LinearLabels,
    LogisticLabels,
    NonlinearLabels,
    PoissonLabels,
    Problem,
    TabulatedLabels,
    rademacher_noise,
)

W = np.array([1.0, -0.5])
GAUSSIAN = Gaussian(np.diag([1.0, 2.0]))
ATOMS = FiniteSupport([[1.0, 0.0], [0.5, 1.0], [1.0, 2.0]])
LINEAR = LinearLabels(W, GaussianNoise(0.5))

EVERY_LABEL_MODEL = {
    "linear": Problem(GAUSSIAN, Squared(), LINEAR),
    "discrete": Problem(GAUSSIAN, Squared(), LinearLabels(W, rademacher_noise(0.5))),
    "logistic": Problem(GAUSSIAN, Logistic(0.1), LogisticLabels(W)),
    "poisson": Problem(GAUSSIAN, Poisson(1.0), PoissonLabels(W, 1.0)),
    "nonlinear": Problem(GAUSSIAN, Squared(), NonlinearLabels(W, np.tanh, GaussianNoise(0.5))),
    "heteroscedastic": Problem(GAUSSIAN, Squared(), HeteroscedasticLabels(W, lambda t: 1 + t**2, GaussianNoise(0.5))),
    "tabulated": Problem(ATOMS, Squared(), TabulatedLabels([1.0, 2.0, 0.0])),
}


@pytest.mark.parametrize("name", EVERY_LABEL_MODEL)
def test_the_same_seed_gives_the_same_pairs(name: str) -> None:
    problem = EVERY_LABEL_MODEL[name]
    (a, b), (c, d) = (problem.sample(100, np.random.default_rng(9)) for _ in range(2))
    assert a.tobytes() == c.tobytes()
    assert b.tobytes() == d.tobytes()
    assert a.shape == (100, 2)
    assert b.shape == (100,)
    problem.loss.check_labels(b)


@pytest.mark.parametrize("name", EVERY_LABEL_MODEL)
def test_a_problem_is_frozen_and_prints_itself(name: str) -> None:
    problem = EVERY_LABEL_MODEL[name]
    with pytest.raises(FrozenInstanceError):
        problem.tolerance = 1.0  # type: ignore[misc]
    assert repr(problem).startswith("Problem(")
    assert "alpha" in problem._repr_html_()
    assert problem.alpha * problem.design.r2 == problem.B
    assert problem.alpha * problem.design.kappa_tilde == problem.L


def test_sampled_labels_have_the_mean_and_variance_of_their_model() -> None:
    rng = np.random.default_rng(12)
    t = np.full((200_000, 1), 0.7)
    for labels, mean, variance in (
        (LINEAR, 0.7, 0.25),
        (LinearLabels(W, rademacher_noise(2.0)), 0.7, 4.0),
        (LogisticLabels(W), np.tanh(0.35), 1 - np.tanh(0.35) ** 2),
        (PoissonLabels(W, 0.5), np.exp(0.5), np.exp(0.5)),
        (NonlinearLabels(W, np.square, GaussianNoise(0.5)), 0.49, 0.25),
        (HeteroscedasticLabels(W, lambda s: 1 + s, GaussianNoise(0.5)), 0.7, 0.25 * 1.7**2),
    ):
        b = labels.sample(t, rng)
        assert abs(b.mean() - mean) <= 6 * np.sqrt(variance / len(b))
        assert b.var() == pytest.approx(variance, rel=0.03)
        nodes, weights = labels.conditional(t[:1], np.empty((1, 0)), 3)
        first = float(np.sum(nodes * weights))
        assert first == pytest.approx(mean, rel=1e-12)
        assert float(np.sum((nodes - first) ** 2 * weights)) == pytest.approx(variance, rel=1e-11)


def test_the_second_direction_of_heteroscedastic_labels_sets_the_scale() -> None:
    labels = HeteroscedasticLabels(W, lambda s: np.exp(s), GaussianNoise(1.0), v=[0.0, 1.0])
    np.testing.assert_array_equal(labels.directions, [W, [0.0, 1.0]])
    problem = Problem(ATOMS, Squared(), labels)
    scale = np.exp(2 * ATOMS.atoms[:, 1])
    q = (ATOMS.atoms * (scale / 3)[:, None]).T @ ATOMS.atoms
    np.testing.assert_allclose(problem.Q, q, rtol=1e-12)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Problem(GAUSSIAN, TwoCurvatureAsPrinted(2.0, 1.0), LINEAR), "not continuous.*use TwoCurvature"),
        (lambda: Problem(GAUSSIAN, Squared(), LinearLabels([1.0], DiscreteNoise())), "w has 1 entries.*dimension 2"),
        (lambda: Problem(GAUSSIAN, Squared(), TabulatedLabels([1.0])), "tabulated labels need a finite support"),
        (lambda: Problem(ATOMS, Squared(), TabulatedLabels([1.0])), "labels: 1 for 3 atoms; give one label an atom"),
        (lambda: Problem(ATOMS, Logistic(0.1), TabulatedLabels([1.0, 0.0, 1.0])), "label 1 is 0.*must be -1 or"),
        (lambda: Problem(GAUSSIAN, Squared(), LINEAR, tolerance=0.0), "tolerance = 0.0 must be positive"),
        (lambda: Problem(GAUSSIAN, Logistic(0.1), LINEAR).F(W), "labels must be -1 or"),
        (lambda: Problem(GAUSSIAN, Poisson(1.0), LINEAR).F(W), "must be >= 0"),
        (lambda: Problem(StudentT(np.eye(2), 5.0), Logistic(0.1), LogisticLabels(W)).F(W), "StudentT with .* no exact"),
        (lambda: Problem(Elliptical(np.eye(2), 0.6), Logistic(0.1), LogisticLabels(W)).F(W), "no exact integration"),
        (
            lambda: Problem(IndependentCoordinates(np.eye(2), LAPLACE), PseudoHuber(1.0), LINEAR).F(W),
            "use Squared.. with LinearLabels",
        ),
        (lambda: EVERY_LABEL_MODEL["linear"].F([1.0]), r"x: has shape \(1,\), needs \(2,\)"),
        (lambda: EVERY_LABEL_MODEL["linear"].gradient([1.0, np.nan]), "x: entry 1 is nan"),
        (lambda: EVERY_LABEL_MODEL["linear"].R(W, 0.0), "h = 0.0 must be positive"),
        (lambda: EVERY_LABEL_MODEL["linear"].x_plus_star(W, -1.0), "h = -1.0 must be positive"),
        (lambda: EVERY_LABEL_MODEL["linear"].sample(-1, np.random.default_rng(0)), "n = -1 is not a sample size"),
        (lambda: EVERY_LABEL_MODEL["linear"].exact(), "Gaussian has no finite support"),
        (lambda: GaussianNoise(0.0), "noise sigma = 0.0 must be positive"),
        (lambda: DiscreteNoise([1.0], [1.0]), "noise: has mean 1, must have mean 0; subtract the mean"),
        (lambda: DiscreteNoise([1.0, -1.0], [1.0]), "noise: 2 values and 1 weights"),
        (lambda: rademacher_noise(-1.0), "noise size = -1.0 must be positive"),
        (lambda: LinearLabels([np.inf], DiscreteNoise()), "w: entry 0 is inf"),
        (lambda: PoissonLabels(W, 6.0), "bound = 6.0: rates up to"),
        (lambda: HeteroscedasticLabels(W, np.exp, GaussianNoise(), v=[1.0]), "v: has 1 entries, w has 2"),
        (
            lambda: Problem(ATOMS, Squared(), HeteroscedasticLabels(W, lambda t: t, GaussianNoise())).Q,
            r"scale: is .* at a.v = .*, must be positive; add a floor",
        ),
        (
            lambda: Problem(ATOMS, Squared(), NonlinearLabels(W, lambda t: t / 0 * 0, GaussianNoise())).F(W),
            "mean: is nan at predictor",
        ),
        (
            lambda: TabulatedLabels([1.0]).sample(np.zeros((1, 0)), np.random.default_rng(0)),
            "sample them through Problem",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_bad_problems_are_refused_with_a_remedy(build: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()  # type: ignore[operator]


def test_a_seed_is_not_a_generator() -> None:
    with pytest.raises(TypeError, match="rng is a int; pass a generator"):
        EVERY_LABEL_MODEL["linear"].sample(3, 0)  # type: ignore[arg-type]


def test_newton_refuses_a_loss_whose_derivatives_contradict_each_other() -> None:
    right = PseudoHuber(0.1, 1.0, 0.3)
    loss = UserLoss(1.1, 0.1, right.value, right.d1, right.d2, radius=3.0)
    object.__setattr__(loss, "dl", lambda z, b: 1.0 + 0 * z)
    problem = Problem(ATOMS, loss, TabulatedLabels([1.0, 2.0, 0.0]))
    with pytest.raises(ValueError, match=r"x\*: 100 Newton steps left a gradient of size .*check that l'' lies in"):
        _ = problem.x_star


def test_a_user_loss_defines_a_problem_like_a_built_in_one() -> None:
    right = PseudoHuber(0.1, 1.0, 0.3)
    loss = UserLoss(1.1, 0.1, right.value, right.d1, right.d2)
    for design in (ATOMS, GAUSSIAN):
        one, other = (Problem(design, l, LinearLabels(W, GaussianNoise(1.0))) for l in (loss, right))
        np.testing.assert_allclose(one.x_star, other.x_star, atol=1e-8)
        np.testing.assert_allclose(one.Q, other.Q, rtol=1e-7)
