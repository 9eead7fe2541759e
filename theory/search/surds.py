"""Numbers that follow from others by roots, written out: sqrt(2 + x) at x = sqrt(2) is sqrt(2 + sqrt(2)).

The kernel reads what is written here as an entry of a point, and decides with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory.kernel.algebraic import Surd, number
from theory.kernel.errors import Malformed
from theory.kernel.lang import Node, num, text
from theory.kernel.rings import to_fraction

LARGEST_POWER, LARGEST_SQUARE, PRIMES = 8, 10**12, (2, 3, 5, 7, 11, 13)
ONE = num(1)
Entry = Fraction | Surd


def entry(formula: Node, values: Mapping[str, Entry]) -> Entry:
    """The value of a formula; `Malformed` where it has none, or needs more than roots."""
    node = _plain(formula, values)
    found = node.value if node.op == "num" else number(text(node))
    return found if isinstance(found, (Fraction, Surd)) else to_fraction(found)


def read(value: Any) -> Entry:
    """An entry of a point."""
    try:
        return Fraction(value)
    except ValueError:
        found = number(value)
        return found if isinstance(found, Surd) else to_fraction(found)


def _plain(node: Node, values: Mapping[str, Entry]) -> Node:
    if node.op == "num":
        return node
    if node.op == "sym" and node.value in values:
        known = values[str(node.value)]
        return known.node if isinstance(known, Surd) else num(known)
    args = [_plain(arg, values) for arg in node.args]
    match node.op:
        case "neg":
            return _times(num(-1), args[0])
        case "+" | "-" | "*" | "/":
            return _joined(node.op, *args)
        case "**" if args[1].op == "num" and args[1].value.denominator == 1 and abs(args[1].value) <= LARGEST_POWER:
            return _power(args[0], int(args[1].value))
        case "sqrt":
            return _root(args[0])
        case "abs":
            found = number(text(args[0]))
            value = found.value if isinstance(found, Surd) else found
            return _times(num(-1), args[0]) if value < 0 else args[0]
    raise Malformed(f"{text(node)[:80]} is not made of roots")


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


def _joined(op: str, left: Node, right: Node) -> Node:
    if op == "*":
        return _times(left, right)
    if op == "/":
        return _over(left, right)
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
    if front == 0:
        raise Malformed(f"{text(left)[:80]} is divided by zero")
    if rest.op == "sqrt" and rest.args[0].op == "num":
        return _times(_times(left, num(1 / (front * rest.args[0].value))), rest)
    head, body = _split(left)
    return _scaled(head / front, body if rest == ONE else Node("/", (body, rest)))


def _power(base: Node, n: int) -> Node:
    result = ONE
    for _ in range(abs(n)):
        result = _times(result, base)
    return result if n >= 0 else _over(ONE, result)


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
