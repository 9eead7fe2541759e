"""Real algebraic numbers: roots of rationals, and roots of those, compared exactly by FLINT.

A point may have the entry "sqrt(2 + sqrt(2))". What is too large, and what FLINT is unable to do, raises `Inexact`:
it decides nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn

from flint import fmpq
from flint.types._gr import gr_real_qqbar_ctx

from theory.kernel.errors import Malformed, Undefined
from theory.kernel.evaluate import evaluate
from theory.kernel.lang import Node, parse, text, walk
from theory.kernel.rings import Exact, Inexact, to_fmpq

FIELD = gr_real_qqbar_ctx.new()
MAX_DEGREE, MAX_DIGITS, MAX_WRITTEN = 256, 3_000, 2_000
WRITTEN_WITH = {"num", "+", "-", "*", "/", "neg", "sqrt"}
IRRATIONAL = re.compile(r"Root a = \S+ of (?:\d+\*)?a\^(\d+)[-+]")  # how FLINT shows a number that is not rational
UNABLE = (AssertionError, ArithmeticError, AttributeError, NotImplementedError, TypeError, ValueError)
ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv)
ORDER = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
Number = Any  # of FLINT


def _computed(degree: int, digits: int, act: Callable[[], Number]) -> Algebraic:
    """The result, unless it may be too large or FLINT is unable to find it; it does not say which."""
    if degree > MAX_DEGREE or digits > 10 * MAX_DIGITS:
        raise Inexact("algebraic")
    try:
        value = act()
        shown = repr(value)
        irrational = IRRATIONAL.match(shown)
        rational = None if irrational else to_fmpq(Fraction(shown))
        if rational is not None and FIELD.cmp(FIELD(rational), value) != 0:
            raise Inexact("algebraic")
    except UNABLE:
        raise Inexact("algebraic") from None
    if len(shown) > MAX_DIGITS:
        raise Inexact("algebraic")
    return Algebraic(value, int(irrational[1]) if irrational else 1, len(shown), rational)


def _joined(act: Callable[[Number, Number], Number]) -> Callable[[Algebraic, Algebraic], Algebraic]:
    return lambda one, other: _computed(one.degree * other.degree, 0, lambda: act(one.value, other.value))


def _compared(act: Callable[[int, int], bool]) -> Callable[[Algebraic, object], bool]:
    def told(one: Algebraic, other: object) -> bool:
        try:
            return act(int(FIELD.cmp(one.value, other.value if isinstance(other, Algebraic) else FIELD(other))), 0)
        except UNABLE:
            raise Inexact("algebraic") from None

    return told


@dataclass(frozen=True, slots=True, eq=False)
class Algebraic:
    """A number of FLINT's, the degree and the length of its polynomial, and its value where that is rational."""

    value: Number
    degree: int
    digits: int
    rational: fmpq | None

    def __str__(self) -> str:
        """Rounded where it is not rational."""
        return repr(self.value).removeprefix("Root a = ").partition(" of ")[0]

    __add__, __sub__, __mul__, __truediv__ = map(_joined, ARITHMETIC)
    __lt__, __le__, __gt__, __ge__, __eq__, __ne__ = map(_compared, ORDER)

    def __neg__(self) -> Algebraic:
        return _computed(self.degree, 0, lambda: -self.value)

    def __abs__(self) -> Algebraic:
        return -self if self < 0 else self

    def __pow__(self, n: int) -> Algebraic:
        return _computed(self.degree, n * self.digits, lambda: self.value**n)

    def root(self) -> Algebraic:
        return _computed(2 * self.degree, 0, self.value.sqrt)


class Algebraics(Exact):
    """The ring of them, with every root."""

    def const(self, value: Fraction) -> Algebraic:
        return algebraic(to_fmpq(value))

    def integer(self, value: Algebraic, node: Node) -> int:
        if value.rational is None:
            raise Undefined(f"{text(node)} is not an integer, as an exponent, index or bound must be")
        return super().integer(value.rational, node)

    def call(self, name: str, args: list[Algebraic]) -> Algebraic:
        if name == "sqrt" and args[0] >= 0:
            return args[0].root()
        value: Any = super().call(name, args)
        return value if isinstance(value, Algebraic) else algebraic(value)


@dataclass(frozen=True, slots=True, eq=False)
class Surd:
    """An irrational entry of a point: a formula of numbers. Among rationals nothing is computed with it."""

    node: Node
    value: Algebraic

    def __str__(self) -> str:
        return text(self.node)

    @property
    def p(self) -> NoReturn:
        raise Inexact(str(self))

    @property
    def q(self) -> int:
        """A denominator is 1 for an integer only."""
        return 0

    def _inexact(self, *_: object) -> NoReturn:
        raise Inexact(str(self))

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _inexact
    __pow__ = __neg__ = __abs__ = __lt__ = __le__ = __gt__ = __ge__ = _inexact
    __eq__ = __ne__ = _inexact


def algebraic(value: Any) -> Algebraic:
    return value.value if isinstance(value, Surd) else _computed(1, 0, lambda: FIELD(value))


@lru_cache(maxsize=20_000)
def number(source: str) -> fmpq | Surd:
    """A formula of numbers; where its value is rational it is that rational."""
    shown = source if len(source) <= 60 else f"{source[:60]}…"
    try:
        node = parse(source)
        if len(source) > MAX_WRITTEN or any(part.op not in WRITTEN_WITH for part in walk(node)):
            raise Malformed(f"{shown} is not made of a few numbers with + - * / and sqrt alone")
        value = evaluate(node, {}, Algebraics())
    except Undefined as error:
        raise Malformed(f"{shown} has no value ({error})") from None
    except (Inexact, RecursionError):
        limits = f"a polynomial of degree {MAX_DEGREE} and {MAX_DIGITS} digits"
        raise Malformed(f"{shown} may need more than {limits}; choose a number with fewer roots") from None
    return Surd(node, value) if value.rational is None else value.rational
