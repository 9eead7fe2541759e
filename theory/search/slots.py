"""Formulas and points in slots: sums and means written out, indexed names made plain ones."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory.kernel.evaluate import Mat
from theory.kernel.lang import Node, Relation, num, sym
from theory.search.shapes import MAX_TERMS, Shape, TooLarge, indices, integer, slot
from theory.search.surds import Entry, read


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


def point_of(shape: Shape, values: Mapping[str, Entry]) -> dict[str, Any]:
    """Slots back to a point of the claim: numbers as strings, families as columns."""
    point: dict[str, Any] = {name: str(value) for name, value in shape.integers}
    inside: set[str] = set()
    for name, (_, columns) in shape.families:
        rows = shape.slots(name)
        inside |= {s for row in rows for s in row}
        point[name] = [str(values[r[0]]) if columns == 1 else [str(values[s]) for s in r] for r in rows]
    point.update({name: str(value) for name, value in values.items() if name not in inside})
    return dict(sorted(point.items()))


def slots_of(shape: Shape, point: Mapping[str, Any]) -> dict[str, Entry] | None:
    """The numbers of a point by slot, or None where a family of the point is shorter than the shape needs."""
    counts = {name for name, _ in shape.integers}
    families = {name for name, _ in shape.families}
    found = {n: read(v) for n, v in point.items() if n not in counts | families and not isinstance(v, list)}
    for name, (rows, columns) in shape.families:
        value = point.get(name)
        if not isinstance(value, list) or len(value) < rows:
            return None
        for row, slots in zip(value, shape.slots(name), strict=False):
            entries = row if isinstance(row, list) else [row]
            if len(entries) < columns:
                return None
            found.update({s: read(e) for s, e in zip(slots, entries, strict=False)})
    return found


def environment_of(shape: Shape, values: Mapping[str, Any], const: Any) -> dict[str, Any]:
    """Slots to ring elements under the claim's own names (and under the slots' names)."""
    env: dict[str, Any] = dict(values)
    for name, value in shape.integers:
        env[name] = const(Fraction(value))
    for name, _ in shape.families:
        env[name] = Mat(tuple(tuple(values[s] for s in row) for row in shape.slots(name)))
    return env
