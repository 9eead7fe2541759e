"""Local maximisation of a violation: many starts at once, along coordinates and between the starts.

A number that sits at one of its bounds stays there when the others move, so that the climb can follow an edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from theory.search.draw import interval, whole
from theory.search.floats import Array, Bools, Scaled, batch
from theory.search.plan import Plan
from theory.search.score import violation

STICKS = 1e-11


@dataclass(frozen=True)
class Climb:
    """The starts after climbing, their scores, and the number of points looked at."""

    points: Array
    scores: Array
    trials: int


def score(plan: Plan, goal: int, points: Array) -> Array:
    """The violation of one goal at each row, minus infinity outside the region, plus infinity without a value."""
    count = len(points)
    values = plan.complete({name: points[:, i] for i, name in enumerate(plan.names)})
    op, left, right, size = plan.goals(values, count)[goal]
    result = violation(op, left, right, size)
    result = np.where(np.isnan(result), -1.0, result)
    return np.where(plan.allowed(values, count), result, -np.inf)


def project(plan: Plan, points: Array, low_stuck: Bools, high_stuck: Bools) -> Array:
    """Put each number back between its bounds, and at them where it is stuck to them."""
    count = len(points)
    result = points.copy()
    values: dict[str, Scaled] = {}
    for i, variable in enumerate(plan.free):
        low, high = interval(variable, values, count)
        column = np.where(low_stuck[:, i] & np.isfinite(low), low, result[:, i])
        column = np.where(high_stuck[:, i] & np.isfinite(high), high, column)
        column = np.where(low <= high, np.minimum(np.maximum(column, low), high), column)
        if variable.name in plan.integers:
            column = whole(column, low, high)
        result[:, i] = column
        values[variable.name] = batch(column)
    return result


def stuck(plan: Plan, points: Array) -> tuple[Bools, Bools]:
    """Which numbers sit at their lower and upper bounds."""
    low_stuck, high_stuck = np.zeros(points.shape, dtype=bool), np.zeros(points.shape, dtype=bool)
    values = {name: batch(points[:, i]) for i, name in enumerate(plan.names)}
    for i, variable in enumerate(plan.free):
        low, high = interval(variable, values, len(points))
        near = STICKS * np.maximum(np.abs(points[:, i]), 1e-6)
        low_stuck[:, i] = np.abs(points[:, i] - low) <= near
        high_stuck[:, i] = np.abs(points[:, i] - high) <= near
    return low_stuck, high_stuck


def climb(plan: Plan, goal: int, starts: Array, rng: np.random.Generator, rounds: int) -> Climb:
    """Improve every start until its step is tiny or the rounds are over."""
    points, trials = starts.copy(), 0
    if points.size == 0:
        return Climb(points, np.full(len(points), -np.inf), 0)
    with np.errstate(all="ignore"):
        scores = score(plan, goal, points)
        step = np.full(len(points), 0.5)
        last = np.zeros_like(points)
        for _ in range(rounds):
            offers = _offers(plan, points, step, last, rng)
            count, many, width = offers.shape
            flat = offers.reshape(count * many, width)
            marks = score(plan, goal, flat).reshape(count, many)
            trials += count * many
            best = np.argmax(marks, axis=1)
            top = marks[np.arange(count), best]
            better = top > scores
            chosen = offers[np.arange(count), best]
            last = np.where(better[:, None], chosen - points, 0.0)
            points = np.where(better[:, None], chosen, points)
            scores = np.where(better, top, scores)
            step = np.where(better, np.minimum(step * 1.5, 1.0), step * 0.45)
            if np.all(step < 1e-9):
                break
    return Climb(points, scores, trials)


def _offers(plan: Plan, points: Array, step: Array, last: Array, rng: np.random.Generator) -> Array:
    count, width = points.shape
    low_stuck, high_stuck = stuck(plan, points)
    bounds = _intervals(plan, points)
    moves: list[Array] = []
    frees: list[int | None] = []
    size = np.maximum(np.abs(points), 1e-12)
    for i in range(width):
        low, high = bounds[i]
        for sign in (1.0, -1.0):
            for target in (
                points[:, i] + sign * step * size[:, i],
                points[:, i] + sign * step,
                np.where(np.isfinite(low), low + (points[:, i] - low) * np.exp(sign * 4 * step), points[:, i]),
                np.where(np.isfinite(high), high - (high - points[:, i]) * np.exp(sign * 4 * step), points[:, i]),
            ):
                moves.append(_with(points, i, target))
                frees.append(i)
        for edge in (low, high):
            moves.append(_with(points, i, np.where(np.isfinite(edge), edge, points[:, i])))
            frees.append(i)
    for factor in (1.0, 3.0):
        moves.append(points + factor * last)
        frees.append(None)
    for _ in range(2 * width + 2):
        direction = rng.standard_normal(points.shape)
        moves.append(points * np.exp(step[:, None] * direction))
        other = points[rng.permutation(count)] - points[rng.permutation(count)]
        moves.append(points + rng.uniform(0.2, 1.0) * other * np.minimum(step[:, None] * 2, 1.0))
        frees += [None, None]
    offers = np.stack(moves, axis=1)
    fixed = np.ones((len(moves), width), dtype=bool)
    for m, free in enumerate(frees):
        if free is not None:
            fixed[m, free] = False
    flat = offers.reshape(-1, width)
    sticky = [(side[:, None, :] & fixed[None]).reshape(-1, width) for side in (low_stuck, high_stuck)]
    return project(plan, flat, *sticky).reshape(offers.shape)


def _with(points: Array, i: int, column: Array) -> Array:
    moved = points.copy()
    moved[:, i] = column
    return moved


def _intervals(plan: Plan, points: Array) -> list[tuple[Array, Array]]:
    values = {name: batch(points[:, i]) for i, name in enumerate(plan.names)}
    return [interval(variable, values, len(points)) for variable in plan.free]


def as_rows(plan: Plan, free: Mapping[str, Array]) -> Array:
    """Free numbers as the rows of a matrix, in the plan's order."""
    return np.stack([free[name] for name in plan.names], axis=1) if plan.names else np.zeros((1, 0))
