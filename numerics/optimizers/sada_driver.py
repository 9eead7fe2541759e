r"""The outer loop of SADA around the compiled inner loop: extrapolation, tail average, parallel runs, bundles of rows.

The clock holds (k, run, t): outer iterations done, inner runs done in this outer iteration, inner steps done in this
run. Both drivers stop where the rows do not fill the next unit (four samples, or one bundle) and say how many rows they
used; where they stop depends on the clock alone, so that cutting the stream elsewhere changes no bit.

A regulariser with weights (lam_A/2)(a.x)^2 + (lam_B/2)|x|^2 and metric Sigma + lam I moves the centre: with
pull = lam_B/lam and p = (1 - h pull) y~ the gradient h (lam_A a.y~ a + lam_B y~) + (a a^T + lam I)(y - y~) becomes
(h (lam_A - pull) a.y~ + a.w) a + lam w with w = y - p: the kernel of plain SADA with lin = lam_A - pull.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array

from .jit import kernel
from .sada_kernels import (
    ACC,
    FV,
    FY,
    GROUPED,
    THETA,
    XP,
    XT,
    YT,
    Anchor,
    G,
    LossCode,
    S,
    V,
    derivative,
    four_at_a_time,
    move,
    one,
)
from .simd import fma, load, load_row, mul, splat, store, total, zero

Clock = NDArray[np.int64]
Shape = tuple[int, int]
Sizes = tuple[int, int, int]


@kernel
def begin_run(state: Array, pad: int, h: float, pull: float) -> None:
    """x_0 = z_0 = y~, in coordinates w = h pull y~ and v = 0."""
    for j in range(pad):
        state[j] = h * pull * state[YT * pad + j]
        state[V * pad + j] = 0.0
        state[S * pad + j] = 0.0


@kernel
def begin_outer(state: Array, pad: int, h: float, beta: float, pull: float) -> None:
    """y~ = x~_{k-1} + beta_k (x~_{k-1} - x~_{k-2})."""
    for j in range(pad):
        x = state[XT * pad + j]
        state[YT * pad + j] = x + beta * (x - state[XP * pad + j])
        state[ACC * pad + j] = 0.0
    begin_run(state, pad, h, pull)


@kernel
def end_of_run(clock: Clock, state: Array, pad: int, h: Array, beta: Array, pull: float, runs: int, tail: int) -> None:
    """Add the tail sum to those of the earlier runs; after the last run the outer iteration ends."""
    for j in range(pad):
        state[ACC * pad + j] += state[S * pad + j]
    clock[1] += 1
    clock[2] = 0
    if clock[1] < runs:
        begin_run(state, pad, h[clock[0]], pull)
    else:
        end_of_outer(clock, state, pad, h, beta, pull, runs * tail)


@kernel
def end_of_outer(clock: Clock, state: Array, pad: int, h: Array, beta: Array, pull: float, summed: int) -> None:
    """x~_k is the average of the `summed` iterates in the tails of all runs."""
    keep = 1.0 - h[clock[0]] * pull
    for j in range(pad):
        state[XP * pad + j] = state[XT * pad + j]
        state[XT * pad + j] = keep * state[YT * pad + j] + state[ACC * pad + j] / summed
    clock[0] += 1
    clock[1] = 0
    if clock[0] < h.size:
        begin_outer(state, pad, h[clock[0]], beta[clock[0]], pull)


@kernel
def advance(
    clock: Clock,
    state: Array,
    d: int,
    pad: int,
    table: Array,
    h: Array,
    beta: Array,
    shape: Shape,
    weights: Anchor,
    loss: LossCode,
    a: Array,
    b: Array,
    n: int,
) -> int:
    """Single-sample steps; shape = (steps per run, runs), weights = (lin, const, pull). Returns the rows used."""
    steps, runs = shape
    lin, const, pull = weights
    half = steps // 2
    used = 0
    while used < n and clock[0] < h.size:
        anchor = (h[clock[0]], lin, const)
        t = clock[2]
        tail = t >= half
        left = (steps if tail else half) - t
        if left >= 4 and table[GROUPED] > 0.0:
            groups = min(left, n - used) // 4
            if groups == 0:
                break
            four_at_a_time(a, b, used, groups, d, pad, state, table, loss, anchor, tail)
            used += 4 * groups
            clock[2] += 4 * groups
        else:
            one(a, b, used, d, pad, state, table, loss, anchor, tail)
            used += 1
            clock[2] += 1
        if clock[2] == steps:
            end_of_run(clock, state, pad, h, beta, pull, runs, steps - half)
    return used


@kernel
def bundle(
    a: Array,
    b: Array,
    row: int,
    labelled: int,
    rows: int,
    d: int,
    pad: int,
    state: Array,
    table: Array,
    loss: LossCode,
    anchor: Anchor,
    tail: bool,
) -> None:
    """One step on many rows: g = mean of e_i a_i over the labelled rows + mean of (a_i.w) a_i over all of them."""
    code, p0, p1, p2, address = loss
    h, lin, const = anchor
    for j in range(0, pad, 8):
        store(state, G * pad + j, zero())
    for i in range(rows):
        start = (row + i) * d
        dot_w, dot_y = zero(), zero()
        for j in range(0, d, 8):
            entries = load_row(a, start + j, d - j)
            dot_w = fma(entries, load(state, j), dot_w)
            dot_y = fma(entries, load(state, YT * pad + j), dot_y)
        s = total(dot_w) / rows
        if i < labelled:
            z = total(dot_y)
            s += h * (derivative(code, p0, p1, p2, address, z, b[row + i]) + lin * z + const) / labelled
        scale = splat(s)
        for j in range(0, d, 8):
            store(state, G * pad + j, fma(scale, load_row(a, start + j, d - j), load(state, G * pad + j)))
    push_w, push_v = splat(-table[FY]), splat(-table[FV])
    for j in range(0, pad, 8):
        g = load(state, G * pad + j)
        move(state, pad, j, table, mul(push_w, g), mul(push_v, g), tail)


@kernel
def change_steps(state: Array, pad: int, theta: float, new: float) -> None:
    """Keep x and z and express them with another theta: v = (z - x)/(1 + theta)."""
    for j in range(pad):
        v = state[V * pad + j]
        fresh = v * (1.0 + theta) / (1.0 + new)
        state[j] += v - fresh
        state[V * pad + j] = fresh


@kernel
def advance_bundles(
    clock: Clock,
    state: Array,
    d: int,
    pad: int,
    tables: Array,
    h: Array,
    beta: Array,
    shape: Shape,
    sizes: Sizes,
    weights: Anchor,
    loss: LossCode,
    a: Array,
    b: Array,
    n: int,
) -> int:
    """Steps on bundles; sizes = (labelled rows, unlabelled rows while t < until, until); tables[1] after `until`."""
    steps, runs = shape
    labelled, unlabelled, until = sizes
    lin, const, pull = weights
    half = steps // 2
    used = 0
    while clock[0] < h.size:
        t = clock[2]
        rows = labelled + (unlabelled if t < until else 0)
        if used + rows > n:
            break
        table = tables[0] if t < until else tables[1]
        if t == until and t > 0:
            change_steps(state, pad, tables[0][THETA], tables[1][THETA])
        bundle(a, b, used, labelled, rows, d, pad, state, table, loss, (h[clock[0]], lin, const), t >= half)
        used += rows
        clock[2] += 1
        if clock[2] == steps:
            end_of_run(clock, state, pad, h, beta, pull, runs, steps - half)
    return used
