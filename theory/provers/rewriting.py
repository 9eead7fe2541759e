"""What provers share: the parts of a relation, names that are free, and an equation used from left to right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, fraction_node, scalars_of
from theory.kernel.lang import Node, Relation, relation_symbols, replace_relation, text, walk
from theory.kernel.sequent import Sequent
from theory.provers.tactics import Tactic, auto, have


def parts(*relations: Relation) -> Iterator[Node]:
    """Every part of both sides."""
    return (part for relation in relations for side in (relation.left, relation.right) for part in walk(side))


def shorter(node: Node) -> Node:
    """The same number as one fraction, multiplied out."""
    ring, (value,), atoms = scalars_of([node])
    return atoms.restore(fraction_node(value, ring.names))


def new_names(sequent: Sequent, *preferred: str, stem: str) -> Iterator[str]:
    """Names that the sequent does not use: the preferred ones, then the stem with a number."""
    used = relation_symbols(sequent.goal).union(*map(relation_symbols, sequent.facts)) | sequent.naturals
    return (name for name in chain(preferred, (f"{stem}{i}" for i in count(1))) if name not in used)


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
