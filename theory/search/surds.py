"""Numbers that follow from others by roots, written out: sqrt(2 + x) at x = sqrt(2) is sqrt(2 + sqrt(2)).

The kernel reads what is written here as an entry of a point, and decides with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from theory.kernel.algebraic import Surd, algebraic, number
from theory.kernel.errors import Undefined
from theory.kernel.evaluate import evaluate
from theory.kernel.lang import Node, num, text
from theory.kernel.rings import Exact, Inexact, to_fraction

LONGEST, LARGEST_SQUARE, PRIMES = 2_000, 10**12, (2, 3, 5, 7, 11, 13)
ONE = num(1)
Entry = Fraction | Surd


def entry(formula: Node, env: Mapping[str, Any]) -> Entry:
    """The value of a formula at rationals and surds; `Inexact` where it needs more than roots."""
    found = evaluate(formula, {name: _moved(value) for name, value in env.items()}, _Ring())
    if not isinstance(found, _Written):
        raise Inexact(text(formula))
    return found.entry()


def read(value: Any) -> Entry:
    """An entry of a point."""
    try:
        return Fraction(value)
    except ValueError:
        found = number(value)
        return found if isinstance(found, Surd) else to_fraction(found)


def _moved(value: Any) -> Any:
    return value.map(_moved) if hasattr(value, "map") else _Written(_node(value))


def _node(value: Any) -> Node:
    return value.node if isinstance(value, Surd) else num(to_fraction(value) if isinstance(value, fmpq) else value)


@dataclass(frozen=True, slots=True)
class _Written:
    """A number as a formula of numbers."""

    node: Node

    def entry(self) -> Entry:
        return self.node.value if self.node.op == "num" else read(text(self.node))

    def __add__(self, other: _Written) -> _Written:
        return _Written(_added("+", self.node, other.node))

    def __sub__(self, other: _Written) -> _Written:
        return _Written(_added("-", self.node, other.node))

    def __mul__(self, other: _Written) -> _Written:
        return _Written(_times(self.node, other.node))

    def __neg__(self) -> _Written:
        return _Written(_times(num(-1), self.node))

    def __pow__(self, n: int) -> _Written:
        result = ONE
        for _ in range(n):
            result = _times(result, self.node)
            if len(text(result)) > LONGEST:
                raise Inexact("a long formula")
        return _Written(result)


class _Ring:
    def const(self, value: Fraction) -> _Written:
        return _Written(num(value))

    def divide(self, a: _Written, b: _Written) -> _Written:
        if b.node == num(0):
            raise Undefined("division by zero")
        return _Written(_over(a.node, b.node))

    def integer(self, value: _Written, node: Node) -> int:
        found = value.entry()
        return Exact().integer(found if isinstance(found, Surd) else Exact().const(found), node)

    def call(self, name: str, args: list[_Written]) -> _Written:
        if name == "sqrt":
            return _Written(_root(args[0].node))
        if name == "abs":
            return -args[0] if _size(args[0]) < 0 else args[0]
        if name in ("min", "max"):
            pick: Callable[..., _Written] = min if name == "min" else max
            return pick(args, key=_size)
        raise Inexact(name)


def _size(one: _Written) -> Any:
    found = number(text(one.node))
    return found.value if isinstance(found, Surd) else algebraic(found)


def _split(node: Node) -> tuple[Fraction, Node]:
    """A number in front, and the rest."""
    if node.op == "num":
        return node.value, ONE
    if node.op == "neg":
        front, rest = _split(node.args[0])
        return -front, rest
    return (node.args[0].value, node.args[1]) if node.op == "*" and node.args[0].op == "num" else (Fraction(1), node)


def _scaled(front: Fraction, rest: Node) -> Node:
    if rest == ONE or front == 0:
        return num(front)
    return rest if front == 1 else Node("neg", (rest,)) if front == -1 else Node("*", (num(front), rest))


def _added(op: str, left: Node, right: Node) -> Node:
    (a, one), (b, other) = _split(left), _split(right)
    if one == other or num(0) in (left, right):
        total = a + b if op == "+" else a - b
        return _scaled(total, other if left == num(0) else one)
    return Node(op, (left, right))


def _times(left: Node, right: Node) -> Node:
    (a, one), (b, other) = _split(left), _split(right)
    if ONE in (one, other):
        return _scaled(a * b, other if one == ONE else one)
    if one.op == other.op == "sqrt" and (one == other or one.args[0].op == other.args[0].op == "num"):
        front, rest = _split(one.args[0] if one == other else _root(_times(one.args[0], other.args[0])))
        return _scaled(a * b * front, rest)
    return _scaled(a * b, Node("*", (one, other)))


def _over(left: Node, right: Node) -> Node:
    """1/sqrt(2) is 1/2*sqrt(2)."""
    front, rest = _split(right)
    if rest.op == "sqrt" and rest.args[0].op == "num":
        return _times(_times(left, num(1 / (front * rest.args[0].value))), rest)
    head, body = _split(left)
    return _scaled(head / front, body if rest == ONE else Node("/", (body, rest)))


def _root(inside: Node) -> Node:
    """sqrt(8) is 2*sqrt(2), sqrt(1/2) is 1/2*sqrt(2)."""
    if inside.op != "num" or inside.value < 0 or max(inside.value.as_integer_ratio()) > LARGEST_SQUARE:
        return Node("sqrt", (inside,))
    top, bottom = inside.value.as_integer_ratio()
    rest, outside = top * bottom, Fraction(1, bottom)
    for prime in PRIMES:
        while rest and rest % prime**2 == 0:
            rest, outside = rest // prime**2, outside * prime
    found = number(f"sqrt({rest})")
    if isinstance(found, Surd):
        return _scaled(outside, Node("sqrt", (num(rest),)))
    return num(outside * to_fraction(found))
