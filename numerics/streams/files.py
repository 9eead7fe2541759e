"""CSV, Parquet and npz files as streams: read in chunks, never as a whole; what cannot be read is named and refused."""

from __future__ import annotations

import csv
import gzip
import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from numerics.designs.checks import Array
from numerics.errors import StreamError

from .base import Block, Stream
from .source import content_digest

Column = int | str
NUMERIC = {"bool", "halffloat", "float", "double", *(f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64))}


def open_stream(path: str | Path, label: Column | None = None) -> Stream:
    """The stream of a file, by its suffix: .csv, .tsv, .txt, .parquet, .pq, .npz."""
    suffix = Path(Path(path).name.lower().removesuffix(".gz")).suffix
    if suffix in (".csv", ".tsv", ".txt"):
        return CsvStream(path, label=-1 if label is None else label, delimiter="\t" if suffix == ".tsv" else ",")
    if suffix in (".parquet", ".pq"):
        return ParquetStream(path, label=-1 if label is None else label)
    if suffix == ".npz":
        return NpzStream(path)
    raise StreamError(f"{path}: suffix {suffix!r} is not known; use .csv, .tsv, .parquet or .npz")


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what the libraries raise on a missing or damaged file into one kind of error."""
    try:
        yield
    except StreamError:
        raise
    except FileNotFoundError:
        raise StreamError(f"{path}: no such file; check the name") from None
    except (OSError, EOFError, UnicodeDecodeError, zipfile.BadZipFile, zlib.error) as error:
        raise StreamError(f"{path}: cannot be read ({error}); the file may be truncated: copy it again") from None


def _position(label: Column, names: list[str], path: Path) -> int:
    """The index of the label column."""
    if isinstance(label, str):
        if label not in names:
            raise StreamError(f"{path}: no column {label!r}; there are: {', '.join(names[:20]) or 'none with a name'}")
        return names.index(label)
    if not -len(names) <= label < len(names):
        raise StreamError(f"{path}: column {label} of {len(names)}; give an index within, or a name")
    return label % len(names)


def _split(table: Array, label: int) -> Block:
    return np.delete(table, label, axis=1), np.ascontiguousarray(table[:, label])


def _text(path: Path) -> IO[str]:
    """The lines of a file, through gzip where its name says so; a byte-order mark is no part of them."""
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", newline="", encoding="utf-8-sig")
    return path.open(newline="", encoding="utf-8-sig")


class FileStream(Stream):
    """A stream that is told apart by every byte of its file, its columns and its label."""

    path: Path

    def fingerprint(self) -> str:
        label = getattr(self, "label", None)
        return hashlib.sha256(repr((self.dim, label, content_digest(self.path))).encode()).hexdigest()


class CsvStream(FileStream):
    """Numbers separated by `delimiter`, one sample a line; a first line that is not all numbers is the header."""

    def __init__(self, path: str | Path, *, label: Column = -1, delimiter: str = ",") -> None:
        self.path, self.delimiter, self.length = Path(path), delimiter, None
        with readable(self.path), _text(self.path) as handle:
            first = next(csv.reader(_filled(handle), delimiter=delimiter), None)
        if not first or len(first) < 2:
            raise StreamError(f"{path}: {len(first or [])} columns in the first line; needs data and a label column")
        self.header = not all(_is_number(field) for field in first)
        names = [field.strip() for field in first] if self.header else [str(i) for i in range(len(first))]
        self.columns, self.label = len(first), _position(label, names, self.path)
        self.dim = self.columns - 1

    def chunks(self, start: int, size: int) -> Iterator[Block]:
        with readable(self.path), _text(self.path) as handle:
            lines = _filled(handle)
            skipped = sum(1 for _ in islice(lines, start + self.header))
            row = skipped - self.header
            while batch := list(islice(lines, size)):
                yield _split(self._parse(batch, row), self.label)
                row += len(batch)

    def _parse(self, lines: list[str], row: int) -> Array:
        try:
            table = np.loadtxt(lines, delimiter=self.delimiter, ndmin=2, comments=None, quotechar='"')
        except ValueError:
            table = np.empty((0, 0))
        if table.shape != (len(lines), self.columns):
            raise StreamError(self._complaint(lines, row))
        return np.asarray(table, dtype=np.float64)

    def _complaint(self, lines: list[str], row: int) -> str:
        """The first line that is not a row of numbers."""
        for i, line in enumerate(lines):
            fields = next(csv.reader([line], delimiter=self.delimiter))
            if len(fields) != self.columns:
                return (
                    f"{self.path}: sample {row + i} has {len(fields)} fields, expected {self.columns}; "
                    "the file may be truncated or damaged there"
                )
            for column, field in enumerate(fields):
                if not _is_number(field):
                    return f"{self.path}: sample {row + i}, column {column} is {field!r}, not a number; clean it first"
        return f"{self.path}: samples {row} to {row + len(lines) - 1} cannot be read as numbers"


def _filled(handle: IO[str]) -> Iterator[str]:
    return (line for line in handle if line.strip())


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


class ParquetStream(FileStream):
    """The numeric columns of a Parquet file; needs the `parquet` extra."""

    def __init__(self, path: str | Path, *, label: Column = -1) -> None:
        self.path = Path(path)
        with self.opened(self.path) as file:
            schema, self.length = file.schema_arrow, int(file.metadata.num_rows)
            kinds = [str(kind) for kind in schema.types]
        if len(schema.names) < 2:
            raise StreamError(f"{path}: {len(schema.names)} columns; needs data columns and a label column")
        for name, kind in zip(schema.names, kinds, strict=True):
            if kind not in NUMERIC:
                raise StreamError(f"{path}: column {name!r} has type {kind}; convert it to numbers or drop it")
        self.label = _position(label, list(schema.names), self.path)
        self.dim = len(schema.names) - 1

    @staticmethod
    @contextmanager
    def opened(path: Path) -> Iterator[Any]:
        """The file, as pyarrow sees it."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise StreamError(f"{path}: reading Parquet needs pyarrow; pip install 'lemmalab[parquet]'") from None
        try:
            with readable(path), pyarrow.parquet.ParquetFile(path) as file:
                yield file
        except pyarrow.ArrowException as error:
            raise StreamError(f"{path}: cannot be read ({error}); the file may be truncated: copy it again") from None

    def chunks(self, start: int, size: int) -> Iterator[Block]:
        with self.opened(self.path) as file:
            skip = start
            for batch in file.iter_batches(batch_size=size):
                if skip >= len(batch):
                    skip -= len(batch)
                    continue
                columns = [column.to_numpy(zero_copy_only=False) for column in batch.columns]
                yield _split(np.column_stack(columns).astype(np.float64)[skip:], self.label)
                skip = 0


