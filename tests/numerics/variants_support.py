"""Brute force for the variants: the line-by-line algorithms along every sequence of samples, averaged."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from numerics.designs import FiniteSupport
from numerics.designs.checks import Array
from numerics.losses import Loss
from numerics.problems import Problem, TabulatedLabels

ATOMS = np.array([[1.0, 0.5], [-0.5, 1.0], [0.25, -1.5]])
WEIGHTS = np.array([0.5, 0.25, 0.25])
LABELS = np.array([1.0, -0.5, 2.0])
START = np.array([0.6, -0.9])


def small_problem(loss: Loss, atoms: int = 3) -> Problem:
    weights = WEIGHTS[:atoms] / WEIGHTS[:atoms].sum()
    return Problem(FiniteSupport(ATOMS[:atoms], weights), loss, TabulatedLabels(LABELS[:atoms]))


def outcomes(problem: Problem, draws: int, run: Callable[..., Array]) -> Iterator[tuple[float, Array]]:
    """(probability, output) of `run(sample, sample_unlabelled)` for every sequence of `draws` samples."""
    design, labels = problem.design, problem.labels
    assert isinstance(design, FiniteSupport)
    assert isinstance(labels, TabulatedLabels)
    for path in itertools.product(range(len(design.atoms)), repeat=draws):
        left = iter(path)

        def sample(left: Iterator[int] = left) -> tuple[Array, float]:
            k = next(left)
            return design.atoms[k], float(labels.values[k])

        output = run(sample, lambda sample=sample: sample()[0])
        assert next(left, None) is None, "every draw is used"
        yield float(np.prod(design.weights[list(path)])), output


def mean_square(problem: Problem, draws: int, run: Callable[..., Array], centre: Array, metric: Array) -> float:
    """E |output - centre|^2 in the metric, over all sequences."""
    return float(sum(chance * (x - centre) @ metric @ (x - centre) for chance, x in outcomes(problem, draws, run)))
