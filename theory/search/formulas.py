"""Formulas made ready for batches: definitions evaluated once, high powers of matrices by squaring, work counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from theory.kernel.claim import Claim
from theory.kernel.lang import BINDERS, Node, Relation, num, parse, parse_relation, substitute_relation, symbols
from theory.kernel.notions import Notion, read_notions, unfold, unfold_relation
from theory.search.shapes import Shape, TooLarge, indices, integer

BY_SQUARING = 4
TOWER = 10**9
SIMULATED = 48


@dataclass(frozen=True)
class Formulas:
    """`definitions` in order of evaluation, then `relations` in their names.

    work    array operations that one evaluation takes, about
    """

    definitions: tuple[tuple[str, Node], ...]
    relations: tuple[Relation, ...]
    work: float


@dataclass(frozen=True)
class Price:
    """What an exact evaluation costs the kernel: operations, and how often numbers multiply up."""

    operations: float
    height: int

    def at(self, bits: int) -> float:
        """The cost at a point of so many bits, in operations."""
        return 100.0 + self.operations * (1.0 + self.height * bits / 2000.0)


def formulas(claim: Claim, shape: Shape, sources: Sequence[str]) -> Formulas:
    """Relations of a claim at fixed integers; one for every index of a `forall`."""
    writer = _writer(claim, shape)
    relations = []
    for text in sources:
        for one in _instances(_spelt(claim, parse_relation(text)), claim, shape):
            relations.append(Relation(one.op, writer.rewrite(one.left), writer.rewrite(one.right)))
    used = _needed(writer.definitions, relations)
    definitions = tuple((n, d) for n, d in writer.definitions if n in used)
    nodes = [*(d for _, d in definitions), *(side for r in relations for side in (r.left, r.right))]
    return Formulas(definitions, tuple(relations), 1.0 + sum(writer.work(node, writer.ints) for node in nodes))


def price_of(claim: Claim, shape: Shape) -> Price:
    """The kernel expands definitions wherever they are used, and multiplies powers out."""
    writer = _writer(claim, shape)
    costs: dict[str, float] = {}
    heights: dict[str, int] = {}
    for name, body in _numbers(claim):
        costs[name] = writer.work(body, writer.ints, costs)
        heights[name] = _height(body, writer.ints, heights)
    relations = [_spelt(claim, parse_relation(text)) for text in (*claim.says, *claim.given)]
    sides = [side for r in relations if r.binder is None for side in (r.left, r.right)]
    cost = sum(writer.work(side, writer.ints, costs) for side in sides)
    return Price(cost, max((_height(side, writer.ints, heights) for side in sides), default=1))


def _writer(claim: Claim, shape: Shape) -> _Writer:
    writer = _Writer(dict(shape.integers), {name for name, _ in shape.families})
    for name, body in _numbers(claim):
        writer.define(name, body)
    return writer


@lru_cache(maxsize=64)
def _of_parameters(where: tuple[tuple[str, str], ...]) -> Mapping[str, Notion]:
    """The definitions with parameters; single numbers in them keep their names, so that each is computed once."""
    return read_notions(tuple(one for one in where if parse(one[0]).op != "sym"))


def _numbers(claim: Claim) -> Iterator[tuple[str, Node]]:
    """The definitions of single numbers; those with parameters are put in where they are used."""
    notions = _of_parameters(claim.where)
    for name, formula in claim.where:
        if parse(name).op == "sym":
            yield name, unfold(parse(formula), notions)


def _spelt(claim: Claim, relation: Relation) -> Relation:
    return unfold_relation(relation, _of_parameters(claim.where))


def _instances(relation: Relation, claim: Claim, shape: Shape) -> Iterator[Relation]:
    if relation.binder is None:
        yield relation
        return
    whole = unfold_relation(relation, claim.notions)
    name = relation.binder[0]
    for ints in indices(whole, dict(shape.integers), dict(shape.spaces)):
        yield substitute_relation(Relation(relation.op, relation.left, relation.right), {name: num(ints[name])})


def _needed(definitions: list[tuple[str, Node]], relations: list[Relation]) -> set[str]:
    used = {n for r in relations for side in (r.left, r.right) for n in symbols(side)}
    for name, node in reversed(definitions):
        if name in used:
            used |= symbols(node)
    return used


def _height(node: Node, ints: Mapping[str, int], known: Mapping[str, int]) -> int:
    """How many factors a number may have after powers and iterates."""
    if node.op == "sym":
        return known.get(str(node.value), 1)
    if node.op == "sum":
        last = integer(node.args[2], ints)
        return _height(node.args[3], {**ints, str(node.args[0].value): last or 0}, known)
    below = max((_height(arg, ints, known) for arg in node.args), default=1)
    count = max(1, abs(integer(node.args[1], ints) or 1)) if node.op in ("**", "iterate") else 1
    if node.op == "iterate":
        return min(TOWER, below * _growth(node.args[3], str(node.args[0].value), count))
    return min(TOWER, below * count)


def _growth(body: Node, name: str, steps: int) -> int:
    """How many factors the numbers of an iterate have in the end, about.

    Entry by entry: a square that is fed back doubles at every step, one that is only added up does not.
    """
    entries = body.args if body.op == "list" else (body,)
    degrees, before = (1,) * len(entries), 1
    for _ in range(min(steps, SIMULATED)):
        before = max(degrees)
        degrees = tuple(min(TOWER, 1 + _degree(entry, name, degrees)) for entry in entries)
    last = max(degrees)
    return min(TOWER, last + (last - before) * max(steps - SIMULATED, 0))


def _degree(node: Node, name: str, degrees: tuple[int, ...]) -> int:
    """The degree of a formula in the entries of a state, when each of them has a degree of its own."""
    if node.op == "sym":
        return max(degrees) if node.value == name else 0
    if node.op == "index" and node.args[0].op == "sym" and node.args[0].value == name:
        at = integer(node.args[1], {})
        return degrees[at - 1] if at is not None and 1 <= at <= len(degrees) else max(degrees)
    each = [_degree(arg, name, degrees) for arg in node.args]
    if node.op in ("*", "/", "@"):
        return sum(each)
    if node.op == "**":
        return each[0] * max(1, abs(integer(node.args[1], {}) or 2))
    return max(each, default=0)


class _Writer:
    """Rewrites formulas and remembers which names are matrices."""

    def __init__(self, ints: Mapping[str, int], families: set[str]) -> None:
        self.ints = ints
        self.matrices = set(families)
        self.definitions: list[tuple[str, Node]] = []

    def define(self, name: str, node: Node) -> str:
        written = self.rewrite(node)
        if self.is_matrix(written):
            self.matrices.add(name)
        self.definitions.append((name, written))
        return name

    def is_matrix(self, node: Node) -> bool:
        if node.op == "sym":
            return str(node.value) in self.matrices
        if node.op in ("list", "@", "T", "inv"):
            return node.op == "list" or any(self.is_matrix(arg) for arg in node.args)
        return node.op in ("+", "-", "*", "/", "neg", "**") and any(self.is_matrix(arg) for arg in node.args[:2])

    def rewrite(self, node: Node) -> Node:
        """A**k with a known k becomes a product of squares that are defined once."""
        if node.op in BINDERS or not node.args:
            return node
        args = tuple(self.rewrite(arg) for arg in node.args)
        if node.op == "**" and self.is_matrix(args[0]):
            power = integer(args[1], self.ints)
            if power is not None and power > BY_SQUARING:
                return self._squares(args[0], power)
        return Node(node.op, args, node.value)

    def _squares(self, base: Node, power: int) -> Node:
        square, product = self._temporary(base), None
        while power:
            if power & 1:
                product = square if product is None else self._temporary(Node("@", (product, square)))
            power >>= 1
            if power:
                square = self._temporary(Node("@", (square, square)))
        assert product is not None
        return product

    def _temporary(self, node: Node) -> Node:
        if node.op == "sym":
            return node
        name = f"#{len(self.definitions)}"
        self.matrices.add(name)
        self.definitions.append((name, node))
        return Node("sym", value=name)

    def work(self, node: Node, ints: Mapping[str, int], known: Mapping[str, float] | None = None) -> float:
        """Array operations, roughly; a matrix counts as four numbers, a name as what is `known` of it."""
        if node.op in ("num", "sym"):
            return (known or {}).get(str(node.value), 0.0)
        if node.op in ("sum", "iterate"):
            return self._repeated(node, ints, known)
        if node.op == "mean":
            return 4.0 * (1.0 + self.work(node.args[1], {**ints, str(node.args[0].value): 1}, known))
        own = sum(self.work(arg, ints, known) for arg in node.args)
        if node.op == "**":
            power = integer(node.args[1], ints) or 1
            return own + (12.0 * abs(power) if self.is_matrix(node.args[0]) else 4.0)
        return own + (12.0 if node.op == "@" else 4.0 if self.is_matrix(node) else 1.0)

    def _repeated(self, node: Node, ints: Mapping[str, int], known: Mapping[str, float] | None) -> float:
        ends = [integer(end, ints) for end in node.args[1 : 3 if node.op == "sum" else 2]]
        if any(end is None for end in ends):
            raise TooLarge
        first, last = (ends[0] or 0, ends[1] or 0) if node.op == "sum" else (1, ends[0] or 0)
        index = str(node.args[0].value)
        inside = {i: {**ints, index: i} if node.op == "sum" else ints for i in {first, last}}
        each = max(self.work(node.args[-1], env, known) for env in inside.values())
        start = self.work(node.args[2], ints, known) if node.op == "iterate" else 0.0
        return start + max(last - first + 1, 0) * (1.0 + each)
