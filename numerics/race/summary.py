"""A race in figures: one row a method, one point a size, bounds and the exact expectation, as plain data."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from numerics.errors import OptimizerError
from numerics.optimizers import ProblemInfo, SadaParams, preset
from numerics.problems import Problem

from .bounds import CONSTANTS, Bound, TheoremConstants, asymptotic_constant, bound
from .exact import expected_excess
from .run import RaceResult
from .statistics import Interval, Terms, band, fit_terms, reached, slope

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


@dataclass(frozen=True)
class ExactPoint:
    """SADA's expectation beside its Monte Carlo mean; `interval` holds at all sizes at once with level `JOINT`."""

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
    """`target` is an excess risk; by default a hundredth of the start's. `table` holds the readings of the theorem."""
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
        rows.append(Row(label, *figures, len(failed), reason))
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
    )


def _optimum(problem: Problem) -> float | None:
    try:
        return asymptotic_constant(problem)
    except (ValueError, np.linalg.LinAlgError):
        return None


def exact_points(problem: Problem, result: RaceResult) -> tuple[ExactPoint, ...]:
    """The sizes at which the exact engine gives SADA's expectation and every seed gave a value."""
    plan = result.plan
    if "sada" not in [e.label for e in plan.entrants] or len(plan.seeds) < 2:
        return ()
    level = 1 - (1 - JOINT) / len(plan.sizes)
    found, info = [], ProblemInfo.of(problem)
    for n, interval in zip(plan.sizes, band(result.curve("sada"), level), strict=True):
        try:
            params = preset("sada", "practical", info, n)
        except OptimizerError:
            continue
        value = expected_excess(problem, params) if isinstance(params, SadaParams) else None
        if value is not None and interval is not None:
            found.append(ExactPoint(n, value, interval))
    return tuple(found)
