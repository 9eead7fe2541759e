r"""Off-diagonal pairs (i, j) of eigendirections: independent systems of four numbers.

With increments S_i - I = [[a_i, b], [e_i, f]] in (y, v), the pair (E y_i y_j, E y_i v_j, E v_i y_j, E v_i v_j) moves by
D = kron(S_i, S_j) - I, plus n_ij (q^2, q rho, rho q, rho^2) with n_ij = pair lam_i lam_j E y_i y_j + R_ij.
Pairs are the outer loop and fill the vector lanes; only i < j is computed and then mirrored.

`mean` below is the tuple (q, rho, b, f). Arrays `state` are (layers [+ remainder], 3, d, d) with rows p, u, w.
Compiled functions here call none of another module: numba's cache looks at one file's time stamp only.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from numerics.operators import Array

from .doubling import flow_many

_BATCH = 4096  # pairs held at a time: memory stays O(d^2)


def pair_increment(li: Array, lj: Array, mean: tuple[float, float, float, float]) -> Array:
    """D = kron(S_i, S_j) - I of shape (4, 4, pairs), each entry without cancellation against 1."""
    q, rho, b, f = mean
    ai, aj, ei, ej, keep = -q * li, -q * lj, -rho * li, -rho * lj, 1 + f
    one = np.ones_like(li)
    return np.array(
        [
            [ai + aj + ai * aj, (1 + ai) * b, b * (1 + aj), b * b * one],
            [(1 + ai) * ej, ai + f + ai * f, b * ej, b * keep * one],
            [ei * (1 + aj), ei * b, aj + f + aj * f, keep * b * one],
            [ei * ej, ei * keep, keep * ej, f * (2 + f) * one],
        ]
    )


def evolve_pairs(
    lam: Array,
    mean: tuple[float, float, float, float],
    pair: float,
    forcing: Array,
    state: Array,
    layers: int,
    steps: int,
    *,
    by_loop: bool,
) -> None:
    """Advance every off-diagonal pair of `state` by `steps` steps, in place."""
    q, rho = mean[0], mean[1]
    direction = np.array([q * q, q * rho, q * rho, rho * rho])[:, None]
    rows, columns = np.triu_indices(len(lam), 1)
    for start in range(0, len(rows), _BATCH):
        i, j = rows[start : start + _BATCH], columns[start : start + _BATCH]
        increment = pair_increment(lam[i], lam[j], mean)
        drive, push = direction * (pair * lam[i] * lam[j]), direction * forcing[i, j]
        many = _gather(state, i, j)
        if by_loop:
            _step_loop(increment, drive, push, many, layers, steps)
        else:
            flow_many(increment, drive, push, many, layers, steps)
        _scatter(state, many, i, j)


def _gather(state: Array, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
    p, u, w = state[:, 0], state[:, 1], state[:, 2]
    return np.ascontiguousarray(np.stack([p[:, i, j], u[:, i, j], u[:, j, i], w[:, i, j]], axis=1))


def _scatter(state: Array, many: Array, i: NDArray[np.intp], j: NDArray[np.intp]) -> None:
    state[:, 0, i, j] = state[:, 0, j, i] = many[:, 0]
    state[:, 1, i, j], state[:, 1, j, i] = many[:, 1], many[:, 2]
    state[:, 2, i, j] = state[:, 2, j, i] = many[:, 3]


@njit(cache=True, fastmath={"contract", "nsz"})  # type: ignore[untyped-decorator]
def _step_loop(increment: Array, drive: Array, forcing: Array, state: Array, layers: int, steps: int) -> None:
    """The same flow step by step, sixty-four pairs at a time; layers from the deepest up, so that each reads its
    parent's previous value."""
    total, width = state.shape[0], 64
    k = np.empty((24, width))  # rows 0-15 increment, 16-19 drive, 20-23 forcing
    x = np.empty((4 * total, width))
    new = np.empty((4, width))
    for start in range(0, drive.shape[1], width):
        n = min(width, drive.shape[1] - start)
        for lane in range(n):
            for r in range(4):
                for s in range(4):
                    k[4 * r + s, lane] = increment[r, s, start + lane]
                k[16 + r, lane] = drive[r, start + lane]
                k[20 + r, lane] = forcing[r, start + lane]
                for s in range(total):
                    x[4 * s + r, lane] = state[s, r, start + lane]
        for _ in range(steps):
            for s in range(total - 1, -1, -1):
                p, u, t, w = x[4 * s], x[4 * s + 1], x[4 * s + 2], x[4 * s + 3]
                for r in range(4):
                    d0, d1, d2, d3 = k[4 * r], k[4 * r + 1], k[4 * r + 2], k[4 * r + 3]
                    row, push = new[r], k[16 + r]
                    for lane in range(n):
                        row[lane] = d0[lane] * p[lane] + d1[lane] * u[lane] + d2[lane] * t[lane] + d3[lane] * w[lane]
                    if s == layers:
                        for lane in range(n):
                            row[lane] += push[lane] * p[lane]
                    source = x[4 * (s - 1)] if s > 0 else k[20 + r]
                    for lane in range(n):
                        row[lane] += push[lane] * source[lane] if s > 0 else source[lane]
                for r in range(4):
                    for lane in range(n):
                        x[4 * s + r, lane] += new[r, lane]
        for lane in range(n):
            for s in range(total):
                for r in range(4):
                    state[s, r, start + lane] = x[4 * s + r, lane]


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
