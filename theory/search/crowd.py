"""Points for a property: many, in batches, at which both sides of an inequality have values that are not zero.

Hypothesis draws exact points one by one, each with care and at a price. A crowd is drawn in floats, every decade and
the edges of every hypothesis included; what looks violated there is rounded and given to the kernel. `Seen` says how
many points counted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import num
from theory.kernel.points import satisfies_hypotheses
from theory.kernel.rings import Exact
from theory.search import sampling
from theory.search.exact import exact_points, refutes
from theory.search.floats import Array
from theory.search.plan import Plan
from theory.search.score import threshold
from theory.search.survey import Survey, survey

FEW = "few_points.toml"
ENOUGH, ROUNDS, DRAWS, TRIES = 100, 6, 200, 20
ORDERED = ("<=", "<", ">=", ">")
ZERO = num(0)


@dataclass
class Seen:
    """What a property looked at.

    useful     different points at which both sides of an inequality have values and are not zero; the number zero that
               an inequality is printed with counts as no side
    all        points of the region at all
    zero       of them those at which a side vanishes, `none` those at which a side has no value
    """

    useful: int = 0
    all: int = 0
    zero: int = 0
    none: int = 0
    witness: dict[str, Any] | None = None
    rows: set[bytes] = field(default_factory=set, repr=False)

    @property
    def reason(self) -> str:
        """Why there are fewer than enough, "" when there are enough."""
        if self.useful >= ENOUGH:
            return ""
        if not self.all:
            return "no point but the example was found to satisfy the hypotheses"
        if self.none > self.zero and self.none > self.useful:
            return f"a side has no value at {self.none} of {self.all} points"
        if self.zero > self.useful:
            return f"a side is zero at {self.zero} of {self.all} points"
        return f"the hypotheses leave {self.all} different points in {ROUNDS} rounds of draws"


def few_points(root: Path) -> dict[str, str]:
    """The claims of a paper for which fewer points are known to be found, and why: few_points.toml in its folder."""
    path = root / FEW
    return {key: str(why) for key, why in tomllib.loads(path.read_text("utf-8")).items()} if path.is_file() else {}


def crowd(claim: Claim, plans: list[Plan], rng: np.random.Generator, wanted: int = ENOUGH) -> Seen:
    """Draw until enough points count, or the rounds are over; stop at a point that refutes."""
    seen = Seen()
    for _ in range(ROUNDS):
        for plan in plans:
            found = survey(plan, rng, DRAWS, [dict(claim.example)])
            seen.witness = _count(claim, found, seen)
            if seen.witness is not None or seen.useful >= wanted:
                return seen
    if sampling.is_for(claim):
        _exactly(claim, rng, seen, wanted)
    return seen


def _count(claim: Claim, found: Survey, seen: Seen) -> dict[str, Any] | None:
    """Add the new rows of a survey to what was seen; a point that refutes the claim, when there is one."""
    if not len(found.rows):
        return None
    counts = np.zeros(len(found.rows), dtype=bool)
    zero, none = counts.copy(), counts.copy()
    for goal, left, right, _ in found.plan.sides(found.plan.complete(found.rows), len(found.rows)):
        if goal.op in ORDERED:
            value = np.isfinite(left) & np.isfinite(right)
            empty = [side == 0 for node, side in ((goal.left, left), (goal.right, right)) if node != ZERO]
            hollow = np.logical_or.reduce(empty) if empty else np.ones(len(found.rows), dtype=bool)
            counts |= value & ~hollow
            zero |= value & hollow
            none |= ~value
    for i, row in enumerate(found.rows):
        key = row.tobytes() + str(found.plan.shape.integers).encode()
        if key not in seen.rows:
            seen.rows.add(key)
            seen.all += 1
            seen.useful += bool(counts[i])
            seen.zero += bool(zero[i] and not counts[i])
            seen.none += bool(none[i] and not counts[i])
    return next(_violations(claim, found), None)


def _violations(claim: Claim, found: Survey) -> Iterator[dict[str, Any]]:
    for goal, relation in enumerate(found.relations):
        bad = np.flatnonzero(found.marks[goal] > max(threshold(relation.op), 1e-9))
        for i in bad[np.argsort(-found.marks[goal][bad], kind="stable")[:2]]:
            yield from _refuting(claim, found.plan, found.rows[i])


def _refuting(claim: Claim, plan: Plan, row: Array) -> Iterator[dict[str, Any]]:
    free = dict(zip(plan.names, map(float, row), strict=True))
    for _, point in islice(exact_points(plan, free), 6):
        if refutes(claim, point):
            yield point


def _exactly(claim: Claim, rng: np.random.Generator, seen: Seen, wanted: int) -> None:
    """Letters, samples and sequences are drawn exactly: matrices of rationals and finite spaces."""
    keys: set[str] = set()
    for tried in range(TRIES * wanted):
        if tried > 2 * wanted and not keys:
            return
        point = sampling.draw(claim, rng)
        if point is None or str(point) in keys:
            continue
        keys.add(str(point))
        seen.all += 1
        state = _state(claim, point)
        seen.useful += state == "useful"
        seen.zero += state == "zero"
        seen.none += state == "none"
        if refutes(claim, point):
            seen.witness = point
        if seen.witness is not None or seen.useful >= wanted:
            return


def _state(claim: Claim, point: Mapping[str, Any]) -> str:
    """useful, zero or none: the best of the goals at an exact point."""
    found = "none"
    try:
        env = satisfies_hypotheses(claim, point)
    except sampling.CANNOT:
        return found
    for goal in (one for one in claim.goals if one.op in (*ORDERED, "<<", ">>")):
        try:
            sides = [evaluate(side, env, Exact()) for side in (goal.left, goal.right) if side != ZERO]
        except sampling.CANNOT:
            continue
        if all(isinstance(side, Mat) or side != 0 for side in sides):
            return "useful"
        found = "zero"
    return found
