"""Sets too thin to be hit by chance: zeros of divisors and of factors, equality where a goal is strict."""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.flat import polynomial_node, scalars_of
from theory.kernel.lang import Node, Relation, num, relation_symbols
from theory.kernel.sequent import Obligation, Sequent, is_plain, obligations
from theory.search.kinds import Kinds
from theory.search.plan import Plan, Space, plans_for
from theory.search.shapes import Shape, TooLarge
from theory.search.slots import unroll_relation

MOST = 6


def thin_plans(claim: Claim, kinds: Kinds, shape: Shape, space: Space) -> Iterator[Plan]:
    """Plans whose points lie where a goal has no value, a factor vanishes, or a strict goal is an equality."""
    made = 0
    for relation in _thin_relations(claim):
        try:
            for extra in unroll_relation(relation, shape):
                for plan in plans_for(claim, kinds, shape, space, 1, [extra]) if relation_symbols(extra) else ():
                    made += 1
                    yield plan
                if made >= MOST:
                    return
        except TooLarge:
            continue


def _thin_relations(claim: Claim) -> Iterator[Relation]:
    for given in claim.hypotheses:
        if given.op == "==" and given.binder is None:
            yield from _branches(given)
    for goal in claim.goals:
        if goal.op in ("<", ">", "!="):
            yield Relation("==", goal.left, goal.right, goal.binder)
    for goal in claim.goals:
        sequent = Sequent(claim.hypotheses, goal, frozenset(claim.naturals))
        for one in (*obligations(goal.left), *obligations(goal.right)):
            if one.kind == "nonzero" and len(one.binders) <= 1 and not _settled(one, sequent):
                for factor in _factors(one.node):
                    yield Relation("==", factor, num(0), one.binders[0] if one.binders else None)


def _branches(equation: Relation) -> Iterator[Relation]:
    """A product is zero: each factor in turn."""
    try:
        ring, (value,), atoms = scalars_of([Node("-", (equation.left, equation.right))])
    except KernelError:
        return
    factors = [factor for factor, _ in value.num.factor()[1]] if not value.is_zero else []
    if 1 < len(factors) <= MOST:
        yield from (Relation("==", atoms.restore(polynomial_node(one, ring.names)), num(0)) for one in factors)


def _factors(node: Node) -> Iterator[Node]:
    """Formulas that vanish only where the node does: sqrt(abs(x*y)) has the factors x and y."""
    if node.op in ("sqrt", "abs", "neg", "**"):
        yield from _factors(node.args[0])
    elif node.op == "*":
        yield from (part for arg in node.args for part in _factors(arg))
    elif node.op == "/":
        yield from _factors(node.args[0])
    elif node.op != "num":
        yield node


def _settled(one: Obligation, sequent: Sequent) -> bool:
    try:
        return is_plain(one, sequent)
    except KernelError:
        return False
