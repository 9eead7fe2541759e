"""A race in figures: one row a method, one point a size, bounds and the exact expectation, as plain data."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from numerics.errors import OptimizerError
from numerics.optimizers import ProblemInfo
from numerics.problems import Problem

from .bounds import CONSTANTS, Bound, TheoremConstants, asymptotic_constant, bound
from .exact import EXACT, expected_excess
from .run import RaceResult
from .statistics import Interval, Terms, band, fit_terms, reached, slope
from .theorem import TheoremPoint, theorem_curves

JOINT = 0.999  # the level of the intervals in which Monte Carlo is compared with the exact engine, all sizes together


@dataclass(frozen=True)
class Row:
    """One method."""

    method: str
    final: Interval | None
    reached: Interval | None
    slope: Interval | None
    terms: Terms | None
    failures: int
    first_failure: str | None
    rows: int  # that the longest run took from its stream; more than its size where n counts labelled samples


@dataclass(frozen=True)
class ExactPoint:
    """An exact expectation beside the Monte Carlo mean; the intervals of a race hold together with level `JOINT`."""

    method: str
    n: int
    exact: float
    interval: Interval

    @property
    def agrees(self) -> bool:
        return self.interval.contains(self.exact)


@dataclass(frozen=True)
class Summary:
    """What `lemmalab race` prints."""

    problem: str
    start: float
    target: float
    optimum: float | None  # n times the risk of the empirical minimiser, in the limit
    sizes: tuple[int, ...]
    seeds: tuple[int, ...]
    rows: tuple[Row, ...]
    curves: Mapping[str, tuple[Interval | None, ...]]
    exact: tuple[ExactPoint, ...]
    bounds: tuple[Bound, ...]
    theorem: tuple[TheoremPoint, ...]

    @property
    def disagreements(self) -> tuple[ExactPoint, ...]:
        return tuple(point for point in self.exact if not point.agrees)

    def record(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "problem": self.problem,
            "start": self.start,
            "target": self.target,
            "asymptotic_optimum": self.optimum,
            "sizes": list(self.sizes),
            "seeds": list(self.seeds),
            "methods": [asdict(row) for row in self.rows],
            "curves": {name: [asdict(p) if p else None for p in curve] for name, curve in self.curves.items()},
            "exact": [asdict(p) | {"agrees": p.agrees, "level": JOINT} for p in self.exact],
            "bounds": [asdict(b) | {"total": b.total} for b in self.bounds],
            "theorem": [asdict(p.bound) | {"total": p.bound.total, "truth": p.truth} for p in self.theorem],
        }

    def csv(self) -> str:
        """One line for every method and size."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("method", "samples", "excess_risk", "low", "high"))
        for name, curve in self.curves.items():
            for n, p in zip(self.sizes, curve, strict=True):
                writer.writerow((name, n, *((p.value, p.low, p.high) if p else ("", "", ""))))
        return out.getvalue()


def summarise(
    result: RaceResult, *, target: float | None = None, table: Mapping[str, TheoremConstants] = CONSTANTS
) -> Summary:
    """`target` is an excess risk; by default a hundredth of the start's. `table` holds the readings of the theorem.

    `bounds` are those of the sizes of the race; `theorem` has them over the range in which they can be seen.
    """
    plan = result.plan
    problem = plan.problem.build()
    goal = result.start / 100 if target is None else target
    sizes = np.array(plan.sizes, dtype=float)
    rows = []
    for entrant in plan.entrants:
        curve, label = result.curve(entrant.label), entrant.label
        failed = [o for o in result.errors if o.entrant == label]
        terms = None if entrant.method == "erm" else fit_terms(sizes, curve)
        reason = failed[0].error if failed else None
        figures = (band(curve)[-1], reached(sizes, curve, goal), slope(sizes, curve), terms)
        taken = int(result.used[plan.entrants.index(entrant), -1].max())
        rows.append(Row(label, *figures, len(failed), reason, taken))
    curves = {e.label: tuple(band(result.curve(e.label))) for e in plan.entrants}
    bounds = tuple(bound(problem, n, result.start, reading, table) for reading in table for n in plan.sizes)
    points = exact_points(problem, result)
    return Summary(
        plan.problem.label,
        result.start,
        goal,
        _optimum(problem),
        plan.sizes,
        plan.seeds,
        tuple(rows),
        curves,
        points,
        bounds,
        theorem_curves(problem, result.start, table),
    )


def _optimum(problem: Problem) -> float | None:
    try:
        return asymptotic_constant(problem)
    except (ValueError, np.linalg.LinAlgError):
        return None


def exact_points(problem: Problem, result: RaceResult) -> tuple[ExactPoint, ...]:
    """The methods and sizes for which the exact engine gives an expectation and every seed gave a value."""
    plan = result.plan
    if len(plan.seeds) < 2:
        return ()
    found, info = [], ProblemInfo.of(problem)
    known = [e for e in plan.entrants if e.method in EXACT]
    level = 1 - (1 - JOINT) / (max(1, len(known)) * len(plan.sizes))
    for entrant in known:
        for n, interval in zip(plan.sizes, band(result.curve(entrant.label), level), strict=True):
            try:
                value = expected_excess(problem, entrant.params(info, n), entrant.method)
            except OptimizerError:
                continue
            if value is not None and interval is not None:
                found.append(ExactPoint(entrant.label, n, value, interval))
    return tuple(found)
