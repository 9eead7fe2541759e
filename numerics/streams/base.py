"""What every stream is: rows (a, b) in a fixed order, handed out in blocks from any starting row."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

from numerics.designs.checks import Array

Block = tuple[Array, Array]
FINGERPRINT_ROWS = 64


class Stream(ABC):
    """A source of rows of dimension `dim`; `length` is None where the end is unknown or there is none."""

    dim: int
    length: int | None

    @abstractmethod
    def chunks(self, start: int, size: int) -> Iterator[Block]:
        """The rows from `start` on, in blocks of any size; `size` is a wish."""

    def fingerprint(self) -> str:
        """A digest that tells one source from another when a run is resumed: of the first rows, unless a subclass knows
        what all of them follow from."""
        a, b = Reader(self).take(FINGERPRINT_ROWS)
        digest = hashlib.sha256(repr((self.dim, len(b))).encode())
        for part in (a, b):
            digest.update(np.ascontiguousarray(part, dtype="<f8").tobytes())
        return digest.hexdigest()


class Reader:
    """Takes exactly as many rows as it is asked for, until the stream ends. Not a value: it moves."""

    def __init__(self, stream: Stream, start: int = 0, size: int = 4096) -> None:
        self._chunks = stream.chunks(start, size)
        self._rest: Block = np.empty((0, stream.dim)), np.empty(0)

    def take(self, n: int) -> Block:
        """The next n rows; fewer only at the end of the stream."""
        parts = [self._rest]
        missing = n - len(self._rest[1])
        while missing > 0:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            parts = [part for part in (*parts, chunk) if len(part[1])] or parts
            missing -= len(chunk[1])
        a, b = parts[0] if len(parts) == 1 else _join(parts)
        self._rest = a[n:], b[n:]
        return a[:n], b[:n]


def _join(parts: list[Block]) -> Block:
    return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])
