"""High precision for the accuracy column: double-double loops, and Arb for pairs and tail averages."""

from __future__ import annotations

import flint
import numpy as np
from numba import njit

from numerics.operators import Array, StepSizes

BITS = 3000


@njit(cache=True, inline="always")  # type: ignore[untyped-decorator]
def _add(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """(a + b) + (c + d) as an unevaluated sum of two doubles."""
    s = a + c
    t = s - a
    e = (a - (s - t)) + (c - t) + b + d
    high = s + e
    return high, e - (high - s)


@njit(cache=True, inline="always")  # type: ignore[untyped-decorator]
def _multiply(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """(a + b)(c + d) with Dekker's exact product of the leading parts."""
    p = a * c
    x = 134217729.0 * a
    ah = x - (x - a)
    al = a - ah
    y = 134217729.0 * c
    ch = y - (y - c)
    cl = c - ch
    e = ((ah * ch - p) + ah * cl + al * ch) + al * cl + (a * d + b * c)
    high = p + e
    return high, e - (high - p)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _dd_steps(k: Array, direction: Array, lam: Array, noise: Array, x: Array, steps: int) -> None:
    """Arrays hold (high, low) pairs on the first axis: k (2, 3, 3, d), direction (2, 3), x (2, 3, d)."""
    d = lam.shape[0]
    for _ in range(steps):
        th, tl = 0.0, 0.0
        for i in range(d):
            ph, pl = _multiply(lam[i], 0.0, x[0, 0, i], x[1, 0, i])
            th, tl = _add(th, tl, ph, pl)
        for i in range(d):
            nh, nl = _multiply(lam[i], 0.0, th, tl)
            nh, nl = _add(nh, nl, noise[i], 0.0)
            p0, p1, u0, u1, w0, w1 = x[0, 0, i], x[1, 0, i], x[0, 1, i], x[1, 1, i], x[0, 2, i], x[1, 2, i]
            for r in range(3):
                sh, sl = _multiply(direction[0, r], direction[1, r], nh, nl)
                ah, al = _multiply(k[0, r, 0, i], k[1, r, 0, i], p0, p1)
                sh, sl = _add(sh, sl, ah, al)
                ah, al = _multiply(k[0, r, 1, i], k[1, r, 1, i], u0, u1)
                sh, sl = _add(sh, sl, ah, al)
                ah, al = _multiply(k[0, r, 2, i], k[1, r, 2, i], w0, w1)
                sh, sl = _add(sh, sl, ah, al)
                x[0, r, i], x[1, r, i] = _add(x[0, r, i], x[1, r, i], sh, sl)


def diagonal_truth(lam: Array, steps: StepSizes, noise: Array, horizon: int) -> Array:
    """The 3d numbers of a Gaussian design after T steps in double-double (106 bits), coefficients rounded from Arb."""
    with flint.ctx.workprec(400):
        eta, theta, gamma = flint.arb(steps.eta), flint.arb(steps.theta), flint.arb(steps.gamma)
        q, rho, b, f = _mean(eta, theta, gamma)
        blocks = []
        for value in lam:
            x = flint.arb(float(value))
            a, e = -q * x, -rho * x
            excess = x * x
            blocks.append(
                [
                    [a * (2 + a) + q * q * excess, 2 * (1 + a) * b, b * b],
                    [(1 + a) * e + q * rho * excess, a + f + a * f + b * e, b * (1 + f)],
                    [e * e + rho * rho * excess, 2 * e * (1 + f), f * (2 + f)],
                ]
            )
        k = np.array([[[_pair(v) for v in row] for row in block] for block in blocks])  # (d, 3, 3, 2)
        direction = np.array([_pair(v) for v in (q * q, q * rho, rho * rho)])
    x = np.zeros((2, 3, len(lam)))
    _dd_steps(np.ascontiguousarray(k.transpose(3, 1, 2, 0)), np.ascontiguousarray(direction.T), lam, noise, x, horizon)
    return np.asarray(x[0])


def _pair(value: flint.arb) -> tuple[float, float]:
    high = float(value.mid())
    return high, float((value - high).mid())


def _mean(eta: flint.arb, theta: flint.arb, gamma: flint.arb) -> tuple[flint.arb, flint.arb, flint.arb, flint.arb]:
    down = 1 + theta
    return (eta + theta * gamma) / down, (gamma - eta) / down, (1 - theta) / down * theta, -2 * theta / down


def _block(lam: float, steps: StepSizes) -> flint.arb_mat:
    """A(lambda) in the paper's (x, y)."""
    eta, theta, gamma, x = (flint.arb(v) for v in (steps.eta, steps.theta, steps.gamma, lam))
    c, q = (1 - theta) / (1 + theta), (eta + theta * gamma) / (1 + theta)
    return flint.arb_mat([[0, 1 - eta * x], [-c, 1 + c - q * x]])


def pair_truth(li: float, lj: float, steps: StepSizes, noise: float, horizon: int | None, pair: float) -> Array:
    """(xx, xy, yx, yy) of one pair after T steps, or at stationarity (horizon None), in Arb and the paper's (x, y)."""
    with flint.ctx.workprec(BITS):
        a, b = _block(li, steps), _block(lj, steps)
        eta, theta, gamma = flint.arb(steps.eta), flint.arb(steps.theta), flint.arb(steps.gamma)
        q = (eta + theta * gamma) / (1 + theta)
        direction = [eta * eta, eta * q, q * eta, q * q]
        weight = flint.arb(pair) * flint.arb(li) * flint.arb(lj)
        rows = [[a[r // 2, s // 2] * b[r % 2, s % 2] for s in range(4)] for r in range(4)]
        for r in range(4):
            rows[r][3] += weight * direction[r]
        push = [flint.arb(noise) * v for v in direction]
        if horizon is None:
            system = flint.arb_mat([[(1 if r == s else 0) - rows[r][s] for s in range(4)] for r in range(4)])
            solution = system.solve(flint.arb_mat([[v] for v in push]))
        else:
            affine = flint.arb_mat([*[[*rows[r], push[r]] for r in range(4)], [0, 0, 0, 0, 1]])
            solution = _powered(affine, horizon) * flint.arb_mat([[0], [0], [0], [0], [1]])
        return np.array([float(solution[k, 0].mid()) for k in range(4)])


def _powered(matrix: flint.arb_mat, n: int) -> flint.arb_mat:
    size = matrix.nrows()
    result = flint.arb_mat(size, size, [1 if k % (size + 1) == 0 else 0 for k in range(size * size)])
    while n:
        if n & 1:
            result = result * matrix
        n >>= 1
        if n:
            matrix = matrix * matrix
    return result


def tail_truth(lam: Array, steps: StepSizes, noise: Array, horizon: int, trace: float) -> float:
    """L_var of the diagonal of a Gaussian design (trace = 1) or of Pi (trace = 0), all directions coupled, in Arb.

    The state is (xx, xy, yy, E s x, E s y) of every direction, the weighted sum of E s^2, and 1, in the paper's (x, y).
    """
    d = len(lam)
    with flint.ctx.workprec(BITS):
        eta, theta, gamma = flint.arb(steps.eta), flint.arb(steps.theta), flint.arb(steps.gamma)
        c, q = (1 - theta) / (1 + theta), (eta + theta * gamma) / (1 + theta)
        size = 5 * d + 2
        rows = [[flint.arb(0)] * size for _ in range(size)]
        x = [flint.arb(float(v)) for v in lam]
        direction = [eta * eta, eta * q, q * q]
        for i in range(d):
            g, h = 1 - eta * x[i], 1 + c - q * x[i]
            moved = [[0, 0, g * g], [0, -c * g, g * h], [c * c, -2 * c * h, h * h]]
            for r in range(3):
                for s in range(3):
                    rows[r * d + i][s * d + i] += moved[r][s]
                for j in range(d):
                    rows[r * d + i][2 * d + j] += trace * direction[r] * x[i] * x[j]
                rows[r * d + i][2 * d + i] += trace * direction[r] * x[i] * x[i]
                rows[r * d + i][size - 1] += direction[r] * float(noise[i])
        late = [list(row) for row in rows]
        for i in range(d):
            g, h = 1 - eta * x[i], 1 + c - q * x[i]
            late[3 * d + i] = list(rows[i])
            late[3 * d + i][4 * d + i] += g
            late[4 * d + i] = list(rows[d + i])
            late[4 * d + i][3 * d + i] += -c
            late[4 * d + i][4 * d + i] += h
            for s in range(size):
                late[size - 2][s] += x[i] * rows[i][s]
            late[size - 2][4 * d + i] += 2 * x[i] * g
        late[size - 2][size - 2] += 1
        late[size - 1][size - 1] += 1
        rows[size - 1][size - 1] += 1
        vector = flint.arb_mat([[1 if k == size - 1 else 0] for k in range(size)])
        for phase in (rows, late):
            vector = _powered(flint.arb_mat(phase), horizon // 2) * vector
        value = vector[size - 2, 0] * 4 / (flint.arb(horizon) * horizon)
        if value.rel_accuracy_bits() < 60:
            raise ArithmeticError(f"the reference ball {value.str(5)} is too wide; raise BITS")
        return float(value.mid())
