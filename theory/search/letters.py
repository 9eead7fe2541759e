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
        return Node(node.op, tuple(self.node(arg, at) for arg in node.args), node.value) if node.args else node

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
