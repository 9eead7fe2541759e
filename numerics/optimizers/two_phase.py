r"""SADA, then the second phase that the paper's section on high-order smoothness leaves open.

The first phase is Algorithm 1. Each round of the second phase solves, from y~ = x~ and with the same inner loop,

    min_x  E <l'(a.y~, b) a, x - y~> + (1/2) |x - y~|^2_{grad^2 F(y~)},

whose minimiser is Newton's step: l''(a.y~, b) a a^T takes the place of a a^T, and h = 1. Near x* the noise is then
filtered by the Hessian itself, tr((grad^2 F)^-1 Q), where the bound on Algorithm 1 has alpha tr(H^-1 Q). With `h` the
second phase keeps the metric Sigma: a long last round of Algorithm 1, to tell what the Hessian gives from what the
longer average gives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array

from . import references
from .core import Family, streaming
from .curved_kernels import advance_curved, begin_curved
from .info import ProblemInfo
from .loss_code import CompiledLoss, compiled_curvature
from .params import SadaTwoPhaseParams
from .sada import Plan, advance_first, output_first, plan_first, start_first, suspects_first
from .sada_kernels import XT, YT, S, inner_table
from .state import Clock, Suspect


@dataclass(frozen=True, eq=False)
class TwoPhasePlan:
    """The plan of the first phase, and what the second one takes."""

    first: Plan
    table: Array
    steps: int
    rounds: int
    curvature: CompiledLoss
    h: float  # 0: in the metric of the Hessian

    @property
    def loss(self) -> CompiledLoss:
        return self.first.loss

    @property
    def begun(self) -> int:
        """The clock when the second phase begins: K rounds are done."""
        return len(self.first.h)


def _plan(info: ProblemInfo, params: SadaTwoPhaseParams) -> TwoPhasePlan:
    first, second = plan_first(info, params.base), params.second
    table = inner_table(second.eta, second.gamma, second.theta)
    curvature = compiled_curvature(info.loss, first.loss.errors)
    return TwoPhasePlan(first, table, params.T2, params.K2, curvature, params.h or 0.0)


def _advance(plan: TwoPhasePlan, clock: Clock, vectors: Array, a: Array, b: Array) -> int:
    first, used = plan.first, 0
    if clock[0] < plan.begun:
        used = advance_first(first, clock, vectors, a, b)
        if clock[0] < plan.begun:
            return used
        begin_curved(vectors, first.pad)
    last, code, second = plan.begun + plan.rounds, first.loss.code, plan.curvature.code[4]
    flat, d, pad = a.reshape(-1), first.dim, first.pad
    table, steps, n = plan.table, plan.steps, len(b)
    return int(advance_curved(clock, vectors, d, pad, table, steps, last, code, second, plan.h, flat, b, used, n))


def _output(plan: TwoPhasePlan, clock: Clock, vectors: Array, held_a: Array, held_b: Array) -> Array:
    pad, half, t = plan.first.pad, plan.steps // 2, int(clock[2])
    if clock[0] < plan.begun:
        return output_first(plan.first, clock, vectors, held_a, held_b)
    if clock[0] == plan.begun + plan.rounds or t <= half:
        return vectors[XT * pad : XT * pad + pad]
    return np.asarray(vectors[YT * pad : YT * pad + pad] + vectors[S * pad : S * pad + pad] / (t - half))


def _suspects(info: ProblemInfo, params: SadaTwoPhaseParams) -> tuple[Suspect, ...]:
    scale = info.loss.L if params.h is None else 1.0
    limit = None if info.r2 is None else 1 / (5 * scale * info.r2)
    second = Suspect("second.eta", params.second.eta, limit, "1/(5 L_l R^2)" if params.h is None else "1/(5 R^2)")
    return (*suspects_first(info, params.base), second)


SADA_TWO_PHASE = streaming(
    Family(
        "sada-two-phase",
        "SADA, then inner loops in the metric of the Hessian",
        SadaTwoPhaseParams,
        _plan,
        lambda plan, x0: start_first(plan.first, x0),
        _advance,
        _output,
        horizon=lambda params: params.horizon,
        suspects=_suspects,
        unit=lambda plan, clock: 4 if clock[0] < plan.begun else 1,
        reference=references.sada_two_phase,
    )
)
