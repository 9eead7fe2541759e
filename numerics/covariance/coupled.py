r"""The tail average of the coupled diagonal in O(log T): one pass of doublings serves both halves of the horizon.

The 3d state goes forward over the first T/2 steps while the functional that reads sum_i lam_i E s_i^2 goes backward
over the last T/2 steps. Over m steps the flow is C <- k C + pc, E s(y, v) <- s E s(y, v) + e C + pe and
acc <- acc + g . E s(y, v) + row . C + pa; only k (3d x 3d) and e (2d x 3d) are dense. The diagonals of k and s are
kept as increments too, see `doubling`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from numerics.operators import Array

_FAST = {"contract", "nsz", "reassoc"}
_DEAD = 1e-150  # as in `doubling`; its own constant, because numba's cache looks at one file's time stamp only


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _right(out: Array, m: Array, v: Array) -> None:
    """out += m v."""
    for r in range(m.shape[0]):
        total = 0.0
        for c in range(m.shape[1]):
            total += m[r, c] * v[c]
        out[r] += total


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _left(out: Array, v: Array, m: Array) -> None:
    """out += v m."""
    for r in range(m.shape[0]):
        weight = v[r]
        for c in range(m.shape[1]):
            out[c] += weight * m[r, c]


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _dot(x: Array, y: Array) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * y[i]
    return total


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _mean_right(out: Array, s: Array, v: Array) -> None:
    """out += s v with s (4, d): the entries of d blocks of size two."""
    d = s.shape[1]
    for i in range(d):
        top, low = v[i], v[d + i]
        out[i] += s[0, i] * top + s[1, i] * low
        out[d + i] += s[2, i] * top + s[3, i] * low


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _mean_left(out: Array, v: Array, s: Array) -> None:
    """out += v s."""
    d = s.shape[1]
    for i in range(d):
        top, low = v[i], v[d + i]
        out[i] += top * s[0, i] + low * s[2, i]
        out[d + i] += top * s[1, i] + low * s[3, i]


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _copy(out: Array, x: Array) -> None:
    for i in range(x.shape[0]):
        out[i] = x[i]


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _increment(p: float, cross: float, plain: float) -> float:
    """The diagonal of a square minus one: from the increment while the mode lives, from the square once it is dead."""
    p = p * (2.0 + p) + cross
    return plain - 1.0 if p < -0.5 else p


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _double_dense(k: Array, e: Array, s: Array, dk: Array, ds: Array, kk: Array, ek: Array) -> None:
    """k <- k k, e <- e k + s e, s <- s s; dk and ds are the diagonals minus one."""
    d, n = s.shape[1], k.shape[0]
    np.dot(e, k, ek)
    np.dot(k, k, kk)
    for i in range(d):
        top, low, new_top, new_low = e[i], e[d + i], ek[i], ek[d + i]
        for c in range(n):
            x, y = top[c], low[c]
            new_x = new_top[c] + s[0, i] * x + s[1, i] * y
            new_y = new_low[c] + s[2, i] * x + s[3, i] * y
            top[c] = new_x if abs(new_x) > _DEAD else 0.0
            low[c] = new_y if abs(new_y) > _DEAD else 0.0
    for r in range(n):
        k[r, r] = 0.0
    for r in range(n):
        cross = 0.0
        for c in range(n):
            cross += k[r, c] * k[c, r]
        p = _increment(dk[r], cross, kk[r, r])
        dk[r] = p
        if p >= -0.5:
            kk[r, r] = 1.0 + p
    for r in range(n):
        for c in range(n):
            value = kk[r, c]
            k[r, c] = value if abs(value) > _DEAD else 0.0
    for i in range(d):
        a, b, c, f = s[0, i], s[1, i], s[2, i], s[3, i]
        first, last = a * a + b * c, f * f + b * c
        ds[0, i], ds[1, i] = _increment(ds[0, i], b * c, first), _increment(ds[1, i], b * c, last)
        s[0, i] = 1.0 + ds[0, i] if ds[0, i] >= -0.5 else first
        s[3, i] = 1.0 + ds[1, i] if ds[1, i] >= -0.5 else last
        s[1, i], s[2, i] = a * b + b * f, c * a + f * c


@njit(cache=True)  # type: ignore[untyped-decorator]
def _run(
    k: Array,
    e: Array,
    s: Array,
    row: Array,
    g: Array,
    pc: Array,
    pe: Array,
    pa: float,
    x: Array,
    half: int,
    diagonals: tuple[Array, Array],
    dense: tuple[Array, Array],
) -> float:
    n, m = k.shape[0], e.shape[0]
    read, cross = np.zeros(n), np.zeros(m)
    long, short = np.empty(n), np.empty(m)
    constant = 0.0
    while half > 0:
        if half & 1:
            constant += _dot(read, pc) + _dot(cross, pe) + pa
            _copy(long, row)
            _left(long, read, k)
            _left(long, cross, e)
            _copy(read, long)
            _copy(short, g)
            _mean_left(short, cross, s)
            _copy(cross, short)
            _copy(long, pc)
            _right(long, k, x)
            _copy(x, long)
        half >>= 1
        if half > 0:
            pa = 2.0 * pa + _dot(row, pc) + _dot(g, pe)
            _copy(long, row)
            _left(long, row, k)
            _left(long, g, e)
            _copy(row, long)
            _copy(short, pe)
            _right(short, e, pc)
            _mean_right(short, s, pe)
            _copy(pe, short)
            _copy(long, pc)
            _right(long, k, pc)
            _copy(pc, long)
            _copy(short, g)
            _mean_left(short, g, s)
            _copy(g, short)
            _double_dense(k, e, s, diagonals[0], diagonals[1], dense[0], dense[1])
    return float(_dot(read, x) + constant)


def coupled_tail(
    k: Array,
    mean: tuple[float, float, float, float],
    eta: float,
    theta: float,
    lam: Array,
    push: Array,
    start: Array,
    half: int,
) -> float:
    """sum_i lam_i E s_i^2 of the sum s of x over steps T/2 + 1..T, from the diagonal state `start` at time 0.

    k is the (3d, 3d) increment of the state with its coupling, push the (3d,) noise of a step; half is T/2.
    """
    d = len(lam)

    def read(rows: Array) -> Array:
        return np.concatenate([rows[:d] - theta * rows[d : 2 * d], rows[d : 2 * d] - theta * rows[2 * d :]])

    return tail_of_flow(k, read, mean, eta, theta, lam, push, start, half)


def tail_of_flow(
    k: Array,
    read: Callable[[Array], Array],
    mean: tuple[float, float, float, float],
    eta: float,
    theta: float,
    lam: Array,
    push: Array,
    start: Array,
    half: int,
) -> float:
    """The same for a state of any layout: `read` takes rows of the state to E x_i y_i, then E x_i v_i."""
    d = len(lam)
    q, rho, b, f = mean
    moved = k.copy()
    moved.flat[:: len(k) + 1] += 1.0
    e, pe = np.ascontiguousarray(read(moved)), read(push)
    row = lam @ e[:d] - theta * (lam @ e[d:])
    one = np.ones(d)
    s = np.stack([1 - q * lam, b * one, -rho * lam, (1 + f) * one])
    g = np.concatenate([2 * lam * (1 - eta * lam), np.zeros(d)])
    pa = float(lam @ (pe[:d] - theta * pe[d:]))
    diagonals = (np.diagonal(k).copy(), np.stack([-q * lam, f * one]))
    dense = (np.empty_like(k), np.empty_like(e))
    return float(_run(moved, e, s, row, g, push.copy(), pe, pa, start.copy(), half, diagonals, dense))
