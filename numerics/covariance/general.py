r"""Any design step by step: full matrices in the eigenbasis, N as a matrix on triangles (d <= 32) or applied.

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
def step_moments(
    lam: Array, mean: tuple[float, float, float, float], noise: Array, p: Array, u: Array, w: Array
) -> None:
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


@njit(cache=True)  # type: ignore[untyped-decorator]
def _run(
    lam: Array,
    mean: tuple[float, float, float, float],
    packed_excess: Array,
    forcing: Array,
    p: Array,
    u: Array,
    w: Array,
    layers: int,
    steps: int,
) -> None:
    """Advance all layers in place, with N as a matrix on packed triangles; from the deepest layer up, so that each
    reads its parent's previous value."""
    total, d = p.shape[0], lam.shape[0]
    size = d * (d + 1) // 2
    triangle, push = np.empty(size), np.empty((d, d))
    for _ in range(steps):
        for s in range(total - 1, -1, -1):
            if s == 0:
                push[:, :] = forcing
            else:
                push[:, :] = 0.0
            for source in range(s - 1, s + 1):
                if source < 0 or (source == s and s != layers):
                    continue
                k = 0
                for i in range(d):
                    for j in range(i, d):
                        triangle[k] = p[source, i, j]
                        k += 1
                image = np.dot(packed_excess, triangle)
                k = 0
                for i in range(d):
                    for j in range(i, d):
                        push[i, j] += image[k]
                        k += 1
            step_moments(lam, mean, push, p[s], u[s], w[s])


Watcher = Callable[[int, list[State]], None]
_MOST_PACKED = 32  # dimension up to which N is applied as a d(d+1)/2 square matrix: 528 rows, 2 MB


def evolve_general(
    frame: Frame,
    forcing: Array,
    states: list[State],
    layers: int,
    steps: int,
    watch: Watcher | None = None,
) -> list[State]:
    """Advance copies of the states by `steps` steps; `watch(t, states)` sees them after every step t = 1, 2, ..."""
    if frame.dim > _MOST_PACKED or (frame.dim > 4 and 28 * steps < frame.dim**2):
        return _evolve_applied(frame, forcing, states, layers, steps, watch)
    p, u, w = (np.stack([getattr(s, name) for s in states]) for name in ("p", "u", "w"))
    current = [State(*rows) for rows in zip(p, u, w, strict=True)]  # views: `watch` sees what the loop does
    arguments = frame.lam, mean_tuple(frame), frame.excess_matrix(), np.ascontiguousarray(forcing), p, u, w, layers
    if watch is None:
        _run(*arguments, steps)
        return current
    for t in range(1, steps + 1):
        _run(*arguments, 1)
        watch(t, current)
    return current


def _evolve_applied(
    frame: Frame, forcing: Array, states: list[State], layers: int, steps: int, watch: Watcher | None
) -> list[State]:
    """The same with N applied through the design: O(d^2) memory besides its own."""
    current = [State(s.p.copy(), s.u.copy(), s.w.copy()) for s in states]
    mean = mean_tuple(frame)
    for t in range(1, steps + 1):
        pushes = _pushes(frame, forcing, current, layers)
        for state, noise in zip(current, pushes, strict=True):
            step_moments(frame.lam, mean, noise, state.p, state.u, state.w)
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
