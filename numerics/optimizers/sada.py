"""SADA, mini-batch SADA, parallel inner runs, SADA-WC and SADA-UD (printed and corrected) as streaming methods.

`estimate` in mid-run is what the algorithm would return if its stream ended: the mean of the finished inner runs, else
the running tail average, else the last x~.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array

from . import references
from .core import Family, aligned_copy, streaming
from .info import ProblemInfo
from .loss_code import CompiledLoss, compiled_loss
from .params import InnerSteps, SadaParams, SadaUDParams, SadaWCParams
from .sada_driver import advance, advance_bundles, begin_outer, begin_run, end_of_outer
from .sada_kernels import ACC, SLOTS, XP, XT, YT, S, inner_table, one
from .simd import aligned_zeros, padded
from .state import Clock, Method, Suspect


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything the kernels take besides data and state; `sizes` is None for single-sample steps."""

    dim: int
    tables: Array
    h: Array
    beta: Array
    shape: tuple[int, int]
    weights: tuple[float, float, float]
    sizes: tuple[int, int, int] | None
    loss: CompiledLoss
    workers: int

    @property
    def pad(self) -> int:
        return padded(self.dim)


def plan_first(
    info: ProblemInfo,
    base: SadaParams,
    *,
    second: InnerSteps | None = None,
    sizes: tuple[int, int, int] | None = None,
    weights: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ridge: float = 0.0,
) -> Plan:
    later = second or base
    tables = np.array(
        [
            inner_table(base.eta, base.gamma, base.theta, ridge),
            inner_table(later.eta, later.gamma, later.theta, ridge),
        ]
    )
    if sizes is None and base.batch > 1:
        sizes = (base.batch, 0, base.T)
    shape = (base.T // base.runs, base.runs)
    h, beta = np.array(base.h), np.array(base.beta)
    return Plan(info.dim, tables, h, beta, shape, weights, sizes, compiled_loss(info.loss), base.workers)


def _wc_printed(info: ProblemInfo, params: SadaWCParams) -> Plan:
    const = params.epsilon / (2 * params.M**2)
    return plan_first(info, params.base, weights=(0.0, const, 0.0), ridge=params.epsilon / (info.loss.L * params.D**2))


def _wc_corrected(info: ProblemInfo, params: SadaWCParams) -> Plan:
    weight_a = params.epsilon / params.M**2
    smoothness = info.loss.L + weight_a
    ridge = params.epsilon / (smoothness * params.D**2)
    pull = smoothness if ridge > 0 else 0.0
    return plan_first(info, params.base, weights=(weight_a - pull, 0.0, pull), ridge=ridge)


def _ud_printed(info: ProblemInfo, params: SadaUDParams) -> Plan:
    return plan_first(info, params.base, sizes=(1, params.m, params.T0))


def _ud_corrected(info: ProblemInfo, params: SadaUDParams) -> Plan:
    until = params.base.T if params.second is None else params.T0
    return plan_first(info, params.base, second=params.second, sizes=(1, params.m, until))


def start_first(plan: Plan, x0: Array) -> tuple[Clock, Array]:
    vectors = aligned_zeros(SLOTS * plan.pad)
    for slot in (XT, XP):
        vectors[slot * plan.pad : slot * plan.pad + plan.dim] = x0
    begin_outer(vectors, plan.pad, plan.h[0], plan.beta[0], plan.weights[2])
    return np.zeros(3, dtype=np.int64), vectors


def advance_first(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array) -> int:
    if plan.sizes is None and plan.workers > 1 and plan.shape[1] > 1:
        return _advance_in_threads(plan, clock, vectors, a, b)
    return _advance_serially(plan, clock, vectors, a, b, plan.shape)


def _advance_serially(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array, shape: tuple[int, int]) -> int:
    flat, n = a.reshape(-1), len(b)
    d, pad, h, beta, code = plan.dim, plan.pad, plan.h, plan.beta, plan.loss.code
    if plan.sizes is None:
        used = advance(clock, vectors, d, pad, plan.tables[0], h, beta, shape, plan.weights, code, flat, b, n)
    else:
        sizes, weights = plan.sizes, plan.weights
        used = advance_bundles(clock, vectors, d, pad, plan.tables, h, beta, shape, sizes, weights, code, flat, b, n)
    return int(used)


def _advance_in_threads(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array) -> int:
    """Whole inner runs side by side, the rest serially; sums are added in the order of the runs."""
    (steps, runs), used = plan.shape, 0
    with ThreadPoolExecutor(plan.workers) as pool:
        while used < len(b) and clock[0] < len(plan.h):
            whole = min(runs - int(clock[1]), (len(b) - used) // steps) if clock[2] == 0 else 0
            if whole < 2:
                rows = slice(used, used + steps - int(clock[2]))
                more = _advance_serially(plan, clock, vectors, a[rows], b[rows], plan.shape)
                used += more
                if more < len(b[rows]) or more == 0:
                    break
                continue
            pieces = [slice(used + i * steps, used + (i + 1) * steps) for i in range(whole)]
            for tail in pool.map(lambda rows: _tail_of_run(plan, clock, vectors, a[rows], b[rows]), pieces):
                vectors[ACC * plan.pad : (ACC + 1) * plan.pad] += tail
            used += whole * steps
            clock[1] += whole
            if clock[1] == runs:
                summed = runs * (steps - steps // 2)
                end_of_outer(clock, vectors, plan.pad, plan.h, plan.beta, plan.weights[2], summed)
    return used


def _tail_of_run(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array) -> Array:
    """The tail sum of one inner run from y~, on a copy of the state."""
    own = aligned_copy(vectors)
    own[ACC * plan.pad : (ACC + 1) * plan.pad] = 0.0
    begin_run(own, plan.pad, plan.h[clock[0]], plan.weights[2])
    _advance_serially(plan, np.array([clock[0], 0, 0]), own, a, b, (plan.shape[0], 2))
    return own[ACC * plan.pad : (ACC + 1) * plan.pad]


def _unit(plan: Plan, clock: Clock) -> int:
    if plan.sizes is None:
        return 4
    labelled, unlabelled, until = plan.sizes
    return labelled + (unlabelled if clock[2] < until else 0)


def _reads_label(plan: Plan, clock: Clock, held: int, n: int) -> NDArray[np.bool_] | None:
    """Which of the next n rows are labelled: the first of each bundle of m + 1, and all rows of single-sample steps."""
    if plan.sizes is None or plan.sizes[1] == 0:
        return None
    _, unlabelled, until = plan.sizes
    bundled, t = min(until, plan.shape[0]), int(clock[2])
    in_run = t * (1 + unlabelled) if t <= bundled else bundled * (1 + unlabelled) + t - bundled
    position = (in_run + held + np.arange(n)) % rows_of_outer(plan)
    return np.asarray((position >= bundled * (1 + unlabelled)) | (position % (1 + unlabelled) == 0))


def rows_of_outer(plan: Plan) -> int:
    """Rows that one outer iteration takes from the stream."""
    steps, runs = plan.shape
    labelled, unlabelled, until = plan.sizes or (1, 0, 0)
    return runs * (steps * labelled + min(until, steps) * unlabelled)


def output_first(plan: Plan, clock: Clock, vectors: Array, held_a: Array, held_b: Array) -> Array:
    """What the algorithm would return now; held single samples are taken on a copy."""
    pad, steps = plan.pad, plan.shape[0]
    k, run, t = (int(i) for i in clock)
    half = steps // 2
    if k == len(plan.h):
        return vectors[XT * pad : XT * pad + pad]
    if plan.sizes is None and len(held_b):
        vectors = vectors.copy()
        anchor = (plan.h[k], plan.weights[0], plan.weights[1])
        for row in range(len(held_b)):
            flat = held_a.reshape(-1)
            one(flat, held_b, row, plan.dim, pad, vectors, plan.tables[0], plan.loss.code, anchor, t >= half)
            t += 1
    if run == 0 and t <= half:
        return vectors[XT * pad : XT * pad + pad]
    centre = (1 - plan.h[k] * plan.weights[2]) * vectors[YT * pad : YT * pad + pad]
    if run > 0:
        return np.asarray(centre + vectors[ACC * pad : ACC * pad + pad] / (run * (steps - half)))
    return np.asarray(centre + vectors[S * pad : S * pad + pad] / (t - half))


def _horizon_ud(params: SadaUDParams, *, throughout: bool) -> int:
    base = params.base
    until = base.T if throughout and params.second is None else min(params.T0, base.T)
    return base.K * (base.T + until * params.m)


def suspects_first(info: ProblemInfo, base: SadaParams) -> tuple[Suspect, ...]:
    r2, mu, kappa = info.r2, info.mu, info.kappa_tilde
    momentum = None if mu is None or kappa is None else math.sqrt(base.eta / (kappa * mu)) / 4
    top = 1 / info.loss.L
    worst = max(base.h)
    return (
        Suspect("eta", base.eta, None if r2 is None else 1 / (16 * r2), "the theory's 1/(16 R^2)"),
        Suspect("gamma", base.gamma, momentum, "the theory's sqrt(eta/(kappa~ mu))/4"),
        Suspect("h", worst, top, "1/L_l"),
    )


def _ud_suspects(info: ProblemInfo, params: SadaUDParams, *, throughout: bool) -> tuple[Suspect, ...]:
    """Single-sample steps after T_0 have the single-sample limit, which the printed variant ignores."""
    if throughout or params.T0 >= params.base.T or info.r2 is None:
        return suspects_first(info, params.base)
    rule = "the single-sample 1/(16 R^2), which rules after T_0 (SADA-UD as printed)"
    return (Suspect("eta", params.base.eta, 1 / (16 * info.r2), rule),)


def _family(name: str, title: str, params_type: Any, prepare: Callable[..., Plan], **more: Any) -> Method:
    base = more.pop("base", lambda params: params.base)
    settings: dict[str, Any] = {
        "horizon": lambda params: params.horizon,
        "suspects": lambda info, params: suspects_first(info, base(params)),
        "unit": _unit,
        "reads_label": _reads_label,
    }
    settings.update(more)
    return streaming(Family(name, title, params_type, prepare, start_first, advance_first, output_first, **settings))


SADA = _family(
    "sada",
    "SADA (Algorithm 1), also in mini-batches and parallel inner runs",
    SadaParams,
    plan_first,
    base=lambda params: params,
    reference=references.sada,
)
SADA_WC_PRINTED = _family(
    "sada-wc-printed",
    "SADA-WC as printed",
    SadaWCParams,
    _wc_printed,
    reference=references.sada_wc_printed,
)
SADA_WC_CORRECTED = _family(
    "sada-wc-corrected",
    "SADA-WC with the gradient of the surrogate",
    SadaWCParams,
    _wc_corrected,
    reference=references.sada_wc_corrected,
)
SADA_UD_PRINTED = _family(
    "sada-ud-printed",
    "SADA-UD as printed",
    SadaUDParams,
    _ud_printed,
    horizon=lambda params: _horizon_ud(params, throughout=False),
    suspects=lambda info, params: _ud_suspects(info, params, throughout=False),
    reference=references.sada_ud_printed,
)
SADA_UD_CORRECTED = _family(
    "sada-ud-corrected",
    "SADA-UD, stable in both phases",
    SadaUDParams,
    _ud_corrected,
    horizon=lambda params: _horizon_ud(params, throughout=True),
    suspects=lambda info, params: _ud_suspects(info, params, throughout=True),
    reference=references.sada_ud_corrected,
)
