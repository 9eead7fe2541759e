"""One rule for ratios, and the right side of a claim at given numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import Node, Relation, parse, parse_relation, relation_symbols, symbols, text
from theory.kernel.notions import unfold_relation
from theory.search.floats import Array, Floats, Scaled, batch

NOISE = 1e-12  # of the terms of a side: what is smaller has no digits
AT_ONE = 1e-9  # so close to 1 is 1: a float does not tell them apart
SLACK = 1e-9  # a hypothesis may hold with equality, up to rounding
BOUNDS = ("<=", "<", ">=", ">")


class NoValueError(ValueError):
    """A design does not give what the claim needs; the message says what."""


def quotients(op: str, left: Any, right: Any) -> Array:
    """The ratio of each pair of sides: at most 1 where the relation holds, NaN where it says nothing.

    `L <= R` has L/R where R > 0, `L >= R` has R/L where both are positive; between negative sides the signs change
    places, so that `x >= -2` has -x/2. Against zero there is no ratio, and 0/0 is none.
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    with np.errstate(all="ignore"):
        if op == "==":
            ratio = np.where(right != 0, left / right, np.nan)
        elif op in ("<=", "<"):
            ratio = np.where(right > 0, left / right, np.where((right < 0) & (left < 0), right / left, np.nan))
        elif op in (">=", ">"):
            ratio = np.where(right < 0, left / right, np.where((right > 0) & (left > 0), right / left, np.nan))
        else:
            ratio = np.full(np.broadcast_shapes(left.shape, right.shape), np.nan)
    return np.where(np.isfinite(ratio), ratio, np.nan)


def exact_quotient(op: str, left: Fraction, right: Fraction) -> Fraction | None:
    """The same rule on rationals."""
    if op == "==":
        return left / right if right else None
    if op in ("<=", "<"):
        return left / right if right > 0 else right / left if right < 0 and left < 0 else None
    if op in (">=", ">"):
        return left / right if right < 0 else right / left if right > 0 and left > 0 else None
    return None


def with_digits(left: Array, right: Array, size: Array) -> Array:
    """The right side where it stands above the rounding of the terms, else NaN."""
    return np.where(np.isfinite(left) & (np.abs(right) > NOISE * size), right, np.nan)


def bound_of(claim: Claim, goal: int, values: Mapping[str, Any], over: str = "") -> float:
    """The right side of one goal at these numbers; `over` names a factor of it that is left out (put at 1)."""
    parts = {parse(name): f"part_{i}" for i, name in enumerate(values) if not name.isidentifier()}
    env = environment(claim, {parts.get(parse(name), name): value for name, value in values.items()})
    if over:
        if over not in claim.notions:
            raise NoValueError(f"{claim.id} defines no factor {over}; there are {', '.join(claim.notions) or 'none'}")
        env[over] = batch(1.0)
    known = {name for name in claim.notions if name in env}
    rest = {name: notion for name, notion in claim.notions.items() if name not in known}
    right = _right(claim, goal, known, rest, parts)
    bound = _number(claim, right, env)
    if not np.isfinite(bound):
        raise NoValueError(f"{claim.id}: the right side {text(right)[:60]} has no finite value here")
    return bound


def _right(claim: Claim, goal: int, known: set[str], rest: Mapping[str, Any], parts: Mapping[Node, str]) -> Node:
    """The right side; what is given by its formula is put in before the definitions are."""
    if not parts and not known:
        return claim.goals[goal].right
    written = parse_relation(claim.says[goal])
    put = replace(written, left=_put(written.left, parts), right=_put(written.right, parts))
    return unfold_relation(put, rest).right


def _put(node: Node, parts: Mapping[Node, str]) -> Node:
    if node in parts:
        return Node("sym", value=parts[node])
    return Node(node.op, tuple(_put(arg, parts) for arg in node.args), node.value) if node.args else node


def environment(claim: Claim, values: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and columns of numbers as the evaluator takes them."""
    return {name: _element(value) for name, value in values.items()}


def _element(value: Any) -> Any:
    if np.ndim(value) == 0:
        return batch(float(value))
    rows = [row if np.ndim(row) else [row] for row in value]
    return Mat(tuple(tuple(batch(float(x)) for x in row) for row in rows))


def _number(claim: Claim, node: Node, env: Mapping[str, Any]) -> float:
    missing = sorted(_names(node, env) - set(env))
    if missing:
        raise NoValueError(f"{claim.id}: the design gives no value for {', '.join(missing)}")
    try:
        with np.errstate(all="ignore"):
            found = evaluate(node, env, Floats())
    except (KernelError, ArithmeticError) as error:
        raise NoValueError(f"{claim.id}: {text(node)[:60]} has no value here ({error})") from None
    if not isinstance(found, Scaled):
        raise NoValueError(f"{claim.id}: {text(node)[:60]} is a matrix; a ratio needs numbers")
    return float(found.value)


def _names(node: Node, env: Mapping[str, Any]) -> frozenset[str]:
    spaces = {f"p_{part.args[0].value}" for part in _means(node)}
    return symbols(node) | frozenset(spaces) - frozenset(env)


def _means(node: Node) -> Iterator[Node]:
    if node.op == "mean":
        yield node
    for arg in node.args:
        yield from _means(arg)


def broken(claim: Claim, values: Mapping[str, Any]) -> str | None:
    """The first hypothesis that these numbers violate; those that speak of other names are left to the design."""
    env = environment(claim, values)
    for source, hypothesis in zip(claim.given, claim.hypotheses, strict=True):
        if relation_symbols(hypothesis) - {"Omega"} - set(env):
            continue
        if not all(_holds(hypothesis, {**env, **at}) for at in _indices(hypothesis, env)):
            return source
    return None


def _indices(relation: Relation, env: Mapping[str, Any]) -> Sequence[dict[str, Scaled]]:
    if relation.binder is None:
        return [{}]
    index, low, high = relation.binder
    if low.op == "sym" and low.value == "Omega":
        weights = env.get(f"p_{index}")
        return [{index: batch(i)} for i in range(1, len(weights.rows) + 1)] if weights is not None else []
    first, last = (evaluate(end, env, Floats()) for end in (low, high))
    return [{index: batch(i)} for i in range(int(first.value), int(last.value) + 1)]


def _holds(relation: Relation, env: Mapping[str, Any]) -> bool:
    """Up to rounding; what cannot be evaluated is not held against the design."""
    try:
        left, right = (evaluate(side, env, Floats()) for side in (relation.left, relation.right))
    except (KernelError, ArithmeticError, LookupError):
        return True
    if not (isinstance(left, Scaled) and isinstance(right, Scaled)):
        return True
    gap, room = float(left.value - right.value), SLACK * float(left.size + right.size)
    match relation.op:
        case "<=" | "<":
            return gap <= room
        case ">=" | ">":
            return gap >= -room
        case "==":
            return abs(gap) <= room
        case _:
            return True
