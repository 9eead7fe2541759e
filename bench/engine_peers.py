"""What people would write instead: vectorised numpy loops, dense numpy steps, the double sum of the definition."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from numerics.operators import Array, StepSizes


def numpy_diagonal_loop(lam: Array, steps: StepSizes, noise: Array, horizon: int) -> Array:
    """The 3d numbers E y_i^2, E y_i v_i, E v_i^2 of a Gaussian design, one vectorised numpy step at a time."""
    q, rho, c = steps.q, steps.rho, steps.c
    a, b, e = 1 - q * lam, c * steps.theta, -rho * lam
    p, u, w = np.zeros((3, len(lam)))
    square = lam**2
    for _ in range(horizon):
        n = square * p + lam * (lam @ p) + noise
        p, u, w = (
            a * a * p + 2 * a * b * u + b * b * w + q * q * n,
            a * e * p + (a * c + b * e) * u + b * c * w + q * rho * n,
            e * e * p + 2 * e * c * u + c * c * w + rho * rho * n,
        )
    return np.stack([p, u, w])


def mean_matrix(lam: Array, steps: StepSizes) -> Array:
    """A as a dense 2d x 2d matrix."""
    d = len(lam)
    top = np.concatenate([np.zeros((d, d)), np.eye(d) - steps.eta * np.diag(lam)], axis=1)
    low = np.concatenate([-steps.c * np.eye(d), (1 + steps.c) * np.eye(d) - steps.q * np.diag(lam)], axis=1)
    return np.asarray(np.concatenate([top, low]), dtype=np.float64)


def noise_matrix(steps: StepSizes, noise: Array) -> Array:
    """[[eta^2, eta q], [eta q, q^2]] (x) noise, dense."""
    direction = np.array([steps.eta, steps.q])
    return np.asarray(np.kron(np.outer(direction, direction), noise), dtype=np.float64)


def dense_step(lam: Array, steps: StepSizes, noise: Array) -> Callable[[Array], Array]:
    """One step of C_t for a Gaussian design with dense numpy matrices."""
    a, push, d = mean_matrix(lam, steps), noise_matrix(steps, noise), len(lam)
    sigma = np.diag(lam)

    def step(c: Array) -> Array:
        y = c[d:, d:]
        excess = sigma @ y @ sigma + np.trace(sigma @ y) * sigma
        return np.asarray(a @ c @ a.T + noise_matrix(steps, excess) + push)

    return step


def dense_layers_step(lam: Array, steps: StepSizes, noise: Array) -> Callable[[list[Array]], list[Array]]:
    """One step of all layers and the remainder with dense numpy matrices."""
    a, push, d = mean_matrix(lam, steps), noise_matrix(steps, noise), len(lam)
    sigma = np.diag(lam)

    def excess(c: Array) -> Array:
        y = c[d:, d:]
        return noise_matrix(steps, sigma @ y @ sigma + np.trace(sigma @ y) * sigma)

    def step(layers: list[Array]) -> list[Array]:
        moved = [a @ c @ a.T for c in layers]
        driven = [push, *(excess(c) for c in layers[:-1])]
        out = [m + drive for m, drive in zip(moved, driven, strict=True)]
        out[-1] = out[-1] + excess(layers[-1])
        return out

    return step


def double_sum(lam: Array, steps: StepSizes, sequence: list[Array]) -> float:
    """L_var by its definition: the double sum over s and t with the powers of A held ready."""
    horizon, d = len(sequence) - 1, len(lam)
    weight = np.zeros((2 * d, 2 * d))
    weight[:d, :d] = np.diag(lam)
    powers = [np.eye(2 * d)]
    for _ in range(horizon // 2):
        powers.append(mean_matrix(lam, steps) @ powers[-1])
    total = 0.0
    for s in range(horizon // 2 + 1, horizon + 1):
        for t in range(horizon // 2 + 1, horizon + 1):
            term = powers[max(s - t, 0)] @ sequence[min(s, t)] @ powers[max(t - s, 0)].T
            total += float(np.sum(weight * term))
    return 4 * total / horizon**2


def core_sequence(lam: Array, steps: StepSizes, matrix: Array, horizon: int) -> list[Array]:
    """Pi_0(M), ..., Pi_T(M) with dense matrices."""
    a, push = mean_matrix(lam, steps), noise_matrix(steps, matrix)
    out = [np.zeros_like(push)]
    for _ in range(horizon):
        out.append(a @ out[-1] @ a.T + push)
    return out
