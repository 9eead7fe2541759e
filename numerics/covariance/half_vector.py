r"""Any design in O(log T): the second moments (p, u, w) as one vector of d(2d + 1) numbers whose flow is squared.

p and w keep one triangle, u is full. In the eigenbasis of Sigma the increment B~ - I is one block of four numbers for
each pair of directions; N couples the p entries and enters along (q^2, q rho, q rho, rho^2). `flow_dense` doubles
the increment and keeps what is left of each mode both ways, so slow and dead modes lose no digits.

Memory: `closed_bytes` says how much before anything is allocated; "closed" refuses above `MEMORY_BUDGET`, "auto" then
steps through time. Time: one product of d(2d + 1) square matrices a doubling, 2 (d(2d + 1))^3 flops; (L + 1)(L + 2) of
them with L layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numerics.operators import Array

from .coupled import tail_of_flow
from .diagonal import Diagonal
from .doubling import flow_dense
from .frame import Frame, State
from .general import mean_tuple
from .pairs import pair_increment

MEMORY_BUDGET = 1 << 30
_FLOPS, _STEP_START, _WATCHED, _STEP_RATE = 2.5e10, 4e-7, 9e-6, 1.6e10  # decides the route only


@dataclass(frozen=True, eq=False)
class HalfVector:
    """The packed dynamics of one frame."""

    view: Frame

    @property
    def size(self) -> int:
        return unknowns(self.view.dim)

    @cached_property
    def upper(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        rows, columns = np.triu_indices(self.view.dim)
        return rows, columns

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """(4, pairs): where p_ij, u_ij, u_ji and w_ij stand, i <= j."""
        (rows, columns), d = self.upper, self.view.dim
        k, half = np.arange(len(rows)), len(rows)
        return np.stack([k, half + rows * d + columns, half + columns * d + rows, half + d * d + k])

    def pack(self, state: State) -> Array:
        return np.concatenate([state.p[self.upper], state.u.ravel(), state.w[self.upper]])

    def unpack(self, packed: Array) -> State:
        d, half = self.view.dim, len(self.upper[0])
        u = packed[half : half + d * d].reshape(d, d).copy()
        return State(self._mirrored(packed[:half]), u, self._mirrored(packed[half + d * d :]))

    def _mirrored(self, triangle: Array) -> Array:
        out = np.zeros((self.view.dim, self.view.dim))
        out[self.upper] = triangle
        return out + np.triu(out, 1).T

    def increment(self) -> Array:
        """B~ - I."""
        (rows, columns), lam, at = self.upper, self.view.lam, self._places
        out = np.zeros((self.size, self.size))
        off, same = rows < columns, rows == columns
        pairs = pair_increment(lam[rows[off]], lam[columns[off]], mean_tuple(self.view))
        own, kept = Diagonal.of(self.view, None).increment, (0, 1, 3)
        for r in range(4):
            for s in range(4):
                out[at[r, off], at[s, off]] = pairs[r, s]
        for r in range(3):
            for s in range(3):
                out[at[kept[r], same], at[kept[s], same]] = own[r, s]
        return out

    def noise(self, packed: Array) -> Array:
        """Gradient noise with second moment `packed` (upper triangle on the first axis) as a step of the state."""
        q, rho = self.view.steps.q, self.view.steps.rho
        out = np.zeros((self.size, *packed.shape[1:]))
        for place, weight in zip(self._places, (q * q, q * rho, q * rho, rho * rho), strict=True):
            out[place] = weight * packed
        return out

    def drive(self) -> Array:
        """N, as what it adds to a step."""
        out = np.zeros((self.size, self.size))
        out[:, : len(self.upper[0])] = self.noise(self.view.excess_matrix())
        return out

    def read(self, rows: Array) -> Array:
        """E x_i y_i, then E x_i v_i, from the packed state (or from rows of a matrix that yields it)."""
        p, u, _, w = self._places[:, self.upper[0] == self.upper[1]]
        theta = self.view.steps.theta
        return np.concatenate([rows[p] - theta * rows[u], rows[u] - theta * rows[w]])


def unknowns(d: int) -> int:
    return d * (2 * d + 1)


def closed_bytes(d: int, layers: int, *, tail: bool = False) -> int:
    """What the doubling allocates at its peak: square matrices of d(2d + 1) (+ 2d + 1 with a tail average)."""
    size = unknowns(d) + (2 * d + 1 if tail else 0)
    return 8 * size * size * (9 + 3 * layers)


def refuse_too_large(view: Frame, layers: int, *, tail: bool = False) -> None:
    needed = closed_bytes(view.dim, layers, tail=tail)
    if needed > MEMORY_BUDGET:
        raise ValueError(
            f"method = 'closed': {type(view.design).__name__} with d = {view.dim} couples {unknowns(view.dim)} "
            f"moments; doubling needs {needed / 2**30:.1f} GiB, more than {MEMORY_BUDGET / 2**30:.1f} GiB; use "
            "method='loop' (or 'auto')"
        )


def doubling_wins(view: Frame, layers: int, total: int, steps: int, *, tail: bool = False) -> bool:
    """Whether the doubling fits into memory and is quicker than stepping."""
    if closed_bytes(view.dim, layers, tail=tail) > MEMORY_BUDGET:
        return False
    size = unknowns(view.dim) + (2 * view.dim + 1 if tail else 0)
    products = 1 if total == 1 else total * (total + 1)
    loop = steps * total * ((_WATCHED if tail else _STEP_START) + view.dim**4 / _STEP_RATE)
    return max(steps.bit_length(), 1) * products * (5e-5 + 2 * size**3 / _FLOPS) < loop


def evolve_by_doubling(view: Frame, forcing: Array, states: list[State], layers: int, steps: int) -> list[State]:
    """The states after `steps` steps."""
    half = HalfVector(view)
    state = np.stack([half.pack(s) for s in states])
    push = half.noise(forcing[half.upper])
    moved = flow_dense(half.increment(), half.drive(), push, state, layers, steps)
    return [half.unpack(s) for s in moved]


def tail_by_doubling(view: Frame, forcing: Array, states: list[State], layers: int, horizon: int) -> Array:
    """sum_i lam_i E s_i^2 of every layer, s the sum of x over the second half of the horizon."""
    half, steps = HalfVector(view), view.steps
    push = half.noise(forcing[half.upper])
    if len(states) == 1 and layers == 0:
        flow, start = half.increment() + half.drive(), half.pack(states[0])
        mean, scalars = mean_tuple(view), (steps.eta, steps.theta, view.lam)
        return np.array([tail_of_flow(flow, half.read, mean, *scalars, push, start, horizon // 2)])
    middle = evolve_by_doubling(view, forcing, states, layers, horizon // 2)
    increment, drive, noise = _with_tail(half, push)
    state = np.zeros((len(states), len(noise)))
    state[:, : half.size] = [half.pack(s) for s in middle]
    return np.asarray(flow_dense(increment, drive, noise, state, layers, horizon // 2)[:, -1])


def _with_tail(half: HalfVector, push: Array) -> tuple[Array, Array, Array]:
    """Increment, drive and noise of the state followed by E s_i y_i, E s_i v_i and sum_i lam_i E s_i^2."""
    n, d, steps, lam = half.size, half.view.dim, half.view.steps, half.view.lam
    q, rho, b, f = mean_tuple(half.view)

    def read(rows: Array) -> Array:
        both = half.read(rows)
        return np.concatenate([both, (lam @ both[:d] - steps.theta * (lam @ both[d:]))[None]])

    increment, drive = np.zeros((2, n + 2 * d + 1, n + 2 * d + 1))
    increment[:n, :n], drive[:n, :n] = half.increment(), half.drive()
    increment[n:, :n] = read(increment[:n, :n] + np.eye(n))
    drive[n:, :n] = read(drive[:n, :n])
    y, v = n + np.arange(d), n + d + np.arange(d)
    increment[y, y], increment[y, v] = -q * lam, b
    increment[v, y], increment[v, v] = -rho * lam, f
    increment[-1, y] = 2 * lam * (1 - steps.eta * lam)  # x_t = y_{t-1} - eta g_t does not see v
    return increment, drive, np.concatenate([push, read(push)])
