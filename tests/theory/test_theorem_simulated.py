"""The theorem against exact runs of the algorithm in one dimension (tests/theory/exact_runs.py)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.theory.exact_runs import ETA, Run, excess, gain_and_spread, inner_weights
from theory.papers.sada.composition import Column, implied, printed, sharper


def bound(column: Column, run: Run, start: float, noise: float) -> float:
    samples = run.rounds * run.length
    decay = float((1 - float(column.rate) * run.top) ** (run.rounds / 2))
    first = (float(column.start) + run.top / 24) * decay * start**2 / (2 * run.alpha)
    second = float(column.statistical) * run.alpha * noise / samples
    return first + second + float(column.coupling) * run.alpha * ETA * noise / samples


CASES = [(1.0, 12_000, 40), (1.0, 12_000, 400), (4.0, 40_000, 200), (4.0, 2_000, 400), (16.0, 100_000, 400)]


def sampled(run: Run, start: float, noise: float, rng: np.random.Generator) -> float:
    """x_K of one run of the printed algorithm, sample by sample, with Gaussian labels."""
    last = before = start
    theta_before = run.top
    for theta in run.thetas():
        beta = (1 - theta) / (1 + theta)
        if not run.printed_momentum:
            beta = theta * (1 - theta_before) / (theta_before * (1 + theta))
        anchor = last + beta * (last - before)
        h = run.step * run.alpha * theta**2
        x = z = anchor
        tail = 0.0
        for t in range(run.length):
            a = rng.choice([-1.0, 1.0])
            slope = a * anchor / run.alpha - rng.normal(scale=noise**0.5)
            y = (x + ETA * z) / (1 + ETA)
            gradient = h * slope * a + a * (y - anchor) * a
            x, z = y - ETA * gradient, ETA * y + (1 - ETA) * z - ETA * gradient
            tail += x if t >= run.length // 2 else 0.0
        before, last, theta_before = last, 2 * tail / run.length, theta
    return last


@pytest.mark.parametrize("printed_momentum", [True, False])
def test_the_exact_risk_is_the_mean_over_sampled_runs(printed_momentum: bool) -> None:
    run = Run(alpha=2.0, length=60, rounds=4, step=9e5, printed_momentum=printed_momentum)
    rng = np.random.default_rng(0)
    risks = np.array([sampled(run, 1.0, 4.0, rng) ** 2 / (2 * run.alpha) for _ in range(400)])
    error = risks.std() / np.sqrt(risks.size)
    assert abs(risks.mean() - excess(run, 1.0, 4.0)) < 4 * error


def test_the_inner_loop_moves_to_the_minimiser_of_its_problem() -> None:
    assert inner_weights(2_000).sum() == pytest.approx(-1, abs=1e-6)
    assert gain_and_spread(2_000)[0] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("alpha", "length", "rounds"), CASES)
@pytest.mark.parametrize(("start", "noise"), [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
@pytest.mark.parametrize("column", [implied(), sharper()], ids=lambda column: column.name)
def test_no_run_of_the_printed_algorithm_exceeds_a_proved_theorem(
    column: Column, alpha: float, length: int, rounds: int, start: float, noise: float
) -> None:
    run = Run(alpha, length, rounds)
    assert excess(run, start, noise) <= bound(column, run, start, noise)


def test_the_printed_constant_is_too_small_for_its_proof_but_not_for_the_algorithm() -> None:
    run = Run(1.0, 12_000, 4_000)
    assert excess(run, 0.0, 1.0) < bound(printed(), run, 0.0, 1.0) / 1000
