r"""Label models: the law of b given a, through linear predictors t = a.w only (except tabulated labels).

    LinearLabels         b = a.w + e                                  well-specified least squares
    LogisticLabels       P(b = 1) = 1/(1 + exp(-a.w)), else b = -1    well-specified logistic model
    PoissonLabels        b ~ Poisson(exp(clip(a.w, -B, B)))           counts
    NonlinearLabels      b = g(a.w) + e                               misspecified for every linear predictor
    HeteroscedasticLabels b = a.w + s(a.v) e                          noise level depends on a (v = w by default)
    TabulatedLabels      b_k at the k-th atom of a finite support     a user's data

e is Gaussian noise or discrete noise with mean zero.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs.checks import Array, frozen_array
from numerics.designs.exact import rational_vector

from .noise import Noise

Function = Callable[[Array], Any]


@dataclass(frozen=True, eq=False)
class LabelModel(ABC):
    """The conditional law of b given the predictors t = a @ directions.T."""

    @property
    @abstractmethod
    def directions(self) -> Array:
        """(j, d): the vectors w whose predictors a.w determine the law of b."""

    @abstractmethod
    def conditional(self, t: Array, kinks: Array, level: int) -> tuple[Array, Array]:
        """Nodes b (N, m) and weights (N, m) of the law of b given t (N, j); `kinks` (N, K) are labels to split at."""

    @abstractmethod
    def sample(self, t: Array, rng: np.random.Generator) -> Array:
        """One label for each row of t (N, j)."""

    @property
    def exact_sum(self) -> bool:
        """True when `conditional` is a finite sum, not a quadrature."""
        return False

    def affine_shifts(self) -> tuple[float, ...]:
        """When b = a.w + e with finitely many e: those e. The loss then has kinks on hyperplanes in a."""
        return ()

    def predictor_kinks(self) -> tuple[float, ...]:
        """Values of the first predictor where the law of b is not smooth in it."""
        return ()

    @property
    def homoscedastic_variance(self) -> float | None:
        """The variance of e when b = a.w + e with e independent of a, else None."""
        return None

    @property
    def centre(self) -> Array | None:
        """w when E[b | a] = a.w, else None."""
        return None

    def centred(self) -> LabelModel:
        """The law of b - a.w given a, when `centre` is w."""
        return self

    @property
    def spread(self) -> float:
        """The standard deviation of continuous noise, 0 when labels are discrete, infinite when it is not constant."""
        return 0.0

    @property
    def width(self) -> float | None:
        """Distance from a.w = 0 to the nearest complex singularity of the law of b, None without one."""
        return None

    @property
    def symmetric(self) -> bool:
        """True when b - a.w is symmetric about zero given a."""
        return False


@dataclass(frozen=True, eq=False)
class LinearLabels(LabelModel):
    """b = a.w + e."""

    w: Array
    noise: Noise
    rational_w: tuple[Any, ...] | None = field(init=False, repr=False)

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, w: Any, noise: Noise) -> None: ...

    def __post_init__(self) -> None:
        given = self.w
        object.__setattr__(self, "w", frozen_array(given, name="w", ndim=1))
        object.__setattr__(self, "rational_w", rational_vector(list(given)))

    @property
    def directions(self) -> Array:
        return self.w[None, :]

    def conditional(self, t: Array, kinks: Array, level: int) -> tuple[Array, Array]:
        e, weights = self.noise.nodes(kinks - t[:, :1], level)
        return t[:, :1] + e, weights

    def sample(self, t: Array, rng: np.random.Generator) -> Array:
        return np.asarray(t[:, 0] + self.noise.sample(len(t), rng))

    @property
    def exact_sum(self) -> bool:
        return self.noise.discrete

    def affine_shifts(self) -> tuple[float, ...]:
        return self.noise.atoms

    @property
    def homoscedastic_variance(self) -> float:
        return self.noise.variance

    @property
    def centre(self) -> Array:
        return self.w

    def centred(self) -> LabelModel:
        return LinearLabels(np.zeros_like(self.w), self.noise)

    @property
    def spread(self) -> float:
        return self.noise.spread

    @property
    def symmetric(self) -> bool:
        return self.noise.symmetric


@dataclass(frozen=True, eq=False)
class NonlinearLabels(LabelModel):
    """b = g(a.w) + e for a vectorised function g: misspecified unless g is linear."""

    w: Array
    mean: Function
    noise: Noise

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, w: ArrayLike, mean: Function, noise: Noise) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "w", frozen_array(self.w, name="w", ndim=1))

    @property
    def directions(self) -> Array:
        return self.w[None, :]

    def _mean(self, t: Array) -> Array:
        return _applied(self.mean, t, name="mean")

    def conditional(self, t: Array, kinks: Array, level: int) -> tuple[Array, Array]:
        m = self._mean(t[:, 0])[:, None]
        e, weights = self.noise.nodes(kinks - m, level)
        return m + e, weights

    def sample(self, t: Array, rng: np.random.Generator) -> Array:
        return np.asarray(self._mean(t[:, 0]) + self.noise.sample(len(t), rng))

    @property
    def exact_sum(self) -> bool:
        return self.noise.discrete

    @property
    def spread(self) -> float:
        return self.noise.spread


@dataclass(frozen=True, eq=False)
class HeteroscedasticLabels(LabelModel):
    """b = a.w + s(a.v) e for a vectorised positive function s; v = w when not given."""

    w: Array
    scale: Function
    noise: Noise
    v: Array | None = None

    if TYPE_CHECKING:  # accepts anything that converts; the dataclass would ask for arrays

        def __init__(self, w: ArrayLike, scale: Function, noise: Noise, v: ArrayLike | None = None) -> None: ...

    def __post_init__(self) -> None:
        w = frozen_array(self.w, name="w", ndim=1)
        object.__setattr__(self, "w", w)
        if self.v is not None:
            v = frozen_array(self.v, name="v", ndim=1)
            if v.shape != w.shape:
                raise ValueError(f"v: has {len(v)} entries, w has {len(w)}; both are vectors of the design's dimension")
            object.__setattr__(self, "v", v)

    @property
    def directions(self) -> Array:
        return self.w[None, :] if self.v is None else np.stack([self.w, self.v])

    def _scale(self, t: Array) -> Array:
        s = _applied(self.scale, t[:, -1], name="scale")
        if np.any(s <= 0):
            k = int(np.argmin(s))
            raise ValueError(f"scale: is {s[k]:g} at a.v = {t[k, -1]:g}, must be positive; add a floor to it")
        return s

    def conditional(self, t: Array, kinks: Array, level: int) -> tuple[Array, Array]:
        s = self._scale(t)
        e, weights = self.noise.nodes((kinks - t[:, :1]) / s[:, None], level)
        return t[:, :1] + s[:, None] * e, weights

    def sample(self, t: Array, rng: np.random.Generator) -> Array:
        return np.asarray(t[:, 0] + self._scale(t) * self.noise.sample(len(t), rng))

    @property
    def exact_sum(self) -> bool:
        return self.noise.discrete

    @property
    def centre(self) -> Array:
        return self.w

    def centred(self) -> LabelModel:
        v = self.w if self.v is None else self.v
        return HeteroscedasticLabels(np.zeros_like(self.w), self.scale, self.noise, v)

    @property
    def spread(self) -> float:
        return 0.0 if self.noise.discrete else np.inf

    @property
    def symmetric(self) -> bool:
        return self.noise.symmetric


def _applied(function: Function, t: Array, *, name: str) -> Array:
    result = np.broadcast_to(np.asarray(function(t), dtype=np.float64), t.shape)
    if not np.all(np.isfinite(result)):
        k = int(np.argmin(np.isfinite(result)))
        raise ValueError(f"{name}: is {result[k]} at predictor {t[k]:g}; give a function that is finite everywhere")
    return result
