"""The doubling trick: a method with a fixed horizon, restarted with n, 2n, 4n, … samples when the horizon is unknown.

Stage s runs the base method tuned for first 2^s samples (it may use a few less, when T K does not fill them). The
estimate is the output of the last finished stage; in the first stage, the running one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs.checks import Array
from numerics.errors import DataError, ParameterError

from .core import check_block, check_labels, check_params, refuse_non_finite_rows, starting_point
from .info import ProblemInfo
from .params import DoublingParams
from .presets import preset
from .state import Method, State


def doubling(find: Callable[[str], Method]) -> Method:
    """The doubling trick over the methods that `find` knows by name."""

    def begin(info: ProblemInfo, params: DoublingParams, x: Array, stage: int) -> State:
        base = find(params.method)
        return base.init(info, x, preset(params.method, params.preset, info, params.first * 2**stage))

    def init(info: ProblemInfo, x0: ArrayLike | None, params: DoublingParams) -> State:
        check_params("doubling", DoublingParams, params)
        if params.method == "doubling":
            raise ParameterError("doubling: method = 'doubling' cannot double itself; name the method to restart")
        x = starting_point(info, x0)
        inner = begin(info, params, x, 0)
        return State("doubling", info, params, x, 0, 0, np.zeros(1, dtype=np.int64), x.copy(), inner=inner)

    def step(state: State, a_block: ArrayLike, b_block: ArrayLike) -> State:
        """The clock holds the stage, the vectors the output of the last finished stage."""
        a, b = check_block(state.info, a_block, b_block, state.seen)
        params, inner, done = _of(state), state.inner, 0
        assert inner is not None
        base = find(params.method)
        stage, output = int(state.clock[0]), state.vectors
        while done < len(b):
            end = base.horizon(inner.params) or params.first * 2**stage
            rows = slice(done, min(len(b), done + end - inner.seen))
            try:
                inner, done = base.step(inner, a[rows], b[rows]), rows.stop
            except DataError:  # the stage counts its own rows: say which row of the stream it was
                refuse_non_finite_rows(a, state.seen)
                check_labels(state.info, b, None, state.seen)
                raise
            if inner.seen == end:
                stage, output = stage + 1, base.estimate(inner)
                inner = begin(state.info, params, output if params.warm else state.x0, stage)
        labelled = state.labelled + len(b)
        clock = np.array([stage], dtype=np.int64)
        return replace(state, seen=state.seen + len(b), labelled=labelled, clock=clock, vectors=output, inner=inner)

    def estimate(state: State) -> Array:
        if state.clock[0] == 0 and state.inner is not None:
            return find(_of(state).method).estimate(state.inner)
        return state.vectors.copy()

    def renew(state: State) -> State:
        assert state.inner is not None
        return replace(state, inner=find(_of(state).method).renew(state.inner))

    return Method(
        "doubling", "the doubling trick", DoublingParams, init, step, estimate, lambda params: None, None, renew
    )


def _of(state: State) -> DoublingParams:
    assert isinstance(state.params, DoublingParams)
    return state.params
