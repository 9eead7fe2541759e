"""The exact dynamics of the variants against every sample path of the line-by-line algorithms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from numerics.covariance import bias_average, layer_averages, spectral_radius
from numerics.covariance.variants import (
    Phase,
    Variant,
    mini_batch,
    plain,
    unlabelled_corrected,
    unlabelled_printed,
    variant_radii,
    variant_truth,
    weakly_convex,
)
from numerics.designs import Design, FiniteSupport, Gaussian, OneHot, StudentT
from numerics.designs.checks import Array
from numerics.losses import Logistic, Loss, PseudoHuber, Squared
from numerics.operators import StepSizes
from numerics.optimizers import references
from numerics.optimizers.presets import averaged_constants, inner_steps
from numerics.problems import (
    InnerProblem,
    LogisticLabels,
    Problem,
    inner_problem,
    inner_problem_curved,
    inner_problem_wc,
    joint_support,
)

from .variants_support import ATOMS, START, WEIGHTS, mean_square, small_problem

STEPS, SECOND = StepSizes(0.0625, 0.125, 0.375), StepSizes(0.03125, 0.25, 0.25)
H, EPSILON, D, M = 0.75, 0.5, 1.2, 0.9
LOSSES: tuple[Loss, ...] = (Squared(), PseudoHuber(0.05, 1.0, 0.7))

Case = tuple[Variant, int, int, Callable[..., Array], Callable[[Problem], InnerProblem]]


def tuple_of(steps: StepSizes) -> tuple[float, float, float]:
    return steps.eta, steps.gamma, steps.theta


def cases(loss: Loss) -> dict[str, Case]:
    """Variant, atoms, draws, the printed lines, the inner problem."""
    outer, inner = (loss, START, (H,), (0.0,)), tuple_of(STEPS)

    def simple(problem: Problem) -> InnerProblem:
        return inner_problem(problem, START, H)

    def ud(name: str, atoms: int, T: int, T0: int, m: int, draws: int, **more: object) -> Case:
        lines = getattr(references, f"sada_ud_{name}")
        second = {"second": tuple_of(SECOND)} if "second" in more else {}
        make = unlabelled_printed if name == "printed" else unlabelled_corrected
        variant = make(STEPS, T, m, T0, **({"second": SECOND} if second else {}))
        return variant, atoms, draws, lambda s, u: lines(s, u, *outer, *inner, T, T0, m, **second), simple

    def wc(printed: bool) -> Case:
        lines = references.sada_wc_printed if printed else references.sada_wc_corrected
        ridge = EPSILON / ((loss.L + (0 if printed else EPSILON / M**2)) * D**2)
        return (
            weakly_convex(STEPS, 6, ridge),
            3,
            6,
            lambda s, u: lines(s, *outer, *inner, 6, EPSILON, D, M),
            lambda problem: inner_problem_wc(problem, START, H, EPSILON, D, M, printed=printed),
        )

    return {
        "plain": (plain(STEPS, 5), 3, 5, lambda s, u: references.sada(s, *outer, *inner, 5), simple),
        "batches": (
            mini_batch(STEPS, 4, 2),
            3,
            8,
            lambda s, u: references.sada_minibatch(s, *outer, *inner, 4, 2),
            simple,
        ),
        "unlabelled, as printed": ud("printed", 3, 4, 2, 1, 6),
        "unlabelled, as printed, switch in the tail": ud("printed", 3, 5, 3, 1, 8),
        "unlabelled in every step": ud("corrected", 3, 2, 1, 2, 6),
        "unlabelled, then other steps": ud("corrected", 3, 4, 2, 1, 6, second=True),
        "unlabelled, then other steps in the tail": ud("corrected", 3, 4, 3, 1, 7, second=True),
        "weakly convex": wc(False),
        "weakly convex, as printed": wc(True),
    }


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("name", cases(Squared()))
def test_the_risk_of_a_variant_is_the_average_over_all_sample_paths(name: str, loss: Loss) -> None:
    variant, atoms, draws, lines, inner_of = cases(loss)[name]
    problem = small_problem(loss, atoms)
    inner = inner_of(problem)
    metric = inner.design.sigma + inner.ridge * np.eye(2)
    truth = variant_truth(
        inner.design, variant, inner.noise, start=inner.start, third_moment=inner.third_moment, depth=1
    )
    expected = mean_square(problem, draws, lines, inner.minimiser, metric)
    assert truth.total == pytest.approx(expected, rel=1e-12)
    assert truth.variance > 0
    assert truth.bias > 0


def test_leaving_out_the_noise_of_unlabelled_samples_is_seen() -> None:
    """The check can fail: with R of single samples alone, or without the third moment, the paths disagree."""
    variant, atoms, draws, lines, inner_of = cases(Squared())["unlabelled, as printed"]
    problem = small_problem(Squared(), atoms)
    inner = inner_of(problem)
    expected = mean_square(problem, draws, lines, inner.minimiser, inner.design.sigma)
    without = variant_truth(inner.design, variant, inner.noise, start=inner.start)
    assert abs(without.total / expected - 1) > 1e-3
    pretended = Variant("wrong", tuple(Phase(p.length, p.steps, p.size, p.size) for p in variant.phases))
    wrong = variant_truth(inner.design, pretended, inner.noise, start=inner.start, third_moment=inner.third_moment)
    assert abs(wrong.total / expected - 1) > 1e-3


@pytest.mark.parametrize("loss", [PseudoHuber(0.05, 1.0, 0.7), Logistic(0.2)], ids=lambda loss: loss.name)
def test_the_second_phase_is_the_plain_loop_on_the_weighted_samples(loss: Loss) -> None:
    problem = (
        small_problem(loss)
        if loss.residual
        else Problem(FiniteSupport(ATOMS, WEIGHTS), loss, LogisticLabels(np.array([0.4, -0.3])))
    )
    inner, y = inner_problem_curved(problem, START), START
    np.testing.assert_allclose(inner.design.sigma, problem.hessian(y), rtol=1e-13)
    np.testing.assert_allclose(
        inner.minimiser, y - np.linalg.solve(problem.hessian(y), problem.gradient(y)), rtol=1e-12
    )
    assert np.abs(inner.third_moment(np.array([1.0, 2.0]))).max() > 1e-6


DESIGNS: tuple[Design, ...] = (
    Gaussian.from_spectrum(np.geomspace(0.01, 1, 4)),
    StudentT(np.diag([0.2, 1.0, 3.0]), 6.0),
    OneHot([0.5, 0.3, 0.2]),
    FiniteSupport(np.random.default_rng(3).standard_normal((9, 3))),
)


def printed_steps(design: Design, size: int = 1) -> StepSizes:
    r2, kappa = averaged_constants(design.r2, design.kappa_tilde, float(design.eigenvalues[-1]), size)
    chosen = inner_steps(1 / (16 * r2), design.mu, kappa)
    return StepSizes(chosen.eta, chosen.theta, chosen.gamma)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: type(design).__name__)
def test_a_batch_of_one_is_the_engine_of_the_plain_loop(design: Design) -> None:
    steps, noise, T = printed_steps(design), design.sigma + 0.1 * np.eye(design.dim), 400
    start = np.linspace(-1, 1, design.dim)
    truth = variant_truth(design, mini_batch(steps, T, 1), noise, start=start, depth=2)
    np.testing.assert_allclose(truth.layers, layer_averages(design, steps, noise, T, 2), rtol=1e-11)
    assert truth.bias == pytest.approx(bias_average(design, steps, start, T), rel=1e-11)
    assert truth.cross == pytest.approx(0, abs=1e-12 * truth.total)
    assert truth.radii[0] == pytest.approx(spectral_radius(design, steps), abs=1e-11)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: type(design).__name__)
def test_leaping_gives_what_stepping_gives(design: Design) -> None:
    steps, noise = printed_steps(design, 4), design.sigma
    variants = (
        mini_batch(steps, 3000, 4),
        unlabelled_corrected(steps, 3001, 3, 1700, printed_steps(design)),
        weakly_convex(printed_steps(design), 3000, 0.05),
    )
    for variant in variants:
        start = np.ones(design.dim)
        fast = variant_truth(design, variant, noise, start=start, depth=1)
        slow = variant_truth(design, variant, noise, start=start, depth=1, method="loop")
        np.testing.assert_allclose(fast.layers, slow.layers, rtol=1e-10)
        assert fast.bias == pytest.approx(slow.bias, rel=1e-9)


def test_the_first_layer_of_ten_million_steps_is_the_statistical_limit() -> None:
    """It tends to (2/T) tr(Sigma^-1 R)/B as T grows; the other layers stay a small share."""
    design, T = DESIGNS[3], 10**7
    for batch in (1, 8):
        truth = variant_truth(design, mini_batch(printed_steps(design, batch), T, batch), design.sigma)
        assert truth.layers[0] == pytest.approx(2 * design.dim / (T * batch), rel=1e-3)
        assert sum(truth.layers[1:]) < 0.05 * truth.layers[0]
        assert truth.stable


@pytest.mark.parametrize("m", [128, 1000])
def test_sada_ud_as_printed_is_unstable_after_its_first_phase_and_the_corrected_ones_are_stable(m: int) -> None:
    d = 64
    design = OneHot(np.full(d, 1 / d), np.full(d, np.sqrt(d)))
    steps, single = printed_steps(design, m + 1), printed_steps(design)
    printed = variant_radii(design, unlabelled_printed(steps, 1000, m, 50))
    assert printed[0] < 1 < printed[1]
    for variant in (
        unlabelled_corrected(steps, 1000, m),
        unlabelled_corrected(steps, 1000, m, 50, single),
    ):
        assert max(variant_radii(design, variant)) < 1
    risks = [
        variant_truth(design, unlabelled_printed(steps, T, m, 50), design.sigma, depth=0).variance
        for T in (200, 400, 800)
    ]
    assert risks[0] < risks[1] / 10 < risks[2] / 100, "what the radius says, the variance does"


def test_unlabelled_samples_lower_every_layer_but_the_first() -> None:
    """The excess is divided by m + 1; at y~ = x_+^* the noise of the first layer stays."""
    design = DESIGNS[0]
    steps = printed_steps(design)
    with_none = variant_truth(design, unlabelled_corrected(steps, 2000, 0), design.sigma)
    with_four = variant_truth(design, unlabelled_corrected(steps, 2000, 4), design.sigma)
    assert with_four.layers[0] == pytest.approx(with_none.layers[0], rel=1e-12)
    for l in (1, 2, 3):
        assert with_four.layers[l] == pytest.approx(with_none.layers[l] / 5**l, rel=1e-10)


def test_what_is_too_large_or_wrong_is_refused_by_name() -> None:
    steps = STEPS
    with pytest.raises(ValueError, match="unknowns exceed 2600"):
        variant_truth(FiniteSupport(np.eye(30) + 0.1), plain(steps, 10), np.eye(30))
    with pytest.raises(ValueError, match="labelled samples are among all"):
        Phase(10, steps, 3, 2)
    with pytest.raises(ValueError, match="1 steps have no tail"):
        plain(steps, 1)
    with pytest.raises(ValueError, match="ridge = -1"):
        weakly_convex(steps, 4, -1)
    with pytest.raises(ValueError, match="Gaussian: takes infinitely many values"):
        joint_support(Problem(DESIGNS[0], Logistic(0.1), LogisticLabels(np.ones(4))))
