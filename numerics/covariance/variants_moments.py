r"""Second moments of a linear recursion with fresh random matrices: the engine behind every variant of the inner loop.

In the eigenbasis of Sigma the state xi has n blocks of d numbers, such as (y, v = z - y, tail sum s). One step is

    xi_i' = xi_i + P_i xi_i + u noise_i,    E noise noise^T = N(sum_ab c_ab E xi_a xi_b^T) + R - 2 T3(E xi_1),

with N(X) = M(X) - Sigma X Sigma, so that the second moments, the means and the number 1 form one linear system. Its
unknowns are the entries E xi_ai xi_bj for all i <= j, or for i = j alone where pairs of directions decouple. The system
is written out and its *increment* is squared, D <- 2 D + D^2, which keeps the digits that squaring I + D loses: any
number of steps costs its logarithm. Memory is the square of the number of unknowns, which is at most `MOST_UNKNOWNS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from numerics.operators import Array

from .frame import Frame

MOST_UNKNOWNS = 2600


@dataclass(frozen=True, eq=False)
class Law:
    """How a a^T differs from Sigma: N on the entries X_ij that are kept, as a matrix; `pairs` are their (i, j)."""

    pairs: tuple[tuple[int, int], ...]
    table: Array
    dim: int

    @classmethod
    def of(cls, view: Frame) -> Law:
        """Diagonal entries alone where the fourth moments allow it, else the upper triangle."""
        d = view.dim
        if view.excess is not None:
            table = np.diag(view.excess.diagonal) + view.excess.trace * np.outer(view.lam, view.lam)
            return cls(tuple((i, i) for i in range(d)), table, d)
        pairs = tuple((i, j) for i in range(d) for j in range(i, d))
        rows, columns = (np.array(side) for side in zip(*pairs, strict=True))
        images = np.empty((len(pairs), len(pairs)))
        for k, (i, j) in enumerate(pairs):
            unit = np.zeros((d, d))
            unit[i, j] = unit[j, i] = 1.0
            images[:, k] = view.general_excess(unit)[rows, columns]
        return cls(pairs, images, d)

    def packed(self, matrix: Array) -> Array:
        """The entries of a symmetric matrix that are kept."""
        return np.array([matrix[i, j] for i, j in self.pairs])


@dataclass(frozen=True, eq=False)
class Segment:
    """`steps` equal steps: P (d, n, n), u (n,), c (n, n), R packed, T3 packed (kept, d) or None."""

    steps: int
    increment: Array
    direction: Array
    weight: Array
    noise: Array
    third: Array | None = None


@dataclass(frozen=True, eq=False)
class Moments:
    """The unknowns of n blocks under a law, and the linear system of one step."""

    law: Law
    blocks: int

    @cached_property
    def _spread(self) -> Array:
        """Symmetric entries (a <= b) to all n^2."""
        n = self.blocks
        out = np.zeros((n * n, n * (n + 1) // 2))
        for k, (a, b) in enumerate(_triangle(n)):
            out[a * n + b, k] = out[b * n + a, k] = 1.0
        return out

    @cached_property
    def _gather(self) -> Array:
        """All n^2 entries to the symmetric ones."""
        n = self.blocks
        out = np.zeros((n * (n + 1) // 2, n * n))
        for k, (a, b) in enumerate(_triangle(n)):
            out[k, a * n + b] = 1.0
        return out

    @cached_property
    def offsets(self) -> list[int]:
        """Where the entries of each pair of directions begin; last, how many there are."""
        n = self.blocks
        sizes = [n * (n + 1) // 2 if i == j else n * n for i, j in self.law.pairs]
        return [0, *np.cumsum(sizes).tolist()]

    @property
    def size(self) -> int:
        return self.offsets[-1]

    def linear_system(self, segment: Segment) -> tuple[Array, Array, Array]:
        """Mean part D0 and excess part E (size, size), and the push U (size, kept) by which noise enters."""
        n, size, kept = self.blocks, affordable(self.size), len(self.law.pairs)
        mean, push, read = np.zeros((size, size)), np.zeros((size, kept)), np.zeros((kept, size))
        one, outward = np.eye(n), np.outer(segment.direction, segment.direction).ravel()
        for k, (i, j) in enumerate(self.law.pairs):
            here = slice(self.offsets[k], self.offsets[k + 1])
            left, right = segment.increment[i], segment.increment[j]
            both = np.kron(left, one) + np.kron(one, right) + np.kron(left, right)
            if i == j:
                mean[here, here] = self._gather @ both @ self._spread
                push[here, k], read[k, here] = self._gather @ outward, segment.weight.ravel() @ self._spread
            else:
                mean[here, here], push[here, k], read[k, here] = both, outward, segment.weight.ravel()
        return mean, push @ self.law.table @ read, push

    def generator(self, segment: Segment, layers: int | None = None) -> Array:
        """The increment of the whole system; with `layers`, copies that feed one another, the remainder last."""
        mean, excess, push = self.linear_system(segment)
        if layers is None:
            return self._with_means(segment, mean + excess, push)
        copies, size = layers + 1, self.size
        out = np.zeros((affordable(copies * size + 1),) * 2)
        for l in range(copies):
            here = slice(l * size, (l + 1) * size)
            out[here, here] = mean if l < layers else mean + excess
            if l:
                out[here, (l - 1) * size : l * size] = excess
        out[:size, -1] = push @ segment.noise
        return out

    def _with_means(self, segment: Segment, moments: Array, push: Array) -> Array:
        size, first, d = self.size, self.blocks * self.law.dim if segment.third is not None else 0, self.law.dim
        out = np.zeros((affordable(size + first + 1),) * 2)
        out[:size, :size], out[:size, -1] = moments, push @ segment.noise
        if segment.third is not None:
            for i in range(d):
                places = size + np.arange(self.blocks) * d + i
                out[np.ix_(places, places)] = segment.increment[i]
            out[:size, size : size + d] = -2 * push @ segment.third
        return out

    def state(self, start: Array, *, means: bool) -> Array:
        """The moments of a state that is not random: blocks (n, d)."""
        parts = []
        for i, j in self.law.pairs:
            outer = np.outer(start[:, i], start[:, j]).ravel()
            parts.append(self._gather @ outer if i == j else outer)
        first = [start.ravel()] if means else []
        return np.concatenate([*parts, *first, [1.0]])

    def transformed(self, values: Array, change: Array) -> Array:
        """The moments (and means) of (change @ blocks) for an (n, n) matrix that is the same in every direction."""
        out, n = values.copy(), self.blocks
        both = np.kron(change, change)
        for k, (i, j) in enumerate(self.law.pairs):
            here = slice(self.offsets[k], self.offsets[k + 1])
            out[here] = (self._gather @ both @ self._spread if i == j else both) @ values[here]
        if len(values) > self.size + 1:
            means = values[self.size : -1].reshape(n, self.law.dim)
            out[self.size : -1] = (change @ means).ravel()
        return out

    def diagonal(self, values: Array, a: int, b: int) -> Array:
        """E xi_ai xi_bi for every direction i; `values` may hold several states as columns."""
        place = _triangle(self.blocks).index((min(a, b), max(a, b)))
        at = [self.offsets[k] + place for k, (i, j) in enumerate(self.law.pairs) if i == j]
        return np.asarray(values[at])

    def matrix(self, values: Array, a: int, b: int) -> Array:
        """E xi_a xi_b^T, where every pair of directions is kept."""
        if len(self.law.pairs) == self.law.dim > 1:
            raise ValueError("this law keeps diagonal entries only; ask for `diagonal`")
        out, n = np.empty((self.law.dim, self.law.dim)), self.blocks
        for k, (i, j) in enumerate(self.law.pairs):
            part = values[self.offsets[k] : self.offsets[k + 1]]
            whole = (self._spread @ part if i == j else part).reshape(n, n)
            out[i, j], out[j, i] = whole[a, b], whole[b, a]
        return out

    def radius(self, segment: Segment) -> float:
        """The spectral radius of the second-moment operator of one step."""
        mean, excess, _ = self.linear_system(segment)
        return float(np.max(np.abs(1 + np.linalg.eigvals(mean + excess))))


def leap(increment: Array, values: Array, steps: int, *, by_loop: bool = False) -> Array:
    """(I + increment)^steps applied to one state or to several as columns."""
    if by_loop:
        for _ in range(steps):
            values = values + increment @ values
        return values
    while steps:
        if steps & 1:
            values = values + increment @ values
        steps >>= 1
        if steps:
            increment = 2 * increment + increment @ increment
    return values


def _triangle(n: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(n) for b in range(a, n)]


def affordable(unknowns: int) -> int:
    """Refused where the system would not fit."""
    if unknowns > MOST_UNKNOWNS:
        raise ValueError(
            f"{unknowns} unknowns exceed {MOST_UNKNOWNS}: the system is written out and squared; lower the dimension "
            "or the depth"
        )
    return unknowns
