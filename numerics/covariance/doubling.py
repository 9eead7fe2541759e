r"""T steps of a small linear system in O(log T), many systems side by side (the last axis, "lanes").

Every quantity here is the T-step flow of layers driven one by the next,

    s_0' = s_0 + D s_0 + b,    s_l' = s_l + D s_l + N s_{l-1},    r' = r + (D + N) r + N s_last,

with an optional remainder r (b enters r when there are no layers). N acts on the first component only. The flow over
n steps is kept as an *increment*: for P = S^n - I, doubling is P <- 2 P + P^2, which keeps relative accuracy where
squaring S itself loses every digit as theta -> 0. Layer l answers layer l - m through a matrix g_m(n) (the
coefficients of (I + D + eps N)^n in eps), the remainder answers layer l through Q_l(n), so doubling costs truncated
products only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from numerics.operators import Array

LANES = 64
_FAST = {"contract", "nsz"}


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _scale(out: Array, x: Array, factor: float) -> None:
    for r in range(out.shape[0]):
        for lane in range(LANES):
            out[r, lane] = factor * x[r, lane]


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _multiply_add(out: Array, x: Array, y: Array, n: int) -> None:
    """out += x y for every lane; rows of the arrays are the n * n entries."""
    for r in range(n):
        for s in range(n):
            target = out[n * r + s]
            for k in range(n):
                left, right = x[n * r + k], y[n * k + s]
                for lane in range(LANES):
                    target[lane] += left[lane] * right[lane]


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _apply_add(out: Array, x: Array, v: Array, n: int) -> None:
    """out += x v for every lane."""
    for r in range(n):
        target = out[r]
        for k in range(n):
            left, right = x[n * r + k], v[k]
            for lane in range(LANES):
                target[lane] += left[lane] * right[lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _double(layers: int, n: int, g: Array, q: Array, full: Array, bg: Array, br: Array, work: Array) -> None:
    """From the flow over m steps to the flow over 2m steps, in place."""
    vector = work[:n]
    _scale(vector, br, 2.0)
    _apply_add(vector, full, br, n)
    for l in range(layers):
        _apply_add(vector, q[l], bg[l], n)
    _scale(br, vector, 1.0)
    for l in range(layers - 1, -1, -1):
        _scale(vector, bg[l], 2.0)
        for m in range(l + 1):
            _apply_add(vector, g[m], bg[l - m], n)
        _scale(bg[l], vector, 1.0)
    for l in range(layers):
        _scale(work, q[l], 2.0)
        _multiply_add(work, full, q[l], n)
        for m in range(layers - l):
            _multiply_add(work, q[l + m], g[m], n)
        _scale(q[l], work, 1.0)
    _scale(work, full, 2.0)
    _multiply_add(work, full, full, n)
    _scale(full, work, 1.0)
    for m in range(layers - 1, -1, -1):
        _scale(work, g[m], 2.0)
        for k in range(m + 1):
            _multiply_add(work, g[k], g[m - k], n)
        _scale(g[m], work, 1.0)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _advance(
    layers: int, n: int, state: Array, g: Array, q: Array, full: Array, bg: Array, br: Array, work: Array
) -> None:
    """The state after the flow (g, q, full, bg, br), in place."""
    vector = work[:n]
    if state.shape[0] > layers:
        _scale(vector, br, 1.0)
        _apply_add(vector, full, state[layers], n)
        for l in range(layers):
            _apply_add(vector, q[l], state[l], n)
        _add(state[layers], vector)
    for l in range(layers - 1, -1, -1):
        _scale(vector, bg[l], 1.0)
        for m in range(l + 1):
            _apply_add(vector, g[m], state[l - m], n)
        _add(state[l], vector)


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _add(out: Array, x: Array) -> None:
    for r in range(out.shape[0]):
        for lane in range(LANES):
            out[r, lane] += x[r, lane]


def workspace(layers: int, n: int) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Arrays for `flow_lanes`: g, q, full, bg, br, work."""
    g, q, bg = (np.zeros((layers, rows, LANES)) for rows in (n * n, n * n, n))
    full, br, work = (np.zeros((rows, LANES)) for rows in (n * n, n, n * n))
    return g, q, full, bg, br, work


