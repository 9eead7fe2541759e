"""Checks shared by designs, losses and problems: each refusal names the thing, its value and the remedy."""

from __future__ import annotations

import math
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def frozen_array(value: Any, *, name: str, ndim: int) -> Array:
    """A read-only float64 copy of `value` with `ndim` axes and finite entries."""
    try:
        array = np.array(value, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: cannot be read as an array of numbers ({error}); give a rectangular array") from None
    if array.ndim != ndim:
        raise ValueError(f"{name}: has {array.ndim} axes (shape {array.shape}), needs {ndim}; reshape it")
    if array.size == 0:
        raise ValueError(f"{name}: is empty (shape {array.shape}); give at least one entry")
    refuse_non_finite(array, name=name)
    array.setflags(write=False)
    return array


def refuse_non_finite(array: Array, *, name: str) -> None:
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        index = tuple(int(i) for i in bad[0])
        where = index[0] if len(index) == 1 else index
        raise ValueError(
            f"{name}: entry {where} is {array[index]} ({len(bad)} entries are not finite); remove or impute them"
        )


def freeze(array: Array) -> Array:
    """Mark as read-only and hand back."""
    array.setflags(write=False)
    return array


def symmetric(matrix: Array, *, name: str, tolerance: float = 1e-12) -> Array:
    """`matrix` made exactly symmetric, refused when it is not symmetric to `tolerance` of its largest entry."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name}: has shape {matrix.shape}, must be square; pass a (d, d) matrix")
    gap = np.abs(matrix - matrix.T)
    worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(gap)), gap.shape))
    if gap[worst] > tolerance * max(float(np.max(np.abs(matrix))), np.finfo(float).tiny):
        raise ValueError(
            f"{name}: not symmetric, entries {worst} and {worst[::-1]} are {matrix[worst]} and {matrix[worst[::-1]]}; "
            f"pass ({name} + {name}.T) / 2 if that is what is meant"
        )
    return freeze((matrix + matrix.T) / 2)


def square_argument(value: Any, *, dim: int, name: str) -> Array:
    """A finite (dim, dim) argument of a moment map; not copied when it is float64 already."""
    matrix = np.asarray(value, dtype=np.float64)
    if matrix.shape != (dim, dim):
        raise ValueError(f"{name}: has shape {matrix.shape}, needs ({dim}, {dim}) to match the design's dimension")
    refuse_non_finite(matrix, name=name)
    return matrix


def vector_argument(value: Any, *, dim: int, name: str) -> Array:
    vector = np.asarray(value, dtype=np.float64)
    if vector.shape != (dim,):
        raise ValueError(f"{name}: has shape {vector.shape}, needs ({dim},) to match the design's dimension")
    refuse_non_finite(vector, name=name)
    return vector


def probabilities(weights: Any, *, name: str, tolerance: float = 1e-12) -> Array:
    """Positive weights that sum to one (to `tolerance`; then rescaled to sum to one in rounding)."""
    w = frozen_array(weights, name=name, ndim=1)
    if np.any(w <= 0):
        k = int(np.argmin(w))
        raise ValueError(f"{name}: entry {k} is {w[k]}, must be positive; drop atoms of zero weight")
    total = math.fsum(w)
    if abs(total - 1) > tolerance:
        raise ValueError(f"{name}: sum to {total!r}, must sum to 1; divide them by their sum")
    return freeze(w / total)


def positive(value: SupportsFloat, *, name: str) -> float:
    number = finite(value, name=name)
    if number <= 0:
        raise ValueError(f"{name} = {number} must be positive; give a number > 0")
    return number


def finite(value: SupportsFloat, *, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} = {value!r} is not a number; give a finite real number") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} = {number} is not finite; give a finite real number")
    return number


def sample_size(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
        raise ValueError(f"n = {n!r} is not a sample size; give an integer >= 0")
    return int(n)


def generator(rng: object) -> np.random.Generator:
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng is a {type(rng).__name__}; pass a generator, for example numpy.random.default_rng(0)")
    return rng


def orthogonal(matrix: Any, *, dim: int, name: str, tolerance: float = 1e-10) -> Array:
    q = square_argument(matrix, dim=dim, name=name)
    gap = float(np.max(np.abs(q.T @ q - np.eye(dim))))
    if gap > tolerance:
        raise ValueError(
            f"{name}: not orthogonal, {name}.T @ {name} differs from I by {gap:.3g}; pass an orthogonal matrix"
        )
    return q
