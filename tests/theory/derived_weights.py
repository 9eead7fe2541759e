"""The weight of an expression in the names of a symbols file, such as `L_l*tr(inv(H)@Q)/T`, which `from` holds."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from theory.claims.symbols import Convention, Symbol, Weight

HALF = Fraction(1, 2)
POWERS = {
    **dict.fromkeys(("E", "tr", "lammin", "lammax", "entry22", "norm", "kron", "app", "inner"), Fraction(1)),
    "inv": Fraction(-1),
    "sqrt": HALF,
    "normsq": Fraction(2),
}


@dataclass(frozen=True)
class Derived:
    """Sums must agree; products add; a function of the paper has its own weight, a linear one adds its argument's."""

    symbols: Mapping[str, Symbol]
    convention: Convention

    def of(self, node: ast.expr) -> Weight:
        match node:
            case ast.Constant():
                return Weight()
            case ast.Name(id=name):
                return self.symbols[name].weight_in(self.convention)
            case ast.Attribute(value=inner) | ast.UnaryOp(operand=inner):
                return self.of(inner)
            case ast.BinOp(left, ast.Add() | ast.Sub(), right):
                assert self.of(left) == self.of(right), ast.unparse(node)
                return self.of(left)
            case ast.BinOp(left, ast.Mult() | ast.MatMult(), right):
                return self.of(left) + self.of(right)
            case ast.BinOp(left, ast.Div(), right):
                return self.of(left) - self.of(right)
            case ast.BinOp(left, ast.Pow(), right):
                return self.power(left, right)
            case ast.Call(ast.Name(name), arguments):
                return self.call(name, arguments)
        raise AssertionError(f"{ast.unparse(node)} has no weight")

    def power(self, base: ast.expr, exponent: ast.expr) -> Weight:
        if isinstance(exponent, ast.Constant):
            return self.of(base).times(Fraction(str(exponent.value)))
        assert not self.of(base), ast.unparse(base)
        return Weight()

    def call(self, name: str, arguments: list[ast.expr]) -> Weight:
        inner = [self.of(one) for one in arguments]
        if name in self.symbols:
            own = self.symbols[name].weight_in(self.convention)
            return own + inner[-1] if self.symbols[name].linear else own
        if name in ("norm", "normsq"):
            metric = inner[1].times(HALF) if len(inner) > 1 else Weight()
            return (inner[0] + metric).times(POWERS[name])
        return sum(inner, Weight()).times(POWERS[name])


def parsed(expression: str) -> ast.expr:
    return ast.parse(expression or "1", mode="eval").body
