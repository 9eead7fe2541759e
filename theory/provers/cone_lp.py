"""Handelman and Krivine by linear programming: the goal is a nonnegative combination of products of the facts.

Three rising families of products are tried, each with weights from an exact solve on the support that the linear
program proposes: products of facts alone; times squares of monomials; times squares of sums and differences of two
monomials. Then the same with the goal multiplied by a strict fact, and with the goal's failure as one more fact (a
proof by contradiction). `by_order` splits into the orders of the variables first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from flint import fmpq_mpoly

from theory.kernel.sequent import Certificate, Sequent
from theory.provers import opaque
from theory.provers.budget import Budget
from theory.provers.doubt import plainly_false
from theory.provers.frame import BREAKDOWN, Problem
from theory.provers.linear import Column, combine, degree, monomials, products
from theory.provers.prepare import prepare

MULTIPLIERS = 4
SHARE = 4
FEW = 8  # facts whose products are all tried against the failure of the goal


def find(sequent: Sequent, budget: Budget) -> Certificate | None:
    """A cone certificate that the kernel accepts, or None."""
    try:
        return _find(sequent, budget)
    except BREAKDOWN:
        return None


def _find(sequent: Sequent, budget: Budget) -> Certificate | None:
    problem = prepare(sequent)
    if problem is None:
        return opaque.find(sequent)
    if degree(problem.goal) > budget.degree or plainly_false(problem):
        return None
    for count, (attempt, columns) in enumerate(_attempts(problem, budget)):
        if count >= budget.rounds or budget.spent():
            return None
        weights = combine(attempt.goal, columns, attempt.strict, budget.left())
        if weights is not None:
            cert = attempt.finish(weights, sequent)
            if cert is not None:
                return cert
    return None


def by_order(problem: Problem, budget: Budget, most: int) -> Certificate | None:
    """The variables are put in order, case by case; in each case products of facts and differences are combined."""
    used = [i for i in problem.variables() if problem.goal.degrees()[i]]
    if not 2 <= len(used) <= most:
        return None
    proof = _ordered(problem, list(combinations(used, 2)), frozenset(), budget)
    return None if proof is None else problem.frame.close(proof)


def _ordered(
    problem: Problem, pairs: list[tuple[int, int]], known: frozenset[tuple[int, int]], budget: Budget
) -> Certificate | None:
    """`known` holds (i, j) where variable i is at least variable j; pairs that follow are not split again."""
    pairs = [(i, j) for i, j in pairs if (i, j) not in known and (j, i) not in known]
    if not pairs:
        columns = family(problem, degree(problem.goal), 0, budget.terms)
        weights = combine(problem.goal, columns, problem.strict, budget.left())
        return None if weights is None else problem.cone(weights)
    (i, j), *rest = pairs
    pivot = problem.ctx.gen(i) - problem.ctx.gen(j)
    if budget.spent():
        return None
    high = _ordered(problem.assuming(pivot), rest, _closure(known, i, j), budget)
    low = _ordered(problem.assuming(-pivot), rest, _closure(known, j, i), budget) if high is not None else None
    if high is None or low is None:
        return None
    return {"kind": "cases", "on": problem.write(pivot), "nonnegative": high, "nonpositive": low, "defined": {}}


def _closure(known: frozenset[tuple[int, int]], i: int, j: int) -> frozenset[tuple[int, int]]:
    above = {i} | {a for a, b in known if b == i}
    below = {j} | {b for a, b in known if a == j}
    return known | {(a, b) for a in above for b in below}


def _attempts(problem: Problem, budget: Budget) -> Iterator[tuple[Problem, list[Column]]]:
    own = degree(problem.goal)
    yield problem, family(problem, own, 0, budget.terms)
    if own < 2:
        yield problem, family(problem, 2, 0, budget.terms)
    few = budget.terms // SHARE
    yield problem, family(problem, own, 1, few)
    yield problem, family(problem, own, 2, budget.terms)
    for factor in [f for f in problem.facts if f.strict and not f.derived][:MULTIPLIERS]:
        raised = problem.times(factor)
        if degree(raised.goal) <= budget.degree:
            yield raised, family(raised, degree(raised.goal), 1, few)
    for opposite in contradictions(problem):
        top = max(2, degree(opposite.goal))
        if top <= budget.degree:
            plain = family(opposite, top, 0, few) if len(problem.facts) <= FEW else []
            yield opposite, plain + family(opposite, top, 2, few)
    if problem.strict and len(problem.facts) <= FEW:
        against = problem.refuting().absurd()
        yield against, family(against, max(3, *(degree(f.poly) for f in against.facts)), 1, few)
    for top in (own + 1, own + 2):
        if top <= budget.degree:
            yield problem, family(problem, top, 1, few)


def contradictions(problem: Problem) -> Iterator[Problem]:
    """The goal's failure is a fact q > 0 (or q >= 0 for a strict goal); the goal is multiplied by powers of q."""
    opposite = problem.refuting()
    if problem.strict:
        yield opposite
        return
    for _ in range(2):
        opposite = opposite.times(opposite.facts[len(problem.facts)])
        yield opposite


def family(problem: Problem, top: int, squares: int, limit: int) -> list[Column]:
    """Products of facts up to a degree; with `squares` also times squares of monomials (1) and of binomials (2)."""
    facts, ctx, variables = problem.facts, problem.ctx, problem.variables()
    columns: list[Column] = []
    for chosen, poly in fact_products(problem, top, limit):
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


def fact_products(
    problem: Problem, top: int, limit: int, repeat: bool = True
) -> Iterator[tuple[tuple[int, ...], fmpq_mpoly]]:
    """Products of the facts that do not follow from others, by their numbers in the problem."""
    own = [i for i, fact in enumerate(problem.facts) if not fact.derived]
    for chosen, poly in products(problem.ctx, [problem.facts[i].poly for i in own], top, limit, repeat):
        yield tuple(own[k] for k in chosen), poly


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
