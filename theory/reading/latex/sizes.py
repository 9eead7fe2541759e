"""Vectors and matrices of a reading as kinds of a claim: every size is a letter of its own unless the print ties two.

The sizes are the most general ones for which the formula makes sense, so that a claim is never about smaller things
than what is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from theory.kernel.lang import Node, Relation, sym, text, walk
from theory.reading.latex.atoms import Unreadable
from theory.reading.latex.notation import FAMILIES, MATRICES, Notation

Size = int | tuple[int, ...]  # a letter, or blocks one after the other; 0 is the size of a number
Shape = tuple[Size, Size]
NUMBER: Shape = (0, 0)
WIDE = MATRICES | {"vector"}
UNITS = {"I": "I", "O": "O"}  # the identity and zero, of whatever size


def wide(name: str, notation: Notation) -> bool:
    """Is this a vector or a matrix, or a family of them?"""
    return notation[name].kind in WIDE or (notation[name].kind in FAMILIES and notation[name].of in WIDE)


def sized(relations: Sequence[Relation], notation: Notation) -> tuple[list[Relation], dict[str, str]]:
    """The relations in the language of kinds, and the kind of every name that is no number."""
    sizes = _Sizes(notation)
    for one in relations:
        left, right = sizes.shape(one.left), sizes.shape(one.right)
        sizes.same(left, right, "both sides of a relation")
    lowered = [replace(one, left=sizes.lowered(one.left), right=sizes.lowered(one.right)) for one in relations]
    return lowered, {name: sizes.kind(name) for name in sizes.letters if name not in UNITS}


@dataclass
class _Sizes:
    notation: Notation
    letters: dict[str, Shape] = field(default_factory=dict)
    units: dict[int, Shape] = field(default_factory=dict)  # of each I and O where it stands
    bound: dict[int, Size] = field(default_factory=dict)  # what a letter was found to be
    indices: dict[str, int] = field(default_factory=dict)
    count: int = 0

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def found(self, size: Size) -> Size:
        while isinstance(size, int) and size in self.bound:
            size = self.bound[size]
        return tuple(self._flat(size)) if isinstance(size, tuple) else size

    def _flat(self, size: tuple[int, ...]) -> list[int]:
        parts = [self.found(one) for one in size]
        return [one for part in parts for one in (part if isinstance(part, tuple) else (part,))]

    def tie(self, a: Size, b: Size, where: str) -> None:
        a, b = self.found(a), self.found(b)
        if a == b:
            return
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            for one, other in zip(a, b, strict=True):
                self.tie(one, other, where)
            return
        if not isinstance(a, int) or not a:
            a, b = b, a
        if not isinstance(a, int) or not a or not b or (isinstance(b, tuple) and a in b):
            raise Unreadable(f"{where} are not of one size")
        self.bound[a] = b

    def same(self, left: Shape, right: Shape, where: str) -> Shape:
        self.tie(left[0], right[0], where)
        self.tie(left[1], right[1], where)
        return left

    def square(self, shape: Shape, where: str) -> Shape:
        self.tie(shape[0], shape[1], f"rows and columns of {where}")
        return shape

    # --- shapes ------------------------------------------------------------------------------------------------

    def shape(self, node: Node) -> Shape:
        op, args = node.op, node.args
        if op == "sym" or (op == "index" and args[0].op == "sym"):
            return self.letter(node)
        if op in ("+", "-"):
            return self.same(self.shape(args[0]), self.shape(args[1]), "the terms of a sum")
        if op in ("*", "@"):
            return self.product(self.shape(args[0]), self.shape(args[1]))
        if op == "/":
            self.number(args[1])
            return self.shape(args[0])
        if op == "T":
            return self.shape(args[0])[::-1]
        if op in ("neg", "mean", "E", "sum"):
            return self.shape(args[-1])
        if op == "inv":
            return self.inverse(args[0])
        if op == "list":
            return self.blocks(node)
        if factors(node) and self.shape(args[0]) != NUMBER:
            return self.square(self.shape(args[0]), "a power")
        self.measured(node)
        return NUMBER

    def letter(self, node: Node) -> Shape:
        name, places = str((node.args[0] if node.args else node).value), max(len(node.args) - 1, 0)
        if not wide(name, self.notation):
            return NUMBER
        if id(node) in self.units:
            return self.units[id(node)]
        if name in UNITS and not places:
            shape = self.fresh(), self.fresh()
            self.units[id(node)] = self.square(shape, name) if name == "I" else shape
            return self.units[id(node)]
        if self.indices.setdefault(name, places) != places:
            raise Unreadable(f"{name} has {places} indices here and {self.indices[name]} elsewhere")
        if name not in self.letters:
            kind = self._kind(name)
            rows = self.fresh()
            self.letters[name] = (rows, 0) if kind == "vector" else (rows, self.fresh() if kind == "matrix" else rows)
        return self.letters[name]

    def inverse(self, node: Node) -> Shape:
        """The language has inverses of positive definite matrices."""
        name = str((node.args[0] if node.op == "index" else node).value)
        if self.shape(node) != NUMBER and (node.op not in ("sym", "index") or self._kind(name) != "pd"):
            raise Unreadable(f"{text(node)[:40]} is inverted; give it the kind pd in the symbols file if it is")
        return self.square(self.shape(node), "an inverse")

    def product(self, left: Shape, right: Shape) -> Shape:
        if NUMBER in (left, right):
            return right if left == NUMBER else left
        self.tie(left[1], right[0], "the factors of a product")
        return left[0], right[1]

    def number(self, node: Node) -> None:
        if self.shape(node) != NUMBER:
            raise Unreadable("a vector or a matrix stands where a number should")

    def measured(self, node: Node) -> None:
        """Norms, traces and inner products are numbers of vectors; everything else is a number of numbers."""
        shapes = [self.shape(arg) for arg in node.args]
        if node.op == "tr":
            self.square(shapes[0], "a trace")
        elif node.op == "inner" and len(shapes) == 2:
            self.same(shapes[0], shapes[1], "the factors of an inner product")
        elif node.op in ("norm", "norm2"):
            self.tie(shapes[0][1], 0, "a norm and the vector in it")
            if len(shapes) > 1:
                self.same(shapes[1], (shapes[0][0], shapes[0][0]), "a norm and the matrix below it")
        elif node.op == "**" and shapes[0] != NUMBER:
            raise Unreadable("powers of matrices are not read as claims")
        elif any(shape != NUMBER for shape in shapes):
            raise Unreadable(f"{node.op} of a vector or a matrix is not in the language")

    def blocks(self, node: Node) -> Shape:
        rows = [[self.shape(cell) for cell in (row.args if row.op == "list" else (row,))] for row in node.args]
        for row in rows:
            for cell in row[1:]:
                self.tie(cell[0], row[0][0], "the blocks of a row")
        for column in zip(*rows, strict=True):
            for cell in column[1:]:
                self.tie(cell[1], column[0][1], "the blocks of a column")
        high, long = [self.found(row[0][0]) for row in rows], [self.found(cell[1]) for cell in rows[0]]
        return self.stacked(high), self.stacked(long)

    def stacked(self, sizes: list[Size]) -> Size:
        if len(sizes) == 1:
            return sizes[0]
        return tuple(one for size in sizes for one in (size if isinstance(size, tuple) else (size,)))

    # --- what is written ---------------------------------------------------------------------------------------

    def lowered(self, node: Node) -> Node:
        """Inner products as products, I and O with their sizes."""
        if id(node) in self.units:
            rows, cols = (sym(self.named(size)) for size in self.units[id(node)])
            return Node("call", (rows,), "I") if node.value == "I" else Node("call", (rows, cols), "O")
        args = tuple(self.lowered(arg) for arg in node.args)
        if factors(node) and self.shape(node.args[0]) != NUMBER:
            return reduce(lambda left, right: Node("@", (left, right)), [args[0]] * factors(node))
        if node.op == "inner":
            product = Node("@", (Node("T", (args[0],)), args[1]))
            vectors = self.found(self.shape(node.args[0])[1]) == 0
            return product if vectors else Node("tr", (product,))
        return Node(node.op, args, node.value)

    def named(self, size: Size) -> str:
        """d for the only letter, else d1, d2, …"""
        size = self.found(size)
        if isinstance(size, tuple):
            return " + ".join("1" if not one else self.named(one) for one in size)
        return f"d{self.order.index(size) + 1}" if len(self.order) > 1 else "d"

    @property
    def order(self) -> list[Size]:
        """The letters that are left, in the order of their first use."""
        sizes = [self.found(size) for shape in (*self.letters.values(), *self.units.values()) for size in shape]
        flat = [one for size in sizes for one in (size if isinstance(size, tuple) else (size,))]
        return list(dict.fromkeys(one for one in flat if one))

    def _kind(self, name: str) -> str:
        glyph = self.notation[name]
        return glyph.of if glyph.kind in FAMILIES else glyph.kind

    def kind(self, name: str) -> str:
        glyph, (rows, cols), kind = self.notation[name], self.letters[name], self._kind(name)
        sizes = [self.named(rows), self.named(cols)] if kind == "matrix" else [self.named(rows)]
        places = ["nat"] * self.indices[name]
        if glyph.kind == "random" and places:
            places[-1] = "S"
        return f"{kind}({', '.join(sizes)})" + (f"[{', '.join(places)}]" if places else "")


def factors(node: Node) -> int:
    """Of how many factors a power is, where these can be written out; 0 for everything else."""
    power = node.args[1].value if node.op == "**" and node.args[1].op == "num" else 0
    return int(power) if power in (2, 3, 4) else 0


def unsampled(relations: Sequence[Relation]) -> bool:
    """Is there a mean of something that does not depend on the sample?"""
    means = [p for one in relations for side in (one.left, one.right) for p in walk(side) if p.op in ("mean", "E")]
    return any(part.args[0] not in set(walk(part.args[1])) for part in means)
