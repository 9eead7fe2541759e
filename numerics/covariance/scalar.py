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

from .doubling import DEAD

CHUNK = 64
_FAST = {"contract", "nsz"}


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _fill(lam: Array, eta: Array, theta: Array, gamma: Array, excess: Array, start: int, width: int, m: Array) -> None:
    """Rows of m: 0-8 K, 9-12 S, 13-18 E, 19-21 row, 22-23 g, 24-26 pc, 27-28 pe, 29 pa, 30-34 diagonals minus one."""
    for i in range(width):
        n = start + i
        la, et, th, ga = lam[n], eta[n], theta[n], gamma[n]
        q = (et + th * ga) / (1.0 + th)
        rho = (ga - et) / (1.0 + th)
        f = -2.0 * th / (1.0 + th)
        b = (1.0 - th) / (1.0 + th) * th
        a, e, x = -q * la, -rho * la, excess[n]
        m[0, i], m[1, i], m[2, i] = a * (2.0 + a) + q * q * x, 2.0 * (1.0 + a) * b, b * b
        m[3, i], m[4, i], m[5, i] = (1.0 + a) * e + q * rho * x, a + f + a * f + b * e, b * (1.0 + f)
        m[6, i], m[7, i], m[8, i] = e * e + rho * rho * x, 2.0 * e * (1.0 + f), f * (2.0 + f)
        m[9, i], m[10, i], m[11, i], m[12, i] = a, b, e, f
        for c in range(3):
            m[30 + c, i] = m[4 * c, i]
            m[4 * c, i] += 1.0
        m[33, i], m[34, i] = a, f
        m[9, i] += 1.0
        m[12, i] += 1.0
        for c in range(3):
            m[13 + c, i] = m[c, i] - th * m[3 + c, i]
            m[16 + c, i] = m[3 + c, i] - th * m[6 + c, i]
            m[19 + c, i] = m[13 + c, i] - th * m[16 + c, i]
        m[22, i], m[23, i] = 2.0 * (1.0 - et * la), 0.0
        m[24, i], m[25, i], m[26, i] = q * q, q * rho, rho * rho
        m[27, i], m[28, i], m[29, i] = et * q, et * rho, et * et


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _keep_digits(m: Array, n: Array, entry: int, increment: int, cross: Array, width: int) -> None:
    """The diagonal entry of a squared matrix from its increment while that is small; see `doubling`."""
    for i in range(width):
        p = m[increment, i]
        p = p * (2.0 + p) + cross[i]
        if p < -0.5:
            p = n[entry, i] - 1.0
        else:
            n[entry, i] = 1.0 + p
        n[increment, i] = p


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _double(m: Array, n: Array, cross: Array, width: int) -> None:
    """m for k steps into n for 2k steps."""
    for r in range(3):
        for c in range(3):
            for i in range(width):
                n[3 * r + c, i] = m[3 * r, i] * m[c, i] + m[3 * r + 1, i] * m[3 + c, i] + m[3 * r + 2, i] * m[6 + c, i]
        one, two = (r + 1) % 3, (r + 2) % 3
        for i in range(width):
            cross[i] = m[3 * r + one, i] * m[3 * one + r, i] + m[3 * r + two, i] * m[3 * two + r, i]
        _keep_digits(m, n, 4 * r, 30 + r, cross, width)
    for i in range(width):
        n[9, i] = m[9, i] * m[9, i] + m[10, i] * m[11, i]
        n[10, i] = m[9, i] * m[10, i] + m[10, i] * m[12, i]
        n[11, i] = m[11, i] * m[9, i] + m[12, i] * m[11, i]
        n[12, i] = m[11, i] * m[10, i] + m[12, i] * m[12, i]
        cross[i] = m[10, i] * m[11, i]
    _keep_digits(m, n, 9, 33, cross, width)
    _keep_digits(m, n, 12, 34, cross, width)
    for r in range(2):
        for c in range(3):
            for i in range(width):
                n[13 + 3 * r + c, i] = (
                    m[13 + 3 * r, i] * m[c, i]
                    + m[14 + 3 * r, i] * m[3 + c, i]
                    + m[15 + 3 * r, i] * m[6 + c, i]
                    + m[9 + 2 * r, i] * m[13 + c, i]
                    + m[10 + 2 * r, i] * m[16 + c, i]
                )
        for i in range(width):
            n[27 + r, i] = m[27 + r, i] + (
                m[13 + 3 * r, i] * m[24, i]
                + m[14 + 3 * r, i] * m[25, i]
                + m[15 + 3 * r, i] * m[26, i]
                + m[9 + 2 * r, i] * m[27, i]
                + m[10 + 2 * r, i] * m[28, i]
            )
            n[22 + r, i] = m[22 + r, i] + m[22, i] * m[9 + r, i] + m[23, i] * m[11 + r, i]
    for r in range(19):
        for i in range(width):
            value = n[r, i]
            n[r, i] = value if abs(value) > DEAD else 0.0
    for c in range(3):
        for i in range(width):
            n[19 + c, i] = m[19 + c, i] + (
                m[19, i] * m[c, i]
                + m[20, i] * m[3 + c, i]
                + m[21, i] * m[6 + c, i]
                + m[22, i] * m[13 + c, i]
                + m[23, i] * m[16 + c, i]
            )
            n[24 + c, i] = m[24 + c, i] + (
                m[3 * c, i] * m[24, i] + m[3 * c + 1, i] * m[25, i] + m[3 * c + 2, i] * m[26, i]
            )
    for i in range(width):
        n[29, i] = 2.0 * m[29, i] + (
            m[19, i] * m[24, i] + m[20, i] * m[25, i] + m[21, i] * m[26, i] + m[22, i] * m[27, i] + m[23, i] * m[28, i]
        )


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _take(m: Array, z: Array, bit: NDArray[np.bool_], width: int) -> None:
    """Where bit is set: rows of z: 0-2 forced state, 3-5 free state, 6-8 functional on C, 9-10 on E s(y, v), 11 sum."""
    for i in range(width):
        if bit[i]:
            f0, f1, f2, g0, g1, g2 = z[0, i], z[1, i], z[2, i], z[3, i], z[4, i], z[5, i]
            z[0, i] = m[0, i] * f0 + m[1, i] * f1 + m[2, i] * f2 + m[24, i]
            z[1, i] = m[3, i] * f0 + m[4, i] * f1 + m[5, i] * f2 + m[25, i]
            z[2, i] = m[6, i] * f0 + m[7, i] * f1 + m[8, i] * f2 + m[26, i]
            z[3, i] = m[0, i] * g0 + m[1, i] * g1 + m[2, i] * g2
            z[4, i] = m[3, i] * g0 + m[4, i] * g1 + m[5, i] * g2
            z[5, i] = m[6, i] * g0 + m[7, i] * g1 + m[8, i] * g2
            r0, r1, r2, s0, s1 = z[6, i], z[7, i], z[8, i], z[9, i], z[10, i]
            z[11, i] += r0 * m[24, i] + r1 * m[25, i] + r2 * m[26, i] + s0 * m[27, i] + s1 * m[28, i] + m[29, i]
            z[6, i] = r0 * m[0, i] + r1 * m[3, i] + r2 * m[6, i] + s0 * m[13, i] + s1 * m[16, i] + m[19, i]
            z[7, i] = r0 * m[1, i] + r1 * m[4, i] + r2 * m[7, i] + s0 * m[14, i] + s1 * m[17, i] + m[20, i]
            z[8, i] = r0 * m[2, i] + r1 * m[5, i] + r2 * m[8, i] + s0 * m[15, i] + s1 * m[18, i] + m[21, i]
            z[9, i] = s0 * m[9, i] + s1 * m[11, i] + m[22, i]
            z[10, i] = s0 * m[10, i] + s1 * m[12, i] + m[23, i]


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
    here, there = np.empty((35, CHUNK)), np.empty((35, CHUNK))
    cross = np.empty(CHUNK)
    z = np.empty((12, CHUNK))
    bit = np.empty(CHUNK, np.bool_)
    for start in range(0, lam.shape[0], CHUNK):
        width = min(CHUNK, lam.shape[0] - start)
        _fill(lam, eta, theta, gamma, excess, start, width, here)
        z[:, :width] = 0.0
        z[3, :width] = 1.0
        longest = 0
        for i in range(width):
            longest = max(longest, horizon[start + i] >> 1)
        level = 0
        while longest >> level:
            for i in range(width):
                bit[i] = ((horizon[start + i] >> 1) >> level) & 1
            _take(here, z, bit, width)
            level += 1
            if longest >> level:
                _double(here, there, cross, width)
                here, there = there, here
        for i in range(width):
            n = start + i
            scale = 4.0 * lam[n] / (float(horizon[n]) * float(horizon[n]))
            read_forced = z[6, i] * z[0, i] + z[7, i] * z[1, i] + z[8, i] * z[2, i]
            read_free = z[6, i] * z[3, i] + z[7, i] * z[4, i] + z[8, i] * z[5, i]
            variance[n] = scale * (read_forced + z[11, i])
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
