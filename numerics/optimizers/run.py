"""A method on a stream, with the curve at requested sample counts, checkpoints, and partial results on failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.designs.checks import Array
from numerics.errors import CheckpointError, DataError, OptimizerError, ParameterError, StreamError
from numerics.losses import Loss
from numerics.streams import Reader, Stream

from . import codec
from .info import ProblemInfo
from .params import Params
from .presets import preset
from .registry import find
from .state import State

BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Result:
    """`x` after `seen` samples; `iterates[i]` is the estimate after `counts[i]`. Not `complete` after a failure."""

    method: str
    params: Params
    x: Array
    seen: int
    labelled: int
    counts: NDArray[np.int64]
    iterates: Array
    complete: bool
    state: State

    @property
    def unlabelled(self) -> int:
        return self.seen - self.labelled


@dataclass(frozen=True, eq=False)
class _Progress:
    """A state with the records made on the way."""

    state: State
    counts: tuple[int, ...]
    iterates: tuple[Array, ...]

    def result(self, *, complete: bool) -> Result:
        state = self.state
        table = np.array(self.iterates).reshape(len(self.counts), state.info.dim)
        counts = np.array(self.counts, dtype=np.int64)
        x = find(state.method).estimate(state)
        return Result(state.method, state.params, x, state.seen, state.labelled, counts, table, complete, state)


@dataclass(frozen=True)
class Checkpointing:
    """Where and how often (in samples) to save; `saved` is called with the sample count after each save."""

    path: Path
    every: int
    saved: Callable[[int], None] | None = None


def run(
    method: str,
    stream: Stream,
    *,
    info: ProblemInfo,
    x0: ArrayLike | None = None,
    params: Params | None = None,
    n: int | None = None,
    record: Sequence[int] = (),
    checkpoint: str | Path | None = None,
    every: int = 1_000_000,
    block: int = BLOCK,
    progress: Callable[[int], None] | None = None,
    saved: Callable[[int], None] | None = None,
) -> Result:
    """Run `method` to its horizon (or for n samples where it has none) and record the estimate at the counts `record`.

    Without `params`, the practical preset for n samples (default: the stream's length). A failure raises a typed error
    whose `partial` is the Result up to there.
    """
    chosen = find(method)
    if params is None:
        params = preset(method, "practical", info, _planned(stream, n))
    _check_dimension(info, stream)
    state = chosen.init(info, x0, params)
    begun = _Progress(state, (), ())
    saving = None if checkpoint is None else Checkpointing(Path(checkpoint), _positive(every, "every"), saved)
    goal = _goal(chosen.horizon(params), n, stream)
    return _drive(begun, stream, goal, _counts(record, goal), saving, _positive(block, "block"), progress)


def resume(
    checkpoint: str | Path,
    stream: Stream,
    *,
    loss: Loss | None = None,
    every: int = 1_000_000,
    block: int = BLOCK,
    progress: Callable[[int], None] | None = None,
    saved: Callable[[int], None] | None = None,
) -> Result:
    """Go on from a checkpoint; the result is the same, bit for bit, as that of a run that was never interrupted.

    `loss` is needed for a user's own loss, which a checkpoint cannot hold.
    """
    path = Path(checkpoint)
    kept = codec.load(path, loss=loss)
    if kept.stream != stream.fingerprint():
        raise CheckpointError(f"{path}: was made from another stream; open the same data with the same seed")
    begun = _Progress(find(kept.state.method).renew(kept.state), kept.counts, kept.iterates)
    saving = Checkpointing(path, _positive(every, "every"), saved)
    return _drive(begun, stream, kept.goal, kept.record, saving, _positive(block, "block"), progress)


def _drive(
    now: _Progress,
    stream: Stream,
    goal: int,
    record: tuple[int, ...],
    saving: Checkpointing | None,
    block: int,
    progress: Callable[[int], None] | None,
) -> Result:
    method = find(now.state.method)
    fingerprint = stream.fingerprint() if saving else ""
    try:
        reader = Reader(stream, now.state.seen, block)
        if 0 in record and now.state.seen == 0 and not now.counts:
            now = _recorded(now)
        while now.state.seen < goal:
            seen = now.state.seen
            stops = [seen + block, goal, *(count for count in record if count > seen)]
            if saving:
                stops.append((seen // saving.every + 1) * saving.every)
            a, b = reader.take(min(stops) - seen)
            if not len(b):
                raise StreamError(
                    f"the stream ended after {seen} samples, {method.name} needs {goal}; add data or plan for {seen}"
                )
            now = replace(now, state=method.step(now.state, a, b))
            if now.state.seen in record:
                now = _recorded(now)
            if saving and (now.state.seen % saving.every == 0 or now.state.seen == goal):
                kept = codec.Checkpoint(now.state, now.counts, now.iterates, goal, record, fingerprint)
                codec.save(saving.path, kept)
                if saving.saved:
                    saving.saved(now.state.seen)
            if progress:
                progress(now.state.seen)
    except OptimizerError as error:
        raise error.with_partial(now.result(complete=False)) from None
    return now.result(complete=True)


def _recorded(now: _Progress) -> _Progress:
    x = find(now.state.method).estimate(now.state)
    return _Progress(now.state, (*now.counts, now.state.seen), (*now.iterates, x))


def _positive(value: int, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ParameterError(f"{name} = {value!r} must be an integer >= 1")
    return value


def _planned(stream: Stream, n: int | None) -> int:
    planned = stream.length if n is None else n
    if planned is None:
        raise ParameterError("the stream has no known length: give n, the number of samples to plan for")
    return planned


def _goal(horizon: int | None, n: int | None, stream: Stream) -> int:
    goal = horizon if horizon is not None else _planned(stream, n)
    if stream.length is not None and stream.length < goal:
        raise StreamError(f"the stream has {stream.length} samples, the method is planned for {goal}; plan for fewer")
    return goal


def _counts(record: Sequence[int], goal: int) -> tuple[int, ...]:
    counts = tuple(sorted({int(count) for count in record}))
    if counts and not 0 <= counts[0] <= counts[-1] <= goal:
        raise ParameterError(f"record: counts from {counts[0]} to {counts[-1]} are not within 0 … {goal} samples")
    return counts


def _check_dimension(info: ProblemInfo, stream: Stream) -> None:
    if stream.dim != info.dim:
        raise DataError(f"the stream has dimension {stream.dim}, the problem {info.dim}; select the same columns")
