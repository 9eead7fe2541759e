"""Make a witness small enough to be checked by hand: simpler numbers, one or two at a time, as long as it refutes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from theory.kernel.rings import to_fmpq
from theory.search.exact import exact_interval, exact_point, refutes, simplest_between
from theory.search.plan import Plan

SMALL = tuple(
    Fraction(n) for n in ("0", "1", "2", "1/2", "-1", "3", "1/3", "1/4", "4", "10", "1/10", "-2", "-1/2", "100")
)


def complexity(value: Fraction) -> int:
    """Bits to write it, one more for a sign; a power of ten counts as little as a digit."""
    bits = sum(
        min(abs(n).bit_length(), 2 + len(str(n)) if str(n).strip("0") == "1" else 10**9)
        for n in value.as_integer_ratio()
    )
    return bits + (value < 0)


def total(point: Mapping[str, Any]) -> int:
    """The complexity of all numbers of a point."""
    return sum(sum(_each(value)) for value in point.values())


def _each(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for item in value:
            yield from _each(item)
    else:
        yield complexity(Fraction(value))


def simpler(value: Fraction) -> list[Fraction]:
    """Simpler numbers, near ones included, the simplest first."""
    near = [
        simplest_between(value - abs(value) * w, value + abs(value) * w)
        for w in map(Fraction, ("1/2", "1/5", "1/20", "1/100", "1/1000", "1/100000"))
    ]
    whole = [Fraction(round(value)), Fraction(int(value))]
    tens = [Fraction(10) ** k for k in _decades(value)]
    found = {v for v in (*SMALL, *near, *whole, *tens, *(-t for t in tens)) if complexity(v) < complexity(value)}
    return sorted(found, key=lambda v: (complexity(v), abs(v - value)))


def _decades(value: Fraction) -> tuple[int, ...]:
    if value == 0:
        return ()
    size = len(str(abs(value.numerator))) - len(str(value.denominator))
    return (size - 1, size, size + 1)


def shrink(plan: Plan, free: Mapping[str, Fraction], point: dict[str, Any], budget: int) -> dict[str, Any]:
    """The simplest witness that the budget of exact evaluations finds from this one."""
    current, best = dict(free), point
    cost = total(point)
    left = budget
    improved = True
    while improved and left > 0:
        improved = False
        for offer in _offers(plan, current):
            if left <= 0:
                break
            candidate = exact_point(plan, offer)
            if candidate is None or total(candidate) >= cost:
                continue
            left -= 1
            if refutes(plan.claim, candidate):
                current, best, cost, improved = offer, candidate, total(candidate), True
                break
    return best


def _offers(plan: Plan, current: Mapping[str, Fraction]) -> Iterator[dict[str, Fraction]]:
    """One number simpler, the later ones kept at their edges; then two numbers simpler at once."""
    edges = _edges(plan, current)
    order = sorted(plan.names, key=lambda n: -complexity(current[n]))
    for name in order:
        for value in simpler(current[name]):
            yield _moved(plan, current, {name: value}, edges)
    for first, second in combinations(order[:6], 2):
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
