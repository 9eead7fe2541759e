"""Weights and shapes of expressions: how they scale under data, loss and predictions, and which products make sense.

Nothing is evaluated numerically. A sum keeps the weights of its terms until they meet something they must agree with
(the other side of the relation, the argument of a logarithm, ...), so that a disagreement is reported at the term
that causes it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from theory.claims.symbols import Convention, Weight
from theory.detectors.notation import Notation
from theory.detectors.shapes import SCALAR, SHAPES, UNKNOWN, Shape, ShapeError, block_shape, product_shape, unify

NUMBER = Weight()


@dataclass(frozen=True)
class Term:
    """A summand and its weight."""

    node: ast.expr
    weight: Weight

    @property
    def text(self) -> str:
        """The summand as it is written."""
        return ast.unparse(self.node)


@dataclass(frozen=True)
class Quantity:
    """Summands, none for zero, and a shape."""

    terms: tuple[Term, ...]
    shape: Shape

    @property
    def weights(self) -> tuple[Weight, ...]:
        """The distinct weights, in order of appearance."""
        return tuple(dict.fromkeys(term.weight for term in self.terms))


@dataclass(frozen=True)
class Clash:
    """Two expressions that must scale alike and do not, or a product whose shapes do not fit."""

    kind: str  # "weight" or "shape"
    context: str
    left: str
    right: str
    left_weight: Weight
    right_weight: Weight
    side: int = 0  # which side of the relation the right expression is on, 0 for the leftmost


@dataclass
class Reader:
    """Computes quantities under a convention and collects clashes."""

    convention: Convention
    call: Callable[[Reader, ast.Call], Quantity]  # what functions do; see theory/detectors/functions.py
    notation: Notation
    clashes: list[Clash] = field(default_factory=list)

    # ------------------------------------------------------------------ agreement

    def agree(self, sides: Iterable[Quantity], what: str, at: ast.expr | None = None) -> Weight | None:
        """The weight that the summands of all sides should share; every summand that differs is a clash."""
        listed = list(sides)
        terms = [(index, term) for index, side in enumerate(listed) for term in side.terms]
        votes = Counter(weight for side in listed for weight in side.weights)
        if not votes:
            return None
        count = Counter(term.weight for _, term in terms)
        reference = max(votes, key=lambda weight: (votes[weight], count[weight]))  # on a tie the one that comes first
        model = next(term for _, term in terms if term.weight == reference)
        for index, term in terms:
            if term.weight != reference:
                self.weight_clash(model.text, reference, term.text, term.weight, what, at, index)
        return reference

    def single(self, quantity: Quantity, what: str, at: ast.expr) -> Weight | None:
        """The one weight of a quantity, None for zero."""
        return quantity.terms[0].weight if len(quantity.terms) == 1 else self.agree([quantity], what, at)

    def weightless(self, node: ast.expr, what: str, at: ast.expr) -> None:
        """The expression must be a pure number."""
        for term in self.read(node).terms:
            if term.weight:
                self.weight_clash("1", NUMBER, term.text, term.weight, what, at)

    def same_shape(self, sides: Iterable[tuple[ast.expr, Quantity]], what: str, at: ast.expr | None = None) -> Shape:
        """The common shape of all sides; every side that does not fit the first ones is a clash."""
        shape, model = UNKNOWN, ""
        for index, (node, side) in enumerate(sides):
            if side.terms:
                try:
                    shape = unify(shape, side.shape)
                except ShapeError:
                    self.shape_clash(sized(model, shape), sized(ast.unparse(node), side.shape), what, at, index)
                model = model or ast.unparse(node)
        return shape

    def weight_clash(
        self, left: str, left_weight: Weight, right: str, weight: Weight, what: str, at: ast.expr | None, side: int = 0
    ) -> None:
        """Two expressions that must scale alike and do not."""
        self.clashes.append(Clash("weight", _context(what, at), left, right, left_weight, weight, side))

    def shape_clash(self, left: str, right: str, what: str, at: ast.expr | None, side: int = 0) -> None:
        """Two expressions whose shapes do not fit."""
        self.clashes.append(Clash("shape", _context(what, at), left, right, NUMBER, NUMBER, side))

    # ------------------------------------------------------------------ expressions

    def read(self, node: ast.expr) -> Quantity:
        """The quantity that an expression denotes."""
        match node:
            case ast.Constant(value=0):
                return Quantity((), UNKNOWN)
            case ast.Constant():
                return Quantity((Term(node, NUMBER),), SCALAR)
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Subscript(value=ast.Name(id=name)):
                self._index(node.slice)
                return self._name(name, node)
            case ast.UnaryOp(operand=operand):
                return self.read(operand)
            case ast.Attribute(value=value):
                inner = self.read(value)
                return Quantity(inner.terms, inner.shape[::-1])
            case ast.List():
                return self._block(node)
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self._sum(node)
            case ast.BinOp(op=ast.Mult() | ast.MatMult() | ast.Div()):
                return self._product(node)
            case ast.BinOp(op=ast.Pow()):
                return self._power(node)
            case ast.Call():
                return self.call(self, node)
        raise NameError(f"{ast.unparse(node)!r}: {type(node).__name__} has no weight; see theory/detectors/language.py")

    def _name(self, name: str, node: ast.expr) -> Quantity:
        if name in ("O", "dots", "star"):
            return Quantity((), UNKNOWN)
        if name not in self.notation.symbols:
            raise NameError(
                f"{ast.unparse(node)!r}: no symbol {name!r} in the paper's symbols.toml; add it with its weights"
            )
        entry = self.notation.symbols[name]
        return Quantity((Term(node, entry.weight_in(self.convention)),), SHAPES[entry.shape])

    def _index(self, node: ast.expr) -> None:
        for index in node.elts if isinstance(node, ast.Tuple) else [node]:
            self.weightless(index, "the index", index)

    def _sum(self, node: ast.BinOp) -> Quantity:
        left, right = self.read(node.left), self.read(node.right)
        shape = self.same_shape([(node.left, left), (node.right, right)], "the terms of", node)
        return Quantity(left.terms + right.terms, shape)

    def _product(self, node: ast.BinOp) -> Quantity:
        left, right = self.read(node.left), self.read(node.right)
        sign = Fraction(-1) if isinstance(node.op, ast.Div) else Fraction(1)
        # The summands of one factor are multiplied by the other factor: those of the left one if it is a mixed sum.
        of_left = sign < 0 or len(left.weights) > 1
        spread, other, at = (left, right, node.right) if of_left else (right, left, node.left)
        factor = self.single(other, "the factor", at)
        terms = () if factor is None else tuple(Term(t.node, t.weight + factor.times(sign)) for t in spread.terms)
        if len({t.weight for t in terms}) == 1:
            terms = (Term(node, terms[0].weight),)
        else:
            terms = tuple(Term(ast.BinOp(t.node, node.op, at), t.weight) for t in terms)
        try:
            shape = product_shape(left.shape, right.shape, type(node.op).__name__)
        except ShapeError:
            sizes = sized(ast.unparse(node.left), left.shape), sized(ast.unparse(node.right), right.shape)
            self.shape_clash(*sizes, "the product", node)
            shape = UNKNOWN
        return Quantity(terms, shape)

    def _power(self, node: ast.BinOp) -> Quantity:
        base, exponent = self.read(node.left), rational(node.right)
        weight = self.single(base, "the base of", node)
        if weight is None:
            return base
        if exponent is None:
            self.weightless(node.right, "the exponent of", node)
            if weight:
                self.weight_clash("1", NUMBER, ast.unparse(node.left), weight, "the base of", node)
            return Quantity((Term(node, NUMBER),), base.shape)
        return Quantity((Term(node, weight.times(exponent)),), base.shape)

    def _block(self, node: ast.List) -> Quantity:
        rows = [[self.read(entry) for entry in row.elts] for row in node.elts if isinstance(row, ast.List)]
        weight = self.agree((entry for row in rows for entry in row), "the entries of", node)
        try:
            shape = block_shape([[entry.shape for entry in row] for row in rows])
        except ShapeError as error:
            self.shape_clash(str(error), ast.unparse(node), "the blocks of", node)
            shape = UNKNOWN
        return Quantity(() if weight is None else (Term(node, weight),), shape)


def _context(what: str, at: ast.expr | None) -> str:
    return what if at is None else f"{what} {ast.unparse(at)}"


def sized(text: str, shape: Shape) -> str:
    """An expression with its shape, for messages."""
    return f"{text} ({' x '.join(shape)})"


def rational(node: ast.expr) -> Fraction | None:
    """The value of a numeric exponent such as 2, -1/3; None if it has symbols in it."""
    match node:
        case ast.Constant(value=int(value)):
            return Fraction(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = rational(operand)
            return None if inner is None else -inner
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            above, below = rational(left), rational(right)
            return None if above is None or not below else above / below
    return None