class NpzStream(FileStream):
    """Arrays X (n, d) and y (n,) of an npz file, read row by row from the archive, compressed or not."""

    def __init__(self, path: str | Path, *, data: str = "X", labels: str = "y") -> None:
        self.path, self.data, self.labels = Path(path), data, labels
        with readable(self.path), zipfile.ZipFile(self.path) as archive:
            names = [name.removesuffix(".npy") for name in archive.namelist()]
            for name in (data, labels):
                if name not in names:
                    raise StreamError(f"{path}: no array {name!r}; there are: {', '.join(names)}")
            with archive.open(f"{data}.npy") as x, archive.open(f"{labels}.npy") as y:
                shape, _ = self._header(x, data)
                label_shape, _ = self._header(y, labels)
        if len(shape) != 2 or label_shape != shape[:1] or shape[1] < 1:
            raise StreamError(f"{path}: {data} has shape {shape}, {labels} {label_shape}; needs (n, d) and (n,)")
        self.length, self.dim = int(shape[0]), int(shape[1])

    def _header(self, member: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
        try:
            version = np.lib.format.read_magic(member)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = read(member)
        except ValueError as error:
            raise StreamError(
                f"{self.path}: {name} is not a numpy array ({error}); write it with numpy.savez"
            ) from None
        if dtype.kind not in "fiub":
            raise StreamError(f"{self.path}: {name} has type {dtype}; store numbers (objects are never unpickled)")
        if fortran and len(shape) > 1:
            raise StreamError(f"{self.path}: {name} is stored by columns; save numpy.ascontiguousarray({name})")
        return shape, dtype

    def chunks(self, start: int, size: int) -> Iterator[Block]:
        with (
            readable(self.path),
            zipfile.ZipFile(self.path) as archive,
            archive.open(f"{self.data}.npy") as x,
            archive.open(f"{self.labels}.npy") as y,
        ):
            x_shape, x_type = self._header(x, self.data)
            _, y_type = self._header(y, self.labels)
            x.seek(x.tell() + start * x_shape[1] * x_type.itemsize)
            y.seek(y.tell() + start * y_type.itemsize)
            for row in range(start, x_shape[0], size):
                n = min(size, x_shape[0] - row)
                a = self._rows(x, n * x_shape[1], x_type, row)
                yield a.reshape(n, -1), self._rows(y, n, y_type, row)

    def _rows(self, member: IO[bytes], count: int, dtype: np.dtype[Any], row: int) -> Array:
        raw = member.read(count * dtype.itemsize)
        if len(raw) != count * dtype.itemsize:
            raise StreamError(f"{self.path}: ends within sample {row}; the file is truncated: copy it again")
        return np.frombuffer(raw, dtype=dtype).astype(np.float64)
