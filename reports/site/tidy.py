"""A formula of a claim as a reader would write it: equal to it, and never what the kernel judges.

Claims count to 2m and 2n where the paper has K and T; they write a quotient within a quotient, a factor 1 where a
constant would stand, and an iteration where the paper has the power of a matrix. The formal form stands behind its fold
as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from theory.kernel.lang import Node, Relation, symbols

ONE = Node("num", value=Fraction(1))
TWO = Node("num", value=Fraction(2))


def tidy(formula: Node | Relation, halved: tuple[str, ...] = ()) -> Node | Relation:
    """`halved` are the names that stand for half of an even number; the number is printed instead."""

    def one(node: Node) -> Node:
        for half in halved:
            node = _whole(node, Node("sym", value=half))
        return _flat(node)

    return one(formula) if isinstance(formula, Node) else _everywhere(formula, one)


def _everywhere(relation: Relation, one: Callable[[Node], Node]) -> Relation:
    bound = relation.binder and (relation.binder[0], one(relation.binder[1]), one(relation.binder[2]))
    more = tuple((name, one(low), one(high)) for name, low, high in relation.more)
    return replace(relation, left=one(relation.left), right=one(relation.right), binder=bound, more=more)


def _whole(node: Node, half: Node) -> Node:
    """2m and m + m become the whole, m by itself half of it; the whole is printed by the name of the half."""
    if node in (Node("*", (TWO, half)), Node("+", (half, half))):
        return half
    if node == half:
        return Node("/", (half, TWO))
    return Node(node.op, tuple(_whole(arg, half) for arg in node.args), node.value) if node.args else node


def _flat(node: Node) -> Node:
    if not node.args:
        return node
    if node.op in ("*", "/", "neg") and _nested(node):
        return _quotient(node)
    if node.op == "iterate" and _linear(node):
        _, count, start, body = node.args
        return _flat(Node("@", (Node("**", (body.args[0], count)), start)))
    return Node(node.op, tuple(map(_flat, node.args)), node.value)


def _linear(node: Node) -> bool:
    """Is every step of the iteration a product with one and the same matrix?"""
    state, _, _, body = node.args
    return body.op == "@" and body.args[1] == state and str(state.value) not in symbols(body.args[0])


def _nested(node: Node) -> bool:
    """A quotient inside a quotient, a factor 1, several numbers, or a sign inside a quotient."""
    above, below, sign = _factors(node)
    numbers = sum(factor.op == "num" for factor in (*above, *below))
    return _quotients(node) > 1 or numbers > 1 or (ONE in above and len(above) > 1) or (bool(below) and sign < 0)


def _quotients(node: Node) -> int:
    return (node.op == "/") + sum(map(_quotients, node.args)) if node.op in ("*", "/", "neg") else 0


def _factors(node: Node) -> tuple[list[Node], list[Node], int]:
    """What is multiplied, what divides, and the sign."""
    if node.op == "neg":
        above, below, sign = _factors(node.args[0])
        return above, below, -sign
    if node.op not in ("*", "/"):
        return [node], [], 1
    (above, below, sign), (more, less, other) = _factors(node.args[0]), _factors(node.args[1])
    if node.op == "/":
        more, less = less, more
    return above + more, below + less, sign * other


def _quotient(node: Node) -> Node:
    above, below, sign = _factors(node)
    number = Fraction(sign)
    for factor in above:
        number *= factor.value if factor.op == "num" else 1
    for factor in below:
        number /= factor.value if factor.op == "num" and factor.value else 1
    if any(factor.op == "num" and not factor.value for factor in below):
        return node
    top = [_flat(factor) for factor in above if factor.op != "num"]
    bottom = [_flat(factor) for factor in below if factor.op != "num"]
    return _written(number, top, bottom)


def _written(number: Fraction, top: list[Node], bottom: list[Node]) -> Node:
    """One quotient with its number, and sums behind it."""
    wide = [one for one in top if one.op in ("sum", "prod", "iterate", "list")]
    upper = [one for one in top if one not in wide]
    over, under = abs(number.numerator), number.denominator
    upper = [Node("num", value=Fraction(over)), *upper] if over != 1 or not top else upper
    lower = [Node("num", value=Fraction(under)), *bottom] if under != 1 else bottom
    made = Node("/", (_product(upper or [ONE]), _product(lower))) if lower else _product(upper) if upper else None
    made = _product([*([made] if made else []), *wide])
    return Node("neg", (made,)) if number < 0 else made


def _product(factors: list[Node]) -> Node:
    made = factors[0]
    for factor in factors[1:]:
        made = Node("*", (made, factor))
    return made
