"""Formulas of sympy in our language. Assumptions of symbols (positive=True, …) become hypotheses that are seen.

sympy is imported by the user, if at all: a text never needs it.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable
from typing import Any

from theory.kernel import Malformed

CLASSES = {
    "LessThan": "<=",
    "StrictLessThan": "<",
    "GreaterThan": ">=",
    "StrictGreaterThan": ">",
    "Equality": "==",
    "Unequality": "!=",
}
FUNCTIONS = {"exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "Abs": "abs", "Max": "max", "Min": "min"}


def relations(source: Any) -> list[str]:
    """Relations as texts: a text (`0 < x <= 1` is two), a relation of sympy, an `And`, or several of these."""
    if isinstance(source, str):
        return _unchained(source)
    if isinstance(source, bool) or type(source).__name__ in ("BooleanTrue", "BooleanFalse"):
        raise Malformed(
            f"a relation has become {source} before it could be read (sympy or Python decided it); write it as a text, "
            'for example "x**2 >= 0"'
        )
    name = type(source).__name__
    if name in CLASSES:
        return [f"{formula(source.lhs)} {CLASSES[name]} {formula(source.rhs)}"]
    if name == "And":
        return [one for part in sorted(source.args, key=str) for one in relations(part)]
    if isinstance(source, Iterable):
        return [one for part in source for one in relations(part)]
    raise Malformed(f"{source!r} is not a relation; write a text such as 'a*b <= (a**2 + b**2)/2' or a sympy relation")


def _unchained(source: str) -> list[str]:
    """`0 < x <= 1` is `0 < x` and `x <= 1`."""
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [source]  # the kernel says what is wrong with it
    if not isinstance(tree, ast.Compare) or len(tree.ops) < 2:
        return [source]
    signs = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
    if any(type(op) not in signs for op in tree.ops):
        return [source]
    sides = [ast.get_source_segment(source.strip(), side) or "" for side in (tree.left, *tree.comparators)]
    return [f"{a} {signs[type(op)]} {b}" for a, op, b in zip(sides, tree.ops, sides[1:], strict=False)]


def formula(source: Any) -> str:
    """An expression as a text of our language."""
    if isinstance(source, str):
        return source
    if isinstance(source, int) and not isinstance(source, bool):
        return str(source)
    kind = type(source).__name__
    if getattr(source, "is_Symbol", False):
        return name_of(source)
    if getattr(source, "is_Rational", False):
        return f"({source.p}/{source.q})" if source.q != 1 else (str(source.p) if source.p >= 0 else f"({source.p})")
    if getattr(source, "is_Float", False) or isinstance(source, float):
        raise Malformed(f"{source} is a rounded number; write an exact one, such as Rational(1, 10)")
    if getattr(source, "is_Add", False):
        return "(" + " + ".join(formula(arg) for arg in source.args) + ")"
    if getattr(source, "is_Mul", False):
        return "(" + "*".join(formula(arg) for arg in source.args) + ")"
    if getattr(source, "is_Pow", False):
        return _power(source)
    if kind == "Exp1":
        return "exp(1)"
    if kind in FUNCTIONS:
        return f"{FUNCTIONS[kind]}({', '.join(formula(arg) for arg in source.args)})"
    if kind == "Indexed":
        return f"{name_of(source.base.label)}[{', '.join(formula(i) for i in source.indices)}]"
    if kind == "Sum":
        return _sum(source)
    if getattr(source, "is_MatrixExpr", False):
        raise Malformed(f"{source} is a matrix without entries; write the formula as a text, with kinds={{…}}")
    if getattr(source, "is_Matrix", False):
        rows = [", ".join(formula(x) for x in source.row(i)) for i in range(source.rows)]
        return "[" + ", ".join(f"[{row}]" for row in rows) + "]"
    raise Malformed(f"{source} ({kind}) has no counterpart in the formula language; write the formula as a text")


def _power(source: Any) -> str:
    base, power = source.base, source.exp
    if getattr(power, "is_Rational", False) and power.q == 2:
        root = f"sqrt({formula(base)})"
        return root if power.p == 1 else f"{root}**({power.p})"
    if getattr(power, "is_Rational", False) and power.q != 1:
        raise Malformed(f"{source}: only square roots are in the language; name the root r and give r**{power.q} == …")
    return f"({formula(base)})**({formula(power)})"


def _sum(source: Any) -> str:
    text = formula(source.function)
    for limit in source.limits:
        if len(limit) != 3:
            raise Malformed(f"{source}: the range of {limit[0]} has no two ends; give the lowest and the highest index")
        index, lo, hi = limit
        inside = source.function.free_symbols | lo.free_symbols | hi.free_symbols
        others = [symbol for symbol in inside if getattr(symbol, "is_Symbol", False) and symbol != index]
        if any(name_of(symbol) == name_of(index) for symbol in others):
            raise Malformed(f"{source}: two different symbols are called {name_of(index)}; rename one")
        if (hi - lo + 1).is_nonnegative is not True:
            raise Malformed(
                f"{source}: the range {lo}..{hi} may end before it begins, where sympy counts backwards; "
                f"make the symbols in it integer=True and nonnegative=True, or write the sum as a text"
            )
        _fits(index, lo, source)
        text = f"sum({name_of(index)}, {formula(lo)}, {formula(hi)}, {text})"
    return text


def _fits(index: Any, lo: Any, source: Any) -> None:
    """What an index assumes must be so over its whole range."""
    known = _facts(index)
    more = _unhonoured(index, known) or [one for one in known if one in ("negative", "nonpositive")]
    low = (known.get("nonnegative") and not lo.is_nonnegative) or (known.get("positive") and not lo.is_positive)
    if more or low:
        what = more[0] if more else "positive" if known.get("positive") else "nonnegative"
        raise Malformed(f"{source}: the index {name_of(index)} is assumed {what}, which its range is not: leave it out")


def name_of(symbol: Any) -> str:
    """A name that the language reads: x_{1} is x_1, \\mu is mu, lambda is lambda_. Nothing else is folded."""
    name = re.sub(r"^\\|[{}]", "", str(getattr(symbol, "name", symbol)))
    if not name.isidentifier() or not name.isascii():
        raise Malformed(f"the symbol {str(symbol)!r} has no usable name; call it by letters, digits and underscores")
    return f"{name}_" if keyword.iskeyword(name) else name


FACTS = ("integer", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "real")


def _facts(symbol: Any) -> dict[str, bool]:
    """What the symbol assumes and the language can say."""
    return {fact: True for fact in FACTS if getattr(symbol, f"is_{fact}")}


def _unhonoured(symbol: Any, facts: dict[str, bool]) -> list[str]:
    """What else the symbol assumes: a symbol that assumes just these facts would not assume it."""
    import sympy

    if symbol.is_zero:
        return ["zero"]
    plain = sympy.Symbol(symbol.name, **facts).assumptions0
    told = symbol.assumptions0
    return sorted(
        (name if value else f"not {name}") for name, value in told.items() if plain.get(name, not value) != value
    )


def assumptions(sources: Iterable[Any]) -> tuple[list[str], list[str]]:
    """What the symbols themselves assume: hypotheses, and the names that range over the natural numbers."""
    found: dict[str, Any] = {}
    for source in sources:
        for symbol in sorted(getattr(source, "free_symbols", ()), key=str):
            if getattr(symbol, "is_Symbol", False):
                name = name_of(symbol)
                if found.setdefault(name, symbol) != symbol:
                    raise Malformed(f"two different symbols are both called {name}; rename one")
    given: list[str] = []
    naturals: list[str] = []
    for name, symbol in found.items():
        facts = _facts(symbol)
        more = _unhonoured(symbol, facts)
        if more and not symbol.is_real:
            raise Malformed(f"the symbol {name} is assumed {more[0]} and not real; claims are about real numbers")
        if more:
            words = "which is not in the language; write it as given"
            raise Malformed(f"the symbol {name} is assumed {more[0]}, {words}")
        if symbol.is_integer:
            if not symbol.is_nonnegative:
                raise Malformed(
                    f"the integer {name} may be negative; make it nonnegative=True, or write it as a difference"
                )
            naturals.append(name)
            given += [f"{name} >= 1"] if symbol.is_positive else []
        else:
            given += _sign(name, symbol)
    return given, naturals


def _sign(name: str, symbol: Any) -> list[str]:
    for known, text in (
        (symbol.is_positive, f"{name} > 0"),
        (symbol.is_negative, f"{name} < 0"),
        (symbol.is_nonnegative, f"{name} >= 0"),
        (symbol.is_nonpositive, f"{name} <= 0"),
        (symbol.is_nonzero, f"{name} != 0"),
    ):
        if known:
            return [text]
    return []
