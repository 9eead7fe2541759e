"""The plan of one shape: which numbers are drawn in which order, which follow, and how a point is tested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Malformed
from theory.kernel.evaluate import evaluate
from theory.kernel.lang import Node, Relation, num, relation_symbols, substitute, sym, symbols, walk
from theory.kernel.rings import Exact, Inexact, to_fmpq, to_fraction
from theory.search.bounds import Variable, ordered
from theory.search.equations import Solution, Solved, solve
from theory.search.floats import Array, Bools, Floats, Scaled, batch, scaled, sides, value_of
from theory.search.formulas import Formulas, Price, formulas, price_of
from theory.search.kinds import Kinds
from theory.search.shapes import Shape
from theory.search.slots import add, environment_of, unroll_relation
from theory.search.surds import Entry, entry
from theory.search.trees import relation_size, size

CLOSE = 1e-12
EQUAL = 1e-6
Space = Mapping[str, tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Plan:
    """How points of one shape are made.

    Every hypothesis is tested: those for every index in slots (`tests`), the others as written (`given`). `heft` is
    the size of all of them.
    """

    claim: Claim
    shape: Shape
    free: tuple[Variable, ...]
    dependent: tuple[Solution, ...]
    tests: tuple[Relation, ...]
    integers: frozenset[str]
    exact: bool
    given: Formulas
    goals: Formulas
    price: Price
    heft: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(v.name for v in self.free)

    @cached_property
    def rooted(self) -> frozenset[str]:
        """Free names below a root: squares of rationals make the roots of their products rational."""
        nodes = [one.formula for one in self.dependent]
        nodes += [side for r in (*self.claim.hypotheses, *self.claim.goals) for side in (r.left, r.right)]
        roots = [part for node in nodes for part in walk(node) if part.op == "sqrt"]
        return frozenset(self.names) & frozenset().union(*(symbols(root) for root in roots))

    def complete(self, rows: Array) -> dict[str, Scaled]:
        """All numbers of a batch, from the free ones in the order of the plan."""
        values = {name: batch(rows[:, i]) for i, name in enumerate(self.names)}
        with np.errstate(all="ignore"):
            for one in self.dependent:
                values[one.name] = batch(value_of(one.formula, values, len(rows)))
        return values

    @property
    def work(self) -> float:
        """Array operations that it takes to make, test and mark a batch, about."""
        return self.goals.work + self.given.work + 4.0 * len(self.tests) + 10.0 * len(self.free) + 2.0 * self.bulk

    @cached_property
    def bulk(self) -> int:
        """The size of all bounds and of the formulas of the dependent numbers."""
        bounds = [part for v in self.free for b in v.bounds for part in (b.slope, b.rest, b.middle) if part is not None]
        return sum(map(size, (*bounds, *(one.formula for one in self.dependent))))

    def allowed(self, values: Mapping[str, Scaled], count: int, slack: float = CLOSE) -> Bools:
        """Where every hypothesis holds, up to rounding."""
        fine = np.ones(count, dtype=bool)
        with np.errstate(all="ignore"):
            for name in self.integers:
                fine &= values[name].value == np.round(values[name].value)
            for relation in self.tests:
                left, right, size = sides(relation.left, relation.right, values, count)
                fine &= holds(relation.op, left, right, size, slack)
            for relation, left, right, size in self._sides(self.given, values, count, None):
                fine &= holds(relation.op, left, right, size, slack)
        return fine

    def sides(
        self, values: Mapping[str, Scaled], count: int, only: int | None = None
    ) -> list[tuple[Relation, Array, Array, Array]]:
        """Each goal, or only one, with both sides and the size of the difference."""
        return self._sides(self.goals, values, count, only)

    def _sides(
        self, group: Formulas, values: Mapping[str, Scaled], count: int, only: int | None
    ) -> list[tuple[Relation, Array, Array, Array]]:
        env = environment_of(self.shape, values, Floats().const)
        with np.errstate(all="ignore"):
            for name, node in group.definitions:
                value = scaled(node, env)
                if value is not None:
                    env[name] = value
            relations = group.relations if only is None else (group.relations[only],)
            return [(r, *sides(r.left, r.right, env, count)) for r in relations]

    def exact_values(self, free: Mapping[str, Fraction]) -> dict[str, Entry] | None:
        """All numbers exactly, or None where a dependent one is not made of roots or has no value."""
        values: dict[str, Entry] = dict(free)
        try:
            for one in self.dependent:
                values[one.name] = self._dependent(one, values)
        except (Inexact, KernelError):
            return None
        return values

    def _dependent(self, one: Solution, values: Mapping[str, Entry]) -> Entry:
        env = {name: to_fmpq(value) if isinstance(value, Fraction) else value for name, value in values.items()}
        with suppress(Inexact):
            return to_fraction(evaluate(one.formula, env, Exact()))
        return entry(one.formula, env)


def holds(op: str, left: Array, right: Array, size: Array, slack: float = CLOSE) -> Bools:
    """The relation on floats: equality within rounding is allowed where the hypothesis allows equality.

    A side without a finite value satisfies nothing.
    """
    gap = left - right
    match op:
        case "<=":
            fine = gap <= slack * size
        case ">=":
            fine = gap >= -slack * size
        case "<":
            fine = gap < 0
        case ">":
            fine = gap > 0
        case "==":
            fine = np.abs(gap) <= EQUAL * size
        case _:
            fine = gap != 0
    return np.asarray(fine & np.isfinite(left) & np.isfinite(right))


def plans_for(
    claim: Claim, kinds: Kinds, shape: Shape, space: Space, most: int = 1, extra: Sequence[Relation] = ()
) -> Iterator[Plan]:
    """Plans that differ in what is free; none when the hypotheses that hold integers only fail for this shape.

    `extra` are further relations (over slots) that the points shall satisfy, such as the zero of a divisor.
    """
    written = [one for hypothesis in claim.hypotheses for one in unroll_relation(hypothesis, shape)]
    more = [*extra, *_probabilities(shape), *(Relation(">=", sym(name), num(0)) for name in kinds.plain)]
    every = [*written, *more]
    if not all(relation_symbols(r) or _constant_holds(r) for r in every):
        return
    every = [r for r in every if relation_symbols(r)]
    for_all = [one for h in claim.hypotheses if h.binder is not None for one in unroll_relation(h, shape)]
    given = formulas(
        claim, shape, [text for text, h in zip(claim.given, claim.hypotheses, strict=True) if h.binder is None]
    )
    goals, price = formulas(claim, shape, claim.says), price_of(claim, shape)
    names = sorted({*kinds.reals, *kinds.plain, *(s for n, _ in shape.families for row in shape.slots(n) for s in row)})
    heft = sum(map(relation_size, every))
    for solved in solve(tuple(every), frozenset(kinds.plain))[:most]:
        dependent = {s.name for s in solved.dependent}
        free = ordered(
            tuple(n for n in names if n not in dependent), _reduced([*every, *_box(shape, kinds, space)], solved)
        )
        exact = all(s.exact for s in solved.dependent) and not solved.left_over
        tests = tuple(r for r in (*for_all, *more) if relation_symbols(r))
        yield Plan(
            claim, shape, free, solved.dependent, tests, frozenset(kinds.plain), exact, given, goals, price, heft
        )


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
    return bool(holds(relation.op, left, right, size)[0])


def _probabilities(shape: Shape) -> list[Relation]:
    found: list[Relation] = []
    for space, count in shape.spaces:
        weights = [sym(f"p_{space}[{i}]") for i in range(1, count + 1)]
        found.extend(Relation(">", p, num(0)) for p in weights)
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
