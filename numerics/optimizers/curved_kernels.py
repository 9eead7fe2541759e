r"""The inner loop of the second phase, compiled, one row at a time: g = (l'(a.y~, b) + l''(a.y~, b) a.w) a, w = y - y~.

State and coordinates are those of `sada_kernels`; the clock goes on from the first phase: (K + rounds done, 0, t).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array
from numerics.losses.kernels import USER, d2loss

from .jit import kernel
from .sada_kernels import FV, FY, XP, XT, YT, LossCode, S, V, derivative, move
from .simd import call_address, fma, load, load_row, splat, total, zero

Clock = NDArray[np.int64]


@kernel
def begin_curved(state: Array, pad: int) -> None:
    """y~ = x~, x_0 = z_0 = y~."""
    for j in range(pad):
        state[YT * pad + j] = state[XT * pad + j]
        state[j] = 0.0
        state[V * pad + j] = 0.0
        state[S * pad + j] = 0.0


@kernel
def curved_one(
    a: Array,
    b: Array,
    row: int,
    d: int,
    pad: int,
    state: Array,
    table: Array,
    loss: LossCode,
    second: int,
    h: float,
    tail: bool,
) -> None:
    """One sample; `second` is the address of a user's own l''; with h > 0 a step of Algorithm 1 instead."""
    code, p0, p1, p2, address = loss
    start = row * d
    dot_w, dot_y = zero(), zero()
    for j in range(0, d, 8):
        entries = load_row(a, start + j, d - j)
        dot_w = fma(entries, load(state, j), dot_w)
        dot_y = fma(entries, load(state, YT * pad + j), dot_y)
    z = total(dot_y)
    if h > 0.0:
        curvature = 1.0
    elif code == USER:
        curvature = call_address(second, z, b[row])
    else:
        curvature = d2loss(code, p0, p1, p2, z, b[row])
    scale = h if h > 0.0 else 1.0
    s = scale * derivative(code, p0, p1, p2, address, z, b[row]) + curvature * total(dot_w)
    push_w, push_v = splat(-s * table[FY]), splat(-s * table[FV])
    for j in range(0, d, 8):
        entries = load_row(a, start + j, d - j)
        move(state, pad, j, table, fma(push_w, entries, zero()), fma(push_v, entries, zero()), tail)


@kernel
def advance_curved(
    clock: Clock,
    state: Array,
    d: int,
    pad: int,
    table: Array,
    steps: int,
    last: int,
    loss: LossCode,
    second: int,
    h: float,
    a: Array,
    b: Array,
    used: int,
    n: int,
) -> int:
    """Rows used .. n until `last` rounds are done; returns where it stopped."""
    half = steps // 2
    while used < n and clock[0] < last:
        curved_one(a, b, used, d, pad, state, table, loss, second, h, clock[2] >= half)
        used += 1
        clock[2] += 1
        if clock[2] == steps:
            for j in range(pad):
                state[XP * pad + j] = state[XT * pad + j]
                state[XT * pad + j] = state[YT * pad + j] + state[S * pad + j] / (steps - half)
            clock[0] += 1
            clock[2] = 0
            begin_curved(state, pad)
    return used
