"""Spectral radii against fifty digits: the paper's step sizes, far from them, near the border, where roots meet."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from numerics.covariance import (
    UndecidedRadiusError,
    cone,
    covariance,
    frame,
    spectral_radius,
    stability,
    stationary_covariance,
)
from numerics.covariance.cone import Cone, balls_of, definiteness
from numerics.covariance.stability import judges
from numerics.designs import RADEMACHER, Design, FiniteSupport, Gaussian, IndependentCoordinates, OneHot, with_kurtosis
from numerics.operators import StepSizes

from .dynamics_support import apart, printed_steps, random_design
from .radius_cases import MORE, draw, drawn_design, drawn_steps
from .radius_referee import BITS, largest, radii

REPRODUCED = Gaussian([[0.5]]), StepSizes(1 / 480, 0.018633899812498248, 0.03726779962499649)


def distances(design: Design, steps: StepSizes) -> tuple[float, float, float]:
    """|mean radius - truth|, |radius - truth|, and the error that was stated for the latter."""
    mean, radius = radii(design, steps)
    found = stability(design, steps)
    with ctx.workprec(300):
        return (
            abs(float(1 - arb(found.mean_gap) - mean)),
            abs(float(1 - arb(found.gap) - radius)),
            found.error,
        )


def test_the_radius_that_release_0_1_gave_as_0_96308_is_0_97007() -> None:
    assert spectral_radius(*REPRODUCED) == pytest.approx(0.9700658048671895, abs=1e-13)
    assert distances(*REPRODUCED)[1] < 1e-14


@pytest.mark.parametrize("seed", range(8))
def test_radii_are_right_to_nine_digits_and_within_the_error_that_they_state(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(12):
        label, design, steps = draw(rng, most=2)
        mean, radius, stated = distances(design, steps)
        assert mean < 1e-9, label
        assert radius <= stated <= 1e-9, label


@pytest.mark.parametrize("kind", ["finite", "laplace", "mixed", "empirical"])
def test_radii_in_three_dimensions(kind: str) -> None:
    rng = np.random.default_rng(5)
    design = drawn_design(kind, 3, rng)
    mean, radius, stated = distances(design, drawn_steps(design, rng)[1])
    assert mean < 1e-9
    assert radius <= stated <= 1e-9


@pytest.mark.parametrize("kind", MORE)
def test_a_double_root_of_the_mean_costs_no_digits(kind: str) -> None:
    design = drawn_design(kind, 1, np.random.default_rng(3))
    root = float(np.sqrt(design.mu / (16 * design.r2)))
    steps = StepSizes(1 / (16 * design.r2), root, root / design.mu)
    mean, radius, stated = distances(design, steps)
    assert mean < 1e-12
    assert radius <= stated <= 1e-9


@pytest.mark.parametrize("eta", [1e-6, 0.03, 0.6])
@pytest.mark.parametrize("offset", [0.0, 1e-15, 1e-9, -1e-4])
def test_the_gap_of_the_mean_in_doubles_is_right_at_the_paper_s_double_root(eta: float, offset: float) -> None:
    lam = 0.7
    theta = float(np.sqrt(eta * lam)) * (1 + offset)
    steps = StepSizes(eta, theta, theta / lam)
    truth = radii(Gaussian([[lam]]), steps)[0]
    with ctx.workprec(300):
        assert abs(float(1 - arb(float(steps.mean_gap(lam))) - truth)) < 1e-14 * theta + 1e-16


@pytest.mark.parametrize("kurtosis", [1.0, 1 + 1e-12, 1 + 1e-8, 1 + 1e-3, 3.0])
def test_the_radius_rises_from_that_of_the_mean_as_the_fourth_moment_does(kurtosis: float) -> None:
    law = RADEMACHER if kurtosis == 1 else with_kurtosis(kurtosis)
    design = IndependentCoordinates([[0.5]], law)
    steps = StepSizes(0.25, 0.25, 1.0)  # gamma mu = theta, theta^2 = eta mu: an exact Jordan block
    _, radius, stated = distances(design, steps)
    assert radius <= stated <= 1e-9
    assert (spectral_radius(design, steps) > stability(design, steps).mean_radius ** 2 + 1e-12) == (kurtosis > 1)


@pytest.mark.parametrize("kind", ["gaussian", "finite", "onehot", "mixed"])
def test_both_sides_of_the_border_are_told_apart(kind: str) -> None:
    design = random_design(kind, 2, np.random.default_rng(12))
    base = printed_steps(design)

    def at(scale: float) -> StepSizes:
        return StepSizes(base.eta * scale, base.theta, base.gamma * scale)

    low, high = 1.0, 1000.0
    for _ in range(42):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if stability(design, at(middle)).stable else (low, middle)
    for scale in (low, high):
        truth = radii(design, at(scale))[1]
        with ctx.workprec(300):
            assert stability(design, at(scale)).stable == bool(truth < 1)
            assert abs(float(truth - 1)) < 1e-9


@pytest.mark.parametrize("d", [8, 20])
def test_a_larger_design_lies_between_two_numbers_that_balls_have_judged(d: int) -> None:
    design = random_design("finite", d, np.random.default_rng(d))
    steps = printed_steps(design, 4.0)
    found, (judge, _) = stability(design, steps), judges(frame(design, steps))
    assert judge(found.gap - 1e-9) == 1
    assert judge(found.gap + 1e-9) == -1


def test_what_doubles_cannot_separate_is_refused_with_its_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cone, "MOST_UNKNOWNS", 0)
    design = FiniteSupport(np.array([[1.0], [1.0 + 1e-7]]))
    eta = 0.25
    root = float(np.sqrt(eta * design.mu))
    with pytest.raises(
        UndecidedRadiusError,
        match=r"1 - radius\(B\) lies in \[0\.7\d+, 0\.7\d+\], wider than 2e-09 .*, here 3; lower d = 1",
    ):
        stability(design, StepSizes(eta, root, root / design.mu))


def test_a_radius_far_above_one_is_right_relative_to_itself() -> None:
    design, steps = IndependentCoordinates([[4.0]], RADEMACHER), StepSizes(2.0, 0.5, 20.0)
    truth = float(radii(design, steps)[1])
    assert truth > 1e4
    assert spectral_radius(design, steps) == pytest.approx(truth, rel=1e-12)


def test_a_dense_sigma_of_many_dimensions_is_refused_for_its_eigenvalues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("numerics.covariance.stability"), "LARGEST_ERROR", 1e-30)
    design = random_design("gaussian", 50, np.random.default_rng(0))
    with pytest.raises(
        UndecidedRadiusError, match=r"\(B\) .* with d = 50 the eigenvalues of the dense Sigma are taken"
    ):
        spectral_radius(design, printed_steps(design))
    with pytest.raises(UndecidedRadiusError, match="balls of 768 bits do not tell more"):
        stability(*REPRODUCED)


def test_a_forged_proposal_never_decides_on_the_wrong_side() -> None:
    design = random_design("finite", 2, np.random.default_rng(4))
    steps = printed_steps(design, 10.0)
    it, gap = Cone(frame(design, steps)), stability(design, steps).gap
    rng = np.random.default_rng(0)
    with ctx.workprec(256):
        for shift, allowed in ((-1e-3, {0, 1}), (1e-3, {0, -1})):
            z = 1 - arb(gap + shift)
            for _ in range(200):
                x = rng.standard_normal((4, 4))
                x = x @ x.T if rng.random() < 0.5 else x + x.T
                forged = tuple(balls_of(block) for block in (x[:2, :2], x[:2, 2:], x[2:, 2:]))
                assert it._judged(forged, z) in allowed  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("matrix", "told"),
    [
        ([[2.0, 1.0], [1.0, 2.0]], 1),
        ([[1.0, 2.0], [2.0, 1.0]], -1),
        ([[-1.0, 0.0], [0.0, 1.0]], -1),
        ([[1.0, 1.0], [1.0, 1.0]], 0),
        ([[0.0, 0.0], [0.0, 0.0]], 0),
    ],
)
def test_pivots_tell_definite_matrices_or_stay_silent(matrix: list[list[float]], told: int) -> None:
    assert definiteness(balls_of(np.array(matrix))) == told


def test_a_design_known_in_doubles_only_is_refused_by_name() -> None:
    class Opaque(IndependentCoordinates):
        pass

    class Hidden(OneHot):
        def finite_support(self) -> FiniteSupport:
            return None  # type: ignore[return-value]

    steps = StepSizes(0.1, 0.2, 0.3)
    assert spectral_radius(Opaque([[1.0, 0.5], [0.0, 1.0]], with_kurtosis(2.0)), steps) < 1
    with pytest.raises(ValueError, match="fourth moments of Hidden are known in doubles only"):
        cone.BallMoments(Hidden([0.5, 0.5]), steps)


@pytest.mark.parametrize(("halvings", "found"), [(15, True), (25, False)])
def test_a_limit_next_to_the_border_is_found_or_refused_with_what_was_measured(halvings: int, found: bool) -> None:
    design = random_design("finite", 2, np.random.default_rng(12))
    base = printed_steps(design)

    def at(scale: float) -> StepSizes:
        return StepSizes(base.eta * scale, base.theta, base.gamma * scale)

    low, high = 1.0, 1000.0
    for _ in range(halvings):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if stability(design, at(middle)).stable else (low, middle)
    if found:
        limit = stationary_covariance(design, at(low), np.eye(2))
        late = covariance(design, at(low), np.eye(2), 10**9)
        assert apart(limit, late) < 1e-8
        return
    with pytest.raises(ArithmeticError, match=r"relative residual of .*e-\d+ only, with d = 2, layer ratio 0\.99999"):
        stationary_covariance(design, at(low), np.eye(2))


@pytest.mark.parametrize("d", [17, 24])
def test_a_double_root_of_the_mean_of_many_dense_dimensions_costs_no_digits(d: int) -> None:
    rng = np.random.default_rng(d)
    for eta in (0.1, 0.3, 0.5):
        vectors = np.linalg.qr(rng.standard_normal((d, d)))[0]
        sigma = (vectors * rng.uniform(0.9, 1.1, d)) @ vectors.T
        design = Gaussian((sigma + sigma.T) / 2)
        root = float(np.sqrt(eta * design.mu))
        steps = StepSizes(eta, root, root / design.mu)
        assert abs(float(1 - stability(design, steps).mean_gap - mean_radius_of(design, steps))) < 1e-12


def mean_radius_of(design: Design, steps: StepSizes) -> float:
    """Of the whole matrix (x, z) -> E (x, z)', by its eigenvalues with 500 bits."""
    d = design.dim
    with ctx.workprec(BITS):
        sigma, one = arb_mat(design.sigma.tolist()), arb_mat([[int(i == j) for j in range(d)] for i in range(d)])
        eta, theta, gamma = arb(steps.eta), arb(steps.theta), arb(steps.gamma)
        y = (1 / (1 + theta), theta / (1 + theta))
        blocks = [
            [(one - sigma * eta) * y[0], (one - sigma * eta) * y[1]],
            [one * (theta * y[0]) - sigma * (gamma * y[0]), one * (theta * y[1] + 1 - theta) - sigma * (gamma * y[1])],
        ]
        whole = arb_mat([[blocks[i // d][j // d][i % d, j % d] for j in range(2 * d)] for i in range(2 * d)])
        return float(largest(whole))


def test_a_mean_that_the_eigenvalues_do_not_settle_is_refused_and_the_radius_of_b_is_not() -> None:
    vectors = np.linalg.qr(np.random.default_rng(0).standard_normal((50, 50)))[0]
    sigma = (vectors * np.linspace(0.9, 1.1, 50)) @ vectors.T
    design = Gaussian((sigma + sigma.T) / 2)
    root = float(np.sqrt(0.5 * design.mu))
    steps = StepSizes(0.5, root, root / design.mu)
    with pytest.raises(UndecidedRadiusError, match=r"radius\(A\) lies in .* with d = 50 .* where two roots of A meet"):
        stability(design, steps)
    assert spectral_radius(design, steps) > 1
