"""Shapes of points: the integers that count something are fixed, and every family has a length.

For a fixed shape every formula is one in finitely many real numbers, the slots: `lam[2]` is the slot named "lam[2]".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from theory.kernel.claim import Claim
from theory.kernel.errors import KernelError
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import OMEGA
from theory.kernel.lang import Node, Relation, parse, parse_relation, symbols
from theory.kernel.rings import Exact, Inexact, to_fmpq
from theory.search.kinds import Kinds, relations_of

MAX_TERMS = 64
MAX_SLOTS = 32


@dataclass(frozen=True)
class Shape:
    """Values of the counting naturals and of the numbers of points of the spaces, and the families' sizes."""

    integers: tuple[tuple[str, int], ...]
    spaces: tuple[tuple[str, int], ...]
    families: tuple[tuple[str, tuple[int, int]], ...]

    @property
    def counts(self) -> dict[str, int]:
        return {**dict(self.integers), **{f"p_{w}": n for w, n in self.spaces}}

    def slots(self, name: str) -> tuple[tuple[str, ...], ...]:
        rows, columns = dict(self.families)[name]
        return tuple(tuple(slot(name, i, j, columns) for j in range(1, columns + 1)) for i in range(1, rows + 1))

    @property
    def bulk(self) -> int:
        """How much there is to check by hand."""
        return sum(v for _, v in self.integers) + 2 * sum(r * c for _, (r, c) in self.families)

    def words(self) -> str:
        parts = [f"{n} = {v}" for n, v in self.integers] + [f"{w} with {n} point(s)" for w, n in self.spaces]
        return ", ".join(parts) or "real parameters"


def slot(name: str, i: int, j: int, columns: int) -> str:
    return f"{name}[{i}]" if columns == 1 else f"{name}[{i}, {j}]"


class TooLarge(Exception):
    """The shape has more slots or terms than a search can use."""


@dataclass
class Sizes:
    """The largest index at which each family is read."""

    names: frozenset[str]
    spaces: Mapping[str, int]
    most: int
    found: dict[str, tuple[int, int]] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    steps: int = 0
    indexed: dict[int, bool] = field(default_factory=dict)  # by identity: the formulas outlive the reading

    def read(self, node: Node, ints: Mapping[str, int]) -> None:
        self.steps += 1
        if self.steps > 20_000:
            raise TooLarge
        if not self._indexes(node):
            return
        if node.op == "index" and node.args[0].op == "sym" and node.args[0].value in self.names:
            values = [integer(i, ints) for i in node.args[1:]]
            known = [v for v in values if v is not None]
            if len(known) == len(values):
                self._note(str(node.args[0].value), known)
            else:
                self.unclear.add(str(node.args[0].value))
        if node.op == "sum":
            first, last = integer(node.args[1], ints), integer(node.args[2], ints)
            if first is not None and last is not None:
                for i in sum_indices(first, last):
                    self.read(node.args[3], {**ints, str(node.args[0].value): i})
            return
        if node.op == "mean":
            for i in range(1, self.spaces[str(node.args[0].value)] + 1):
                self.read(node.args[1], {**ints, str(node.args[0].value): i})
            return
        for arg in node.args:
            self.read(arg, ints)

    def _indexes(self, node: Node) -> bool:
        """Whether anything is indexed in the formula."""
        if id(node) not in self.indexed:
            self.indexed[id(node)] = node.op == "index" or any(map(self._indexes, node.args))
        return self.indexed[id(node)]

    def _note(self, name: str, at: list[int]) -> None:
        rows, columns = self.found.get(name, (1, 1))
        self.found[name] = (max(rows, at[0]), max(columns, at[1] if len(at) > 1 else 1))
        if self.found[name][0] * self.found[name][1] > self.most:
            raise TooLarge


def sum_indices(first: int, last: int) -> list[int]:
    """The indices of a sum that show how long its families are: all of a short one, both ends of a long one."""
    every = range(first, last + 1)
    return list(every) if len(every) <= MAX_SLOTS else [*every[:4], *every[-4:]]


