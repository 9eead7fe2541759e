r"""One last inner loop from a given point, exactly: Algorithm 1 beside the second phase, on finitely many samples.

Both start from y~ and take T fresh samples. `last_loop` gives E (1/2) |x - x*|^2_{grad^2 F(x*)} of the tail average x,
the excess risk to second order. Its three parts are the miss of the inner minimiser (x_+^* is not x*), the start that
is not yet forgotten, and the noise. As T grows and from y~ = x*, T times the noise of the second phase tends to
tr((grad^2 F)^-1 Q) and the share of the layers on top; the empirical minimiser of T samples has half of the trace,
because it averages all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numerics.covariance.variants import plain, variant_radii, variant_tail
from numerics.designs.checks import Array
from numerics.operators import StepSizes
from numerics.problems import InnerProblem, Problem, inner_problem, inner_problem_curved


@dataclass(frozen=True, eq=False)
class LastLoop:
    """`risk` = E (1/2) |x - x*|^2 in the Hessian at x*; `miss` is what it would be at the inner minimiser."""

    risk: float
    miss: float
    radius: float  # of the second-moment operator: below 1 when the loop is stable


def last_loop(problem: Problem, y: ArrayLike, steps: StepSizes, T: int, *, curved: bool, h: float = 1.0) -> LastLoop:
    """The second phase (`curved`) or an inner loop of Algorithm 1 with step h, of T samples from y~ = y."""
    inner = inner_problem_curved(problem, y) if curved else inner_problem(problem, y, h)
    return _measured(inner, problem.hessian(problem.x_star), problem.x_star, steps, T)


def _measured(inner: InnerProblem, hessian: Array, target: Array, steps: StepSizes, T: int) -> LastLoop:
    variant, offset = plain(steps, T), inner.minimiser - target
    tail = variant_tail(inner.design, variant, inner.noise, inner.start, inner.third_moment)
    radius = variant_radii(inner.design, variant)[0]
    return LastLoop(0.5 * tail.risk(hessian, offset), 0.5 * float(offset @ hessian @ offset), radius)


def efficient_risk(problem: Problem, n: int) -> float:
    """tr((grad^2 F(x*))^-1 Q)/(2 n): the risk that the empirical minimiser of n samples tends to."""
    return 0.5 * float(np.trace(np.linalg.solve(problem.hessian(problem.x_star), problem.Q))) / n
