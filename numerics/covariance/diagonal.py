r"""The diagonal blocks (E y_i^2, E y_i v_i, E v_i^2): 3d numbers, coupled only through tau = tr(Sigma E y y^T).

    (p, u, w)_i += D_i (p, u, w)_i + (q^2, q rho, rho^2) (excess_i p_i + trace lam_i tau + R_ii).

They decide stability, every risk in the Sigma norm, and L_var, even for a general R. Four routes: a vectorised loop
of one state (`wide`), a loop of layers that can also record risks and tail averages, doubling of each 3 x 3 block
where nothing couples them, and doubling of the dense 3d x 3d system where tau does.

The tail average s = sum_{t > T/2} x_t adds (E s y_i, E s v_i, E s_i^2) to each block: with h = (1, -theta) the row
that reads x from (y, v), the definition of L_var becomes one more linear recursion.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit

from numerics.operators import Array

from . import wide
from .doubling import flow_dense, flow_many
from .frame import Frame, PairExcess

_LOOP_RATE, _LOOP_START, _DENSE_RATE = 1.5e10, 2e-8, 3e10  # flop/s, seconds a step, flop/s: decides the route only


@dataclass(frozen=True, eq=False)
class Diagonal:
    """Coefficients of the diagonal recursion of one frame."""

    eta: float
    theta: float
    lam: Array
    mean: tuple[float, float, float, float]  # q, rho, b = c theta, f = c - 1
    excess: Array  # excess_i, zeros where N is left out
    trace: float

    @classmethod
    def of(cls, frame: Frame, excess: PairExcess | None) -> Diagonal:
        steps = frame.steps
        mean = (steps.q, steps.rho, steps.c * steps.theta, -2 * steps.theta / (1 + steps.theta))
        if excess is None:
            return cls(steps.eta, steps.theta, frame.lam, mean, np.zeros(frame.dim), 0.0)
        return cls(steps.eta, steps.theta, frame.lam, mean, excess.diagonal, excess.trace)

    @cached_property
    def increment(self) -> Array:
        """D of shape (3, 3, d), without the excess."""
        q, rho, b, f = self.mean
        a, e = -q * self.lam, -rho * self.lam
        one = np.ones_like(a)
        return np.array(
            [
                [a * (2 + a), 2 * (1 + a) * b, b * b * one],
                [(1 + a) * e, a + f + a * f + b * e, b * (1 + f) * one],
                [e * e, 2 * e * (1 + f), f * (2 + f) * one],
            ]
        )

    @property
    def direction(self) -> Array:
        """(q^2, q rho, rho^2): where gradient noise enters."""
        q, rho, _, _ = self.mean
        return np.array([q * q, q * rho, rho * rho])

    @property
    def coupled(self) -> bool:
        return self.trace != 0.0 and len(self.lam) > 1

    @cached_property
    def own_drive(self) -> Array:
        """(3, d): what p_i feeds into its own block through N, the trace coupling included when d = 1."""
        own = self.excess + (self.trace * self.lam**2 if len(self.lam) == 1 else 0.0)
        return np.asarray(self.direction[:, None] * own)

    def dense(self) -> tuple[Array, Array]:
        """D and N as (3d, 3d) matrices, component-major."""
        d = len(self.lam)
        increment, drive = np.zeros((3, d, 3, d)), np.zeros((3, d, 3, d))
        here = np.arange(d)
        for r in range(3):
            for s in range(3):
                increment[r, here, s, here] = self.increment[r, s]
            drive[r, :, 0, :] = self.direction[r] * self.trace * np.outer(self.lam, self.lam)
            drive[r, here, 0, here] += self.direction[r] * self.excess
        return increment.reshape(3 * d, 3 * d), drive.reshape(3 * d, 3 * d)


def evolve_diagonal(flow: Diagonal, forcing: Array, state: Array, layers: int, steps: int, method: str) -> Array:
    """Advance the (layers [+ remainder], 3, d) diagonal state by `steps` steps."""
    if method == "loop" or (method == "auto" and flow.coupled and _loop_is_cheaper(flow, len(state), steps)):
        return _loop(flow, forcing, state, layers, steps)
    if not flow.coupled:
        out = state.copy()
        flow_many(flow.increment, flow.own_drive, flow.direction[:, None] * forcing, out, layers, steps)
        return out
    increment, drive = flow.dense()
    noise = np.outer(flow.direction, forcing).ravel()
    flat = flow_dense(increment, drive, noise, state.reshape(len(state), -1), layers, steps)
    return flat.reshape(state.shape)


def _loop_is_cheaper(flow: Diagonal, total: int, steps: int) -> bool:
    d = len(flow.lam)
    loop = steps * (_LOOP_START + 31 * d * total / _LOOP_RATE)
    products = 1 if total == 1 else total * (total + 1)
    return loop < 2 * (3 * d) ** 3 * products * max(steps.bit_length(), 1) / _DENSE_RATE


def _loop(flow: Diagonal, forcing: Array, state: Array, layers: int, steps: int) -> Array:
    if len(state) == 1:
        return _single_loop(flow, forcing, state[0], full=layers == 0, steps=steps)[None]
    out = state.copy()
    layered_loop(*loop_arguments(flow, forcing), out, layers, steps, np.empty((0, 0)), np.empty((0, 0, 0)), flow.theta)
    return out


def _single_loop(flow: Diagonal, forcing: Array, state: Array, *, full: bool, steps: int) -> Array:
    d, k = len(flow.lam), flow.increment
    first = k[:, 0] + (flow.direction[:, None] * flow.excess if full else 0.0)
    trace = flow.trace if full else 0.0
    rows = [first[0], k[0, 1], first[1], k[1, 1], first[2], k[2, 1], trace * flow.lam, flow.lam, forcing]
    x = wide.pack(list(state))
    constants = (float(k[0, 2, 0]), float(k[1, 2, 0]), float(k[2, 2, 0]), *(float(v) for v in flow.direction))
    wide.advance(wide.pack(rows), x, constants, float(flow.lam @ state[0]), steps)
    return wide.unpack(x, d)


LoopArguments = tuple[Array, tuple[float, float, float, float], Array, float, Array, Array]


def loop_arguments(flow: Diagonal, forcing: Array) -> LoopArguments:
    """The leading arguments of `layered_loop`."""
    return flow.increment, flow.mean, flow.excess, flow.trace, flow.lam, np.ascontiguousarray(forcing)


@njit(cache=True, fastmath={"contract", "nsz", "reassoc"})  # type: ignore[untyped-decorator]
def layered_loop(
    k: Array,
    mean: tuple[float, float, float, float],
    excess: Array,
    trace: float,
    lam: Array,
    forcing: Array,
    state: Array,
    layers: int,
    steps: int,
    record: Array,
    tail: Array,
    theta: float,
) -> None:
    """Advance all layers step by step, in place.

    record (steps, total), if not empty, receives the risk sum_i lam_i E x_i^2 of every layer after every step; tail
    (total, 3, d), if not empty, accumulates (E s y_i, E s v_i, E s_i^2) of the running sum s of x over these steps.
    """
    total, d = state.shape[0], lam.shape[0]
    q, rho = mean[0], mean[1]
    q2, qr, r2 = q * q, q * rho, rho * rho
    b2, bk, kk = k[0, 2, 0], k[1, 2, 0], k[2, 2, 0]
    push = np.empty(d)
    for t in range(steps):
        for s in range(total - 1, -1, -1):
            p, u, w = state[s, 0], state[s, 1], state[s, 2]
            push[:] = 0.0
            if s == 0:
                push[:] = forcing
            if s > 0:
                _add_excess(push, state[s - 1, 0], excess, trace, lam)
            if s == layers:
                _add_excess(push, p, excess, trace, lam)
            if tail.shape[0] > 0:
                _tail_before(tail[s], mean, lam, theta)
            for i in range(d):
                pi, ui, wi, n = p[i], u[i], w[i], push[i]
                p[i] = pi + (k[0, 0, i] * pi + k[0, 1, i] * ui + b2 * wi + q2 * n)
                u[i] = ui + (k[1, 0, i] * pi + k[1, 1, i] * ui + bk * wi + qr * n)
                w[i] = wi + (k[2, 0, i] * pi + k[2, 1, i] * ui + kk * wi + r2 * n)
            if tail.shape[0] > 0:
                _tail_after(tail[s], p, u, w, theta)
            if record.shape[0] > 0:
                risk = 0.0
                for i in range(d):
                    risk += lam[i] * (p[i] - theta * (2.0 * u[i] - theta * w[i]))
                record[t, s] = risk


@njit(cache=True, fastmath={"contract", "nsz", "reassoc"})  # type: ignore[untyped-decorator]
def _add_excess(push: Array, p: Array, excess: Array, trace: float, lam: Array) -> None:
    tau = 0.0
    for i in range(lam.shape[0]):
        tau += lam[i] * p[i]
    tau *= trace
    for i in range(lam.shape[0]):
        push[i] += excess[i] * p[i] + lam[i] * tau


@njit(cache=True, fastmath={"contract", "nsz", "reassoc"})  # type: ignore[untyped-decorator]
def _tail_before(tail: Array, mean: tuple[float, float, float, float], lam: Array, theta: float) -> None:
    """s stays, (y, v) moves in mean: E s y and E s v take one mean step, E s^2 gains 2 E s x."""
    e, f, acc = tail[0], tail[1], tail[2]
    q, rho, b, momentum = mean
    for i in range(lam.shape[0]):
        ei, fi = e[i], f[i]
        e[i] = ei + (b * fi - q * lam[i] * ei)
        f[i] = fi + (momentum * fi - rho * lam[i] * ei)
        acc[i] += 2.0 * (e[i] - theta * f[i])


@njit(cache=True, fastmath={"contract", "nsz", "reassoc"})  # type: ignore[untyped-decorator]
def _tail_after(tail: Array, p: Array, u: Array, w: Array, theta: float) -> None:
    """s gains the new x: E s y, E s v and E s^2 gain E x y, E x v and E x^2."""
    e, f, acc = tail[0], tail[1], tail[2]
    for i in range(p.shape[0]):
        xy = p[i] - theta * u[i]
        xv = u[i] - theta * w[i]
        e[i] += xy
        f[i] += xv
        acc[i] += xy - theta * xv
