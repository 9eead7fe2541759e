"""The value of a printed formula at one random point of a prime field: two formulas that agree there are one.

Products of names are taken as they commute only where both are numbers; here every product keeps its order, through the
leaves: a leaf that is no number is a random number, and the order of leaves in a product is part of its value.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction

from theory.detectors.formula import Term

PRIME = (1 << 61) - 1


def value(one: Term) -> int:
    """Sums, products, quotients and whole powers are computed; everything else is a random number of its parts."""
    if one.op == "num":
        return _rational(one.value)
    if one.op == "sum":
        return sum(map(value, one.args)) % PRIME
    if one.op == "prod":
        found = 1
        for arg in one.args:
            found = found * value(arg) % PRIME
        return found
    if one.op == "frac":
        return value(one.args[0]) * pow(value(one.args[1]), -1, PRIME) % PRIME if value(one.args[1]) else 0
    if one.op == "pow" and one.args[1].op == "num" and one.args[1].value.denominator == 1:
        return pow(value(one.args[0]), int(one.args[1].value) % (PRIME - 1), PRIME)
    parts = ",".join(str(value(arg)) for arg in one.args)
    return _random(f"{one.op}:{one.text}:{one.rows}:{parts}")


def _rational(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME


def _random(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % PRIME


def same(one: Term, other: Term) -> bool:
    return value(one) == value(other)
