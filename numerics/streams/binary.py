"""Parquet, npy and npz tables as sources; positions count rows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array
from numerics.errors import StreamError

from .files import NUMERIC, NpzStream, ParquetStream, readable
from .source import Bad, Block, Source, Text, Wanted, complaint, refused, usable
from .text import CsvSource

ROWS = 1 << 16


def open_source(path: Path | None, *, delimiter: str | None = None) -> Source:
    """By suffix: .csv, .tsv, .txt (also .gz), .parquet, .pq, .npy, .npz; None is CSV from standard input."""
    if path is None:
        return CsvSource(None, delimiter=delimiter)
    if not path.exists():
        raise StreamError(f"{path}: no such file; check the name")
    if not path.is_file() and not path.is_dir():  # a named pipe, <(…)
        return CsvSource(None, delimiter=delimiter, handle=path.open("rb"))
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".parquet", ".pq")):
        return ParquetSource(path)
    if name.endswith(".npy"):
        return NpySource(path)
    if name.endswith(".npz"):
        return NpzSource(path)
    if name.endswith((".csv", ".tsv", ".txt")):
        return CsvSource(path, delimiter=delimiter)
    raise StreamError(f"{path}: suffix {path.suffix!r} is not known; use .csv, .csv.gz, .tsv, .parquet, .npy or .npz")


class _Table(Source):
    """Rows by number; `_read` gives the matrix and the text column of some of them."""

    path: Path
    length: int

    def blocks(self, position: int, wanted: Wanted) -> Iterator[Block]:
        with readable(self.path):
            for rows, text in self._read(position, wanted):
                good = usable(rows) if text is None else usable(rows) & (text != "")
                first, position = position, position + len(rows)
                bad = tuple(self._bad(rows, i, first, wanted) for i in np.flatnonzero(~good)[:ROWS])
                if bad and not wanted.skip:
                    raise refused(self.called(), bad[0])
                kept = None if text is None else text[good]
                places = partial(_places, first + np.flatnonzero(good))
                done = position / max(self.length, 1)
                yield Block(rows[good] if bad else rows, kept, position, done, places, bad)

    def _bad(self, rows: Array, i: int, first: int, wanted: Wanted) -> Bad:
        wrong = ~usable(rows[i][:, None])
        column = int(np.argmax(wrong)) if wrong.any() else wanted.text or 0
        return Bad(f"row {first + i}", complaint(float(rows[i, column]) if wrong.any() else "", self.names[column]))

    def _read(self, position: int, wanted: Wanted) -> Iterator[tuple[Array, Text | None]]:
        raise NotImplementedError


class ParquetSource(_Table):
    """Numeric columns; others must be dropped, or be the text column."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with ParquetStream.opened(path) as file:
            self.names, self.length = list(file.schema_arrow.names), int(file.metadata.num_rows)
            self.kinds = [str(kind) for kind in file.schema_arrow.types]

    def _read(self, position: int, wanted: Wanted) -> Iterator[tuple[Array, Text | None]]:
        for i, (name, kind) in enumerate(zip(self.names, self.kinds, strict=True)):
            if kind not in NUMERIC and i not in wanted.drop and i != wanted.text:
                raise StreamError(f"{self.path}: column {name!r} has type {kind}; convert it to numbers or --drop it")
        with ParquetStream.opened(self.path) as file:
            group = 0
            while group < file.num_row_groups and position >= file.metadata.row_group(group).num_rows:
                position -= file.metadata.row_group(group).num_rows
                group += 1
            if group == file.num_row_groups:
                return
            for batch in file.iter_batches(batch_size=ROWS, row_groups=range(group, file.num_row_groups)):
                skip, position = min(position, len(batch)), max(0, position - len(batch))
                if skip < len(batch):
                    yield self._table(batch.slice(skip), wanted)

    def _table(self, batch: Any, wanted: Wanted) -> tuple[Array, Text | None]:
        rows = np.zeros((len(batch), len(self.names)))
        for i in range(len(self.names)):
            if i != wanted.text and i not in wanted.drop:
                rows[:, i] = batch.column(i).to_numpy(zero_copy_only=False)
        if wanted.text is None:
            return rows, None
        labels = batch.column(wanted.text)
        there = labels.is_valid().to_numpy(zero_copy_only=False)
        words = as_text(labels.drop_null().to_numpy(zero_copy_only=False))
        text = np.full(len(batch), "", dtype=words.dtype)
        text[there] = words
        return rows, text


class NpySource(_Table):
    """A matrix; its columns are called 0, 1, …"""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with readable(path):
                self.table: Any = np.load(path, mmap_mode="r", allow_pickle=False)
        except ValueError as error:
            raise StreamError(f"{path}: is no array of numbers ({error}); write it with numpy.save") from None
        if self.table.ndim != 2 or self.table.shape[1] < 2 or self.table.dtype.kind not in "fiub":
            raise StreamError(
                f"{path}: holds {self.table.dtype} of shape {self.table.shape}; needs a matrix of numbers with a label "
                "column"
            )
        self.length, self.names = len(self.table), [str(i) for i in range(self.table.shape[1])]

    def _read(self, position: int, wanted: Wanted) -> Iterator[tuple[Array, Text | None]]:
        for start in range(position, self.length, ROWS):
            part = np.array(self.table[start : start + ROWS], dtype=np.float64)
            text = None if wanted.text is None else as_text(part[:, wanted.text])
            yield part, text


class NpzSource(_Table):
    """Arrays X (n, d) and y (n,); the columns of X are called 0, 1, …, the label y."""

    def __init__(self, path: Path) -> None:
        self.path, self.stream = path, NpzStream(path)
        assert self.stream.length is not None
        self.length, self.names = self.stream.length, [*(str(i) for i in range(self.stream.dim)), "y"]

    def _read(self, position: int, wanted: Wanted) -> Iterator[tuple[Array, Text | None]]:
        for a, b in self.stream.chunks(position, ROWS):
            yield np.column_stack([a, b]), None if wanted.text is None else as_text(b)


def _places(numbers: NDArray[np.intp], rows: NDArray[np.intp]) -> list[str]:
    return [f"row {number}" for number in numbers[rows]]


def as_text(values: np.ndarray[Any, Any]) -> Text:
    """Labels as text, each by itself: a whole number has no point."""
    if values.dtype.kind != "f":
        return np.char.strip(values.astype(str))
    whole = (values == np.round(values)) & (np.abs(values) < 2**53)
    return np.where(whole, np.where(whole, values, 0).astype(np.int64).astype(str), values.astype(str))
