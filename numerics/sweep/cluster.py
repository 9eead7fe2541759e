"""Batches of cells on an existing Dask cluster: an address is all that is needed.

    dask scheduler                                    # prints tcp://HOST:8786
    dask worker tcp://HOST:8786 --nworkers auto       # on every machine, with lemmalab installed
    lemmalab sweep GRID.toml --scheduler tcp://HOST:8786

A batch of a worker that dies is given to another one. Workers must run the same code and the same versions: results
would else not be comparable, and a table of them no table.
"""

from __future__ import annotations

import logging
import platform
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np
import scipy

from .cells import Cell, Record, code_digest, failed, run_cells
from .errors import SchedulerError, SchedulerLost

PATIENCE = 15  # seconds to reach the scheduler, and to see its first worker
SILENCE = 60  # seconds without an answer after which a scheduler is lost; a loaded machine may be slow
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


class OtherVersion(Exception):
    """A worker that came later runs something else: says which worker, what it has and what is expected."""


def difference(mine: dict[str, str], theirs: dict[str, str], worker: str) -> str | None:
    """The first of the versions that differ, in words."""
    for name, value in mine.items():
        if theirs.get(name) != value:
            return f"worker {worker} has {name} {theirs.get(name)}, here it is {value}"
    return None


def run_checked(batch: list[Cell], expected: dict[str, str]) -> list[Record]:
    """On a worker: the records of a batch, refused where a version differs, also on a worker that joined late."""
    from distributed import get_worker

    other = difference(expected, versions(), get_worker().address)
    if other is not None:
        raise OtherVersion(other)
    return run_cells(batch)


def run_cluster(work: Sequence[list[Cell]], address: str) -> Iterator[list[Record]]:
    """Records batch by batch, as they are finished."""
    try:
        from distributed import as_completed
    except ImportError:
        raise SchedulerError(f"{address}: needs Dask; pip install 'lemmalab[cluster]'") from None
    with _quiet(), _connected(address) as client, _watched(client):
        _same_versions(client, address)
        mine = versions()
        futures = {
            client.submit(run_checked, batch, mine, key=f"lemmalab-{batch[0].key}-{len(batch)}", retries=RETRIES): batch
            for batch in work
        }
        left, ready = len(futures), as_completed(futures, loop=client.loop)
        for future in ready:
            records = _records(future, futures[future], address)
            if records is not None:
                left -= 1
                yield records
            elif future.status == "cancelled":
                raise _lost(address, left)
            else:  # its worker died with the result: another one computes it
                ready.add(future)
        if left:
            raise _lost(address, left)


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask's own log says in pages, from threads that go on, what one message of ours says; call it once imported."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]
    loggers = [logging.getLogger(name) for name in ("distributed", *names)]
    before = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for one, level in zip(loggers, before, strict=True):
            one.setLevel(level)


@contextmanager
def _watched(client: Any) -> Iterator[None]:
    """A scheduler that is there but silent (stopped, cut off) is a lost one: its client is closed, its futures end."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(SILENCE / 4):
            try:
                client.sync(client.scheduler.identity, callback_timeout=SILENCE)
            except Exception:  # whatever it is, nobody answers
                if not over.is_set():
                    client.close(timeout=2)
                return

    thread = threading.Thread(target=watch, name="watches the scheduler", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def _records(future: Any, batch: list[Cell], address: str) -> list[Record] | None:
    """What came of a batch; None when it has to be waited for again, or for ever."""
    from concurrent.futures import CancelledError

    if future.status == "error":
        error = future.exception(timeout=PATIENCE)
        if isinstance(error, OtherVersion):
            raise SchedulerError(f"{address}: {error}; install the same")
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
    from distributed import Client

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
    theirs: dict[str, dict[str, str] | Exception] = client.run(versions, on_error="return")
    for worker, found in theirs.items():
        if isinstance(found, Exception):
            raise SchedulerError(
                f"{address}: worker {worker} cannot say what it runs ({type(found).__name__}: {found}); install the "
                "same lemmalab there"
            )
        other = difference(versions(), found, worker)
        if other is not None:
            raise SchedulerError(f"{address}: {other}; install the same")
