"""Formulas on batches of floats: the ring that the search evaluates in. It proposes, the kernel decides.

Every element carries its value and its size, the value of the same formula with all signs made positive: `x - y` has
the size |x| + |y|. The quotient gap / size says how close to equality a point is, whatever the scale of the numbers.
Where a formula has no value the entry is NaN or infinite; overflow looks the same, so neither is trusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from theory.kernel.errors import KernelError, Malformed, Undefined
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.lang import Node, text

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]


def to_float(value: Fraction) -> float:
    """The nearest float; too large is infinite."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


class Scaled:
    """A batch of values and their sizes."""

    __slots__ = ("size", "value")

    def __init__(self, value: Any, size: Any) -> None:
        self.value, self.size = value, size

    def __add__(self, other: Scaled) -> Scaled:
        return Scaled(self.value + other.value, self.size + other.size)

    def __sub__(self, other: Scaled) -> Scaled:
        return Scaled(self.value - other.value, self.size + other.size)

    def __neg__(self) -> Scaled:
        return Scaled(-self.value, self.size)

    def __mul__(self, other: Scaled) -> Scaled:
        return Scaled(self.value * other.value, self.size * other.size)

    def __pow__(self, n: int) -> Scaled:
        return Scaled(_power(self.value, n), _power(self.size, n))


def _power(base: Any, n: int) -> Any:
    """Repeated squaring is faster than `np.power` for the small exponents of formulas."""
    if n > 64:
        return np.power(base, float(n))
    result: Any = np.float64(1.0)
    while n:
        if n & 1:
            result = result * base
        base = base * base if n > 1 else base
        n >>= 1
    return result


@lru_cache(maxsize=4096)
def _constant(value: Fraction) -> Scaled:
    number = np.float64(to_float(value))
    return Scaled(number, abs(number))


class Floats:
    """The ring of batches."""

    def const(self, value: Fraction) -> Scaled:
        return _constant(value)

    def divide(self, a: Scaled, b: Scaled) -> Scaled:
        return Scaled(a.value / b.value, a.size / np.abs(b.value))

    def integer(self, value: Scaled, node: Node) -> int:
        one = np.ndim(value.value) == 0
        low, high = (value.value, value.value) if one else (np.min(value.value), np.max(value.value))
        if not np.isfinite(low) or low != high or low != np.round(low) or abs(low) > 2**40:
            raise Undefined(f"{text(node)[:80]} is not one integer in this batch")
        return int(low)

    def call(self, name: str, args: list[Scaled]) -> Scaled:
        if name in ("min", "max"):
            pick = np.minimum if name == "min" else np.maximum
            value, size = args[0].value, args[0].size
            for arg in args[1:]:
                value, size = pick(value, arg.value), np.maximum(size, arg.size)
            return Scaled(value, size)
        inner = args[0]
        if name == "abs":
            return Scaled(np.abs(inner.value), inner.size)
        if name == "sqrt":
            return Scaled(np.sqrt(inner.value), np.sqrt(inner.size))
        if name in ("exp", "log", "sin", "cos"):
            value = getattr(np, name)(inner.value)
            return Scaled(value, np.abs(value) + (0.0 if name == "exp" else 1.0))
        raise Malformed(f"{name} has no meaning for numbers")


def batch(values: Any) -> Scaled:
    """An array as an element of the ring."""
    array = np.asarray(values, dtype=np.float64)
    return Scaled(array, np.abs(array))


def value_of(node: Node, env: Mapping[str, Any], count: int) -> Array:
    """The formula at every point of the batch, NaN where it cannot be read."""
    result = scaled(node, env)
    return _spread(result.value, count) if isinstance(result, Scaled) else np.full(count, np.nan)


def scaled(node: Node, env: Mapping[str, Any]) -> Scaled | Mat | None:
    """The formula in the ring of batches, or None where it is not of a kind that floats can evaluate."""
    try:
        return cast("Scaled | Mat", evaluate(node, env, Floats()))
    except (KernelError, OverflowError, ZeroDivisionError):
        return None


def sides(left: Node, right: Node, env: Mapping[str, Any], count: int) -> tuple[Array, Array, Array]:
    """Both sides and the size of their difference; matrices are compared in their worst entry."""
    first, second = scaled(left, env), scaled(right, env)
    if isinstance(first, Mat) and isinstance(second, Mat) and first.shape == second.shape:
        return _worst_entry(first, second, count)
    if isinstance(first, Scaled) and isinstance(second, Scaled):
        return tuple(_spread(x, count) for x in (first.value, second.value, first.size + second.size))  # type: ignore[return-value]
    nothing = np.full(count, np.nan)
    return nothing, nothing, nothing


def _worst_entry(left: Mat, right: Mat, count: int) -> tuple[Array, Array, Array]:
    pairs = [(x, y) for r, s in zip(left.rows, right.rows, strict=True) for x, y in zip(r, s, strict=True)]
    lefts = np.array([_spread(x.value, count) for x, _ in pairs])
    rights = np.array([_spread(y.value, count) for _, y in pairs])
    sizes = np.array([_spread(x.size + y.size, count) for x, y in pairs])
    away = np.abs(lefts - rights) / np.where(sizes > 0, sizes, 1.0)
    worst = np.argmax(np.where(np.isnan(away), np.inf, away), axis=0)
    columns = np.arange(count)
    return lefts[worst, columns], rights[worst, columns], sizes[worst, columns]


def _spread(values: Any, count: int) -> Array:
    if isinstance(values, np.ndarray) and values.shape == (count,):
        return values
    return np.broadcast_to(np.asarray(values, dtype=np.float64), (count,))
