"""Shapes of scalars, vectors and matrices: dimensions 1, 2, d and 2d, and a wildcard for identity and operators."""

from __future__ import annotations

Shape = tuple[str, str]

SCALAR: Shape = ("1", "1")
UNKNOWN: Shape = ("?", "?")
SHAPES: dict[str, Shape] = {
    "1": SCALAR,
    "?": UNKNOWN,
    "d": ("d", "1"),
    "2d": ("2d", "1"),
    "2": ("2", "1"),
    "dxd": ("d", "d"),
    "2dx2d": ("2d", "2d"),
    "2x2": ("2", "2"),
}
_DOUBLE = {"d": "2d", "1": "2"}


class ShapeError(ValueError):
    """Shapes that do not fit."""


def unify(left: Shape, right: Shape) -> Shape:
    """The shape of two things that must be of the same shape."""
    return _dim(left[0], right[0]), _dim(left[1], right[1])


def _dim(left: str, right: str) -> str:
    if "?" in (left, right):
        return right if left == "?" else left
    if left != right:
        raise ShapeError(f"{left} is not {right}")
    return left


def product_shape(left: Shape, right: Shape, operator: str) -> Shape:
    """The shape of a product; `*` needs a scalar, `/` a scalar below, `@` matching dimensions."""
    if operator == "Div":
        if right not in (SCALAR, UNKNOWN):
            raise ShapeError(f"division by a {right}")
        return left
    if operator == "MatMult":
        if SCALAR in (left, right) and UNKNOWN not in (left, right) and left != right:
            raise ShapeError("a matrix product with a scalar")
        _dim(left[1], right[0])
        return left[0], right[1]
    if left == SCALAR:
        return right
    if right == SCALAR:
        return left
    if UNKNOWN in (left, right):
        return UNKNOWN
    raise ShapeError("a scalar product of two matrices")


def block_shape(rows: list[list[Shape]]) -> Shape:
    """The shape of a block matrix with one or two rows and columns of equal blocks."""
    if len({len(row) for row in rows}) != 1:
        raise ShapeError("rows of different lengths")
    block = UNKNOWN
    for row in rows:
        for entry in row:
            if entry != UNKNOWN:
                block = unify(block, entry)
    block = ("d", "d") if block == UNKNOWN else block
    return _stack(block[0], len(rows)), _stack(block[1], len(rows[0]))


def _stack(dim: str, count: int) -> str:
    if count == 1:
        return dim
    if count == 2 and dim in _DOUBLE:
        return _DOUBLE[dim]
    raise ShapeError(f"{count} blocks of size {dim}")
