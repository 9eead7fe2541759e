"""Number, column or matrix: read off from the names of a formula, so that products are of the right sort."""

from __future__ import annotations

from theory.kernel.lang import Node
from theory.reading.latex.notation import FAMILIES, MATRICES, Notation

NUMBER, COLUMN, ROW, MATRIX = "number", "column", "row", "matrix"
NUMBERS = frozenset({"tr", "abs", "exp", "log", "sin", "cos", "norm2", "norm", "inner", "min", "max", "sqrt", "binom"})


def sort_of(node: Node, notation: Notation) -> str:
    """What a formula is; a name without a kind is a number."""
    op, args = node.op, node.args
    if op == "num" or op in NUMBERS:
        return NUMBER
    if op == "sym":
        glyph = notation[str(node.value)]
        return _of_kind(glyph.of if glyph.kind in FAMILIES else glyph.kind)
    if op == "index":
        family = notation[str(args[0].value)] if args[0].op == "sym" else None
        return _of_kind(family.of) if family is not None and family.kind in FAMILIES else NUMBER
    if op == "list":
        return MATRIX if args[0].op == "list" else COLUMN
    if op == "T":
        return {COLUMN: ROW, ROW: COLUMN}.get(inner := sort_of(args[0], notation), inner)
    if op in ("inv", "**", "neg", "/"):
        return sort_of(args[0], notation)
    if op in ("+", "-"):
        return max((sort_of(arg, notation) for arg in args), key=[NUMBER, COLUMN, ROW, MATRIX].index)
    if op in ("*", "@"):
        return _product(sort_of(args[0], notation), sort_of(args[1], notation))
    if op in ("sum", "prod", "mean", "E", "iterate"):
        return sort_of(args[-1], notation)
    own = notation.glyphs.get(op)
    return _of_kind(own.of) if own is not None else NUMBER


def _of_kind(kind: str) -> str:
    return MATRIX if kind in MATRICES else COLUMN if kind == "vector" else NUMBER


def _product(left: str, right: str) -> str:
    if left == NUMBER:
        return right
    if right == NUMBER:
        return left
    table = {(ROW, COLUMN): NUMBER, (COLUMN, ROW): MATRIX, (MATRIX, COLUMN): COLUMN, (ROW, MATRIX): ROW}
    return table.get((left, right), MATRIX)


def times(left: Node, right: Node, notation: Notation) -> str:
    """The sign of a product that is written side by side."""
    return "@" if NUMBER not in (sort_of(left, notation), sort_of(right, notation)) else "*"
