"""Positive multipliers for a goal that is no sum of squares itself.

A homogeneous goal is multiplied by a homogeneous sum. A multiplier must be positive, so where that sum vanishes the
goal is shown separately (a case split).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement, islice

from flint import fmpq_mpoly

from theory.provers.budget import Budget
from theory.provers.cone_lp import family
from theory.provers.frame import Fact, Problem, accepted
from theory.provers.linear import combine, degree, exponents
from theory.provers.prepare import show_positive

POWERS = (1, 2)
MAX_FACTS = 6


def raised(problem: Problem, budget: Budget) -> Iterator[Problem]:
    """The problem with its goal multiplied by positive polynomials, low degrees first."""
    own = degree(problem.goal)
    shown = [found for poly in _sums(problem) for found in _positive(problem, poly, budget)]
    for power in POWERS:
        for framed, fact in shown:
            if degree(fact.poly) * power + own <= budget.degree:
                yield _times(framed, (fact,) * power)
        strict = [f for f in problem.facts if f.strict]
        for facts in islice(combinations_with_replacement(strict, power), MAX_FACTS):
            if sum(degree(f.poly) for f in facts) + own <= budget.degree:
                yield _times(problem, facts)
    for poly in islice(_weak(problem), MAX_FACTS):
        if degree(poly) + own <= budget.degree:
            for framed, fact in _positive(problem, poly, budget):
                yield framed.times(fact)


def _weak(problem: Problem) -> Iterator[fmpq_mpoly]:
    """Sums of two linear facts, and facts, that are nonnegative only: where they vanish the goal is shown apart."""
    weak = [f.poly for f in problem.facts if not f.strict]
    linear = [p for p in weak if degree(p) == 1]
    yield from (p + q for p, q in combinations(linear, 2) if degree(p + q) == 1)
    yield from weak


def _times(problem: Problem, facts: Iterable[Fact]) -> Problem:
    for fact in facts:
        problem = problem.times(fact)
    return problem


def _sums(problem: Problem) -> Iterator[fmpq_mpoly]:
    """The sum of the variables or of their squares; with one added where the goal is not homogeneous."""
    used = [i for i in problem.variables() if problem.goal.degrees()[i]]
    gens = [problem.ctx.gen(i) for i in used]
    start = problem.ctx.constant(0 if is_homogeneous(problem.goal) else 1)
    if all(any(_is_positive_multiple(f.poly, g) for f in problem.facts) for g in gens):
        yield sum(gens, start)
    else:
        yield sum((g * g for g in gens), start)


def _is_positive_multiple(poly: fmpq_mpoly, gen: fmpq_mpoly) -> bool:
    return bool(poly.leading_coefficient() > 0 and poly == gen * poly.leading_coefficient())


def _positive(problem: Problem, poly: fmpq_mpoly, budget: Budget) -> Iterator[tuple[Problem, Fact]]:
    """The polynomial as a strict fact: shown outright, or after the goal is shown where it is not positive."""
    proof = show_positive(problem, poly)
    if proof is not None:
        shown = problem.have(poly, True, proof, derived=True)
        yield shown, shown.facts[-1]
        return
    there = problem.assuming(-poly)
    for top in (degree(there.goal), degree(there.goal) + 1):
        weights = combine(there.goal, family(there, top, 2, budget.terms), there.strict, budget.left())
        if weights is not None and accepted(there.cone(weights), there.frame.sequent):
            split = problem.unless(poly, there.cone(weights))
            yield split, split.facts[-1]
            return


def is_homogeneous(poly: fmpq_mpoly) -> bool:
    return len({sum(m) for m in exponents(poly)}) <= 1
