r"""mu, lambda_max, R^2 and kappa~ of a page of rows, and the condition number of the loss as it is met there.

With a small ridge and u = (Sigma + ridge)^(-1/2) a,

    R^2 = lambda_max(E |a|^2 u u^T),   kappa~ = lambda_max(E |u|^2 u u^T),   alpha = cond(E l'' u u^T):

the smallest constants with E |a|^2 a a^T <= R^2 Sigma and E |a|^2_{Sigma^-1} a a^T <= kappa~ Sigma there, and the
condition number of the Hessian in the metric Sigma, which is at most L_l/mu_l.
"""

from __future__ import annotations

import numpy as np

from numerics.designs.checks import Array
from numerics.losses import Squared
from numerics.optimizers import ProblemInfo


def constants(rows: Array) -> ProblemInfo:
    """For least squares on these rows; safe where they are fewer than their columns, constant or one row only."""
    m, d = rows.shape
    u, values, top = whitened(rows)
    r2 = _top((u * np.sum(rows**2, axis=1)[:, None]).T @ u / m)
    kappa_tilde = _top((u * np.sum(u**2, axis=1)[:, None]).T @ u / m)
    return ProblemInfo(d, Squared(), mu=values, lambda_max=top, r2=max(r2, top), kappa_tilde=max(kappa_tilde, float(d)))


def condition_of_loss(rows: Array, curvature: Array) -> float:
    """alpha as it is met: cond of E l'' u u^T over the directions that the rows span."""
    u, _, _ = whitened(rows)
    values = np.linalg.eigvalsh((u * curvature[:, None]).T @ u / len(u))
    spanned = values[values > 1e-3 * values[-1]]
    return float(values[-1] / spanned[0]) if spanned.size and values[-1] > 0 else 1.0


def whitened(rows: Array) -> tuple[Array, float, float]:
    """u in the eigenbasis of Sigma (of at most as many directions as rows), mu and lambda_max."""
    m, d = rows.shape
    if m < d:
        values, left = np.linalg.eigh(rows @ rows.T / m)
        top = max(float(values[-1]), 1e-12)
        ridge = _ridge(top, m, d)
        scores = left * np.sqrt(np.maximum(values, 0) * m)
        return scores / np.sqrt(np.maximum(values, 0) + ridge), ridge, top
    values, vectors = np.linalg.eigh(rows.T @ rows / m)
    top = max(float(values[-1]), 1e-12)
    ridge = _ridge(top, m, d)
    return (
        rows @ (vectors / np.sqrt(np.maximum(values, 0) + ridge)),
        max(float(values[0]), 1e-8 * top),
        top,
    )


def _ridge(top: float, m: int, d: int) -> float:
    return top * float(np.clip(0.01 * d / m, 1e-8, 1e-2))


def _top(matrix: Array) -> float:
    return float(np.linalg.eigvalsh((matrix + matrix.T) / 2)[-1])
