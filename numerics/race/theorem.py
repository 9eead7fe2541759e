r"""The theorem's bound beside the truth, over the range of n where the bound can be seen.

A reading bounds SADA with the theorem's hyperparameters, from as many samples on as two of its inner loops take: often
millions, beyond any race. The exact engine has no such limit: where it applies (least squares, independent noise), it
gives the expected excess risk of that very algorithm for any n.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from numerics.optimizers import SadaParams
from numerics.problems import Problem

from .bounds import CONSTANTS, Bound, Choice, TheoremConstants, bound, outer_schedule, setting_of
from .exact import expected_excess

FARTHEST = 10**16
MOST_ROUNDS = 20_000
PER_DECADE = 2
ENOUGH = 1e-3  # of the start's risk: the curves end where the bounds have fallen so far


@dataclass(frozen=True)
class TheoremPoint:
    """A bound with the expected excess risk of the algorithm that it speaks of; None where the engine cannot say."""

    bound: Bound
    truth: float | None


def theorem_params(problem: Problem, chosen: Choice) -> SadaParams:
    """SADA as the theorem has it."""
    setting = setting_of(problem)
    h, beta = outer_schedule(chosen, setting.alpha, problem.loss.L)
    eta, theta = setting.eta, setting.theta
    return SadaParams(eta, theta / setting.mu, theta, chosen.T, tuple(h.tolist()), tuple(beta.tolist()))


def theorem_curves(
    problem: Problem, start: float, table: Mapping[str, TheoremConstants] = CONSTANTS
) -> tuple[TheoremPoint, ...]:
    """Every reading from the first n that it bounds to the n at which all that fall are a thousandth of the start's.

    The printed bound does not fall: its exponential grows.
    """
    grids = {r: _sizes(2 * c.rule(setting_of(problem), 2).T) for r, c in table.items()}
    ends = [_end(problem, start, r, table, sizes) for r, sizes in grids.items()]
    last = max((n for n in ends if n is not None), default=FARTHEST)
    shown = [bound(problem, n, start, r, table) for r, sizes in grids.items() for n in sizes if n <= last]
    run = {(b.K, b.T): b for b in shown if b.total is not None and b.K <= MOST_ROUNDS}  # readings share an algorithm
    truth = {at: _truth(problem, table[b.reading].rule(setting_of(problem), b.K)) for at, b in run.items()}
    return tuple(TheoremPoint(b, truth.get((b.K, b.T))) for b in shown)


def distinct(curves: Mapping[str, list[tuple[float, float]]]) -> dict[str, list[tuple[float, float]]]:
    """The curves by name, those that are the same points as one: readings that bound the same algorithm have one truth,
    and drawn twice the second covers the first."""
    names: dict[tuple[tuple[float, float], ...], list[str]] = {}
    for name, points in curves.items():
        if points:
            names.setdefault(tuple(points), []).append(name)
    return {" and ".join(shared): list(points) for points, shared in names.items()}


def _sizes(first: int) -> list[int]:
    decades = np.arange(PER_DECADE * np.log10(first), PER_DECADE * np.log10(FARTHEST)) / PER_DECADE
    return [first, *(int(10**decade) for decade in decades[1:])]


def _end(
    problem: Problem, start: float, reading: str, table: Mapping[str, TheoremConstants], sizes: list[int]
) -> int | None:
    for n in sizes:
        total = bound(problem, n, start, reading, table).total
        if total is not None and total <= ENOUGH * start:
            return n
    return None


def _truth(problem: Problem, chosen: Choice) -> float | None:
    value = expected_excess(problem, theorem_params(problem, chosen))
    return None if value is None or not np.isfinite(value) else value
