r"""Any design: full matrices in the eigenbasis, with N(p) = M(p) - Sigma p Sigma applied and nothing materialised.

One step costs O(d^2) besides N. One triangle of p and w is computed and mirrored: rounding that makes them differ
from their transposes would otherwise feed an antisymmetric part that the true dynamics do not have.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from numerics.operators import Array

from .diagonal import _tail_after, _tail_before
from .frame import Frame, State


@njit(cache=True, fastmath={"contract", "nsz"})  # type: ignore[untyped-decorator]
def _step(lam: Array, mean: tuple[float, float, float, float], noise: Array, p: Array, u: Array, w: Array) -> None:
    """One step of (p, u, w) in place with gradient noise of second moment `noise`."""
    q, rho, b, f = mean
    keep = 1.0 + f
    q2, qr, r2 = q * q, q * rho, rho * rho
    for i in range(lam.shape[0]):
        ai, ei = -q * lam[i], -rho * lam[i]
        for j in range(i, lam.shape[0]):
            aj, ej = -q * lam[j], -rho * lam[j]
            yy, yv, vy, vv, n = p[i, j], u[i, j], u[j, i], w[i, j], noise[i, j]
            new = yy + ((ai + aj + ai * aj) * yy + (1.0 + ai) * b * yv + b * (1.0 + aj) * vy + b * b * vv + q2 * n)
            right = yv + ((1.0 + ai) * ej * yy + (ai + f + ai * f) * yv + b * ej * vy + b * keep * vv + qr * n)
            left = vy + (ei * (1.0 + aj) * yy + ei * b * yv + (aj + f + aj * f) * vy + keep * b * vv + qr * n)
            both = vv + (ei * ej * yy + ei * keep * yv + keep * ej * vy + f * (2.0 + f) * vv + r2 * n)
            p[i, j] = p[j, i] = new
            u[i, j] = right
            u[j, i] = left
            w[i, j] = w[j, i] = both


Watcher = Callable[[int, list[State]], None]


def evolve_general(
    frame: Frame,
    forcing: Array,
    states: list[State],
    layers: int,
    steps: int,
    watch: Watcher | None = None,
) -> list[State]:
    """Advance copies of the states by `steps` steps; `watch(t, states)` sees them after every step t = 1, 2, ..."""
    current = [State(s.p.copy(), s.u.copy(), s.w.copy()) for s in states]
    mean = mean_tuple(frame)
    for t in range(1, steps + 1):
        pushes = _pushes(frame, forcing, current, layers)
        for state, noise in zip(current, pushes, strict=True):
            _step(frame.lam, mean, noise, state.p, state.u, state.w)
        if watch is not None:
            watch(t, current)
    return current


def mean_tuple(frame: Frame) -> tuple[float, float, float, float]:
    """(q, rho, b = c theta, f = c - 1)."""
    steps = frame.steps
    return steps.q, steps.rho, steps.c * steps.theta, -2 * steps.theta / (1 + steps.theta)


def _pushes(frame: Frame, forcing: Array, states: list[State], layers: int) -> list[Array]:
    """Noise into every layer: R into the first, N of the parent into the others, N of itself into the remainder."""
    images = [frame.general_excess(s.p) if _feeds(k, layers, len(states)) else None for k, s in enumerate(states)]
    pushes = []
    for k in range(len(states)):
        push = forcing.copy() if k == 0 else np.zeros_like(forcing)
        for source in ([k - 1] if k else []) + ([k] if k == layers else []):
            image = images[source]
            if image is not None:
                push += image
        pushes.append(np.ascontiguousarray(push))
    return pushes


def _feeds(k: int, layers: int, total: int) -> bool:
    return k == layers or k + 1 < total


class TailSums:
    """E s y_i, E s v_i, E s_i^2 of s = sum of x over the steps it has seen, for every layer."""

    def __init__(self, frame: Frame, total: int) -> None:
        self._frame = frame
        self._tails = np.zeros((total, 3, frame.dim))

    def see(self, states: list[State]) -> None:
        """Add the x of the states just reached."""
        mean, theta = mean_tuple(self._frame), self._frame.steps.theta
        for tail, state in zip(self._tails, states, strict=True):
            p, u, w = state.diagonal()
            _tail_before(tail, mean, self._frame.lam, theta)
            _tail_after(tail, p, u, w, theta)

    def energies(self) -> Array:
        """sum_i lam_i E s_i^2 of every layer."""
        return np.asarray(self._tails[:, 2] @ self._frame.lam)
