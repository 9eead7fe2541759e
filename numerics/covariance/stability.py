r"""Mean-square stability: the spectral radius of B without ever forming B.

B = B~ + N^ with N^ positive on the cone of positive semidefinite matrices, so for z above the spectral radius of B~
(which is the square of the radius of A)

    radius(B) < z   if and only if   radius(Phi_z) < 1,    Phi_z(P) = [(z - B~)^{-1} (u u^T (x) N(P))]_yy,

a map on d x d matrices only. Phi_1 is also what carries one stationary layer to the next: its radius is the limit of
the layer ratio sigma^(l) / sigma^(l-1) that the paper bounds by 1/2. For designs whose pairs decouple, the sign-flip
symmetry of N puts the leading eigenvector on the diagonal and Phi_z becomes a diagonal plus a rank-one matrix: a
secular equation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from numerics.designs import Design
from numerics.operators import Array, StepSizes

from .diagonal import Diagonal
from .frame import Frame, PairExcess, frame
from .general import mean_tuple
from .pairs import resolvent_pairs, stationary_entries, unit_diagonal

_MOST_ITERATIONS = 20_000


class UnstableDynamicsError(ValueError):
    """There is no stationary covariance: the second moments grow without bound."""


@dataclass(frozen=True)
class Stability:
    """Spectral radii of A and of B with their distances to 1, and the limit of the layer ratio."""

    mean_radius: float
    mean_gap: float  # 1 - radius(A), accurate even when tiny
    radius: float
    gap: float  # 1 - radius(B), accurate even when tiny; negative when unstable
    layer_ratio: float  # radius(Phi_1), infinite when A itself is unstable

    @property
    def stable(self) -> bool:
        return self.gap > 0


def stability(design: Design, steps: StepSizes) -> Stability:
    """Spectral radii of the mean matrix A and of the second-moment operator B."""
    view = frame(design, steps)
    mean_gap = float(np.min(steps.mean_gap(view.lam)))
    if mean_gap <= 0:
        radius = _expanded(view, mean_gap)
        return Stability(1 - mean_gap, mean_gap, 1 - radius, radius, float("inf"))
    ratio = layer_radius(view, 0.0)
    gap = _root(view, mean_gap, ratio)
    return Stability(1 - mean_gap, mean_gap, 1 - gap, gap, ratio)


def spectral_radius(design: Design, steps: StepSizes) -> float:
    """The spectral radius of B = E[A_t (x) A_t]: the dynamics are mean-square stable when it is below 1."""
    return stability(design, steps).radius


def layer_radius(view: Frame, gap: float) -> float:
    """radius(Phi_z) at z = 1 - gap; infinite when z is not above radius(B~)."""
    if not 1 - gap > (1 - float(np.min(view.steps.mean_gap(view.lam)))) ** 2:
        return float("inf")
    return _secular_radius(view, view.excess, gap) if view.excess is not None else _power_radius(view, gap)


def unit_response(view: Frame, gap: float) -> Array:
    """phi_i(z) at z = 1 - gap: the yy entry of (z - S_i (x) S_i)^{-1} (q^2, q rho, rho^2)."""
    flow = Diagonal.of(view, None)
    if gap == 0.0:
        phi = np.empty(view.dim)
        eta, _, c, slow, lift = stationary_scalars(view.steps)
        unit_diagonal(view.lam, eta, c, slow, lift, phi)
        return phi
    k = -(flow.increment + gap * np.eye(3)[:, :, None])
    order = (2, 1, 0)  # the slow momentum component is eliminated first
    m = [[k[r, s] for s in order] + [np.full(view.dim, flow.direction[r])] for r in order]
    for pivot in range(2):
        for r in range(pivot + 1, 3):
            factor = m[r][pivot] / m[pivot][pivot]
            m[r] = [m[r][s] - factor * m[pivot][s] for s in range(4)]
    return np.asarray(m[2][3] / m[2][2])


def stationary_scalars(steps: StepSizes) -> tuple[float, float, float, float, float]:
    """eta, q, c, 1 - c and q - c eta, the last two without cancellation."""
    theta = steps.theta
    return steps.eta, steps.q, steps.c, 2 * theta / (1 + theta), theta * (steps.eta + steps.gamma) / (1 + theta)


def layer_map(view: Frame, gap: float) -> Callable[[Array], Array]:
    """noise -> the yy block of (z - B~)^{-1} (u u^T (x) noise) at z = 1 - gap, in the eigenbasis."""
    phi, mean, here = unit_response(view, gap), mean_tuple(view), np.arange(view.dim)

    def solve(noise: Array) -> Array:
        p = np.zeros((view.dim, view.dim))
        if gap == 0.0:
            unused = np.empty((2, view.dim, view.dim))
            stationary_entries(view.lam, stationary_scalars(view.steps), 0.0, noise, unused[0], unused[1], p)
        else:
            resolvent_pairs(view.lam, mean, gap, noise, p)
            p[here, here] = phi * np.diagonal(noise)
        return p

    return solve


def _secular_radius(view: Frame, excess: PairExcess, gap: float) -> float:
    """The largest zeta with sum_i trace lam_i^2 phi_i / (zeta - excess_i phi_i) = 1."""
    phi = unit_response(view, gap)
    own, shared = excess.diagonal * phi, excess.trace * view.lam**2 * phi
    low = float(np.max(own))
    if excess.trace == 0.0:
        return max(low, 0.0)
    # the root lies in (low, low + sum(shared)] because every term is at most shared_i / (zeta - low)
    step, high = float(np.sum(shared)), low + float(np.sum(shared))
    floor = low
    for _ in range(200):
        middle = floor + (high - floor) / 2
        if middle in (floor, high):
            break
        if np.sum(shared / (middle - own)) > 1:
            floor = middle
        else:
            high = middle
    return max(high, 0.0) if step > 0 else max(low, 0.0)


def _power_radius(view: Frame, gap: float) -> float:
    solve = layer_map(view, gap)
    x = np.diag(1 / view.lam)
    last = 0.0
    for _ in range(_MOST_ITERATIONS):
        image = solve(view.general_excess(x))
        size = float(np.sum(view.lam * np.diagonal(image)))
        if size <= 1e-14 * float(np.sum(view.lam * np.diagonal(x))):
            return 0.0
        x = image / size
        if abs(size - last) <= 1e-13 * size:
            return size
        last = size
    raise ArithmeticError(
        f"the layer ratio did not settle in {_MOST_ITERATIONS} power iterations (last {last}); the design has two "
        "leading directions that nearly tie, ask for covariances at finite T instead"
    )


def _root(view: Frame, mean_gap: float, ratio: float) -> float:
    """1 - radius(B): the gap at which radius(Phi_z) passes through 1."""
    if ratio >= 1:
        return _expanded(view, mean_gap)
    ceiling = mean_gap * (2 - mean_gap)  # 1 - radius(A)^2
    if layer_radius(view, ceiling * (1 - 1e-13)) < 1:
        return ceiling
    return _between(view, 0.0, ceiling * (1 - 1e-13))


def _expanded(view: Frame, mean_gap: float) -> float:
    """A negative gap: move z up until radius(Phi_z) < 1, then bisect."""
    start = min(mean_gap * (2 - mean_gap), 0.0)
    width = max(abs(start), 1e-6)
    low = start - width
    while layer_radius(view, low) >= 1:
        width *= 2
        low = start - width
    return _between(view, low, start)


def _between(view: Frame, low: float, high: float) -> float:
    def height(gap: float) -> float:
        return float(np.log(min(max(layer_radius(view, gap), 1e-300), 1e300)))

    return float(brentq(height, low, high, xtol=1e-300, rtol=8.9e-16, maxiter=500))
