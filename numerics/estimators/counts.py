r"""Counts without a range to know: e^z - b z between the smallest and the largest rate that the labels allow.

A rate above the largest label ever seen, or below the mean label over the number of rows, is not believed: predictions
end there, and the loss goes on along its tangents, so that an extreme row pulls with the force of one label and no
rate overflows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs.checks import Array
from numerics.losses import Loss, Poisson
from numerics.losses.base import broadcast


@dataclass(frozen=True, repr=False)
class Counts(Poisson):
    """Poisson's loss on the range of the labels seen so far: their number, their sum and the largest."""

    name: ClassVar[str] = "Poisson on the range of the labels"
    bound: float = 30.0
    rows: float = 0.0
    total: float = 0.0
    largest: float = 0.0

    def seen(self, b: Array) -> Counts:
        """After these labels too."""
        rows, total = self.rows + b.size, self.total + float(b.sum())
        return replace(self, rows=rows, total=total, largest=max(self.largest, float(b.max(initial=0.0))))

    @property
    def range(self) -> tuple[float, float]:
        """Of z."""
        if not self.total > 0:
            return -self.bound, self.bound if not self.rows else 0.0
        low, high = np.clip(np.log([self.total / self.rows**2, self.largest]), -self.bound, self.bound)
        return float(low), float(high)

    @property
    def kinks_in_prediction(self) -> tuple[float, ...]:
        return self.range

    def reached(self, z: ArrayLike) -> Array:
        """z within the range."""
        return np.clip(z, *self.range)

    def value(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        m = self.reached(z)
        return np.asarray(np.exp(m) * (1 + (z - m)) - b * z)

    def d1(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.asarray(np.exp(self.reached(z)) - b)

    def d2(self, z: ArrayLike, b: ArrayLike) -> Array:
        z, b = broadcast(z, b)
        return np.where(self.reached(z) == z, np.exp(self.reached(z)), 0.0)


def reached(loss: Loss, z: Array) -> Array:
    """The predictions that are believed: all but those of counts out of range."""
    return loss.reached(z) if isinstance(loss, Counts) else z
