"""Batches of cells on an existing Dask cluster: an address is all that is needed.

    dask scheduler                                    # prints tcp://HOST:8786
    dask worker tcp://HOST:8786 --nworkers auto       # on every machine, with lemmalab installed
    lemmalab sweep GRID.toml --scheduler tcp://HOST:8786

A batch of a worker that dies is given to another one. Workers must run the same code and the same versions: results
would else not be comparable, and a table of them no table.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np
import scipy

from .cells import Cell, Record, code_digest, failed, run_cells
from .errors import SchedulerError, SchedulerLost

PATIENCE = 15  # seconds to reach the scheduler, and to see its first worker
RETRIES = 3


def versions() -> dict[str, str]:
    """What must be equal here and on every worker."""
    return {
        "lemmalab's code": code_digest(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "numba": numba.__version__,
    }


def run_cluster(work: Sequence[list[Cell]], address: str) -> Iterator[list[Record]]:
    """Records batch by batch, as they are finished."""
    from distributed import as_completed

    with _connected(address) as client:
        _same_versions(client, address)
        futures = {
            client.submit(run_cells, batch, key=f"lemmalab-{batch[0].key}-{len(batch)}", retries=RETRIES): batch
            for batch in work
        }
        left, ready = len(futures), as_completed(futures, loop=client.loop)
        for future in ready:
            records = _records(future, futures[future])
            if records is not None:
                left -= 1
                yield records
            elif future.status == "cancelled":
                raise _lost(address, left)
            else:  # its worker died with the result: another one computes it
                ready.add(future)
        if left:
            raise _lost(address, left)


def _records(future: Any, batch: list[Cell]) -> list[Record] | None:
    """What came of a batch; None when it has to be waited for again, or for ever."""
    from concurrent.futures import CancelledError

    if future.status == "error":
        error = future.exception(timeout=PATIENCE)
        return [failed(cell, f"{type(error).__name__}: {error}") for cell in batch]
    if future.status != "finished":
        return None
    try:
        records: list[Record] = future.result(timeout=PATIENCE)
    except (CancelledError, TimeoutError, OSError):
        return None
    return records


def _lost(address: str, left: int) -> SchedulerLost:
    return SchedulerLost(
        f"{address}: the scheduler went away with {left} batches to do; the results so far are in the store: "
        "start it and run again"
    )


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise SchedulerError(f"{address}: needs Dask; pip install 'lemmalab[cluster]'") from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise SchedulerError(
            f"{address}: no scheduler answers ({type(error).__name__}: {error}); start one with `dask scheduler` and "
            "give its address, such as tcp://HOST:8786"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise SchedulerError(
                f"{address}: the scheduler has no worker; start one with `dask worker {address}`"
            ) from None
        yield client
    finally:
        client.close(timeout=2)


def _same_versions(client: Any, address: str) -> None:
    try:
        theirs: dict[str, dict[str, str]] = client.run(versions)
    except ImportError as error:
        raise SchedulerError(f"{address}: a worker lacks {error.name}; install lemmalab there") from None
    mine = versions()
    for worker, found in theirs.items():
        for name, value in mine.items():
            if found.get(name) != value:
                raise SchedulerError(
                    f"{address}: worker {worker} has {name} {found.get(name)}, here it is {value}; install the same"
                )
