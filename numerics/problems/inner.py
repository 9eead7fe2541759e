r"""The inner problem at y~ of a problem with finitely many samples (a_k, b_k), and the noise of its gradients.

Single samples have the gradient  g = s_k a_k + c_0 + (w_k a_k a_k^T + ridge I)(y - y~)  with

    Algorithm 1     s = h l',                       w = 1,    c_0 = 0,                 ridge = 0
    SADA-WC         s = h (l' + (eps/M^2) a.y~),    w = 1,    c_0 = h (eps/D^2) y~,    ridge = eps/(L' D^2)
      as printed    s = h (l' + eps/(2 M^2)),       w = 1,    c_0 = 0,                 ridge = eps/(L_l D^2)
    second phase    s = l',                         w = l''(a.y~, b),    L' = L_l + eps/M^2 above

The minimiser is y~ - delta with S delta = E s a + c_0, S = E w a a^T + ridge I, and the noise is zeta = eps a + c with
eps = w a.delta - s and c = ridge delta - c_0: sums over samples, exact up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs import FiniteSupport
from numerics.designs.checks import Array, vector_argument

from .discrete_labels import TabulatedLabels
from .problem import Problem


@dataclass(frozen=True, eq=False)
class Support:
    """Samples (a_k, b_k) with their probabilities."""

    a: Array
    b: Array
    weights: Array


@dataclass(frozen=True, eq=False)
class InnerProblem:
    """What the exact dynamics take: the law of the outer products w a a^T, delta, R = E zeta zeta^T and T3."""

    design: FiniteSupport
    minimiser: Array
    start: Array
    noise: Array
    third_moment: Callable[[Array], Array]
    ridge: float = 0.0


def joint_support(problem: Problem) -> Support:
    """All samples of a problem with finitely many; refused by name where there are infinitely many."""
    support = problem.design.finite_support()
    if support is None or not problem.labels.exact_sum:
        what = type(problem.design if support is None else problem.labels).__name__
        raise ValueError(f"{what}: takes infinitely many values; give a finite-support design and discrete labels")
    atoms = support.atoms
    tabulated = isinstance(problem.labels, TabulatedLabels)
    t = np.empty((len(atoms), 0)) if tabulated else atoms @ problem.labels.directions.T
    b, given = problem.labels.conditional(t, np.empty((len(atoms), 0)), 0)
    weights = support.weights[:, None] * given
    keep = weights.ravel() > 0
    a = np.repeat(atoms, b.shape[1], axis=0)
    return Support(a[keep], problem.loss.check_labels(b.ravel()[keep]), weights.ravel()[keep])


def inner_problem(problem: Problem, y: ArrayLike, h: float = 1.0) -> InnerProblem:
    """Of Algorithm 1, mini-batches and SADA-UD."""
    at, centre = joint_support(problem), vector_argument(y, dim=problem.dim, name="y")
    slope = h * problem.loss.d1(at.a @ centre, at.b)
    return _inner(at, centre, slope, np.ones(len(at.b)), np.zeros(problem.dim), 0.0)


def inner_problem_wc(
    problem: Problem, y: ArrayLike, h: float, epsilon: float, D: float, M: float, *, printed: bool = False
) -> InnerProblem:
    """Of SADA-WC, with the gradient of the surrogate or as printed."""
    at, centre = joint_support(problem), vector_argument(y, dim=problem.dim, name="y")
    z = at.a @ centre
    slope, one, L = problem.loss.d1(z, at.b), np.ones(len(at.b)), problem.loss.L
    if printed:
        slope = h * (slope + epsilon / (2 * M**2))
        return _inner(at, centre, slope, one, np.zeros(problem.dim), epsilon / (L * D**2))
    slope = h * (slope + epsilon / M**2 * z)
    ridge = epsilon / ((L + epsilon / M**2) * D**2)
    return _inner(at, centre, slope, one, h * epsilon / D**2 * centre, ridge)


def inner_problem_curved(problem: Problem, y: ArrayLike) -> InnerProblem:
    """Of the second phase, in the metric of the Hessian at y: its minimiser is Newton's step."""
    at, centre = joint_support(problem), vector_argument(y, dim=problem.dim, name="y")
    z = at.a @ centre
    return _inner(at, centre, problem.loss.d1(z, at.b), problem.loss.d2(z, at.b), np.zeros(problem.dim), 0.0)


def _inner(at: Support, y: Array, slope: Array, curvature: Array, constant: Array, ridge: float) -> InnerProblem:
    design = FiniteSupport(at.a * np.sqrt(curvature)[:, None], at.weights / at.weights.sum())
    gradient = at.a.T @ (at.weights * slope) + constant
    delta = np.asarray(np.linalg.solve(design.sigma + ridge * np.eye(len(y)), gradient), dtype=np.float64)
    residual = curvature * (at.a @ delta) - slope
    shift = ridge * delta - constant

    def gram(factors: Array) -> Array:
        return np.asarray(at.a.T @ (at.a * (at.weights * factors)[:, None]))

    def third(direction: Array) -> Array:
        whole = gram(residual * curvature * (at.a @ direction)) + np.outer(design.sigma @ direction, shift)
        return np.asarray((whole + whole.T) / 2)

    noise = gram(residual**2) - np.outer(shift, shift)
    return InnerProblem(design, y - delta, delta, (noise + noise.T) / 2, third, ridge)
