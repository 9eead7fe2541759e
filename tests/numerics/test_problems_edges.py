"""Quadrature against moments known by hand, label models node by node, searches and refinements step by step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from numerics.designs import Elliptical, FiniteSupport, Gaussian, ScaleMixture
from numerics.losses import Logistic, PseudoHuber, Squared, TwoCurvature
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
    quadrature,
    rademacher_noise,
)
from numerics.problems.constants import Bracket, _searched
from numerics.problems.engines import Weight
from numerics.problems.estimate import Accuracy, Pass, QuadratureError, refined
from numerics.problems.exact import column
from numerics.problems.gaussian import GaussianEngine, _fast, orthonormal_basis
from numerics.problems.problem import _engine
from numerics.problems.quadrature import Kink

W = np.array([1.0, -0.5])
ATOMS = FiniteSupport([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])


@pytest.mark.parametrize("level", range(4))
def test_the_smooth_axis_is_symmetric_and_reaches_its_end(level: int) -> None:
    nodes, weights = quadrature.smooth_axis(level)
    h = 0.8 / 2 ** (level / 2)
    assert np.array_equal(nodes, -nodes[::-1])
    assert np.diff(nodes) == pytest.approx(h)
    assert nodes[-1] - h < 9 + level / 2 <= nodes[-1]
    assert weights.sum() == pytest.approx(1.0, abs=1e-15)
    for power, moment in ((1, 0.0), (2, 1.0), (4, 3.0), (6, 15.0)):
        assert weights @ nodes**power == pytest.approx(moment, abs=3e-3 if level == 0 else 1e-6)


def test_panels_end_at_the_kinks_and_cover_the_line() -> None:
    """E |s - k| = 2 phi(k) + k (2 Phi(k) - 1): exact when a panel ends at k."""
    kinks = np.array([[0.7], [-4.0], [20.0]])
    nodes, weights = quadrature.split_axis(kinks, 4)
    assert nodes.shape == (3, 5 * quadrature.panel_order(4)) == (3, 5 * 32)
    assert np.all(np.diff(nodes, axis=1) >= 0)
    assert weights.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-14)
    assert np.sum(weights * nodes**4, axis=1) == pytest.approx(np.full(3, 3.0))
    for row, (k,) in enumerate(kinks[:2]):
        phi, big = math.exp(-k * k / 2) / math.sqrt(2 * math.pi), 0.5 * (1 + math.erf(k / math.sqrt(2)))
        found = float(np.sum(weights[row] * np.abs(nodes[row] - k)))
        assert found == pytest.approx(2 * phi + k * (2 * big - 1), abs=1e-13)
    assert np.abs(nodes).max() <= quadrature.reach(4) == 11.0
    assert quadrature.split_axis(np.zeros((2, 0)), 0)[0].shape == (2, 4 * 8)


def test_graded_edges_double_until_they_are_far() -> None:
    assert quadrature.graded_edges(1.0, 0.5, 4.0) == [1.0, 1.5, 2.0, 3.0, 0.5, 0.0, -1.0]
    assert quadrature.graded_edges(0.0, 1.0, 1.0) == [0.0, 1.0, -1.0]
    assert _fast(np.array([3.0, 4.0]), 0.0, None) == []
    assert _fast(np.array([3.0, 4.0]), 0.0, 2.0) == [], "a width of size / 2.5 is not sharp yet"
    sharp = _fast(np.array([3.0, 4.0]), 1.0, 1.99)
    assert [k.offset for k in sharp] == quadrature.graded_edges(1.0, 1.99, 40.0)
    assert sharp[0].coefficients == (3.0, 4.0)


def test_a_grid_is_a_product_that_follows_its_kinks() -> None:
    nodes, weights = quadrature.grid(2, (Kink((1.0, 2.0), 0.5),), 3, most_nodes=10**6)
    assert weights.sum() == pytest.approx(1.0)
    assert weights @ (nodes[:, 0] ** 2 * nodes[:, 1] ** 2) == pytest.approx(1.0)
    size = math.sqrt(5)
    k, phi = 0.5 / size, math.exp(-0.05 / 2 / 1) / math.sqrt(2 * math.pi)
    exact = size * (2 * phi + k * math.erf(k / math.sqrt(2)))
    assert weights @ np.abs(nodes @ [1.0, 2.0] - 0.5) == pytest.approx(exact, abs=1e-11)
    width = len(quadrature.smooth_axis(0)[0])
    assert len(quadrature.grid(2, (), 0, most_nodes=width**2)[0]) == width**2
    with pytest.raises(OverflowError, match=f"{width**2} nodes"):
        quadrature.grid(2, (), 0, most_nodes=width**2 - 1)
    assert quadrature.grid(0, (), 0, most_nodes=1)[1].tolist() == [1.0]
    assert quadrature._last_axis(Kink((0.0, 0.0), 1.0)) == -1
    assert quadrature._last_axis(Kink((1.0, 1e-15), 1.0)) == 0
    assert quadrature._last_axis(Kink((1.0, 1e-13), 1.0)) == 1
    assert quadrature._crossings([Kink((1.0, 2.0), 5.0)], np.array([[1.0]]), 1).tolist() == [[2.0]]


def test_a_basis_drops_what_depends_on_the_vectors_before() -> None:
    basis = orthonormal_basis([np.array([3.0, 4.0, 0.0]), np.array([6.0, 8.0, 0.0]), np.zeros(3), np.ones(3)], 3)
    assert basis.shape == (3, 2)
    assert basis[:, 0] == pytest.approx([0.6, 0.8, 0.0])
    assert basis.T @ basis == pytest.approx(np.eye(2))


def passes(*values: float, size: float = 1.0):  # type: ignore[no-untyped-def]
    def evaluate(level: int) -> Pass:
        if level >= len(values):
            raise OverflowError("too many")
        return Pass(np.array(values[level]), size)

    return evaluate


def test_refinement_stops_at_agreement_at_stagnation_or_at_the_cost() -> None:
    accuracy = Accuracy(wanted=1e-6, tolerance=1e-2)

    def found(*values: float) -> tuple[float, float]:
        estimate = refined(passes(*values), what="F", accuracy=accuracy)
        return float(estimate.value), estimate.error

    assert found(1.0, 1.0, 1.0, 5.0) == (1.0, 1e-15), "three levels at least, and no more than needed"
    assert found(9.0, 1.1, 1.01, 1.0100001, 7.0)[0] == 1.0100001
    assert found(1.0, 1.001) == pytest.approx((1.001, 1e-3)), "two levels are enough when a third costs too much"
    with pytest.raises(QuadratureError, match="F: the integral has too many dimensions to refine"):
        found(1.0)
    with pytest.raises(QuadratureError, match=r"F: quadrature error estimate 0\.02 exceeds tolerance 0\.01"):
        found(1.0, 1.02)
    noisy = refined(passes(1.0, 1 + 2e-9, 1.0, 1 + 2e-9, 3.0), what="F", accuracy=Accuracy(wanted=0.0))
    assert float(noisy.value) == 1 + 2e-9, "rounding does not shrink: the first repeat ends it"
    assert float(refined(passes(2.0, 2.0, 2.0, size=4.0), what="F", accuracy=accuracy).error) == 4e-15


def test_noise_laws_by_hand() -> None:
    gauss, coin = GaussianNoise(2.0), rademacher_noise(3.0)
    assert (gauss.variance, gauss.spread, gauss.discrete, gauss.symmetric, gauss.atoms) == (4.0, 2.0, False, True, ())
    assert (coin.variance, coin.spread, coin.discrete, coin.symmetric, coin.atoms) == (
        9.0,
        0.0,
        True,
        True,
        (-3.0, 3.0),
    )
    skewed = DiscreteNoise([-2.0, 1.0], [1 / 3, 2 / 3])
    assert not skewed.symmetric
    assert skewed.variance == pytest.approx(2.0)
    none = DiscreteNoise()
    assert (none.atoms, none.variance, none.symmetric) == ((0.0,), 0.0, True)
    assert none.rational is not None
    assert skewed.rational is None
    e, weights = gauss.nodes(np.array([[1.0], [-3.0]]), 2)
    assert np.sum(weights * e**2, axis=1) == pytest.approx([4.0, 4.0])
    assert np.sum(weights[0] * np.abs(e[0] - 1.0)) == pytest.approx(
        2 * (2 * math.exp(-1 / 8) / math.sqrt(2 * math.pi) + 0.5 * math.erf(0.5 / math.sqrt(2))), abs=1e-9
    )
    plain, plain_weights = gauss.nodes(np.zeros((3, 0)), 2)
    assert plain.shape == plain_weights.shape == (3, len(quadrature.smooth_axis(2)[0]))
    assert coin.nodes(np.zeros((2, 1)), 0)[0].tolist() == [[-3.0, 3.0]] * 2
    large = DiscreteNoise([1e6 + 1e-7, -1e6], [0.5, 0.5])
    assert large.variance > 0
    with pytest.raises(ValueError, match="must have mean 0"):
        DiscreteNoise([1 + 1e-10, -1.0], [0.5, 0.5])


def test_label_models_say_what_they_are() -> None:
    gauss, coin = GaussianNoise(0.5), rademacher_noise(1.0)
    linear, tossed = LinearLabels(W, gauss), LinearLabels(W, coin)
    assert (linear.exact_sum, tossed.exact_sum) == (False, True)
    assert (linear.affine_shifts(), tossed.affine_shifts()) == ((), (-1.0, 1.0))
    assert (linear.homoscedastic_variance, linear.spread, tossed.spread) == (0.25, 0.5, 0.0)
    assert linear.centred().directions.tolist() == [[0.0, 0.0]]
    bent = NonlinearLabels(W, np.tanh, gauss)
    assert (bent.centre, bent.homoscedastic_variance, bent.symmetric, bent.spread) == (None, None, False, 0.5)
    assert NonlinearLabels(W, np.tanh, coin).exact_sum
    loud = HeteroscedasticLabels(W, lambda t: 1 + t**2, gauss)
    assert loud.spread == np.inf
    assert loud.symmetric
    assert loud.homoscedastic_variance is None
    assert loud.centred().directions.tolist() == [[0.0, 0.0], W.tolist()]
    assert HeteroscedasticLabels(W, lambda t: 1 + t**2, coin).spread == 0.0
    logistic = LogisticLabels(W)
    assert (logistic.exact_sum, logistic.width, logistic.centre, logistic.spread) == (True, math.pi, None, 0.0)
    b, weights = logistic.conditional(np.array([[0.0], [math.log(3)]]), np.zeros((2, 0)), 0)
    assert b.tolist() == [[-1.0, 1.0]] * 2
    assert weights == pytest.approx(np.array([[0.5, 0.5], [0.25, 0.75]]))
    counts = PoissonLabels(W, 5.0)
    assert counts.predictor_kinks() == (-5.0, 5.0)
    assert counts.exact_sum
    b, weights = counts.conditional(np.array([[-9.0], [0.0], [9.0]]), np.zeros((3, 0)), 0)
    rates = np.exp([-5.0, 0.0, 5.0])
    assert weights.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-13)
    assert np.sum(weights * b, axis=1) == pytest.approx(rates, rel=1e-12)
    assert np.sum(weights * (b - rates[:, None]) ** 2, axis=1) == pytest.approx(rates, rel=1e-12)
    assert weights[2, -1] < 1e-17
    table = TabulatedLabels([1, 2])
    assert table.exact_sum
    assert table.rational_values == (1, 2)
    assert TabulatedLabels([1.5, 2]).rational_values is None
    assert linear.width is None
    assert linear.predictor_kinks() == ()


def test_a_scale_of_exactly_zero_is_refused() -> None:
    labels = HeteroscedasticLabels(W, lambda t: np.maximum(t, 0.0), GaussianNoise())
    with pytest.raises(ValueError, match=r"scale: is 0 at a\.v = -1, must be positive"):
        labels.sample(np.array([[1.0], [-1.0]]), np.random.default_rng(0))


def test_integration_on_mixtures_weights_every_scale() -> None:
    """E |a|^2 b^2 for b = a.w without noise is a fourth moment, known for every elliptical law."""
    quartic = PseudoHuber(0.1, 1.0, 0.3)
    for design in (
        Gaussian(np.diag([1.0, 2.0])),
        ScaleMixture(np.eye(2), [1.0, 2.0], [0.5, 0.5]),
        Elliptical(np.eye(2), 1.5),
    ):
        engine = _engine(Problem(design, quartic, LogisticLabels(W)))
        assert isinstance(engine, GaussianEngine)
        assert np.dot(engine.masses, np.square(engine.scales)) == pytest.approx(1.0)
        assert np.dot(engine.masses, np.power(engine.scales, 4)) == pytest.approx(design.kurtosis)
        gap = np.outer(W, W)
        for weight, exact in (
            (Weight.ONE, W @ design.sigma @ W),
            (Weight.MATRIX, design.fourth_moment(gap)),
            (Weight.NORM, np.trace(design.fourth_moment(gap))),
            (Weight.STATISTICAL_NORM, np.trace(design.solve(design.fourth_moment(gap)))),
        ):
            found = engine.expect(lambda z, b: z[0] ** 2 + 0 * b, [W], weight, what="moment")
            assert found.value == pytest.approx(exact, rel=1e-10)
        even = engine.expect(lambda z, b: 1.0 + 0 * b + 0 * z[0], [W], Weight.NORM_MATRIX, what="moment")
        assert even.value == pytest.approx(design.fourth_moment(np.eye(2)), rel=1e-10)
        white = engine.expect(lambda z, b: 1.0 + 0 * b + 0 * z[0], [W], Weight.STATISTICAL_NORM_MATRIX, what="moment")
        assert white.value == pytest.approx(design.fourth_moment(np.linalg.inv(design.sigma)), rel=1e-10)
        odd = engine.expect(lambda z, b: z[0] + 0 * b, [W], Weight.VECTOR, what="moment")
        assert odd.value == pytest.approx(design.sigma @ W, rel=1e-10)


def test_finite_sums_have_every_weight() -> None:
    engine = _engine(Problem(ATOMS, TwoCurvature(1.0, 0.1, 0.2), TabulatedLabels([1.0, 2.0, 0.0])))
    f = np.array([1.0, 4.0, 0.0])  # b^2
    norms, levers = np.array([1.0, 4.0, 2.0]), ATOMS.leverages
    outer = np.einsum("ki,kj->kij", ATOMS.atoms, ATOMS.atoms)
    expected = {
        Weight.ONE: f.mean(),
        Weight.VECTOR: f @ ATOMS.atoms / 3,
        Weight.MATRIX: np.tensordot(f, outer, 1) / 3,
        Weight.NORM: f @ norms / 3,
        Weight.STATISTICAL_NORM: f @ levers / 3,
        Weight.NORM_MATRIX: np.tensordot(f * norms, outer, 1) / 3,
        Weight.STATISTICAL_NORM_MATRIX: np.tensordot(f * levers, outer, 1) / 3,
    }
    for weight, exact in expected.items():
        found = engine.expect(lambda z, b: b**2 + 0 * z[0], [W], weight, what="moment")
        assert found.value == pytest.approx(exact), weight
        assert 0 < found.error < 1e-13


def test_a_search_explores_with_the_larger_half_and_keeps_its_best() -> None:
    asked: list[np.ndarray] = []

    def ratio(x: np.ndarray) -> float | None:
        asked.append(x.copy())
        return None if len(asked) == 2 else float(len(asked) in (1, 3))

    best, worst, skipped = _searched(ratio, np.eye(2), np.zeros(2), np.random.default_rng(0), 5)
    assert (best, skipped, len(asked)) == (1.0, 1, 5)
    assert worst == pytest.approx(asked[0]), "a tie does not move it"
    radii = [float(np.linalg.norm(x)) for x in asked[:3]]
    assert all(1e-2 <= r <= 1e2 for r in radii)
    steps = [float(np.linalg.norm(x - asked[0])) for x in asked[3:]]
    assert max(steps) < 4 * float(np.linalg.norm(asked[0])), "moves are of the size of the best"
    assert Bracket(3.0, 1.0, 2.0, W).lower == 2.0
    nothing = _searched(lambda x: None, np.eye(2), np.ones(2), np.random.default_rng(0), 2)
    assert nothing[0] == 0.0
    assert nothing[1] == pytest.approx([1.01, 1.01])


def test_the_exact_problem_wants_rational_columns_losses_and_labels() -> None:
    with pytest.raises(ValueError, match="column: an entry is not rational"):
        column([1, 0.5])
    assert column([1, 2])[1, 0] == 2
    whole = FiniteSupport([[1, 0], [0, 2], [1, 1]])
    with pytest.raises(ValueError, match="loss has no rational moments"):
        Problem(whole, Logistic(0.1), TabulatedLabels([1, -1, 1])).exact()
    for labels in (
        TabulatedLabels([1.5, 0, 1]),
        LinearLabels(W, DiscreteNoise()),
        LinearLabels([1, 2], GaussianNoise()),
    ):
        with pytest.raises(ValueError, match="is not rational; use TabulatedLabels"):
            Problem(whole, Squared(), labels).exact()
    exact = Problem(whole, Squared(2.0), LinearLabels([1, 2], DiscreteNoise([-1, 1], [0.5, 0.5])))
    with pytest.raises(ValueError, match="is not rational"):
        exact.exact()
