"""Which constants of an inequality can be sharpened: the bound as a whole, and each of its terms.

The bound is the right side. A factor before it makes the claim stronger in one direction only if its sign is known, so
that the sign is proved first; what has no sign is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from theory.kernel import Claim
from theory.kernel.lang import Node, Relation, num, parse_relation, sym, text

UPPER = {"<=": True, "<": True, ">=": False, ">": False}
UP_TO = Fraction(8)
Sign = Callable[[Claim, str], int]


@dataclass(frozen=True)
class Template:
    """A claim with a free factor. Printed is the factor 1; `strong` is the most that could be asked for.

    part    the part of the bound that the factor multiplies, as written
    whole   the factor stands before the whole bound
    """

    claim: Claim
    name: str
    part: str
    direction: str
    strong: Fraction
    whole: bool
    weak: Fraction = Fraction(1)


def templates(claim: Claim, sign: Sign) -> tuple[Template, ...]:
    """For every goal that is an inequality: a factor before the bound, and before each of its terms.

    sign   +1 or -1 when the formula is proved to be >= 0 or <= 0 under the hypotheses of the claim, else 0
    """
    name = next(n for n in ("C", "C1", "C2", "C3") if n not in claim.variables and n not in dict(claim.where))
    found: list[Template] = []
    for position, source in enumerate(claim.says):
        relation = parse_relation(source)
        if relation.op not in UPPER or relation.binder is not None or num(0) in (relation.left, relation.right):
            continue
        terms = list(_terms(relation.right, 1))
        parts = [(relation.right, 1), *(terms if len(terms) > 1 else ())]
        for part, outer in parts:
            known = outer * sign(claim, text(part))
            if known:
                found.append(_template(claim, position, relation, name, part, known))
    return tuple(found)


def _template(claim: Claim, position: int, relation: Relation, name: str, part: Node, sign: int) -> Template:
    """An upper bound gets stronger as a positive part shrinks or a negative one grows; a lower bound conversely."""
    down = UPPER[relation.op] == (sign > 0)
    bound = _rebuilt(relation.right, part, Node("*", (sym(name), part)))
    says = (*claim.says[:position], str(Relation(relation.op, relation.left, bound)), *claim.says[position + 1 :])
    direction, strong = ("down", Fraction(0)) if down else ("up", UP_TO)
    return Template(replace(claim, says=says), name, text(part), direction, strong, part is relation.right)


def _terms(node: Node, sign: int) -> Iterator[tuple[Node, int]]:
    """The summands of a bound, with their signs."""
    if node.op in ("+", "-"):
        yield from _terms(node.args[0], sign)
        yield from _terms(node.args[1], sign if node.op == "+" else -sign)
    elif node.op == "neg":
        yield from _terms(node.args[0], -sign)
    else:
        yield node, sign


def _rebuilt(node: Node, part: Node, scaled: Node) -> Node:
    """The bound with one of its parts replaced (the very node, not an equal one)."""
    if node is part:
        return scaled
    if node.op in ("+", "-", "neg"):
        return Node(node.op, tuple(_rebuilt(arg, part, scaled) for arg in node.args), node.value)
    return node
