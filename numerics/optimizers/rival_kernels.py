r"""SGD, accelerated SGD, Streaming SVRG and ROOT-SGD, compiled: one sample at a time, two passes over its row.

The clock holds the number of samples taken, first of all; the state vectors lie one after the other in a flat array.
Formulas as in `references_rivals`.
"""

from __future__ import annotations

from numerics.designs.checks import Array

from .jit import kernel
from .sada_driver import Clock
from .sada_kernels import AHEAD, LossCode, derivative
from .simd import add, fma, load, load_row, mul, prefetch, splat, store, total, zero

X, SUM = 0, 1
X_SLOTS = 2
ASGD_SLOTS = 3
ANCHOR, MEAN, KEPT = 1, 2, 3
SVRG_SLOTS = 4
BEFORE, DRIFT = 1, 2
ROOT_SLOTS = 3


@kernel
def sgd(clock: Clock, state: Array, d: int, pad: int, steps: Array, n: int, loss: LossCode, a: Array, b: Array) -> None:
    """Step steps[phase], the phases of equal length; SUM collects the second half of the iterates."""
    code, p0, p1, p2, address = loss
    for i in range(b.size):
        t = clock[0]
        start = i * d
        dot = zero()
        for j in range(0, d, 8):
            prefetch(a, start + AHEAD * d + j)
            dot = fma(load_row(a, start + j, d - j), load(state, j), dot)
        eta = steps[t * steps.size // n]
        push = splat(-eta * derivative(code, p0, p1, p2, address, total(dot), b[i]))
        tail = t >= n // 2
        for j in range(0, d, 8):
            x = fma(push, load_row(a, start + j, d - j), load(state, j))
            store(state, j, x)
            if tail:
                store(state, pad + j, add(load(state, pad + j), x))
        clock[0] = t + 1


@kernel
def asgd(
    clock: Clock, state: Array, d: int, pad: int, steps: Array, n: int, loss: LossCode, a: Array, b: Array
) -> None:
    """steps = (A, B, G, D); the vectors are x, the tail sum, v."""
    code, p0, p1, p2, address = loss
    A, A_left, B, B_left = splat(steps[0]), splat(1.0 - steps[0]), splat(steps[1]), splat(1.0 - steps[1])
    for i in range(b.size):
        start = i * d
        dot = zero()
        for j in range(0, d, 8):
            prefetch(a, start + AHEAD * d + j)
            y = fma(A, load(state, j), mul(A_left, load(state, 2 * pad + j)))
            dot = fma(load_row(a, start + j, d - j), y, dot)
        s = derivative(code, p0, p1, p2, address, total(dot), b[i])
        push_x, push_v = splat(-steps[3] * s), splat(-steps[2] * s)
        tail = clock[0] >= n // 2
        for j in range(0, d, 8):
            v, entries = load(state, 2 * pad + j), load_row(a, start + j, d - j)
            y = fma(A, load(state, j), mul(A_left, v))
            x = fma(push_x, entries, y)
            store(state, j, x)
            store(state, 2 * pad + j, fma(push_v, entries, fma(B, y, mul(B_left, v))))
            if tail:
                store(state, pad + j, add(load(state, pad + j), x))
        clock[0] += 1


@kernel
def svrg_anchor(state: Array, d: int, pad: int, scale: float, loss: LossCode, a: Array, b: Array) -> None:
    """Add scale g(w~) of every row to the gradient estimate."""
    code, p0, p1, p2, address = loss
    for i in range(b.size):
        start = i * d
        dot = zero()
        for j in range(0, d, 8):
            prefetch(a, start + AHEAD * d + j)
            dot = fma(load_row(a, start + j, d - j), load(state, ANCHOR * pad + j), dot)
        push = splat(scale * derivative(code, p0, p1, p2, address, total(dot), b[i]))
        for j in range(0, d, 8):
            at = MEAN * pad + j
            store(state, at, fma(push, load_row(a, start + j, d - j), load(state, at)))


@kernel
def svrg_inner(
    state: Array, d: int, pad: int, step: float, done: int, keep: int, loss: LossCode, a: Array, b: Array
) -> None:
    """w <- w - step (g(w) - g(w~) + mean) for every row; iterate number `keep` of the stage is kept."""
    code, p0, p1, p2, address = loss
    back = splat(-step)
    for i in range(b.size):
        start = i * d
        dot, dot_anchor = zero(), zero()
        for j in range(0, d, 8):
            prefetch(a, start + AHEAD * d + j)
            entries = load_row(a, start + j, d - j)
            dot = fma(entries, load(state, j), dot)
            dot_anchor = fma(entries, load(state, ANCHOR * pad + j), dot_anchor)
        s = derivative(code, p0, p1, p2, address, total(dot), b[i])
        s -= derivative(code, p0, p1, p2, address, total(dot_anchor), b[i])
        push = splat(-step * s)
        kept = done + i + 1 == keep
        for j in range(0, d, 8):
            moved = fma(back, load(state, MEAN * pad + j), load(state, j))
            w = fma(push, load_row(a, start + j, d - j), moved)
            store(state, j, w)
            if kept:
                store(state, KEPT * pad + j, w)


@kernel
def root_sgd(
    clock: Clock, state: Array, d: int, pad: int, eta: float, burn_in: int, loss: LossCode, a: Array, b: Array
) -> None:
    """v <- g(x) + (t-1)/t (v - g(x before)), x <- x - eta v after the burn-in."""
    code, p0, p1, p2, address = loss
    for i in range(b.size):
        t = clock[0] + 1
        start = i * d
        dot, dot_before = zero(), zero()
        for j in range(0, d, 8):
            prefetch(a, start + AHEAD * d + j)
            entries = load_row(a, start + j, d - j)
            dot = fma(entries, load(state, j), dot)
            dot_before = fma(entries, load(state, BEFORE * pad + j), dot_before)
        fade = (t - 1.0) / t
        s = derivative(code, p0, p1, p2, address, total(dot), b[i])
        s -= fade * derivative(code, p0, p1, p2, address, total(dot_before), b[i])
        push, fades = splat(s), splat(fade)
        back = splat(-eta if t > burn_in else 0.0)
        for j in range(0, d, 8):
            drift = fma(fades, load(state, DRIFT * pad + j), mul(push, load_row(a, start + j, d - j)))
            store(state, DRIFT * pad + j, drift)
            x = load(state, j)
            store(state, BEFORE * pad + j, x)
            store(state, j, fma(back, drift, x))
        clock[0] = t
