r"""What a race says: means with intervals, slopes, the two terms of a curve, and the samples that a target takes.

Intervals are 95 per cent by the jackknife over seeds on the logarithm (Student's t with seeds - 1 degrees): every
figure is a smooth function of the mean curve, and risks are positive and skewed. A size at which any seed failed has no
mean: the expectation that the theorem bounds is then not known, and is not guessed from the seeds that survived.

    E(n) = A exp(-n / tau) + C / n        the optimization term and the statistical term
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from numerics.designs.checks import Array

LEVEL = 0.95
WIDEST = 600.0  # of a half-width on the logarithm: beyond it the ends are no floats, and say nothing long before


@dataclass(frozen=True)
class Interval:
    """A figure with its interval; the ends are None with one seed, or where the figure does not exist for some."""

    value: float
    low: float | None
    high: float | None

    def contains(self, x: float) -> bool:
        return self.low is not None and self.high is not None and self.low <= x <= self.high


@dataclass(frozen=True)
class Terms:
    """The fitted terms; `misfit` is the largest factor between curve and fit: near 1 where the form is right."""

    amplitude: float
    tau: Interval
    statistical: Interval
    misfit: float


def jackknife(
    samples: Array, figure: Callable[[Array], float | None], *, positive: bool = True, level: float = LEVEL
) -> Interval | None:
    """`figure` of the mean over the last axis, with its interval; on the logarithm for a positive figure."""
    value = figure(samples.mean(axis=-1))
    if value is None:
        return None
    m = samples.shape[-1]
    if m < 2:
        return Interval(value, None, None)
    total = samples.sum(axis=-1)
    parts = [figure((total - samples[..., k]) / (m - 1)) for k in range(m)]
    if any(p is None or (positive and p <= 0) for p in parts) or (positive and value <= 0):
        return Interval(value, None, None)
    known = np.array([p for p in parts if p is not None])
    scale = np.log(known) if positive else known
    error = float(np.sqrt((m - 1) / m * np.sum((scale - scale.mean()) ** 2)))
    wide = float(stats.t.ppf((1 + level) / 2, m - 1)) * error
    if positive:
        wide = min(wide, WIDEST)
        return Interval(value, value * float(np.exp(-wide)), value * float(np.exp(wide)))
    return Interval(value, value - wide, value + wide)


def usable(curve: Array) -> NDArray[np.intp]:
    """Positions of the sizes at which every seed has a positive excess risk."""
    return np.flatnonzero(np.all(np.isfinite(curve) & (curve > 0), axis=1))


def band(curve: Array, level: float = LEVEL) -> list[Interval | None]:
    """The mean at every size of a curve (sizes, seeds), None where a seed failed."""
    good = set(usable(curve).tolist())
    return [
        jackknife(curve[i], lambda mean: float(mean), level=level) if i in good else None for i in range(len(curve))
    ]


def slope(sizes: Array, curve: Array, last: int = 3) -> Interval | None:
    """d log E / d log n over the last few sizes; -1 is the statistical rate."""
    keep = usable(curve)[-last:]
    if len(keep) < 2 or keep[-1] != len(curve) - 1:
        return None
    x = np.log(sizes[keep])
    return jackknife(curve[keep], lambda mean: float(np.polyfit(x, np.log(mean), 1)[0]), positive=False)


def reached(sizes: Array, curve: Array, target: float) -> Interval | None:
    """The samples that the mean risk takes to fall below `target` and stay there, interpolated on logarithms."""
    keep = usable(curve)
    return jackknife(curve[keep], lambda mean: crossing(sizes[keep], mean, target)) if len(keep) > 1 else None


def crossing(sizes: Array, mean: Array, target: float) -> float | None:
    """None when the target is not reached, or was reached before the first size."""
    above = np.flatnonzero(mean > target)
    if not len(above) or above[-1] == len(mean) - 1:
        return None
    i = above[-1]
    (x0, x1), (y0, y1) = np.log(sizes[i : i + 2]), np.log(mean[i : i + 2])
    return float(np.exp(x0 + (np.log(target) - y0) / (y1 - y0) * (x1 - x0)))


def fit_terms(sizes: Array, curve: Array) -> Terms | None:
    """The two terms by least squares on log E; None with fewer than five sizes, or where a term does not show."""
    keep = usable(curve)
    if len(keep) < 5:
        return None
    n = sizes[keep]
    best = _fit(n, curve[keep].mean(axis=1), None)
    shown = best[2] / n  # the statistical term, against the whole
    if shown[-1] < 0.1 * _model(best, n)[-1] or shown[0] > 0.9 * _model(best, n)[0]:
        return None
    tau = jackknife(curve[keep], lambda mean: float(_fit(n, mean, best)[1]))
    statistical = jackknife(curve[keep], lambda mean: float(_fit(n, mean, best)[2]))
    assert tau is not None
    assert statistical is not None
    misfit = np.exp(np.max(np.abs(np.log(_model(best, n) / curve[keep].mean(axis=1)))))
    return Terms(float(best[0]), tau, statistical, float(misfit))


def _model(p: Array, n: Array) -> Array:
    return np.asarray(p[0] * np.exp(-n / p[1]) + p[2] / n)


def _fit(n: Array, mean: Array, start: Array | None) -> Array:
    """(A, tau, C), from a given start or from the best of several."""

    def residual(logs: Array) -> Array:
        return np.log(_model(np.exp(logs), n)) - np.log(mean)

    if start is not None:
        starts = [np.log(start)]
    else:
        top, tail = np.log(mean[0]), np.log(mean[-1] * n[-1])
        starts = [np.array([top, np.log(tau), tail]) for tau in n[:-1]]
    low, high = np.log(mean.min()) - 50, np.log(mean.max() * n[-1]) + 50
    bounds = ([low] * 3, [max(high, np.log(n[-1]) + 20)] * 3)
    fits = [optimize.least_squares(residual, np.clip(s, bounds[0][0], bounds[1][0]), bounds=bounds) for s in starts]
    return np.asarray(np.exp(min(fits, key=lambda f: float(f.cost)).x))
