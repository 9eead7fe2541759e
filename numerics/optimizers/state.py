"""The state of a method as a value: `step` returns a new one and leaves the old one as it was.

`seen` counts the rows taken from the stream, `labelled` those whose label is used. `held` are rows that wait for the
rest of their unit (four samples, a batch; for ERM all of them). `plan` follows from info and params and is not saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.designs.checks import Array

from .info import ProblemInfo
from .params import Params

Clock = NDArray[np.int64]
Rows = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class State:
    """Everything a method needs to go on; made by `Method.init`, moved by `step`, read by `estimate`."""

    method: str
    info: ProblemInfo
    params: Params
    x0: Array
    seen: int
    labelled: int
    clock: Clock
    vectors: Array
    held: tuple[Rows, ...] = ()
    inner: State | None = None
    plan: Any = field(default=None, repr=False)

    @property
    def unlabelled(self) -> int:
        """Rows whose label was never read."""
        return self.seen - self.labelled

    @property
    def waiting(self) -> int:
        """Rows held back."""
        return sum(len(b) for _, b in self.held)


@dataclass(frozen=True)
class Suspect:
    """A parameter that may make a method diverge, with the largest value that theory allows (None: unknown)."""

    parameter: str
    value: float
    limit: float | None
    rule: str


@dataclass(frozen=True)
class Method:
    """A method as functions: `init`, then `step` any number of times, then `estimate`; `horizon` samples at most."""

    name: str
    title: str
    params_type: type[Params]
    init: Callable[[ProblemInfo, ArrayLike | None, Any], State]
    step: Callable[[State, ArrayLike, ArrayLike], State]
    estimate: Callable[[State], Array]
    horizon: Callable[[Any], int | None]
    reference: Callable[..., Array] | None
    renew: Callable[[State], State]  # the same state with its plan derived again, after a checkpoint is read
