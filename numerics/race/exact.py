r"""What SADA's excess risk is in expectation, from the exact engine, where that engine applies.

Well-specified least squares and one outer iteration with h = 1/L_l: the inner loop runs on b - a.w = e with x_+^* = w,
so that E F(x) - F(x*) = (L_l/2) (E |r|^2_Sigma + E |v|^2_Sigma), the tail averages of bias and variance.
"""

from __future__ import annotations

import numpy as np

from numerics.covariance import bias_average, frame, variance_average
from numerics.losses import Squared
from numerics.operators import StepSizes
from numerics.optimizers import SadaParams
from numerics.problems import Problem

LONGEST_COUPLED = 20_000  # steps, where all pairs of directions couple and time must be walked through


def expected_excess(problem: Problem, params: SadaParams) -> float | None:
    """The expectation for the start x_0 = 0, or None where the engine does not apply."""
    variance, w = problem.labels.homoscedastic_variance, problem.labels.centre
    simple = params.K == params.runs == params.batch == 1
    if not (isinstance(problem.loss, Squared) and variance is not None and w is not None and simple):
        return None
    if abs(params.h[0] * problem.loss.L - 1) > 1e-12:
        return None
    steps = StepSizes(params.eta, params.theta, params.gamma)
    if frame(problem.design, steps).excess is None and params.T > LONGEST_COUPLED:
        return None
    bias = bias_average(problem.design, steps, np.asarray(-w), params.T)
    noise = variance_average(problem.design, steps, variance * problem.design.sigma, params.T)
    return 0.5 * problem.loss.L * (bias + noise)