def integer(node: Node, ints: Mapping[str, int]) -> int | None:
    """The value of an index, exponent or end of a range when it depends on counting names only."""
    if node.op == "sym":
        return ints.get(str(node.value))
    try:
        env = {name: to_fmpq(ints[name]) for name in symbols(node)}
        return Exact().integer(evaluate(node, env, Exact()), node)
    except Exception:  # any failure means the same: not an integer that is known here
        return None


def shape_of(
    claim: Claim, kinds: Kinds, integers: Mapping[str, int], spaces: Mapping[str, int], most: int = MAX_SLOTS
) -> Shape:
    """The sizes of all families when these integers are fixed."""
    sizes = Sizes(frozenset(kinds.families), spaces, most)
    for relation in relations_of(claim) if kinds.families else ():
        for ints in indices(relation, integers, spaces):
            sizes.read(relation.left, ints)
            sizes.read(relation.right, ints)
    example = dict(claim.example)
    families: dict[str, tuple[int, int]] = {}
    for name in kinds.families:
        like = example.get(name)
        own = (len(like), len(like[0]) if isinstance(like[0], list) else 1) if isinstance(like, list) else (1, 1)
        rows, columns = sizes.found.get(name, (1, 1) if name in sizes.unclear else own)
        families[name] = (rows, max(columns, own[1]))
    for space in kinds.spaces:
        families[f"p_{space}"] = (spaces[space], 1)
    _grow(claim, sizes.unclear, families, integers, most)
    if sum(r * c for r, c in families.values()) > most:
        raise TooLarge
    return Shape(tuple(sorted(integers.items())), tuple(sorted(spaces.items())), tuple(sorted(families.items())))


class _Rows(tuple[Any, ...]):
    """The rows of a family that remembers the largest index at which it was read."""

    last: int = 1

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, int):
            self.last = max(self.last, at + 1)
        return super().__getitem__(at)


def _grow(
    claim: Claim, unclear: set[str], families: dict[str, tuple[int, int]], integers: Mapping[str, int], most: int
) -> None:
    """Families that are read at an index computed on the way, as w[s[6]] in an iterate: as long as it takes.

    Everything is evaluated once with long families at an arbitrary point at which no entry vanishes.
    """
    if not unclear:
        return
    ring = Exact()
    env: dict[str, Any] = {name: ring.const(Fraction(1, i + 2)) for i, name in enumerate(claim.variables)}
    env.update({name: ring.const(Fraction(value)) for name, value in integers.items()})
    one = ring.const(Fraction(1))
    rows = {name: _Rows([(one,) * families[name][1]] * (most + 1)) for name in unclear}
    for name, (count, columns) in families.items():
        plain = tuple((one,) * columns for _ in range(count))
        env[name] = Mat(rows[name] if name in unclear else plain)
    nodes = [(name, parse(formula)) for name, formula in claim.where]
    nodes += [("", side) for text in (*claim.says, *claim.given) for side in _bare_sides(parse_relation(text))]
    for name, node in nodes:
        with suppress(KernelError, Inexact):
            env[name] = evaluate(node, env, ring)
    for name in unclear:
        families[name] = (max(families[name][0], rows[name].last), families[name][1])


def _bare_sides(relation: Relation) -> tuple[Node, ...]:
    return (relation.left, relation.right) if relation.binder is None else ()


def indices(relation: Relation, ints: Mapping[str, int], spaces: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Every value of the index of a `forall`; once for a bare relation."""
    if relation.binder is None:
        yield dict(ints)
        return
    name, lo, hi = relation.binder
    if lo == OMEGA:
        first, last = 1, spaces.get(name, 1)
    else:
        ends = integer(lo, ints), integer(hi, ints)
        first, last = (1, 0) if ends[0] is None or ends[1] is None else (ends[0], ends[1])
    if last - first > MAX_TERMS:
        raise TooLarge
    for i in range(first, last + 1):
        yield {**ints, name: i}
