"""The plan of one shape: which numbers are drawn in which order, which follow, and how a point is tested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Malformed
from theory.kernel.lang import Node, Relation, num, parse, parse_relation, relation_symbols, substitute, sym
from theory.kernel.rings import Exact, Inexact, evaluate, to_fmpq, to_fraction
from theory.search.bounds import Variable, ordered
from theory.search.equations import INEXACT, Solution, solve
from theory.search.floats import Array, Bools, Floats, Scaled, batch, scaled, sides, value_of
from theory.search.shapes import Kinds, Shape, TooLarge, add, environment_of, unroll_relation

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

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(v.name for v in self.free)

    @cached_property
    def sources(self) -> tuple[tuple[tuple[str, Node], ...], tuple[Relation, ...]]:
        """Definitions in order, and the goals as written, so that a definition is evaluated once."""
        definitions = tuple((name, parse(formula)) for name, formula in self.claim.where)
        return definitions, tuple(parse_relation(source) for source in self.claim.says)

    def complete(self, free: Mapping[str, Array]) -> dict[str, Scaled]:
        """The dependent numbers of a batch."""
        values = {name: batch(value) for name, value in free.items()}
        count = len(next(iter(free.values()))) if free else 1
        with np.errstate(all="ignore"):
            for one in self.dependent:
                values[one.name] = batch(value_of(one.formula, values, count))
        return values

    def allowed(self, values: Mapping[str, Scaled], count: int) -> Bools:
        """Where every hypothesis holds, up to rounding."""
        fine = np.ones(count, dtype=bool)
        with np.errstate(all="ignore"):
            for relation in self.tests:
                left, right, size = sides(relation.left, relation.right, values, count)
                fine &= _holds(relation.op, left - right, size)
            for name in self.integers:
                fine &= values[name].value == np.round(values[name].value)
        return fine

    def goals(self, values: Mapping[str, Scaled], count: int) -> list[tuple[str, Array, Array, Array]]:
        """Operator, both sides and the size of the difference, for every goal."""
        env = environment_of(self.shape, values, Floats().const)
        definitions, goals = self.sources
        found = []
        with np.errstate(all="ignore"):
            whole = True
            for name, node in definitions:
                value = scaled(node, env)
                whole = whole and value is not None
                env[name] = value
            for goal in goals if whole else self.claim.goals:
                found.append((goal.op, *sides(goal.left, goal.right, env, count)))
        return found

    def exact_values(self, free: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
        """All numbers exactly, or None where a dependent one is not rational or has no value."""
        env: dict[str, Any] = {name: to_fmpq(value) for name, value in free.items()}
        try:
            for one in self.dependent:
                env[one.name] = evaluate(one.formula, env, Exact())
        except (Inexact, KernelError):
            return None
        return {name: to_fraction(value) for name, value in env.items()}


def _holds(op: str, gap: Array, size: Array) -> Bools:
    match op:
        case "<=":
            return np.asarray(gap <= CLOSE * size)
        case ">=":
            return np.asarray(gap >= -CLOSE * size)
        case "<":
            return np.asarray(gap < 0)
        case ">":
            return np.asarray(gap > 0)
        case "==":
            return np.asarray(np.abs(gap) <= EQUAL * size)
        case _:
            return np.asarray(gap != 0)


def plan_for(
    claim: Claim, kinds: Kinds, shape: Shape, space: Space, extra: tuple[Relation, ...] = (), variant: int = 0
) -> Plan | None:
    """The plan, or None when the hypotheses that hold integers only fail for this shape."""
    tests: list[Relation] = []
    for hypothesis in claim.hypotheses:
        tests.extend(unroll_relation(hypothesis, shape))
    for one in extra:
        tests.extend(unroll_relation(one, shape))
    tests.extend(_probabilities(shape))
    tests.extend(Relation(">=", sym(name), num(0)) for name in kinds.plain)
    if any(not relation_symbols(r) and not _constant_holds(r) for r in tests):
        return None
    tests = [r for r in tests if relation_symbols(r)]
    box = _box(shape, kinds, space)
    names = sorted({*kinds.reals, *kinds.plain, *(s for n, _ in shape.families for row in shape.slots(n) for s in row)})
    solved = solve(tests, frozenset(kinds.plain), variant)
    env: dict[str, Node] = {}
    for solution in solved.dependent:
        env[solution.name] = substitute(solution.formula, env)
    reduced = [
        Relation(r.op, substitute(r.left, env), substitute(r.right, env))
        for r in (*tests, *box)
        if r.op not in ("==", "!=")
    ]
    dependent = {s.name for s in solved.dependent}
    free = ordered([n for n in names if n not in dependent], [r for r in reduced if relation_symbols(r)])
    exact = all(s.exact for s in solved.dependent) and not solved.left_over
    return Plan(claim, shape, free, solved.dependent, tuple(tests), frozenset(kinds.plain), exact)


def _constant_holds(relation: Relation) -> bool:
    left, right, size = sides(relation.left, relation.right, {}, 1)
    return bool(_holds(relation.op, left - right, size)[0])


def _probabilities(shape: Shape) -> list[Relation]:
    found = []
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
            raise Malformed(f"space: {name} is not a free name of the claim; it has {', '.join(kinds.reals)}")
        for one in slots:
            found += [Relation(">=", sym(one), num(lo)), Relation("<=", sym(one), num(hi))]
    return found


__all__ = ["INEXACT", "Plan", "Space", "TooLarge", "plan_for"]
