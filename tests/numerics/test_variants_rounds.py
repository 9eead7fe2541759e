"""All outer iterations exactly: against every sample path, against Monte Carlo, and the theorem against the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from numerics.designs import FiniteSupport, OneHot
from numerics.designs.checks import Array
from numerics.losses import Squared
from numerics.optimizers import InnerSteps, Params, SadaParams, SadaUDParams, SadaWCParams, references
from numerics.problems import LinearLabels, Problem, TabulatedLabels, rademacher_noise
from numerics.race import (
    CONSTANTS,
    Entrant,
    ProblemSpec,
    RacePlan,
    asymptotic_constant,
    expected_excess,
    race,
    risk_of,
    theorem_curves,
    theorem_params,
)
from numerics.race.bounds import most_rounds, proved_rule, setting_of
from numerics.race.summary import exact_points, summarise
from numerics.race.theorem import MOST_ROUNDS
from reports.cli.race import theorem_chart

from .variants_support import mean_square

W, P, SCALES, NOISE = np.array([0.8, -1.2]), np.array([0.75, 0.25]), np.array([1.0, 1.5]), 0.5
BASE = SadaParams(0.1, 0.3, 0.2, 2, (0.9, 0.6), (0.0, 0.4))
SECOND = InnerSteps(0.05, 0.2, 0.1)


def one_hot_twice() -> tuple[Problem, Problem]:
    """The same law: b = a.w +- 1/2 for the engine, four samples with their labels for the enumeration."""
    design = OneHot(P, SCALES)
    atoms = np.repeat(np.diag(SCALES), 2, axis=0)
    labels = atoms @ W + NOISE * np.array([1, -1, 1, -1])
    return (
        Problem(design, Squared(), LinearLabels(W, rademacher_noise(NOISE))),
        Problem(FiniteSupport(atoms, np.repeat(P, 2) / 2), Squared(), TabulatedLabels(labels)),
    )


def lines(method: str, params: Params) -> Callable[..., Array]:
    base = params if isinstance(params, SadaParams) else params.base  # type: ignore[attr-defined]
    inner = (Squared(), np.zeros(2), base.h, base.beta, base.eta, base.gamma, base.theta, base.T)
    if isinstance(params, SadaUDParams):
        second = params.second
        more = {} if second is None else {"second": (second.eta, second.gamma, second.theta)}
        function = getattr(references, method.replace("-", "_"))
        return lambda s, u: function(s, u, *inner, params.T0, params.m, **more)
    if isinstance(params, SadaWCParams):
        return lambda s, u: references.sada_wc_corrected(s, *inner, params.epsilon, params.D, params.M)
    if base.batch > 1:
        return lambda s, u: references.sada_minibatch(s, *inner, base.batch)
    if base.runs > 1:
        return lambda s, u: references.sada_parallel(s, *inner, base.runs)
    return lambda s, u: references.sada(s, *inner)


CASES: dict[str, tuple[str, Params, int]] = {
    "plain": ("sada", BASE, 4),
    "three rounds": ("sada", replace(BASE, h=(0.9, 0.6, 0.3), beta=(0.0, 0.4, 0.5)), 6),
    "batches": ("sada", replace(BASE, batch=2, T=2, h=(0.9,), beta=(0.0,)), 4),
    "parallel": ("sada", replace(BASE, runs=2, T=4, h=(0.9,), beta=(0.0,)), 4),
    "unlabelled, as printed": ("sada-ud-printed", SadaUDParams(BASE, 1, 1), 6),
    "unlabelled": ("sada-ud-corrected", SadaUDParams(replace(BASE, h=(0.9,), beta=(0.0,)), 2, 1), 6),
    "unlabelled, two steps": ("sada-ud-corrected", SadaUDParams(BASE, 1, 1, SECOND), 6),
    "weakly convex": ("sada-wc-corrected", SadaWCParams(BASE, 0.4, 1.3, 0.9), 4),
}


@pytest.mark.parametrize("name", CASES)
def test_the_expected_risk_of_all_rounds_is_the_average_over_all_sample_paths(name: str) -> None:
    method, params, draws = CASES[name]
    problem, listed = one_hot_twice()
    sigma = problem.design.sigma
    expected = 0.5 * mean_square(listed, draws, lines(method, params), W, sigma)
    assert expected_excess(problem, params, method) == pytest.approx(expected, rel=1e-12)


RACED = ("sada", "sada/batch-16", "sada/parallel-4", "sada-ud-printed", "sada-ud-corrected")


@pytest.mark.parametrize("name", ["least-squares", "one-hot"])
def test_monte_carlo_agrees_with_the_exact_engine_for_every_variant(name: str) -> None:
    methods = (*RACED, "sada-wc-corrected", *(["sada-wc-printed"] if name == "least-squares" else []))
    plan = RacePlan(
        ProblemSpec.of(name, {"dim": 3, "kappa": 4, "noise": 0.3}),
        tuple(Entrant.parse(text) for text in methods),
        (300, 1500),
        tuple(range(60)),
    )
    points = exact_points(plan.problem.build(), race(plan))
    assert {p.method for p in points} == set(methods)
    assert all(p.agrees for p in points)
    assert not any(replace(p, exact=2 * p.exact).agrees for p in points), "narrow enough to tell a factor of two"


def test_the_printed_weakly_convex_variant_is_declined_where_a_has_a_mean() -> None:
    problem, _ = one_hot_twice()
    assert expected_excess(problem, SadaWCParams(BASE, 0.4, 1.3, 0.9), "sada-wc-printed") is None


@pytest.mark.parametrize("options", [{"dim": 1, "kappa": 1, "noise": 0.5}, {"dim": 3, "kappa": 100, "noise": 2.0}])
def test_the_theorem_bounds_the_truth_wherever_it_is_seen(options: dict[str, float]) -> None:
    problem = ProblemSpec.of("least-squares", options).build()
    start = risk_of(problem)(np.zeros(problem.dim))
    points = theorem_curves(problem, start)
    assert {p.bound.reading for p in points} == set(CONSTANTS)
    for p in points:
        assert (p.truth is None) == (p.bound.K > MOST_ROUNDS)
        assert p.truth is None or p.truth < p.bound.total  # type: ignore[operator]
    for reading in ("repaired", "sharpened"):
        own = [p.bound.total for p in points if p.bound.reading == reading]
        assert own[0] > 1e-1 * start > 1e-3 * start >= own[-1], "it is drawn until it says something"
    best = [p for p in points if p.bound.reading == "sharpened" and p.truth is not None][-1]
    efficient = asymptotic_constant(problem) / (best.bound.K * best.bound.T)
    assert best.bound.optimization < 1e-9 * best.bound.statistical, "nothing of the start is left in the bound"  # type: ignore[operator]
    assert efficient < best.truth < 16 * efficient, "Gauss-Markov below; the price of the theory's own steps above"  # type: ignore[operator]
    assert best.bound.total > 250 * best.truth, "so far is the proved constant from the truth of these two problems"  # type: ignore[operator]


def test_a_run_of_the_theorys_own_steps_has_the_exact_risk() -> None:
    """One reading at its first n, from the compiled kernels over seeds."""
    from numerics.optimizers import ProblemInfo, run
    from numerics.streams import FreshStream

    problem = ProblemSpec.of("least-squares", {"dim": 1, "kappa": 1, "noise": 0.5}).build()
    chosen = most_rounds(setting_of(problem), 30_000, proved_rule)
    assert not isinstance(chosen, str)
    params = theorem_params(problem, chosen)
    found = [
        risk_of(problem)(run("sada", FreshStream(problem, seed), info=ProblemInfo.of(problem), params=params).x)
        for seed in range(12)
    ]
    exact = expected_excess(problem, params)
    assert exact == pytest.approx(np.mean(found), rel=5 * np.std(found) / np.sqrt(12) / np.mean(found))


def test_the_theorem_has_a_figure_of_its_own_in_which_its_bounds_are_seen() -> None:
    plan = RacePlan(ProblemSpec.of("least-squares", {"dim": 2, "kappa": 4}), (Entrant("sada"),), (50, 100), (0, 1))
    found = summarise(race(plan))
    chart = theorem_chart(found)
    names = [s.name for s in chart.series]
    one_algorithm = ["truth, printed", "truth, repaired and sharpened"]  # the two differ in their bounds only
    assert names == [*(f"bound, {reading}" for reading in CONSTANTS), *one_algorithm]
    assert all(s.scales for s in chart.series if "sharpened" in s.name)
    assert {"reading", "n", "total", "truth"} <= set(found.record()["theorem"][0])
