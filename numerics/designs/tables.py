"""Read a numeric table from CSV, .npy, .npz or Parquet; every refusal names the file, the place and the remedy."""

from __future__ import annotations

import csv
import io
import math
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .checks import Array, freeze


@dataclass(frozen=True, eq=False)
class Table:
    """Column names and an (n, d) array of finite numbers."""

    names: tuple[str, ...]
    values: Array

    def select(self, columns: Sequence[str]) -> Table:
        missing = [c for c in columns if c not in self.names]
        if missing:
            raise ValueError(f"column {missing[0]!r} is not in the table; choose from {', '.join(self.names)}")
        return Table(tuple(columns), freeze(self.values[:, [self.names.index(c) for c in columns]]))

    def split(self, label: str) -> tuple[Table, Array]:
        """All columns but `label`, and the column `label`."""
        column = self.select([label]).values[:, 0]
        return self.select([n for n in self.names if n != label]), column


def read_table(path: str | Path, *, key: str | None = None) -> Table:
    """A table from a file, by its suffix; `key` names the array of an .npz archive."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"{file}: no such file; check the path")
    readers = {".csv": _read_csv, ".npy": _read_npy, ".parquet": _read_parquet, ".pq": _read_parquet}
    if file.suffix.lower() == ".npz":
        names, values = _read_npz(file, key)
    elif file.suffix.lower() in readers:
        names, values = readers[file.suffix.lower()](file)
    else:
        raise ValueError(f"{file}: suffix {file.suffix!r} is not known; use .csv, .npy, .npz or .parquet")
    return _checked(file, names, values)


def _checked(file: Path, names: tuple[str, ...] | None, values: Any) -> Table:
    array = np.asarray(values)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{file}: holds an array of shape {array.shape}, needs rows and columns; reshape it to (n, d)")
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{file}: entries have type {array.dtype}, need real numbers; convert them")
    array = np.array(array, dtype=np.float64, order="C")
    names = names or tuple(f"x{j}" for j in range(array.shape[1]))
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        row, column = (int(i) for i in bad[0])
        raise ValueError(
            f"{file}: row {row}, column {names[column]!r} is {array[row, column]} ({len(bad)} entries are missing "
            "or not finite); remove or impute them"
        )
    return Table(names, freeze(array))


def _read_csv(file: Path) -> tuple[tuple[str, ...] | None, Any]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: not UTF-8 text ({error}); save it as UTF-8 CSV") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise ValueError(f"{file}: line {reader.line_num} is not CSV ({error}); check its quotes") from None
    if not rows:
        raise ValueError(f"{file}: is empty; give at least one row of numbers")
    names = None if all(_is_number(cell) for cell in rows[0][1]) else tuple(cell.strip() for cell in rows[0][1])
    body = rows if names is None else rows[1:]
    if names is not None and len(set(names)) != len(names):
        raise ValueError(f"{file}: two columns have the same name; rename one")
    return names, [_numbers(file, line, row, width=len(rows[0][1])) for line, row in body]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return not cell.strip()  # an empty cell is a missing number, not a name
    return True


def _numbers(file: Path, line: int, row: list[str], *, width: int) -> list[float]:
    if len(row) != width:
        raise ValueError(f"{file}: line {line} has {len(row)} fields, the first line has {width}; make all rows equal")
    numbers = []
    for column, cell in enumerate(row):
        if not cell.strip():
            numbers.append(math.nan)
            continue
        try:
            numbers.append(float(cell))
        except ValueError:
            raise ValueError(
                f"{file}: line {line}, field {column + 1} is {cell!r}, not a number; encode or drop it"
            ) from None
    return numbers


def _read_npy(file: Path) -> tuple[None, Any]:
    try:
        with file.open("rb") as handle:
            return None, np.load(handle, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{file}: not a readable .npy array ({error}); save it with numpy.save") from None


def _read_npz(file: Path, key: str | None) -> tuple[None, Any]:
    try:
        with file.open("rb") as handle, np.load(handle, allow_pickle=False) as archive:
            keys = list(archive.keys())
            if key is None and len(keys) != 1:
                raise KeyError(f"{file}: holds arrays {', '.join(keys)}; choose one with key=")
            if key is not None and key not in keys:
                raise KeyError(f"{file}: has no array {key!r}; choose from {', '.join(keys)}")
            return None, archive[keys[0] if key is None else key]
    except KeyError as error:
        raise ValueError(str(error.args[0])) from None
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file}: not a readable .npz archive ({error}); save it with numpy.savez") from None


def _read_parquet(file: Path) -> tuple[tuple[str, ...], Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ImportError(
            f"{file}: reading Parquet needs pyarrow; install it with pip install 'lemmalab[parquet]'"
        ) from None
    try:
        table = pq.read_table(file)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{file}: not a readable Parquet file ({error}); write it again") from None
    for column in table.schema:
        if not (
            pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)
        ):
            raise ValueError(f"{file}: column {column.name!r} has type {column.type}, not numbers; encode or drop it")
    if not table.column_names:
        raise ValueError(f"{file}: has no columns; give at least one")
    columns = [table[name].cast(pa.float64()).to_numpy(zero_copy_only=False) for name in table.column_names]
    return tuple(table.column_names), np.column_stack(columns)
