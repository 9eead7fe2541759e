"""Local maximisation of a violation: many starts at once, along coordinates, at random and between the starts.

A number that sits at one of its bounds stays there when the others move, so that the climb can follow an edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from theory.search.draw import interval, whole
from theory.search.floats import Array, Bools, Scaled, batch
from theory.search.plan import Plan
from theory.search.score import violation

STICKS = 1e-11
TINY = 1e-9


@dataclass(frozen=True)
class Climb:
    """The starts after climbing, their scores, and the number of points looked at."""

    points: Array
    scores: Array
    trials: int


def score(plan: Plan, goal: int, points: Array) -> Array:
    """The violation of one goal at each row; minus infinity outside the region or without a value."""
    values = plan.complete(points)
    one, left, right, size = plan.sides(values, len(points), goal)[0]
    result = violation(one, left, right, size)
    return np.where(plan.allowed(values, len(points)) & ~np.isnan(result), result, -np.inf)


def intervals(plan: Plan, points: Array) -> tuple[Array, Array]:
    """The bounds of every number at every point."""
    values = {name: batch(points[:, i]) for i, name in enumerate(plan.names)}
    pairs = [interval(variable, values, len(points)) for variable in plan.free]
    return np.stack([low for low, _ in pairs], axis=1), np.stack([high for _, high in pairs], axis=1)


def stuck_at(points: Array, low: Array, high: Array) -> tuple[Bools, Bools]:
    """Which numbers sit at their lower and at their upper bounds."""
    near = STICKS * np.maximum(np.abs(points), 1e-6)
    return np.abs(points - low) <= near, np.abs(points - high) <= near


def project(plan: Plan, points: Array, low_stuck: Bools, high_stuck: Bools) -> Array:
    """Put each number back between its bounds, and at them where it is stuck to them."""
    result = points.copy()
    values: dict[str, Scaled] = {}
    for i, variable in enumerate(plan.free):
        column = result[:, i]
        if variable.bounds:
            low, high = interval(variable, values, len(points))
            column = np.where(low_stuck[:, i] & np.isfinite(low), low, column)
            column = np.where(high_stuck[:, i] & np.isfinite(high), high, column)
            column = np.where(low <= high, np.minimum(np.maximum(column, low), high), column)
            column = whole(column, low, high) if variable.name in plan.integers else column
        result[:, i] = column
        values[variable.name] = batch(column)
    return result


def climb(plan: Plan, goal: int, starts: Array, rng: np.random.Generator, rounds: int) -> Climb:
    """Improve every start until its step is tiny or the rounds are over."""
    points, trials = starts.copy(), 0
    if points.size == 0:
        return Climb(points, np.full(len(points), -np.inf), 0)
    rows = np.arange(len(points))
    with np.errstate(all="ignore"):
        scores = score(plan, goal, points)
        step, last = np.full(len(points), 0.5), np.zeros_like(points)
        for _ in range(rounds):
            offers = _offers(plan, points, step, last, rng)
            marks = score(plan, goal, offers.reshape(-1, points.shape[1])).reshape(offers.shape[:2])
            trials += marks.size
            best = np.argmax(marks, axis=1)
            better = marks[rows, best] > scores
            chosen = offers[rows, best]
            last = np.where(better[:, None], chosen - points, 0.0)
            points = np.where(better[:, None], chosen, points)
            scores = np.where(better, marks[rows, best], scores)
            step = np.where(better, np.minimum(step * 1.5, 1.0), step * 0.45)
            if np.all(step < TINY):
                break
    return Climb(points, scores, trials)


def _offers(plan: Plan, points: Array, step: Array, last: Array, rng: np.random.Generator) -> Array:
    """For every start: each number moved on its own, the last success again, random and difference moves."""
    width = points.shape[1]
    low, high = intervals(plan, points)
    low_stuck, high_stuck = stuck_at(points, low, high)
    singles = _single_moves(points, low, high, step)
    joint = _joint_moves(points, step, last, rng)
    each, many = singles.shape[1], joint.shape[1]
    offers = np.repeat(points[:, None, :], width * each + many, axis=1)
    fixed = np.ones((width * each + many, width), dtype=bool)
    for i in range(width):
        offers[:, i * each : (i + 1) * each, i] = singles[:, :, i]
        fixed[i * each : (i + 1) * each, i] = False
    offers[:, width * each :] = joint
    sticky = [(side[:, None, :] & fixed[None]).reshape(-1, width) for side in (low_stuck, high_stuck)]
    return project(plan, offers.reshape(-1, width), *sticky).reshape(offers.shape)


def _single_moves(points: Array, low: Array, high: Array, step: Array) -> Array:
    """Targets for every number: relative and absolute steps, scaled distances to the bounds, the bounds."""
    width = step[:, None]
    grow, fall = np.exp(4 * width), np.exp(-4 * width)
    targets = [points * (1 + width), points * (1 - width), points + width, points - width]
    targets += [np.where(np.isfinite(low), low + (points - low) * f, points * f) for f in (grow, fall)]
    targets += [np.where(np.isfinite(high), high - (high - points) * f, -points) for f in (grow, fall)]
    targets += [np.where(np.isfinite(edge), edge, points) for edge in (low, high)]
    return np.stack(targets, axis=1)


def _joint_moves(points: Array, step: Array, last: Array, rng: np.random.Generator) -> Array:
    count, width = points.shape
    moves = [points + last, points + 3 * last, points * (1 + step[:, None]), points * (1 - step[:, None])]
    for _ in range(2 * width):
        moves.append(points * np.exp(step[:, None] * rng.standard_normal(points.shape)))
        other = points[rng.permutation(count)] - points[rng.permutation(count)]
        moves.append(points + rng.uniform(0.2, 1.0) * other * np.minimum(2 * step[:, None], 1.0))
    return np.stack(moves, axis=1)
