"""Rational points on a quadric: the line through a known rational point meets it in a second rational point.

Where a hypothesis such as x**2 + y**2 == 1 leaves x = sqrt(1 - y**2), a rational y near the one that is wanted gives no
rational x. A line through (1, 0) of rational direction does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product

from theory.kernel.errors import KernelError
from theory.kernel.evaluate import evaluate
from theory.kernel.flat import fractions_of
from theory.kernel.lang import Node, num, sym
from theory.kernel.rings import Exact, Frac, Inexact, to_fmpq, to_fraction
from theory.search.equations import Solution
from theory.search.plan import Plan
from theory.search.simple import simplest_near
from theory.search.surds import read

SEEDS = tuple(map(Fraction, ("0", "1", "-1", "1/2", "2", "3/5", "4/5")))
TRIES = 400
Values = dict[str, Fraction]


def rational_points(plan: Plan, free: Mapping[str, Fraction], tolerance: float) -> Iterator[Values]:
    """Free numbers near the given ones at which the one irrational dependent number is rational."""
    rough = [one for one in plan.dependent if not one.exact]
    if len(rough) != 1 or _inside_root(rough[0].formula) is None:
        return
    together = quadric(rough[0])
    moving = [name for name in together if name in free]
    if not moving:
        return
    target = _with_root(rough[0], free)
    base = _base(plan, rough[0], free, moving)
    if target is None or base is None:
        return
    direction = {n: simplest_near(target[n] - base[n], tolerance) for n in (*moving, rough[0].name)}
    other = _second_point(rough[0], {**free, **base}, direction)
    if other is not None:
        yield {**free, **{name: other[name] for name in moving}}


def _inside_root(formula: Node) -> Node | None:
    root = formula.args[0] if formula.op == "neg" else formula
    return root.args[0] if root.op == "sqrt" else None


def _equation(solution: Solution) -> Node:
    """x**2 minus what it equals."""
    inside = _inside_root(solution.formula)
    assert inside is not None
    return Node("-", (Node("**", (sym(solution.name), num(2))), inside))


@lru_cache(maxsize=256)
def quadric(solution: Solution) -> tuple[str, ...]:
    """Names in which the equation is jointly of degree two at most, the dependent one among them."""
    try:
        ring, (value,), atoms = fractions_of([_equation(solution)])
    except KernelError:
        return ()
    if not isinstance(value, Frac):
        return ()
    exponents = [dict(zip(ring.names, map(int, e), strict=False)) for e in value.num.to_dict()]
    chosen = [solution.name]
    for name in ring.names:
        if name not in atoms.opaque and name not in chosen:
            together = [*chosen, name]
            if max(sum(e[n] for n in together) for e in exponents) <= 2:
                chosen.append(name)
    return tuple(chosen)


def _with_root(solution: Solution, free: Mapping[str, Fraction]) -> Values | None:
    """The point that is wanted, with a rational number next to the irrational one."""
    inside = _inside_root(solution.formula)
    assert inside is not None
    try:
        square = to_fraction(evaluate(inside, {n: to_fmpq(v) for n, v in free.items()}, Exact()))
        root = Fraction(float(square) ** 0.5) if square >= 0 else None
    except (KernelError, Inexact, OverflowError):
        return None
    if root is None:
        return None
    return {**free, solution.name: -root if solution.formula.op == "neg" else root}


def _base(plan: Plan, solution: Solution, free: Mapping[str, Fraction], moving: list[str]) -> Values | None:
    """A rational point of the quadric: the example's, or one with small coordinates."""
    known = {n: read(v) for n, v in plan.claim.example if n in moving and isinstance(v, str)}
    example = {n: v for n, v in known.items() if isinstance(v, Fraction)}
    offers = product(SEEDS, repeat=len(moving))
    small = (dict(zip(moving, values, strict=True)) for values in islice(offers, TRIES))
    for start in ([example] if len(example) == len(moving) else []) + list(small):
        env = {n: to_fmpq(v) for n, v in {**free, **start}.items()}
        try:
            root = to_fraction(evaluate(solution.formula, env, Exact()))
        except (KernelError, Inexact):
            continue
        return {**start, solution.name: root}
    return None


def _second_point(solution: Solution, base: Mapping[str, Fraction], direction: Mapping[str, Fraction]) -> Values | None:
    """Along base + t*direction the equation is c1*t + c2*t**2; it vanishes at t = -c1/c2."""
    equation = _equation(solution)
    try:
        plus, minus = (
            to_fraction(evaluate(equation, {n: to_fmpq(v + s * direction.get(n, 0)) for n, v in base.items()}, Exact()))
            for s in (1, -1)
        )
    except (KernelError, Inexact):
        return None
    slope, curve = (plus - minus) / 2, (plus + minus) / 2
    if curve == 0 or slope == 0:
        return None
    return {n: v - slope / curve * direction.get(n, 0) for n, v in base.items()}
