"""Formulas read as trees: for those that are too large to be multiplied out."""

from __future__ import annotations

from collections.abc import Iterable

from theory.kernel.lang import Node, Relation, num, symbols

ONE, ZERO = num(1), num(0)
Linear = tuple[Node, Node]


def size(node: Node) -> int:
    """The number of nodes."""
    return 1 + sum(map(size, node.args))


def relation_size(relation: Relation) -> int:
    return size(relation.left) + size(relation.right)


def linear(node: Node, name: str) -> Linear | None:
    """(slope, rest) with node == slope*name + rest, or None where the tree does not show it."""
    if node.op == "sym" and node.value == name:
        return ONE, ZERO
    if name not in symbols(node):
        return ZERO, node
    if node.op not in ("neg", "+", "-", "*", "/"):
        return None
    parts = [linear(arg, name) for arg in node.args]
    if None in parts:
        return None
    first = parts[0] or (ZERO, ZERO)
    if node.op == "neg":
        return minus(ZERO, first[0]), minus(ZERO, first[1])
    second = parts[1] or (ZERO, ZERO)
    if node.op in ("+", "-"):
        join = plus if node.op == "+" else minus
        return join(first[0], second[0]), join(first[1], second[1])
    if second[0] == ZERO:
        join = times if node.op == "*" else over
        return join(first[0], second[1]), join(first[1], second[1])
    if node.op == "*" and first[0] == ZERO:
        return times(first[1], second[0]), times(first[1], second[1])
    return None


def plus(a: Node, b: Node) -> Node:
    return b if a == ZERO else a if b == ZERO else Node("+", (a, b))


def minus(a: Node, b: Node) -> Node:
    return a if b == ZERO else Node("neg", (b,)) if a == ZERO else Node("-", (a, b))


def times(a: Node, b: Node) -> Node:
    return ZERO if ZERO in (a, b) else b if a == ONE else a if b == ONE else Node("*", (a, b))


def over(a: Node, b: Node) -> Node:
    return a if a == ZERO or b == ONE else Node("/", (a, b))


def positive_names(facts: Iterable[Relation]) -> frozenset[str]:
    """Names that a fact states to be positive: x > 0, x >= 1, 2 < x."""
    found = set()
    for fact in facts:
        large, small = (fact.left, fact.right) if fact.op in (">", ">=") else (fact.right, fact.left)
        if fact.op in (">", ">=", "<", "<=") and large.op == "sym" and small.op == "num" and small.value is not None:
            least = small.value
            if not isinstance(least, str) and (least > 0 or (least == 0 and fact.op in (">", "<"))):
                found.add(str(large.value))
    return frozenset(found)


def sign(node: Node, positive: frozenset[str]) -> int:
    """+1 or -1 where the tree shows it, else 0."""
    if node.op == "num" and not isinstance(node.value, str) and node.value is not None:
        return int(node.value > 0) - int(node.value < 0)
    if node.op == "sym":
        return int(node.value in positive)
    signs = [sign(arg, positive) for arg in node.args]
    if node.op == "neg":
        return -signs[0]
    if node.op in ("*", "/"):
        return signs[0] * signs[1]
    if node.op in ("+", "-"):
        second = signs[1] if node.op == "+" else -signs[1]
        return signs[0] if signs[0] == second else 0
    return 1 if node.op in ("**", "sqrt", "exp", "abs") and signs[0] == 1 else 0
