"""Tables as they lie on disk or come through a pipe: named columns, read once in blocks, from any noted position.

A block is a matrix of numbers with the text of one column beside it where that is wanted. What cannot be used is named
with its place; `skip` leaves it out and keeps count.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array
from numerics.errors import StreamError

HUGE = 1e100  # squares of larger numbers overflow
PLACES = 1000  # bad rows whose places are kept
READ = 1 << 22
LONGEST_TEXT = 256  # bytes of the name of a class

Text = NDArray[np.str_]


@dataclass(frozen=True)
class Bad:
    """A row that cannot be used; `place` as a person finds it ("line 17")."""

    place: str
    reason: str


@dataclass(frozen=True, eq=False)
class Block:
    """Rows (n, columns) and the text column (n,); `position` is where the next block begins, `done` a part of 1,
    `places` names rows of the block as a person finds them, `prefix` is the digest of all that a pipe has given."""

    rows: Array
    text: Text | None
    position: int
    done: float
    places: Callable[[NDArray[np.intp]], list[str]]
    bad: tuple[Bad, ...] = ()
    prefix: str | None = None


@dataclass(frozen=True)
class Wanted:
    """`text`: the index of the column to be read as text; `skip`: leave bad rows out; `drop`: columns not read."""

    text: int | None = None
    skip: bool = False
    drop: frozenset[int] = frozenset()


class Source(ABC):
    """A table with column names; `path` is None for a pipe."""

    path: Path | None
    names: list[str]
    skipped: str = ""  # the digest of what a pipe gave before the position asked for

    @abstractmethod
    def blocks(self, position: int, wanted: Wanted) -> Iterator[Block]:
        """The rows from `position` on."""

    def digest(self) -> str | None:
        """Of the whole content; None for a pipe, whose content has not come yet."""
        return None if self.path is None else content_digest(self.path)

    def called(self) -> str:
        return "standard input" if self.path is None else str(self.path)

    def position(self, column: str) -> int:
        """The index of a column, by name or by number."""
        if column in self.names:
            return self.names.index(column)
        if column.lstrip("-").isdecimal() and -len(self.names) <= int(column) < len(self.names):
            return int(column) % len(self.names)
        raise StreamError(f"{self.called()}: no column {column!r}; there are: {', '.join(self.names[:20])}")


def ahead(source: Source, position: int, wanted: Wanted) -> Iterator[Block]:
    """The blocks of a file, each read in a thread while the one before is worked on; those of a pipe as they come."""
    blocks = source.blocks(position, wanted)
    if source.path is None:
        yield from blocks
        return
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, blocks, None)
        while (block := coming.result()) is not None:
            coming = pool.submit(next, blocks, None)
            yield block


def content_digest(path: Path) -> str:
    """Changes with any byte of the file."""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise StreamError(f"{path}: cannot be read ({error.strerror}); check the name") from None


def usable(rows: Array) -> NDArray[np.bool_]:
    """Rows whose numbers are finite and not beyond HUGE."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.all(np.abs(rows) <= HUGE, axis=1))


def complaint(value: float | str, name: str) -> str:
    """Why this entry cannot be used."""
    number = as_number(value)
    if number is None:
        shown = str(value)
        return f"column {name!r} is {shown!r}, not a number" if shown.strip() else f"column {name!r} is empty"
    if not np.isfinite(number):
        return f"column {name!r} is {number}"
    return f"column {name!r} is {number:.3g}, beyond {HUGE:g}: its square overflows"


def as_number(value: float | str) -> float | None:
    """As Python reads it, but for its underscores: 1_0 is no number in a table."""
    try:
        return None if isinstance(value, str) and "_" in value else float(value)
    except ValueError:
        return None


def refused(source: str, bad: Bad) -> StreamError:
    return StreamError(
        f"{source}: {bad.place}: {bad.reason}; mend it, or leave such rows out (`fit` has --skip-bad-rows)"
    )
