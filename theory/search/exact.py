"""From a float point to an exact one: simplest rationals, dependent numbers solved again, the kernel's decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Rejected, Undefined
from theory.kernel.lang import Relation
from theory.kernel.points import check_witness, holds, satisfies_hypotheses
from theory.kernel.rings import Exact, Inexact, evaluate, to_fmpq, to_fraction
from theory.search.bounds import Bound
from theory.search.plan import Plan
from theory.search.shapes import point_of

TOLERANCES = (0.4, 0.1, 0.02, 4e-3, 5e-4, 3e-5, 1e-6, 1e-8, 1e-10, 1e-13, 0.0)
AT_EDGE = 1e-10
REAL_GAPS = ("division by zero", "sqrt(", "log(")


def refutes(claim: Claim, point: Mapping[str, Any]) -> bool:
    """The kernel's answer, with a stricter reading of `has no value`: only division by zero and roots count."""
    try:
        env = satisfies_hypotheses(claim, point)
    except KernelError:
        return False
    for goal in claim.goals:
        try:
            if not holds(goal, env):
                return _confirmed(claim, point)
        except Undefined:
            if _truly_undefined(goal, env):
                return _confirmed(claim, point)
        except KernelError:
            continue
    return False


def _confirmed(claim: Claim, point: Mapping[str, Any]) -> bool:
    try:
        check_witness(claim, point)
    except Rejected:
        return False
    return True


def _truly_undefined(goal: Relation, env: Mapping[str, Any]) -> bool:
    """A root or a quotient of rationals without a value: not a column that is too short, nor a wide enclosure."""
    if goal.binder is not None:
        return False
    for side in (goal.left, goal.right):
        try:
            evaluate(side, env, Exact())
        except Undefined as error:
            return str(error).startswith(REAL_GAPS)
        except (Inexact, KernelError):
            continue
    return False


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational of least denominator (then least numerator) in the closed interval."""
    if low > high:
        raise ValueError(f"no rational between {low} and {high}")
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = low.numerator // low.denominator
    if whole == low:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


@dataclass(frozen=True)
class Interval:
    """Exact bounds of a number; None is unbounded."""

    low: Fraction | None
    high: Fraction | None
    open_low: bool
    open_high: bool

    def contains(self, value: Fraction) -> bool:
        above = self.low is None or value > self.low or (value == self.low and not self.open_low)
        return above and (self.high is None or value < self.high or (value == self.high and not self.open_high))


def exact_interval(bounds: tuple[Bound, ...], env: Mapping[str, Any]) -> Interval:
    """The interval of a number at exact values of those before it; bounds that are not rational are left out."""
    low: Fraction | None = None
    high: Fraction | None = None
    open_low = open_high = False
    for bound in bounds:
        try:
            slope, rest = (to_fraction(evaluate(n, env, Exact())) for n in (bound.slope, bound.rest))
        except (Inexact, KernelError):
            continue
        if slope > 0 and (low is None or -rest / slope >= low):
            edge = -rest / slope
            open_low = bound.strict or (open_low and edge == low)
            low = edge
        elif slope < 0 and (high is None or -rest / slope <= high):
            edge = -rest / slope
            open_high = bound.strict or (open_high and edge == high)
            high = edge
    return Interval(low, high, open_low, open_high)


def rounded(plan: Plan, free: Mapping[str, float], tolerance: float, snap: bool) -> dict[str, Fraction] | None:
    """Simplest rationals near the floats, inside the exact bounds, at an edge where the float is at it."""
    env: dict[str, Any] = {}
    found: dict[str, Fraction] = {}
    for variable in plan.free:
        try:
            value = Fraction(free[variable.name])
        except (ValueError, OverflowError):
            return None
        inside = exact_interval(variable.bounds, env)
        choice = _snapped(value, inside, tolerance) if snap else None
        if choice is None:
            choice = _near(value, inside, tolerance, variable.name in plan.integers)
        if choice is None:
            return None
        found[variable.name] = choice
        env[variable.name] = to_fmpq(choice)
    return found


def _snapped(value: Fraction, inside: Interval, tolerance: float) -> Fraction | None:
    reach = Fraction(max(AT_EDGE, tolerance / 1000)) * max(abs(value), Fraction(1, 10**6))
    if inside.low is not None and not inside.open_low and abs(value - inside.low) <= reach:
        return inside.low
    if inside.high is not None and not inside.open_high and abs(value - inside.high) <= reach:
        return inside.high
    return None


def _near(value: Fraction, inside: Interval, tolerance: float, integer: bool) -> Fraction | None:
    if integer:
        whole = Fraction(round(value))
        return next((v for v in (whole, whole + 1, whole - 1) if inside.contains(v)), None)
    reach = abs(value) * Fraction(tolerance)
    low, high = value - reach, value + reach
    for side, is_open in ((inside.low, inside.open_low), (inside.high, inside.open_high)):
        if side is None:
            continue
        margin = abs(value - side) / 2 if is_open else Fraction(0)
        if side is inside.low:
            low = max(low, side + margin)
        else:
            high = min(high, side - margin)
    if low > high:
        low = high = min(max(value, low), high) if inside.contains(min(max(value, low), high)) else value
    return simplest_between(low, high)


def exact_points(plan: Plan, free: Mapping[str, float]) -> Iterator[tuple[dict[str, Fraction], dict[str, Any]]]:
    """Exact points near a float one, simplest first: the free numbers and the point."""
    seen: set[tuple[Fraction, ...]] = set()
    for tolerance in TOLERANCES:
        for snap in (True, False):
            values = rounded(plan, free, tolerance, snap)
            if values is None or tuple(values.values()) in seen:
                continue
            seen.add(tuple(values.values()))
            point = exact_point(plan, values)
            if point is not None:
                yield values, point


def exact_point(plan: Plan, free: Mapping[str, Fraction]) -> dict[str, Any] | None:
    values = plan.exact_values(free)
    return None if values is None else point_of(plan.shape, values)
