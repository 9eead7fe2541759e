r"""All K outer iterations in expectation: least squares with independent noise, b = a.w + e, for designs whose pairs of
directions decouple (Gaussian, elliptical, one-hot, independent coordinates).

With X = x~ - c for a centre c, each inner loop moves p = y - y~ by

    g = S^ p + (1/L) sum_i a_i a_i^T f + S phi - Sigma f - noise,      f = slope X + pull,    phi_i = ratio_i X_i,

so that one inner loop maps the second moments of (phi, f) and the noise level to those of its tail sum: a table that is
computed once. The outer loop is then a recursion on E X_k^2, E X_k X_{k-1}, E X_{k-1}^2 and E X_k in every direction.
The momentum beta_k and the step h_k may change from round to round; h_k multiplies slope, pull, ratio and the noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numerics.designs import Design
from numerics.operators import Array, StepSizes

from .frame import Frame, frame
from .variants import Phase, Variant, change_of_steps, phase_increment, pieces
from .variants_moments import Law, Moments, Segment, leap

P, V, TAIL, PHI, F = range(5)


@dataclass(frozen=True, eq=False)
class Quadratic:
    """What one round of h = 1 sees of the problem, in the eigenbasis: see the head of this module.

    E F(x) - F(x*) = sum_i risk_i E (X_i + offset_i)^2.
    """

    slope: float
    pull: Array
    ratio: Array
    noise: float  # variance of the scalar in front of a
    risk: Array
    offset: Array


@dataclass(frozen=True, eq=False)
class Response:
    """One inner loop: its tail average s has E s^2 = squares . (phi^2, phi f, f^2, noise) and E s_i = mean_i phi_i."""

    squares: Array  # (d, 3 d + 1)
    mean: Array  # (d,)


def decoupled(design: Design, steps: StepSizes) -> Frame | None:
    """The eigenbasis, or None where all pairs of directions couple."""
    view = frame(design, steps)
    return None if view.excess is None else view


def response(view: Frame, variant: Variant) -> Response:
    """The table of one inner loop."""
    law, lam = Law.of(view), view.lam + variant.ridge
    moments, d = Moments(law, 5), view.dim
    starts = np.zeros((moments.size + 1, 3 * d + 1))
    for k, (a, b) in enumerate(((PHI, PHI), (PHI, F), (F, F))):
        for i in range(d):
            starts[_place(moments, a, b, i), k * d + i] = 1.0
    starts[-1, -1] = 1.0
    mean, last = np.tile(np.eye(5), (d, 1, 1)), None
    values = starts
    for phase, steps, tail in pieces(variant):
        if last not in (None, phase.steps):
            change = change_of_steps(last, phase.steps, 5)
            values = np.column_stack([moments.transformed(column, change) for column in values.T])
            mean = change @ mean
        segment = _segment(view, lam, phase, steps, tail)
        values, last = leap(moments.generator(segment), values, steps), phase.steps
        mean = _power(segment.increment, steps) @ mean
    count = variant.horizon - variant.horizon // 2
    return Response(moments.diagonal(values, TAIL, TAIL) / count**2, mean[:, TAIL, PHI] / count)


def rounds(
    view: Frame,
    variant: Variant,
    problem: Quadratic,
    start: Array,
    h: Sequence[float],
    beta: Sequence[float],
    runs: int = 1,
) -> float:
    """E F(x~_K) - F(x*) from X_0 = `start` (in the eigenbasis); `runs` inner runs are averaged in every round."""
    table = response(view, variant)
    now, mixed, before, first = start**2, start**2, start**2, (start.copy(), start.copy())
    for step, momentum in zip(h, beta, strict=True):
        more = 1 + momentum
        y2 = more**2 * now - 2 * more * momentum * mixed + momentum**2 * before
        y1, yx = more * first[0] - momentum * first[1], more * now - momentum * mixed
        ratio, slope, pull = step * problem.ratio, step * problem.slope, step * problem.pull
        phi_f = ratio * (slope * y2 + pull * y1)
        f_f = slope**2 * y2 + 2 * slope * pull * y1 + pull**2
        squares = table.squares @ np.concatenate([ratio**2 * y2, phi_f, f_f, [step**2 * problem.noise]])
        gain = table.mean * ratio
        squares = squares / runs + (1 - 1 / runs) * gain**2 * y2
        now, mixed, before = y2 + 2 * gain * y2 + squares, (1 + gain) * yx, now
        first = ((1 + gain) * y1, first[0])
    offset = problem.offset
    return float(problem.risk @ (now + 2 * offset * first[0] + offset**2))


def _segment(view: Frame, lam: Array, phase: Phase, steps: int, tail: bool) -> Segment:
    inner, direction = phase_increment(phase.steps, lam, tail=tail)
    increment, outward = np.zeros((view.dim, 5, 5)), np.zeros(5)
    increment[:, :3, :3], outward[:3] = inner, direction
    increment[:, :3, PHI] = -direction * lam[:, None]
    weight = np.zeros((5, 5))
    weight[P, P] = weight[P, F] = weight[F, P] = 1 / phase.size
    weight[F, F] = 1 / phase.labelled
    return Segment(steps, increment, outward, weight, view.lam / phase.labelled)


def _place(moments: Moments, a: int, b: int, i: int) -> int:
    marked = moments.diagonal(np.arange(moments.size, dtype=np.float64), a, b)
    return int(marked[i])


def _power(increment: Array, steps: int) -> Array:
    """(I + increment)^steps for every direction."""
    n = increment.shape[-1]
    total = np.zeros_like(increment)
    while steps:
        if steps & 1:
            total = total + increment + increment @ total
        steps >>= 1
        if steps:
            increment = 2 * increment + increment @ increment
    return np.asarray(total + np.eye(n))
