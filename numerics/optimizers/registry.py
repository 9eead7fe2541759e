"""All methods by name, and the functions that work on any state."""

from __future__ import annotations

from numpy.typing import ArrayLike

from numerics.designs.checks import Array
from numerics.errors import ParameterError

from . import rivals, sada, two_phase
from .doubling import doubling
from .erm import ERM
from .state import Method, State


def find(name: str) -> Method:
    """The method of that name."""
    if name not in METHODS:
        raise ParameterError(f"no method {name!r}; there are: {', '.join(METHODS)}")
    return METHODS[name]


def step(state: State, a_block: ArrayLike, b_block: ArrayLike) -> State:
    """The state after the rows of the block, whatever the method."""
    return find(state.method).step(state, a_block, b_block)


def estimate(state: State) -> Array:
    """What the method would return if the stream ended here."""
    return find(state.method).estimate(state)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        sada.SADA,
        sada.SADA_WC_PRINTED,
        sada.SADA_WC_CORRECTED,
        sada.SADA_UD_PRINTED,
        sada.SADA_UD_CORRECTED,
        two_phase.SADA_TWO_PHASE,
        rivals.SGD,
        rivals.SGD_DECAY,
        rivals.ASGD,
        rivals.STREAMING_SVRG,
        rivals.ROOT_SGD,
        ERM,
        doubling(find),
    )
}
