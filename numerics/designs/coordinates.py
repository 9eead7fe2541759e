r"""One-dimensional laws with mean 0 and variance 1, the building blocks of independent-coordinate designs.

`kurtosis` is E xi^4. `proxy` is a variance proxy s^2 with E exp(t xi) <= exp(s^2 t^2 / 2) for all t, None when the
law has none: 1 for the Gaussian, Rademacher and uniform laws (strictly sub-Gaussian), max |xi|^2 for bounded ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .checks import Array, finite
from .mixtures import two_point_squares

Draw = Callable[[np.random.Generator, tuple[int, ...]], Array]


@dataclass(frozen=True)
class Coordinate:
    """A standardised law: continuous with a sampler `draw`, or discrete with `values` and `weights`."""

    name: str
    kurtosis: float
    proxy: float | None
    draw: Draw | None = None
    values: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()

    def sample(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        if self.draw is not None:
            return self.draw(rng, shape)
        return np.asarray(self.values)[rng.choice(len(self.values), size=shape, p=self.weights)]

    def __repr__(self) -> str:
        return self.name


def _draw_gaussian(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.standard_normal(shape)


def _draw_uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), shape)


def _draw_laplace(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.laplace(0.0, np.sqrt(0.5), shape)


GAUSSIAN = Coordinate("gaussian", 3.0, 1.0, draw=_draw_gaussian)
RADEMACHER = Coordinate("rademacher", 1.0, 1.0, values=(-1.0, 1.0), weights=(0.5, 0.5))
UNIFORM = Coordinate("uniform", 9 / 5, 1.0, draw=_draw_uniform)
LAPLACE = Coordinate("laplace", 6.0, None, draw=_draw_laplace)


def sparse(p: float) -> Coordinate:
    """0 with probability 1 - p, else +-1/sqrt(p): kurtosis 1/p."""
    p = finite(p, name="p")
    if not 0 < p <= 1:
        raise ValueError(f"p = {p} is not the probability of a non-zero coordinate; give 0 < p <= 1")
    if p == 1:
        return RADEMACHER
    r = 1 / np.sqrt(p)
    return Coordinate(f"sparse({p:g})", 1 / p, 1 / p, values=(-r, 0.0, r), weights=(p / 2, 1 - p, p / 2))


def with_kurtosis(kurtosis: float) -> Coordinate:
    """A symmetric law on four points with E xi^4 = kurtosis >= 1."""
    k = finite(kurtosis, name="kurtosis")
    if k < 1:
        raise ValueError(f"kurtosis = {k} is below 1, no standardised law has it; give a number >= 1")
    if k == 1:
        return RADEMACHER
    squares, weights = two_point_squares(k)
    r, w = np.sqrt(squares), weights / 2
    values = (-r[0], -r[1], r[1], r[0])
    return Coordinate(
        f"kurtosis({k:g})",
        k,
        float(squares.max()),
        values=tuple(float(v) for v in values),
        weights=(float(w[0]), float(w[1]), float(w[1]), float(w[0])),
    )
