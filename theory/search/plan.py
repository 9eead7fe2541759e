"""The plan of one shape: which numbers are drawn in which order, which follow, and how a point is tested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Malformed
from theory.kernel.evaluate import evaluate
from theory.kernel.lang import Node, Relation, num, relation_symbols, substitute, sym, symbols, walk
from theory.kernel.rings import Exact, Inexact, to_fmpq, to_fraction
from theory.search.bounds import Variable, ordered
from theory.search.equations import Solution, Solved, solve
from theory.search.floats import Array, Bools, Floats, Scaled, batch, scaled, sides, value_of
from theory.search.goals import Goals, goals_for
from theory.search.shapes import Kinds, Shape, add, environment_of, unroll_relation

CLOSE = 1e-12
EQUAL = 1e-6
Space = Mapping[str, tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Plan:
    """How points of one shape are made. `tests` are all hypotheses in slots, none forgotten."""

    claim: Claim
    shape: Shape
    free: tuple[Variable, ...]
    dependent: tuple[Solution, ...]
    tests: tuple[Relation, ...]
    integers: frozenset[str]
    exact: bool
    goals: Goals

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(v.name for v in self.free)

    @cached_property
    def rooted(self) -> frozenset[str]:
        """Free names below a root: squares of rationals make the roots of their products rational."""
        nodes = [one.formula for one in self.dependent]
        nodes += [side for r in (*self.tests, *self.claim.goals) for side in (r.left, r.right)]
        roots = [part for node in nodes for part in walk(node) if part.op == "sqrt"]
        return frozenset(self.names) & frozenset().union(*(symbols(root) for root in roots))

    def complete(self, rows: Array) -> dict[str, Scaled]:
        """All numbers of a batch, from the free ones in the order of the plan."""
        values = {name: batch(rows[:, i]) for i, name in enumerate(self.names)}
        with np.errstate(all="ignore"):
            for one in self.dependent:
                values[one.name] = batch(value_of(one.formula, values, len(rows)))
        return values

    def allowed(self, values: Mapping[str, Scaled], count: int, slack: float = CLOSE) -> Bools:
        """Where every hypothesis holds, up to rounding."""
        fine = np.ones(count, dtype=bool)
        with np.errstate(all="ignore"):
            for relation in self.tests:
                left, right, size = sides(relation.left, relation.right, values, count)
                fine &= holds(relation.op, left - right, size, slack)
            for name in self.integers:
                fine &= values[name].value == np.round(values[name].value)
        return fine

    def sides(
        self, values: Mapping[str, Scaled], count: int, only: int | None = None
    ) -> list[tuple[Relation, Array, Array, Array]]:
        """Each goal, or only one, with both sides and the size of the difference."""
        relations = self.goals.relations if only is None else (self.goals.relations[only],)
        env = environment_of(self.shape, values, Floats().const)
        with np.errstate(all="ignore"):
            for name, node in self.goals.definitions:
                value = scaled(node, env)
                if value is not None:
                    env[name] = value
            return [(r, *sides(r.left, r.right, env, count)) for r in relations]

    def exact_values(self, free: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
        """All numbers exactly, or None where a dependent one is not rational or has no value."""
        env: dict[str, Any] = {name: to_fmpq(value) for name, value in free.items()}
        try:
            for one in self.dependent:
                env[one.name] = evaluate(one.formula, env, Exact())
        except (Inexact, KernelError):
            return None
        return {name: to_fraction(value) for name, value in env.items()}


def holds(op: str, gap: Array, size: Array, slack: float = CLOSE) -> Bools:
    """The relation on floats: equality within rounding is allowed where the hypothesis allows equality."""
    match op:
        case "<=":
            return np.asarray(gap <= slack * size)
        case ">=":
            return np.asarray(gap >= -slack * size)
        case "<":
            return np.asarray(gap < 0)
        case ">":
            return np.asarray(gap > 0)
        case "==":
            return np.asarray(np.abs(gap) <= EQUAL * size)
        case _:
            return np.asarray(gap != 0)


def plans_for(
    claim: Claim, kinds: Kinds, shape: Shape, space: Space, most: int = 1, extra: Sequence[Relation] = ()
) -> Iterator[Plan]:
    """Plans that differ in what is free; none when the hypotheses that hold integers only fail for this shape.

    `extra` are further relations (over slots) that the points shall satisfy, such as the zero of a divisor.
    """
    tests = [one for hypothesis in claim.hypotheses for one in unroll_relation(hypothesis, shape)]
    tests += [*extra, *_probabilities(shape), *(Relation(">=", sym(name), num(0)) for name in kinds.plain)]
    if not all(relation_symbols(r) or _constant_holds(r) for r in tests):
        return
    tests = [r for r in tests if relation_symbols(r)]
    box = _box(shape, kinds, space)
    goals = goals_for(claim, shape)
    names = sorted({*kinds.reals, *kinds.plain, *(s for n, _ in shape.families for row in shape.slots(n) for s in row)})
    for solved in solve(tuple(tests), frozenset(kinds.plain))[:most]:
        dependent = {s.name for s in solved.dependent}
        free = ordered(tuple(n for n in names if n not in dependent), _reduced([*tests, *box], solved))
        exact = all(s.exact for s in solved.dependent) and not solved.left_over
        yield Plan(claim, shape, free, solved.dependent, tuple(tests), frozenset(kinds.plain), exact, goals)


def _reduced(relations: Sequence[Relation], solved: Solved) -> tuple[Relation, ...]:
    """The inequalities in the free names, with what solving has implied."""
    env: dict[str, Node] = {}
    for one in solved.dependent:
        env[one.name] = substitute(one.formula, env)
    implied = [r for one in solved.dependent for r in one.implies]
    every = [r for r in (*relations, *implied) if r.op not in ("==", "!=")]
    put = [Relation(r.op, substitute(r.left, env), substitute(r.right, env)) for r in every]
    return tuple(r for r in put if relation_symbols(r))


def _constant_holds(relation: Relation) -> bool:
    left, right, size = sides(relation.left, relation.right, {}, 1)
    return bool(holds(relation.op, left - right, size)[0])


def _probabilities(shape: Shape) -> list[Relation]:
    found: list[Relation] = []
    for space, count in shape.spaces:
        weights = [sym(f"p_{space}[{i}]") for i in range(1, count + 1)]
        found.extend(Relation(">=", p, num(0)) for p in weights)
        found.append(Relation("==", add(weights), num(1)))
    return found


def _box(shape: Shape, kinds: Kinds, space: Space) -> list[Relation]:
    """What the caller wants drawn: bounds that steer the drawing and are no hypotheses."""
    found: list[Relation] = []
    families = {name for name, _ in shape.families}
    for name, (lo, hi) in space.items():
        if name in families:
            slots = [s for row in shape.slots(name) for s in row]
        elif name in kinds.reals or name in kinds.plain:
            slots = [name]
        elif name in kinds.counting:
            continue
        else:
            known = ", ".join((*kinds.reals, *kinds.families, *kinds.counting, *kinds.plain))
            raise Malformed(f"space: {name} is not a free name of the claim; it has {known}")
        for one in slots:
            found += [Relation(">=", sym(one), num(lo)), Relation("<=", sym(one), num(hi))]
    return found
