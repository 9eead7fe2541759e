"""Positive multipliers for a goal that is no sum of squares itself.

A homogeneous goal is multiplied by a homogeneous sum; where that sum vanishes the goal is shown separately
(a case split), since a multiplier must be positive.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq_mpoly

from theory.provers.budget import Budget
from theory.provers.frame import Problem, positive_fact
from theory.provers.linear import degree, exponents


def raised(problem: Problem, budget: Budget) -> Iterator[Problem]:
    """The problem with its goal multiplied by positive polynomials, low degrees first."""
    for poly in _candidates(problem):
        if degree(poly) + degree(problem.goal) > budget.degree:
            continue
        found = positive_fact(problem, poly)
        if found is None:
            continue
        framed, fact = found
        yield framed.times(fact)
    for fact in problem.facts:
        if fact.strict and degree(fact.poly) + degree(problem.goal) <= budget.degree:
            yield problem.times(fact)


def _candidates(problem: Problem) -> Iterator[fmpq_mpoly]:
    gens = [problem.ctx.gen(i) for i in problem.variables()]
    zero = problem.ctx.constant(0)
    one = problem.ctx.constant(1)
    nonnegative = {i for f in problem.facts for i in problem.variables() if f.poly == problem.ctx.gen(i)}
    if len(nonnegative) == len(gens):
        yield sum(gens, zero)
        yield sum(gens, one)
    yield sum((g * g for g in gens), one)
    yield sum((g * g for g in gens), zero)


def is_homogeneous(poly: fmpq_mpoly) -> bool:
    return len({sum(m) for m in exponents(poly)}) <= 1
