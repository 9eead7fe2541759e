"""Where the statements stand in the picture of who rests on whom: layers from left to right, few crossings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SWEEPS = 8


@dataclass(frozen=True)
class Spot:
    """Layer from the left and position from the top, both from 0."""

    layer: int
    row: float


def layers(names: Sequence[str], parents: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """One more than the deepest parent. Edges that close a circle are followed once."""
    depth: dict[str, int] = {}

    def of(name: str, above: frozenset[str]) -> int:
        if name not in depth:
            known = [p for p in parents.get(name, ()) if p in names and p not in above and p != name]
            depth[name] = 1 + max((of(p, above | {name}) for p in known), default=-1)
        return depth[name]

    for name in names:
        of(name, frozenset())
    return depth


def layout(names: Sequence[str], parents: Mapping[str, Sequence[str]], tallest: int = 12) -> dict[str, Spot]:
    """Ordered by the mean of the neighbours' rows, back and forth; layers that are too tall are dealt into two."""
    depth = layers(names, parents)
    columns: dict[int, list[str]] = {}
    for name in names:
        columns.setdefault(depth[name], []).append(name)
    children: dict[str, list[str]] = {name: [] for name in names}
    for name in names:
        for parent in parents.get(name, ()):
            if parent in children:
                children[parent].append(name)
    order = [columns[layer] for layer in sorted(columns)]
    for sweep in range(SWEEPS):
        towards = parents if sweep % 2 == 0 else children
        for column in order if sweep % 2 == 0 else reversed(order):
            rows = {name: i / max(len(c) - 1, 1) for c in order for i, name in enumerate(c)}
            column.sort(
                key=lambda name: (_mean([rows[n] for n in towards.get(name, ()) if n in rows], rows[name]), name)
            )
    return _placed([part for column in order for part in _dealt(column, tallest)])


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _dealt(column: list[str], tallest: int) -> list[list[str]]:
    """Columns of nearly equal height, cards dealt in turn, so that neighbours stay near each other."""
    count = -(-len(column) // tallest)
    return [column[i::count] for i in range(count)]


def _placed(columns: list[list[str]]) -> dict[str, Spot]:
    tall = max((len(column) for column in columns), default=0)
    return {
        name: Spot(layer, row + (tall - len(column)) / 2)
        for layer, column in enumerate(columns)
        for row, name in enumerate(column)
    }
