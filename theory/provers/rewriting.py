"""An equation used from left to right: the goal with one side put in for the other, and back to the goal."""

from __future__ import annotations

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, fraction_node, scalars_of
from theory.kernel.lang import Node, Relation, replace_relation, text
from theory.provers.tactics import Tactic, auto, have


def rewritten(goal: Relation, equation: Relation, at: int, count: int) -> Tactic | None:
    """The tactic, where the equation is fact number `at` of `count` facts; None if the way back is no polynomial."""
    image = replace_relation(goal, equation.left, equation.right)
    cofactor = _cofactor(goal, image, Node("-", (equation.left, equation.right)))
    if cofactor is None:
        return None
    modulo = [[at, cofactor]]
    if goal.op == "==":
        last: Tactic = {"kind": "identity", "modulo": [[count, "1"], *modulo]}
    else:
        last = {"kind": "cone", "terms": [{"c": "1", "of": [count]}], "modulo": modulo}
    return have(str(image), auto(), then=last)


def _cofactor(goal: Relation, image: Relation, equation: Node) -> str | None:
    """How often the equation is needed to come from one goal to the other."""
    try:
        gap = Node("-", (difference(goal)[0], difference(image)[0]))
        ring, (change, one), atoms = scalars_of([gap, equation])
        if one.is_zero:
            return None
        ratio = change / one
    except KernelError:
        return None
    return text(atoms.restore(fraction_node(ratio, ring.names))) if ratio.den.is_constant() else None
