"""Ratios of a claim at points that satisfy its hypotheses: drawn, climbed, and at the witness that refutes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from theory.claims.statement import Check
from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.points import environment, satisfies_hypotheses
from theory.kernel.rings import Exact, Inexact, to_fraction
from theory.ratios.orders import ORDERS, order_quotient
from theory.ratios.result import Reading
from theory.ratios.sides import AT_ONE, BOUNDS, exact_quotient, quotients, with_digits
from theory.search import sampling
from theory.search.choices import plans
from theory.search.climb import climb
from theory.search.exact import FAILS, exact_points, refutes
from theory.search.floats import Array
from theory.search.kinds import kinds_of
from theory.search.plan import Plan
from theory.search.result import Effort
from theory.search.survey import survey

LOOK = Effort(
    "look", shapes=4, variants=1, draws=3_000, climbs=1, starts=6, rounds=20, polish=0, calls=2_000, exact=20_000,
    shrink=0, work=3_000, slots=12, symbols=600,
)  # fmt: skip
EXACT_POINTS = 10  # wanted for claims with matrices, samples and sequences
EXACT_DRAWS = 40  # tried at most; no more than wanted for recursions, all paths of which cost the most


@dataclass(frozen=True)
class Seen:
    """Ratios at points with the point of the worst, of one goal."""

    op: str
    ratios: Array
    worst: float
    where: str
    witness: dict[str, Any] | None = None


def at_points(check: Check, seed: int, witness: Mapping[str, Any] | None = None) -> Reading:
    """The reading of one check at admissible points; it says so where there is no data."""
    claim, op = check.claim, op_of(check.claim)
    blank = Reading(check.key, check.kind.value, "points", op)
    if check.experiment is not None:
        return replace(blank, missing="no claim about every point: it is for designs to measure")
    if check.argument:
        return replace(blank, missing="at points it compares what the proof has in hand, not the truth, with the bound")
    seen = list(_seen(claim, op, seed, check.space))
    found = [one for one in seen if len(one.ratios)]
    reading = _of(blank, found) if found else replace(blank, missing=_reason(claim, op))
    refuting = witness or next((one.witness for one in found if one.witness), None)
    return reading if refuting is None else _with_witness(reading, claim, refuting)


def op_of(claim: Claim) -> str:
    """The sign of the first bound, else of the first order of matrices; "==" for an identity; "" for neither."""
    found = [goal.op for goal in claim.goals]
    return next((op for signs in (BOUNDS, ORDERS, ("==",)) for op in found if op in signs), "")


def _wanted(claim: Claim, op: str) -> list[int]:
    same = BOUNDS if op in BOUNDS else ORDERS if op in ORDERS else (op,)
    return [i for i, goal in enumerate(claim.goals) if goal.op in same]


def _reason(claim: Claim, op: str) -> str:
    zero = [g for g in claim.goals if g.op in BOUNDS and 0 in (_constant(g.left), _constant(g.right))]
    if op in BOUNDS and len(zero) == len([g for g in claim.goals if g.op in BOUNDS]):
        return "compared with zero: there is no ratio"
    if op == "":
        return "neither a bound nor an identity: there is no ratio"
    return "no drawn point satisfies the hypotheses with a positive bound and values on both sides"


def _constant(node: Any) -> Fraction | None:
    return Fraction(node.value) if node.op == "num" else None


def _of(blank: Reading, found: list[Seen]) -> Reading:
    pool = np.concatenate([one.ratios for one in found])
    worst = max(found, key=lambda one: float(_distance(one.op, np.array(one.worst))))
    return replace(
        blank, trials=len(pool), median=float(np.median(pool)), worst=worst.worst, where=worst.where,
        fails=any(one.witness for one in found),
    )  # fmt: skip


def _seen(claim: Claim, op: str, seed: int, space: Any) -> Iterator[Seen]:
    if not claim.kinds:
        limits = {name: (Fraction(lo), Fraction(hi)) for name, (lo, hi) in space}
        rng = np.random.default_rng([seed, 11])
        made = list(plans(claim, kinds_of(claim), limits, rng, LOOK))
        found = [one for plan in made for one in _in_plan(claim, op, plan, rng, len(made))]
        yield from found
        if found:
            return
    yield from _exact(claim, op, seed)


def _in_plan(claim: Claim, op: str, plan: Plan, rng: np.random.Generator, count: int) -> Iterator[Seen]:
    """Drawn points and those that climbs from the best of them reach, with the worst of their relations."""
    draws = max(80, int(LOOK.draws / count * min(1.0, 120.0 / plan.work)))
    found = survey(plan, rng, draws, [dict(claim.example)])
    goals = [i for i, r in enumerate(found.relations) if r.op in (BOUNDS if op in BOUNDS else (op,))]
    if not len(found.rows) or not goals:
        return
    rows = [found.rows]
    for goal in goals if op != "==" and plan.names else ():
        if np.isfinite(found.top(goal)):
            rounds = int(min(LOOK.rounds, max(4.0, LOOK.calls / plan.work)))
            rows.append(climb(plan, goal, found.best(goal, LOOK.starts), rng, rounds).points)
    yield from _marked(claim, op, plan, goals, np.concatenate(rows))


def _marked(claim: Claim, op: str, plan: Plan, goals: list[int], rows: Array) -> Iterator[Seen]:
    ratios = _worst_of_goals(op, plan, goals, rows)
    bad = ratios != 1 if op == "==" else ratios > 1
    order = np.argsort(-_distance(op, ratios), kind="stable")
    order = order[~np.isnan(ratios[order])]
    witness = _witness(claim, plan, rows[order[0]]) if len(order) and bad[order[0]] else None
    if witness is None:  # floats propose; what the kernel does not refute is not shown as a failure
        order = order[~bad[order]]
    if len(order):
        exact = None if witness is None else exact_worst(claim, witness)
        where = _words(plan, rows[order[0]]) if exact is None or witness is None else point_words(witness)
        yield Seen(op, ratios[order], float(ratios[order[0]]) if exact is None else exact, where, witness)


def _worst_of_goals(op: str, plan: Plan, goals: list[int], rows: Array) -> Array:
    values = plan.complete(rows)
    inside = plan.allowed(values, len(rows))
    worst = np.full(len(rows), np.nan)
    for goal in goals:
        relation, left, right, size = plan.sides(values, len(rows), goal)[0]
        ratios = quotients(relation.op, left, with_digits(left, right, size))
        ratios = np.where(np.abs(ratios - 1) < AT_ONE, 1.0, np.where(inside, ratios, np.nan))
        more = np.isnan(worst) | (_distance(op, ratios) > _distance(op, worst))
        worst = np.where(more & ~np.isnan(ratios), ratios, worst)
    return worst


def _distance(op: str, ratios: Array) -> Array:
    """How bad: of a bound the ratio, of an identity its distance from 1."""
    return np.abs(ratios - 1) if op == "==" else ratios


def _witness(claim: Claim, plan: Plan, row: Array) -> dict[str, Any] | None:
    free = dict(zip(plan.names, map(float, row), strict=True))
    for tried, (_, point) in enumerate(exact_points(plan, free)):
        if tried >= 12:
            return None
        if refutes(claim, point) == FAILS:
            return point
    return None


def _words(plan: Plan, row: Array) -> str:
    counts = [f"{name} = {value}" for name, value in plan.shape.integers]
    numbers = [f"{name} = {value + 0.0:.3g}" for name, value in zip(plan.names, row, strict=True)]
    return ", ".join([*counts, *numbers][:8]) + (", …" if len(counts) + len(numbers) > 8 else "")


def _exact(claim: Claim, op: str, seed: int) -> Iterator[Seen]:
    """At the point that is stored with the claim, and at drawn ones until enough of them say something."""
    rng = np.random.default_rng([seed, 12])
    drawn = (sampling.draw(claim, rng) for _ in range(EXACT_POINTS if claim.steps else EXACT_DRAWS))
    telling = 0
    for point in chain([dict(claim.example)], (one for one in drawn if one is not None)):
        found = list(_at_exact(claim, op, point))
        yield from found
        telling += bool(found)
        if telling > EXACT_POINTS:
            return


def _at_exact(claim: Claim, op: str, point: dict[str, Any]) -> Iterator[Seen]:
    for goal in _wanted(claim, op):
        ratio = _exact_ratio(claim, goal, point)
        if ratio is not None:
            held = len(claim.goals) == 1 and (ratio == 1 if op == "==" else ratio <= 1)
            bad = not held and refutes(claim, point) == FAILS  # another relation may fail here
            yield Seen(op, np.array([float(ratio)]), float(ratio), point_words(point), point if bad else None)


def _exact_ratio(claim: Claim, goal: int, point: Mapping[str, Any]) -> Fraction | float | None:
    relation = claim.goals[goal]
    if relation.binder is not None:
        return None
    try:
        env = satisfies_hypotheses(claim, point)
        left, right = (evaluate(side, env, Exact()) for side in (relation.left, relation.right))
    except (KernelError, Inexact, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError):
        return None  # RecursionError: a recursion that is too long to run exactly, such as T = 2000 at an example
    if relation.op not in ORDERS and (isinstance(left, Mat) or isinstance(right, Mat)):
        return Fraction(1) if relation.op == "==" and left == right and _nonzero(right) else None
    return _quotient(relation.op, left, right)


def _quotient(op: str, left: Any, right: Any) -> Fraction | float | None:
    """Of two numbers exactly, of two matrices the largest eigenvalue of one in units of the other."""
    if op in ORDERS:
        return order_quotient(op, left, right)
    return exact_quotient(op, to_fraction(left), to_fraction(right))


def _nonzero(value: Any) -> bool:
    return any(x != 0 for row in value.rows for x in row) if isinstance(value, Mat) else value != 0


def _with_witness(reading: Reading, claim: Claim, point: Mapping[str, Any]) -> Reading:
    """The witness beside the values; only where its sides have a ratio does it have one."""
    worst = exact_worst(claim, point)
    where = point_words(point) if worst is not None and worst >= (reading.worst or 0.0) else reading.where
    return replace(reading, fails=True, witness=dict(point), at_witness=worst, where=where or point_words(point))


def exact_worst(claim: Claim, point: Mapping[str, Any]) -> float | None:
    """The largest ratio of the relations that fail at a witness; None where none of them has a ratio."""
    values: list[Fraction | float] = []
    try:
        env = environment(point, claim)
        for goal in claim.goals:
            if goal.binder is None:
                left, right = (evaluate(side, env, Exact()) for side in (goal.left, goal.right))
                if goal.op in ORDERS or not (isinstance(left, Mat) or isinstance(right, Mat)):
                    one = _quotient(goal.op, left, right)
                    values += [] if one is None or (goal.op != "==" and one <= 1) or one == 1 else [one]
        return float(max(values)) if values else None
    except (KernelError, Inexact, ArithmeticError, LookupError, TypeError, AttributeError):
        return None


def point_words(point: Mapping[str, Any]) -> str:
    parts = [f"{name} = {_short(value)}" for name, value in point.items()]
    return ", ".join(parts[:8]) + (", …" if len(parts) > 8 else "")


def _short(value: Any) -> str:
    written = str(value).replace("'", "")
    return written if len(written) <= 24 else f"{written[:22]}…"
