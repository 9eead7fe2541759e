r"""Decimal numbers to the nearest double, as Python's `float` does it, in compiled code.

A number m 10^p with m < 2^53 and |p| <= 22 is one correctly rounded product or quotient. Beyond that m is multiplied by
a 128-bit approximation of 5^p; its leading 64 bits decide the rounding unless they lie too near to the middle of two
doubles (D. Lemire, Number parsing at a gigabyte per second, 2021), and then the number is left to Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Function = TypeVar("Function", bound=Callable[..., Any])
LEAST, MOST = -342, 308  # powers of ten of a double with at most 19 digits


def compiled(function: Function) -> Function:
    return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))


def _powers_of_five() -> NDArray[np.uint64]:
    """Leading 128 bits of 5^p as (high, low): truncated, but rounded up where 5^-p has at most 64 bits."""
    rows = []
    for p in range(LEAST, MOST + 1):
        if p >= 0:
            shift = 128 - (5**p).bit_length()
            leading = 5**p << shift if shift >= 0 else 5**p >> -shift
        else:
            leading = (1 << (127 + (5**-p).bit_length())) // 5**-p + (p >= -27)
        rows.append((leading >> 64, leading & (2**64 - 1)))
    return np.array(rows, dtype=np.uint64)


TENS = 10.0 ** np.arange(23)  # exact
FIVES = _powers_of_five()
_HALF = np.uint64(2**32 - 1)
_ALL = np.uint64(2**64 - 1)
U0, U1, U3, U9, U32, U63 = (np.uint64(n) for n in (0, 1, 3, 0x1FF, 32, 63))


@compiled
def product(a: Any, b: Any) -> tuple[Any, Any]:
    """(high, low) of the 128-bit product."""
    a1, a0, b1, b0 = a >> U32, a & _HALF, b >> U32, b & _HALF
    low, one, two = a0 * b0, a1 * b0, a0 * b1
    middle = (low >> U32) + (one & _HALF) + (two & _HALF)
    return a1 * b1 + (one >> U32) + (two >> U32) + (middle >> U32), a * b


@compiled
def rounded(m: Any, p: int) -> float:
    """The double nearest to m 10^p, m > 0; nan where this cannot be told here, or beyond the normal doubles."""
    if p < LEAST or p > MOST:
        return math.nan
    zeros = 0
    for step in (32, 16, 8, 4, 2, 1):
        if m >> np.uint64(64 - step) == U0:
            m <<= np.uint64(step)
            zeros += step
    high, low = product(m, FIVES[p - LEAST, 0])
    if high & U9 == U9:
        more, _ = product(m, FIVES[p - LEAST, 1])
        low += more
        if low < more:
            high += U1
        if low == _ALL and not -27 <= p <= 55:
            return math.nan
    upper: Any = high >> U63
    shift = upper + np.uint64(9)
    bits = high >> shift  # 54 of them: one more than a double has
    exponent: Any = ((217706 * p) >> 16) + 1 + np.int64(upper) - zeros  # of the last but one bit
    if low <= U1 and -4 <= p <= 23 and bits & U3 == U1 and bits << shift == high:
        bits -= U1  # exactly in the middle: to even
    bits = (bits + (bits & U1)) >> U1
    if not -1000 < exponent < 960:
        return math.nan
    return math.ldexp(np.float64(bits), exponent + 10)
