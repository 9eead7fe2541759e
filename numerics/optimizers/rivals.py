"""SGD (tail average; step decay), accelerated SGD, Streaming SVRG and ROOT-SGD as streaming methods.

`estimate` in mid-run: the running tail average once the second half has begun, before that the iterate; for step decay
and ROOT-SGD the iterate; for Streaming SVRG the last anchor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics.designs.checks import Array

from . import references_rivals as references
from . import rival_kernels as kernels
from .core import Family, streaming
from .info import ProblemInfo
from .loss_code import CompiledLoss, compiled_loss
from .params import AsgdParams, RootParams, SgdParams, StepDecayParams, SvrgParams
from .simd import aligned_zeros, padded
from .state import Clock, Method, Suspect


@dataclass(frozen=True, eq=False)
class Plan:
    """What the kernels take besides data and state."""

    dim: int
    params: Any
    steps: Array
    loss: CompiledLoss

    @property
    def pad(self) -> int:
        return padded(self.dim)


def _prepare(steps: Callable[[Any], list[float]]) -> Callable[[ProblemInfo, Any], Plan]:
    return lambda info, params: Plan(info.dim, params, np.array(steps(params)), compiled_loss(info.loss))


def _start(slots: int, copies: tuple[int, ...], clock: int = 1) -> Callable[[Plan, Array], tuple[Clock, Array]]:
    """`copies` are the vectors that start at x0."""

    def start(plan: Plan, x0: Array) -> tuple[Clock, Array]:
        vectors = aligned_zeros(slots * plan.pad)
        for slot in copies:
            vectors[slot * plan.pad : slot * plan.pad + plan.dim] = x0
        return np.zeros(clock, dtype=np.int64), vectors

    return start


def _tail_average(plan: Plan, clock: Clock, vectors: Array, held_a: Array, held_b: Array) -> Array:
    beyond = int(clock[0]) - plan.params.n // 2
    return np.asarray(vectors[plan.pad : 2 * plan.pad] / beyond) if beyond > 0 else vectors[: plan.pad]


def _last_iterate(plan: Plan, clock: Clock, vectors: Array, held_a: Array, held_b: Array) -> Array:
    return vectors[: plan.pad]


def _last_anchor(plan: Plan, clock: Clock, vectors: Array, held_a: Array, held_b: Array) -> Array:
    return vectors[kernels.ANCHOR * plan.pad : (kernels.ANCHOR + 1) * plan.pad]


def _advance_sgd(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array) -> int:
    kernels.sgd(clock, vectors, plan.dim, plan.pad, plan.steps, plan.params.n, plan.loss.code, a.reshape(-1), b)
    return len(b)


def _advance_asgd(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array) -> int:
    kernels.asgd(clock, vectors, plan.dim, plan.pad, plan.steps, plan.params.n, plan.loss.code, a.reshape(-1), b)
    return len(b)


def _advance_root(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array) -> int:
    eta, burn_in = plan.params.eta, plan.params.burn_in
    kernels.root_sgd(clock, vectors, plan.dim, plan.pad, eta, burn_in, plan.loss.code, a.reshape(-1), b)
    return len(b)


def _advance_svrg(plan: Plan, clock: Clock, vectors: Array, a: Array, b: Array) -> int:
    """The clock holds the stage and the samples taken in it: k_s for the anchor, then m for the inner steps."""
    params, pad, code, done = plan.params, plan.pad, plan.loss.code, 0
    slot = [vectors[i * pad : (i + 1) * pad] for i in range(kernels.SVRG_SLOTS)]
    while done < len(b):
        stage, taken = int(clock[0]), int(clock[1])
        k = references.anchor_size(params.k0, params.growth, stage)
        end = k if taken < k else k + params.m
        rows = slice(done, done + min(end - taken, len(b) - done))
        flat, labels = a[rows].reshape(-1), b[rows]
        if taken < k:
            kernels.svrg_anchor(vectors, plan.dim, pad, 1.0 / k, code, flat, labels)
        else:
            keep = references.drawn_iterate(params.seed, stage, params.m)
            kernels.svrg_inner(vectors, plan.dim, pad, params.step, taken - k, keep, code, flat, labels)
        done = rows.stop
        clock[1] = taken + len(labels)
        if clock[1] == k + params.m:
            if not np.all(np.isfinite(slot[kernels.X])):
                slot[kernels.KEPT][:] = np.nan  # a bad row after the kept iterate must not go unnoticed
            slot[kernels.ANCHOR][:] = slot[kernels.KEPT]
            slot[kernels.X][:] = slot[kernels.KEPT]
            slot[kernels.MEAN][:] = 0.0
            clock[:] = stage + 1, 0
    return done


def _suspects(name: str, scale: float = 1.0, rule: str = "1/(L_l R^2)") -> Callable[..., tuple[Suspect, ...]]:
    def suspects(info: ProblemInfo, params: Any) -> tuple[Suspect, ...]:
        limit = None if info.r2 is None else scale / (info.loss.L * info.r2)
        return (Suspect(name, float(getattr(params, name)), limit, rule),)

    return suspects


def _method(name: str, title: str, kind: Any, steps: Callable[[Any], list[float]], *parts: Any, **more: Any) -> Method:
    start, advance, output = parts
    return streaming(
        Family(name, title, kind, _prepare(steps), start, advance, output, horizon=lambda params: params.n, **more)
    )


SGD = _method(
    "sgd",
    "SGD with constant step and tail averaging",
    SgdParams,
    lambda params: [params.eta],
    _start(kernels.X_SLOTS, (kernels.X,)),
    _advance_sgd,
    _tail_average,
    suspects=_suspects("eta"),
    reference=references.sgd,
)
SGD_DECAY = _method(
    "sgd-decay",
    "SGD with step decay, last iterate",
    StepDecayParams,
    lambda params: [params.eta * 0.5**phase for phase in range(params.phases)],
    _start(kernels.X_SLOTS, (kernels.X,)),
    _advance_sgd,
    _last_iterate,
    suspects=_suspects("eta"),
    reference=references.sgd_decay,
)
ASGD = _method(
    "asgd",
    "accelerated SGD of Jain et al. with tail averaging",
    AsgdParams,
    lambda params: [params.A, params.B, params.G, params.D],
    _start(kernels.ASGD_SLOTS, (kernels.X, 2)),
    _advance_asgd,
    _tail_average,
    suspects=_suspects("D", 0.2, "1/(5 L_l R^2)"),
    reference=references.asgd,
)
STREAMING_SVRG = _method(
    "streaming-svrg",
    "Streaming SVRG of Frostig et al.",
    SvrgParams,
    lambda params: [params.step],
    _start(kernels.SVRG_SLOTS, (kernels.X, kernels.ANCHOR, kernels.KEPT), clock=2),
    _advance_svrg,
    _last_anchor,
    suspects=_suspects("step"),
    reference=references.streaming_svrg,
)
ROOT_SGD = _method(
    "root-sgd",
    "ROOT-SGD of Li et al. with burn-in",
    RootParams,
    lambda params: [params.eta],
    _start(kernels.ROOT_SLOTS, (kernels.X, kernels.BEFORE)),
    _advance_root,
    _last_iterate,
    suspects=_suspects("eta"),
    reference=references.root_sgd,
)
