r"""From raw columns to the coordinates in which SADA runs: shifted, scaled or whitened by running moments.

    a -> ((a - shift) matrix, 1),       matrix = diag(1/spread), or diag(1/spread) (C + ridge)^(-1/2),

C the correlation matrix. A column that never varied has no scale: it is left out (weight 0) until it does. Nothing here
depends on the units of the columns, as long as these leave a spread above `TINY`: one below it counts as none, for its
square is lost to underflow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array

from .kernels import column_moments, framed

Precondition = Literal["diagonal", "full"] | None
Wish = Literal["auto", "diagonal", "full"] | None
WISHES = ("auto", "diagonal", "full", None)
FEW_COLUMNS = 64  # are whitened, more are scaled
RIDGE = 1e-5  # of the whitener, times the largest eigenvalue
FLAT = 1e-13  # a spread below this part of the mean is rounding
TINY = 1e-150  # the square of a smaller spread underflows, and that of its inverse overflows


def granted(wish: Wish, columns: int) -> Precondition:
    """What "auto" means for so many columns."""
    if wish != "auto":
        return wish
    return "full" if columns <= FEW_COLUMNS else "diagonal"


@dataclass(frozen=True, eq=False)
class Moments:
    """Weight, mean and centred second moments (sums) of rows; `cross` is their matrix where it is wanted."""

    weight: float
    mean: Array
    square: Array
    cross: Array | None

    @classmethod
    def of(cls, rows: Array, weights: Array, *, full: bool) -> Moments:
        mean, square = np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
        total = float(column_moments(rows, weights, mean, square))
        if not full:
            return cls(total, mean, square, None)
        centred = rows - mean
        return cls(total, mean, square, (centred * weights[:, None]).T @ centred)

    def merged(self, other: Moments) -> Moments:
        """The moments of both sets of rows."""
        total = self.weight + other.weight
        gap, share = other.mean - self.mean, other.weight / total
        between = self.weight * share
        cross = None
        if self.cross is not None and other.cross is not None:
            cross = self.cross + other.cross + between * np.outer(gap, gap)
        square = self.square + other.square + between * gap**2
        return Moments(total, self.mean + share * gap, square, cross)

    def spread(self, *, centred: bool) -> Array:
        """Standard deviation of each column, or its root mean square; 0 where that is rounding or below `TINY`."""
        found = np.sqrt(self.square / self.weight + (0 if centred else self.mean**2))
        return np.where(found > np.maximum(FLAT * np.abs(self.mean), TINY), found, 0.0)


@dataclass(frozen=True, eq=False)
class Frame:
    """a -> ((a - shift) @ matrix, 1); `matrix` is a vector where it is diagonal, `back` undoes it."""

    shift: Array
    matrix: Array
    back: Array
    intercept: bool

    @classmethod
    def of(cls, recent: Moments, ever: Moments, precondition: Precondition, intercept: bool) -> Frame:
        """From the moments of recent rows; columns that did not vary there have the spread that they ever had."""
        d = recent.mean.size
        shift = recent.mean if intercept else np.zeros(d)
        if precondition is None:
            return cls(shift, np.ones(d), np.ones(d), intercept)
        now, before = recent.spread(centred=intercept), ever.spread(centred=intercept)
        spread = np.where(now > 0, now, before)
        alive = spread > 0
        inverse = np.where(alive, 1 / np.where(alive, spread, 1.0), 0.0)
        if precondition == "diagonal":
            return cls(shift, inverse, spread, intercept)
        assert recent.cross is not None
        second = recent.cross / recent.weight + (0 if intercept else np.outer(recent.mean, recent.mean))
        quiet = np.diag(np.where(now > 0, 0.0, 1.0))  # known by the spread of before only
        whiten, undo = _whitener(second * np.outer(inverse, inverse) + quiet)
        return cls(shift, inverse[:, None] * whiten, undo * spread[None, :], intercept)

    @property
    def dim(self) -> int:
        return self.shift.size + self.intercept

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """Columns that never varied, and are left out."""
        return np.asarray(self.matrix == 0 if self.matrix.ndim == 1 else np.all(self.matrix == 0, axis=1))

    def rows(self, x: Array) -> Array:
        out = np.empty((len(x), self.dim))
        if self.matrix.ndim == 1:
            framed(x, self.shift, self.matrix, out)
        else:
            out[:, : self.shift.size] = (x - self.shift) @ self.matrix
            out[:, self.shift.size :] = 1.0
        return out

    def raw(self, w: Array) -> Array:
        """Coefficients and intercept, for raw columns, of the predictor w (or of several, one a row)."""
        d = self.shift.size
        coefficients = w[..., :d] * self.matrix if self.matrix.ndim == 1 else w[..., :d] @ self.matrix.T
        constant = w[..., d] - coefficients @ self.shift if self.intercept else 0.0 * w[..., 0]
        return np.concatenate([coefficients, np.expand_dims(constant, -1)], axis=-1)

    def inside(self, raw: Array) -> Array:
        """The inverse of `raw`."""
        coefficients = raw[..., :-1]
        w = coefficients * self.back if self.back.ndim == 1 else coefficients @ self.back.T
        if not self.intercept:
            return np.asarray(w)
        return np.concatenate([w, np.expand_dims(raw[..., -1] + coefficients @ self.shift, -1)], axis=-1)


def _whitener(correlation: Array) -> tuple[Array, Array]:
    values, vectors = np.linalg.eigh(correlation)
    top = max(float(values[-1]), 1e-300)
    root = np.sqrt(np.maximum(values, 0) + RIDGE * top)
    return np.asarray(vectors / root), np.asarray((vectors * root).T)
