"""The last stretch of a climb: a quasi-Newton method on the logarithm of the ratio, gradients from one batch."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from scipy.optimize import minimize

from theory.search.climb import intervals, project, score, stuck_at
from theory.search.floats import Array
from theory.search.plan import Plan

STEP = 1e-6
WALL = 1e3


class Enough(Exception):
    """The evaluations are used up."""


def polish(plan: Plan, goal: int, point: Array, start: float, evaluations: int) -> tuple[Array, float, int]:
    """A point at least as good as the start, its score, and the number of points looked at.

    Numbers at a bound stay at it; the others move on the scale of their own size.
    """
    low, high = intervals(plan, point[None, :])
    low_stuck, high_stuck = stuck_at(point[None, :], low, high)
    loose = np.flatnonzero(~(low_stuck | high_stuck)[0])
    if not len(loose):
        return point, start, 0
    scale = np.maximum(np.abs(point[loose]), 1e-3)
    best, top_mark, seen = [point], [start], [0]

    def points_at(moves: Array) -> Array:
        offers = np.repeat(point[None, :], len(moves), axis=0)
        offers[:, loose] = point[loose] + scale * moves
        sticky = [np.repeat(side, len(moves), axis=0) for side in (low_stuck, high_stuck)]
        return project(plan, offers, sticky[0], sticky[1])

    def descend(move: Array) -> tuple[float, Array]:
        if seen[0] >= evaluations * (2 * len(loose) + 1):
            raise Enough
        ahead = np.eye(len(loose)) * STEP
        offers = points_at(np.concatenate([move[None, :], move + ahead, move - ahead]))
        marks = score(plan, goal, offers)
        seen[0] += len(offers)
        top = int(np.argmax(marks))
        if marks[top] > top_mark[0]:
            best[0], top_mark[0] = offers[top], float(marks[top])
        values = _log_ratio(marks)
        slope = (values[1 : len(loose) + 1] - values[len(loose) + 1 :]) / (2 * STEP)
        return -float(values[0]), -np.where(np.isfinite(slope), slope, 0.0)

    with np.errstate(all="ignore"), suppress(Enough):
        minimize(descend, np.zeros(len(loose)), jac=True, method="BFGS", options={"gtol": 1e-12})
    return best[0], top_mark[0], seen[0]


def _log_ratio(marks: Array) -> Array:
    """log(left/right) from (left - right)/(left + right); outside the region a wall."""
    inside = np.clip(marks, -1 + 1e-15, 1 - 1e-15)
    return np.where(np.isfinite(marks), 2 * np.arctanh(inside), -WALL)
