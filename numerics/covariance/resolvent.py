r"""(z - B)^{-1}(Q_0) in doubles for any design, with z = 1 - gap and Q_0 = diag(I, s^2 I) in (y, v).

In the eigenbasis of Sigma, z - B~ is one 4 x 4 system for each pair of directions, and N couples the pairs through
E y y^T only: with phi_ij the response of E y_i y_j to unit noise,

    P = [(z - B~)^{-1} Q_0]_yy + phi * N(P),    X = (z - B~)^{-1}(Q_0 + u u^T (x) N(P)).

P is one dense solve with d(d+1)/2 unknowns up to d = `MOST_DENSE`, a Krylov solve beyond.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

from numerics.operators import Array

from .frame import Frame, State
from .general import mean_tuple
from .pairs import pair_increment

MOST_DENSE = 64  # 2080 unknowns: 35 MB and a third of a second a solve


class Resolvent:
    """The resolvent of B of one frame, point by point."""

    def __init__(self, view: Frame) -> None:
        self._view = view
        self._upper = np.triu_indices(view.dim)
        rows, columns = self._upper
        self._increment = np.moveaxis(pair_increment(view.lam[rows], view.lam[columns], mean_tuple(view)), 2, 0)
        q, rho = view.steps.q, view.steps.rho
        self._push = np.array([q * q, q * rho, q * rho, rho * rho])

    @property
    def target_weights(self) -> tuple[float, float]:
        """1 and s^2: Q_0 weighs v = z - y as the slowest direction does."""
        steps = self._view.steps
        pull = abs(steps.rho) * float(self._view.lam[0])
        return 1.0, max(pull, steps.theta * 1e-3) / (steps.c * steps.theta)

    @cached_property
    def excess_matrix(self) -> Array | None:
        """N on packed symmetric matrices in the eigenbasis, None where it would be too large."""
        return self._view.excess_matrix() if self._view.dim <= MOST_DENSE else None

    def response(self, gap: float) -> Array:
        """phi_ij of every pair i <= j: E y_i y_j for unit noise."""
        return np.asarray(self._pair_solve(gap, self._push)[:, 0])

    def _pair_solve(self, gap: float, target: Array) -> Array:
        system = -(self._increment + gap * np.eye(4))
        many = np.broadcast_to(target, (len(system), 4))[..., None]
        return np.asarray(np.linalg.solve(system, many)[..., 0], dtype=np.float64)

    def solve(self, gap: float) -> State | None:
        """X, or None when the system is singular to rounding."""
        rows, columns = self._upper
        same = rows == columns
        weight = self.target_weights
        target = np.zeros((len(rows), 4))
        target[same, 0], target[same, 3] = weight
        try:
            with np.errstate(all="ignore"):
                free = self._pair_solve(gap, target)[:, 0]
                noise = self._noise(self.response(gap), free)
                moved = self._pair_solve(gap, target + noise[:, None] * self._push)
        except np.linalg.LinAlgError:
            return None
        p, u, w = np.zeros((3, self._view.dim, self._view.dim))
        p[rows, columns] = p[columns, rows] = moved[:, 0]
        u[rows, columns], u[columns, rows] = moved[:, 1], moved[:, 2]
        w[rows, columns] = w[columns, rows] = moved[:, 3]
        return State(p, u, w)

    def _noise(self, phi: Array, free: Array) -> Array:
        """N(P) for P = free + phi * N(P), packed."""
        n = self.excess_matrix
        if n is not None:
            return np.asarray(n @ np.linalg.solve(np.eye(len(phi)) - phi[:, None] * n, free))
        return self._krylov(phi, free)

    def _krylov(self, phi: Array, free: Array) -> Array:
        size = len(phi)
        operator = LinearOperator((size, size), matvec=lambda x: x - phi * self.apply_excess(x), dtype=np.float64)
        p, _ = gmres(operator, free, rtol=1e-13, restart=80, maxiter=20)
        return self.apply_excess(p)

    def apply_excess(self, packed: Array) -> Array:
        """N on a packed symmetric matrix."""
        x = np.zeros((self._view.dim, self._view.dim))
        x[self._upper] = packed
        return np.asarray(self._view.general_excess(x + np.triu(x, 1).T)[self._upper])

    def positive(self, gap: float) -> tuple[bool, float]:
        """Whether X is positive definite in doubles, and 1 / tr(Q_0^-1 X), which vanishes at the radius."""
        state = self.solve(gap)
        if state is None:
            return False, 0.0
        one, other = self.target_weights
        energy = one * float(np.trace(state.p)) + float(np.trace(state.w)) / other
        if not np.isfinite(energy) or energy == 0.0:
            return False, 0.0
        scale = np.sqrt(other)
        full = np.block([[state.p, state.u / scale], [state.u.T / scale, state.w / other]])
        return energy > 0 and is_positive(full), 1 / abs(energy)


def is_positive(matrix: Array) -> bool:
    """Whether a symmetric matrix has a Cholesky factor once its diagonal is scaled to ones."""
    size = np.sqrt(np.abs(np.diagonal(matrix)))
    if not np.all(np.isfinite(matrix)) or np.any(size == 0):
        return False
    try:
        np.linalg.cholesky(matrix / np.outer(size, size))
    except np.linalg.LinAlgError:
        return False
    return True
