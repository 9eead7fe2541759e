"""Sums of squares (Putinar, Schmuedgen): the goal is a sum of squares times products of the facts.

A semidefinite program proposes Gram matrices, null vectors are recovered, and exact rational arithmetic decides. Where
the goal itself is no sum of squares (Motzkin, Robinson, Schur), it is multiplied by a sum that is shown positive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from theory.kernel.sequent import Certificate, Sequent
from theory.provers.budget import Budget
from theory.provers.cone_lp import by_order, contradictions, fact_products
from theory.provers.doubt import plainly_false
from theory.provers.frame import BREAKDOWN, Problem, accepted
from theory.provers.gram import Block, Matrix, System, by_parity, peeled, propose
from theory.provers.linear import Column, Weighted, degree, monomials, products
from theory.provers.multipliers import raised
from theory.provers.prepare import prepare
from theory.provers.rounding import exact, reductions
from theory.provers.zeros import Point, without, zeros

INSIDE = 1e-5
OUTSIDE = -1e-5
DEPTH = 4
MAX_PRODUCTS = 64
MAX_BASIS = 300
SHARE = 4
ORDERED = 4


def find(sequent: Sequent, budget: Budget) -> Certificate | None:
    """A cone certificate with squares that the kernel accepts, or None."""
    try:
        return _find(sequent, budget)
    except BREAKDOWN:
        return None


def _find(sequent: Sequent, budget: Budget) -> Certificate | None:
    problem = prepare(sequent)
    if problem is None or degree(problem.goal) > budget.degree or plainly_false(problem):
        return None
    if problem.goal.is_zero() and not problem.strict:
        return problem.finish([], sequent)
    search = Search(budget, budget.rounds, problem)
    for attempt, top, arity in _attempts(problem, budget):
        if search.exhausted():
            return None
        system = relaxation(attempt, top, arity, budget.terms // SHARE)
        weights = search.solve(system, attempt.strict) if system is not None else None
        if weights is not None:
            cert = attempt.finish(weights, sequent)
            if cert is not None:
                return cert
    cert = by_order(problem, budget, ORDERED)
    return cert if cert is not None and accepted(cert, sequent) else None


def _attempts(problem: Problem, budget: Budget) -> Iterator[tuple[Problem, int, int]]:
    own = degree(problem.goal)
    arities = [a for a in (1, 2, 3) if a <= max(1, len(problem.facts))]
    for arity in arities:
        yield problem, own + own % 2, arity
    for higher in raised(problem, budget):
        top = degree(higher.goal)
        for arity in arities[:1] if not problem.facts else arities[-1:]:
            yield higher, top + top % 2, arity
    for opposite in contradictions(problem):
        top = max(2, degree(opposite.goal))
        for arity in (1, 2) if top + top % 2 <= budget.degree else ():
            yield opposite, top + top % 2, arity
    for arity in arities:
        yield problem, own + own % 2 + 2, arity


def relaxation(problem: Problem, top: int, arity: int, limit: int) -> System | None:
    """The identity sought: squares of degree at most `top` in all, times products of at most `arity` facts."""
    variables = problem.variables()
    blocks = []
    for chosen, poly in fact_products(problem, top, MAX_PRODUCTS, repeat=False):
        if len(chosen) > arity:
            break
        basis = monomials(problem.ctx, variables, (top - degree(poly)) // 2)
        blocks.append(Block(chosen, poly, tuple(basis), all(problem.facts[i].strict for i in chosen)))
    if max(len(b.basis) for b in blocks) > MAX_BASIS:
        return None
    free = tuple(
        Column(e.poly * m, equation=k, cofactor=m)
        for k, e in enumerate(problem.equations)
        if degree(e.poly) <= top
        for m in monomials(problem.ctx, variables, top - degree(e.poly))
    )
    start = blocks if free else by_parity(blocks, problem.goal)
    if problem.strict:
        start += _positive_products(problem, top)
    system = peeled(System(problem.goal, tuple(start), free))
    return system if system is not None and 0 < system.size <= limit else None


def _positive_products(problem: Problem, top: int) -> list[Block]:
    """Products of strict facts with a weight of their own: a strict goal needs one that is positive."""
    one = problem.ctx.constant(1)
    strict = [i for i, f in enumerate(problem.facts) if f.strict]
    found = products(problem.ctx, [problem.facts[i].poly for i in strict], top, MAX_PRODUCTS)
    return [Block(tuple(strict[i] for i in chosen), poly, (one,), True) for chosen, poly in found]


@dataclass
class Search:
    """Semidefinite programs solved so far, against the budget."""

    budget: Budget
    left: int
    problem: Problem

    def exhausted(self) -> bool:
        return self.left <= 0 or self.budget.spent()

    @cached_property
    def zeros(self) -> list[Point]:
        return zeros(self.problem.goal, [f.poly for f in self.problem.facts])

    def solve(self, system: System, strict: bool, depth: int = 0) -> Weighted | None:
        """Weighted squares that sum to the target: round inside the cone, or divide out null vectors and try again."""
        if self.exhausted() or system.size == 0:
            return None
        self.left -= 1
        proposal = propose(system, self.budget.left())
        if proposal is None or proposal[0] < OUTSIDE:
            return None
        margin, grams, values = proposal
        weights = exact(system, values, strict)
        if weights is not None or margin > INSIDE or depth >= DEPTH:
            return weights
        for smaller in self._smaller(system, grams, depth):
            weights = self.solve(smaller, strict, depth + 1)
            if weights is not None:
                return weights
        return None

    def _smaller(self, system: System, grams: list[Matrix], depth: int) -> Iterator[System]:
        """First by null vectors that the spectrum shows, then by exact zeros of the goal."""
        yield from reductions(system, grams)
        if depth == 0 and self.zeros:
            yield without(system, self.zeros)