@njit(cache=True)  # type: ignore[untyped-decorator]
def flow_lanes(
    n: int,
    increment: Array,
    drive: Array,
    forcing: Array,
    state: Array,
    layers: int,
    steps: int,
    space: tuple[Array, Array, Array, Array, Array, Array],
) -> None:
    """Advance state (layers [+ 1], n, LANES) by `steps` steps; increment D is (n * n, LANES), drive N is (n, LANES)."""
    g, q, full, bg, br, work = space
    remainder = state.shape[0] > layers
    for l in range(layers):
        _scale(g[l], increment, 1.0 if l == 0 else 0.0)
        _scale(q[l], increment, 0.0)
        _scale(bg[l], forcing, 1.0 if l == 0 else 0.0)
    _scale(full, increment, 1.0 if remainder else 0.0)
    _scale(br, forcing, 1.0 if layers == 0 else 0.0)
    for r in range(n):
        for lane in range(LANES):
            if layers > 1:
                g[1, n * r, lane] = drive[r, lane]
            if remainder:
                full[n * r, lane] += drive[r, lane]
                if layers > 0:
                    q[layers - 1, n * r, lane] = drive[r, lane]
    while steps > 0:
        if steps & 1:
            _advance(layers, n, state, g, q, full, bg, br, work)
        steps >>= 1
        if steps > 0:
            _double(layers, n, g, q, full, bg, br, work)


def flow_many(increment: Array, drive: Array, forcing: Array, state: Array, layers: int, steps: int) -> None:
    """`flow_lanes` over m systems, in place: increment (n, n, m), drive and forcing (n, m), state (s, n, m)."""
    n, many = forcing.shape
    space = workspace(layers, n)
    for start in range(0, many, LANES):
        here = slice(start, min(start + LANES, many))
        inc, dri, frc, sta = (_padded(x[..., here]) for x in (increment, drive, forcing, state))
        flow_lanes(n, inc.reshape(n * n, LANES), dri, frc, sta, layers, steps, space)
        state[..., here] = sta[..., : here.stop - here.start]


def _padded(x: Array) -> Array:
    out = np.zeros((*x.shape[:-1], LANES))
    out[..., : x.shape[-1]] = x
    return out


def flow_dense(increment: Array, drive: Array, forcing: Array, state: Array, layers: int, steps: int) -> Array:
    """The same flow for one dense system of n coupled components: increment and drive (n, n), state (s, n)."""
    remainder = state.shape[0] > layers
    n = len(forcing)
    zero = np.zeros((n, n))
    g = [increment] + [drive] + [zero] * layers
    g = g[:layers]
    q = [zero] * max(layers - 1, 0) + ([drive] if layers else [])
    full = increment + drive if remainder else zero
    bg = [forcing if layers else np.zeros(n)] + [np.zeros(n)] * layers
    br = np.zeros(n) if layers else forcing
    s = list(state)
    while steps > 0:
        if steps & 1:
            s = _advance_dense(s, g, q, full, bg, br, layers)
        steps >>= 1
        if steps:
            bg, br, g, q, full = _double_dense(g, q, full, bg, br, layers, remainder)
    return np.stack(s)


def _advance_dense(
    s: list[Array], g: list[Array], q: list[Array], full: Array, bg: list[Array], br: Array, n: int
) -> Any:
    new = [s[l] + bg[l] + sum(g[m] @ s[l - m] for m in range(l + 1)) for l in range(n)]
    if len(s) > n:
        new.append(s[n] + br + full @ s[n] + sum(q[l] @ s[l] for l in range(n)))
    return new


def _double_dense(
    g: list[Array], q: list[Array], full: Array, bg: list[Array], br: Array, layers: int, remainder: bool
) -> tuple[list[Array], Array, list[Array], list[Array], Array]:
    new_bg = [2 * bg[l] + sum(g[m] @ bg[l - m] for m in range(l + 1)) for l in range(layers)] or bg
    new_g = [_convolved(g, m) for m in range(layers)]
    if not remainder:
        return new_bg, br, new_g, q, full
    new_br = 2 * br + full @ br + sum(q[l] @ bg[l] for l in range(layers))
    new_q = [2 * q[l] + full @ q[l] + sum(q[l + m] @ g[m] for m in range(layers - l)) for l in range(layers)]
    return new_bg, new_br, new_g, new_q, 2 * full + full @ full


def _convolved(g: list[Array], m: int) -> Array:
    if m == 0:
        return np.asarray(2 * g[0] + g[0] @ g[0])
    return np.asarray(2 * g[m] + sum(g[k] @ g[m - k] for k in range(m + 1)))
