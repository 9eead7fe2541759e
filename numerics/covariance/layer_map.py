r"""Phi(P) = [Pi_inf(N(P))]_yy, which carries one stationary layer to the next, and its spectral radius.

In the eigenbasis of Sigma, Phi(P)_ij = phi_ij N(P)_ij with phi_ij = E y_i y_j for unit noise. Phi keeps the cone of
positive semidefinite matrices, so its radius is an eigenvalue (Krein and Rutman): the largest real part of all. Where
pairs decouple, the diagonal decides and Phi is a diagonal plus a rank-one matrix: a secular equation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, eigs

from numerics.operators import Array, StepSizes

from .frame import Frame, PairExcess
from .pairs import stationary_entries, unit_diagonal

_MOST_DENSE = 300  # unknowns: d <= 23


def stationary_scalars(steps: StepSizes) -> tuple[float, float, float, float, float]:
    """eta, q, c, 1 - c and q - c eta, the last two without cancellation."""
    theta = steps.theta
    return steps.eta, steps.q, steps.c, 2 * theta / (1 + theta), theta * (steps.eta + steps.gamma) / (1 + theta)


def unit_response(view: Frame) -> Array:
    """phi_ii: E y_i^2 for unit noise."""
    phi = np.empty(view.dim)
    eta, _, c, slow, lift = stationary_scalars(view.steps)
    unit_diagonal(view.lam, eta, c, slow, lift, phi)
    return phi


def layer_map(view: Frame) -> Callable[[Array], Array]:
    """noise -> the yy block of Pi_inf(noise), in the eigenbasis."""
    scalars, unused = stationary_scalars(view.steps), np.empty((2, view.dim, view.dim))

    def solve(noise: Array) -> Array:
        p = np.zeros((view.dim, view.dim))
        stationary_entries(view.lam, scalars, 0.0, noise, unused[0], unused[1], p)
        return p

    return solve


def layer_radius(view: Frame) -> float:
    """The spectral radius of Phi: the limit of the ratio of a stationary layer to the one before."""
    return _secular_radius(view, view.excess) if view.excess is not None else _general_radius(view)


def _secular_radius(view: Frame, excess: PairExcess) -> float:
    """The largest zeta with sum_i trace lam_i^2 phi_i / (zeta - excess_i phi_i) = 1."""
    phi = unit_response(view)
    own, shared = excess.diagonal * phi, excess.trace * view.lam**2 * phi
    low = float(np.max(own))
    if excess.trace == 0.0:
        return max(low, 0.0)
    # the root lies in (low, low + sum(shared)] because every term is at most shared_i / (zeta - low)
    floor, high = low, low + float(np.sum(shared))
    for _ in range(200):
        middle = floor + (high - floor) / 2
        if middle in (floor, high):
            break
        if np.sum(shared / (middle - own)) > 1:
            floor = middle
        else:
            high = middle
    return max(high, 0.0)


def _general_radius(view: Frame) -> float:
    upper = np.triu_indices(view.dim)
    solve, size = layer_map(view), len(upper[0])
    scale = np.sqrt(np.outer(view.lam, view.lam))[upper]
    if size <= _MOST_DENSE:
        phi = solve(np.ones((view.dim, view.dim)))[upper]
        matrix = (scale * phi)[:, None] * view.excess_matrix() / scale
        return max(float(np.max(np.linalg.eigvals(matrix).real)), 0.0)

    def apply(x: Array) -> Array:
        full = np.zeros((view.dim, view.dim))
        full[upper] = x / scale
        return np.asarray(scale * solve(view.general_excess(full + np.triu(full, 1).T))[upper])

    operator = LinearOperator((size, size), matvec=apply, dtype=np.float64)
    start = np.where(upper[0] == upper[1], 1.0, 0.0)
    try:
        values = eigs(operator, k=1, which="LR", v0=start, tol=1e-12, ncv=60, maxiter=300, return_eigenvectors=False)
    except ArpackError as error:
        raise ArithmeticError(f"the layer ratio was not found by ARPACK for d = {view.dim}: {error}") from None
    return max(float(values[0].real), 0.0)
