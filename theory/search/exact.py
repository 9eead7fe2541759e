"""From a float point to an exact one: simplest rationals, dependent numbers solved again, the kernel's decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import fmpz

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError, Rejected, Undefined
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import Node, Relation, walk
from theory.kernel.points import check_witness, holds, satisfies_hypotheses
from theory.kernel.rings import Exact, Inexact, to_fmpq, to_fraction
from theory.search.bounds import Bound
from theory.search.conic import rational_points
from theory.search.plan import Plan
from theory.search.simple import simplest_between, simplest_near
from theory.search.slots import point_of

TOLERANCES = (0.4, 0.1, 0.02, 4e-3, 5e-4, 3e-5, 1e-6, 1e-8, 1e-10, 1e-13, 0.0)
AT_EDGE = 1e-10
REAL_GAPS = ("division by zero", "sqrt(", "log(")


FAILS, UNDEFINED = "fails", "has no value"


def refutes(claim: Claim, point: Mapping[str, Any]) -> str | None:
    """How the point refutes the claim by the kernel's own decision, or None.

    `has no value` is read more strictly than the kernel does: only a division by zero, a root or logarithm of a
    rational that has none, or a sum to an end that is no integer. A goal that fails counts before one without a value.
    """
    try:
        env = satisfies_hypotheses(claim, point)
    except KernelError:
        return None
    found = {_outcome(goal, env) for goal in claim.goals}
    how = FAILS if FAILS in found else UNDEFINED if UNDEFINED in found else None
    return how if how is not None and _confirmed(claim, point) else None


def _outcome(goal: Relation, env: Mapping[str, Any]) -> str | None:
    try:
        return None if holds(goal, env) else FAILS
    except Undefined as error:
        bare = goal.binder is None and str(error).startswith(REAL_GAPS)
        return UNDEFINED if bare or _truly_undefined(goal, env) else None
    except KernelError:
        return None


def _confirmed(claim: Claim, point: Mapping[str, Any]) -> bool:
    try:
        check_witness(claim, point)
    except Rejected:
        return False
    return True


def _truly_undefined(goal: Relation, env: Mapping[str, Any]) -> bool:
    """A root or a quotient of rationals without a value, or a sum whose end is no integer.

    A column that is too short, an enclosure that is too wide and an exponent such as 1/2 do not count.
    """
    if goal.binder is not None:
        return False
    for side in (goal.left, goal.right):
        try:
            evaluate(side, env, Exact())
        except Undefined as error:
            return str(error).startswith(REAL_GAPS) or any(_broken_range(part, env) for part in walk(side))
        except (Inexact, KernelError):
            continue
    return False


def _broken_range(node: Node, env: Mapping[str, Any]) -> bool:
    if node.op not in ("sum", "iterate"):
        return False
    for end in node.args[1 : 3 if node.op == "sum" else 2]:
        try:
            value = evaluate(end, env, Exact())
        except (KernelError, Inexact):
            continue
        if not isinstance(value, Mat) and value.q != 1:
            return True
    return False


@dataclass(frozen=True)
class Interval:
    """Exact bounds of a number; None is unbounded."""

    low: Fraction | None
    high: Fraction | None
    open_low: bool
    open_high: bool

    def above(self, edge: Fraction, strict: bool) -> Interval:
        if self.low is not None and (edge < self.low or (edge == self.low and not strict)):
            return self
        return replace(self, low=edge, open_low=strict)

    def below(self, edge: Fraction, strict: bool) -> Interval:
        if self.high is not None and (edge > self.high or (edge == self.high and not strict)):
            return self
        return replace(self, high=edge, open_high=strict)

    def contains(self, value: Fraction) -> bool:
        above = self.low is None or value > self.low or (value == self.low and not self.open_low)
        return above and (self.high is None or value < self.high or (value == self.high and not self.open_high))


def exact_interval(bounds: tuple[Bound, ...], env: Mapping[str, Any]) -> Interval:
    """The interval of a number at exact values of those before it; bounds that are not rational are left out."""
    inside = Interval(None, None, False, False)
    for bound in sorted(bounds, key=lambda b: b.power):
        try:
            slope, rest = (to_fraction(evaluate(n, env, Exact())) for n in (bound.slope, bound.rest))
        except (Inexact, KernelError):
            continue
        if slope and bound.middle is None:
            inside = _tightened(inside, bound, slope > 0, -rest / slope)
    return inside


def _tightened(inside: Interval, bound: Bound, up: bool, edge: Fraction) -> Interval:
    """x**power is at least the edge where `up`, else at most."""
    root = edge if bound.power == 1 else exact_root(edge, bound.power)
    if root is None:
        return inside
    if bound.power % 2:
        return inside.above(root, bound.strict) if up else inside.below(root, bound.strict)
    if not up:
        return inside.above(-root, bound.strict).below(root, bound.strict)
    if inside.low is not None and inside.low >= 0:
        return inside.above(root, bound.strict)
    return inside.below(-root, bound.strict) if inside.high is not None and inside.high <= 0 else inside


def exact_root(value: Fraction, n: int) -> Fraction | None:
    """The real n-th root where it is rational."""
    if value < 0:
        root = exact_root(-value, n) if n % 2 else None
        return None if root is None else -root
    parts = []
    for part in value.as_integer_ratio():
        guess = fmpz(part).root(n)
        if guess**n != part:
            return None
        parts.append(int(guess))
    return Fraction(parts[0], parts[1])


def rounded(
    plan: Plan, free: Mapping[str, float], tolerance: float, snap: bool, squares: bool = False
) -> dict[str, Fraction] | None:
    """Simplest rationals near the floats, inside the exact bounds, at an edge where the float is at it.

    With `squares`, names below a root become squares of rationals.
    """
    env: dict[str, Any] = {}
    found: dict[str, Fraction] = {}
    for variable in plan.free:
        try:
            value = Fraction(free[variable.name])
        except (ValueError, OverflowError):
            return None
        inside = exact_interval(variable.bounds, env)
        choice = _snapped(value, inside, tolerance) if snap else None
        if choice is None and squares and value > 0 and variable.name in plan.rooted:
            choice = simplest_near(Fraction(float(value) ** 0.5), tolerance) ** 2
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
    if tolerance == 0 and inside.contains(value):
        return value
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
    """Exact points near a float one, rational ones first, simplest first: the free numbers and the point."""
    seen: set[tuple[Fraction, ...]] = set()
    rooted: list[tuple[dict[str, Fraction], dict[str, Any]]] = []
    for tolerance in TOLERANCES:
        for one in _near_points(plan, free, tolerance):
            values = plan.exact_values(one) if tuple(one.values()) not in seen else None
            seen.add(tuple(one.values()))
            if values is not None:
                found = one, point_of(plan.shape, values)
                if all(isinstance(value, Fraction) for value in values.values()):
                    yield found
                else:
                    rooted.append(found)
    yield from rooted


def _near_points(plan: Plan, free: Mapping[str, float], tolerance: float) -> Iterator[dict[str, Fraction]]:
    """Rounded at the edges, not at the edges, to squares below roots, and on a quadric."""
    kinds = [(True, False), (False, False)] + ([(True, True)] if plan.rooted else [])
    for snap, squares in kinds:
        values = rounded(plan, free, tolerance, snap, squares)
        if values is not None:
            yield values
    target = None if plan.exact else rounded(plan, free, 0.0, snap=False)
    if target is not None:
        yield from rational_points(plan, target, tolerance)


def exact_point(plan: Plan, free: Mapping[str, Fraction]) -> dict[str, Any] | None:
    values = plan.exact_values(free)
    return None if values is None else point_of(plan.shape, values)
