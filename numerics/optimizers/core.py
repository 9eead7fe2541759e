"""What all streaming methods share: checked blocks, rows held until their unit is full, divergence named and reported.

A `Family` is the part that differs. Data are not scanned on the way in: a row with NaN or infinity makes the iterate
non-finite, and only then is the block searched for it, so that clean data cost nothing. The old state is still there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.designs.checks import Array
from numerics.errors import DataError, DivergenceError, HorizonError, ParameterError
from numerics.losses import Loss, UserLoss

from .info import ProblemInfo
from .loss_code import CompiledLoss
from .params import Params
from .simd import aligned_zeros
from .state import Clock, Method, State, Suspect

LIMIT = 1e100  # an iterate beyond this has diverged


@dataclass(frozen=True)
class Family:
    """The functions that make a streaming method; `plan` is whatever `prepare` returns."""

    name: str
    title: str
    params_type: type[Params]
    prepare: Callable[[ProblemInfo, Any], Any]
    start: Callable[[Any, Array], tuple[Clock, Array]]
    advance: Callable[[Any, Clock, Array, Array, Array], int]
    output: Callable[[Any, Clock, Array, Array, Array], Array]
    horizon: Callable[[Any], int | None]
    suspects: Callable[[ProblemInfo, Any], tuple[Suspect, ...]]
    unit: Callable[[Any, Clock], int] = lambda plan, clock: 1
    reads_label: Callable[[Any, Clock, int, int], NDArray[np.bool_] | None] = lambda plan, clock, held, n: None
    loss: Callable[[Any], CompiledLoss] = lambda plan: plan.loss
    reference: Callable[..., Array] | None = None


def streaming(family: Family) -> Method:
    """The method that a family makes."""
    return Method(
        name=family.name,
        title=family.title,
        params_type=family.params_type,
        init=lambda info, x0, params: _init(family, info, x0, params),
        step=lambda state, a, b: _step(family, state, a, b),
        estimate=lambda state: _estimate(family, state),
        horizon=family.horizon,
        reference=family.reference,
        renew=lambda state: replace(state, plan=family.prepare(state.info, state.params)),
    )


def starting_point(info: ProblemInfo, x0: ArrayLike | None) -> Array:
    """A private read-only copy of x0; zero when None."""
    x = np.zeros(info.dim) if x0 is None else np.array(x0, dtype=np.float64)
    if x.shape != (info.dim,):
        raise DataError(f"x0 has shape {x.shape}, the problem has dimension {info.dim}; pass a vector of {info.dim}")
    if not np.all(np.isfinite(x)):
        raise DataError(f"x0: entry {int(np.argmax(~np.isfinite(x)))} is not finite; start from finite numbers")
    x.setflags(write=False)
    return x


def check_params(method: str, expected: type[Params], params: object) -> None:
    if not isinstance(params, expected):
        raise ParameterError(
            f"{method}: parameters are a {type(params).__name__}, needs {expected.__name__}; `presets` makes them"
        )


def _init(family: Family, info: ProblemInfo, x0: ArrayLike | None, params: Any) -> State:
    check_params(family.name, family.params_type, params)
    x = starting_point(info, x0)
    plan = family.prepare(info, params)
    clock, vectors = family.start(plan, x)
    return State(family.name, info, params, x, 0, 0, clock, vectors, plan=plan)


def check_block(info: ProblemInfo, a_block: ArrayLike, b_block: ArrayLike, seen: int) -> tuple[Array, Array]:
    """The block as contiguous float arrays of matching shape."""
    try:
        a = np.ascontiguousarray(a_block, dtype=np.float64)
        b = np.ascontiguousarray(b_block, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"block at row {seen}: not an array of numbers ({error}); convert the columns first") from None
    if a.ndim != 2 or b.ndim != 1 or len(a) != len(b):
        raise DataError(
            f"block at row {seen}: data of shape {a.shape} and labels of shape {b.shape}; "
            f"needs (rows, {info.dim}) and (rows,)"
        )
    if a.shape[1] != info.dim:
        raise DataError(
            f"block at row {seen}: {a.shape[1]} columns, the problem has dimension {info.dim}; select the same columns"
        )
    return a, b


def check_labels(info: ProblemInfo, b: Array, read: NDArray[np.bool_] | None, seen: int) -> None:
    """Refuse labels outside the loss's domain, among those that are read."""
    used = b if read is None else b[read]
    try:
        info.loss.check_labels(used)
    except ValueError as error:
        raise DataError(f"block at row {seen}: {error}") from None


