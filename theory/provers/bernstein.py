"""Bernstein coefficients: in floats to steer a subdivision, exactly on its leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mpoly

from theory.kernel.rings import to_fmpq
from theory.provers.linear import exponents, to_float

Tensor = np.ndarray[Any, Any]
MAX_COEFFICIENTS = 5_000
Box = Mapping[str, tuple[Fraction, Fraction]]


def tensor(poly: fmpq_mpoly, names: tuple[str, ...], box: Box) -> Tensor:
    """The coefficients in the Bernstein basis of the box, one axis for every name."""
    terms = exponents(poly)
    degrees = [max((m[i] for m in terms), default=0) for i in range(len(names))]
    table = np.zeros([d + 1 for d in degrees])
    for m, c in terms.items():
        table[m[: len(names)]] = to_float(c)
    for axis, name in enumerate(names):
        lo, hi = (float(b) for b in box[name])
        table = _along(table, _to_bernstein(degrees[axis]) @ _shift(degrees[axis], lo, hi - lo), axis)
    return table


def coefficients(
    poly: fmpq_mpoly, names: tuple[str, ...], box: Box
) -> Iterator[tuple[tuple[int, ...], list[int], fmpq]]:
    """Exactly: an exponent and the degree for every name, and the coefficient in the Bernstein basis of the box."""
    ctx = poly.context()
    images = []
    for i, name in enumerate(names):
        lo, hi = (to_fmpq(b) for b in box[name])
        images.append(ctx.gen(i) * (hi - lo) + lo)
    unit = {tuple(int(e) for e in m): c for m, c in poly.compose(*images).to_dict().items()}
    degrees = [max((m[i] for m in unit), default=0) for i in range(len(names))]
    size = 1
    for degree in degrees:
        size *= degree + 1
    if size > MAX_COEFFICIENTS:
        raise ValueError(f"{size} Bernstein coefficients are more than {MAX_COEFFICIENTS}")
    scaled = {}
    for m, c in unit.items():
        for e, n in zip(m, degrees, strict=True):
            c = c / comb(n, e)
        scaled[m] = c
    for beta in product(*(range(n + 1) for n in degrees)):
        total = fmpq(0)
        for m, c in scaled.items():
            if all(e <= b for e, b in zip(m, beta, strict=True)):
                for e, b in zip(m, beta, strict=True):
                    c = c * comb(b, e)
                total += c
        yield beta, degrees, total


def _along(table: Tensor, matrix: Tensor, axis: int) -> Tensor:
    return np.moveaxis(np.tensordot(matrix, table, axes=(1, axis)), 0, axis)


def _shift(n: int, lo: float, width: float) -> Tensor:
    """Coefficients of p(lo + width * t) from those of p."""
    matrix = np.zeros((n + 1, n + 1))
    for j in range(n + 1):
        for i in range(j + 1):
            matrix[i, j] = comb(j, i) * lo ** (j - i) * width**i
    return matrix


def _to_bernstein(n: int) -> Tensor:
    return np.array([[comb(b, e) / comb(n, e) if e <= b else 0.0 for e in range(n + 1)] for b in range(n + 1)])


def halves(table: Tensor, axis: int, t: float) -> tuple[Tensor, Tensor]:
    """De Casteljau: the coefficients on both parts of a box that is cut at the relative place t of one axis."""
    n = table.shape[axis] - 1
    low = _casteljau(n, t)
    high = _casteljau(n, 1 - t)[::-1, ::-1]
    return _along(table, low, axis), _along(table, high, axis)


def _casteljau(n: int, t: float) -> Tensor:
    rows = range(n + 1)
    return np.array([[comb(i, j) * t**j * (1 - t) ** (i - j) if j <= i else 0.0 for j in rows] for i in rows])


def corner_minimum(table: Tensor) -> float:
    """The least value at a corner of the box: there the coefficients are values."""
    picked = table[np.ix_(*[[0, -1] if s > 1 else [0] for s in table.shape])]
    return float(picked.min())


def steepest(table: Tensor) -> list[int]:
    """Axes, the one along which the coefficients vary most first."""
    spread = [float(np.abs(np.diff(table, axis=a)).sum()) if table.shape[a] > 1 else -1.0 for a in range(table.ndim)]
    return sorted(range(table.ndim), key=lambda a: (-round(spread[a], 9), a))


def minimisers(poly: fmpq_mpoly, names: tuple[str, ...], box: Box, starts: int = 16) -> list[tuple[float, Tensor]]:
    """Local minima on the box from a fixed grid of starting points, least value first."""
    from scipy.optimize import minimize
    from scipy.stats import qmc

    terms = exponents(poly)
    powers = np.array([m[: len(names)] for m in terms], dtype=float)
    values = np.array([to_float(c) for c in terms.values()])
    lo = np.array([float(box[n][0]) for n in names])
    hi = np.array([float(box[n][1]) for n in names])

    def value(x: Tensor) -> float:
        return float((values * np.prod(x**powers, axis=1)).sum())

    found = []
    for unit in qmc.Halton(len(names), scramble=False).random(starts):
        answer = minimize(value, lo + unit * (hi - lo), bounds=list(zip(lo, hi, strict=True)), method="L-BFGS-B")
        found.append((float(answer.fun), np.asarray(answer.x)))
    return sorted(found, key=lambda pair: (round(pair[0], 9), tuple(np.round(pair[1], 6))))
