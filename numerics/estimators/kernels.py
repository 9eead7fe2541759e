"""The passes over a page that numpy would make with large temporaries; sums run row by row, in order."""

from __future__ import annotations

import numpy as np

from numerics.designs.checks import Array
from numerics.optimizers.jit import kernel


@kernel
def column_moments(x: Array, w: Array, mean: Array, square: Array) -> float:
    """The total weight; weighted means and centred sums of squares are put into `mean` and `square` (zeros)."""
    n, d = x.shape
    total = 0.0
    for i in range(n):
        total += w[i]
        for j in range(d):
            mean[j] += w[i] * x[i, j]
    for j in range(d):
        mean[j] /= total
    left = np.zeros(d)
    for i in range(n):
        for j in range(d):
            gap = x[i, j] - mean[j]
            left[j] += w[i] * gap
            square[j] += w[i] * gap * gap
    for j in range(d):  # what rounding left of the first pass: a column of one value has no spread
        shift = left[j] / total
        mean[j] += shift
        square[j] = max(square[j] - total * shift * shift, 0.0)
    return total


@kernel
def framed(x: Array, shift: Array, scale: Array, out: Array) -> None:
    """out = ((x - shift) scale, 1), the constant where `out` has a column more."""
    n, d = x.shape
    for i in range(n):
        for j in range(d):
            out[i, j] = (x[i, j] - shift[j]) * scale[j]
        if out.shape[1] > d:
            out[i, d] = 1.0


@kernel
def scaled(rows: Array, root: Array, out: Array) -> float:
    """out = root rows; returns E|a|^4/E|a|^2 of the result."""
    n, d = rows.shape
    second, fourth = 0.0, 0.0
    for i in range(n):
        norm = 0.0
        for j in range(d):
            value = root[i] * rows[i, j]
            out[i, j] = value
            norm += value * value
        second += norm
        fourth += norm * norm
    return fourth / second if second > 0.0 else 0.0


def scaled_rows(rows: Array, root: Array) -> tuple[Array, float]:
    """Rows times roots, and the size of the result: at most R^2, near it where one direction does not rule."""
    out = np.empty_like(rows)
    return out, float(scaled(rows, root, out))
