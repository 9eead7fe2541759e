"""Matrix identities tried with numbers: letters become small integer matrices, probability spaces become finite.

The kernel accepts no such instance as a witness of the identity itself; it accepts it as a refuted claim of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theory.kernel.claim import Claim
from theory.kernel.lang import Node, Relation, num, parse, parse_relation, sym, text
from theory.search.slots import add

WEIGHTS = {1: ("1",), 2: ("1/3", "2/3"), 3: ("1/2", "1/3", "1/6")}
ENTRIES = 4
BlockShape = tuple[int, int] | None


@dataclass(frozen=True)
class Refuted:
    """A claim in numbers that was made from a matrix identity, and the point at which it fails."""

    claim: Claim
    point: dict[str, Any]

    def record(self) -> dict[str, Any]:
        return {"claim": self.claim.to_json(), "point": self.point}


def instance(claim: Claim, rng: np.random.Generator, size: int, points: int) -> Claim:
    """The claim with random integer matrices of this size for its letters; scalars stay free."""
    writer = _Writer(dict(claim.letters), rng, size, points)
    for name, formula in claim.where:
        writer.shapes[name] = writer.shape(parse(formula))
    says = tuple(str(writer.relation(parse_relation(goal))) for goal in claim.says)
    given = tuple(str(writer.relation(parse_relation(h))) for h in claim.given)
    where = tuple((name, text(writer.node(parse(formula), {}))) for name, formula in claim.where)
    letters = {name for name, _ in claim.letters}
    example = tuple((n, v) for n, v in claim.example if n not in letters)
    scope = f"{claim.id} with {size}x{size} matrices of integers"
    return Claim(
        f"{claim.id}#numbers", says, given, (*writer.values.items(), *where), claim.naturals, (), example, scope
    )


def values_for(claim: Claim, rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Values of the scalars that remain: the example's, then small fractions."""
    if claim.example or not claim.variables:
        yield dict(claim.example)
    for _ in range(3 if claim.variables else 0):
        top, bottom = rng.integers(1, 9, len(claim.variables)), rng.integers(1, 9, len(claim.variables))
        whole = [n in claim.naturals for n in claim.variables]
        yield {
            n: str(Fraction(int(a), 1 if w else int(b)))
            for n, a, b, w in zip(claim.variables, top, bottom, whole, strict=True)
        }


class _Writer:
    def __init__(self, letters: Mapping[str, str], rng: np.random.Generator, size: int, points: int) -> None:
        self.letters, self.rng, self.size, self.points = letters, rng, size, points
        self.values: dict[str, str] = {}
        self.shapes: dict[str, BlockShape] = dict.fromkeys(letters, (1, 1))

    def shape(self, node: Node) -> BlockShape:
        """How many blocks a formula has below and beside each other; None for a number."""
        if node.op == "sym":
            return self.shapes.get(str(node.value))
        if node.op == "index":
            return (1, 1) if self.shape(node.args[0]) is not None else None
        inner = [self.shape(arg) for arg in node.args]
        blocks = [one for one in inner if one is not None]
        if not blocks or node.op == "tr":
            return None
        if node.op == "list":
            return len(inner), blocks[0][0] if node.args[0].op == "list" else 1
        if node.op == "T":
            return blocks[0][1], blocks[0][0]
        if node.op == "@" and len(blocks) == 2:
            return blocks[0][0], blocks[1][1]
        return blocks[-1]

    def relation(self, relation: Relation) -> Relation:
        return Relation(relation.op, self.node(relation.left, {}), self.node(relation.right, {}))

    def node(self, node: Node, at: Mapping[str, int]) -> Node:
        """Letters as matrices, means as weighted sums; `at` says which point of each space is meant."""
        if node.op == "sym" and node.value in self.letters:
            return self._matrix(str(node.value), "")
        if node.op == "index" and node.args[0].op == "sym" and node.args[0].value in self.letters:
            where = ",".join(str(at.get(str(i.value), i.value)) for i in node.args[1:])
            return self._matrix(str(node.args[0].value), where)
        if node.op == "mean":
            space = str(node.args[0].value)
            weights = [num(Fraction(w)) for w in WEIGHTS[self.points]]
            bodies = [self.node(node.args[1], {**at, space: i}) for i in range(1, self.points + 1)]
            return add([Node("*", (w, body)) for w, body in zip(weights, bodies, strict=True)])
        if node.op == "list" and self.shape(node) is not None:
            return self._stacked(node, at)
        if node.op == "index" and self.shape(node.args[0]) is not None:
            return self._block(node, at)
        return Node(node.op, tuple(self.node(arg, at) for arg in node.args), node.value) if node.args else node

    def _stacked(self, node: Node, at: Mapping[str, int]) -> Node:
        """A column or matrix of blocks: the sum of its blocks moved to their places; a number means a multiple of I."""
        rows = [row.args if row.op == "list" else (row,) for row in node.args]
        is_matrix = node.args[0].op == "list"
        moved = []
        for i, row in enumerate(rows):
            for j, entry in enumerate(row):
                block = self.node(entry, at)
                whole = block if self.shape(entry) is not None else Node("*", (block, self._place(1, 0)))
                part = Node("@", (self._place(len(rows), i), whole))
                moved.append(Node("@", (part, Node("T", (self._place(len(row), j),)))) if is_matrix else part)
        return add(moved)

    def _block(self, node: Node, at: Mapping[str, int]) -> Node:
        """Block i of a column, or block i, j of a matrix of blocks."""
        shape = self.shape(node.args[0]) or (1, 1)
        where = [int(Fraction(str(index.value))) - 1 for index in node.args[1:]]
        row = Node("T", (self._place(shape[0], where[0]),))
        found = Node("@", (row, self.node(node.args[0], at)))
        return Node("@", (found, self._place(shape[1], where[1]))) if len(where) > 1 else found

    def _place(self, count: int, at: int) -> Node:
        """The column of `count` blocks that is zero but for the identity at one place."""
        name = f"place_{count}_{at}"
        rows = np.eye(count * self.size, dtype=int)[:, at * self.size : (at + 1) * self.size]
        self.values[name] = str([[int(x) for x in row] for row in rows])
        return sym(name)

    def _matrix(self, letter: str, where: str) -> Node:
        """The same letter at the same point is the same matrix, defined once."""
        name = f"{letter}_{where.replace(',', '_')}" if where else f"{letter}_"
        if name not in self.values:
            entries = self.rng.integers(-ENTRIES, ENTRIES + 1, (self.size, self.size))
            if self.letters[letter] == "symmetric":
                entries = np.triu(entries) + np.triu(entries, 1).T
            elif self.letters[letter] == "identity":
                entries = np.eye(self.size, dtype=int)
            self.values[name] = str([[int(x) for x in row] for row in entries])
        return sym(name)
