"""Simple rationals: the simplest in an interval, and how complex a number is to write down."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from theory.kernel.lang import parse, walk

ROOT = 8  # as complex as a number of so many bits


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational of least denominator (then least numerator) in the closed interval."""
    if low > high:
        raise ValueError(f"no rational lies between {low} and {high}; exchange the ends")
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    p, q = low.as_integer_ratio()
    r, t = high.as_integer_ratio()
    quotients = []
    while True:
        whole, rest = divmod(p, q)
        if rest == 0 or (whole + 1) * t <= r:
            quotients.append(whole + (rest != 0))
            break
        quotients.append(whole)
        p, q, r, t = t, r - whole * t, q, rest
    top, bottom = quotients.pop(), 1
    while quotients:
        top, bottom = quotients.pop() * top + bottom, top
    return Fraction(top, bottom)


def simplest_near(value: Fraction, tolerance: float) -> Fraction:
    """The simplest rational within a relative tolerance."""
    if tolerance == 0:
        return value
    reach = abs(value) * Fraction(tolerance)
    return simplest_between(value - reach, value + reach)


def complexity(value: Fraction) -> int:
    """Bits to write it, one more for a sign; a power of ten counts as little as its digits."""
    return sum(map(_bits, value.as_integer_ratio())) + (value < 0)


def _bits(n: int) -> int:
    bits = abs(n).bit_length()
    return min(bits, 1 + len(str(n))) if bits < 200 and str(n).strip("0") == "1" else bits


def total(point: Mapping[str, Any]) -> int:
    """The complexity of all numbers of a point."""
    return sum(_of_value(value) for value in point.values())


def _of_value(value: Any) -> int:
    return sum(map(_of_value, value)) if isinstance(value, list) else _of_number(value)


@lru_cache(maxsize=50_000)
def _of_number(value: Any) -> int:
    try:
        return complexity(Fraction(value))
    except ValueError:  # a number with roots
        return sum(
            ROOT if part.op == "sqrt" else complexity(part.value) if part.op == "num" else 1
            for part in walk(parse(value))
        )
