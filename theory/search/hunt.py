"""The state of a search, and exact looks at what the floats propose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product as cartesian
from typing import Any

from theory.kernel.claim import Claim
from theory.search.exact import FAILS, exact_points, refutes
from theory.search.floats import Array
from theory.search.kinds import Kinds
from theory.search.plan import Plan, Space
from theory.search.result import Effort
from theory.search.shapes import Shape
from theory.search.shrink import Shrinker, simplify
from theory.search.simple import total

FARTHEST, GRID = 48, 600  # the largest of a few natural numbers, and how many points of them are tried


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


def try_known(hunt: Hunt) -> None:
    """The given points, and the same with another value of an integer that counts."""
    for point in [*hunt.known, *_other_integers(hunt)]:
        hunt.trials += 1
        how = refutes(hunt.claim, point) if hunt.witness is None else None
        if how == FAILS or (how is not None and hunt.spare is None):
            found = simplify(hunt.claim, point, hunt.effort.shrink)
            hunt.witness, hunt.spare = (found, hunt.spare) if how == FAILS else (None, found)


def try_counts(hunt: Hunt) -> None:
    """Of a claim about natural numbers alone, the first points: the fewer names, the further they reach."""
    names = hunt.claim.variables if set(hunt.claim.variables) <= set(hunt.claim.naturals) else ()
    reach = min(FARTHEST, int(GRID ** (1 / len(names)))) if names and hunt.witness is None else 0
    for values in sorted(cartesian(range(reach), repeat=len(names)), key=sum) if reach else ():
        point = {name: str(value) for name, value in zip(names, values, strict=True)}
        hunt.trials += 1
        if refutes(hunt.claim, point) == FAILS:
            hunt.witness = point
            return


def _other_integers(hunt: Hunt) -> Iterator[dict[str, Any]]:
    """Neighbours of the given points: the end of a range, say T/2, need not be an integer at the next T."""
    for point in hunt.known[-1:]:
        for name in hunt.kinds.counting:
            value = int(Fraction(str(point.get(name, 0))))
            for other in sorted({0, 1, 2, 3, value + 1, max(value - 1, 0)} - {value}):
                if name in point and other <= value + 1:
                    yield {**point, name: str(other)}


def look(hunt: Hunt, plan: Plan, row: Array, most: int) -> None:
    """Exact points near a float one; the first that refutes is shrunk and kept."""
    free = dict(zip(plan.names, map(float, row), strict=True))
    for tried, (values, point) in enumerate(exact_points(plan, free)):
        price = plan.price.at(total(point))
        if hunt.exact_left < price or tried >= most or hunt.witness is not None:
            return
        hunt.exact_left -= price
        how = refutes(hunt.claim, point)
        if how == FAILS or (how is not None and hunt.spare is None):
            found = shrunk(hunt, plan, values, point, partial(_refutes_alike, hunt.claim, how), -1e-9, 1.0)
            hunt.witness, hunt.spare = (found, hunt.spare) if how == FAILS else (None, found)


def shrunk(
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
