"""The refutation search: draw, climb, round, let the kernel decide, shrink."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from theory.kernel.claim import Claim, Point
from theory.kernel.errors import KernelError
from theory.kernel.points import satisfies_hypotheses
from theory.search.climb import as_rows, climb
from theory.search.draw import WORDS, draw
from theory.search.exact import exact_points, refutes
from theory.search.floats import Array
from theory.search.plan import Plan, Space, plan_for
from theory.search.result import QUICK, Effort, SearchResult, decimal, risk_of
from theory.search.score import has_no_value, ratio, threshold, violation
from theory.search.shapes import Kinds, Shape, TooLarge, kinds_of, shape_of
from theory.search.shrink import shrink

LADDER = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 32, 50, 64, 100, 150, 250, 500, 1000)
POINTS = (1, 2, 3, 4)


@dataclass
class Champion:
    """The best point so far for one goal of one plan."""

    plan: Plan
    goal: int
    score: float
    free: dict[str, float]


@dataclass
class Hunt:
    """The state of one search: what has been tried, and the worst that was seen."""

    claim: Claim
    seed: int
    effort: Effort
    trials: int = 0
    draws: int = 0
    exact_left: int = 0
    witness: dict[str, Any] | None = None
    champions: list[Champion] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)


def search(
    claim: Claim,
    *,
    seed: int = 0,
    effort: Effort = QUICK,
    space: Mapping[str, tuple[Fraction, Fraction]] | None = None,
    hints: Sequence[Mapping[str, Fraction]] = (),
) -> SearchResult:
    """Look for an exact point that satisfies the hypotheses and refutes a goal."""
    hunt = Hunt(claim, seed, effort, exact_left=effort.exact)
    if claim.letters:
        return _result(hunt, space or {})
    _try_hints(hunt, hints)
    started = time.monotonic()
    repeat = 0
    while hunt.witness is None:
        _one_pass(hunt, space or {}, np.random.default_rng([seed, repeat]), started)
        repeat += 1
        hunt.exact_left = effort.exact
        if effort.seconds is None or time.monotonic() - started > effort.seconds:
            break
    return _result(hunt, space or {})


def _try_hints(hunt: Hunt, hints: Sequence[Mapping[str, Any]]) -> None:
    example = dict(hunt.claim.example)
    for hint in hints:
        point = {**example, **Point.of(hint).as_dict()}
        hunt.trials += 1
        if refutes(hunt.claim, point):
            hunt.witness = point
            return


def _one_pass(hunt: Hunt, space: Space, rng: np.random.Generator, started: float) -> None:
    kinds = kinds_of(hunt.claim)
    plans = list(_plans(hunt, kinds, space, rng))
    if not plans:
        return
    share = max(200, hunt.effort.draws // len(plans))
    for plan in plans:
        if hunt.effort.seconds is not None and hunt.trials and time.monotonic() - started > hunt.effort.seconds:
            return
        _explore(hunt, plan, rng, share)
        if hunt.witness is not None:
            return


def _plans(hunt: Hunt, kinds: Kinds, space: Space, rng: np.random.Generator) -> Iterator[Plan]:
    """Plans of small shapes first, then of random larger ones."""
    seen: set[Shape] = set()
    made = 0
    for integers, points in _choices(hunt.claim, kinds, space, rng):
        try:
            shape = shape_of(hunt.claim, kinds, integers, points)
            if shape in seen:
                continue
            seen.add(shape)
            plan = plan_for(hunt.claim, kinds, shape, space)
        except TooLarge:
            continue
        if plan is not None:
            made += 1
            hunt.shapes.append(shape)
            yield plan
        if made >= hunt.effort.shapes:
            return


def _choices(
    claim: Claim, kinds: Kinds, space: Space, rng: np.random.Generator
) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    if not kinds.counting and not kinds.spaces:
        yield {}, {}
        return
    names, spaces = kinds.counting, kinds.spaces
    example = dict(claim.example)
    own = {n: int(Fraction(str(example[n]))) for n in names if n in example}
    if len(own) == len(names):
        for points in POINTS[1:3] if spaces else POINTS[:1]:
            yield own, dict.fromkeys(spaces, points)
    small = sorted(product(range(6), repeat=min(len(names), 3)), key=lambda t: (max(t, default=0), sum(t)))
    for values in small if len(names) <= 3 else ():
        for points in (2, 3) if spaces else (1,):
            if _in_space(dict(zip(names, values, strict=True)), space) and rng.random() < 0.5:
                yield dict(zip(names, values, strict=True)), dict.fromkeys(spaces, points)
    for _ in range(400):
        values = tuple(int(v) for v in rng.choice(LADDER, len(names)))
        picked = {n: (own[n] if n in own and rng.random() < 0.3 else v) for n, v in zip(names, values, strict=True)}
        if _in_space(picked, space):
            yield picked, {w: int(rng.choice(POINTS)) for w in spaces}


def _in_space(values: Mapping[str, int], space: Space) -> bool:
    return all(n not in space or space[n][0] <= v <= space[n][1] for n, v in values.items())


def _explore(hunt: Hunt, plan: Plan, rng: np.random.Generator, share: int) -> None:
    """One shape: draws, climbs, exact looks."""
    rows = as_rows(plan, draw(plan, rng, share)) if plan.names else np.zeros((1, 0))
    values = plan.complete({name: rows[:, i] for i, name in enumerate(plan.names)})
    fine = plan.allowed(values, len(rows)) if plan.names else np.ones(1, dtype=bool)
    kept = int(fine.sum())
    hunt.draws += kept
    hunt.trials += kept
    if not kept:
        return
    for goal, (op, left, right, size) in enumerate(plan.goals(values, len(rows))):
        marks = violation(op, left, right, size)
        empty = has_no_value(left, right) & fine
        for i in np.flatnonzero(empty)[:4]:
            if _look(hunt, plan, rows[i], 2):
                return
        marks = np.where(fine & ~np.isnan(marks), marks, -np.inf)
        top = np.argsort(-marks, kind="stable")[: hunt.effort.starts]
        top = top[np.isfinite(marks[top])]
        if not len(top):
            continue
        if marks[top[0]] > max(threshold(op), 1e-6) and _look(hunt, plan, rows[top[0]], 11):
            return
        done = climb(plan, goal, rows[top], rng, hunt.effort.rounds)
        hunt.trials += done.trials
        _crown(hunt, plan, goal, done.points, done.scores)
        for i in np.argsort(-done.scores, kind="stable")[:3]:
            if done.scores[i] > threshold(op) and _look(hunt, plan, done.points[i], 22):
                return


def _crown(hunt: Hunt, plan: Plan, goal: int, points: Array, scores: Array) -> None:
    best = int(np.argmax(scores))
    free = {name: float(points[best, i]) for i, name in enumerate(plan.names)}
    hunt.champions.append(Champion(plan, goal, float(scores[best]), free))


def _look(hunt: Hunt, plan: Plan, row: Array, most: int) -> bool:
    """Exact points near a float one; the first that refutes is shrunk and kept."""
    free = {name: float(row[i]) for i, name in enumerate(plan.names)}
    for tried, (values, point) in enumerate(exact_points(plan, free)):
        if hunt.exact_left <= 0 or tried >= most:
            return False
        hunt.exact_left -= 1
        if refutes(hunt.claim, point):
            hunt.witness = shrink(plan, values, point, hunt.effort.shrink)
            return True
    return False


def _result(hunt: Hunt, space: Space) -> SearchResult:
    point, worst = (hunt.witness, _largest(hunt.claim, hunt.witness)) if hunt.witness else _worst(hunt)
    shapes = sorted({s.words() for s in hunt.shapes})
    shown = "; ".join(shapes[:8]) + (f"; and {len(shapes) - 8} more" if len(shapes) > 8 else "")
    limits = "".join(f"; {n} in [{lo}, {hi}]" for n, (lo, hi) in sorted(space.items()))
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
    try:
        found = [r for r in ratio(claim, point) if r == r]
    except KernelError:
        found = []
    return max(found, default=float("nan"))


def _worst(hunt: Hunt) -> tuple[dict[str, Any], Fraction | float]:
    """The worst exact point: the champions rounded, the largest exact ratio."""
    best: tuple[dict[str, Any], Fraction | float] | None = None
    for champion in sorted(hunt.champions, key=lambda c: -c.score)[:4]:
        for _, point in list(exact_points(champion.plan, champion.free))[-4:]:
            try:
                satisfies_hypotheses(hunt.claim, point)
            except KernelError:
                continue
            worst = _largest(hunt.claim, point)
            if best is None or worst > best[1]:
                best = point, worst
    if best is None:
        example = dict(hunt.claim.example)
        return example, float("nan") if hunt.claim.letters else _largest(hunt.claim, example)
    return best
