"""Batches of cells in processes of this machine; a process that dies costs its cell at most, not the sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .cells import Cell, Record, failed, run_cells

DIED = "the process that computed it died (killed, or out of memory)"


def run_local(work: Sequence[list[Cell]], jobs: int) -> Iterator[list[Record]]:
    """Records batch by batch, as they are finished."""
    if jobs == 1:
        for batch in work:
            yield run_cells(batch)
        return
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    done: set[str] = set()
    for records in _until_broken(work, jobs, TerminatedWorkerError):
        done.update(record["key"] for record in records)
        yield records
    rest = [cell for batch in work for cell in batch if cell.key not in done]
    for cell in rest:  # a process died: one cell at a time, so that only the guilty one is lost
        yield _alone(cell, TerminatedWorkerError)


def _until_broken(work: Sequence[list[Cell]], jobs: int, broken: type[Exception]) -> Iterator[list[Record]]:
    import joblib

    with joblib.parallel_config("loky", inner_max_num_threads=1):
        run = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="3*n_jobs")
        try:
            yield from run(joblib.delayed(run_cells)(batch) for batch in work)
        except broken:
            return


def _alone(cell: Cell, broken: type[Exception]) -> list[Record]:
    from joblib.externals.loky import get_reusable_executor

    executor = get_reusable_executor(max_workers=1, kill_workers=True)
    try:
        records: list[Record] = executor.submit(run_cells, [cell]).result()
    except broken:
        return [failed(cell, DIED)]
    return records
