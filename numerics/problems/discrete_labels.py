"""Labels with discrete values: logistic, Poisson counts, and a user's labels, one an atom."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln

from numerics.designs.checks import Array, frozen_array, positive
from numerics.designs.exact import rational_vector

from .labels import LabelModel


@dataclass(frozen=True, eq=False)
class LogisticLabels(LabelModel):
    """b = +1 with probability 1/(1 + exp(-a.w)), else -1."""

    w: Array

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, w: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "w", frozen_array(self.w, name="w", ndim=1))

    @property
    def directions(self) -> Array:
        return self.w[None, :]

    def conditional(self, t: Array, kinks: Array, level: int) -> tuple[Array, Array]:
        signs = np.array([-1.0, 1.0])
        return np.tile(signs, (len(t), 1)), expit(signs * t[:, :1])

    def sample(self, t: Array, rng: np.random.Generator) -> Array:
        return np.where(rng.random(len(t)) < expit(t[:, 0]), 1.0, -1.0)

    @property
    def exact_sum(self) -> bool:
        return True

    @property
    def width(self) -> float:
        return math.pi


@dataclass(frozen=True, eq=False)
class PoissonLabels(LabelModel):
    """Counts with rate exp(clip(a.w, -bound, bound)); the sum over counts leaves out less than 1e-17."""

    w: Array
    bound: float = 2.0

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, w: ArrayLike, bound: float = 2.0) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "w", frozen_array(self.w, name="w", ndim=1))
        bound = positive(self.bound, name="bound")
        if bound > 5:
            raise ValueError(f"bound = {bound}: rates up to exp(bound) need too many counts; give a bound <= 5")
        object.__setattr__(self, "bound", bound)

    @property
    def directions(self) -> Array:
        return self.w[None, :]

    def _log_rate(self, t: Array) -> Array:
        return np.clip(t[:, 0], -self.bound, self.bound)

    def conditional(self, t: Array, kinks: Array, level: int) -> tuple[Array, Array]:
        largest = np.exp(self.bound)
        counts = np.arange(int(largest + 12 * np.sqrt(largest) + 30), dtype=np.float64)
        log_rate = self._log_rate(t)[:, None]
        weights = np.exp(counts * log_rate - np.exp(log_rate) - gammaln(counts + 1))
        return np.tile(counts, (len(t), 1)), weights

    def sample(self, t: Array, rng: np.random.Generator) -> Array:
        return rng.poisson(np.exp(self._log_rate(t))).astype(np.float64)

    def predictor_kinks(self) -> tuple[float, ...]:
        return (-self.bound, self.bound)

    @property
    def exact_sum(self) -> bool:
        return True


@dataclass(frozen=True, eq=False)
class TabulatedLabels(LabelModel):
    """The label of every atom of a finite-support design, in the order of its atoms."""

    values: Array
    rational_values: tuple[Any, ...] | None = field(init=False, repr=False)

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, values: Any) -> None: ...

    def __post_init__(self) -> None:
        given = self.values
        object.__setattr__(self, "values", frozen_array(given, name="labels", ndim=1))
        object.__setattr__(self, "rational_values", rational_vector(list(given)))

    @property
    def directions(self) -> Array:
        return np.zeros((0, 0))

    def conditional(self, t: Array, kinks: Array, level: int) -> tuple[Array, Array]:
        return self.values[:, None], np.ones((len(self.values), 1))

    def sample(self, t: Array, rng: np.random.Generator) -> Array:
        raise ValueError("tabulated labels belong to atoms: sample them through Problem.sample")

    @property
    def exact_sum(self) -> bool:
        return True
