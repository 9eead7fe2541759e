"""sympy -> the language of claims, on top of `theory.fromsympy`.

Powers with a symbolic exponent are split (x**(k+1) is x*x**k), because the kernel multiplies symbols, not exponents.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from theory.claims.fromsympy import formula
from theory.kernel.lang import parse, text


def claim_text(expression: Any) -> str:
    """A scalar, a column or a matrix of sympy as a text that the kernel reads, with no more brackets than it needs."""
    return text(parse(_nested(expression)))


def _nested(expression: Any) -> str:
    if isinstance(expression, sympy.MatrixBase):
        if expression.cols == 1:
            return "[" + ", ".join(_nested(entry) for entry in expression) + "]"
        rows = (", ".join(_nested(x) for x in expression.row(i)) for i in range(expression.rows))
        return "[" + ", ".join(f"[{row}]" for row in rows) + "]"
    return _text(expression if isinstance(expression, sympy.Basic) else sympy.Rational(expression))


def _text(expression: Any) -> str:
    """Sums and products by hand, so that a split power is not put together again; the rest as `formula` has it."""
    if expression.is_Add:
        return "(" + _signed(_text(arg) for arg in expression.as_ordered_terms()) + ")"
    if expression.is_Mul:
        if expression.could_extract_minus_sign():
            return f"-{_text(-expression)}"
        above, below = expression.as_numer_denom()
        if below != 1:
            return f"({_text(above)}/{_text(below)})"
        return "(" + "*".join(_text(arg) for arg in expression.as_ordered_factors()) + ")"
    if expression.is_Pow and expression.exp.free_symbols:
        fixed, moving = expression.exp.as_coeff_Add()
        power = f"{_text(expression.base)}**{_text(moving)}"
        return power if fixed == 0 else f"({_text(expression.base**fixed)}*{power})"
    if expression.is_Pow and expression.exp.is_Integer and expression.exp > 0:
        return f"{_text(expression.base)}**{expression.exp}"
    if expression.is_Pow and expression.exp.is_negative:
        return f"(1/{_text(1 / expression)})"
    if expression.is_Integer:
        return str(expression)
    return formula(expression)


def _signed(terms: Iterable[str]) -> str:
    first, *rest = sorted(terms, key=lambda term: term.startswith("-"))  # what is added first
    return first + "".join(f" - {term[1:]}" if term.startswith("-") else f" + {term}" for term in rest)
