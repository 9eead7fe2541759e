r"""Gaussian expectations E f(s), s ~ N(0, I_k), with integrands that may have kinks on known hyperplanes.

Axis by axis: an axis without kinks gets the trapezoidal rule on [-T, T], which converges geometrically against a
Gaussian weight; an axis with kinks gets Gauss-Legendre panels that end at the kinks, whose places may depend on the
axes before it. Level 0, 1, 2, ... refines both the spacing and the range, so that the difference between two levels
sees discretisation and truncation; that difference is reported as the error of the finer value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from numerics.designs.checks import Array

FINEST_LEVEL = 9
SHARP = 2.5  # a function with singularities closer than 1/SHARP standard deviations gets panels
_INNER_EDGE = 3.0


@dataclass(frozen=True)
class Kink:
    """The hyperplane coefficients . s = offset on which the integrand is not smooth."""

    coefficients: tuple[float, ...]
    offset: float


def spacing(level: int) -> float:
    return float(0.8 * 2 ** (-level / 2))


def reach(level: int) -> float:
    return 9.0 + 0.5 * level


def panel_order(level: int) -> int:
    return round(8 * 2 ** (level / 2))


@lru_cache(maxsize=64)
def smooth_axis(level: int) -> tuple[Array, Array]:
    """Trapezoidal nodes and weights for one standard Gaussian variable."""
    h = spacing(level)
    m = int(np.ceil(reach(level) / h))
    nodes = np.asarray(h * np.arange(-m, m + 1), dtype=np.float64)
    weights = h * np.exp(-0.5 * nodes**2) / np.sqrt(2 * np.pi)
    return nodes, weights / weights.sum()


def split_axis(kinks: Array, level: int) -> tuple[Array, Array]:
    """Nodes and weights (N, P) for one standard Gaussian variable, for N sets of kinks (N, K)."""
    t = reach(level)
    fixed = np.array([-t, -_INNER_EDGE, 0.0, _INNER_EDGE, t])
    edges = np.concatenate([np.tile(fixed, (len(kinks), 1)), np.clip(kinks, -t, t)], axis=1)
    edges.sort(axis=1)
    x, w = np.polynomial.legendre.leggauss(panel_order(level))
    half = 0.5 * np.diff(edges, axis=1)[:, :, None]
    nodes = 0.5 * (edges[:, :-1] + edges[:, 1:])[:, :, None] + half * x
    weights = half * w * np.exp(-0.5 * nodes**2) / np.sqrt(2 * np.pi)
    flat = (len(kinks), -1)
    return nodes.reshape(flat), weights.reshape(flat)


def graded_edges(centre: float, width: float, far: float) -> list[float]:
    """centre, and centre +- width * 1, 2, 4, ... up to `far`: panels for a function that varies fastest at centre."""
    steps = width * 2.0 ** np.arange(max(1, int(np.ceil(np.log2(far / width)))))
    return [centre, *(centre + steps).tolist(), *(centre - steps).tolist()]


def grid(dim: int, kinks: tuple[Kink, ...], level: int, *, most_nodes: int) -> tuple[Array, Array]:
    """Nodes (N, dim) and weights (N,) for s ~ N(0, I_dim)."""
    nodes, weights = np.zeros((1, 0)), np.ones(1)
    for axis in range(dim):
        here = [k for k in kinks if _last_axis(k) == axis]
        if here:
            x, w = split_axis(_crossings(here, nodes, axis), level)
        else:
            smooth, smooth_weights = smooth_axis(level)
            x, w = np.tile(smooth, (len(nodes), 1)), np.tile(smooth_weights, (len(nodes), 1))
        width = x.shape[1]
        if len(nodes) * width > most_nodes:
            raise OverflowError(f"{len(nodes) * width} nodes")
        nodes = np.concatenate([np.repeat(nodes, width, axis=0), x.reshape(-1, 1)], axis=1)
        weights = np.repeat(weights, width) * w.reshape(-1)
    return nodes, weights


def _last_axis(kink: Kink) -> int:
    """The axis on which a kink is met: the last with a coefficient that is not negligible (-1 for none)."""
    c = np.abs(np.asarray(kink.coefficients))
    significant = np.flatnonzero(c > 1e-14 * c.max(initial=0.0))
    return int(significant[-1]) if significant.size else -1


def _crossings(kinks: list[Kink], nodes: Array, axis: int) -> Array:
    columns = []
    for kink in kinks:
        c = np.asarray(kink.coefficients)
        columns.append((kink.offset - nodes @ c[:axis]) / c[axis])
    return np.stack(columns, axis=1)
