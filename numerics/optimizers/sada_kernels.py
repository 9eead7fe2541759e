r"""The inner loop of SADA, compiled: four samples at a time, exactly, through their Gram matrix.

With w = y - p and v = z - y the step  x = y - eta g,  z = theta y + (1-theta) z - gamma g,  y = (x + theta z)/(1+theta)
for a gradient  g = s a + lam w,  s = e + a.w,  is linear:

    w' = (1 - q lam) w + c theta v - q s a,      v' = c v - rho lam w - rho s a,      x = p + w - theta v,

with c, q as in the paper and rho = (gamma - eta)/(1 + theta): these coordinates keep the digits that (x, y) lose.
e = h (l'(a.y~, b) + lin a.y~ + const) does not depend on the inner iterate. Over four samples (w, v) moves by powers of
a 2x2 matrix and by multiples of the four rows, and the four scalars s_j follow from dot products with w, v, y~ and from
the six products of the rows: `inner_table` holds the coefficients. One pass reads, one pass updates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from numerics.designs.checks import Array
from numerics.losses.kernels import USER, dloss, inlined

from .jit import kernel
from .simd import add, call_address, fma, lane, load, load_row, mul, prefetch, splat, store, total, totals, zero

LossCode = tuple[int, float, float, float, int]  # code, three parameters, address of a user's own derivative
Anchor = tuple[float, float, float]  # h, lin, const

W, V, S, YT, XT, XP, ACC, G = range(8)  # the state vectors, one after the other in a flat array
SLOTS = 8
AHEAD = 16  # rows between the row in use and the row that is asked for

RATIO, SCALE, FY, FV = 0, 4, 8, 12
P4, B4, Q4, C4, SUM_W, SUM_V = 16, 17, 18, 19, 20, 21
TAIL = 22
THETA, P1, B1, Q1, C1, GROUPED = 26, 27, 28, 29, 30, 31
TABLE = 32


def inner_table(eta: float, gamma: float, theta: float, ridge: float = 0.0) -> Array:
    """Coefficients of one and of four steps in (w, v)."""
    c, q, rho = (1 - theta) / (1 + theta), (eta + theta * gamma) / (1 + theta), (gamma - eta) / (1 + theta)
    step = np.array([[1 - q * ridge, c * theta], [-rho * ridge, c]])
    powers = [np.eye(2)]
    for _ in range(4):
        powers.append(step @ powers[-1])
    push = np.array([power @ np.array([q, rho]) for power in powers[:4]])
    to_x = np.array([1.0, -theta])
    table = np.zeros(TABLE)
    scale = np.array([power[0, 0] for power in powers[:4]])
    table[GROUPED] = float(np.min(scale) > 0.25)
    table[SCALE : SCALE + 4] = scale
    table[RATIO : RATIO + 4] = [power[0, 1] / power[0, 0] if power[0, 0] else 0.0 for power in powers[:4]]
    table[FY : FY + 4], table[FV : FV + 4] = push[:, 0], push[:, 1]
    table[[P4, B4, Q4, C4]] = powers[4].ravel()
    table[[SUM_W, SUM_V]] = to_x @ np.sum(powers[1:], axis=0)
    table[TAIL : TAIL + 4] = np.cumsum(push @ to_x)[::-1]
    table[THETA] = theta
    table[[P1, B1, Q1, C1]] = step.ravel()
    return table


@inlined
def derivative(code: int, p0: float, p1: float, p2: float, address: int, z: float, b: float) -> float:
    """l'(z, b) for a built-in loss, or for the user's own at `address`."""
    if code == USER:
        return float(call_address(address, z, b))
    return dloss(code, p0, p1, p2, z, b)


@kernel
def four_at_a_time(
    a: Array,
    b: Array,
    row: int,
    groups: int,
    d: int,
    pad: int,
    state: Array,
    table: Array,
    loss: LossCode,
    anchor: Anchor,
    tail: bool,
) -> None:
    """Rows row .. row + 4 groups of the flat array a; anchor = (h, lin, const)."""
    code, p0, p1, p2, address = loss
    h, lin, const = anchor
    q, m1, m2, m3 = table[FY], table[FY + 1], table[FY + 2], table[FY + 3]
    r0, r1, r2, r3 = table[FV], table[FV + 1], table[FV + 2], table[FV + 3]
    k1, k2, k3 = table[SCALE + 1], table[SCALE + 2], table[SCALE + 3]
    ratio1, ratio2, ratio3 = splat(table[RATIO + 1]), splat(table[RATIO + 2]), splat(table[RATIO + 3])
    w_w, w_v, v_w, v_v = splat(table[P4]), splat(table[B4]), splat(table[Q4]), splat(table[C4])
    s_w, s_v = splat(table[SUM_W]), splat(table[SUM_V])
    at_v, at_s, at_y = V * pad, S * pad, YT * pad
    for group in range(groups):
        first = row + 4 * group
        i0 = first * d
        i1, i2, i3 = i0 + d, i0 + 2 * d, i0 + 3 * d
        u0, u1, u2, u3 = zero(), zero(), zero(), zero()
        z0, z1, z2, z3 = zero(), zero(), zero(), zero()
        g01, g02, g03, g12, g13, g23 = zero(), zero(), zero(), zero(), zero(), zero()
        for j in range(0, d, 8):
            far = AHEAD * d + j
            prefetch(a, i0 + far)
            prefetch(a, i1 + far)
            prefetch(a, i2 + far)
            prefetch(a, i3 + far)
            w, v, y = load(state, j), load(state, at_v + j), load(state, at_y + j)
            a0, a1 = load_row(a, i0 + j, d - j), load_row(a, i1 + j, d - j)
            a2, a3 = load_row(a, i2 + j, d - j), load_row(a, i3 + j, d - j)
            u0, u1 = fma(a0, w, u0), fma(a1, fma(ratio1, v, w), u1)
            u2, u3 = fma(a2, fma(ratio2, v, w), u2), fma(a3, fma(ratio3, v, w), u3)
            z0, z1, z2, z3 = fma(a0, y, z0), fma(a1, y, z1), fma(a2, y, z2), fma(a3, y, z3)
            g01, g02, g03 = fma(a0, a1, g01), fma(a0, a2, g02), fma(a0, a3, g03)
            g12, g13, g23 = fma(a1, a2, g12), fma(a1, a3, g13), fma(a2, a3, g23)
        dots = totals(u0, u1, u2, u3, g01, g02, g03, g12)
        more = totals(g13, g23, z0, z1, z2, z3, z0, z1)
        f0, f1, f2, f3 = lane(more, 2), lane(more, 3), lane(more, 4), lane(more, 5)
        e0 = h * (derivative(code, p0, p1, p2, address, f0, b[first]) + lin * f0 + const)
        e1 = h * (derivative(code, p0, p1, p2, address, f1, b[first + 1]) + lin * f1 + const)
        e2 = h * (derivative(code, p0, p1, p2, address, f2, b[first + 2]) + lin * f2 + const)
        e3 = h * (derivative(code, p0, p1, p2, address, f3, b[first + 3]) + lin * f3 + const)
        s0 = e0 + lane(dots, 0)
        s1 = e1 + k1 * lane(dots, 1) - q * s0 * lane(dots, 4)
        s2 = e2 + k2 * lane(dots, 2) - m1 * s0 * lane(dots, 5) - q * s1 * lane(dots, 7)
        s3 = e3 + k3 * lane(dots, 3) - m2 * s0 * lane(dots, 6) - m1 * s1 * lane(more, 0) - q * s2 * lane(more, 1)
        y0, y1, y2, y3 = splat(-s0 * m3), splat(-s1 * m2), splat(-s2 * m1), splat(-s3 * q)
        n0, n1, n2, n3 = splat(-s0 * r3), splat(-s1 * r2), splat(-s2 * r1), splat(-s3 * r0)
        t0, t1 = splat(-s0 * table[TAIL]), splat(-s1 * table[TAIL + 1])
        t2, t3 = splat(-s2 * table[TAIL + 2]), splat(-s3 * table[TAIL + 3])
        for j in range(0, d, 8):
            w, v = load(state, j), load(state, at_v + j)
            a0, a1 = load_row(a, i0 + j, d - j), load_row(a, i1 + j, d - j)
            a2, a3 = load_row(a, i2 + j, d - j), load_row(a, i3 + j, d - j)
            if tail:  # the last scalar to be known comes last
                so_far = fma(s_v, v, fma(s_w, w, load(state, at_s + j)))
                store(state, at_s + j, fma(t3, a3, fma(t2, a2, fma(t1, a1, fma(t0, a0, so_far)))))
            so_far = fma(w_v, v, mul(w_w, w))
            store(state, j, fma(y3, a3, fma(y2, a2, fma(y1, a1, fma(y0, a0, so_far)))))
            so_far = fma(v_v, v, mul(v_w, w))
            store(state, at_v + j, fma(n3, a3, fma(n2, a2, fma(n1, a1, fma(n0, a0, so_far)))))


@kernel
def move(state: Array, pad: int, j: int, table: Array, push_w: Any, push_v: Any, tail: bool) -> None:
    """Eight coordinates of one step, given what the gradient adds to w and to v."""
    w, v = load(state, j), load(state, V * pad + j)
    new_w = fma(splat(table[P1]), w, fma(splat(table[B1]), v, push_w))
    new_v = fma(splat(table[Q1]), w, fma(splat(table[C1]), v, push_v))
    store(state, j, new_w)
    store(state, V * pad + j, new_v)
    if tail:
        x = fma(splat(-table[THETA]), new_v, new_w)
        store(state, S * pad + j, add(load(state, S * pad + j), x))


@kernel
def one(
    a: Array,
    b: Array,
    row: int,
    d: int,
    pad: int,
    state: Array,
    table: Array,
    loss: LossCode,
    anchor: Anchor,
    tail: bool,
) -> None:
    """One sample: the remainder of a half loop whose length is not a multiple of four."""
    code, p0, p1, p2, address = loss
    h, lin, const = anchor
    start = row * d
    dot_w, dot_y = zero(), zero()
    for j in range(0, d, 8):
        entries = load_row(a, start + j, d - j)
        dot_w = fma(entries, load(state, j), dot_w)
        dot_y = fma(entries, load(state, YT * pad + j), dot_y)
    z = total(dot_y)
    s = h * (derivative(code, p0, p1, p2, address, z, b[row]) + lin * z + const) + total(dot_w)
    push_w, push_v = splat(-s * table[FY]), splat(-s * table[FV])
    for j in range(0, d, 8):
        entries = load_row(a, start + j, d - j)
        move(state, pad, j, table, fma(push_w, entries, zero()), fma(push_v, entries, zero()), tail)
