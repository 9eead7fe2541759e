"""What a search reports: the witness, or the worst point that was seen, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.points import holds, satisfies_hypotheses
from theory.search.draw import WORDS
from theory.search.exact import exact_points, refutes
from theory.search.hunt import Champion, Hunt, shrunk
from theory.search.result import SearchResult, decimal, risk_of
from theory.search.score import ratio
from theory.search.simple import total

SAME = 1e-9
WORST = 0.01
ONE_POINT = "none: there is one point, and it was evaluated exactly"
NO_VALUE = "unknown: its value at its one point could not be computed"


def result_of(hunt: Hunt) -> SearchResult:
    point, worst = _worst(hunt) if hunt.witness is None else (hunt.witness, _largest(hunt.claim, hunt.witness))
    witness = hunt.witness
    if witness is None and refutes(hunt.claim, point):
        witness = point
    words = sorted({shape.words() for shape in hunt.shapes})
    shown = "; ".join(words[:8]) + (f"; and {len(words) - 8} more" if len(words) > 8 else "")
    limits = "".join(f"; {n} in [{lo}, {hi}]" for n, (lo, hi) in sorted(hunt.space.items()))
    seen = bool(hunt.claim.variables) or witness is not None or _decided(hunt.claim)
    return SearchResult(
        witness=witness,
        worst_ratio=decimal(worst),
        worst_point=point,
        trials=hunt.trials if seen else 0,
        draws=hunt.draws,
        space=f"{WORDS}{limits}; {shown}",
        risk=risk_of(hunt.draws) if hunt.claim.variables else ONE_POINT if seen else NO_VALUE,
        seed=hunt.seed,
    )


def _decided(claim: Claim) -> bool:
    """Without a variable there is one point: was every goal seen to hold there?"""
    try:
        env = satisfies_hypotheses(claim, dict(claim.example))
        return all(holds(goal, env) for goal in claim.goals)
    except (KernelError, OverflowError):
        return False


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
        return example, _largest(hunt.claim, example)
    least = best[0] - abs(best[0]) * SAME
    _, champion, values, point = best
    mark = champion.score - 1e-8
    point = shrunk(hunt, champion.plan, values, point, lambda p: _ratio_inside(hunt.claim, p) >= least, mark, WORST)
    return point, _largest(hunt.claim, point)


def _ratio_inside(claim: Claim, point: Mapping[str, Any]) -> float:
    """The largest ratio where the point satisfies the hypotheses, else minus infinity."""
    try:
        satisfies_hypotheses(claim, point)
        worst = float(_largest(claim, point))
    except (KernelError, OverflowError):
        return -np.inf
    return worst if worst == worst else -np.inf
