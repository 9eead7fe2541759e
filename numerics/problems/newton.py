r"""The minimiser of F by damped Newton steps in whitened coordinates, where mu_l I <= Hessian <= L_l I.

The distance to the true minimiser is bounded by what is left of the gradient: |x - x*|_Sigma <= |grad F(x)|_{Sigma^-1}
/ mu_l, with the estimated error of the gradient added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array, freeze

from .quantities import Quantities

MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class Minimiser:
    """x with |x - x*|_Sigma <= error (an estimate: it rests on the estimated error of the gradient)."""

    x: Array
    error: float
    steps: int


def minimise(quantities: Quantities, start: Array) -> Minimiser:
    """Refused when the gradient does not vanish, which strong convexity excludes for a right loss."""
    design, mu = quantities.design, quantities.loss.mu
    half = design.eigenvectors / np.sqrt(design.eigenvalues)
    x, best, slack = np.array(start, dtype=np.float64), np.inf, 0.0
    for steps in range(MOST_STEPS):
        gradient = quantities.gradient(x)
        white = half.T @ gradient.value
        norm = float(np.linalg.norm(white))
        slack = gradient.error * float(np.sqrt(design.dim / design.mu))
        if norm <= slack or (norm < 1e-9 * quantities.loss.L and norm > 0.5 * best):
            return Minimiser(freeze(x), (norm + slack) / mu, steps)
        best = min(best, norm)
        curvature = half.T @ quantities.hessian(x).value @ half
        step = half @ np.linalg.solve(curvature, white)
        x = _damped(quantities, x, step, gradient.value, half)
    raise ValueError(
        f"x*: {MOST_STEPS} Newton steps left a gradient of size {best:.3g}; check that l'' lies in "
        f"[mu, L] = [{mu:g}, {quantities.loss.L:g}] for this loss"
    )


def _damped(quantities: Quantities, x: Array, step: Array, gradient: Array, half: Array) -> Array:
    """The longest of the steps 1, 1/2, 1/4, ... that shortens the gradient or lowers F enough."""
    norm, value = float(np.linalg.norm(half.T @ gradient)), quantities.F(x).value
    for k in range(30):
        t = 0.5**k
        trial = x - t * step
        if np.linalg.norm(half.T @ quantities.gradient(trial).value) <= (1 - 0.1 * t) * norm:
            return trial
        if quantities.F(trial).value < value - 1e-4 * t * float(step @ gradient):
            return trial
    return x - step
