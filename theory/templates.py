"""Which constants of an inequality can be sharpened: the bound as a whole, and each of its terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from theory.kernel import Claim
from theory.kernel.lang import Node, Relation, num, parse_relation, sym, text

BOUNDS = {"<=": True, "<": True, ">=": False, ">": False}
UP_TO = Fraction(8)


@dataclass(frozen=True)
class Template:
    """A claim with a free factor. Printed is the factor 1; `strong` is the most that could be asked for.

    part   the part of the bound that the factor multiplies, as written
    """

    claim: Claim
    name: str
    part: str
    direction: str
    strong: Fraction
    weak: Fraction = Fraction(1)


def templates(claim: Claim) -> tuple[Template, ...]:
    """For every goal that is an inequality: a factor before the larger side, and before each of its terms."""
    name = next(n for n in ("C", "C1", "C2", "C3") if n not in claim.variables and n not in dict(claim.where))
    found: list[Template] = []
    for position, source in enumerate(claim.says):
        relation = parse_relation(source)
        if relation.op not in BOUNDS or relation.binder is not None:
            continue
        large = relation.right if BOUNDS[relation.op] else relation.left
        if large == num(0):
            continue
        terms = list(_terms(large, 1))
        found.append(_template(claim, position, relation, name, large, _scaled(large, name), "down"))
        for term, sign in terms if len(terms) > 1 else ():
            scaled = _rebuilt(large, term, _scaled(term, name))
            found.append(_template(claim, position, relation, name, term, scaled, "down" if sign > 0 else "up"))
    return tuple(found)


def _template(
    claim: Claim, position: int, relation: Relation, name: str, part: Node, scaled: Node, direction: str
) -> Template:
    sides = (relation.left, scaled) if BOUNDS[relation.op] else (scaled, relation.right)
    says = (*claim.says[:position], str(Relation(relation.op, *sides)), *claim.says[position + 1 :])
    return Template(
        replace(claim, says=says), name, text(part), direction, Fraction(0) if direction == "down" else UP_TO
    )


def _scaled(node: Node, name: str) -> Node:
    return Node("*", (sym(name), node))


def _terms(node: Node, sign: int) -> Iterator[tuple[Node, int]]:
    """The summands of a bound, with their signs."""
    if node.op in ("+", "-"):
        yield from _terms(node.args[0], sign)
        yield from _terms(node.args[1], sign if node.op == "+" else -sign)
    elif node.op == "neg":
        yield from _terms(node.args[0], -sign)
    else:
        yield node, sign


def _rebuilt(node: Node, term: Node, scaled: Node) -> Node:
    """The bound with one of its summands replaced (the very node, not an equal one)."""
    if node is term:
        return scaled
    if node.op in ("+", "-", "neg"):
        return Node(node.op, tuple(_rebuilt(arg, term, scaled) for arg in node.args), node.value)
    return node
