"""A cell: one method, tuned for n samples, on one stream of one problem. Plain data in, plain data out.

The key of a cell is a digest of all that decides its result: the problem with all its numbers, the method, n, the seed,
the content of a table, and the source of the code that computes it. Equal keys mean equal results, on any machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numerics
from numerics.errors import DataError
from numerics.problems import Problem
from numerics.race.lanes import Entrant, run_stream
from numerics.race.problems import READY, ProblemSpec
from numerics.threads import one_thread

Record = dict[str, Any]
SCHEMA = 1
SOURCES = (  # closed under imports
    "designs",
    "losses",
    "problems",
    "optimizers",
    "streams",
    "race/lanes.py",
    "race/problems.py",
    "parameters.py",
    "conditions.py",
    "operators.py",
    "checkpoint.py",
    "errors.py",
)
MOST_SAMPLES, MOST_UNITS = 200_000, 50  # of one batch: a fraction of a second


@dataclass(frozen=True)
class Cell:
    """What is computed."""

    problem: ProblemSpec
    method: str
    n: int
    seed: int

    def content(self) -> dict[str, Any]:
        found = {
            "problem": self.problem.name,
            "options": dict(self.problem.options),
            "method": self.method,
            "n": self.n,
            "seed": self.seed,
        }
        return found if self.problem.name in READY else found | {"data": _file_digest(self.problem.name)}

    @property
    def key(self) -> str:
        decides = {"schema": SCHEMA, "code": code_digest(), **self.content(), "problem": Path(self.problem.name).name}
        return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:32]


@cache
def code_digest() -> str:
    """Sixteen digits that change with the code that computes a cell."""
    home = Path(next(iter(numerics.__path__)))
    digest = hashlib.sha256()
    for name in SOURCES:
        place = home / name
        for source in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(source.relative_to(home).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _file_digest(path: str) -> str:
    try:
        now = Path(path).stat()
        return _digest_at(path, now.st_mtime_ns, now.st_size)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); check the path") from None


@lru_cache(maxsize=64)
def _digest_at(path: str, changed: int, size: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:32]


def _problem(spec: ProblemSpec) -> Problem:
    return _built(spec, "" if spec.name in READY else _file_digest(spec.name))


@lru_cache(maxsize=32)
def _built(spec: ProblemSpec, data: str) -> Problem:
    return spec.build()


def run_cells(cells: Sequence[Cell]) -> list[Record]:
    """One record for each cell; cells of one problem, size and seed share their stream."""
    records: list[Record] = []
    with one_thread():
        for (spec, n, seed), group in groupby(cells, key=lambda c: (c.problem, c.n, c.seed)):
            records += _unit(spec, n, seed, list(group))
    return records


def _unit(spec: ProblemSpec, n: int, seed: int, cells: list[Cell]) -> list[Record]:
    try:
        entrants = [Entrant.parse(cell.method) for cell in cells]
        outcomes = run_stream(_problem(spec), entrants, (n,), seed)
    except Exception as error:  # whatever a cell raises is its result, not the end of the sweep
        return [failed(cell, f"{type(error).__name__}: {error}") for cell in cells]
    return [
        failed(cell, o.error) if o.error is not None else _done(cell, o.excess, o.used)
        for cell, o in zip(cells, outcomes, strict=True)
    ]


def _done(cell: Cell, excess: float | None, used: int) -> Record:
    return {"key": cell.key, "status": "done", **cell.content(), "excess": excess, "used": used}


def failed(cell: Cell, error: str) -> Record:
    """The record of a cell that gave no result."""
    return {"key": cell.key, "status": "failed", **cell.content(), "error": error}


def batches(cells: Sequence[Cell]) -> Iterator[list[Cell]]:
    """The cells in batches of whole units, small enough to lose, large enough to be worth sending."""
    batch: list[Cell] = []
    samples = units = 0
    for _, group in groupby(cells, key=lambda c: (c.problem, c.n, c.seed)):
        unit = list(group)
        cost = unit[0].n * len(unit)
        if batch and (samples + cost > MOST_SAMPLES or units == MOST_UNITS):
            yield batch
            batch, samples, units = [], 0, 0
        batch, samples, units = [*batch, *unit], samples + cost, units + 1
    if batch:
        yield batch
