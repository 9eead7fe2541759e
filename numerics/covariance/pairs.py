r"""Off-diagonal pairs (i, j) of eigendirections: independent systems of four numbers.

With increments S_i - I = [[a_i, b], [e_i, f]] in (y, v), the pair (E y_i y_j, E y_i v_j, E v_i y_j, E v_i v_j) moves
by D = kron(S_i, S_j) - I, plus n_ij (q^2, q rho, rho q, rho^2) with n_ij = pair lam_i lam_j E y_i y_j + R_ij. Pairs
are the outer loop and sixty-four of them fill the vector lanes; only i < j is computed and then mirrored.

`mean` below is the tuple (q, rho, b, f). Arrays `state` are (layers [+ remainder], 3, d, d) with rows p, u, w.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from numerics.operators import Array

from .doubling import LANES, Space, flow_lanes

_FAST = {"contract", "nsz"}


@njit(cache=True)  # type: ignore[untyped-decorator]
def _fill(lam: Array, mean: tuple[float, ...], rows: Array, columns: Array, increment: Array) -> None:
    """D = kron(S_i, S_j) - I for every lane, each entry without cancellation against 1."""
    q, rho, b, f = mean
    keep = 1.0 + f
    for lane in range(LANES):
        ai = -q * lam[rows[lane]]
        aj = -q * lam[columns[lane]]
        ei = -rho * lam[rows[lane]]
        ej = -rho * lam[columns[lane]]
        increment[0, lane] = ai + aj + ai * aj
        increment[1, lane] = (1.0 + ai) * b
        increment[2, lane] = b * (1.0 + aj)
        increment[3, lane] = b * b
        increment[4, lane] = (1.0 + ai) * ej
        increment[5, lane] = ai + f + ai * f
        increment[6, lane] = b * ej
        increment[7, lane] = b * keep
        increment[8, lane] = ei * (1.0 + aj)
        increment[9, lane] = ei * b
        increment[10, lane] = aj + f + aj * f
        increment[11, lane] = keep * b
        increment[12, lane] = ei * ej
        increment[13, lane] = ei * keep
        increment[14, lane] = keep * ej
        increment[15, lane] = f * (2.0 + f)


@njit(cache=True, fastmath=_FAST)  # type: ignore[untyped-decorator]
def _step_loop(increment: Array, drive: Array, forcing: Array, state: Array, layers: int, steps: int) -> None:
    """The same flow step by step: layers from the deepest up, so that each reads its parent's previous value."""
    total = state.shape[0]
    new = np.empty((4, LANES))
    for _ in range(steps):
        for s in range(total - 1, -1, -1):
            x = state[s]
            for r in range(4):
                d0, d1, d2, d3 = increment[4 * r], increment[4 * r + 1], increment[4 * r + 2], increment[4 * r + 3]
                row, push = new[r], drive[r]
                for lane in range(LANES):
                    row[lane] = (
                        d0[lane] * x[0, lane] + d1[lane] * x[1, lane] + d2[lane] * x[2, lane] + d3[lane] * x[3, lane]
                    )
                if s == layers:
                    for lane in range(LANES):
                        row[lane] += push[lane] * x[0, lane]
                if s > 0:
                    parent = state[s - 1, 0]
                    for lane in range(LANES):
                        row[lane] += push[lane] * parent[lane]
                else:
                    for lane in range(LANES):
                        row[lane] += forcing[r, lane]
            for r in range(4):
                for lane in range(LANES):
                    x[r, lane] += new[r, lane]


@njit(cache=True)  # type: ignore[untyped-decorator]
def evolve_pairs(
    lam: Array,
    mean: tuple[float, ...],
    pair: float,
    forcing: Array,
    state: Array,
    layers: int,
    steps: int,
    by_loop: bool,
    space: Space,
) -> None:
    """Advance every off-diagonal pair of `state` by `steps` steps, in place."""
    d = lam.shape[0]
    total = state.shape[0]
    q, rho = mean[0], mean[1]
    rows = np.zeros(LANES, np.int64)
    columns = np.zeros(LANES, np.int64)
    increment = np.zeros((16, LANES))
    drive = np.zeros((4, LANES))
    push = np.zeros((4, LANES))
    lanes = np.zeros((total, 4, LANES))
    filled = 0
    for i in range(d):
        for j in range(i + 1, d):
            rows[filled] = i
            columns[filled] = j
            filled += 1
            if filled < LANES and (i < d - 2 or j < d - 1):
                continue
            _fill(lam, mean, rows, columns, increment)
            for lane in range(filled):
                r, s = rows[lane], columns[lane]
                weight = pair * lam[r] * lam[s]
                noise = forcing[r, s]
                drive[0, lane], drive[1, lane] = weight * q * q, weight * q * rho
                drive[2, lane], drive[3, lane] = weight * q * rho, weight * rho * rho
                push[0, lane], push[1, lane] = noise * q * q, noise * q * rho
                push[2, lane], push[3, lane] = noise * q * rho, noise * rho * rho
                for k in range(total):
                    lanes[k, 0, lane] = state[k, 0, r, s]
                    lanes[k, 1, lane] = state[k, 1, r, s]
                    lanes[k, 2, lane] = state[k, 1, s, r]
                    lanes[k, 3, lane] = state[k, 2, r, s]
            if by_loop:
                _step_loop(increment, drive, push, lanes, layers, steps)
            else:
                flow_lanes(4, increment, drive, push, lanes, layers, steps, space)
            for lane in range(filled):
                r, s = rows[lane], columns[lane]
                for k in range(total):
                    state[k, 0, r, s] = state[k, 0, s, r] = lanes[k, 0, lane]
                    state[k, 1, r, s] = lanes[k, 1, lane]
                    state[k, 1, s, r] = lanes[k, 2, lane]
                    state[k, 2, r, s] = state[k, 2, s, r] = lanes[k, 3, lane]
            filled = 0


