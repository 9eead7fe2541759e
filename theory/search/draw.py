"""Drawing points of a region: every decade, the edges of every hypothesis, small integers and special values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from theory.search.bounds import Variable
from theory.search.floats import Array, Scaled, batch, value_of
from theory.search.plan import Plan

SPECIAL = np.array([0.0, 1.0, 0.5, 2.0, -1.0, 0.25, 3.0, 1 / 3, 4.0, 10.0, 0.1, 1 / 16, 16.0, 100.0, 0.01, -2.0, 0.75])
NEAR = np.array([0.0, 0.0, 1e-3, 1e-6, 1e-9])
WORDS = (
    "free numbers log-uniform over 12 decades between the bounds that the hypotheses give, mixed with the edges (at and "
    "within 1e-3, 1e-6 and 1e-9 of them), uniform draws, special values and ties; dependent numbers solved"
)


def interval(variable: Variable, values: Mapping[str, Scaled], count: int) -> tuple[Array, Array]:
    """The interval of a number, given those before it."""
    low, high = np.full(count, -np.inf), np.full(count, np.inf)
    with np.errstate(all="ignore"):
        for bound in variable.bounds:
            slope, rest = value_of(bound.slope, values, count), value_of(bound.rest, values, count)
            edge = -rest / slope
            low = np.where((slope > 0) & (edge > low), edge, low)
            high = np.where((slope < 0) & (edge < high), edge, high)
    return low, high


def draw(plan: Plan, rng: np.random.Generator, count: int) -> dict[str, Array]:
    """Independent free numbers; what breaks a hypothesis is sorted out afterwards."""
    values: dict[str, Scaled] = {}
    drawn: dict[str, Array] = {}
    with np.errstate(all="ignore"):
        for variable in plan.free:
            low, high = interval(variable, values, count)
            one = _draw_one(rng, low, high, list(drawn.values()))
            if variable.name in plan.integers:
                one = whole(one, low, high)
            drawn[variable.name] = one
            values[variable.name] = batch(one)
    return drawn


def whole(values: Array, low: Array, high: Array) -> Array:
    """Rounded to integers inside the interval where there are any."""
    rounded = np.round(np.clip(values, -1e15, 1e15))
    rounded = np.where(rounded < low, np.ceil(low), rounded)
    return np.where(rounded > high, np.floor(high), rounded)


def _draw_one(rng: np.random.Generator, low: Array, high: Array, others: list[Array]) -> Array:
    count = len(low)
    has_low, has_high = np.isfinite(low), np.isfinite(high)
    below, above = np.where(has_low, low, 0.0), np.where(has_high, high, 0.0)
    span = np.where(has_low & has_high, above - below, np.inf)
    decades = 10.0 ** rng.uniform(-6, 6, count)
    closeness = 10.0 ** rng.uniform(-7, 0, count)
    sign = np.where(rng.random(count) < 0.5, 1.0, -1.0)
    from_low = below + np.where(np.isfinite(span), span * closeness, decades)
    from_high = above - np.where(np.isfinite(span), span * closeness, decades)
    unbounded = np.where(has_low, from_low, np.where(has_high, from_high, sign * decades))
    uniform = rng.random(count)
    inside = below + np.where(np.isfinite(span), span, 10.0) * uniform
    inside = np.where(has_low | ~has_high, inside, above - 10.0 * uniform)
    inside = np.where(has_low | has_high, inside, 10.0 * uniform - 5.0)
    scale = np.where(np.isfinite(span), span, 1.0 + np.abs(below) + np.abs(above))
    near = scale * rng.choice(NEAR, count)
    at_edge = np.where(has_low & ((sign > 0) | ~has_high), below + near, above - near)
    at_edge = np.where(has_low | has_high, at_edge, np.round(4.0 * uniform * sign))
    special = rng.choice(SPECIAL, count)
    tie = (
        others[int(rng.integers(len(others)))] * rng.choice(np.array([1.0, 1.0, 2.0, 0.5, -1.0])) if others else special
    )
    absolute = np.where(has_low & (low >= 0), _log_between(rng, low, high), inside)
    mode = rng.random(count)
    ladder = [from_high if False else np.where(has_high, from_high, unbounded), inside, absolute, at_edge, special, tie]
    chosen = unbounded
    for limit, option in zip((0.75, 0.62, 0.42, 0.30, 0.16, 0.08), ladder, strict=True):
        chosen = np.where(mode < limit, option, chosen)
    outside = (chosen < low) | (chosen > high) | ~np.isfinite(chosen)
    return np.where(outside, np.where(np.isfinite(unbounded), unbounded, 1.0), chosen)


def _log_between(rng: np.random.Generator, low: Array, high: Array) -> Array:
    """Log-uniform in the number itself, where it is positive."""
    start = np.log10(np.maximum(low, np.where(np.isfinite(high), np.maximum(high, 1e-300) * 1e-8, 1e-6)))
    end = np.log10(np.where(np.isfinite(high), np.maximum(high, 1e-300), np.maximum(low, 1.0) * 1e6))
    return np.asarray(10.0 ** (start + (end - start) * rng.random(len(low))))
