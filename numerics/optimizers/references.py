r"""SADA and its variants, line by line as the paper prints them; numpy only, the paper's names, no speed.

`sample()` draws a fresh labelled pair (a, b); every gradient uses its own. x~ is `x_`, y~ is `y_`. The variants called
`corrected` differ from the printed ones in the lines that are marked, and in nothing else. The kernels are tested
against these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Loss

Sample = Callable[[], tuple[Array, float]]
Floats = Sequence[float]


def sada(
    sample: Sample, loss: Loss, x0: Array, h: Floats, beta: Floats, eta: float, gamma: float, theta: float, T: int
) -> Array:
    """Algorithm 1."""
    x_, x_prev = x0, x0
    for h_k, beta_k in zip(h, beta, strict=True):
        y_ = x_ + beta_k * (x_ - x_prev)
        x, z, total = y_, y_, np.zeros_like(y_)
        for t in range(1, T + 1):
            a, b = sample()
            y = x / (1 + theta) + theta / (1 + theta) * z
            g = h_k * loss.d1(a @ y_, b) * a + (a @ (y - y_)) * a
            x = y - eta * g
            z = theta * y + (1 - theta) * z - gamma * g
            total = total + x if t > T // 2 else total
        x_, x_prev = total / (T - T // 2), x_
    return x_


def sada_two_phase(
    sample: Sample,
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    eta: float,
    gamma: float,
    theta: float,
    T: int,
    second: tuple[float, float, float],
    T2: int,
    K2: int,
    h2: float | None = None,
) -> Array:
    """Algorithm 1, then K2 inner loops with l''(a.x~, b) a a^T in the place of a a^T; beyond the paper.

    With h2 the metric stays: rounds of Algorithm 1 without momentum.
    """
    x_ = sada(sample, loss, x0, h, beta, eta, gamma, theta, T)
    eta, gamma, theta = second
    for _ in range(K2):
        y_ = x_
        x, z, total = y_, y_, np.zeros_like(y_)
        for t in range(1, T2 + 1):
            a, b = sample()
            y = x / (1 + theta) + theta / (1 + theta) * z
            if h2 is None:
                g = loss.d1(a @ y_, b) * a + loss.d2(a @ y_, b) * (a @ (y - y_)) * a
            else:
                g = h2 * loss.d1(a @ y_, b) * a + (a @ (y - y_)) * a
            x = y - eta * g
            z = theta * y + (1 - theta) * z - gamma * g
            total = total + x if t > T2 // 2 else total
        x_ = total / (T2 - T2 // 2)
    return x_


def sada_minibatch(
    sample: Sample,
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    eta: float,
    gamma: float,
    theta: float,
    T: int,
    B: int,
) -> Array:
    """Algorithm 1 with the mean of B stochastic gradients in each inner step."""
    x_, x_prev = x0, x0
    for h_k, beta_k in zip(h, beta, strict=True):
        y_ = x_ + beta_k * (x_ - x_prev)
        x, z, total = y_, y_, np.zeros_like(y_)
        for t in range(1, T + 1):
            y = x / (1 + theta) + theta / (1 + theta) * z
            g = np.zeros_like(y)
            for _ in range(B):
                a, b = sample()
                g = g + (h_k * loss.d1(a @ y_, b) * a + (a @ (y - y_)) * a) / B
            x = y - eta * g
            z = theta * y + (1 - theta) * z - gamma * g
            total = total + x if t > T // 2 else total
        x_, x_prev = total / (T - T // 2), x_
    return x_


def sada_parallel(
    sample: Sample,
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    eta: float,
    gamma: float,
    theta: float,
    T: int,
    runs: int,
) -> Array:
    """Algorithm 1 with the T inner steps cut into `runs` independent runs of T_0 = T/runs; x~_k is their average."""
    x_, x_prev, T0 = x0, x0, T // runs
    for h_k, beta_k in zip(h, beta, strict=True):
        y_ = x_ + beta_k * (x_ - x_prev)
        outputs = []
        for _ in range(runs):
            x, z, total = y_, y_, np.zeros_like(y_)
            for t in range(1, T0 + 1):
                a, b = sample()
                y = x / (1 + theta) + theta / (1 + theta) * z
                g = h_k * loss.d1(a @ y_, b) * a + (a @ (y - y_)) * a
                x = y - eta * g
                z = theta * y + (1 - theta) * z - gamma * g
                total = total + x if t > T0 // 2 else total
            outputs.append(total / (T0 - T0 // 2))
        x_, x_prev = np.mean(outputs, axis=0), x_
    return x_


def sada_wc_printed(
    sample: Sample,
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    eta: float,
    gamma: float,
    theta: float,
    T: int,
    epsilon: float,
    D: float,
    M: float,
) -> Array:
    """SADA-WC as printed. Its mean gradient is not that of the surrogate G: see `sada_wc_corrected`."""
    x_, x_prev = x0, x0
    for h_k, beta_k in zip(h, beta, strict=True):
        y_ = x_ + beta_k * (x_ - x_prev)
        x, z, total = y_, y_, np.zeros_like(y_)
        for t in range(1, T + 1):
            a, b = sample()
            y = x / (1 + theta) + theta / (1 + theta) * z
            g = (
                h_k * loss.d1(a @ y_, b) * a
                + h_k * epsilon / (2 * M**2) * a
                + (a @ (y - y_)) * a
                + epsilon / (loss.L * D**2) * (y - y_)
            )
            x = y - eta * g
            z = theta * y + (1 - theta) * z - gamma * g
            total = total + x if t > T // 2 else total
        x_, x_prev = total / (T - T // 2), x_
    return x_


def sada_wc_corrected(
    sample: Sample,
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    eta: float,
    gamma: float,
    theta: float,
    T: int,
    epsilon: float,
    D: float,
    M: float,
) -> Array:
    r"""SADA-WC with mean gradient h_k grad G(y~) at y~, for G(x) = E[l(a.x,b) + eps/(2M^2)(a.x)^2] + eps/(2D^2)|x|^2.

    grad G(x) = E[l'(a.x, b) a + (eps/M^2)(a.x) a] + (eps/D^2) x: the printed term (eps/2M^2) a is not the gradient of
    Term (A), and the gradient of Term (B) at y~ is missing. The metric is Sigma + eps/(L' D^2) I with
    L' = L_l + eps/M^2, the smoothness of the regularised loss, so that the Hessian of G is at most L' times the metric.
    """
    x_, x_prev = x0, x0
    L = loss.L + epsilon / M**2
    for h_k, beta_k in zip(h, beta, strict=True):
        y_ = x_ + beta_k * (x_ - x_prev)
        x, z, total = y_, y_, np.zeros_like(y_)
        for t in range(1, T + 1):
            a, b = sample()
            y = x / (1 + theta) + theta / (1 + theta) * z
            g = (
                h_k * loss.d1(a @ y_, b) * a
                + h_k * epsilon / M**2 * (a @ y_) * a  # corrected
                + h_k * epsilon / D**2 * y_  # corrected
                + (a @ (y - y_)) * a
                + epsilon / (L * D**2) * (y - y_)  # corrected: L instead of L_l
            )
            x = y - eta * g
            z = theta * y + (1 - theta) * z - gamma * g
            total = total + x if t > T // 2 else total
        x_, x_prev = total / (T - T // 2), x_
    return x_


def sada_ud_printed(
    sample: Sample,
    sample_unlabelled: Callable[[], Array],
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    eta: float,
    gamma: float,
    theta: float,
    T: int,
    T0: int,
    m: int,
) -> Array:
    """SADA-UD as printed: m unlabelled samples in a step while t <= T_0, then none; the same step sizes throughout."""
    steps = (eta, gamma, theta)
    return _sada_ud(sample, sample_unlabelled, loss, x0, h, beta, steps, steps, T, T0, m)


def sada_ud_corrected(
    sample: Sample,
    sample_unlabelled: Callable[[], Array],
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    eta: float,
    gamma: float,
    theta: float,
    T: int,
    T0: int,
    m: int,
    second: tuple[float, float, float] | None = None,
) -> Array:
    """SADA-UD that stays stable: m unlabelled samples in every step, or step sizes for single samples after T_0.

    The printed step size eta = 1/(16 R_m^2) suits the mean of m + 1 outer products. After T_0 the printed algorithm
    takes single samples, whose own limit is of order 1/R^2, and R^2 may exceed R_m^2 by a factor of m + 1.
    """
    steps = (eta, gamma, theta)
    until = T if second is None else T0  # corrected
    return _sada_ud(sample, sample_unlabelled, loss, x0, h, beta, steps, second or steps, T, until, m)


def _sada_ud(
    sample: Sample,
    sample_unlabelled: Callable[[], Array],
    loss: Loss,
    x0: Array,
    h: Floats,
    beta: Floats,
    first: tuple[float, float, float],
    second: tuple[float, float, float],
    T: int,
    T0: int,
    m: int,
) -> Array:
    x_, x_prev = x0, x0
    for h_k, beta_k in zip(h, beta, strict=True):
        y_ = x_ + beta_k * (x_ - x_prev)
        x, z, total = y_, y_, np.zeros_like(y_)
        for t in range(1, T + 1):
            eta, gamma, theta = first if t <= T0 else second
            y = x / (1 + theta) + theta / (1 + theta) * z
            a, b = sample()
            if t <= T0:
                prox = a * (a @ (y - y_))
                for _ in range(m):
                    a_ul = sample_unlabelled()
                    prox = prox + a_ul * (a_ul @ (y - y_))
                g = h_k * loss.d1(a @ y_, b) * a + prox / (m + 1)
            else:
                g = h_k * loss.d1(a @ y_, b) * a + (a @ (y - y_)) * a
            x = y - eta * g
            z = theta * y + (1 - theta) * z - gamma * g
            total = total + x if t > T // 2 else total
        x_, x_prev = total / (T - T // 2), x_
    return x_
