"""What provers share: the parts of a relation, names that are free, and an equation used from left to right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, count

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.flat import difference, fraction_node, scalars_of
from theory.kernel.lang import BINDERS, Node, Relation, relation_symbols, replace_relation, symbols, text, walk
from theory.kernel.rules import RULES, check
from theory.kernel.sequent import Certificate, Sequent, Tally
from theory.provers.tactics import Tactic, auto, have


def parts(*relations: Relation) -> Iterator[Node]:
    """Every part of both sides."""
    return (part for relation in relations for side in (relation.left, relation.right) for part in walk(side))


def bound_names(relation: Relation) -> frozenset[str]:
    """The names that a forall, a sum, a mean or an iteration of the relation binds."""
    inner = {str(part.args[0].value) for part in parts(relation) if part.op in BINDERS}
    return frozenset(inner) | {one[0] for one in relation.binders}


def free_parts(*relations: Relation) -> Iterator[Node]:
    """The parts of relations without a forall that no sum, mean or iteration around them binds a name of."""
    return (part for relation in relations for side in (relation.left, relation.right) for part in _free(side, set()))


def _free(node: Node, bound: set[str]) -> Iterator[Node]:
    if symbols(node).isdisjoint(bound):
        yield node
    inner = bound | {str(node.args[0].value)} if node.op in BINDERS else bound
    for place, arg in enumerate(node.args):
        if node.op not in BINDERS or place:
            yield from _free(arg, inner if node.op in BINDERS and place == len(node.args) - 1 else bound)


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


def after_solving(cert: Certificate, sequent: Sequent) -> Sequent | None:
    """The sequent that the kernel will want proved after the elimination."""
    seen: list[Sequent] = []

    def capture(inner_cert: Certificate, inner: Sequent, library: Mapping[str, Claim], tally: Tally) -> None:
        seen.append(inner)

    try:
        check({**cert, "then": {"kind": "auto"}}, sequent, {}, Tally(table={**RULES, "auto": capture}))
    except KernelError:
        return None
    return seen[0] if seen else None
