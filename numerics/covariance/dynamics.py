r"""Covariances of the inner loop after T steps, exact to rounding, in the paper's (x, y).

    C_t = B(C_{t-1}) + [[eta^2, eta q], [eta q, q^2]] (x) R,  C_0 = O                      `covariance`
    B_t = B(B_{t-1}),  B_0 = second moment of (x_0, x_0)                                   `bias_covariance`
    Pi_t(M) = A Pi_{t-1}(M) A^T + [[eta^2, eta q], [eta q, q^2]] (x) M                     `core_covariance`
    C~_t^(l) = A C~_{t-1}^(l) A^T + (B - B~)(C~_{t-1}^(l-1)),  C~^(0) = Pi(R)              `peel`

Methods: "loop" steps through time in (y, v); "closed" takes O(log T) doublings: of small systems where pairs decouple
and for Pi_t, of the half-vectorised operator (`half_vector`, which states its memory) for any other design, or the
limit itself where C_T has reached it to rounding (`settled`);
"reference" is the definition in (x, y) and extended precision; "auto" takes the cheapest exact one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs import Design
from numerics.operators import Array, Blocks, StepSizes

from . import reference
from .diagonal import Diagonal, evolve_diagonal
from .frame import Frame, PairExcess, State, checked_depth, checked_horizon, checked_noise, checked_start, frame
from .general import evolve_general, mean_tuple
from .half_vector import doubling_wins, evolve_by_doubling, refuse_too_large
from .pairs import evolve_pairs
from .settled import limits_if_reached

Method = Literal["auto", "closed", "loop", "reference"]
LIMIT_WINS = 9  # dimension from which on asking for the limit is cheaper than the doublings
_METHODS = ("auto", "closed", "loop", "reference")


@dataclass(frozen=True, eq=False)
class Layers:
    """C_T = sum of the layers 0..depth + remainder; `remainder` is the paper's C_T^(depth + 1)."""

    layers: tuple[Blocks, ...]
    remainder: Blocks

    @property
    def depth(self) -> int:
        return len(self.layers) - 1

    def total(self) -> Blocks:
        return sum(self.layers[1:], self.layers[0]) + self.remainder


def covariance(design: Design, steps: StepSizes, noise: ArrayLike, horizon: int, method: Method = "auto") -> Blocks:
    """C_T, the second moment of the variance iterate, for gradient noise E eps^2 a a^T = `noise`."""
    checked = checked_noise(noise, design.dim)
    if checked_method(method) == "reference":
        return reference.covariance(design, steps, checked, checked_horizon(horizon))
    return _variance(frame(design, steps), checked, checked_horizon(horizon), 0, method)[0]


def bias_covariance(
    design: Design, steps: StepSizes, start: ArrayLike, horizon: int, method: Method = "auto"
) -> Blocks:
    """B_T, the second moment of the bias iterate from x_0 = z_0 = `start` (relative to the minimiser)."""
    x0 = checked_start(start, design.dim)
    if checked_method(method) == "reference":
        return reference.bias_covariance(design, steps, x0, checked_horizon(horizon))
    view = frame(design, steps)
    zero = np.zeros((design.dim, design.dim))
    return view.blocks(evolve(view, zero, initial_state(view, x0), checked_horizon(horizon), 0, True, method)[0])


def core_covariance(
    design: Design, steps: StepSizes, matrix: ArrayLike, horizon: int, method: Method = "auto"
) -> Blocks:
    """Pi_T(M): the covariance when a a^T is replaced by Sigma and the noise has second moment M."""
    checked = checked_noise(matrix, design.dim, name="M")
    if checked_method(method) == "reference":
        return reference.core_covariance(design, steps, checked, checked_horizon(horizon))
    view = frame(design, steps)
    return view.blocks(evolve(view, view.into(checked), None, checked_horizon(horizon), 1, False, method)[0])


def peel(
    design: Design, steps: StepSizes, noise: ArrayLike, horizon: int, depth: int, method: Method = "auto"
) -> Layers:
    """The layers C~_T^(0..depth) of C_T and what is left."""
    checked, layers = checked_noise(noise, design.dim), checked_depth(depth) + 1
    if checked_method(method) == "reference":
        blocks = reference.layers(design, steps, checked, checked_horizon(horizon), layers - 1)
    else:
        blocks = _variance(frame(design, steps), checked, checked_horizon(horizon), layers, method)
    return Layers(tuple(blocks[:-1]), blocks[-1])


def _variance(view: Frame, noise: Array, horizon: int, layers: int, method: str) -> list[Blocks]:
    """The layers of C_T and the remainder, from their limits where these are reached to rounding."""
    forcing = view.into(noise)
    if view.excess is None and method != "loop" and view.dim >= LIMIT_WINS:
        reached = limits_if_reached(view, forcing, horizon, layers)
        if reached is not None:
            return reached
    return [view.blocks(s) for s in evolve(view, forcing, None, horizon, layers, True, method)]


def checked_method(method: str) -> str:
    if method not in _METHODS:
        raise ValueError(f"method = {method!r}: choose one of {', '.join(_METHODS)}")
    return method


def initial_state(view: Frame, start: Array) -> State:
    """x_0 = y_0 = z_0, so v_0 = 0: only p is not zero."""
    turned = view.into_vector(start)
    zero = np.zeros((view.dim, view.dim))
    return State(np.outer(turned, turned), zero, zero.copy())


def evolve(
    view: Frame, forcing: Array, initial: State | None, steps: int, layers: int, remainder: bool, method: str
) -> list[State]:
    """The layers (and the remainder) after `steps` steps; `initial` and `forcing` enter the first of them."""
    total = layers + remainder
    excess = view.excess
    if excess is None and (layers, remainder) == (1, False):
        excess = PairExcess(0.0, np.zeros(view.dim), 0.0)  # Pi_t never sees N
    if excess is None:
        first = State.zeros(view.dim) if initial is None else initial
        states = [first] + [State.zeros(view.dim)] * (total - 1)
        if method == "closed":
            refuse_too_large(view, layers)
        if method == "closed" or (method == "auto" and doubling_wins(view, layers, total, steps)):
            return evolve_by_doubling(view, forcing, states, layers, steps)
        return evolve_general(view, forcing, states, layers, steps)
    state = np.zeros((total, 3, view.dim, view.dim))
    if initial is not None:
        state[0] = initial.p, initial.u, initial.w
    diagonal = np.einsum("srii->sri", state)
    flow = Diagonal.of(view, excess)
    moved = evolve_diagonal(flow, np.diagonal(forcing).copy(), diagonal.copy(), layers, steps, method)
    if np.any(forcing - np.diag(np.diagonal(forcing))) or initial is not None:
        by_loop = method == "loop"
        evolve_pairs(view.lam, mean_tuple(view), excess.pair, forcing, state, layers, steps, by_loop=by_loop)
    here = np.arange(view.dim)
    state[:, :, here, here] = moved
    return [State(*rows) for rows in state]
