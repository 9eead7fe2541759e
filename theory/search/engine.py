"""The refutation search: draw, climb, round, let the kernel decide, shrink."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from theory.kernel.claim import Claim, Point
from theory.search.choices import plans
from theory.search.climb import climb
from theory.search.floats import Array
from theory.search.hunt import Champion, Hunt, look, try_counts, try_known
from theory.search.kinds import kinds_of
from theory.search.plan import Plan
from theory.search.polish import polish
from theory.search.report import result_of
from theory.search.result import QUICK, Effort, SearchResult, decimal
from theory.search.sampling import explore, in_one_dimension
from theory.search.score import threshold
from theory.search.survey import Survey, survey
from theory.search.thin import thin_plans

FEWEST = 60
TYPICAL_WORK = 120.0
THIN_SHAPES = 2
POLISH = 90
POINTS = {"glance": 12, "quick": 60, "normal": 600}  # exact ones, for claims with vectors, matrices and samples
A_FEW = 10  # between two looks at the clock


def search(
    claim: Claim,
    *,
    seed: int = 0,
    effort: Effort = QUICK,
    space: Mapping[str, tuple[Fraction, Fraction]] | None = None,
    hints: Sequence[Mapping[str, Fraction]] = (),
) -> SearchResult:
    """Look for an exact point that satisfies the hypotheses and refutes a goal.

    space   for names the interval in which they are drawn; hints   points to try first and to start from
    """
    if claim.kinds:
        return _with_objects(claim, seed, effort)
    example = dict(claim.example)
    known: list[Mapping[str, Any]] = [{**example, **Point.of(hint).as_dict()} for hint in hints]
    known += [example] if example or not claim.variables else []
    hunt = Hunt(claim, kinds_of(claim), dict(space or {}), effort, seed, known)
    try_known(hunt)
    try_counts(hunt)
    _run(hunt)
    hunt.witness = hunt.spare if hunt.witness is None else hunt.witness
    return result_of(hunt)


def _with_objects(claim: Claim, seed: int, effort: Effort) -> SearchResult:
    """Vectors, matrices, samples and sequences: exact points, as many as the effort asks for or as long as it lasts."""
    rng = np.random.default_rng(seed)
    stop = time.monotonic() + (effort.seconds or 0)
    seen = explore(claim, rng, POINTS.get(effort.name, A_FEW))
    while effort.seconds is not None and seen.witness is None and time.monotonic() < stop:
        seen = seen.then(explore(claim, rng, A_FEW))
    witness = seen.witness or in_one_dimension(claim, seed)
    told = seen.record()
    worst = "none" if seen.worst is None else decimal(seen.worst)
    return SearchResult(witness, worst, {}, seen.trials, seen.drawn, told["space"], told["risk"], seed)


def _run(hunt: Hunt) -> None:
    """Passes with fresh random numbers: one, or as many as the seconds of HARD allow."""
    stop = None if hunt.effort.seconds is None else time.monotonic() + hunt.effort.seconds
    passes = 0
    while hunt.witness is None:
        hunt.exact_left = hunt.effort.exact
        for _ in _one_pass(hunt, np.random.default_rng([hunt.seed, passes])):
            if hunt.witness is not None or (stop is not None and time.monotonic() > stop):
                return
        passes += 1
        if stop is None:
            return


def _one_pass(hunt: Hunt, rng: np.random.Generator) -> Iterator[None]:
    """Survey every plan, then the thin sets, then climb from the best; yields where a search may stop."""
    effort = hunt.effort
    made = sorted(plans(hunt.claim, hunt.kinds, hunt.space, rng, effort), key=lambda plan: plan.shape.bulk)
    surveys = []
    for plan in made:
        hunt.shapes[plan.shape] = None
        surveys.append(survey(plan, rng, _share(effort, plan, len(made)), hunt.known))
        hunt.draws += surveys[-1].drawn
        hunt.trials += len(surveys[-1].rows)
        _inspect(hunt, surveys[-1], rng)
        yield
    yield from _thin(hunt, rng)
    yield from _climbs(hunt, surveys, rng)


def _share(effort: Effort, plan: Plan, count: int) -> int:
    return max(FEWEST, int(effort.draws / count * min(1.0, TYPICAL_WORK / plan.work)))


def _inspect(hunt: Hunt, found: Survey, rng: np.random.Generator) -> None:
    """Exact looks at what the floats say is violated, undefined or worth a sample, and at a point that is alone."""
    if not found.plan.names and len(found.rows):
        look(hunt, found.plan, found.rows[0], 1)
    for goal, relation in enumerate(found.relations if len(found.rows) else ()):
        for i in np.flatnonzero(found.empty[goal])[:4]:
            look(hunt, found.plan, found.rows[i], 2)
        bad = np.flatnonzero(found.marks[goal] > max(threshold(relation.op), 1e-9))
        worst = bad[np.argsort(-found.marks[goal][bad], kind="stable")[:2]]
        for i in (*worst, *rng.choice(bad, size=min(3, len(bad)), replace=False)):
            look(hunt, found.plan, found.rows[i], 22)
        if relation.op in ("==", "!="):
            for i in rng.integers(len(found.rows), size=3):
                look(hunt, found.plan, found.rows[i], 1)


def _thin(hunt: Hunt, rng: np.random.Generator) -> Iterator[None]:
    for shape in list(hunt.shapes)[:THIN_SHAPES]:
        for plan in thin_plans(hunt.claim, hunt.kinds, shape, hunt.space):
            found = survey(plan, rng, 300, hunt.known)
            hunt.trials += len(found.rows)
            for row in found.rows[:6]:
                look(hunt, plan, row, 3)
            yield


def _climbs(hunt: Hunt, surveys: Sequence[Survey], rng: np.random.Generator) -> Iterator[None]:
    """For every goal the most promising plans climb; an equation does not, its gap would be climbed in float noise."""
    goals = max((len(s.relations) for s in surveys), default=0)
    for goal in range(goals):
        able = [s for s in surveys if goal < len(s.relations) and np.isfinite(s.top(goal))]
        able.sort(key=lambda s: -s.top(goal))
        for turn in range(hunt.effort.climbs if able else 0):
            found = able[turn % len(able)]
            if found.relations[goal].op not in ("==", "!=") and found.plan.names:
                _climb(hunt, found, goal, goals, found.starts(goal, hunt.effort.starts, turn // len(able), rng), rng)
            elif turn < len(able):
                _crown(hunt, found.plan, found.best(goal, 1)[0], found.top(goal))
            yield


def _crown(hunt: Hunt, plan: Plan, row: Array, score: float) -> None:
    hunt.champions.append(Champion(plan, score, dict(zip(plan.names, map(float, row), strict=True))))


def _climb(hunt: Hunt, found: Survey, goal: int, goals: int, starts: Array, rng: np.random.Generator) -> None:
    plan = found.plan
    calls = hunt.effort.calls / (goals * hunt.effort.climbs)
    rounds = int(min(hunt.effort.rounds, max(4.0, calls / plan.work)))
    done = climb(plan, goal, starts, rng, rounds)
    hunt.trials += done.trials
    for i in np.argsort(-done.scores, kind="stable")[: hunt.effort.polish]:
        done.points[i], done.scores[i], more = polish(
            plan, goal, done.points[i], done.scores[i], min(POLISH, 2 * rounds)
        )
        hunt.trials += more
    order = np.argsort(-done.scores, kind="stable")
    _crown(hunt, plan, done.points[order[0]], float(done.scores[order[0]]))
    for rank, i in enumerate(order[:3]):
        if rank == 0 or done.scores[i] > threshold(found.relations[goal].op):
            look(hunt, plan, done.points[i], 22)