@njit(cache=True)  # type: ignore[untyped-decorator]
def resolvent_pairs(lam: Array, mean: tuple[float, ...], gap: float, forcing: Array, p: Array) -> None:
    """The yy entries, i < j, of (z - S_i (x) S_j)^{-1} n_ij (q^2, q rho, rho q, rho^2) at z = 1 - gap."""
    q, rho, b, f = mean
    keep = 1.0 + f
    m = np.empty((4, 5))
    for i in range(lam.shape[0]):
        ai, ei = -q * lam[i], -rho * lam[i]
        for j in range(i + 1, lam.shape[0]):
            aj, ej, noise = -q * lam[j], -rho * lam[j], forcing[i, j]
            # unknowns in the order w, u_ij, u_ji, p: the slow momentum component is eliminated first
            m[0, 0], m[0, 1], m[0, 2], m[0, 3] = -(f * (2.0 + f) + gap), -ei * keep, -keep * ej, -ei * ej
            m[1, 0], m[1, 1], m[1, 2], m[1, 3] = -b * keep, -(ai + f + ai * f + gap), -b * ej, -(1.0 + ai) * ej
            m[2, 0], m[2, 1], m[2, 2], m[2, 3] = -keep * b, -ei * b, -(aj + f + aj * f + gap), -ei * (1.0 + aj)
            m[3, 0], m[3, 1], m[3, 2], m[3, 3] = -b * b, -(1.0 + ai) * b, -b * (1.0 + aj), -(ai + aj + ai * aj + gap)
            m[0, 4], m[1, 4], m[2, 4], m[3, 4] = noise * rho * rho, noise * q * rho, noise * q * rho, noise * q * q
            for k in range(3):
                for r in range(k + 1, 4):
                    factor = m[r, k] / m[k, k]
                    for s in range(k + 1, 5):
                        m[r, s] -= factor * m[k, s]
            p[i, j] = p[j, i] = m[3, 4] / m[3, 3]


@njit(cache=True, fastmath={"contract", "nsz"})  # type: ignore[untyped-decorator]
def _unit(li: float, lj: float, eta: float, c: float, slow: float, lift: float) -> float:
    """The yy entry of Pi_inf for unit noise at the pair (li, lj); slow = 1 - c, lift = q - c eta.

    Solving X = A_i X A_j^T + (eta, q)(eta, q)^T and dividing numerator and denominator by lift leaves sums in which
    every large term is positive, so that no digit is lost at any condition number.
    """
    both, prod = li + lj, li * lj
    ec = eta * c
    top = ec * ec * (2.0 * ec + lift) * prod + ec * (ec * slow + lift) * both + slow * (1.0 + c) * lift
    bottom = slow * slow * ((1.0 + c) * both - lift * prod) + lift * c * (li - lj) * (li - lj)
    bottom += ec * c * slow * (li * li + lj * lj) + 2.0 * ec * slow * (1.0 + 2.0 * c) * prod
    bottom += ec * prod * both * (ec * (3.0 * c - 1.0) - slow * lift) - ec * ec * (2.0 * ec + lift) * prod * prod
    return top / bottom


@njit(cache=True, fastmath={"contract", "nsz"})  # type: ignore[untyped-decorator]
def unit_diagonal(lam: Array, eta: float, c: float, slow: float, lift: float, out: Array) -> None:
    """The yy entries of Pi_inf(I), that is E y_i^2 for unit noise."""
    for i in range(lam.shape[0]):
        out[i] = _unit(lam[i], lam[i], eta, c, slow, lift)


@njit(cache=True, fastmath={"contract", "nsz"})  # type: ignore[untyped-decorator]
def stationary_entries(
    lam: Array,
    scalars: tuple[float, float, float, float, float],
    pair: float,
    noise: Array,
    c11: Array,
    c12: Array,
    c22: Array,
) -> None:
    """Blocks of the stationary covariance in the eigenbasis and in (x, y); scalars are eta, q, c, 1 - c, q - c eta.

    Off the diagonal the noise is noise_ij + pair lam_i lam_j E y_i y_j; on it, noise_ii is all of it.
    """
    eta, q, c, slow, lift = scalars
    for i in range(lam.shape[0]):
        li = lam[i]
        gi = 1.0 - eta * li
        for j in range(i, lam.shape[0]):
            lj = lam[j]
            gj = 1.0 - eta * lj
            unit = _unit(li, lj, eta, c, slow, lift)
            n = noise[i, j]
            if j > i:
                n /= 1.0 - pair * li * lj * unit
            yy = unit * n
            span = slow * (1.0 + c) + c * c * eta * (li + lj - eta * li * lj)  # 1 - c^2 g_i g_j
            xy = gi * (slow * (1.0 + c) + c * q * li * gj + lj * (c * c * eta - lift)) * yy
            yx = gj * (slow * (1.0 + c) + c * q * lj * gi + li * (c * c * eta - lift)) * yy
            c22[i, j] = c22[j, i] = yy
            c11[i, j] = c11[j, i] = gi * gj * yy + eta * eta * n
            c12[i, j] = (xy + eta * q * n * (slow + c * eta * li)) / span
            c12[j, i] = (yx + eta * q * n * (slow + c * eta * lj)) / span
