"""Rational points at which the goal vanishes inside the region of the facts.

Every square in a proof of `goal >= 0` vanishes there, unless its weight does: these points give null vectors of the
Gram matrices exactly. Local minimisation from a fixed set of starting points proposes them; exact evaluation decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_mpoly

from theory.provers.gram import Block, System
from theory.provers.linear import exponents, to_float
from theory.provers.rounding import simplest

Point = tuple[fmpq, ...]
STARTS = 24
SPAN = 3.0
MAX_POINTS = 40


def zeros(goal: fmpq_mpoly, facts: Sequence[fmpq_mpoly]) -> list[Point]:
    """Rational zeros of the goal where all facts are nonnegative."""
    used = [i for i, d in enumerate(goal.degrees()) if d or any(f.degrees()[i] for f in facts)]
    homogeneous = all(len({sum(m) for m in exponents(p)}) == 1 for p in (goal, *facts))
    found: dict[Point, None] = {}
    for x in _minimisers(goal, facts, used, homogeneous):
        scaled = [x / v for v in x if homogeneous and abs(v) > 1e-3][:3]
        for y in (x, *scaled):
            for tolerance in (1e-6, 1e-4, 1e-2):
                point = _rational(y, used, len(goal.degrees()), tolerance)
                if point not in found and _vanishes(goal, facts, point):
                    found[point] = None
                    break
        if len(found) >= MAX_POINTS:
            break
    return list(found)


def _rational(x: Any, used: Sequence[int], width: int, tolerance: float) -> Point:
    values = [fmpq(0)] * width
    for i, v in zip(used, x, strict=True):
        near = simplest(float(v), tolerance)
        values[i] = fmpq(near.numerator, near.denominator)
    return tuple(values)


def _vanishes(goal: fmpq_mpoly, facts: Sequence[fmpq_mpoly], point: Point) -> bool:
    if all(v == 0 for v in point) and len({sum(m) for m in exponents(goal)}) == 1:
        return False
    return bool(goal(*point) == 0) and all(f(*point) >= 0 for f in facts)


def _minimisers(goal: fmpq_mpoly, facts: Sequence[fmpq_mpoly], used: Sequence[int], homogeneous: bool) -> list[Any]:
    from scipy.optimize import minimize
    from scipy.stats import qmc

    value, slope = _function(goal, used), _gradient(goal, used)
    rules: list[dict[str, Any]] = [
        {"type": "ineq", "fun": _function(f, used), "jac": _gradient(f, used)} for f in facts
    ]
    result = []
    for k, unit in enumerate(qmc.Halton(len(used), scramble=False).random(STARTS)):
        start = SPAN * (2 * unit - 1)
        own = list(rules)
        if homogeneous:
            axis = k % len(used)
            start[axis] = 1.0
            own.append({"type": "eq", "fun": lambda x, axis=axis: x[axis] - 1.0})
        with np.errstate(all="ignore"):
            answer = minimize(value, start, jac=slope, constraints=own, method="SLSQP", options={"ftol": 1e-15})
        if np.all(np.isfinite(answer.x)) and abs(float(answer.fun)) < 1e-5:
            result.append(np.asarray(answer.x))
    return result


def _function(poly: fmpq_mpoly, used: Sequence[int]) -> Any:
    terms = exponents(poly)
    powers = np.array([[m[i] for i in used] for m in terms] or [[0] * len(used)])
    weights = np.array([to_float(c) for c in terms.values()] or [0.0])
    return lambda x: float(weights @ np.prod(np.asarray(x) ** powers, axis=1))


def _gradient(poly: fmpq_mpoly, used: Sequence[int]) -> Any:
    parts = [_function(poly.derivative(i), used) for i in used]
    return lambda x: np.array([part(x) for part in parts])


def without(system: System, points: Sequence[Point]) -> System:
    """The system on squares that vanish at the points, block by block where the weight is positive."""
    return System(
        system.target, tuple(b for b in (_orthogonal(b, points) for b in system.blocks) if b.basis), system.free
    )


def _orthogonal(block: Block, points: Sequence[Point]) -> Block:
    rows = [[b(*p) for b in block.basis] for p in points if block.weight(*p) > 0]
    if not rows:
        return block
    reduced, rank = fmpq_mat(rows).rref()
    table = reduced.tolist()[:rank]
    pivots = [next(j for j, x in enumerate(row) if x != 0) for row in table]
    basis = []
    for j in (j for j in range(len(block.basis)) if j not in pivots):
        poly = block.basis[j]
        for pivot, row in zip(pivots, table, strict=True):
            poly = poly - block.basis[pivot] * row[j]
        basis.append(poly)
    return block.on(basis)
