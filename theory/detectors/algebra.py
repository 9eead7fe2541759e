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

from theory.detectors.shapes import SCALAR, SHAPES, UNKNOWN, Shape, ShapeError, block_shape, product_shape, unify
from theory.symbols import Convention, Weight, symbols

NUMBER = Weight()


@dataclass(frozen=True)
class Term:
    """A summand and its weight."""

    text: str
    weight: Weight


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
    clashes: list[Clash] = field(default_factory=list)

    # ------------------------------------------------------------------ agreement

    def agree(self, sides: Iterable[Quantity], context: str) -> Weight | None:
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
                self.clashes.append(Clash("weight", context, model.text, term.text, reference, term.weight, index))
        return reference

    def same_shape(self, sides: Iterable[tuple[str, Quantity]], context: str) -> Shape:
        """The common shape of all sides; the first that does not fit is a clash."""
        text, shape = "", UNKNOWN
        for index, (side_text, side) in enumerate(sides):
            if not side.terms:
                continue
            try:
                shape = unify(shape, side.shape)
            except ShapeError:
                self.shape_clash(context, sized(text, shape), sized(side_text, side.shape), index)
            text = text or side_text
        return shape

    def shape_clash(self, context: str, left: str, right: str, side: int = 0) -> None:
        """Two things whose shapes do not fit."""
        self.clashes.append(Clash("shape", context, left, right, NUMBER, NUMBER, side))

    def single(self, quantity: Quantity, context: str) -> Weight | None:
        """The one weight of a quantity, None for zero."""
        return self.agree([quantity], context)

    def weightless(self, node: ast.expr, context: str) -> None:
        """The expression must be a pure number."""
        for term in self.read(node).terms:
            if term.weight:
                self.clashes.append(Clash("weight", context, "1", term.text, NUMBER, term.weight))

    # ------------------------------------------------------------------ expressions

    def read(self, node: ast.expr) -> Quantity:
        """The quantity that an expression denotes."""
        text = ast.unparse(node)
        match node:
            case ast.Constant(value=0):
                return Quantity((), UNKNOWN)
            case ast.Constant():
                return Quantity((Term(text, NUMBER),), SCALAR)
            case ast.Name(id=name):
                return self._name(name, text)
            case ast.Subscript(value=ast.Name(id=name)):
                self._index(node.slice)
                return self._name(name, text)
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
        raise NameError(f"{text!r}: {type(node).__name__} has no weight; see theory/detectors/language.py")

    def _name(self, name: str, text: str) -> Quantity:
        if name in ("O", "dots", "star"):
            return Quantity((), UNKNOWN)
        if name not in symbols():
            raise NameError(f"{text!r}: no symbol {name!r} in theory/symbols.toml; add it with its weights")
        entry = symbols()[name]
        return Quantity((Term(text, entry.weight_in(self.convention)),), SHAPES[entry.shape])

    def _index(self, node: ast.expr) -> None:
        for index in node.elts if isinstance(node, ast.Tuple) else [node]:
            self.weightless(index, "an index")

    def _sum(self, node: ast.BinOp) -> Quantity:
        left, right = self.read(node.left), self.read(node.right)
        named = [(ast.unparse(node.left), left), (ast.unparse(node.right), right)]
        shape = self.same_shape(named, f"the terms of {ast.unparse(node)}")
        return Quantity(left.terms + right.terms, shape)

    def _product(self, node: ast.BinOp) -> Quantity:
        left, right, text = self.read(node.left), self.read(node.right), ast.unparse(node)
        sign = Fraction(-1) if isinstance(node.op, ast.Div) else Fraction(1)
        over_right = (
            sign < 0 or len(left.weights) > 1
        )  # spread the terms of the left factor, else those of the right one
        other, spread = (node.right, left) if over_right else (node.left, right)
        factor = self.single(right if over_right else left, f"the factor {ast.unparse(other)}")
        shifted: tuple[Term, ...] = ()
        if factor is not None:
            tail = f"{'/' if sign < 0 else '*'} ({ast.unparse(other)})"
            shifted = tuple(Term(tidy(f"({t.text}) {tail}"), t.weight + factor.times(sign)) for t in spread.terms)
        if len({t.weight for t in shifted}) == 1:
            shifted = (Term(text, shifted[0].weight),)
        try:
            shape = product_shape(left.shape, right.shape, type(node.op).__name__)
        except ShapeError:
            sizes = sized(ast.unparse(node.left), left.shape), sized(ast.unparse(node.right), right.shape)
            self.shape_clash(f"the product {text}", *sizes)
            shape = UNKNOWN
        return Quantity(shifted, shape)

    def _power(self, node: ast.BinOp) -> Quantity:
        base, text = self.read(node.left), ast.unparse(node)
        weight = self.single(base, f"the base of {text}")
        exponent = rational(node.right)
        if weight is None:
            return base
        if exponent is None:
            self.weightless(node.right, f"the exponent of {text}")
            if weight:
                self.clashes.append(Clash("weight", f"the base of {text}", "1", ast.unparse(node.left), NUMBER, weight))
            return Quantity((Term(text, NUMBER),), base.shape)
        return Quantity((Term(text, weight.times(exponent)),), base.shape)

    def _block(self, node: ast.List) -> Quantity:
        rows = [[self.read(entry) for entry in row.elts] for row in node.elts if isinstance(row, ast.List)]
        text = ast.unparse(node)
        weight = self.agree((entry for row in rows for entry in row), f"the entries of {text}")
        try:
            shape = block_shape([[entry.shape for entry in row] for row in rows])
        except ShapeError as error:
            self.shape_clash(f"the blocks of {text}", str(error), text)
            shape = UNKNOWN
        return Quantity(() if weight is None else (Term(text, weight),), shape)


def tidy(text: str) -> str:
    """The same expression without superfluous brackets."""
    return ast.unparse(ast.parse(text, mode="eval"))


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
