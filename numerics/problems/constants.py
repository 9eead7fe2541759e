r"""B and L of the paper's generalised assumptions: the smallest constants with, for all x,

    E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2             <= 2 L_l B (F(x) - F(x*)),
    E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2_{Sigma^-1}  <= 2 L_l L (F(x) - F(x*)).

alpha R^2 and alpha kappa~ always do. As x -> x* the ratio tends to a generalised Rayleigh quotient, whose largest value
is `local`. `searched` is the largest ratio met by a random search with local improvement: a lower bound of the smallest
constant, so that the truth lies in [max(local, searched), generic] up to the error of the integrals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from numerics.designs.checks import Array

from .engines import Weight
from .estimate import QuadratureError
from .quantities import Quantities

RADII = (1e-2, 1e2)
_PLAIN = (Weight.NORM, Weight.NORM_MATRIX)
_STATISTICAL = (Weight.STATISTICAL_NORM, Weight.STATISTICAL_NORM_MATRIX)


@dataclass(frozen=True, eq=False)
class Bracket:
    """A constant known to lie between `lower` and `generic`."""

    generic: float
    local: float
    searched: float
    worst_x: Array

    @property
    def lower(self) -> float:
        return max(self.local, self.searched)


@dataclass(frozen=True, eq=False)
class NoiseConstants:
    """B and L, each as a bracket, with the search in words."""

    B: Bracket
    L: Bracket
    search: str


def search_noise_constants(
    quantities: Quantities, x_star: Array, rng: np.random.Generator, *, evaluations: int
) -> NoiseConstants:
    """Half of the evaluations are random points, half are local improvements of the best of them, for each constant."""
    if evaluations < 2:
        raise ValueError(f"evaluations = {evaluations} is too few for a search; give at least 2")
    design, alpha = quantities.design, quantities.loss.alpha
    b, skipped_b = _bracket(quantities, x_star, alpha * design.r2, _PLAIN, rng, evaluations)
    l, skipped_l = _bracket(quantities, x_star, alpha * design.kappa_tilde, _STATISTICAL, rng, evaluations)
    words = (
        f"the limit at x* as a generalised eigenvalue; then {evaluations} points x for each constant: directions "
        f"uniform on the sphere of |x - x*|_Sigma and log-uniform radii in [{RADII[0]:g}, {RADII[1]:g}] times "
        f"max(1, |x*|_Sigma), the second half by random local improvement; {skipped_b + skipped_l} points skipped "
        "because an integral was not found to four digits"
    )
    return NoiseConstants(b, l, words)


def _bracket(
    quantities: Quantities,
    x_star: Array,
    generic: float,
    weights: tuple[Weight, Weight],
    rng: np.random.Generator,
    evaluations: int,
) -> tuple[Bracket, int]:
    coarse, smoothness = quantities.coarse(), quantities.loss.L

    def ratio(x: Array) -> float | None:
        try:
            growth = coarse.noise_growth(x, x_star, weights[0]).value
            return growth / (2 * smoothness * coarse.excess(x, x_star).value)
        except QuadratureError:
            return None

    half = quantities.design.eigenvectors / np.sqrt(quantities.design.eigenvalues)
    hessian = half.T @ quantities.hessian(x_star).value @ half
    growth = half.T @ quantities.curvature_growth(x_star, weights[1]).value @ half
    local = float(linalg.eigh(growth, smoothness * hessian, eigvals_only=True)[-1])
    searched, worst, skipped = _searched(ratio, half, x_star, rng, evaluations)
    return Bracket(generic, local, searched, worst), skipped


def _searched(
    ratio: Callable[[Array], float | None], half: Array, x_star: Array, rng: np.random.Generator, evaluations: int
) -> tuple[float, Array, int]:
    """Maximise over x = x* + half @ u: random u, then shrinking Gaussian moves of the best u."""
    d = len(x_star)
    size = max(1.0, float(np.linalg.norm(np.linalg.solve(half, x_star))))
    low, high = np.log(RADII[0] * size), np.log(RADII[1] * size)
    best, best_u, spread, skipped = 0.0, np.full(d, RADII[0]), 0.5, 0
    for k in range(evaluations):
        exploring = k < evaluations - evaluations // 2
        if exploring:
            u = rng.standard_normal(d)
            u *= np.exp(rng.uniform(low, high)) / np.linalg.norm(u)
        else:
            u = best_u + spread * np.linalg.norm(best_u) / np.sqrt(d) * rng.standard_normal(d)
        value = ratio(x_star + half @ u)
        skipped += value is None
        if value is not None and value > best:
            best, best_u, spread = value, u, min(1.5 * spread, 1.0)
        elif not exploring:
            spread *= 0.85
    return best, x_star + half @ best_u, skipped
