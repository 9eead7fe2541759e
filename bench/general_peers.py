"""What people would write for a general design: the operator written out in (x, y), stepped, batched or squared."""

from __future__ import annotations

import numpy as np

from numerics.designs import FiniteSupport
from numerics.operators import Array, StepSizes


def operator(design: FiniteSupport, steps: StepSizes) -> Array:
    """B = E[A_t (x) A_t] on packed symmetric 2d x 2d matrices in the paper's (x, y), d(2d + 1) square."""
    d = design.dim
    n = 2 * d
    full = np.zeros((n * n, n * n))
    for atom, weight in zip(design.atoms, design.weights, strict=True):
        a = step_matrix(np.outer(atom, atom), steps)
        full += weight * np.kron(a, a)
    rows, columns = np.triu_indices(n)
    here, there = rows * n + columns, columns * n + rows
    kept = full[here]
    return np.asarray(kept[:, here] + np.where(rows != columns, kept[:, there], 0.0))


def step_matrix(outer: Array, steps: StepSizes) -> Array:
    """A_t for a given a a^T."""
    one = np.eye(len(outer))
    top = np.hstack([np.zeros_like(outer), one - steps.eta * outer])
    return np.vstack([top, np.hstack([-steps.c * one, (1 + steps.c) * one - steps.q * outer])])


def push(noise: Array, steps: StepSizes) -> Array:
    """What gradient noise adds in a step, packed."""
    direction = np.array([steps.eta, steps.q])
    full = np.kron(np.outer(direction, direction), noise)
    return np.asarray(full[np.triu_indices(len(full))])


def stepped(b: Array, noise: Array, count: int) -> Array:
    """`count` steps from zero; a matrix of noises is stepped as a batch."""
    x, other = np.zeros_like(noise), np.empty_like(noise)
    for _ in range(count):
        np.dot(b, x, out=other)
        other += noise
        x, other = other, x
    return x


def powered(b: Array, noise: Array, horizon: int) -> Array:
    """The same by numpy.linalg.matrix_power of the affine map."""
    size = len(noise)
    affine = np.eye(size + 1)
    affine[:size, :size], affine[:size, size] = b, noise
    return np.asarray(np.linalg.matrix_power(affine, horizon)[:size, size])


def unpacked(x: Array, d: int) -> Array:
    """The yy block of a packed state."""
    full = np.zeros((2 * d, 2 * d))
    full[np.triu_indices(2 * d)] = x
    return np.asarray((full + np.triu(full, 1).T)[d:, d:])
