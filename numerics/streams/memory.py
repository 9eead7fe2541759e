"""Streams that need no file: fresh samples of a problem, arrays, and labelled rows interleaved with unlabelled ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array
from numerics.errors import StreamError

from .base import Block, Reader, Stream

CHUNK = 1024
DIGESTED = 1 << 16  # rows at a time


class Sampler(Protocol):
    """Anything that draws labelled samples, such as a Problem."""

    @property
    def dim(self) -> int: ...

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]: ...


class FreshStream(Stream):
    """Independent samples of a problem; the rows depend on the seed alone, not on how they are read.

    Rows come in chunks of 1024, each with its own generator, so that reading may begin anywhere at once.
    """

    def __init__(self, problem: Sampler, seed: int, length: int | None = None) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise StreamError(f"seed = {seed!r} is not a seed; give an integer >= 0")
        self.problem, self.seed, self.dim, self.length = problem, seed, problem.dim, length

    def chunks(self, start: int, size: int) -> Iterator[Block]:
        index, skip = divmod(start, CHUNK)
        while self.length is None or index * CHUNK < self.length:
            rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(index,)))
            a, b = self.problem.sample(CHUNK, rng)
            stop = CHUNK if self.length is None else min(CHUNK, self.length - index * CHUNK)
            if skip < stop:
                yield a[skip:stop], b[skip:stop]
            index, skip = index + 1, 0


class ArrayStream(Stream):
    """The rows of a data matrix (n, d) with labels (n,), in order; memory-mapped arrays are read as they are needed."""

    def __init__(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> None:
        a, b = np.asanyarray(a), np.asanyarray(b)
        if a.ndim != 2 or b.ndim != 1 or len(a) != len(b) or a.shape[1] == 0:
            raise StreamError(
                f"data of shape {a.shape} and labels of shape {b.shape}; needs (n, d) and (n,) with d >= 1"
            )
        for name, array in (("data", a), ("labels", b)):
            if array.dtype.kind not in "fiub":
                raise StreamError(f"{name} have type {array.dtype}; convert them to numbers first")
        self.a, self.b = a, b
        self.dim, self.length = int(a.shape[1]), len(b)

    def fingerprint(self) -> str:
        """Of all numbers."""
        digest = hashlib.sha256(repr((self.dim, self.length)).encode())
        for a, b in self.chunks(0, DIGESTED):
            digest.update(np.ascontiguousarray(a, dtype="<f8").tobytes())
            digest.update(np.ascontiguousarray(b, dtype="<f8").tobytes())
        return digest.hexdigest()

    def chunks(self, start: int, size: int) -> Iterator[Block]:
        for i in range(start, len(self.b), size):
            rows = slice(i, i + size)
            yield np.asarray(self.a[rows], dtype=np.float64), np.asarray(self.b[rows], dtype=np.float64)


@dataclass(frozen=True)
class Pattern:
    """T steps of one labelled row, each of the first `until` followed by m unlabelled rows; then again."""

    T: int
    m: int
    until: int

    @property
    def period(self) -> int:
        return self.T + min(self.until, self.T) * self.m

    def labelled(self, start: int, n: int) -> NDArray[np.bool_]:
        """Which of the rows start, …, start + n - 1 are labelled."""
        position = (start + np.arange(n)) % self.period
        bundled = min(self.until, self.T) * (1 + self.m)
        return np.asarray((position >= bundled) | (position % (1 + self.m) == 0))

    def labelled_before(self, row: int) -> int:
        """How many of the first `row` rows are labelled."""
        whole, rest = divmod(row, self.period)
        return whole * self.T + int(np.count_nonzero(self.labelled(0, rest)))


class InterleavedStream(Stream):
    """Labelled rows of one stream among unlabelled rows of another, as SADA-UD takes them; absent labels are NaN."""

    def __init__(self, labelled: Stream, unlabelled: Stream, pattern: Pattern) -> None:
        if labelled.dim != unlabelled.dim:
            raise StreamError(
                f"labelled rows have dimension {labelled.dim}, unlabelled ones {unlabelled.dim}; use the same columns"
            )
        self.labelled, self.unlabelled, self.pattern = labelled, unlabelled, pattern
        self.dim, self.length = labelled.dim, None

    def chunks(self, start: int, size: int) -> Iterator[Block]:
        before = self.pattern.labelled_before(start)
        with_label, without = Reader(self.labelled, before, size), Reader(self.unlabelled, start - before, size)
        while True:
            mask = self.pattern.labelled(start, size)
            wanted = int(np.count_nonzero(mask))
            (a, b), (more, _) = with_label.take(wanted), without.take(size - wanted)
            end = min(_reach(mask, len(b)), _reach(~mask, len(more)))
            rows, labels = np.empty((size, self.dim)), np.full(size, np.nan)
            rows[np.flatnonzero(mask)[: len(b)]], labels[np.flatnonzero(mask)[: len(b)]] = a, b
            rows[np.flatnonzero(~mask)[: len(more)]] = more
            if end:
                yield rows[:end], labels[:end]
            if end < size:
                return
            start += size


def _reach(mask: NDArray[np.bool_], available: int) -> int:
    """How far the pattern can be filled with that many rows of the masked kind."""
    places = np.flatnonzero(mask)
    return int(places[available]) if available < places.size else mask.size
