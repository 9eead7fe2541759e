"""How a claim uses its free names: which are numbers, which count something, which are families or spaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from theory.kernel.claim import Claim
from theory.kernel.flat import OMEGA
from theory.kernel.lang import BINDERS, Node, Relation, walk


@dataclass(frozen=True)
class Kinds:
    """How the free names of a claim are used."""

    counting: tuple[
        str, ...
    ]  # naturals that are exponents, indices or ends of ranges; numbers at which an index begins
    plain: tuple[str, ...]  # naturals that are only numbers
    families: tuple[str, ...]  # columns and matrices
    spaces: tuple[str, ...]  # probability spaces
    reals: tuple[str, ...]


def relations_of(claim: Claim) -> tuple[Relation, ...]:
    return (*claim.hypotheses, *claim.goals)


def _nodes(relation: Relation) -> Iterator[Node]:
    yield from (relation.left, relation.right)
    if relation.binder is not None and relation.binder[1] != OMEGA:
        yield from relation.binder[1:]


def kinds_of(claim: Claim) -> Kinds:
    """Read off from the formulas which names count, which are families and which are spaces."""
    counted: set[str] = set()
    indexed: set[str] = set()
    pointing: set[str] = set()
    spaces: set[str] = set()
    bound: set[str] = set()
    for relation in relations_of(claim):
        if relation.binder is not None:
            bound.add(relation.binder[0])
            if relation.binder[1] == OMEGA:
                spaces.add(relation.binder[0])
            else:
                counted |= {n for end in relation.binder[1:] for n in names_in(end)}
        for node in (part for whole in _nodes(relation) for part in walk(whole)):
            if node.op in BINDERS:
                bound.add(str(node.args[0].value))
            if node.op == "iterate":
                pointing |= beginnings(node)
            if node.op == "mean":
                spaces.add(str(node.args[0].value))
            elif node.op in ("sum", "iterate"):
                counted |= {n for end in node.args[1 : 3 if node.op == "sum" else 2] for n in names_in(end)}
            elif node.op == "**":
                counted |= names_in(node.args[1])
            elif node.op == "index":
                counted |= {n for i in node.args[1:] for n in names_in(i)}
                if node.args[0].op == "sym":
                    indexed.add(str(node.args[0].value))
    free = set(claim.variables)
    listed = {name for name, value in claim.example if isinstance(value, list) and name in free}
    families = (indexed | listed) & free
    naturals = set(claim.naturals) & free
    counting = (naturals & counted) | (pointing & free - families)
    reals = free - families - naturals - counting - {f"p_{w}" for w in spaces}
    return Kinds(
        tuple(sorted(counting)),
        tuple(sorted(naturals - counting)),
        tuple(sorted(families - {f"p_{w}" for w in spaces})),
        tuple(sorted(spaces)),
        tuple(sorted(reals)),
    )


def beginnings(node: Node) -> set[str]:
    """Names at which a component of the state begins that is an index: m in iterate(s, n, [m], [s[1] + x[s[1]]])."""
    state, start = str(node.args[0].value), node.args[2]
    at = {
        int(place.args[1].value)
        for index in walk(node.args[3])
        if index.op == "index"
        for end in index.args[1:]
        for place in walk(end)
        if place.op == "index" and place.args[0].value == state and place.args[1].op == "num"
    }
    entries = [entry for row in start.args for entry in (row.args if row.op == "row" else (row,))]
    begun = [entries[i - 1] for i in at if 0 < i <= len(entries)]
    return {str(one.value) for one in begun if one.op == "sym"}


def names_in(node: Node) -> set[str]:
    return {str(part.value) for part in walk(node) if part.op == "sym"}
