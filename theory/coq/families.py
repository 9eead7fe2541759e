"""What is put in for the names of a cited claim: numbers, and formulas of an index for its families."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from theory.coq.reserved import ident
from theory.coq.scene import Scene
from theory.coq.statement import Names, Need, integer, real, side
from theory.kernel.claim import Claim
from theory.kernel.lang import Node, Relation, num, symbols, walk
from theory.kernel.logic import instance_of


@dataclass(frozen=True)
class Put:
    """What is put in for the names of a cited claim: numbers, and formulas of an index for families."""

    env: Mapping[str, Node]
    families: Mapping[str, tuple[tuple[str, ...], Node]]

    def relation(self, relation: Relation) -> Relation:
        return instance_of(relation, dict(self.env), dict(self.families))

    def node(self, node: Node) -> Node:
        return self.relation(Relation("==", node, num(0))).left

    def need(self, need: Need) -> Need:
        bound = {str(b.args[0].value) for b in need.binders}
        inner = Put({k: v for k, v in self.env.items() if k not in bound}, self.families)
        return Need(need.kind, inner.node(need.node), tuple(map(self.node, need.binders)))


def family(indices: tuple[str, ...], body: Node, scene: Scene) -> str:
    """A formula of an index as a function of a real; where the index is a time or a place, of its whole part."""
    if not _counts(indices, body):
        return f"(fun {' '.join(map(ident, indices))} : R => {scene.text(body)})"
    (index,) = indices
    inner = side(scene.flat(body), scene.names.bind(index, "indices"))
    return f"(fun real_index : R => (fun {ident(index)} : Z => {inner}) (whole real_index))"


def _counts(indices: tuple[str, ...], body: Node) -> bool:
    """Whether the index is the time or the place of a letter."""
    return len(indices) == 1 and any(
        part.op == "letter" and not all(symbols(arg).isdisjoint(indices) for arg in part.args) for part in walk(body)
    )


def places(claim: Claim, put: Put) -> list[Node]:
    """Where a cited claim takes such a family, outside of what it says for every index."""
    sides = [side for r in (*claim.hypotheses, *claim.goals) if r.binder is None for side in (r.left, r.right)]
    return taken(sides, put)


def taken(sides: list[Node], put: Put) -> list[Node]:
    whole = {name for name, family in put.families.items() if _counts(*family)}
    parts = [part for side in sides for part in walk(side) if part.op == "index"]
    return list(dict.fromkeys(put.node(part.args[1]) for part in parts if str(part.args[0].value) in whole))


def whole_of(node: Node, names: Names) -> str:
    """An equation: the whole part of an index that is an integer by its form."""
    return f"whole_is {real(node, names)} {integer(node, names)} ltac:(real_cast)"
