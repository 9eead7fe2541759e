"""Exact evaluation of relations at a point: what makes a witness, and what makes a claim not vacuous."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import flint
from flint import fmpq

from theory.kernel.algebraic import Algebraics, Surd, algebraic, number
from theory.kernel.claim import Claim
from theory.kernel.errors import Malformed, Missing, Rejected, Undecidable, Undefined
from theory.kernel.evaluate import HISTORIES, Family, Function, Mat, evaluate
from theory.kernel.everywhere import holds_everywhere, is_everywhere
from theory.kernel.flat import OMEGA
from theory.kernel.instances import is_nonnegative, typed_environment, weights_of
from theory.kernel.lang import BINDERS, Node, Relation, is_name, parse, symbols, walk
from theory.kernel.rings import Balls, Exact, Inexact, Ring, to_fmpq

PRECISIONS = (64, 256, 1024, 4096)
MAX_RANGE = 100_000
COMPARED = {"<=": operator.le, "<<": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
COMPARED |= {"==": operator.eq, "!=": operator.ne}


def environment(values: Mapping[str, Any], claim: Claim) -> dict[str, Any]:
    """The point as ring elements; naturals must be natural numbers, and every free name needs a value."""
    env = {name: _element(name, value, _is_rational(name, value, claim)) for name, value in values.items()}
    for name in (name for name in env if name.startswith("#")):
        raise Malformed(f"{name} is not a name; a point gives values to the names of its claim")
    if claim.kinds:
        return typed_environment(env, claim)
    missing = [name for name in claim.variables if name not in env]
    if missing:
        raise Rejected(f"{claim.id}: the point gives no value for {', '.join(missing)}")
    for name in claim.naturals:
        value = env.get(name)
        if value is not None and (not isinstance(value, fmpq) or value.q != 1 or value < 0):
            raise Rejected(f"{claim.id}: {name} = {value} is not a natural number")
    for name in sorted(claim.numbers):
        if name in env and not isinstance(env[name], (fmpq, Surd)):
            raise Rejected(f"{claim.id}: {name} is a number in this claim; declare a matrix of any size in `kinds`")
    for name, count in claim.families.items():
        if name in values and not _is_deep(values[name], count):
            raise Rejected(f"{claim.id}: {name} has {count} index(es) in this claim; give a list as deep as that")
    return env


def _is_deep(value: Any, count: int) -> bool:
    """A list of lists of … of numbers, everywhere so deep."""
    if count == 0:
        return not isinstance(value, (list, dict))
    items = value.values() if isinstance(value, dict) else value
    return isinstance(value, (list, dict)) and all(_is_deep(item, count - 1) for item in items)


def _is_rational(name: str, value: Any, claim: Claim) -> bool:
    """Letters have rational entries, and so have probabilities."""
    return bool(claim.kinds) or (name.startswith("p_") and isinstance(value, list))


def _element(name: str, value: Any, rational: bool = False) -> Any:
    if isinstance(value, dict) and set(value) == {"of", "is"}:
        return _function(name, value)
    if isinstance(value, dict):
        return Family({_index(name, key): _element(name, item, rational) for key, item in value.items()})
    if isinstance(value, list):
        items = [_element(name, item, rational) for item in value]
        if not items:
            raise Malformed(f"{name}: an empty list")
        if isinstance(items[0], Mat):
            if any(not isinstance(i, Mat) or i.shape != items[0].shape for i in items):
                raise Malformed(f"{name}: the rows have different lengths")
            return Mat(tuple(tuple(x for (x,) in item.rows) for item in items))
        return Mat(tuple((item,) for item in items))
    try:
        return to_fmpq(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        if rational or not isinstance(value, str):
            raise Malformed(f"{name} = {value!r} is not a rational number; write it as '1/3'") from None
    try:
        return number(value)
    except Malformed as error:
        raise Malformed(f"{name}: {error}; write a number as '1/3' or 'sqrt(2)'") from None


def _function(name: str, value: Mapping[str, Any]) -> Function:
    """A formula in one name, the argument: a column of which it takes entries."""
    of, body = str(value["of"]), parse(str(value["is"]))
    if not is_name(of) or symbols(body) - {of} or any(part.op in BINDERS for part in walk(body)):
        raise Malformed(f"{name}: {value['is']} is not a formula in the entries of {of} alone")
    return Function(of, body)


def _index(name: str, key: Any) -> int:
    if not isinstance(key, str) or not key.removeprefix("-").isdecimal() or str(int(key)) != key:
        raise Malformed(f"{name}: {key!r} is not an index; write integers such as '0'")
    return int(key)


def holds(relation: Relation, env: Mapping[str, Any]) -> bool:
    """Decide a relation at a point. Raises `Undefined` where it has no value or cannot be decided."""
    if relation.binder is not None:
        return _holds_for_all(relation, env)
    try:
        return _decided(relation, env, Exact())
    except Inexact:
        return _holds_in_balls(relation, env)


def _decided(relation: Relation, env: Mapping[str, Any], ring: Ring) -> bool:
    left, right = (evaluate(side, env, ring) for side in (relation.left, relation.right))
    if isinstance(left, Mat) or isinstance(right, Mat) or relation.op == "<<":
        return _matrices(relation, left, right)
    return _compare(relation.op, left, right)


def _compare(op: str, left: Any, right: Any) -> bool:
    return bool(COMPARED[op](left, right))


def _matrices(relation: Relation, left: Any, right: Any) -> bool:
    if relation.op == "<<":
        return is_nonnegative(left, right)
    if relation.op not in ("==", "!=") or not (isinstance(left, Mat) and isinstance(right, Mat)):
        raise Malformed(f"{relation}: matrices are compared with == or !=")
    same = left.shape == right.shape and left.rows == right.rows
    return same if relation.op == "==" else not same


def _holds_for_all(relation: Relation, env: Mapping[str, Any]) -> bool:
    assert relation.binder is not None
    index, lo, hi = relation.binder
    if lo.op == "points":
        bare = relation.under(relation.more)
        return all(holds(bare, {**env, index: column}) for column in _grid(lo, env))
    points = len(weights_of(str(lo.value), env).rows) if lo.op == "domain" else None
    first, last = (1, points) if points is not None else range_of(lo, hi, index, env)
    bare = relation.under(relation.more)
    return all(holds(bare, {**env, index: to_fmpq(i)}) for i in range(first, last + 1))


def _grid(points: Node, env: Mapping[str, Any]) -> Iterator[Any]:
    """Some vectors of the size, and those of the point: where a hypothesis for every vector is tried.

    No witness rests on it (see `everywhere`). A proof takes such a hypothesis at the vectors that the claim names.
    """
    size = Exact().integer(evaluate(points.args[0], env, Exact()), points)
    entries = [to_fmpq(Fraction(one)) for one in ("-3", "-1/2", "0", "1", "2")]
    for at, first in enumerate(entries):
        column = [entries[(at * (i + 1) + i) % len(entries)] for i in range(1, size)]
        yield Mat(((first,), *((one,) for one in column))) if size > 1 else first
    yield from (one for value in env.values() for one in _columns(value) if one.shape == (size, 1))


def _columns(value: Any) -> Iterator[Mat]:
    if isinstance(value, Mat):
        yield value
    elif isinstance(value, Family):
        for inner in value.values.values():
            yield from _columns(inner)


def range_of(lo: Node, hi: Node, index: str, env: Mapping[str, Any]) -> tuple[int, int]:
    if lo == OMEGA:
        weights = env.get(f"p_{index}")
        if not isinstance(weights, Mat) or weights.shape[1] != 1:
            raise Malformed(f"the point gives no probabilities p_{index}; write a column of them")
        if any(p <= 0 for (p,) in weights.rows) or sum((p for (p,) in weights.rows), to_fmpq(0)) != 1:
            raise Rejected(f"p_{index} is not a distribution of positive probabilities that add up to one")
        return 1, len(weights.rows)
    ring = Exact()
    try:
        first, last = (ring.integer(evaluate(b, env, ring), b) for b in (lo, hi))
    except Inexact:
        raise Undecidable(f"the range from {lo} to {hi} does not end at rationals; choose another point") from None
    if last - first > MAX_RANGE:
        raise Malformed(f"a range of {last - first} indices is longer than {MAX_RANGE}")
    return first, last


def to_balls(value: Any) -> Any:
    """A value in the ring of balls, at the precision of `flint.ctx`."""
    return _moved(value, _ball)


def _ball(value: Any) -> Any:
    return evaluate(value.node, {}, Balls()) if isinstance(value, Surd) else flint.arb(value)


def _moved(value: Any, act: Callable[[Any], Any]) -> Any:
    if hasattr(value, "anew"):
        return value.anew(lambda inner: _moved(inner, act))
    return value.map(act) if hasattr(value, "map") else act(value)


def _holds_in_balls(relation: Relation, env: Mapping[str, Any]) -> bool:
    """What balls leave open may be an equality of algebraic numbers."""
    for bits in PRECISIONS:
        with flint.ctx.workprec(bits):
            try:
                balls = {name: to_balls(value) for name, value in env.items()}
                gap = evaluate(Node("-", (relation.left, relation.right)), balls, Balls())
            except (Undefined, Undecidable):
                continue
            if isinstance(gap, Mat):
                break
            if gap > 0 or gap < 0:
                return _compare(relation.op, 1 if gap > 0 else -1, 0)
    try:
        if HISTORIES not in env:
            return _decided(relation, {name: _moved(value, algebraic) for name, value in env.items()}, Algebraics())
    except Inexact:
        pass
    raise Undecidable(f"{relation} cannot be decided at {PRECISIONS[-1]} bits; choose a point where it is rational")


def check_probabilities(claim: Claim, env: Mapping[str, Any]) -> None:
    for name in env:
        if name.startswith("p_") and isinstance(env[name], Mat):
            range_of(OMEGA, OMEGA, name[2:], env)


def satisfies_hypotheses(claim: Claim, values: Mapping[str, Any]) -> dict[str, Any]:
    """The environment of a point that satisfies every hypothesis, or `Rejected` naming the one that fails."""
    env = environment(values, claim)
    check_probabilities(claim, env)
    for source, hypothesis in zip(claim.given, claim.hypotheses, strict=True):
        try:
            true = holds(hypothesis, env)
        except (Undefined, Undecidable) as error:
            raise Rejected(f"{claim.id}: the hypothesis {source} has no value at this point ({error})") from None
        if not true:
            raise Rejected(f"{claim.id}: the point violates the hypothesis {source}")
    return env


def check_witness(claim: Claim, values: Mapping[str, Any]) -> str:
    """The goal that fails at the point (with what happens), or `Rejected` if all hold or a hypothesis fails."""
    env = satisfies_hypotheses(claim, values)
    for source, hypothesis in zip(claim.given, claim.hypotheses, strict=True):
        if is_everywhere(hypothesis) and not holds_everywhere(hypothesis, env):
            raise Rejected(f"{claim.id}: the hypothesis {source} is not shown to hold for every vector at this point")
    for source, goal in zip(claim.says, claim.goals, strict=True):
        try:
            if not holds(goal, env):
                return f"{source} fails"
        except Undecidable:
            continue
        except Missing as error:
            raise Rejected(f"{claim.id}: the point gives too few values ({error})") from None
        except Undefined as error:
            return f"{source} has no value ({error})"
    raise Rejected(f"{claim.id}: everything that is claimed holds at this point, so it is no witness")


def side_values(relation: Relation, env: Mapping[str, Any]) -> tuple[str, str]:
    """Both sides at a point, for people: exact when rational, else decimal."""
    shown = []
    for side in (relation.left, relation.right):
        try:
            shown.append(_side(side, env))
        except Undefined as error:
            shown.append(f"undefined ({error})")
    return shown[0], shown[1]


def _side(side: Node, env: Mapping[str, Any]) -> str:
    try:
        value = evaluate(side, env, Exact())
    except Inexact:
        value = None
    if isinstance(value, Surd):
        return str(value)
    if value is None:
        with flint.ctx.workprec(128):
            return str(evaluate(side, {n: to_balls(v) for n, v in env.items()}, Balls()))
    return str(value) if not isinstance(value, Mat) else str([[str(x) for x in r] for r in value.rows])
