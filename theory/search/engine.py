"""The refutation search: draw, climb, round, let the kernel decide, shrink."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theory.kernel.claim import Claim, Point
from theory.kernel.errors import KernelError
from theory.kernel.points import satisfies_hypotheses
from theory.search.choices import plans
from theory.search.climb import climb
from theory.search.draw import WORDS
from theory.search.exact import FAILS, exact_points, refutes
from theory.search.floats import Array
from theory.search.plan import Plan, Space
from theory.search.polish import polish
from theory.search.result import QUICK, Effort, SearchResult, decimal, risk_of
from theory.search.score import ratio, threshold
from theory.search.shapes import Kinds, Shape, kinds_of
from theory.search.shrink import Shrinker, simplify
from theory.search.simple import total
from theory.search.survey import Survey, survey
from theory.search.thin import thin_plans

FEWEST = 60
TYPICAL_WORK = 120.0
THIN_SHAPES = 2
SAME = 1e-9
POLISH = 90
WORST = 0.1


@dataclass(frozen=True)
class Champion:
    """The best point of one goal after a climb."""

    plan: Plan
    score: float
    free: dict[str, float]


@dataclass
class Hunt:
    """The state of one search: what has been tried, and the worst that was seen.

    A point at which a goal has no value is a witness to spare: one at which a goal fails says more.
    """

    claim: Claim
    kinds: Kinds
    space: Space
    effort: Effort
    seed: int
    known: list[Mapping[str, Any]]
    exact_left: float = 0.0
    trials: int = 0
    draws: int = 0
    witness: dict[str, Any] | None = None
    spare: dict[str, Any] | None = None
    champions: list[Champion] = field(default_factory=list)
    shapes: dict[Shape, None] = field(default_factory=dict)


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
    example = dict(claim.example)
    known: list[Mapping[str, Any]] = [{**example, **Point.of(hint).as_dict()} for hint in hints]
    hunt = Hunt(claim, kinds_of(claim), dict(space or {}), effort, seed, [*known, *([example] if example else [])])
    if not claim.letters:
        _try_known(hunt)
        _run(hunt)
        hunt.witness = hunt.witness or hunt.spare
    return _result(hunt)


def _try_known(hunt: Hunt) -> None:
    for point in hunt.known:
        hunt.trials += 1
        how = refutes(hunt.claim, point) if hunt.witness is None else None
        if how is not None:
            found = simplify(hunt.claim, point, hunt.effort.shrink)
            hunt.witness, hunt.spare = (found, hunt.spare) if how == FAILS else (None, found)


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
    """Exact looks at what the floats say is violated, undefined or worth a sample."""
    for goal, relation in enumerate(found.relations if len(found.rows) else ()):
        for i in np.flatnonzero(found.empty[goal])[:4]:
            _look(hunt, found.plan, found.rows[i], 2)
        order = np.argsort(-found.marks[goal], kind="stable")
        if found.marks[goal][order[0]] > max(threshold(relation.op), 1e-9):
            for i in order[:2]:
                _look(hunt, found.plan, found.rows[i], 22)
        if relation.op in ("==", "!="):
            for i in rng.integers(len(found.rows), size=3):
                _look(hunt, found.plan, found.rows[i], 1)


def _thin(hunt: Hunt, rng: np.random.Generator) -> Iterator[None]:
    for shape in list(hunt.shapes)[:THIN_SHAPES]:
        for plan in thin_plans(hunt.claim, hunt.kinds, shape, hunt.space):
            found = survey(plan, rng, 300, hunt.known)
            hunt.trials += len(found.rows)
            for row in found.rows[:6]:
                _look(hunt, plan, row, 3)
            yield


def _climbs(hunt: Hunt, surveys: Sequence[Survey], rng: np.random.Generator) -> Iterator[None]:
    """For every inequality the most promising plans climb; the gap of an equation would be climbed in float noise."""
    goals = max((len(s.relations) for s in surveys), default=0)
    for goal in range(goals):
        able = [
            s for s in surveys if goal < len(s.relations) and s.relations[goal].op not in ("==", "!=") and s.plan.names
        ]
        able = [s for s in able if np.isfinite(s.top(goal))]
        for found in sorted(able, key=lambda s: -s.top(goal))[: hunt.effort.climbs]:
            _climb(hunt, found, goal, goals, rng)
            yield


def _climb(hunt: Hunt, found: Survey, goal: int, goals: int, rng: np.random.Generator) -> None:
    plan = found.plan
    calls = hunt.effort.calls / (goals * hunt.effort.climbs)
    rounds = int(min(hunt.effort.rounds, max(4.0, calls / plan.work)))
    done = climb(plan, goal, found.best(goal, hunt.effort.starts), rng, rounds)
    hunt.trials += done.trials
    for i in np.argsort(-done.scores, kind="stable")[: hunt.effort.polish]:
        done.points[i], done.scores[i], more = polish(
            plan, goal, done.points[i], done.scores[i], min(POLISH, 2 * rounds)
        )
        hunt.trials += more
    order = np.argsort(-done.scores, kind="stable")
    best = done.points[order[0]]
    hunt.champions.append(
        Champion(plan, float(done.scores[order[0]]), dict(zip(plan.names, map(float, best), strict=True)))
    )
    for rank, i in enumerate(order[:3]):
        if rank == 0 or done.scores[i] > threshold(found.relations[goal].op):
            _look(hunt, plan, done.points[i], 22)


def _look(hunt: Hunt, plan: Plan, row: Array, most: int) -> None:
    """Exact points near a float one; the first that refutes is shrunk and kept."""
    free = dict(zip(plan.names, map(float, row), strict=True))
    for tried, (values, point) in enumerate(exact_points(plan, free)):
        price = plan.price.at(total(point))
        if hunt.exact_left < price or tried >= most or hunt.witness is not None:
            return
        hunt.exact_left -= price
        how = refutes(hunt.claim, point)
        if how == FAILS or (how is not None and hunt.spare is None):
            found = _shrunk(hunt, plan, values, point, partial(_refutes_alike, hunt.claim, how), -1e-9, 1.0)
            hunt.witness, hunt.spare = (found, hunt.spare) if how == FAILS else (None, found)


def _shrunk(
    hunt: Hunt,
    plan: Plan,
    values: Mapping[str, Fraction],
    point: dict[str, Any],
    accepts: Callable[[Mapping[str, Any]], bool],
    least: float,
    share: float,
) -> dict[str, Any]:
    budget = hunt.effort.shrink * share
    return Shrinker(hunt.claim, hunt.kinds, hunt.space, budget, accepts, least).shrink(plan, values, point)


def _refutes_alike(claim: Claim, how: str, point: Mapping[str, Any]) -> bool:
    return refutes(claim, point) == how


def _result(hunt: Hunt) -> SearchResult:
    point, worst = (hunt.witness, _largest(hunt.claim, hunt.witness)) if hunt.witness else _worst(hunt)
    words = sorted({shape.words() for shape in hunt.shapes})
    shown = "; ".join(words[:8]) + (f"; and {len(words) - 8} more" if len(words) > 8 else "")
    limits = "".join(f"; {n} in [{lo}, {hi}]" for n, (lo, hi) in sorted(hunt.space.items()))
    return SearchResult(
        witness=hunt.witness,
        worst_ratio=decimal(worst),
        worst_point=point,
        trials=hunt.trials,
        draws=hunt.draws,
        space=f"{WORDS}{limits}; {shown}",
        risk=risk_of(hunt.draws),
        seed=hunt.seed,
    )


def _largest(claim: Claim, point: Mapping[str, Any]) -> Fraction | float:
    """The largest ratio of the goals; NaN when none has a value."""
    try:
        return max((r for r in ratio(claim, point) if r == r), default=float("nan"))
    except KernelError:
        return float("nan")


def _worst(hunt: Hunt) -> tuple[dict[str, Any], Fraction | float]:
    """The champion of the largest exact ratio, as a simple point whose ratio is the same up to 1e-9."""
    best: tuple[float, Champion, dict[str, Fraction], dict[str, Any]] | None = None
    for champion in sorted(hunt.champions, key=lambda c: -c.score)[:4]:
        for values, point in exact_points(champion.plan, champion.free):
            if champion.plan.price.at(total(point)) > hunt.effort.exact / 20:
                break
            found = _ratio_inside(hunt.claim, point)
            if best is None or found > best[0] + abs(best[0]) * SAME:
                best = found, champion, values, point
    if best is None or best[0] == -np.inf:
        example = dict(hunt.claim.example)
        return example, float("nan") if hunt.claim.letters or not example else _largest(hunt.claim, example)
    least = best[0] - abs(best[0]) * SAME
    _, champion, values, point = best
    mark = champion.score - 1e-8
    point = _shrunk(hunt, champion.plan, values, point, lambda p: _ratio_inside(hunt.claim, p) >= least, mark, WORST)
    return point, _largest(hunt.claim, point)


def _ratio_inside(claim: Claim, point: Mapping[str, Any]) -> float:
    """The largest ratio where the point satisfies the hypotheses, else minus infinity."""
    try:
        satisfies_hypotheses(claim, point)
        worst = float(_largest(claim, point))
    except (KernelError, OverflowError):
        return -np.inf
    return worst if worst == worst else -np.inf
