"""A first look at a region: independent draws, and a walk inside it where few draws satisfy the hypotheses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theory.kernel.lang import Relation
from theory.search.climb import intervals, project
from theory.search.draw import draw, draw_one
from theory.search.floats import Array, Bools, to_float
from theory.search.plan import Plan
from theory.search.score import has_no_value, violation
from theory.search.slots import slots_of

ENOUGH = 400
CROWD = 48


@dataclass(frozen=True)
class Survey:
    """Points of the region (rows of free numbers) with the marks of every goal; `drawn` of them are independent."""

    plan: Plan
    rows: Array
    marks: tuple[Array, ...]
    empty: tuple[Bools, ...]
    drawn: int

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.plan.goals.relations

    def best(self, goal: int, count: int) -> Array:
        """The rows with the largest marks of a goal."""
        marks = self.marks[goal]
        order = np.argsort(-marks, kind="stable")[:count]
        return self.rows[order[np.isfinite(marks[order])]]

    def starts(self, goal: int, count: int, turn: int, rng: np.random.Generator) -> Array:
        """Where a climb begins: at first the best rows, on later turns random ones among the better half."""
        if turn == 0:
            return self.best(goal, count)
        better = self.best(goal, max(count, len(self.rows) // 2))
        return better[rng.choice(len(better), size=min(count, len(better)), replace=False)]

    def top(self, goal: int) -> float:
        return float(np.max(self.marks[goal], initial=-np.inf)) if self.marks else -np.inf


def survey(plan: Plan, rng: np.random.Generator, count: int, points: list[Mapping[str, Any]]) -> Survey:
    """Draw, keep what satisfies the hypotheses, walk on from there if that is little, and mark the goals."""
    rows = draw(plan, rng, count) if plan.names else np.zeros((1, 0))
    kept = rows[plan.allowed(plan.complete(rows), len(rows))]
    drawn = len(kept)
    known = known_rows(plan, points)
    if plan.names and drawn < min(ENOUGH, count // 4):
        kept = np.concatenate([known, kept, walk(plan, np.concatenate([known, kept]), rng)])
    else:
        kept = np.concatenate([known, kept])
    return _marked(plan, kept, drawn)


def _marked(plan: Plan, rows: Array, drawn: int) -> Survey:
    sides = plan.sides(plan.complete(rows), len(rows)) if len(rows) else []
    marks, empty = [], []
    for goal, left, right, size in sides:
        mark = violation(goal, left, right, size)
        marks.append(np.where(np.isnan(mark), -np.inf, mark))
        empty.append(has_no_value(left, right))
    return Survey(plan, rows, tuple(marks), tuple(empty), drawn)


def known_rows(plan: Plan, points: list[Mapping[str, Any]]) -> Array:
    """Points that were given, such as the example, as rows; those of other shapes are left out."""
    rows = []
    for point in points:
        if any(str(point.get(name)) != str(value) for name, value in plan.shape.integers):
            continue
        slots = slots_of(plan.shape, point)
        own = [one for name in plan.names if slots is not None and isinstance(one := slots.get(name), Fraction)]
        if slots is not None and len(own) == len(plan.names):
            rows.append(list(map(to_float, own)))
    found = np.array(rows, dtype=np.float64).reshape(len(rows), len(plan.names))
    return found[plan.allowed(plan.complete(found), len(found))] if len(found) else found


def walk(plan: Plan, starts: Array, rng: np.random.Generator, rounds: int = 20) -> Array:
    """Points of the region reached from others in small and large steps; not independent of each other."""
    width = len(plan.names)
    if not len(starts):
        return starts
    crowd = starts[rng.integers(len(starts), size=CROWD)]
    found = []
    nothing = np.zeros(crowd.shape, dtype=bool)
    with np.errstate(all="ignore"):
        for _ in range(rounds):
            offer = _step(plan, crowd, rng, width)
            offer = project(plan, offer, nothing, nothing)
            fine = plan.allowed(plan.complete(offer), len(offer))
            crowd = np.where(fine[:, None], offer, crowd)
            found.append(offer[fine])
    return np.concatenate(found)


def _step(plan: Plan, crowd: Array, rng: np.random.Generator, width: int) -> Array:
    """Redraw one number between its bounds, or scale all of them a little, or step along a difference."""
    kind = rng.integers(3)
    if kind == 0:
        low, high = intervals(plan, crowd)
        i = int(rng.integers(width))
        offer = crowd.copy()
        offer[:, i] = draw_one(rng, low[:, i], high[:, i], np.delete(crowd, i, axis=1))
        return offer
    size = 10.0 ** rng.uniform(-3, 0.5, (len(crowd), 1))
    if kind == 1:
        return np.asarray(crowd * np.exp(size * rng.standard_normal(crowd.shape)))
    return np.asarray(crowd + size * (crowd[rng.permutation(len(crowd))] - crowd[rng.permutation(len(crowd))]))