def labels_checked_late(loss: Loss) -> bool:
    """Whether any finite label will do: then a bad one shows in the iterate, as a bad row does."""
    return type(loss)._allowed is Loss._allowed and not isinstance(loss, UserLoss)


def refuse_non_finite_rows(a: Array, seen: int) -> None:
    bad = ~np.isfinite(a)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        count = int(np.count_nonzero(bad.any(axis=1)))
        raise DataError(
            f"row {seen + row}, column {column} is {a[row, column]} ({count} rows of this block are not finite); "
            "remove or impute them"
        )


def _step(family: Family, state: State, a_block: ArrayLike, b_block: ArrayLike) -> State:
    a, b = check_block(state.info, a_block, b_block, state.seen)
    horizon = family.horizon(state.params)
    if horizon is not None and state.seen + len(b) > horizon:
        raise HorizonError(
            f"{family.name}: {state.seen + len(b)} samples offered, planned for {horizon}; plan more, or use doubling"
        )
    read = family.reads_label(state.plan, state.clock, state.waiting, len(b))
    if not labels_checked_late(state.info.loss):
        check_labels(state.info, b, read, state.seen)
    labelled = state.labelled + (len(b) if read is None else int(np.count_nonzero(read)))
    clock, vectors = state.clock.copy(), aligned_copy(state.vectors)
    rest_a, rest_b = _consume(family, state, clock, vectors, a, b)
    family.loss(state.plan).raise_error()
    _refuse_divergence(family, state, vectors, a, b, read)
    first = state.seen + len(b) - len(rest_b)
    refuse_non_finite_rows(rest_a, first)
    check_labels(state.info, rest_b, family.reads_label(state.plan, clock, 0, len(rest_b)), first)
    held = ((rest_a.copy(), rest_b.copy()),) if len(rest_b) else ()
    return replace(state, seen=state.seen + len(b), labelled=labelled, clock=clock, vectors=vectors, held=held)


def _consume(family: Family, state: State, clock: Clock, vectors: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Advance clock and vectors in place; returns the rows that do not fill a unit."""
    if state.held:
        held_a, held_b = state.held[0]
        missing = family.unit(state.plan, clock) - len(held_b)
        joined_a, joined_b = np.concatenate([held_a, a[:missing]]), np.concatenate([held_b, b[:missing]])
        if len(b) < missing:
            return joined_a, joined_b
        family.advance(state.plan, clock, vectors, joined_a, joined_b)
        a, b = a[missing:], b[missing:]
    used = family.advance(state.plan, clock, vectors, a, b) if len(b) else 0
    return a[used:], b[used:]


def _refuse_divergence(
    family: Family, state: State, vectors: Array, a: Array, b: Array, read: NDArray[np.bool_] | None
) -> None:
    if np.max(np.abs(vectors), initial=0.0) < LIMIT:  # False for NaN
        return
    refuse_non_finite_rows(a, state.seen)
    check_labels(state.info, b, read, state.seen)
    raise diverged(family.name, state.seen + len(a), family.suspects(state.info, state.params))


def diverged(name: str, samples: int, suspects: tuple[Suspect, ...]) -> DivergenceError:
    """The exception that names the parameter furthest beyond its limit, or the first one where no limit is known."""
    known = [s for s in suspects if s.limit is not None and s.value > s.limit * (1 + 1e-12)]
    first = max(known, key=lambda s: s.value / (s.limit or 1.0)) if known else suspects[0]
    if known:
        cause = (
            f"{first.parameter} = {first.value:.6g} exceeds {first.rule} = {first.limit:.6g}; lower {first.parameter}"
        )
    elif first.limit is None:
        cause = (
            f"first suspect {first.parameter} = {first.value:.6g} ({first.rule} is unknown); lower {first.parameter}"
        )
    else:
        cause = (
            f"no step size exceeds its limit ({first.parameter} = {first.value:.6g}, {first.rule} {first.limit:.4g}); "
            f"the data may have heavier tails than the constants say: raise R^2 or lower {first.parameter}"
        )
    return DivergenceError(
        f"{name}: the iterate left every range within {samples} samples: {cause}",
        parameter=first.parameter,
        value=first.value,
        samples=samples,
    )


def _estimate(family: Family, state: State) -> Array:
    empty = np.empty((0, state.info.dim))
    held_a, held_b = state.held[0] if state.held else (empty, np.empty(0))
    x = family.output(state.plan, state.clock, state.vectors, held_a, held_b)
    return np.array(x[: state.info.dim])


def aligned_copy(vectors: Array) -> Array:
    """A writable copy whose first entry starts a cache line."""
    copy = aligned_zeros(vectors.size)
    copy[:] = vectors
    return copy
