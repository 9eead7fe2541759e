r"""One eigendirection at a time, for a million parameter points: tail averages in O(log T).

A point is (lambda, eta, theta, gamma, excess, T): one direction whose N is excess * p. The state (p, u, w) goes
forward over T/2 steps, the functional that reads sum_i E s_i^2 goes backward over the other T/2, both by the same
doublings of increments. Points are processed in chunks that fill the vector lanes.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from numerics.operators import Array

CHUNK = 64
_DEAD = 1e-150  # as in `doubling`; its own constant, because numba's cache looks at one file's time stamp only
_FAST = {"contract", "nsz"}


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _fill(lam: Array, eta: Array, theta: Array, gamma: Array, excess: Array, start: int, lanes: int, m: Array) -> None:
    """Rows of m: 0-8 K, 9-12 S, 13-18 E, 19-21 row, 22-23 g, 24-26 pc, 27-28 pe, 29 pa, 30-34 diagonals minus one."""
    for i in range(lanes):
        n = min(start + i, lam.shape[0] - 1)  # lanes beyond the last point repeat it
        la, et, th, ga = lam[n], eta[n], theta[n], gamma[n]
        q = (et + th * ga) / (1.0 + th)
        rho = (ga - et) / (1.0 + th)
        f = -2.0 * th / (1.0 + th)
        b = (1.0 - th) / (1.0 + th) * th
        a, e, x = -q * la, -rho * la, excess[n]
        m[0 * CHUNK + i], m[1 * CHUNK + i], m[2 * CHUNK + i] = a * (2.0 + a) + q * q * x, 2.0 * (1.0 + a) * b, b * b
        m[3 * CHUNK + i], m[4 * CHUNK + i], m[5 * CHUNK + i] = (
            (1.0 + a) * e + q * rho * x,
            a + f + a * f + b * e,
            b * (1.0 + f),
        )
        m[6 * CHUNK + i], m[7 * CHUNK + i], m[8 * CHUNK + i] = e * e + rho * rho * x, 2.0 * e * (1.0 + f), f * (2.0 + f)
        m[9 * CHUNK + i], m[10 * CHUNK + i], m[11 * CHUNK + i], m[12 * CHUNK + i] = a, b, e, f
        for c in range(3):
            m[(30 + c) * CHUNK + i] = m[(4 * c) * CHUNK + i]
            m[(4 * c) * CHUNK + i] += 1.0
        m[33 * CHUNK + i], m[34 * CHUNK + i] = a, f
        m[9 * CHUNK + i] += 1.0
        m[12 * CHUNK + i] += 1.0
        for c in range(3):
            m[(13 + c) * CHUNK + i] = m[c * CHUNK + i] - th * m[(3 + c) * CHUNK + i]
            m[(16 + c) * CHUNK + i] = m[(3 + c) * CHUNK + i] - th * m[(6 + c) * CHUNK + i]
            m[(19 + c) * CHUNK + i] = m[(13 + c) * CHUNK + i] - th * m[(16 + c) * CHUNK + i]
        m[22 * CHUNK + i], m[23 * CHUNK + i] = 2.0 * (1.0 - et * la), 0.0
        m[24 * CHUNK + i], m[25 * CHUNK + i], m[26 * CHUNK + i] = q * q, q * rho, rho * rho
        m[27 * CHUNK + i], m[28 * CHUNK + i], m[29 * CHUNK + i] = et * q, et * rho, et * et


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _keep_digits(m: Array, n: Array, entry: int, increment: int, cross: Array, lanes: int) -> None:
    """The diagonal entry of a squared matrix from its increment while that is small; see `doubling`."""
    for i in range(lanes):
        before, plain = m[increment * CHUNK + i], n[entry * CHUNK + i]
        p = before * (2.0 + before) + cross[i]
        n[entry * CHUNK + i] = plain if p < -0.5 else 1.0 + p
        n[increment * CHUNK + i] = plain - 1.0 if p < -0.5 else p


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _double(m: Array, n: Array, cross: Array, lanes: int) -> None:
    """m for k steps into n for 2k steps."""
    for r in range(3):
        for c in range(3):
            for i in range(lanes):
                n[(3 * r + c) * CHUNK + i] = (
                    m[(3 * r) * CHUNK + i] * m[c * CHUNK + i]
                    + m[(3 * r + 1) * CHUNK + i] * m[(3 + c) * CHUNK + i]
                    + m[(3 * r + 2) * CHUNK + i] * m[(6 + c) * CHUNK + i]
                )
        one, two = (r + 1) % 3, (r + 2) % 3
        for i in range(lanes):
            cross[i] = (
                m[(3 * r + one) * CHUNK + i] * m[(3 * one + r) * CHUNK + i]
                + m[(3 * r + two) * CHUNK + i] * m[(3 * two + r) * CHUNK + i]
            )
        _keep_digits(m, n, 4 * r, 30 + r, cross, lanes)
    for i in range(lanes):
        n[9 * CHUNK + i] = m[9 * CHUNK + i] * m[9 * CHUNK + i] + m[10 * CHUNK + i] * m[11 * CHUNK + i]
        n[10 * CHUNK + i] = m[9 * CHUNK + i] * m[10 * CHUNK + i] + m[10 * CHUNK + i] * m[12 * CHUNK + i]
        n[11 * CHUNK + i] = m[11 * CHUNK + i] * m[9 * CHUNK + i] + m[12 * CHUNK + i] * m[11 * CHUNK + i]
        n[12 * CHUNK + i] = m[11 * CHUNK + i] * m[10 * CHUNK + i] + m[12 * CHUNK + i] * m[12 * CHUNK + i]
        cross[i] = m[10 * CHUNK + i] * m[11 * CHUNK + i]
    _keep_digits(m, n, 9, 33, cross, lanes)
    _keep_digits(m, n, 12, 34, cross, lanes)
    for r in range(2):
        for c in range(3):
            for i in range(lanes):
                n[(13 + 3 * r + c) * CHUNK + i] = (
                    m[(13 + 3 * r) * CHUNK + i] * m[c * CHUNK + i]
                    + m[(14 + 3 * r) * CHUNK + i] * m[(3 + c) * CHUNK + i]
                    + m[(15 + 3 * r) * CHUNK + i] * m[(6 + c) * CHUNK + i]
                    + m[(9 + 2 * r) * CHUNK + i] * m[(13 + c) * CHUNK + i]
                    + m[(10 + 2 * r) * CHUNK + i] * m[(16 + c) * CHUNK + i]
                )
        for i in range(lanes):
            n[(27 + r) * CHUNK + i] = m[(27 + r) * CHUNK + i] + (
                m[(13 + 3 * r) * CHUNK + i] * m[24 * CHUNK + i]
                + m[(14 + 3 * r) * CHUNK + i] * m[25 * CHUNK + i]
                + m[(15 + 3 * r) * CHUNK + i] * m[26 * CHUNK + i]
                + m[(9 + 2 * r) * CHUNK + i] * m[27 * CHUNK + i]
                + m[(10 + 2 * r) * CHUNK + i] * m[28 * CHUNK + i]
            )
            n[(22 + r) * CHUNK + i] = (
                m[(22 + r) * CHUNK + i]
                + m[22 * CHUNK + i] * m[(9 + r) * CHUNK + i]
                + m[23 * CHUNK + i] * m[(11 + r) * CHUNK + i]
            )
    for r in range(19):
        for i in range(lanes):
            value = n[r * CHUNK + i]
            n[r * CHUNK + i] = value if abs(value) > _DEAD else 0.0
    for c in range(3):
        for i in range(lanes):
            n[(19 + c) * CHUNK + i] = m[(19 + c) * CHUNK + i] + (
                m[19 * CHUNK + i] * m[c * CHUNK + i]
                + m[20 * CHUNK + i] * m[(3 + c) * CHUNK + i]
                + m[21 * CHUNK + i] * m[(6 + c) * CHUNK + i]
                + m[22 * CHUNK + i] * m[(13 + c) * CHUNK + i]
                + m[23 * CHUNK + i] * m[(16 + c) * CHUNK + i]
            )
            n[(24 + c) * CHUNK + i] = m[(24 + c) * CHUNK + i] + (
                m[(3 * c) * CHUNK + i] * m[24 * CHUNK + i]
                + m[(3 * c + 1) * CHUNK + i] * m[25 * CHUNK + i]
                + m[(3 * c + 2) * CHUNK + i] * m[26 * CHUNK + i]
            )
    for i in range(lanes):
        n[29 * CHUNK + i] = 2.0 * m[29 * CHUNK + i] + (
            m[19 * CHUNK + i] * m[24 * CHUNK + i]
            + m[20 * CHUNK + i] * m[25 * CHUNK + i]
            + m[21 * CHUNK + i] * m[26 * CHUNK + i]
            + m[22 * CHUNK + i] * m[27 * CHUNK + i]
            + m[23 * CHUNK + i] * m[28 * CHUNK + i]
        )


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _take(m: Array, z: Array, bit: NDArray[np.bool_], lanes: int) -> None:
    """Where bit is set: rows of z: 0-2 forced state, 3-5 free state, 6-8 functional on C, 9-10 on E s(y, v), 11 sum."""
    for i in range(lanes):
        r0, r1, r2, s0, s1 = z[6 * CHUNK + i], z[7 * CHUNK + i], z[8 * CHUNK + i], z[9 * CHUNK + i], z[10 * CHUNK + i]
        total = (
            r0 * m[24 * CHUNK + i]
            + r1 * m[25 * CHUNK + i]
            + r2 * m[26 * CHUNK + i]
            + s0 * m[27 * CHUNK + i]
            + s1 * m[28 * CHUNK + i]
            + m[29 * CHUNK + i]
        )
        t0 = (
            r0 * m[0 * CHUNK + i]
            + r1 * m[3 * CHUNK + i]
            + r2 * m[6 * CHUNK + i]
            + s0 * m[13 * CHUNK + i]
            + s1 * m[16 * CHUNK + i]
            + m[19 * CHUNK + i]
        )
        t1 = (
            r0 * m[1 * CHUNK + i]
            + r1 * m[4 * CHUNK + i]
            + r2 * m[7 * CHUNK + i]
            + s0 * m[14 * CHUNK + i]
            + s1 * m[17 * CHUNK + i]
            + m[20 * CHUNK + i]
        )
        t2 = (
            r0 * m[2 * CHUNK + i]
            + r1 * m[5 * CHUNK + i]
            + r2 * m[8 * CHUNK + i]
            + s0 * m[15 * CHUNK + i]
            + s1 * m[18 * CHUNK + i]
            + m[21 * CHUNK + i]
        )
        u0 = s0 * m[9 * CHUNK + i] + s1 * m[11 * CHUNK + i] + m[22 * CHUNK + i]
        u1 = s0 * m[10 * CHUNK + i] + s1 * m[12 * CHUNK + i] + m[23 * CHUNK + i]
        on = bit[i]
        z[11 * CHUNK + i] += total if on else 0.0
        z[6 * CHUNK + i] = t0 if on else r0
        z[7 * CHUNK + i] = t1 if on else r1
        z[8 * CHUNK + i] = t2 if on else r2
        z[9 * CHUNK + i] = u0 if on else s0
        z[10 * CHUNK + i] = u1 if on else s1
    for k in range(2):
        for i in range(lanes):
            f0, f1, f2 = z[(3 * k) * CHUNK + i], z[(3 * k + 1) * CHUNK + i], z[(3 * k + 2) * CHUNK + i]
            push = 1.0 - k
            g0 = m[0 * CHUNK + i] * f0 + m[1 * CHUNK + i] * f1 + m[2 * CHUNK + i] * f2 + push * m[24 * CHUNK + i]
            g1 = m[3 * CHUNK + i] * f0 + m[4 * CHUNK + i] * f1 + m[5 * CHUNK + i] * f2 + push * m[25 * CHUNK + i]
            g2 = m[6 * CHUNK + i] * f0 + m[7 * CHUNK + i] * f1 + m[8 * CHUNK + i] * f2 + push * m[26 * CHUNK + i]
            on = bit[i]
            z[(3 * k) * CHUNK + i] = g0 if on else f0
            z[(3 * k + 1) * CHUNK + i] = g1 if on else f1
            z[(3 * k + 2) * CHUNK + i] = g2 if on else f2


@njit(cache=True)  # type: ignore[untyped-decorator]
def tail_averages(
    lam: Array,
    eta: Array,
    theta: Array,
    gamma: Array,
    excess: Array,
    horizon: NDArray[np.int64],
    variance: Array,
    bias: Array,
) -> None:
    """Per point: lam E s^2 4/T^2 for unit noise from rest (variance) and for x_0 = 1 without noise (bias)."""
    here, there = np.empty(35 * CHUNK), np.empty(35 * CHUNK)
    cross = np.empty(CHUNK)
    z = np.empty(12 * CHUNK)
    bit = np.empty(CHUNK, np.bool_)
    for start in range(0, lam.shape[0], CHUNK):
        width = min(CHUNK, lam.shape[0] - start)
        lanes = min(CHUNK, (width + 7) // 8 * 8)
        _fill(lam, eta, theta, gamma, excess, start, lanes, here)
        for i in range(12 * CHUNK):
            z[i] = 1.0 if 3 * CHUNK <= i < 4 * CHUNK else 0.0
        longest = 0
        for i in range(width):
            longest = max(longest, horizon[start + i] >> 1)
        level = 0
        while longest >> level:
            for i in range(lanes):
                bit[i] = ((horizon[min(start + i, lam.shape[0] - 1)] >> 1) >> level) & 1
            _take(here, z, bit, lanes)
            level += 1
            if longest >> level:
                _double(here, there, cross, lanes)
                here, there = there, here
        for i in range(width):
            n = start + i
            scale = 4.0 * lam[n] / (float(horizon[n]) * float(horizon[n]))
            read_forced = (
                z[6 * CHUNK + i] * z[0 * CHUNK + i]
                + z[7 * CHUNK + i] * z[1 * CHUNK + i]
                + z[8 * CHUNK + i] * z[2 * CHUNK + i]
            )
            read_free = (
                z[6 * CHUNK + i] * z[3 * CHUNK + i]
                + z[7 * CHUNK + i] * z[4 * CHUNK + i]
                + z[8 * CHUNK + i] * z[5 * CHUNK + i]
            )
            variance[n] = scale * (read_forced + z[11 * CHUNK + i])
            bias[n] = scale * read_free


@njit(cache=True)  # type: ignore[untyped-decorator]
def core_average_weights(lam: Array, eta: float, theta: float, gamma: float, horizon: int) -> Array:
    """w_i with L_var({Pi_t(M)}) = sum_i w_i M_ii in the eigenbasis."""
    d = lam.shape[0]
    out, unused = np.empty(d), np.empty(d)
    zero, full = np.zeros(d), np.empty(d, np.int64)
    full[:] = horizon
    one = np.ones(d)
    tail_averages(lam, eta * one, theta * one, gamma * one, zero, full, out, unused)
    return out
