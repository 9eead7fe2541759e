"""What a formula is evaluated in: exact rationals, Arb balls, rational functions.

One evaluator (theory.kernel.evaluate) serves them all;
a ring says what a number is, how to divide and what roots mean in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any, Protocol

import flint
from flint import arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from theory.kernel.errors import Malformed, Undefined
from theory.kernel.lang import Node, text

Scalar = Any


class Ring(Protocol):
    def const(self, value: Fraction) -> Scalar: ...
    def divide(self, a: Scalar, b: Scalar) -> Scalar: ...
    def call(self, name: str, args: list[Scalar]) -> Scalar: ...
    def integer(self, value: Scalar, node: Node) -> int: ...


def to_fmpq(value: Fraction | int) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def to_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


MAX_BITS, MAX_TERMS = 10_000_000, 1_000_000  # of a number, of a polynomial


def bounded(value: Scalar) -> Scalar:
    """The value, unless it is a number with too many digits to compute with."""
    if isinstance(value, fmpq) and value.height_bits() > MAX_BITS:
        raise Malformed(f"a number of {value.height_bits()} bits has more than {MAX_BITS}; choose a smaller point")
    return value


def power(base: Scalar, n: int) -> Scalar:
    """The power, unless it has too many digits or terms to compute with."""
    if isinstance(base, (fmpq, Frac)):
        parts = [base] if isinstance(base, fmpq) else [*base.num.coeffs(), *base.den.coeffs()]
        bits = n * max((one.height_bits() for one in parts if one not in (0, 1, -1)), default=0)
        terms = comb(len(base.num) + n - 1, n) if isinstance(base, Frac) and len(base.num) > 1 else 1
        if bits * terms > MAX_BITS or terms > MAX_TERMS:
            raise Malformed(f"the power {n} has {terms} term(s) of {bits} bits, too much to compute; name its base")
    return base**n


class Exact:
    """Rationals. A root that is not rational raises `Inexact`; the caller falls back to balls."""

    def const(self, value: Fraction) -> fmpq:
        return to_fmpq(value)

    def divide(self, a: fmpq, b: fmpq) -> fmpq:
        if b == 0:
            raise Undefined("division by zero")
        return a / b

    def integer(self, value: fmpq, node: Node) -> int:
        if value.q != 1:
            raise Undefined(f"{text(node)} = {value} is not an integer, as an exponent, index or bound must be")
        return int(value.p)

    def call(self, name: str, args: list[fmpq]) -> fmpq:
        if name == "min":
            return min(args)
        if name == "max":
            return max(args)
        if name == "abs":
            return abs(args[0])
        if name == "sqrt":
            value = args[0]
            if value < 0:
                raise Undefined(f"sqrt({value}) of a negative number")
            if value.p.is_square() and value.q.is_square():
                return fmpq(value.p.isqrt(), value.q.isqrt())
        if name == "exp" and args[0] == 0:
            return fmpq(1)
        if name == "log":
            if args[0] <= 0:
                raise Undefined(f"log({args[0]})")
            if args[0] == 1:
                return fmpq(0)
        raise Inexact(name)


class Inexact(Exception):
    """The value is not rational."""


class Balls:
    """Arb balls at the precision of `flint.ctx`: every value encloses the true one."""

    def const(self, value: Fraction) -> arb:
        return arb(to_fmpq(value))

    def divide(self, a: arb, b: arb) -> arb:
        if b.contains(0):
            raise Undefined("a divisor's enclosure contains zero")
        return a / b

    def integer(self, value: arb, node: Node) -> int:
        exact = value.unique_fmpz()
        if exact is None or not value.is_exact():
            raise Undefined(f"{text(node)} is not an integer")
        return int(exact)

    def call(self, name: str, args: list[arb]) -> arb:
        if name in ("min", "max"):
            best = args[0]
            for arg in args[1:]:
                best = best.min(arg) if name == "min" else best.max(arg)
            return best
        value = args[0]
        if name == "abs":
            return abs(value)
        if name == "sqrt" and not value.lower() >= 0:
            raise Undefined("a root's argument may be negative")
        if name == "log" and not value.lower() > 0:
            raise Undefined("a logarithm's argument may not be positive")
        if name in ("sqrt", "exp", "log", "sin", "cos"):
            return getattr(value, name)()
        raise Malformed(f"{name} has no meaning for numbers")


@dataclass(frozen=True, slots=True)
class Frac:
    """A quotient of two polynomials with rational coefficients, reduced."""

    num: fmpq_mpoly
    den: fmpq_mpoly

    @staticmethod
    def of(num: fmpq_mpoly, den: fmpq_mpoly) -> Frac:
        if den.is_constant():
            return Frac(num / den.leading_coefficient(), den.context().constant(1))
        common = num.gcd(den)
        if not common.is_constant():
            num, den = num // common, den // common
        lead = den.leading_coefficient()
        return Frac(num / lead, den / lead)

    def __add__(self, other: Frac) -> Frac:
        if self.den == other.den:
            return Frac.of(self.num + other.num, self.den)
        return Frac.of(self.num * other.den + other.num * self.den, self.den * other.den)

    def __sub__(self, other: Frac) -> Frac:
        return self + (-other)

    def __neg__(self) -> Frac:
        return Frac(-self.num, self.den)

    def __mul__(self, other: Frac) -> Frac:
        return Frac.of(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Frac) -> Frac:
        return Frac.of(self.num * other.den, self.den * other.num)

    def __pow__(self, n: int) -> Frac:
        return Frac(self.num**n, self.den**n)

    @property
    def is_zero(self) -> bool:
        """Exactly: a polynomial over the rationals in normal form has no terms. Nothing is simplified or guessed."""
        return bool(self.num.is_zero())


def shown(poly: fmpq_mpoly) -> str:
    """A polynomial for people, in the letters of its author."""
    return str(poly).encode("ascii").decode("unicode_escape")


@dataclass(slots=True)
class RationalFunctions:
    """Rational functions of the named variables. Every divisor is remembered: it must be shown nonzero."""

    names: tuple[str, ...]
    divisors: list[Frac] = field(default_factory=list)
    ctx: fmpq_mpoly_ctx = field(init=False)

    def __post_init__(self) -> None:
        plain = tuple(name.encode("ascii", "backslashreplace").decode() for name in self.names)  # read by `shown`
        self.ctx = fmpq_mpoly_ctx.get(plain or ("_",), flint.Ordering.degrevlex)

    def const(self, value: Fraction) -> Frac:
        return Frac(self.ctx.constant(to_fmpq(value)), self.ctx.constant(1))

    def var(self, name: str) -> Frac:
        return Frac(self.ctx.gen(self.names.index(name)), self.ctx.constant(1))

    def env(self) -> dict[str, Frac]:
        return {name: self.var(name) for name in self.names}

    def divide(self, a: Frac, b: Frac) -> Frac:
        if b.is_zero:
            raise Undefined("division by an expression that is identically zero")
        if not (b.num.is_constant() and b.den.is_constant()):
            self.divisors.append(b)
        return a / b

    def integer(self, value: Frac, node: Node) -> int:
        if not (value.num.is_constant() and value.den.is_constant()):
            raise Malformed(f"{text(node)} is not a fixed integer here; use the induction or the termwise rule")
        exact = value.num.leading_coefficient() if not value.is_zero else fmpq(0)
        return Exact().integer(exact, node)

    def call(self, name: str, args: list[Frac]) -> Frac:
        raise Malformed(f"{name}(…) is not a rational function; name the root or split the cases first")
