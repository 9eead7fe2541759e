r"""L_var: the Sigma-risk of the tail average of a sequence of covariances, by the paper's double sum made linear.

    L_var({X_t}) = 4/T^2 <diag(Sigma, O), sum_{s,t = T/2+1}^T A^max(s-t,0) X_min(s,t) (A^max(t-s,0))^T>.

Only the diagonal blocks of X_t in the eigenbasis enter. `l_var` takes any sequence; the others take the dynamics: E
|v|^2_Sigma = L_var({C_t}), E |r|^2_Sigma = L_var({B_t}), and L_var of Pi_t(M) and of every layer. "loop" is O(T),
"closed" O(log T), "reference" the double sum itself, O(T^2).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs import Design
from numerics.operators import Array, Blocks, StepSizes

from . import reference
from .coupled import coupled_tail
from .diagonal import Diagonal, evolve_diagonal, layered_loop, loop_arguments
from .doubling import flow_dense, flow_many
from .dynamics import Method, checked_method, initial_state
from .frame import Frame, PairExcess, State, checked_depth, checked_horizon, checked_noise, checked_start, frame
from .general import TailSums, evolve_general
from .half_vector import doubling_wins, refuse_too_large, tail_by_doubling
from .scalar import core_average_weights


def l_var(design: Design, steps: StepSizes, sequence: Sequence[Blocks], horizon: int) -> float:
    """L_var of X_{T/2+1}, ..., X_T given as `sequence` (T/2 symmetric 2d x 2d matrices by blocks)."""
    horizon = checked_horizon(horizon, even=True)
    if len(sequence) != horizon // 2:
        raise ValueError(f"sequence has {len(sequence)} entries; give X_t for t = T/2+1..T, that is {horizon // 2}")
    view = frame(design, steps)
    blocks = steps.mean_block(view.lam)
    response = np.zeros((view.dim, 2, 2))  # sum_{k=1}^{T-t} A_i^k
    power = np.broadcast_to(np.eye(2), blocks.shape)
    total = 0.0
    for x in reversed(sequence):
        if x.dim != view.dim:
            raise ValueError(f"an entry has {x.dim}-dimensional blocks, the design has dimension {view.dim}")
        columns = np.stack([_diagonal_in(view, x.c11), _diagonal_in(view, x.c12.T)], axis=-1)  # X_i e_1
        total += float(view.lam @ (columns[:, 0] + 2 * np.einsum("dk,dk->d", response[:, 0], columns)))
        power = blocks @ power
        response = response + power
    return 4 * total / horizon**2


def core_average(design: Design, steps: StepSizes, matrix: ArrayLike, horizon: int, method: Method = "auto") -> float:
    """L_var({Pi_t(M)})."""
    m, horizon = checked_noise(matrix, design.dim, name="M"), checked_horizon(horizon, even=True)
    if checked_method(method) == "reference":
        return float(reference.l_var_values(design, steps, horizon, noise=m, mean_only=True)[0])
    view = frame(design, steps)
    forcing = np.diagonal(view.into(m)).copy()
    if method == "loop":
        flow = Diagonal.of(view, PairExcess(0.0, np.zeros(view.dim), 0.0))
        return float(_tail_by_loop(flow, forcing, np.zeros((1, 3, view.dim)), 1, horizon)[0])
    weights = core_average_weights(view.lam, steps.eta, steps.theta, steps.gamma, horizon)
    return float(weights @ forcing)


def variance_average(
    design: Design, steps: StepSizes, noise: ArrayLike, horizon: int, method: Method = "auto"
) -> float:
    """E |v|^2_Sigma = L_var({C_t}) for gradient noise of second moment `noise`."""
    r, horizon = checked_noise(noise, design.dim), checked_horizon(horizon, even=True)
    if checked_method(method) == "reference":
        return float(reference.l_var_values(design, steps, horizon, noise=r)[0])
    view = frame(design, steps)
    return float(_averages(view, view.into(r), None, 0, True, horizon, method)[0])


def bias_average(design: Design, steps: StepSizes, start: ArrayLike, horizon: int, method: Method = "auto") -> float:
    """E |r|^2_Sigma = L_var({B_t}): the tail-averaged bias from x_0 = z_0 = `start`."""
    x0, horizon = checked_start(start, design.dim), checked_horizon(horizon, even=True)
    if checked_method(method) == "reference":
        return float(reference.l_var_values(design, steps, horizon, start=x0)[0])
    view = frame(design, steps)
    zero = np.zeros((view.dim, view.dim))
    return float(_averages(view, zero, initial_state(view, x0), 0, True, horizon, method)[0])


def layer_averages(
    design: Design, steps: StepSizes, noise: ArrayLike, horizon: int, depth: int, method: Method = "auto"
) -> Array:
    """L_var of the layers 0..depth and, last, of the remainder; they add up to E |v|^2_Sigma."""
    r, layers = checked_noise(noise, design.dim), checked_depth(depth) + 1
    horizon = checked_horizon(horizon, even=True)
    if checked_method(method) == "reference":
        return reference.l_var_values(design, steps, horizon, noise=r, depth=layers - 1)
    view = frame(design, steps)
    return _averages(view, view.into(r), None, layers, True, horizon, method)


def _diagonal_in(view: Frame, matrix: Array) -> Array:
    if view.vectors is None:
        return np.diagonal(matrix) if view.order is None else np.diagonal(matrix)[view.order]
    return np.asarray(np.einsum("ki,kl,li->i", view.vectors, matrix, view.vectors, optimize=True))


def _averages(
    view: Frame, forcing: Array, initial: State | None, layers: int, remainder: bool, horizon: int, method: str
) -> Array:
    total = layers + remainder
    if view.excess is None:
        return _general_averages(view, forcing, initial, layers, total, horizon, method)
    flow = Diagonal.of(view, view.excess)
    state = np.zeros((total, 3, view.dim))
    if initial is not None:
        state[0] = initial.diagonal()
    noise = np.diagonal(forcing).copy()
    if method == "loop" or (method == "auto" and flow.coupled and _loop_wins(view.dim, total, horizon)):
        return _tail_by_loop(flow, noise, state, layers, horizon)
    return _tail_by_doubling(flow, noise, state, layers, horizon)


def _loop_wins(d: int, total: int, horizon: int) -> bool:
    loop = horizon * total * (6e-8 + 4e-9 * d)
    products = 1 if total == 1 else total * (total + 1)
    return loop < horizon.bit_length() * products * 2 * (5 * d) ** 3 / 2e10


def _general_averages(
    view: Frame, forcing: Array, initial: State | None, layers: int, total: int, horizon: int, method: str
) -> Array:
    first = State.zeros(view.dim) if initial is None else initial
    states = [first] + [State.zeros(view.dim)] * (total - 1)
    if method == "closed":
        refuse_too_large(view, layers, tail=True)
    if method == "closed" or (method == "auto" and doubling_wins(view, layers, total, horizon, tail=True)):
        return 4 * tail_by_doubling(view, forcing, states, layers, horizon) / horizon**2
    sums, half = TailSums(view, total), horizon // 2

    def watch(t: int, states: list[State]) -> None:
        if t > half:
            sums.see(states)

    evolve_general(view, forcing, states, layers, horizon, watch)
    return 4 * sums.energies() / horizon**2


def _tail_by_loop(flow: Diagonal, noise: Array, state: Array, layers: int, horizon: int) -> Array:
    middle = evolve_diagonal(flow, noise, state, layers, horizon // 2, "loop")
    tail, none = np.zeros_like(middle), np.empty((0, 0))
    layered_loop(*loop_arguments(flow, noise), middle, layers, horizon // 2, none, tail, flow.theta)
    return np.asarray(4 * tail[:, 2] @ flow.lam / horizon**2)


def _tail_by_doubling(flow: Diagonal, noise: Array, state: Array, layers: int, horizon: int) -> Array:
    half, d = horizon // 2, len(flow.lam)
    if flow.coupled and len(state) == 1 and layers == 0:
        return np.array([4 * _coupled(flow, noise, state[0], half) / horizon**2])
    increment, drive = augmented(flow)
    push = augmented_direction(flow)[:, None] * noise
    middle = evolve_diagonal(flow, noise, state, layers, half, "closed")
    bigger = np.concatenate([middle, np.zeros_like(middle)], axis=1)
    if not flow.coupled:
        flow_many(increment, drive, push, bigger, layers, half)
        return np.asarray(4 * bigger[:, 5] @ flow.lam / horizon**2)
    flat = flow_dense(
        _spread(increment), _coupling(flow, drive), push.ravel(), bigger.reshape(len(bigger), -1), layers, half
    )
    return np.asarray(4 * flat.reshape(len(bigger), 6, d)[:, 5] @ flow.lam / horizon**2)


def augmented_direction(flow: Diagonal) -> Array:
    """Where noise enters (p, u, w, E s y, E s v, E s^2): x is read after the step."""
    (q, rho), eta = flow.mean[:2], flow.eta
    return np.array([*flow.direction, eta * q, eta * rho, eta * eta])


def augmented(flow: Diagonal) -> tuple[Array, Array]:
    """Increment (6, 6, d) and own drive (6, d) of the diagonal state with its tail sums."""
    t, d = flow.theta, len(flow.lam)
    q, rho, b, f = flow.mean
    out = np.zeros((6, 6, d))
    out[:3, :3] = flow.increment
    moved = flow.increment + np.eye(3)[:, :, None]
    out[3, :3] = moved[0] - t * moved[1]
    out[4, :3] = moved[1] - t * moved[2]
    out[5, :3] = out[3, :3] - t * out[4, :3]
    out[3, 3], out[3, 4] = -q * flow.lam, b
    out[4, 3], out[4, 4] = -rho * flow.lam, f
    out[5, 3] = 2 * (1 - flow.eta * flow.lam)  # x_t = y_{t-1} - eta g_t does not see v
    own = flow.own_drive[0] / flow.direction[0]
    return out, augmented_direction(flow)[:, None] * own


def _spread(increment: Array) -> Array:
    n, _, d = increment.shape
    out = np.zeros((n, d, n, d))
    here = np.arange(d)
    for r in range(n):
        for s in range(n):
            out[r, here, s, here] = increment[r, s]
    return out.reshape(n * d, n * d)


def _coupling(flow: Diagonal, drive: Array) -> Array:
    n, d = drive.shape
    out = np.zeros((n, d, n, d))
    direction, here = augmented_direction(flow), np.arange(d)
    for r in range(n):
        out[r, :, 0, :] = direction[r] * flow.trace * np.outer(flow.lam, flow.lam)
        out[r, here, 0, here] += direction[r] * flow.excess
    return out.reshape(n * d, n * d)


def _coupled(flow: Diagonal, noise: Array, start: Array, half: int) -> float:
    """sum_i lam_i E s_i^2 for the coupled diagonal: state forward, functional backward, one pass of doublings."""
    increment, drive = flow.dense()
    return coupled_tail(
        increment + drive,
        flow.mean,
        flow.eta,
        flow.theta,
        flow.lam,
        np.outer(flow.direction, noise).ravel(),
        start.ravel(),
        half,
    )
