"""How far a point is from refuting: the normalised gap, and the ratio that people read.

The ratio of an inequality is the side claimed to be smaller over the side claimed to be larger: above one it is
violated. Where the larger side is the number zero, as in `expr >= 0`, it is the sum of the negative terms of `expr`
over the sum of its positive ones, so that `x**2 + y**2 - 2*x*y >= 0` has the ratio 2*x*y/(x**2 + y**2).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import Node, Relation, num
from theory.kernel.points import environment, range_of, to_balls
from theory.kernel.rings import Balls, Exact, Inexact, to_fmpq, to_fraction
from theory.search.floats import Array, Bools

NOISE = 1e-13
ZERO = num(0)


def violation(goal: Relation, left: Array, right: Array, size: Array) -> Array:
    """The gap over |left| + |right|: positive means violated; NaN where there is no value.

    Against the number zero the gap is measured by the size of the terms. A violation within float noise is scaled down.
    """
    with np.errstate(all="ignore"):
        whole = size if ZERO in (goal.left, goal.right) else np.abs(left) + np.abs(right)
        gap = (left - right) / np.where(whole > 0, whole, 1.0)
        mark = gap if goal.op in ("<=", "<") else -gap if goal.op in (">=", ">") else np.abs(gap)
        mark = np.where(mark > 0, mark * np.minimum(1.0, whole / np.maximum(NOISE * size, 1e-300)), mark)
    return np.asarray(-mark if goal.op == "!=" else mark)


def threshold(op: str) -> float:
    """What a violation must exceed to be worth an exact look."""
    return -NOISE if op in ("<", ">", "!=") else NOISE if op != "==" else 1e-11


def has_no_value(left: Array, right: Array) -> Bools:
    return np.asarray(~np.isfinite(left) | ~np.isfinite(right))


def ratio(claim: Claim, point: Mapping[str, Any]) -> list[Fraction | float]:
    """The ratio of every goal at an exact point: a Fraction where it is rational, else a float; NaN without a value."""
    env = environment(point, claim)
    return [_ratio(goal, env) for goal in claim.goals]


def _ratio(goal: Relation, env: Mapping[str, Any]) -> Fraction | float:
    if goal.binder is not None:
        return _worst_index(goal, env)
    small, large = (goal.left, goal.right) if goal.op in ("<=", "<", "==", "!=") else (goal.right, goal.left)
    try:
        parts = (evaluate(small, env, Exact()), evaluate(large, env, Exact()))
        if any(isinstance(p, Mat) for p in parts):
            return 1.0 if parts[0] == parts[1] else float("inf")
        top, bottom = (to_fraction(p) for p in parts)
    except Inexact:
        return _float_ratio(small, large, env)
    except KernelError:
        return float("nan")
    if top == 0 or bottom == 0:
        minus, plus = split_terms(Node("-", (large, small)), env)
        if minus != 0 or plus != 0:
            top, bottom = (minus, plus) if top == 0 or bottom == 0 else (top, bottom)
    return quotient(top, bottom)


def quotient(top: Fraction, bottom: Fraction) -> Fraction | float:
    """top <= bottom holds exactly when the quotient is at most one."""
    if bottom > 0:
        return top / bottom
    if bottom == 0:
        return Fraction(1) if top == 0 else float("inf") if top > 0 else Fraction(0)
    return float("inf") if top >= 0 else bottom / top


def split_terms(node: Node, env: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """The sums of the negative and of the positive terms of an expression that is >= 0 by claim."""
    minus, plus = Fraction(0), Fraction(0)
    for sign, term in terms(node, 1):
        value = sign * to_fraction(evaluate(term, env, Exact()))
        minus, plus = (minus - value, plus) if value < 0 else (minus, plus + value)
    return minus, plus


def terms(node: Node, sign: int) -> list[tuple[int, Node]]:
    if node.op == "+":
        return terms(node.args[0], sign) + terms(node.args[1], sign)
    if node.op == "-":
        return terms(node.args[0], sign) + terms(node.args[1], -sign)
    if node.op == "neg":
        return terms(node.args[0], -sign)
    return [(sign, node)]


def _float_ratio(small: Node, large: Node, env: Mapping[str, Any]) -> float:
    with flint.ctx.workprec(256):
        try:
            balls = {n: to_balls(v) for n, v in env.items()}
            top, bottom = (evaluate(side, balls, Balls()) for side in (small, large))
            return float(quotient(Fraction(float(top.mid())), Fraction(float(bottom.mid()))))
        except (KernelError, ValueError, OverflowError, AttributeError):
            return float("nan")


def _worst_index(goal: Relation, env: Mapping[str, Any]) -> Fraction | float:
    assert goal.binder is not None
    index, lo, hi = goal.binder
    first, last = range_of(lo, hi, index, env)
    bare = Relation(goal.op, goal.left, goal.right)
    return max((_ratio(bare, {**env, index: to_fmpq(i)}) for i in range(first, last + 1)), default=Fraction(0))
