"""Handelman and Krivine by linear programming: the goal is a nonnegative combination of products of the facts.

Three rising families of products are tried, each with weights from an exact solve on the support that the linear
program proposes: products of facts alone; times squares of monomials; times squares of sums and differences of two
monomials. Then the same with the goal multiplied by a strict fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from flint import fmpq_mpoly

from theory.kernel.sequent import Certificate, Sequent
from theory.provers.budget import Budget
from theory.provers.frame import Problem, prepare
from theory.provers.linear import Column, combine, degree, monomials, products

MULTIPLIERS = 6


def find(sequent: Sequent, budget: Budget) -> Certificate | None:
    """A cone certificate that the kernel accepts, or None."""
    problem = prepare(sequent)
    if problem is None or degree(problem.goal) > budget.degree:
        return None
    for count, (attempt, columns) in enumerate(_attempts(problem, budget)):
        if count >= budget.rounds or budget.spent():
            return None
        weights = combine(attempt.goal, columns, attempt.strict)
        if weights is not None:
            cert = attempt.finish(weights, sequent)
            if cert is not None:
                return cert
    return None


def _attempts(problem: Problem, budget: Budget) -> Iterator[tuple[Problem, list[Column]]]:
    own = degree(problem.goal)
    yield problem, family(problem, own, 0, budget.terms)
    if own < 2:
        yield problem, family(problem, 2, 0, budget.terms)
    for squares in (1, 2):
        yield problem, family(problem, own, squares, budget.terms)
    for factor in [f for f in problem.facts if f.strict][:MULTIPLIERS]:
        raised = problem.times(factor)
        if degree(raised.goal) <= budget.degree:
            yield raised, family(raised, degree(raised.goal), 1, budget.terms)
    for top in (own + 1, own + 2):
        if top <= budget.degree:
            yield problem, family(problem, top, 1, budget.terms)


def family(problem: Problem, top: int, squares: int, limit: int) -> list[Column]:
    """Products of facts up to a degree; with `squares` also times squares of monomials (1) and of binomials (2)."""
    facts, ctx, variables = problem.facts, problem.ctx, problem.variables()
    columns: list[Column] = []
    for chosen, poly in products(ctx, [f.poly for f in facts], top, limit):
        strict = all(facts[i].strict for i in chosen)
        cost = 1.0 + len(chosen) + 0.25 * degree(poly)
        columns.append(Column(poly, chosen, strict=strict, cost=cost))
        room = top - sum(max(1, degree(facts[i].poly)) for i in chosen)
        if squares and room >= 2:
            for square in _squares(monomials(ctx, variables, room // 2), squares):
                columns.append(Column(poly * square * square, chosen, square, cost=cost + 2.0 + degree(square)))
                if len(columns) >= limit:
                    return columns
    columns += _cofactors(problem, top)
    return columns[:limit]


def _squares(basis: list[fmpq_mpoly], squares: int) -> Iterator[fmpq_mpoly]:
    yield from (m for m in basis if not m.is_constant())
    if squares > 1:
        for a, b in combinations(basis, 2):
            yield b - a
            yield b + a


def _cofactors(problem: Problem, top: int) -> Iterator[Column]:
    for k, equation in enumerate(problem.equations):
        room = max(0, top - degree(equation.poly))
        for m in monomials(problem.ctx, problem.variables(), room):
            yield Column(equation.poly * m, equation=k, cofactor=m)
