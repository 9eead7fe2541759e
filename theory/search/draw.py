"""Drawing points of a region: every decade, the edges of every hypothesis, small integers and special values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from theory.search.bounds import Bound, Variable
from theory.search.floats import Array, Scaled, batch, value_of
from theory.search.plan import Plan

SPECIAL = np.array([0.0, 1.0, 0.5, 2.0, -1.0, 0.25, 3.0, 1 / 3, 4.0, 10.0, 0.1, 1 / 16, 16.0, 100.0, 0.01, -2.0, 0.75])
TIES = np.array([1.0, 1.0, 2.0, 0.5, -1.0])
SPARSE = 0.25
NEAR = np.array([0.0, 0.0, 1e-3, 1e-6, 1e-9])
WORDS = (
    "free numbers log-uniform over 12 decades between the bounds that the hypotheses give, mixed with the edges (at "
    "and within 1e-3, 1e-6 and 1e-9 of them), uniform draws, special values and ties; a quarter of the families mostly "
    "zero; dependent numbers solved"
)


def interval(variable: Variable, values: Mapping[str, Scaled], count: int) -> tuple[Array, Array]:
    """The interval of a number, given those before it."""
    low, high = np.full(count, -np.inf), np.full(count, np.inf)
    with np.errstate(all="ignore"):
        for bound in sorted(variable.bounds, key=lambda b: b.power):
            low, high = _tightened(bound, low, high, values)
    return low, high


def _tightened(bound: Bound, low: Array, high: Array, values: Mapping[str, Scaled]) -> tuple[Array, Array]:
    count = len(low)
    slope, rest = value_of(bound.slope, values, count), value_of(bound.rest, values, count)
    if bound.middle is not None:
        return _between_roots(slope, value_of(bound.middle, values, count), rest, low, high)
    edge = -rest / slope
    up, down = slope > 0, slope < 0
    if bound.power % 2:
        edge = edge if bound.power == 1 else np.sign(edge) * np.abs(edge) ** (1.0 / bound.power)
        return np.where(up & (edge > low), edge, low), np.where(down & (edge < high), edge, high)
    edge = np.where(edge >= 0, edge, np.nan) ** (1.0 / bound.power)
    low = np.where((up & (low >= 0) & (edge > low)), edge, np.where(down & (-edge > low), -edge, low))
    high = np.where((up & (high <= 0) & (-edge < high)), -edge, np.where(down & (edge < high), edge, high))
    return low, high


def _between_roots(a: Array, m: Array, b: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """a*x**2 + m*x + b >= 0: between the roots where a < 0, else outside them on the side that the interval shows."""
    root = np.sqrt(m * m - 4 * a * b)
    half = -0.5 * (m + np.where(m >= 0, root, -root))
    one, two = half / a, b / half
    first, second = np.fmin(one, two), np.fmax(one, two)
    inside = (a < 0) & np.isfinite(root)
    above, below = (a > 0) & (low >= first), (a > 0) & (high <= second)
    low = np.where((inside & (first > low)), first, np.where(above & (second > low), second, low))
    high = np.where((inside & (second < high)), second, np.where(below & (first < high), first, high))
    return low, high


def draw(plan: Plan, rng: np.random.Generator, count: int) -> Array:
    """Independent free numbers, one point in every row; what breaks a hypothesis is sorted out afterwards."""
    values: dict[str, Scaled] = {}
    rows = np.empty((count, len(plan.free)))
    sparse = rng.random(count) < SPARSE
    with np.errstate(all="ignore"):
        for i, variable in enumerate(plan.free):
            low, high = interval(variable, values, count)
            one = draw_one(rng, low, high, rows[:, :i])
            if "[" in variable.name:
                one = np.where(sparse & (rng.random(count) < 0.7), np.clip(0.0, low, high), one)
            rows[:, i] = whole(one, low, high) if variable.name in plan.integers else one
            values[variable.name] = batch(rows[:, i])
    return rows


def whole(values: Array, low: Array, high: Array) -> Array:
    """Rounded to integers inside the interval where there are any."""
    rounded = np.round(np.clip(values, -1e15, 1e15))
    rounded = np.where(rounded < low, np.ceil(low), rounded)
    return np.where(rounded > high, np.floor(high), rounded)


def draw_one(rng: np.random.Generator, low: Array, high: Array, others: Array) -> Array:
    """A mixture: from either end on a log scale, uniform, log-uniform in itself, edges, special values, ties."""
    count = len(low)
    uniform, mode = rng.random(count), rng.random(count)
    sign = np.where(rng.random(count) < 0.5, 1.0, -1.0)
    from_low, from_high = _from_ends(rng, low, high, sign)
    tie = others[:, int(rng.integers(others.shape[1]))] * rng.choice(TIES) if others.shape[1] else uniform
    options = (
        (0.75, from_high),
        (0.62, _uniform(low, high, uniform)),
        (0.42, _log_between(low, high, uniform)),
        (0.30, _at_edge(low, high, sign, rng.choice(NEAR, count), uniform)),
        (0.16, rng.choice(SPECIAL, count)),
        (0.08, tie),
    )
    chosen = from_low
    for limit, option in options:
        chosen = np.where(mode < limit, option, chosen)
    outside = (chosen < low) | (chosen > high) | ~np.isfinite(chosen)
    return np.where(outside, np.where(np.isfinite(from_low), from_low, 1.0), chosen)


def _from_ends(rng: np.random.Generator, low: Array, high: Array, sign: Array) -> tuple[Array, Array]:
    """A log-uniform distance from the lower and from the upper end; both signs where there is no end."""
    span = high - low
    away = np.where(
        np.isfinite(span), span * 10.0 ** rng.uniform(-7, 0, len(low)), 10.0 ** rng.uniform(-6, 6, len(low))
    )
    from_low = np.where(np.isfinite(low), low + away, np.where(np.isfinite(high), high - away, sign * away))
    return from_low, np.where(np.isfinite(high), high - away, from_low)


def _uniform(low: Array, high: Array, u: Array) -> Array:
    """Uniform in the interval; of length ten where it is infinite."""
    start = np.where(np.isfinite(low), low, np.where(np.isfinite(high), high - 10.0, -5.0))
    end = np.where(np.isfinite(high), high, start + 10.0)
    return np.asarray(start + (end - start) * u)


def _at_edge(low: Array, high: Array, sign: Array, near: Array, u: Array) -> Array:
    """At an end or next to it; a small integer where there is no end."""
    span = high - low
    size = np.where(
        np.isfinite(span), span, 1.0 + np.abs(np.where(np.isfinite(low), low, np.where(np.isfinite(high), high, 0.0)))
    )
    use_low = np.isfinite(low) & ((sign > 0) | ~np.isfinite(high))
    at = np.where(use_low, low + near * size, high - near * size)
    return np.where(np.isfinite(low) | np.isfinite(high), at, np.round(4.0 * u * sign))


def _log_between(low: Array, high: Array, u: Array) -> Array:
    """Log-uniform in the number itself where it is positive, else uniform."""
    top = np.where(np.isfinite(high), np.maximum(high, 1e-300), np.maximum(low, 1.0) * 1e6)
    start = np.log10(np.maximum(low, np.where(np.isfinite(high), top * 1e-8, 1e-6)))
    return np.where(low >= 0, 10.0 ** (start + (np.log10(top) - start) * u), _uniform(low, high, u))
