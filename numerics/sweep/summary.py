"""The table of a sweep: problem x method x size, mean over the seeds with its interval; and exports.

Computed from the records in the order of the grid, so that it does not depend on who finished first.
"""

from __future__ import annotations

import csv
import io
import os
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from numerics.race.statistics import Interval, band

from .cells import Record
from .errors import StoreError
from .run import Sweep

COLUMNS = ("problem", "method", "samples", "seeds", "failed", "excess_risk", "low", "high", "error")


@dataclass(frozen=True)
class Row:
    """One method at one size; `mean` is None when a seed failed, `error` is the first one's."""

    problem: str
    method: str
    samples: int
    seeds: int
    failed: int
    mean: Interval | None
    error: str | None

    def cells(self) -> tuple[Any, ...]:
        mean = (self.mean.value, self.mean.low, self.mean.high) if self.mean else (None, None, None)
        return (self.problem, self.method, self.samples, self.seeds, self.failed, *mean, self.error)


def summarise(found: Sweep) -> list[Row]:
    """Rows in the order of the grid: problems, then methods, then sizes."""
    grid = found.grid
    groups: dict[tuple[Any, ...], list[Record]] = {key: [] for key in product(grid.problems, grid.methods, grid.sizes)}
    for cell, record in zip(grid.cells(), found.records, strict=True):
        groups[cell.problem, cell.method, cell.n].append(record)
    return [_row(problem.label, method, n, records) for (problem, method, n), records in groups.items()]


def _row(problem: str, method: str, n: int, records: list[Record]) -> Row:
    failures = [record for record in records if record["status"] == "failed"]
    if failures:
        return Row(problem, method, n, len(records), len(failures), None, str(failures[0]["error"]))
    values = np.array([[record["excess"] for record in sorted(records, key=lambda r: int(r["seed"]))]])
    mean = band(values)[0] or Interval(float(values.mean()), None, None)  # no interval when a risk is exactly 0
    return Row(problem, method, n, len(records), 0, mean, None)


def to_csv(rows: list[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(["" if value is None else value for value in row.cells()] for row in rows)
    return out.getvalue()


def to_json(rows: list[Row]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]


def to_parquet(found: Sweep, path: Path) -> None:
    """One line a cell: the numbers of the problem as columns, for whoever analyses further."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise StoreError(f"{path}: writing Parquet needs pyarrow; pip install 'lemmalab[parquet]'") from None
    plain = ("key", "problem", "method", "n", "seed", "status", "excess", "used", "error")
    options = sorted({name for record in found.records for name in record["options"]})
    columns: dict[str, list[Any]] = {name: [record.get(name) for record in found.records] for name in plain}
    for name in options:
        values = [record["options"].get(name) for record in found.records]
        texts = any(isinstance(value, str) for value in values)
        columns[f"option_{name}"] = [None if v is None else str(v) for v in values] if texts else values
    part = path.with_name(f".{path.name}.part")
    try:
        pyarrow.parquet.write_table(pyarrow.table(columns), part)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be written ({error}); give another path") from None
