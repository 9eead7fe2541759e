r"""T steps of a small linear system in O(log T), many systems side by side (the last axis, "lanes").

Every quantity here is the T-step flow of layers driven one by the next,

    s_0' = S s_0 + b,    s_l' = S s_l + N s_{l-1},    r' = (S + N) r + N s_last,

with an optional remainder r (b enters r when there are no layers); S = I + D, and N acts on the first component only.
Squaring S^n as it stands loses every digit of a slow mode (a diagonal entry close to 1) as theta -> 0; squaring the
increment P = S^n - I, by P <- 2 P + P^2, loses every digit of a mode that has died out (an entry close to -1). Off
the diagonal the two are the same numbers, so each diagonal entry is kept both ways and read from the one that holds
its digits.

Layer l answers layer l - m through a matrix g_m(n), the coefficients of (S + eps N)^n in eps, and the remainder
answers layer l through Q_l(n), so doubling costs truncated products only.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from numerics.operators import Array

LANES = 64
DEAD = (
    1e-150  # entries of a flow below this are set to zero: their products would be denormal and a hundred times slower
)
_FAST = {"contract", "nsz"}
_FEW = 8  # applying a dense flow a few times, n / 4 or so, is quicker than squaring it
Space = tuple[Array, Array, Array, Array, Array, Array, Array, Array]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _copy(out: Array, x: Array) -> None:
    for r in range(out.shape[0]):
        for lane in range(LANES):
            out[r, lane] = x[r, lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _copy_alive(out: Array, x: Array) -> None:
    for r in range(out.shape[0]):
        for lane in range(LANES):
            value = x[r, lane]
            out[r, lane] = value if abs(value) > DEAD else 0.0


@njit(cache=True)  # type: ignore[untyped-decorator]
def _clear(out: Array) -> None:
    for r in range(out.shape[0]):
        for lane in range(LANES):
            out[r, lane] = 0.0


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


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _square(work: Array, s: Array, diagonal: Array, n: int) -> None:
    """s <- s s, with `diagonal` = s_ii - 1 before and after."""
    _clear(work)
    _multiply_add(work, s, s, n)
    for r in range(n):
        for lane in range(LANES):
            cross = 0.0
            for k in range(n):
                if k != r:
                    cross += s[n * r + k, lane] * s[n * k + r, lane]
            p = diagonal[r, lane]
            p = p * (2.0 + p) + cross
            if p < -0.5:
                p = work[(n + 1) * r, lane] - 1.0
            else:
                work[(n + 1) * r, lane] = 1.0 + p
            diagonal[r, lane] = p
    _copy_alive(s, work)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _double(layers: int, n: int, remainder: bool, space: Space) -> None:
    """From the flow over m steps to the flow over 2m steps, in place."""
    g, q, full, bg, br, work, dg, df = space
    vector = work[:n]
    if remainder:
        _copy(vector, br)
        _apply_add(vector, full, br, n)
        for l in range(layers):
            _apply_add(vector, q[l], bg[l], n)
        _copy(br, vector)
    for l in range(layers - 1, -1, -1):
        _copy(vector, bg[l])
        for m in range(l + 1):
            _apply_add(vector, g[m], bg[l - m], n)
        _copy(bg[l], vector)
    if remainder:
        for l in range(layers):
            _clear(work)
            _multiply_add(work, full, q[l], n)
            for m in range(layers - l):
                _multiply_add(work, q[l + m], g[m], n)
            _copy_alive(q[l], work)
        _square(work, full, df, n)
    for m in range(layers - 1, 0, -1):
        _clear(work)
        for k in range(m + 1):
            _multiply_add(work, g[k], g[m - k], n)
        _copy_alive(g[m], work)
    if layers > 0:
        _square(work, g[0], dg, n)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _advance(layers: int, n: int, state: Array, space: Space) -> None:
    """The state after the flow, in place."""
    g, q, full, bg, br, work, _, _ = space
    vector = work[:n]
    if state.shape[0] > layers:
        _copy(vector, br)
        _apply_add(vector, full, state[layers], n)
        for l in range(layers):
            _apply_add(vector, q[l], state[l], n)
        _copy(state[layers], vector)
    for l in range(layers - 1, -1, -1):
        _copy(vector, bg[l])
        for m in range(l + 1):
            _apply_add(vector, g[m], state[l - m], n)
        _copy(state[l], vector)


def workspace(layers: int, n: int) -> Space:
    """Arrays for `flow_lanes`: g, q, full, bg, br, scratch, and the diagonals of g_0 - I and full - I."""
    g, q, bg = (np.zeros((layers, rows, LANES)) for rows in (n * n, n * n, n))
    full, br, work, dg, df = (np.zeros((rows, LANES)) for rows in (n * n, n, n * n, n, n))
    return g, q, full, bg, br, work, dg, df


@njit(cache=True)  # type: ignore[untyped-decorator]
def flow_lanes(
    n: int, increment: Array, drive: Array, forcing: Array, state: Array, layers: int, steps: int, space: Space
) -> None:
    """Advance state (layers [+ 1], n, LANES) by `steps` steps; increment D is (n * n, LANES), drive N is (n, LANES)."""
    g, q, full, bg, br, _, dg, df = space
    for l in range(layers):
        _clear(g[l])
        _clear(q[l])
        _clear(bg[l])
    _clear(br)
    _copy(full, increment)
    _copy(bg[0] if layers > 0 else br, forcing)
    if layers > 0:
        _copy(g[0], increment)
    for r in range(n):
        for lane in range(LANES):
            full[n * r, lane] += drive[r, lane]
            if layers > 1:
                g[1, n * r, lane] = drive[r, lane]
            if layers > 0:
                q[layers - 1, n * r, lane] = drive[r, lane]
    for r in range(n):
        for lane in range(LANES):
            df[r, lane] = full[(n + 1) * r, lane]
            full[(n + 1) * r, lane] += 1.0
            if layers > 0:
                dg[r, lane] = g[0, (n + 1) * r, lane]
                g[0, (n + 1) * r, lane] += 1.0
    while steps > 0:
        if steps & 1:
            _advance(layers, n, state, space)
        steps >>= 1
        if steps > 0:
            _double(layers, n, state.shape[0] > layers, space)


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


def square_dense(s: Array, diagonal: Array) -> tuple[Array, Array]:
    """s s and its diagonal minus one, from s and its diagonal minus one."""
    product = s @ s
    return product, _finished(product, s, diagonal)


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _finished(product: Array, s: Array, diagonal: Array) -> Array:
    """The diagonal of s s - I; puts it into the product where it holds more digits, and clears dead entries."""
    n = s.shape[0]
    p = diagonal * (2.0 + diagonal)
    for r in range(n):
        for k in range(r):
            cross = s[r, k] * s[k, r]
            p[r] += cross
            p[k] += cross
    for r in range(n):
        if p[r] < -0.5:
            p[r] = product[r, r] - 1.0
        else:
            product[r, r] = 1.0 + p[r]
        for k in range(n):
            if abs(product[r, k]) < DEAD:
                product[r, k] = 0.0
    return p


def flow_dense(increment: Array, drive: Array, forcing: Array, state: Array, layers: int, steps: int) -> Array:
    """The same flow for one dense system of n coupled components: increment and drive (n, n), state (s, n).

    Squares until few applications are left, which cost one product of a matrix and a vector each.
    """
    remainder = state.shape[0] > layers
    n = len(forcing)
    zero = np.zeros((n, n))
    g = [np.eye(n) + increment, drive, *([zero] * layers)][:layers]
    q = [zero] * max(layers - 1, 0) + ([drive] if layers else [])
    full = np.eye(n) + (increment + drive)
    dg, df = np.diagonal(increment), np.diagonal(increment + drive)
    bg = [forcing, *([np.zeros(n)] * layers)][:layers]
    br = np.zeros(n) if layers else forcing
    s = list(state)
    while steps > 0:
        few = steps <= max(_FEW, n // 4)
        for _ in range(steps if few else steps & 1):
            rest = [br + full @ s[layers] + sum(q[l] @ s[l] for l in range(layers))] if remainder else []
            s = [bg[l] + _convolved(g, s, l) for l in range(layers)] + rest
        if few:
            break
        steps >>= 1
        if remainder:
            br = br + full @ br + sum(q[l] @ bg[l] for l in range(layers))
            q = [full @ q[l] + sum(q[l + m] @ g[m] for m in range(layers - l)) for l in range(layers)]
            full, df = square_dense(full, df)
        bg = [bg[l] + _convolved(g, bg, l) for l in range(layers)]
        upper = [_convolved(g, g, m) for m in range(1, layers)]
        if layers:
            first, dg = square_dense(g[0], dg)
            g = [first, *upper]
    return np.stack(s)


def _convolved(g: list[Array], x: list[Array], m: int) -> Array:
    return np.asarray(sum(g[k] @ x[m - k] for k in range(m + 1)))
