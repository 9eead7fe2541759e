"""Between integers there is room: what is above 1 is at least 2, and d*(d - 1) is never negative.

An integer with a factor is looked at case by case, factor >= 0 or factor <= -1; a goal between integers that fails does
so by one at least.
"""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, polynomial_node, scalars_of
from theory.kernel.lang import Node, Relation, num, relation_symbols, sym, text
from theory.kernel.sequent import Certificate, Sequent, is_integer
from theory.provers import arithmetic
from theory.provers.frame import accepted

MOST = 6  # pivots of one goal
DEPTH = 2  # cases within cases


def find(sequent: Sequent, depth: int = DEPTH) -> Certificate | None:
    """Whole cases of a factor of the goal, or of the goal itself, each closed by arithmetic."""
    if sequent.goal.binder is not None or sequent.goal.op not in ("<=", ">=", "<", ">"):
        return None
    for pivot in list(_pivots(sequent))[:MOST]:
        cert = _cases(pivot, sequent, depth)
        if cert is not None and accepted(cert, sequent):
            return cert
    return None


def _cases(pivot: Node, sequent: Sequent, depth: int) -> Certificate | None:
    cert: Certificate = {"kind": "cases", "on": text(pivot), "whole": True}
    for case, op, bound in (("nonpositive", "<=", -1), ("nonnegative", ">=", 0)):
        here = Relation(op, pivot, num(bound))
        if here in sequent.facts:
            return None
        found = arithmetic.close(sequent.given(here)) or (find(sequent.given(here), depth - 1) if depth > 1 else None)
        if found is None:
            return None
        cert[case] = found
    return cert


def _pivots(sequent: Sequent) -> Iterator[Node]:
    """The goal as an integer, or one less where it is strict; its factors; its names less one."""
    gap, strict = difference(sequent.goal)
    try:
        ring, (value,), _ = scalars_of([gap])
    except KernelError:
        return
    if value.is_zero:
        return
    content, factors = value.num.factor()
    poly = [value.num / abs(content) - int(strict), *(factor for factor, _ in factors)]
    lone = [Node("-", (sym(name), num(1))) for name in sorted(relation_symbols(sequent.goal) & sequent.naturals)]
    for node in dict.fromkeys([*(polynomial_node(one, ring.names) for one in poly if not one.is_constant()), *lone]):
        if is_integer(node, sequent.naturals):
            yield node
