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

from .doubling import LANES, flow_lanes

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
    space: tuple[Array, Array, Array, Array, Array, Array],
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
def stationary_pairs(
    lam: Array, mean: tuple[float, ...], pair: float, gap: float, forcing: Array, p: Array, u: Array, w: Array
) -> bool:
    """Solve (z - S_i (x) S_j - excess) s = n_ij (q^2, q rho, rho q, rho^2), i < j, z = 1 - gap; False if singular."""
    d = lam.shape[0]
    q, rho, b, f = mean
    keep = 1.0 + f
    m = np.empty((4, 5))
    for i in range(d):
        ai, ei = -q * lam[i], -rho * lam[i]
        for j in range(i + 1, d):
            aj, ej = -q * lam[j], -rho * lam[j]
            weight = pair * lam[i] * lam[j]
            # unknowns in the order w, u_ij, u_ji, p: the slow momentum component is eliminated first
            m[0, 0], m[0, 1], m[0, 2], m[0, 3] = (
                -(f * (2.0 + f) + gap),
                -ei * keep,
                -keep * ej,
                -ei * ej - weight * rho * rho,
            )
            m[1, 0], m[1, 1], m[1, 2], m[1, 3] = (
                -b * keep,
                -(ai + f + ai * f + gap),
                -b * ej,
                -(1.0 + ai) * ej - weight * q * rho,
            )
            m[2, 0], m[2, 1], m[2, 2], m[2, 3] = (
                -keep * b,
                -ei * b,
                -(aj + f + aj * f + gap),
                -ei * (1.0 + aj) - weight * q * rho,
            )
            m[3, 0], m[3, 1], m[3, 2], m[3, 3] = (
                -b * b,
                -(1.0 + ai) * b,
                -b * (1.0 + aj),
                -(ai + aj + ai * aj + gap) - weight * q * q,
            )
            noise = forcing[i, j]
            m[0, 4], m[1, 4], m[2, 4], m[3, 4] = noise * rho * rho, noise * q * rho, noise * q * rho, noise * q * q
            for k in range(3):
                pivot = m[k, k]
                if pivot == 0.0:
                    return False
                for r in range(k + 1, 4):
                    factor = m[r, k] / pivot
                    for s in range(k + 1, 5):
                        m[r, s] -= factor * m[k, s]
            if m[3, 3] == 0.0:
                return False
            value = m[3, 4] / m[3, 3]
            left = (m[2, 4] - m[2, 3] * value) / m[2, 2]
            right = (m[1, 4] - m[1, 3] * value - m[1, 2] * left) / m[1, 1]
            both = (m[0, 4] - m[0, 3] * value - m[0, 2] * left - m[0, 1] * right) / m[0, 0]
            p[i, j] = p[j, i] = value
            u[i, j] = right
            u[j, i] = left
            w[i, j] = w[j, i] = both
    return True
