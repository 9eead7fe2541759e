"""How numbers are written for people; nothing else rounds what a page, a picture or a command tells.

An upper bound is exact or rounded up, never below what it bounds. A value that bounds nothing is rounded to the nearest
with few digits, a ratio never to 1 from either side. Powers of ten are raised, minus signs are minus signs.
"""

from __future__ import annotations

import math
from fractions import Fraction

from theory.kernel.algebraic import number
from theory.kernel.errors import Malformed
from theory.kernel.lang import parse
from theory.kernel.points import to_balls
from theory.reading.latex.notation import Notation
from theory.reading.latex.printer import to_latex

DIGITS = 4
SHORT = 9  # characters of a rational that is shown as it is
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def rounded_up(value: Fraction, places: int) -> str:
    """With so many decimals, trailing zeros included, and at least the value: what is shown is proved, too."""
    scaled = -(-value.numerator * 10**places // value.denominator)
    whole, part = divmod(abs(scaled), 10**places)
    text = f"{whole}.{part:0{places}d}" if places else str(whole)
    return f"-{text}" if scaled < 0 else text


def bound(value: Fraction | int | str, digits: int = DIGITS) -> str:
    """An upper bound: exact where it is whole, else rounded up to so many digits, so that what is shown holds too."""
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    places = max(0, digits - 1 - math.floor(math.log10(abs(float(exact)))))
    text = rounded_up(exact, places)
    return text.rstrip("0").rstrip(".") if places else text


def about(value: Fraction | float | str, digits: int = DIGITS) -> str:
    """A value that bounds nothing, to the nearest; whole numbers below ten million as they are."""
    near = value if isinstance(value, float) else float(Fraction(value))
    if not math.isfinite(near):
        return "no number" if math.isnan(near) else "∞" if near > 0 else "−∞"
    if near == round(near) and abs(near) < 1e7:
        return _signed(f"{near:.0f}")
    if 1e-3 <= abs(near) < 1e6:
        return _signed(f"{float(f'{near:.{digits}g}'):.10g}")
    mantissa, exponent = f"{near:.{digits - 1}e}".split("e")
    front = _signed(f"{float(mantissa):g}")
    return power(int(exponent)) if front == "1" else f"{front}·{power(int(exponent))}"


def _signed(text: str) -> str:
    return "0" if text == "-0" else text.replace("-", "−")


def power(exponent: int) -> str:
    """10⁻³."""
    return f"10{str(exponent).translate(RAISED)}"


def ratio(value: float | None) -> str:
    """Truth over bound: three digits, never rounded to the bound from either side."""
    if value is None:
        return "no data"
    if 0.9995 <= value < 1:
        return f"1 − {about(float(f'{1 - value:.1g}'))}"
    if 1 < value < 1.0005:
        return f"1 + {about(float(f'{value - 1:.1g}'))}"
    return about(float(f"{value:.3g}"), 3)


def surd(value: str) -> float | None:
    """The size of an irrational number that is written with roots, and of nothing else."""
    if "sqrt(" not in value:
        return None
    try:
        return float(to_balls(number(value)).mid())
    except Malformed:
        return None


def exactly(value: str) -> str:
    """A number in LaTeX, with a decimal beside it where it is long or has roots; other values as they are written."""
    root = surd(value)
    if root is not None:
        return rf"{to_latex(parse(value), Notation())} \approx {_scientific(Fraction(root))}"
    try:
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError):
        return value
    if exact.denominator == 1:
        return str(exact.numerator) if len(str(exact)) <= 24 else rf"\approx {_scientific(exact)}"
    short = rf"{exact.numerator}/{exact.denominator}"
    if len(short) <= SHORT:
        return short
    return rf"{short} \approx {_scientific(exact)}" if len(short) <= 40 else rf"\approx {_scientific(exact)}"


def _scientific(exact: Fraction) -> str:
    mantissa, _, exponent = f"{float(exact):.5g}".partition("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}" if exponent else mantissa
