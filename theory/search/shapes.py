"""What a point of a claim looks like: which names are numbers, families or probability spaces, and how long they are.

For a fixed shape (the integers that count something are fixed) every formula is a formula in finitely many real
numbers, the slots: `lam[2]` is the slot named "lam[2]". `unroll` writes it so.
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
from theory.kernel.lang import BINDERS, Node, Relation, num, parse, parse_relation, sym, walk
from theory.kernel.rings import Exact, Inexact, to_fmpq

MAX_TERMS = 64
MAX_SLOTS = 32


@dataclass(frozen=True)
class Kinds:
    """How the free names of a claim are used."""

    counting: tuple[str, ...]  # naturals that are exponents, indices or ends of ranges
    plain: tuple[str, ...]  # naturals that are only numbers
    families: tuple[str, ...]  # columns and matrices
    spaces: tuple[str, ...]  # probability spaces
    bare: tuple[str, ...]  # families that are also used whole, so that their shape is the example's
    reals: tuple[str, ...]


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
    bare = {n for n in families & listed if any(_used_whole(r, n) for r in relations_of(claim))}
    naturals = set(claim.naturals) & free
    counting = naturals & counted
    reals = free - families - naturals - {f"p_{w}" for w in spaces}
    return Kinds(
        tuple(sorted(counting)),
        tuple(sorted(naturals - counting)),
        tuple(sorted(families - {f"p_{w}" for w in spaces})),
        tuple(sorted(spaces)),
        tuple(sorted(bare)),
        tuple(sorted(reals)),
    )


def names_in(node: Node) -> set[str]:
    return {str(part.value) for part in walk(node) if part.op == "sym"}


def _used_whole(relation: Relation, name: str) -> bool:
    return any(_whole(node, name) for node in _nodes(relation))


def _whole(node: Node, name: str) -> bool:
    if node.op == "sym":
        return node.value == name
    if node.op == "index" and node.args[0].op == "sym":
        return any(_whole(arg, name) for arg in node.args[1:])
    return any(_whole(arg, name) for arg in node.args)


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

    def read(self, node: Node, ints: Mapping[str, int]) -> None:
        self.steps += 1
        if self.steps > 20_000:
            raise TooLarge
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
    try:
        env = {name: to_fmpq(value) for name, value in ints.items()}
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
        families[name] = own if name in kinds.bare else (rows, max(columns, own[1]))
    for space in kinds.spaces:
        families[f"p_{space}"] = (spaces[space], 1)
    _grow(claim, sizes.unclear - set(kinds.bare), families, integers, most)
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

    Everything is evaluated once with long families at an arbitrary point.
    """
    if not unclear:
        return
    ring = Exact()
    env: dict[str, Any] = {name: ring.const(Fraction(1, i + 2)) for i, name in enumerate(claim.variables)}
    env.update({name: ring.const(Fraction(value)) for name, value in integers.items()})
    rows = {name: _Rows([(ring.const(Fraction(0)),) * families[name][1]] * (most + 1)) for name in unclear}
    for name, (count, columns) in families.items():
        plain = tuple((ring.const(Fraction(0)),) * columns for _ in range(count))
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


def unroll(node: Node, shape: Shape, ints: Mapping[str, int]) -> Node:
    """The formula in slots: sums and means written out, indexed names made plain ones."""
    families = dict(shape.families)
    name = str(node.value)
    if node.op == "sym":
        if name in ints:
            return num(ints[name])
        if name in families:
            return _written(shape, name)
        return node
    if node.op == "index" and node.args[0].op == "sym" and str(node.args[0].value) in families:
        return _slot(node, shape, ints)
    if node.op == "sum":
        return _unroll_sum(node, shape, ints)
    if node.op == "mean":
        space = str(node.args[0].value)
        terms = [
            Node("*", (sym(f"p_{space}[{i}]"), unroll(node.args[1], shape, {**ints, space: i})))
            for i in range(1, dict(shape.spaces)[space] + 1)
        ]
        return add(terms)
    if node.op == "iterate":
        inner = {k: v for k, v in ints.items() if k != str(node.args[0].value)}
        middle = (unroll(node.args[1], shape, ints), unroll(node.args[2], shape, ints))
        return Node("iterate", (node.args[0], *middle, unroll(node.args[3], shape, inner)))
    return Node(node.op, tuple(unroll(arg, shape, ints) for arg in node.args), node.value) if node.args else node


