"""What a formula may be written with. A reader must see all that is judged, and nothing that is not."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Mapping
from fractions import Fraction

from theory.claims.idioms import SIGNS
from theory.kernel import Malformed

NO_NUMBER = re.compile(r"\bnan\b", re.IGNORECASE)
LONGEST, HIGHEST = 10_000, 100_000  # characters of a text; a power
POWER = re.compile(r"\*\*\s*[(\d]")
INDEX = re.compile(r"\[[^\]]*[/.]")
ALONE = re.compile(r"(?<![\w.])I(?!\w|\s*\()")


def plain(sources: Iterable[str], where: str) -> tuple[str, ...]:
    """The formulas as they are, when they hold no comment, no line break, no control and no look-alike character."""
    found = tuple(sources)
    for source in found:
        if not isinstance(source, str):
            raise Malformed(f"{where}: a formula is a text, not {source!r}")
        _refuse(source, where)
    return found


def declared(kinds: Iterable[str], known: Iterable[str], formulas: Iterable[str], where: str) -> None:
    """Names that kinds declares are names, and I alone is a matrix that somebody has declared."""
    names = tuple(kinds)
    for name in names:
        if not str(name).isidentifier():
            raise Malformed(f"{where}: kinds declares {name!r}, which is no name; use letters, digits and underscores")
    for source in formulas:
        if ALONE.search(source) and "I" not in {*names, *known}:
            told = "the identity matrix is I(n) beside kinds; a number has another name"
            raise Malformed(f"{where}: {source!r} holds I alone; {told}")


def skeleton(proof: object, where: str) -> None:
    """A proof is a tree that `theory.provers.tactics` made, or a function that makes one, or a list: one for a goal."""
    trees = proof if isinstance(proof, (list, tuple)) else [proof]
    if not all(one is None or isinstance(one, Mapping) or callable(one) for one in trees):
        raise Malformed(f"{where}: the proof {proof!r} is no skeleton; write proof=have(...) or cite(...)")


def _refuse(source: str, where: str) -> None:
    if len(source) > LONGEST:
        size = f"{len(source)} characters, more than {LONGEST}"
        raise Malformed(f"{where}: {source[:60]!r}… has {size}; give its parts names with `where`")
    if POWER.search(source) or INDEX.search(source):
        _refuse_numbers(source, where)
    if "#" in source:
        raise Malformed(f"{where}: {source!r} holds a comment (#), which would be shown and not judged; leave it out")
    if NO_NUMBER.search(source):
        raise Malformed(f"{where}: {source!r} holds nan, which is no number; write what is meant")
    for sign in source:
        if sign.isascii() and sign.isprintable():
            continue
        name = unicodedata.name(sign, f"character {ord(sign)}").lower()
        remedy = f"write {SIGNS[sign]}" if sign in SIGNS else "write letters by name, such as eta"
        if not sign.isprintable():
            remedy = "write the formula on one line, in spaces"
        raise Malformed(f"{where}: {source!r} holds {name} (U+{ord(sign):04X}), which may be misread; {remedy}")


def _refuse_numbers(source: str, where: str) -> None:
    """A power that is a number and that nobody can compute with; an index that is a number and no integer."""
    try:
        parts = list(ast.walk(ast.parse(source.strip(), mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # whoever reads the formula says what is wrong with it
    for node in parts:
        if isinstance(node, ast.Subscript):
            _refuse_fractions(node, where)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            value = _whole(node.right)
            if value is not None and abs(value) > HIGHEST:
                power = ast.unparse(node.right)[:60]
                raise Malformed(
                    f"{where}: the power {power} is above {HIGHEST}; give it a name and say what is known of it"
                )


def _refuse_fractions(node: ast.Subscript, where: str) -> None:
    for place in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        if (value := _number(place)) is not None and value.denominator != 1:
            told = ast.unparse(node)[:60]
            raise Malformed(f"{where}: {told}: an index is an integer, and {value} is none; write one, or another name")


def _number(node: ast.expr) -> Fraction | None:
    """The value of sums, products and quotients of numbers, None for everything else."""
    match node:
        case ast.Constant(value=int(value) | float(value)):
            return Fraction(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            found = _number(inner)
            return None if found is None else -found
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as sign, right=right):
            one, other = _number(left), _number(right)
            if one is None or other is None or (isinstance(sign, ast.Div) and not other):
                return None
            return {ast.Add: one.__add__, ast.Sub: one.__sub__, ast.Mult: one.__mul__}.get(type(sign), one.__truediv__)(
                other
            )
    return None


def _whole(node: ast.expr) -> int | None:
    """The value of an expression in whole numbers, HIGHEST + 1 for all that is beyond; None for everything else."""
    match node:
        case ast.Constant(value=int(value)):
            return min(value, HIGHEST + 1)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            found = _whole(inner)
            return None if found is None else -found
        case ast.BinOp(left=left, op=ast.Mult() | ast.Pow() as sign, right=right):
            low, high = _whole(left), _whole(right)
            if low is None or high is None or high < 0:
                return None
            reached = low * high if isinstance(sign, ast.Mult) else low ** min(high, 20)
            return max(-HIGHEST - 1, min(reached, HIGHEST + 1))
    return None
