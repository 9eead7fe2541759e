"""lemmalab sweep: a grid of runs, here or on a Dask cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import (
    FINE,
    INCONCLUSIVE,
    INTERRUPTED,
    SHORT,
    USAGE,
    Stop,
    jobs_option,
    json_option,
    print_json,
    table,
    writable,
)
from reports.cli.progress import bar
from reports.cli.race import processes

if TYPE_CHECKING:
    from numerics.sweep import Row


@click.command("sweep", short_help="Run a grid of problems, methods, sizes and seeds.")
@click.argument("grid", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--store", type=click.Path(dir_okay=False, path_type=Path), help="Results.  [default: GRID.jsonl]")
@click.option(
    "--scheduler",
    envvar="DASK_SCHEDULER_ADDRESS",
    help="Address of a Dask scheduler, tcp://HOST:PORT.  [env: DASK_SCHEDULER_ADDRESS]",
)
@click.option("--retry-failed", is_flag=True, help="Compute failed cells again.")
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), help="Write the table as CSV.")
@click.option("--parquet", type=click.Path(dir_okay=False, path_type=Path), help="Write all cells as Parquet.")
@jobs_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    grid: Path,
    store: Path | None,
    scheduler: str | None,
    retry_failed: bool,
    csv_path: Path | None,
    parquet: Path | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Compute every cell of GRID.toml that the store lacks, and print the table of all of them.

    \b
      methods = ["sada", "sgd"]
      sizes = [1000, 10000]
      seeds = 20
      problems = ["logistic", {name = "least-squares", kappa = [10, 1000]}]

    Results are stored as they arrive: after a kill, the same command goes on where it was. On a cluster:

    \b
      dask scheduler                         # prints its address
      dask worker tcp://HOST:8786            # on every machine
      lemmalab sweep GRID.toml --scheduler tcp://HOST:8786

    Exits with 1 when a cell failed, with 3 when the scheduler was lost.
    """
    from numerics.errors import OptimizerError
    from numerics.sweep import SchedulerLost, SweepError, read_grid, summarise, sweep, to_csv, to_json, to_parquet
    from theory.ledger.storage import write_atomically

    path = store or grid.with_suffix(".jsonl")
    for file in (path, csv_path, parquet):
        if file is not None:
            writable(file)
    try:
        with bar("cells") as advance:
            found = sweep(
                read_grid(grid),
                path,
                jobs=processes(jobs),
                scheduler=scheduler,
                retry_failed=retry_failed,
                progress=advance,
            )
        if parquet is not None:
            to_parquet(found, parquet)
    except SchedulerLost as error:
        raise Stop(str(error), INCONCLUSIVE) from None
    except (SweepError, OptimizerError) as error:
        raise Stop(str(error), USAGE) from None
    except KeyboardInterrupt:
        click.echo(f"interrupted; the finished cells are in {path}: run again to go on", err=True)
        ctx.exit(INTERRUPTED)
    rows = summarise(found)
    if csv_path is not None:
        write_atomically(csv_path, to_csv(rows))
    for number in found.damaged:
        click.echo(f"{path}: line {number} was damaged; its cell was computed again", err=True)
    if as_json:
        print_json({"rows": to_json(rows), "cells": len(found.records), "failed": len(found.failures)})
    else:
        _print(rows, len(found.records), found.computed, len(found.failures), path)
    ctx.exit(SHORT if found.failures else FINE)


def _print(rows: list[Row], cells: int, computed: int, failures: int, path: Path) -> None:
    lines = [("problem", "method", "samples", "seeds", "excess risk (95%)")]
    for row in rows:
        if row.mean is None:
            shown = f"{row.failed} failed: {row.error}"
        elif row.mean.low is None or row.mean.high is None:
            shown = f"{row.mean.value:.4g}"
        else:
            shown = f"{row.mean.value:.4g} [{row.mean.low:.3g}, {row.mean.high:.3g}]"
        lines.append((row.problem, row.method, str(row.samples), str(row.seeds), shown))
    for line in table(lines):
        click.echo(line)
    click.echo(f"{cells} cells, {computed} computed now, {failures} failed; results in {path}")
