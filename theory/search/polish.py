"""The last stretch of a climb: a quasi-Newton method, gradients from one batch.

Two objectives in turn: the plain gap, which is smooth where a bound is nearly attained, and the logarithm of the ratio,
which does not depend on the scale of the numbers. The score decides which point is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from theory.search.climb import intervals, project, stuck_at
from theory.search.floats import Array, Bools
from theory.search.plan import Plan
from theory.search.score import violation

STEP = 1e-6
WALL = 1e3


class Enough(Exception):
    """The evaluations are used up."""


@dataclass
class _Polisher:
    """Moves of the numbers that are not at a bound, on the scale of their own size; the best point so far."""

    plan: Plan
    goal: int
    start: Array
    best: Array
    mark: float
    loose: NDArray[np.intp]
    low_stuck: Bools
    high_stuck: Bools
    seen: int = 0

    def points(self, moves: Array) -> Array:
        offers = np.repeat(self.start[None, :], len(moves), axis=0)
        offers[:, self.loose] += np.maximum(np.abs(self.start[self.loose]), 1e-3) * moves
        sticky = [np.repeat(side, len(moves), axis=0) for side in (self.low_stuck, self.high_stuck)]
        return project(self.plan, offers, sticky[0], sticky[1])

    def evaluate(self, moves: Array) -> tuple[Array, Array]:
        """Scores and plain gaps (positive: violated); the best point is remembered."""
        offers = self.points(moves)
        values = self.plan.complete(offers)
        goal, left, right, size = self.plan.sides(values, len(offers), self.goal)[0]
        marks = violation(goal, left, right, size)
        marks = np.where(self.plan.allowed(values, len(offers)) & ~np.isnan(marks), marks, -np.inf)
        self.seen += len(offers)
        top = int(np.argmax(marks))
        if marks[top] > self.mark:
            self.best, self.mark = offers[top], float(marks[top])
        return marks, left - right if goal.op in ("<=", "<") else right - left

    def run(self, objective: Callable[[Array, Array], Array], evaluations: int) -> None:
        """Climb the objective; `evaluations` batches at most."""
        width = len(self.loose)
        limit = self.seen + evaluations * (2 * width + 1)

        def descend(move: Array) -> tuple[float, Array]:
            if self.seen >= limit:
                raise Enough
            ahead = np.eye(width) * STEP
            marks, gaps = self.evaluate(np.concatenate([move[None, :], move + ahead, move - ahead]))
            values = np.where(np.isfinite(marks) & np.isfinite(gaps), objective(marks, gaps), -WALL)
            slope = (values[1 : width + 1] - values[width + 1 :]) / (2 * STEP)
            return -float(values[0]), -np.where(np.isfinite(slope), slope, 0.0)

        with np.errstate(all="ignore"), suppress(Enough):
            minimize(descend, np.zeros(width), jac=True, method="BFGS", options={"gtol": 1e-14})


def polish(plan: Plan, goal: int, point: Array, mark: float, evaluations: int) -> tuple[Array, float, int]:
    """A point at least as good as the given one, its score, and the number of points looked at."""
    low, high = intervals(plan, point[None, :])
    low_stuck, high_stuck = stuck_at(point[None, :], low, high)
    loose = np.flatnonzero(~(low_stuck | high_stuck)[0])
    if not len(loose):
        return point, mark, 0
    work = _Polisher(plan, goal, point, point, mark, loose, low_stuck, high_stuck)
    with np.errstate(all="ignore"):
        _, gaps = work.evaluate(np.zeros((1, len(loose))))
    scale = abs(float(gaps[0])) or 1.0
    work.run(lambda _, gap: gap / scale, evaluations // 2)
    work.start = work.best
    work.run(lambda marks, _: 2 * np.arctanh(np.clip(marks, -1 + 1e-15, 1 - 1e-15)), evaluations // 2)
    return work.best, work.mark, work.seen
