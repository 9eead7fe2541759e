r"""Long after a general design has mixed, C_T is its limit: a certificate that the difference is below rounding.

Let X = (z - B)^{-1}(Q_0) be positive definite for some z < 1, so that radius(B) < z and X = sum_k z^{-k-1} B^k(Q_0).
With F = u u^T (x) R <= f Q_0 the noise of a step, u = (q, rho),

    C_inf - C_T = sum_{k >= T} B^k(F) <= f z^T X,

entry by entry on the diagonal. Every layer grows with T and the layers add up to C_T, so the bound holds for each of
them. X is solved in doubles (d(d+1)/2 unknowns) and believed only when X and z X - B(X) have Cholesky factors; z^T is
then far below what a rounding error of X could spoil.
"""

from __future__ import annotations

import numpy as np

from numerics.operators import Array, Blocks

from .frame import Frame, State
from .general import mean_tuple, step_moments
from .resolvent import MOST_DENSE, Resolvent, is_positive
from .stationary import limit_and_layers

_DECADES = 150.0  # z^T = exp(-150): far below the rounding of any entry of C_T that is not zero
_LOST = 1e-20  # what may be missing of an entry


def limits_if_reached(view: Frame, noise: Array, horizon: int, layers: int) -> list[Blocks] | None:
    """The limits of the layers and of the remainder when C_T has reached them to rounding, None otherwise."""
    missing = _bound(view, noise, horizon)
    if missing is None:
        return None
    try:
        found = limit_and_layers(view, noise, layers)
    except ArithmeticError:
        return None
    reached = all(
        np.all(np.diagonal(gap) <= _LOST * np.diagonal(here))
        for blocks in found
        for gap, here in ((missing.c11, blocks.c11), (missing.c22, blocks.c22))
    )
    return found if reached else None


def _bound(view: Frame, noise: Array, horizon: int) -> Blocks | None:
    """f z^T X, None where it cannot be small or is not certified."""
    slowest = float(np.min(view.steps.mean_gap(view.lam)))
    if view.dim > MOST_DENSE or 2 * horizon * slowest < _DECADES or horizon < 2 * _DECADES:
        return None
    gap, solver = _DECADES / horizon, Resolvent(view)
    x, weights = solver.solve(gap), solver.target_weights
    if x is None or not _certified(view, x, gap, weights):
        return None
    q, rho = view.steps.q, view.steps.rho
    size = 2 * float(np.trace(noise)) * max(q * q / weights[0], rho * rho / weights[1])
    small = size * float(np.exp(horizon * np.log1p(-gap)))
    return view.blocks(State(small * x.p, small * x.u, small * x.w))


def _certified(view: Frame, x: State, gap: float, weights: tuple[float, float]) -> bool:
    """Whether X and z X - B(X) are positive definite, in doubles and in the scale of Q_0."""
    after = State(x.p.copy(), x.u.copy(), x.w.copy())
    step_moments(view.lam, mean_tuple(view), view.general_excess(x.p), after.p, after.u, after.w)
    left = [(before - moved) - gap * before for before, moved in zip(_parts(x), _parts(after), strict=True)]
    return is_positive(_full(x, weights)) and is_positive(_full(State(*left), weights))


def _parts(x: State) -> tuple[Array, Array, Array]:
    return x.p, x.u, x.w


def _full(x: State, weights: tuple[float, float]) -> Array:
    one, other = np.sqrt(weights)
    cross = x.u / (one * other)
    return np.block([[x.p / one**2, cross], [cross.T, x.w / other**2]])
