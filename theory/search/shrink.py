"""Make a witness small enough to be checked by hand: fewer indices, smaller integers, simpler numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.rings import to_fmpq
from theory.search.exact import exact_interval, exact_point, refutes
from theory.search.floats import to_float
from theory.search.kinds import Kinds, kinds_of
from theory.search.plan import Plan, Space, plans_for
from theory.search.score import violation
from theory.search.shapes import Shape, TooLarge, shape_of
from theory.search.simple import complexity, simplest_between, total
from theory.search.slots import point_of, slots_of

SMALL = tuple(
    map(Fraction, ("0", "1", "2", "1/2", "-1", "3", "1/3", "1/4", "4", "10", "1/10", "-2", "-1/2", "100", "1/100"))
)
WIDTHS = tuple(map(Fraction, ("1/2", "1/5", "1/20", "1/100", "1/1000", "1/100000", "1/10000000")))
OFFER = 10.0


@dataclass
class Shrinker:
    """One point on its way down as long as it is accepted.

    budget   what exact evaluations may still cost
    accepts  the exact decision
    least    the mark below which floats may rule a point out before it is evaluated exactly
    """

    claim: Claim
    kinds: Kinds
    space: Space
    budget: float
    accepts: Callable[[Mapping[str, Any]], bool]
    least: float

    def shrink(self, plan: Plan, free: Mapping[str, Fraction], point: dict[str, Any]) -> dict[str, Any]:
        """The simplest point that the budget finds from this one."""
        plan, free, point = self._smaller_shape(plan, dict(free), point)
        free, point = self._simpler_numbers(plan, free, point)
        plan, free, point = self._smaller_shape(plan, free, point)
        return self._simpler_numbers(plan, free, point)[1]

    def _accepts(self, plan: Plan, point: Mapping[str, Any]) -> bool:
        self.budget -= plan.price.at(total(point))
        return self.accepts(point)

    def _simpler_numbers(
        self, plan: Plan, free: dict[str, Fraction], point: dict[str, Any]
    ) -> tuple[dict[str, Fraction], dict[str, Any]]:
        """The simplest accepted offer, again and again; moves of two numbers only when no single one helps."""
        stage = 0
        stages = (single_moves, double_moves) if plan.names else ()
        while stage < len(stages) and self.budget > 0:
            better = self._best(plan, list(stages[stage](plan, free)), total(point))
            if better is None:
                stage += 1
            else:
                (free, point), stage = better, 0
        return free, point

    def _best(
        self, plan: Plan, offers: list[dict[str, Fraction]], cost: int
    ) -> tuple[dict[str, Fraction], dict[str, Any]] | None:
        self.budget -= (OFFER + plan.bulk) * len(offers)
        found: list[tuple[int, int, dict[str, Fraction], dict[str, Any]]] = []
        for offer in self._plausible(plan, offers):
            candidate = exact_point(plan, offer)
            if candidate is not None and total(candidate) < cost:
                found.append((total(candidate), len(found), offer, candidate))
        for _, _, offer, candidate in sorted(found, key=lambda f: f[:2]):
            if self.budget <= 0:
                return None
            if self._accepts(plan, candidate):
                return offer, candidate
        return None

    def _plausible(self, plan: Plan, offers: list[dict[str, Fraction]]) -> list[dict[str, Fraction]]:
        """What the floats do not rule out."""
        if not offers:
            return []
        rows = np.array([[to_float(offer[name]) for name in plan.names] for offer in offers])
        values = plan.complete(rows)
        keep = np.zeros(len(rows), dtype=bool)
        for goal, left, right, size in plan.sides(values, len(rows)):
            mark = violation(goal, left, right, size)
            keep |= np.isnan(mark) | (mark >= self.least)
        keep &= plan.allowed(values, len(rows), slack=1e-9)
        return [offer for offer, fine in zip(offers, keep, strict=True) if fine]

    def _smaller_shape(
        self, plan: Plan, free: dict[str, Fraction], point: dict[str, Any]
    ) -> tuple[Plan, dict[str, Fraction], dict[str, Any]]:
        improved = True
        while improved and self.budget > 0:
            improved = False
            for shape, candidate in _smaller_points(self.claim, self.kinds, plan.shape, point):
                if self.budget <= 0 or not self._accepts(plan, candidate):
                    continue
                found = self.replanned(shape, candidate)
                if found is not None:
                    (plan, free), point, improved = found, candidate, True
                    break
        return plan, free, point

    def replanned(self, shape: Shape, point: Mapping[str, Any]) -> tuple[Plan, dict[str, Fraction]] | None:
        plan = next(plans_for(self.claim, self.kinds, shape, self.space), None)
        slots = slots_of(shape, point)
        if plan is None or slots is None:
            return None
        free = {name: value for name in plan.names if isinstance(value := slots[name], Fraction)}
        return (plan, free) if len(free) == len(plan.names) else None


def simplify(claim: Claim, witness: Mapping[str, Any], budget: float = 100_000.0) -> dict[str, Any]:
    """A simpler witness than a given one, from wherever it came; the same one when it refutes nothing."""
    kinds = kinds_of(claim)
    point = dict(witness)
    sizes = {w: len(point[f"p_{w}"]) for w in kinds.spaces if isinstance(point.get(f"p_{w}"), list)}
    try:
        integers = {n: int(Fraction(point[n])) for n in kinds.counting}
        shape = shape_of(claim, kinds, integers, sizes)
        how = refutes(claim, point)
        shrinker = Shrinker(claim, kinds, {}, budget, lambda p: refutes(claim, p) == how, -1e-9)
        found = shrinker.replanned(shape, point)
    except (TooLarge, KeyError):
        return point
    if found is None or how is None:
        return point
    return shrinker.shrink(found[0], found[1], point)


def _smaller_points(
    claim: Claim, kinds: Kinds, shape: Shape, point: Mapping[str, Any]
) -> Iterator[tuple[Shape, dict[str, Any]]]:
    """The same numbers with a smaller integer, or with one index or one point of a space left out."""
    integers, spaces = dict(shape.integers), dict(shape.spaces)
    for name, value in integers.items():
        for less in sorted({0, 1, 2, 3, value // 2, value - 2, value - 1}):
            if 0 <= less < value:
                yield from _cut(claim, kinds, {**integers, name: less}, spaces, shape, point)
    for space, count in spaces.items():
        if count > 1:
            yield from _cut(claim, kinds, integers, {**spaces, space: count - 1}, shape, point)


def _cut(
    claim: Claim, kinds: Kinds, integers: dict[str, int], spaces: dict[str, int], old: Shape, point: Mapping[str, Any]
) -> Iterator[tuple[Shape, dict[str, Any]]]:
    try:
        shape = shape_of(claim, kinds, integers, spaces)
    except (TooLarge, KernelError):
        return
    before = dict(old.families)
    lost = max((before[n][0] - rows for n, (rows, _) in shape.families), default=0)
    tallest = max((rows for rows, _ in before.values()), default=0)
    for drop in range(tallest, 0, -1) if lost == 1 else (tallest + 1,):
        for heir in (None, *range(tallest - 1)) if lost == 1 and spaces else (None,):
            smaller = dict(point)
            for name, (rows, _) in shape.families:
                kept = [v for i, v in enumerate(point[name], start=1) if i != drop or before[name][0] == rows]
                smaller[name] = _weights(kept[:rows], heir) if name.startswith("p_") else kept[:rows]
            slots = slots_of(shape, smaller)
            if slots is not None:
                yield shape, point_of(shape, slots)


def _weights(kept: list[Any], heir: int | None) -> list[Any]:
    """Weights that add up to one again: all scaled, or what is missing given to one point, as to an equal one."""
    if heir is None or heir >= len(kept):
        return _renormalised(kept)
    missing = 1 - sum(map(Fraction, kept), Fraction(0))
    return [str(Fraction(w) + missing) if i == heir else w for i, w in enumerate(kept)]


def _renormalised(weights: list[Any]) -> list[Any]:
    left = sum(map(Fraction, weights), Fraction(0))
    return [str(Fraction(w) / left) for w in weights] if left else weights


@lru_cache(maxsize=20_000)
def simpler(value: Fraction) -> tuple[Fraction, ...]:
    """Simpler numbers, near ones included, the simplest first."""
    near = [simplest_between(value - abs(value) * w, value + abs(value) * w) for w in WIDTHS]
    whole = [Fraction(round(value)), Fraction(int(value))]
    tens = [Fraction(10) ** k for k in _decades(value)]
    found = {v for v in (*SMALL, *near, *whole, *tens, *(-t for t in tens)) if complexity(v) < complexity(value)}
    return tuple(sorted(found, key=lambda v: (complexity(v), abs(v - value))))


def _decades(value: Fraction) -> tuple[int, ...]:
    if value == 0:
        return ()
    size = len(str(abs(value.numerator))) - len(str(value.denominator))
    return (size - 1, size, size + 1)


def single_moves(plan: Plan, current: Mapping[str, Fraction]) -> Iterator[dict[str, Fraction]]:
    """Numbers that are equal made simpler together; all scaled alike; one number simpler or at an edge.

    The others are kept, those at an edge of their interval at that edge.
    """
    edges = _edges(plan, current)
    for value in dict.fromkeys(current.values()):
        equal = [n for n in plan.names if current[n] == value]
        for new in simpler(value):
            yield _moved(plan, current, dict.fromkeys(equal, new), edges)
            if len(equal) > 1:
                yield from (_moved(plan, current, {name: new}, edges) for name in equal)
    for group in _groups(plan):
        for new in SMALL[:2]:
            yield _moved(plan, current, dict.fromkeys(group, new), edges)
    for value in dict.fromkeys(abs(v) for v in current.values() if v not in (0, 1, -1)):
        yield _moved(plan, current, {n: v / value for n, v in current.items() if n not in edges}, edges)
        yield {n: v / value for n, v in current.items()}
    for name in plan.names:
        yield from (_moved(plan, current, {}, {**edges, name: side}) for side in ("low", "high"))


def _groups(plan: Plan) -> list[list[str]]:
    """The entries of each family, and the entries of all families at each index."""
    found: dict[str, list[str]] = {}
    for name in plan.names:
        family, _, index = name.partition("[")
        if index:
            found.setdefault(family, []).append(name)
            found.setdefault(index, []).append(name)
    return [group for group in found.values() if len(group) > 1]


def double_moves(plan: Plan, current: Mapping[str, Fraction]) -> Iterator[dict[str, Fraction]]:
    """One number simpler and another at its edge, or so that a product or quotient stays; two numbers simpler."""
    edges = _edges(plan, current)
    order = sorted(plan.names, key=lambda n: -complexity(current[n]))[:5]
    for first, second in permutations(order, 2):
        for a in simpler(current[first])[:8]:
            yield from (_moved(plan, current, {first: a}, {**edges, second: side}) for side in ("low", "high"))
            factor = a / current[first] if current[first] else Fraction(0)
            yield _moved(plan, current, {first: a, second: current[second] * factor}, edges)
            if factor:
                yield _moved(plan, current, {first: a, second: current[second] / factor}, edges)
    for first, second in combinations(order, 2):
        for a in simpler(current[first])[:6]:
            for b in simpler(current[second])[:6]:
                yield _moved(plan, current, {first: a, second: b}, edges)


def _edges(plan: Plan, current: Mapping[str, Fraction]) -> dict[str, str]:
    env = {name: to_fmpq(value) for name, value in current.items()}
    found = {}
    for variable in plan.free:
        inside = exact_interval(variable.bounds, env)
        if inside.low == current[variable.name]:
            found[variable.name] = "low"
        elif inside.high == current[variable.name]:
            found[variable.name] = "high"
    return found


def _moved(
    plan: Plan, current: Mapping[str, Fraction], new: Mapping[str, Fraction], edges: Mapping[str, str]
) -> dict[str, Fraction]:
    result: dict[str, Fraction] = {}
    env: dict[str, Any] = {}
    for variable in plan.free:
        name = variable.name
        value = new.get(name, current[name])
        if name in edges and name not in new:
            inside = exact_interval(variable.bounds, env)
            edge = inside.low if edges[name] == "low" else inside.high
            value = value if edge is None else edge
        result[name] = value
        env[name] = to_fmpq(value)
    return result
