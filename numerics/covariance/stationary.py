r"""Stationary covariances: the limits of C_t, of Pi_t(M) and of every layer, or a clear refusal when there is none.

Pi_inf(M) = A Pi_inf(M) A^T + [[eta^2, eta q], [eta q, q^2]] (x) M: one system of four numbers for each pair.
C_inf^(l) = Pi_inf(R^(l)),  R^(l) = N(C_inf,22^(l-1)),  sigma^(l) = <diag(O, Sigma), C_inf^(l)>.
C_inf = Pi_inf(R + N(C_inf,22)): closed for designs whose pairs decouple, a solve with d(d+1)/2 unknowns otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lu_factor, lu_solve
from scipy.sparse.linalg import LinearOperator, gmres

from numerics.designs import Design
from numerics.operators import Array, Blocks, StepSizes

from .frame import Frame, PairExcess, checked_depth, checked_noise, frame
from .layer_map import layer_map, layer_radius, stationary_scalars, unit_response
from .pairs import stationary_entries
from .resolvent import MOST_DENSE
from .stability import UndecidedRadiusError, UnstableDynamicsError, judges


@dataclass(frozen=True, eq=False)
class StationaryLayers:
    """Limits of the layers 0..depth and of the remainder, with the noise R^(l) that drives each and its sigma^(l)."""

    layers: tuple[Blocks, ...]
    remainder: Blocks
    noises: tuple[Array, ...]  # R^(0) = R, R^(1), ..., R^(depth + 1)
    sigmas: tuple[float, ...]  # sigma^(0), ..., sigma^(depth)


def stationary_core(design: Design, steps: StepSizes, matrix: ArrayLike) -> Blocks:
    """Pi_inf(M)."""
    m = checked_noise(matrix, design.dim, name="M")
    view = frame(design, steps)
    _require_mean_stability(view)
    return _entries(view, view.into(m), 0.0)


def stationary_covariance(design: Design, steps: StepSizes, noise: ArrayLike) -> Blocks:
    """C_inf = lim C_t for gradient noise of second moment `noise`."""
    r = checked_noise(noise, design.dim)
    view = frame(design, steps)
    _require_stability(view)
    return _limit(view, view.into(r))


def stationary_layers(design: Design, steps: StepSizes, noise: ArrayLike, depth: int) -> StationaryLayers:
    """C_inf^(0..depth), what is left of C_inf, and the paper's R^(l) and sigma^(l)."""
    r, depth = checked_noise(noise, design.dim), checked_depth(depth)
    view = frame(design, steps)
    _require_stability(view)
    noises, sigmas = _layer_noises(view, view.into(r), depth + 1)
    layers = tuple(_entries(view, n, 0.0) for n in noises[:-1])
    return StationaryLayers(layers, _limit(view, noises[-1]), tuple(view.out(n) for n in noises), tuple(sigmas))


def limit_and_layers(view: Frame, noise: Array, layers: int) -> list[Blocks]:
    """The limits of the first `layers` layers and of what is left, for dynamics that are known to be stable."""
    noises, _ = _layer_noises(view, noise, layers)
    return [*(_entries(view, n, 0.0) for n in noises[:-1]), _limit(view, noises[-1])]


def _layer_noises(view: Frame, noise: Array, layers: int) -> tuple[list[Array], list[float]]:
    """R^(0), ..., R^(layers) in the eigenbasis, and sigma^(0), ..., sigma^(layers - 1)."""
    solve, noises, sigmas = layer_map(view), [noise], []
    for _ in range(layers):
        p = solve(noises[-1])
        sigmas.append(float(view.lam @ np.diagonal(p)))
        noises.append(view.general_excess(p))
    return noises, sigmas


def _entries(view: Frame, noise: Array, pair: float) -> Blocks:
    c11, c12, c22 = np.empty((3, view.dim, view.dim))
    stationary_entries(view.lam, stationary_scalars(view.steps), pair, noise, c11, c12, c22)
    return Blocks(view.out(c11), view.out(c12, symmetric=False), view.out(c22))


def _limit(view: Frame, noise: Array) -> Blocks:
    return _pair_limit(view, view.excess, noise) if view.excess is not None else _general_limit(view, noise)


