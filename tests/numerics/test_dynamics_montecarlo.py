"""Monte Carlo of the three-line recursion against the exact moments, with five-sigma intervals and fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.covariance import bias_average, bias_covariance, covariance, variance_average
from numerics.designs import Design
from numerics.operators import Array, StepSizes

from .dynamics_support import printed_steps, random_design

RUNS, HORIZON = 40_000, 24


def simulate(
    design: Design, steps: StepSizes, start: Array, scale: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Final (x, y) and the tail average of x for independent runs; label noise is scale times a standard normal."""
    x = np.tile(start, (RUNS, 1))
    z, total = x.copy(), np.zeros_like(x)
    for t in range(1, HORIZON + 1):
        y = (x + steps.theta * z) / (1 + steps.theta)
        a = design.sample(RUNS, rng)
        slope = np.sum(a * y, axis=1) - scale * rng.standard_normal(RUNS)
        g = slope[:, None] * a
        x, z = y - steps.eta * g, steps.theta * y + (1 - steps.theta) * z - steps.gamma * g
        if t > HORIZON // 2:
            total += x
    y = (x + steps.theta * z) / (1 + steps.theta)
    return np.concatenate([x, y], axis=1), 2 * total / HORIZON


def agrees(samples: Array, value: Array | float) -> bool:
    """Whether the mean of the samples is within five standard errors of the value, entry by entry."""
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    return bool(np.all(np.abs(samples.mean(axis=0) - value) < 5 * error))


@pytest.mark.parametrize("kind", ["gaussian", "thin", "finite", "onehot", "laplace", "mixed"])
def test_simulated_runs_have_the_computed_moments(kind: str) -> None:
    design = random_design(kind, 3, np.random.default_rng(21))
    steps = printed_steps(design, 6.0)
    still = np.zeros(3)
    final, average = simulate(design, steps, still, 0.7, np.random.default_rng(22))
    noise = 0.49 * design.sigma
    exact = covariance(design, steps, noise, HORIZON).full()
    assert agrees(final[:, :, None] * final[:, None, :], exact)
    risks = np.einsum("ni,ij,nj->n", average, design.sigma, average)
    assert agrees(risks, variance_average(design, steps, noise, HORIZON))
    assert not agrees(risks, 1.15 * variance_average(design, steps, noise, HORIZON))


@pytest.mark.parametrize("kind", ["gaussian", "finite"])
def test_simulated_bias_runs_have_the_computed_moments(kind: str) -> None:
    design = random_design(kind, 3, np.random.default_rng(23))
    steps, start = printed_steps(design, 6.0), np.array([1.0, -2.0, 0.5])
    final, average = simulate(design, steps, start, 0.0, np.random.default_rng(24))
    exact = bias_covariance(design, steps, start, HORIZON).full()
    assert agrees(final[:, :, None] * final[:, None, :], exact)
    risks = np.einsum("ni,ij,nj->n", average, design.sigma, average)
    assert agrees(risks, bias_average(design, steps, start, HORIZON))
