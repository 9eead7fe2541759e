"""The ASCII mathematics in which relations.toml is written: Python expressions, parsed and never evaluated.

A relation is a chain of expressions joined by relation signs that stand between blanks:

    =  :=  <=  >=  <  >      as printed; := where the paper prints a definition sign
    =<                       the semidefinite order
    <~  >~  ~~               less, greater and equal up to constants (and logarithms)
    in   ~                   membership; "is distributed as"
    =>                       implication between two chains

Names are those of symbols.toml. `*` multiplies by a number, `@` multiplies matrices, `.T` transposes, `x[t-1]`
carries an index, `[[p, q],[r, s]]` is a block matrix, `O` (or 0) is zero. Functions are listed in
theory/detectors/functions.py.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from enum import Enum

SIGNS = (":=", "=>", "=<", "<=", ">=", "<~", ">~", "~~", "=", "<", ">", "~", "in")
_SPLIT = re.compile(r"\s(" + "|".join(re.escape(sign) for sign in SIGNS) + r")\s")
_ALLOWED = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.Call,
    ast.Name,
    ast.Load,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.Tuple,
    ast.List,
    ast.Compare,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.MatMult,
    ast.Pow,
    ast.USub,
    ast.LtE,
    ast.GtE,
    ast.Lt,
    ast.Gt,
)


class Mode(Enum):
    """What the paper does with a relation."""

    ASSERTED = "asserted"
    DEFINED = "def"
    GIVEN = "given"


@dataclass(frozen=True)
class Chain:
    """`sides[0] signs[0] sides[1] signs[1] ...`; a single side is a bare expression."""

    sides: tuple[ast.expr, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Formula:
    """One entry of relations.toml: a chain, or hypothesis => conclusion."""

    text: str
    mode: Mode
    chains: tuple[Chain, ...]  # one, or hypothesis and conclusion

    @property
    def relations(self) -> int:
        """How many relation signs it has, hypotheses of an implication excepted."""
        return len(self.chains[-1].signs)

    @property
    def asserted(self) -> int:
        """How many relations it asserts; definitions and settings assert none."""
        return sum(sign != ":=" for sign in self.chains[-1].signs) if self.mode is Mode.ASSERTED else 0


class LanguageError(ValueError):
    """A formula that is not in the language."""


def parse_expression(text: str) -> ast.expr:
    """The syntax tree of one expression; anything but plain mathematics is refused."""
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise LanguageError(f"{text!r} is not an expression ({error.msg}); see theory/detectors/language.py") from error
    for node in ast.walk(body):
        if not isinstance(node, _ALLOWED):
            raise LanguageError(f"{text!r} uses {type(node).__name__}, which is not in the language of relations.toml")
        if isinstance(node, ast.Constant) and type(node.value) is not int:
            raise LanguageError(f"{text!r} has the constant {node.value!r}; write fractions of integers")
        if isinstance(node, ast.Attribute) and node.attr != "T":
            raise LanguageError(f"{text!r} has the attribute .{node.attr}; only .T is known")
    return body


def parse_formula(text: str) -> Formula:
    """One entry of relations.toml."""
    mode, body = Mode.ASSERTED, text.strip()
    for candidate in (Mode.DEFINED, Mode.GIVEN):
        if body.startswith(f"{candidate.value}: "):
            mode, body = candidate, body.removeprefix(f"{candidate.value}: ")
    parts = _split(body)
    chains: list[Chain] = []
    sides: list[str] = [parts[0]]
    signs: list[str] = []
    for sign, side in zip(parts[1::2], parts[2::2], strict=True):
        if sign == "=>":
            chains.append(_chain(sides, signs))
            sides, signs = [side], []
        else:
            signs.append(sign)
            sides.append(side)
    chains.append(_chain(sides, signs))
    if len(chains) > 2:
        raise LanguageError(f"{text!r} has more than one implication; write two entries")
    return Formula(text, mode, tuple(chains))


def _chain(sides: list[str], signs: list[str]) -> Chain:
    return Chain(tuple(parse_expression(side) for side in sides), tuple(signs))


def _split(text: str) -> list[str]:
    """Expressions and signs in turn; signs inside brackets belong to their expression."""
    parts, start = [], 0
    for match in _SPLIT.finditer(text):
        before = text[: match.start()]
        if all(before.count(left) == before.count(right) for left, right in ("()", "[]")):
            parts += [text[start : match.start()], match.group(1)]
            start = match.end()
    return [*parts, text[start:]]