def _pair_limit(view: Frame, excess: PairExcess, noise: Array) -> Blocks:
    phi, own = unit_response(view), np.diagonal(noise)
    damped = 1 / (1 - excess.diagonal * phi)
    reach = view.lam * phi * damped
    energy = float(reach @ own) / (1 - excess.trace * float(reach @ view.lam))
    total = noise.copy()
    np.fill_diagonal(total, damped * (own + excess.trace * energy * view.lam))
    return _entries(view, total, excess.pair)


def _general_limit(view: Frame, noise: Array) -> Blocks:
    """P = [Pi_inf(R + N(P))]_yy on symmetric d x d matrices, refined until the fixed point holds."""
    solve, upper = layer_map(view), np.triu_indices(view.dim)
    scale = 1 / np.sqrt(np.outer(view.lam, view.lam))[upper]  # equal weight for all directions

    def unpacked(x: Array) -> Array:
        matrix = np.zeros((view.dim, view.dim))
        matrix[upper] = x * scale
        return matrix + np.triu(matrix, 1).T

    def apply(x: Array) -> Array:
        return np.asarray(x - solve(view.general_excess(unpacked(x)))[upper] / scale)

    correct, target = _corrector(view, scale, apply), solve(noise)[upper] / scale
    x, settled = np.zeros(len(scale)), float("inf")
    for _ in range(6):
        residual = target - apply(x)
        last, settled = settled, float(np.linalg.norm(residual) / np.linalg.norm(target)) if target.any() else 0.0
        if settled <= 4e-16 or not settled < last:
            break
        x = x + correct(residual)
    if settled > 1e-10:
        raise ArithmeticError(
            f"the stationary covariance is known to a relative residual of {settled:.1e} only, with d = {view.dim}, "
            f"layer ratio {layer_radius(view):.9g} and condition number {view.lam[-1] / view.lam[0]:.1e} of Sigma; "
            "ask for covariances at finite T"
        )
    return _entries(view, noise + view.general_excess(unpacked(x)), 0.0)


def _corrector(view: Frame, scale: Array, apply: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Solves with 1 - Phi: a factorisation up to d = `MOST_DENSE`, GMRES beyond."""
    n, upper = len(scale), np.triu_indices(view.dim)
    if view.dim <= MOST_DENSE:
        phi = layer_map(view)(np.ones((view.dim, view.dim)))[upper]
        factors = lu_factor(np.eye(n) - (phi / scale)[:, None] * view.excess_matrix() * scale)
        return lambda residual: np.asarray(lu_solve(factors, residual))
    operator = LinearOperator((n, n), matvec=apply, dtype=np.float64)
    return lambda residual: np.asarray(gmres(operator, residual, rtol=1e-12, restart=60, maxiter=200)[0])


def _require_mean_stability(view: Frame) -> None:
    gaps = view.steps.mean_gap(view.lam)
    worst = int(np.argmin(gaps))
    if gaps[worst] <= 0:
        raise UnstableDynamicsError(
            f"no stationary covariance: A(lambda) has spectral radius {1 - gaps[worst]:.6g} >= 1 at lambda = "
            f"{view.lam[worst]:.6g} (eta lambda = {view.steps.eta * view.lam[worst]:.3g}); lower eta or gamma"
        )


def _require_stability(view: Frame) -> None:
    _require_mean_stability(view)
    side = judges(view)[-1](0.0)
    if side == 1:
        return
    ratio = layer_radius(view)
    if side == 0:
        raise UndecidedRadiusError(
            f"no stationary covariance: the spectral radius of B is too close to 1 to tell on which side it lies (each "
            f"layer is {ratio:.12g} times the one before); change eta = {view.steps.eta:.6g} a little"
        )
    raise UnstableDynamicsError(
        f"no stationary covariance: each layer is {ratio:.6g} >= 1 times the one before, so the spectral radius of "
        f"B is at least 1; lower eta (the paper asks eta <= 1/(16 R^2) = {1 / (16 * view.design.r2):.3g}, here "
        f"eta = {view.steps.eta:.3g})"
    )
