"""The algorithm run with numbers: what derived formulas are held against. No formula of the derivations is used here.

Everything works for mpmath numbers, floats and fractions alike. A run is the three lines of Algorithm 1 in one
eigen-direction; a pair (x, y) is started by the z that extrapolates to y.
"""

from __future__ import annotations

from typing import Any

from theory.derivation.value import Numbers

Pair = tuple[Any, Any]
Square = list[list[Any]]


def step(v: Numbers, pair: Pair, curvature: Any, noise: Any = 0) -> Pair:
    """One inner step of (x_{t-1}, y_{t-1}), line by line."""
    theta, eta, gam = v["theta"], v["eta"], v["gam"]
    x, y = pair
    z = ((1 + theta) * y - x) / theta
    g = curvature * y - noise
    x_new = y - eta * g
    z_new = theta * y + (1 - theta) * z - gam * g
    return x_new, (x_new + theta * z_new) / (1 + theta)


def orbit(v: Numbers, start: Pair, steps: int, curvature: Any = None) -> Pair:
    for _ in range(steps):
        start = step(v, start, v["lam"] if curvature is None else curvature)
    return start


def matrix(v: Numbers, steps: int = 1, curvature: Any = None) -> Square:
    """What so many steps do to (1, 0) and (0, 1), as columns."""
    one, zero = v["theta"] / v["theta"], v["theta"] - v["theta"]
    left, right = orbit(v, (one, zero), steps, curvature), orbit(v, (zero, one), steps, curvature)
    return [[left[0], right[0]], [left[1], right[1]]]


def times(a: Square, b: Square) -> Square:
    return [
        [sum((a[i][m] * b[m][j] for m in range(len(b))), 0 * a[0][0]) for j in range(len(b[0]))] for i in range(len(a))
    ]


def turned(a: Square) -> Square:
    return [list(row) for row in zip(*a, strict=True)]


def added(a: Square, b: Square, sign: int = 1) -> Square:
    return [[x + sign * y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def kick(v: Numbers) -> Pair:
    """Where one step from rest with unit noise ends."""
    zero = v["theta"] - v["theta"]
    return step(v, (zero, zero), v["lam"], 1)


def covariance(v: Numbers, steps: int, other: Any = None) -> Square:
    """Pi_t for m = 1, between the directions lam and `other`: a sum over the times at which the noise came in."""
    total = [[0 * v["lam"]] * 2 for _ in range(2)]
    other = v["lam"] if other is None else other
    for age in range(steps):
        left, right = orbit(v, kick(v), age), orbit(v, kick({**v, "lam": other}), age, other)
        total = added(total, [[a * b for b in right] for a in left])
    return total


def limit(v: Numbers, other: Any = None, doublings: int = 80) -> Square:
    """The limit of the same sum, twice as many terms at a time."""
    other = v["lam"] if other is None else other
    left, right = matrix(v), turned(matrix({**v, "lam": other}))
    total = covariance(v, 1, other)
    for _ in range(doublings):
        total = added(total, times(times(left, total), right))
        left, right = times(left, left), times(right, right)
    return total


def tail_variance(v: Numbers, horizon: int) -> Any:
    """L_var of Pi_t in one direction, m = 1, the double sum of its definition term by term."""
    total = 0 * v["lam"]
    for s in range(horizon // 2 + 1, horizon + 1):
        for t in range(horizon // 2 + 1, horizon + 1):
            early = covariance(v, min(s, t))
            later = times(times(matrix(v, max(s - t, 0)), early), turned(matrix(v, max(t - s, 0))))
            total += v["lam"] * later[0][0]
    return 4 * total / horizon**2
