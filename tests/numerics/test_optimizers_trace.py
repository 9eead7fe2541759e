"""`trace`: the same bits as the line-by-line algorithms, everything on the way, and the example of its docstring."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from numerics.designs import Gaussian
from numerics.designs.checks import Array
from numerics.errors import ParameterError
from numerics.losses import Logistic, Squared
from numerics.optimizers import SadaParams, SgdParams, references, trace
from numerics.problems import DiscreteNoise, GaussianNoise, LinearLabels, LogisticLabels, Problem

from .optimizers_support import CASES, Source, horizon, reference

PROBLEM = Problem(Gaussian.from_spectrum([0.5, 1.0, 2.0]), Logistic(0.1), LogisticLabels(np.ones(3)))
TRACED = [name for name in CASES if name.startswith("sada") and "runs" not in name]


def drawn(n: int, seed: int) -> Source:
    rng = np.random.default_rng(seed)
    rows = [PROBLEM.sample(1, rng) for _ in range(n)]
    return Source(np.concatenate([a for a, _ in rows]), np.concatenate([b for _, b in rows]))


@pytest.mark.parametrize("name", TRACED)
def test_a_trace_ends_where_the_printed_lines_end(name: str) -> None:
    method, params = CASES[name]
    x0 = np.array([0.3, -0.2, 0.1])
    seen = trace(PROBLEM, params, np.random.default_rng(4), x0=x0, method=method)
    expected = reference(name, PROBLEM.loss, x0, drawn(horizon(name), 4))
    np.testing.assert_allclose(seen.output, expected, rtol=1e-13)


def test_everything_on_the_way_obeys_the_recursion() -> None:
    params = SadaParams(0.02, 0.07, 0.1, 9, (0.9, 0.7), (0.2, 0.5))
    seen = trace(PROBLEM, params, np.random.default_rng(0))
    theta = params.theta
    for k in range(2):
        assert np.all(seen.x[k, 0] == seen.y_tilde[k])
        for t in range(9):
            y = (seen.x[k, t] + theta * seen.z[k, t]) / (1 + theta)
            np.testing.assert_allclose(seen.y[k, t], y, rtol=1e-13, atol=1e-15)
            np.testing.assert_allclose(seen.x[k, t + 1], y - params.eta * seen.g[k, t], rtol=1e-13, atol=1e-15)
            z = theta * y + (1 - theta) * seen.z[k, t] - params.gamma * seen.g[k, t]
            np.testing.assert_allclose(seen.z[k, t + 1], z, rtol=1e-13, atol=1e-15)
        assert np.all(np.isnan(seen.tail[k, :4]))
        np.testing.assert_allclose(seen.tail[k, -1], seen.x[k, 5:].mean(axis=0), rtol=1e-13)
        np.testing.assert_allclose(seen.minimiser[k], PROBLEM.x_plus_star(seen.y_tilde[k], params.h[k]), rtol=1e-12)
    np.testing.assert_allclose(seen.excess[1], PROBLEM.excess_risk(seen.x_tilde[1]), rtol=1e-12)
    assert len(seen.table()) == 18
    assert seen.table()[-1]["t"] == 9


def test_the_inner_energy_falls_by_its_factor_in_the_mean() -> None:
    """Noiseless least squares with the paper's step sizes: E energy_t <= (1 - theta)^t energy_0."""
    design = Gaussian.from_spectrum([0.2, 1.0])
    problem = Problem(design, Squared(), LinearLabels([1.0, -1.0], DiscreteNoise()))
    eta = 1 / (16 * design.r2)
    theta, gamma = (f * np.sqrt(eta / design.kappa_tilde) / 4 for f in (design.mu**0.5, design.mu**-0.5))
    params = SadaParams(eta, gamma, theta, 300, (1.0,), (0.0,))
    energies: list[Array] = [trace(problem, params, np.random.default_rng(s)).energy[0] for s in range(40)]
    mean, times = np.mean(energies, axis=0), np.arange(301)
    assert np.all(mean <= 1.1 * (1 - theta) ** times * mean[0])
    assert mean[-1] < 0.5 * mean[0]


def test_the_outer_energy_has_its_printed_weight() -> None:
    problem = Problem(PROBLEM.design, Squared(), LinearLabels(np.ones(3), GaussianNoise(0.1)))
    params = SadaParams(0.02, 0.07, 0.1, 6, (0.9, 0.7), (0.0, 0.5))
    seen = trace(problem, params, np.random.default_rng(0))
    theta = 1 / 3
    gap = seen.x_tilde[2] + (1 / theta - 1) * (seen.x_tilde[2] - seen.x_tilde[1]) - problem.x_star
    weight = 2 * theta**2 / (3 * 0.7)
    assert seen.outer_energy[1] == pytest.approx(seen.excess[2] + weight * gap @ problem.H @ gap)


def test_what_is_not_one_run_of_sada_is_refused_by_name() -> None:
    with pytest.raises(ParameterError, match="SgdParams is not one run of SADA"):
        trace(PROBLEM, SgdParams(0.1, 10), np.random.default_rng(0))
    with pytest.raises(ParameterError, match="method 'sada-ud-printed' does not take SadaParams"):
        trace(PROBLEM, CASES["sada"][1], np.random.default_rng(0), method="sada-ud-printed")


def test_the_example_of_the_docstring_is_what_it_prints() -> None:
    import importlib

    module = importlib.import_module("numerics.optimizers.trace")
    found = doctest.testmod(module)
    assert (found.failed, found.attempted > 8) == (0, True)
    assert references.sada.__doc__ == "Algorithm 1."