def _slot(node: Node, shape: Shape, ints: Mapping[str, int]) -> Node:
    name = str(node.args[0].value)
    rows, columns = dict(shape.families)[name]
    at = [integer(i, ints) for i in node.args[1:]]
    if None in at:
        return Node("index", (_written(shape, name), *(unroll(i, shape, ints) for i in node.args[1:])))
    i, j = at[0], at[1] if len(at) > 1 else 1
    if i is None or j is None or not (1 <= i <= rows and 1 <= j <= columns):
        raise TooLarge
    if len(at) == 1 and columns > 1:
        return Node("list", tuple(sym(slot(name, i, c, columns)) for c in range(1, columns + 1)))
    return sym(slot(name, i, j, columns))


def _unroll_sum(node: Node, shape: Shape, ints: Mapping[str, int]) -> Node:
    first, last = integer(node.args[1], ints), integer(node.args[2], ints)
    if first is None or last is None or last - first >= MAX_TERMS:
        raise TooLarge
    index = str(node.args[0].value)
    return add([unroll(node.args[3], shape, {**ints, index: i}) for i in range(first, last + 1)])


def add(terms: list[Node]) -> Node:
    total: Node | None = None
    for term in terms:
        total = term if total is None else Node("+", (total, term))
    return num(0) if total is None else total


def _written(shape: Shape, name: str) -> Node:
    rows = shape.slots(name)
    if len(rows[0]) == 1:
        return Node("list", tuple(sym(row[0]) for row in rows))
    return Node("list", tuple(Node("list", tuple(sym(s) for s in row)) for row in rows))


def unroll_relation(relation: Relation, shape: Shape) -> list[Relation]:
    """A hypothesis in slots; a `forall` becomes one relation for every index."""
    counts = dict(shape.integers)
    found = []
    for ints in indices(relation, counts, dict(shape.spaces)):
        left, right = (unroll(side, shape, ints) for side in (relation.left, relation.right))
        found.append(Relation(relation.op, left, right))
    return found


def point_of(shape: Shape, values: Mapping[str, Fraction]) -> dict[str, Any]:
    """Slots back to a point of the claim: rationals as strings, families as columns."""
    point: dict[str, Any] = {name: str(value) for name, value in shape.integers}
    inside: set[str] = set()
    for name, (_, columns) in shape.families:
        rows = shape.slots(name)
        inside |= {s for row in rows for s in row}
        point[name] = [str(values[r[0]]) if columns == 1 else [str(values[s]) for s in r] for r in rows]
    point.update({name: str(value) for name, value in values.items() if name not in inside})
    return dict(sorted(point.items()))


def slots_of(shape: Shape, point: Mapping[str, Any]) -> dict[str, Fraction] | None:
    """The numbers of a point by slot, or None where a family of the point is shorter than the shape needs."""
    counts = {name for name, _ in shape.integers}
    families = {name for name, _ in shape.families}
    found = {n: Fraction(v) for n, v in point.items() if n not in counts | families and not isinstance(v, list)}
    for name, (rows, columns) in shape.families:
        value = point.get(name)
        if not isinstance(value, list) or len(value) < rows:
            return None
        for row, slots in zip(value, shape.slots(name), strict=False):
            entries = row if isinstance(row, list) else [row]
            if len(entries) < columns:
                return None
            found.update({s: Fraction(e) for s, e in zip(slots, entries, strict=False)})
    return found


def environment_of(shape: Shape, values: Mapping[str, Any], const: Any) -> dict[str, Any]:
    """Slots to ring elements under the claim's own names (and under the slots' names)."""
    env: dict[str, Any] = dict(values)
    for name, value in shape.integers:
        env[name] = const(Fraction(value))
    for name, _ in shape.families:
        env[name] = Mat(tuple(tuple(values[s] for s in row) for row in shape.slots(name)))
    return env
