"""How numbers are written for people, in one place: three digits unless more are the point, bounds rounded up.

exact values stay exact where they are short; a decimal that stands for an upper bound is never below it.
"""

from __future__ import annotations

import math
from fractions import Fraction

DIGITS = 4
SHORT = 9  # characters of a rational that is shown as it is


def bound(value: Fraction | int | str, digits: int = DIGITS) -> str:
    """An upper bound: exact where that is short, else rounded up to so many digits, so that what is shown holds too."""
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    return _decimal(exact, digits)


def _decimal(exact: Fraction, digits: int) -> str:
    """Rounded away from what it bounds: upwards."""
    if exact == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(float(exact)))))
    scaled = -(-exact.numerator * 10**places // exact.denominator)
    whole, part = divmod(abs(scaled), 10**places)
    text = f"{whole}.{part:0{places}d}".rstrip("0").rstrip(".") if places else str(whole)
    return f"-{text}" if scaled < 0 else text


def about(value: Fraction | int | str, digits: int = 3) -> str:
    """A value that bounds nothing, to the nearest."""
    return f"{float(Fraction(value)):.{digits}g}"


def exactly(value: str) -> str:
    """A rational in LaTeX, with a decimal beside it where it is long; other values as they are written."""
    try:
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return value
    if exact.denominator == 1:
        return str(exact.numerator) if len(str(exact)) <= 24 else rf"{str(exact)[:6]}\dots \approx {_scientific(exact)}"
    short = rf"{exact.numerator}/{exact.denominator}"
    if len(short) <= SHORT:
        return short
    return rf"{short} \approx {_scientific(exact)}" if len(short) <= 40 else rf"\approx {_scientific(exact)}"


def _scientific(exact: Fraction) -> str:
    mantissa, _, exponent = f"{float(exact):.5g}".partition("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}" if exponent else mantissa
