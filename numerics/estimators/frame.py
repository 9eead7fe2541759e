r"""From raw columns to the coordinates in which SADA runs, and the constants that it needs, both from a first chunk.

Columns are shifted and scaled ("diagonal"), or whitened by a regularised covariance ("full"), and a constant column is
added for the intercept. mu, lambda_max, R^2 and kappa~ are those of the chunk's empirical law with a small ridge:

    R^2 = lambda_max(E |a|^2 u u^T),   kappa~ = lambda_max(E |u|^2 u u^T),   u = (Sigma + ridge)^(-1/2) a,

the smallest constants with E |a|^2 a a^T <= R^2 Sigma and E |a|^2_{Sigma^-1} a a^T <= kappa~ Sigma there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Loss
from numerics.optimizers import ProblemInfo

Precondition = Literal["diagonal", "full"] | None
PRECONDITIONS = ("diagonal", "full", None)


@dataclass(frozen=True, eq=False)
class Frame:
    """a -> ((a - shift) @ matrix, 1)."""

    shift: Array
    matrix: Array
    intercept: bool

    @classmethod
    def of(cls, chunk: Array, precondition: Precondition, intercept: bool) -> Frame:
        shift = chunk.mean(axis=0) if intercept else np.zeros(chunk.shape[1])
        spread = np.sqrt(np.mean((chunk - shift) ** 2, axis=0))
        scale = np.where(spread > 1e-10 * np.maximum(np.abs(shift), 1e-300), spread, 1.0)
        if precondition is None:
            return cls(shift, np.eye(chunk.shape[1]), intercept)
        matrix = np.diag(1 / scale)
        if precondition == "full":
            matrix = matrix @ _whitener((chunk - shift) @ matrix)
        return cls(shift, matrix, intercept)

    @property
    def dim(self) -> int:
        return int(self.matrix.shape[1]) + self.intercept

    def rows(self, x: Array) -> Array:
        moved = (x - self.shift) @ self.matrix
        return np.column_stack([moved, np.ones(len(x))]) if self.intercept else np.ascontiguousarray(moved)

    def raw(self, w: Array) -> tuple[Array, float]:
        """Coefficients and intercept of the same predictor for raw columns."""
        d = self.matrix.shape[1]
        coefficients = np.asarray(self.matrix @ w[:d])
        return coefficients, float(w[d] - self.shift @ coefficients) if self.intercept else 0.0


def _whitener(rows: Array) -> Array:
    m, d = rows.shape
    values, vectors = np.linalg.eigh(rows.T @ rows / m)
    top = max(float(values[-1]), 1e-300)
    return np.asarray(vectors / np.sqrt(np.maximum(values, 0) + top * max(1e-6, 0.02 * d / m)))


def constants(rows: Array, loss: Loss) -> ProblemInfo:
    """The constants of the chunk; safe where it has fewer rows than columns, constant columns or one row only."""
    m, d = rows.shape
    sigma = rows.T @ rows / m
    top = max(float(np.linalg.eigvalsh(sigma)[-1]), 1e-12)
    ridge = top * float(np.clip(0.01 * d / m, 1e-8, 1e-2))
    values, vectors = np.linalg.eigh(sigma + ridge * np.eye(d))
    u = rows @ (vectors / np.sqrt(np.maximum(values, ridge)))
    r2 = _top((u * np.sum(rows**2, axis=1)[:, None]).T @ u / m)
    kappa_tilde = _top((u * np.sum(u**2, axis=1)[:, None]).T @ u / m)
    return ProblemInfo(
        d,
        loss,
        mu=max(float(values[0]), ridge),
        lambda_max=top,
        r2=max(r2, top),
        kappa_tilde=max(kappa_tilde, float(d)),
    )


def _top(matrix: Array) -> float:
    return float(np.linalg.eigvalsh((matrix + matrix.T) / 2)[-1])
