"""A quick look for points at which the goal fails, so that no search is spent on what is plainly false.

Floats only: a doubt ends a proof search, it refutes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq_mpoly

from theory.provers.frame import Problem
from theory.provers.linear import exponents, to_float

SAMPLES = 4_000
MARGIN = 1e-7


def plainly_false(problem: Problem) -> bool:
    """Whether a fixed sample has a point that satisfies every fact by a margin and violates the goal by one."""
    if problem.equations or not problem.names:
        return False
    points = _sample(problem, np.random.default_rng(0))
    with np.errstate(all="ignore"):
        return _violated(problem, points)


def _violated(problem: Problem, points: Any) -> bool:
    inside = np.ones(len(points), dtype=bool)
    for fact in problem.facts:
        value, size = _values(fact.poly, points)
        inside &= value > MARGIN * size
    value, size = _values(problem.goal, points[inside])
    return bool((value < -MARGIN * size).any())


def _sample(problem: Problem, rng: np.random.Generator) -> Any:
    """Magnitudes from a thousandth to a thousand; signs free unless a fact is the variable itself."""
    shape = (SAMPLES, problem.ctx.nvars())
    spread = rng.choice([0.3, 1.0, 3.0], size=(SAMPLES, 1))
    points = np.exp(spread * rng.normal(size=shape)) * rng.choice([-1.0, 1.0], size=shape)
    for i in range(len(problem.names)):
        gen = problem.ctx.gen(i)
        if any(
            f.poly == gen * f.poly.leading_coefficient() and f.poly.leading_coefficient() > 0 for f in problem.facts
        ):
            points[:, i] = np.abs(points[:, i])
    return points


def _values(poly: fmpq_mpoly, points: Any) -> tuple[Any, Any]:
    """Values at the points, and the sizes of what was added up."""
    total, size = np.zeros(len(points)), np.zeros(len(points))
    for m, c in exponents(poly).items():
        term = to_float(c) * np.prod(points ** np.array(m), axis=1)
        total, size = total + term, size + np.abs(term)
    return total, size
