"""Whether a formula is a positive definite matrix by its form: sums of signed letters, squares L@L.T, congruences.

This decides what a claim says, so it errs on one side only: what it does not see is refused, with what to write
instead.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence


def is_pd(tree: ast.expr, kinds: Mapping[str, str], facts: Sequence[str]) -> bool:
    return _sign(tree, kinds, [one.replace(" ", "") for one in facts]) == "pd"


def has_value(tree: ast.expr, facts: Sequence[str]) -> bool:
    """Whether every quotient, root and logarithm in it has one by its form: a hypothesis that defines a name must not
    hide that the conclusion has none."""
    known = [one.replace(" ", "") for one in facts]
    return all(_is_total(part, known) for part in ast.walk(tree))


def _is_total(part: ast.AST, facts: Sequence[str]) -> bool:
    match part:
        case ast.BinOp(op=ast.Div(), right=right):
            return _is_positive(right, facts)
        case ast.BinOp(op=ast.Pow(), right=power):
            return not any(isinstance(one, ast.USub | ast.Sub | ast.Div) for one in ast.walk(power))
        case ast.Call(func=ast.Name(id="log" | "sqrt"), args=[inner]):
            return _is_positive(inner, facts)
        case ast.Call(func=ast.Name(id="inv"), args=[inner]):
            return isinstance(inner, ast.Name | ast.Subscript)  # a letter: declared pd, or refused as one
    return True


def _is_positive(tree: ast.expr, facts: Sequence[str]) -> bool:
    name = ast.unparse(tree).replace(" ", "")
    if f"{name}>0" in facts or f"0<{name}" in facts:
        return True
    match tree:
        case ast.Constant(value=int() | float() as value):
            return value > 0
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult() | ast.Div(), right=right):
            return _is_positive(left, facts) and _is_positive(right, facts)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant()):
            return _is_positive(left, facts)
        case ast.Call(func=ast.Name(id="exp")):
            return True
    return False


def may_be_zero(tree: ast.expr, facts: Sequence[str]) -> bool:
    """Whether the form shows that it is not negative, and not that it is positive: |x|, or x where x >= 0 is given."""
    known = [one.replace(" ", "") for one in facts]
    return _is_nonnegative(tree, known) and not _is_positive(tree, known)


def _is_nonnegative(tree: ast.expr, facts: Sequence[str]) -> bool:
    name = ast.unparse(tree).replace(" ", "")
    if f"{name}>=0" in facts or f"0<={name}" in facts or _is_square(tree) or _is_positive(tree, facts):
        return True
    match tree:
        case ast.Call(func=ast.Name(id="abs" | "sqrt" | "norm" | "norm2")):
            return True
        case ast.BinOp(left=big, op=ast.Sub(), right=small):
            a, b = (ast.unparse(one).replace(" ", "") for one in (big, small))
            return f"{a}>={b}" in facts or f"{b}<={a}" in facts
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult() | ast.Div(), right=right):
            return _is_nonnegative(left, facts) and _is_nonnegative(right, facts)
    return False


def _sign(tree: ast.expr, kinds: Mapping[str, str], facts: Sequence[str]) -> str:
    """ "pd", "psd", or "" where the form says nothing."""

    def sign(part: ast.expr) -> str:
        return _sign(part, kinds, facts)

    match tree:
        case ast.Name(id=name):
            base = kinds.get(name, "").split("(")[0].strip()
            return base if base in ("pd", "psd") else ""
        case ast.Call(func=ast.Name(id="I")):
            return "pd"
        case ast.Call(func=ast.Name(id="inv"), args=[inner]):
            return "pd" if sign(inner) == "pd" else ""
        case ast.Call(func=ast.Name(id="E"), args=[_, inner]):
            return "psd" if sign(inner) else ""
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            both = (sign(left), sign(right))
            return "" if "" in both else max(both, key=lambda one: one == "pd")
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _scaled(left, sign(right), facts) or _scaled(right, sign(left), facts)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _scaled(right, sign(left), facts)
        case ast.BinOp(op=ast.MatMult()):
            factor, rest = _pulled(tree)
            sign_ = _congruence(rest, kinds, facts)
            return sign_ if factor is None else _scaled(factor, sign_, facts)
    return ""


def _scaled(factor: ast.expr, sign: str, facts: Sequence[str]) -> str:
    """A positive number times a signed matrix."""
    name = ast.unparse(factor).replace(" ", "")
    if isinstance(factor, ast.Constant) and isinstance(factor.value, int | float) and factor.value > 0:
        return sign
    if f"{name}>0" in facts or f"0<{name}" in facts:
        return sign
    match factor:
        case ast.BinOp(left=big, op=ast.Sub(), right=small):
            a, b = (ast.unparse(one).replace(" ", "") for one in (big, small))
            if f"{a}>{b}" in facts or f"{b}<{a}" in facts:
                return sign
            if sign and (f"{a}>={b}" in facts or f"{b}<={a}" in facts):
                return "psd"
    weak = f"{name}>=0" in facts or f"0<={name}" in facts or _is_square(factor)
    return "psd" if sign and weak else ""


def _is_square(tree: ast.expr) -> bool:
    match tree:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2)):
            return True
    return False


def _congruence(tree: ast.expr, kinds: Mapping[str, str], facts: Sequence[str]) -> str:
    """L@L.T, and L@Z@L.T with a signed Z."""
    factors = _factors(tree)
    shown = [ast.unparse(one) for one in factors]
    half = len(factors) // 2
    if any(shown[i] != _transposed(factors[-1 - i]) for i in range(half)):
        return ""
    return "psd" if len(factors) % 2 == 0 or _sign(factors[half], kinds, facts) else ""


def _pulled(tree: ast.expr) -> tuple[ast.expr | None, ast.expr]:
    """c*x@y is (c*x)@y: the number in front of the first factor."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        factor, left = _pulled(tree.left)
        return factor, ast.BinOp(left, ast.MatMult(), tree.right)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult):
        return tree.left, tree.right
    return None, tree


def _factors(tree: ast.expr) -> list[ast.expr]:
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        return [*_factors(tree.left), *_factors(tree.right)]
    return [tree]


def _transposed(tree: ast.expr) -> str:
    if isinstance(tree, ast.Attribute) and tree.attr == "T":
        return ast.unparse(tree.value)
    return ast.unparse(ast.Attribute(tree, "T"))
