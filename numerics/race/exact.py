r"""What a method's excess risk is in expectation, from the exact engine, where that engine applies.

Least squares with label noise independent of a, start x_0 = 0: all outer iterations of SADA with any step sizes,
mini-batches, parallel runs, SADA-UD and SADA-WC, for designs whose pairs of directions decouple. Least squares on any
finite number of samples, such as the rows of a table, and independent noise on any design: one outer iteration of
Algorithm 1 with h = 1/L_l, also in batches.
"""

from __future__ import annotations

import numpy as np

from numerics.covariance.variants import (
    ThirdMoment,
    Variant,
    mini_batch,
    unlabelled_corrected,
    unlabelled_printed,
    variant_risk,
    weakly_convex,
)
from numerics.covariance.variants_rounds import Quadratic, decoupled, rounds
from numerics.designs import Design, Elliptical, Gaussian, ScaleMixture, StudentT
from numerics.designs.checks import Array
from numerics.losses import Squared
from numerics.operators import StepSizes
from numerics.optimizers import InnerSteps, Params, SadaParams, SadaUDParams, SadaWCParams
from numerics.problems import Problem, inner_problem

LARGEST_COUPLED = 12  # dimension, where all pairs of directions couple: the system has about (3d)^2/2 unknowns
EXACT = ("sada", "sada-ud-printed", "sada-ud-corrected", "sada-wc-printed", "sada-wc-corrected")
SYMMETRIC = (Gaussian, StudentT, ScaleMixture, Elliptical)


def expected_excess(problem: Problem, params: Params, method: str = "sada") -> float | None:
    """The expectation of `method` with these parameters, or None where the engine does not apply."""
    base = params if isinstance(params, SadaParams) else getattr(params, "base", None)
    if not isinstance(problem.loss, Squared) or not isinstance(base, SadaParams) or base.theta >= 1:
        return None
    variant = variant_of(problem, params, method)
    if variant is None:
        return None
    variance, w = problem.labels.homoscedastic_variance, problem.labels.centre
    view = decoupled(problem.design, variant.phases[0].steps)
    if view is None or variance is None or w is None:
        return _one_loop(problem, params, variant)
    target = view.into_vector(np.asarray(w))
    quadratic = _quadratic(problem, params, method, view.lam, target, variance, variant.ridge)
    start = -target - quadratic.offset
    return rounds(view, variant, quadratic, start, base.h, base.beta, base.runs)


def variant_of(problem: Problem, params: Params, method: str = "sada") -> Variant | None:
    """One inner run of a method as the exact dynamics take it; None for a method that they do not know."""
    if isinstance(params, SadaParams) and method == "sada":
        return mini_batch(_steps(params), params.T // params.runs, params.batch)
    if isinstance(params, SadaUDParams):
        base = params.base
        if method == "sada-ud-printed":
            return unlabelled_printed(_steps(base), base.T, params.m, params.T0)
        second = None if params.second is None else _steps(params.second)
        return unlabelled_corrected(_steps(base), base.T, params.m, params.T0, second)
    if isinstance(params, SadaWCParams) and params.base.runs == params.base.batch == 1:
        if method == "sada-wc-printed" and not isinstance(problem.design, SYMMETRIC):
            return None  # its term (eps/2M^2) a has a mean, and odd moments enter
        smoothness = problem.loss.L + (0.0 if method == "sada-wc-printed" else params.epsilon / params.M**2)
        return weakly_convex(_steps(params.base), params.base.T, params.epsilon / (smoothness * params.D**2))
    return None


def _steps(steps: SadaParams | InnerSteps) -> StepSizes:
    return StepSizes(steps.eta, steps.theta, steps.gamma)


def _quadratic(
    problem: Problem,
    params: Params,
    method: str,
    lam: Array,
    w: Array,
    variance: float,
    ridge: float,
) -> Quadratic:
    """Relative to w, or for the corrected SADA-WC relative to the minimiser of its surrogate."""
    s, zero, risk = problem.loss.L, np.zeros_like(lam), 0.5 * problem.loss.L * lam
    if not isinstance(params, SadaWCParams):
        return Quadratic(s, zero, np.full_like(lam, s), s**2 * variance, risk, zero)
    if method == "sada-wc-printed":
        const = params.epsilon / (2 * params.M**2)
        return Quadratic(s, zero, s * lam / (lam + ridge), s**2 * variance + const**2, risk, zero)
    first, second = params.epsilon / params.M**2, params.epsilon / params.D**2
    hessian = (s + first) * lam + second
    centre = s * lam * w / hessian
    pull = (s + first) * centre - s * w
    return Quadratic(s + first, pull, hessian / (lam + ridge), s**2 * variance, risk, centre - w)


def _one_loop(problem: Problem, params: Params, variant: Variant) -> float | None:
    """Algorithm 1, also in batches, with one outer iteration and h = 1/L_l: then x_+^* = x*."""
    if not isinstance(params, SadaParams) or not params.K == params.runs == 1:
        return None
    if abs(params.h[0] * problem.loss.L - 1) > 1e-12 or problem.dim > LARGEST_COUPLED:
        return None
    if problem.design.finite_support() is not None and problem.labels.exact_sum:
        inner = inner_problem(problem, np.zeros(problem.dim), params.h[0])
        third: ThirdMoment | None = inner.third_moment
        design: Design = inner.design
        noise, start = inner.noise, inner.start
    elif problem.labels.homoscedastic_variance is not None and problem.labels.centre is not None:
        design, third, start = problem.design, None, -problem.labels.centre
        noise = problem.labels.homoscedastic_variance * design.sigma
    else:
        return None
    return 0.5 * problem.loss.L * variant_risk(design, variant, noise, start, third)
