"""A sweep: the cells of a grid that the store lacks, computed here or on a cluster, stored as they arrive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import store
from .cells import Cell, Record, batches
from .cluster import run_cluster
from .grid import Grid
from .local import run_local


@dataclass(frozen=True)
class Sweep:
    """The records of all cells of the grid, in its order; `computed` of them in this run."""

    grid: Grid
    records: tuple[Record, ...]
    computed: int
    damaged: tuple[int, ...]

    @property
    def failures(self) -> tuple[Record, ...]:
        return tuple(record for record in self.records if record["status"] == "failed")


def missing(cells: Sequence[Cell], found: store.Contents, *, retry_failed: bool = False) -> list[Cell]:
    """What must still be computed."""

    def settled(cell: Cell) -> bool:
        record = found.records.get(cell.key)
        return record is not None and not (retry_failed and record["status"] == "failed")

    return [cell for cell in cells if not settled(cell)]


def sweep(
    grid: Grid,
    path: Path,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    retry_failed: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Whatever ends it early, the store has all that was finished; run it again to go on."""
    cells = grid.cells()
    with store.writing(path) as writer:
        found = store.read(path)
        todo = missing(cells, found, retry_failed=retry_failed)
        work = list(batches(todo))
        done = len(cells) - len(todo)
        if progress:
            progress(done, len(cells))
        if work:
            for records in run_cluster(work, scheduler) if scheduler else run_local(work, jobs):
                writer.append(records)
                done += len(records)
                if progress:
                    progress(done, len(cells))
        every = store.read(path).records
    return Sweep(grid, tuple(every[cell.key] for cell in cells), len(todo), found.damaged)
