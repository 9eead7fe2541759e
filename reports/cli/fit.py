"""lemmalab fit: a linear model of any loss from one pass over a table, however large."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports.cli.common import FINE, INCONCLUSIVE, USAGE, Stop, json_option, print_json, writable

if TYPE_CHECKING:
    from numerics.estimators.files import Model
    from numerics.estimators.fitting import Progress, Task

LOSSES = ("squared", "poisson", "huber", "pseudo-huber", "quantile", "logistic")
INTERRUPTED = 130
SHOWN = 5  # bad rows


@click.command("fit", short_help="Fit a linear model in one pass over a table of any size.")
@click.argument("data", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--label", required=True, help="Column to predict, by name or number.")
@click.option("--task", type=click.Choice(["regression", "classification"]), help="[default: by the loss]")
@click.option("--loss", type=click.Choice(LOSSES), help="[default: squared, or logistic for classification]")
@click.option("--quantile", type=float, default=0.5, show_default=True, help="Which one, with --loss quantile.")
@click.option("--out", type=click.Path(path_type=Path), help="Writes OUT.json and OUT.npz.  [default: DATA.model]")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated.")
@click.option("--weight", metavar="COLUMN", help="Column that holds the weights of the rows.")
@click.option("--classes", metavar="A,B,...", help="All classes.  [default: those of the first rows]")
@click.option(
    "--precondition",
    type=click.Choice(["auto", "full", "diagonal"]),
    default="auto",
    help="Whiten the columns or scale them.  [default: whiten up to 64]",
)
@click.option("--ridge", type=float, help="Penalty on the first rows.  [default: by leaving one of them out]")
@click.option("--delimiter", help="Between the fields of a CSV.  [default: comma, tab for .tsv]")
@click.option("--skip-bad-rows", is_flag=True, help="Leave out what cannot be used, and say where it was.")
@click.option("--every", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Rows to a checkpoint.")
@click.option("--resume", is_flag=True, help="Go on from OUT.part.npz; refused when the data have changed.")
@click.option("--anew", is_flag=True, help="Begin anew although OUT.part.npz is there.")
@json_option
@click.pass_context
def command(ctx: click.Context, /, data: str, out: Path | None, as_json: bool, **options: Any) -> None:
    """Learn to predict a column of DATA from the others, in one pass, without anything to tune.

    \b
    DATA is a .csv or .tsv (also .gz), .parquet, .npy, .npz (arrays X and y),
    or - for CSV from a pipe. Rows are read once and not kept.

    \b
      lemmalab fit trips.csv --label fare --loss huber
      lemmalab fit mail.parquet --label spam --task classification
      zcat clicks.csv.gz | lemmalab fit - --label clicks --loss poisson --out clicks
      lemmalab predict clicks.json new.csv

    OUT.json holds the coefficients, OUT.npz all that is needed to go on (`SADARegressor.load`). A run that was killed
    goes on with --resume and ends with the same bytes. Exits with 2 when the data cannot be used.
    """
    from numerics.errors import OptimizerError

    path = None if data == "-" else Path(data)
    target = out or Path("model" if path is None else path.name.split(".")[0] + ".model")
    part = target.with_name(target.name + ".part.npz")
    writable(part)
    task = _task(options)
    _check_part(part, options["resume"], options["anew"])
    begin = time.perf_counter()
    try:
        model, done = _fit(path, task, part, options)
    except OptimizerError as error:
        raise Stop(_with_hint(str(error), task), USAGE) from None
    except ValueError as error:
        raise Stop(str(error), USAGE) from None
    except KeyboardInterrupt:
        click.echo(f"interrupted; {part} was written: the same command with --resume goes on", err=True)
        ctx.exit(INTERRUPTED)
    for suffix in (".json", ".npz"):
        model.save(target.with_name(target.name + suffix))
    part.unlink(missing_ok=True)
    seconds = time.perf_counter() - begin
    if as_json:
        more = {"bad_rows": done.bad, "bad_places": list(done.places), "seconds": seconds}
        print_json(model.summary() | more)
    else:
        _print(model, done, target, seconds)
    ctx.exit(FINE if model.rows else INCONCLUSIVE)


def _task(options: dict[str, Any]) -> Task:
    from numerics.estimators.fitting import Task

    classify = options["task"] == "classification" or (options["task"] is None and options["loss"] == "logistic")
    loss = options["loss"] or ("logistic" if classify else "squared")
    if classify != (loss == "logistic"):
        raise Stop(f"--loss {loss} does not go with --task {options['task']}; logistic is for classification", USAGE)
    if options["ridge"] is not None and not options["ridge"] > 0:
        raise Stop(f"--ridge {options['ridge']:g} must be positive; 1e-6 is nearly none", USAGE)
    if not 0 < options["quantile"] < 1:
        raise Stop(f"--quantile {options['quantile']:g} must lie between 0 and 1", USAGE)
    classes = tuple(sorted(name.strip() for name in (options["classes"] or "").split(",") if name.strip()))
    return Task(
        options["label"],
        classify,
        loss,
        options["quantile"],
        tuple(options["drop"]),
        options["weight"],
        classes,
        options["precondition"],
        options["ridge"],
        options["skip_bad_rows"],
    )


def _check_part(part: Path, resume: bool, anew: bool) -> None:
    if resume and not part.exists():
        raise Stop(f"{part} does not exist: there is nothing to resume; leave --resume out", USAGE)
    if part.exists() and not (resume or anew):
        raise Stop(f"{part} is there, from a run that did not end: --resume goes on, --anew begins anew", USAGE)


def _fit(path: Path | None, task: Task, part: Path, options: dict[str, Any]) -> tuple[Model, Progress]:
    from numerics.estimators.fitting import fit_table
    from numerics.streams.binary import open_source

    source = open_source(path, delimiter=options["delimiter"])
    with warnings.catch_warnings(), _watched(source.called()) as advance:
        warnings.showwarning = lambda message, *_, **__: click.echo(f"Warning: {message}", err=True)
        return fit_table(source, task, saving=part, every=options["every"], resume=options["resume"], progress=advance)


@contextmanager
def _watched(words: str) -> Iterator[Callable[[Progress], None]]:
    """Rows and rows a second on stderr: a bar on a terminal, else a line every ten seconds."""
    last = time.perf_counter()
    first: list[tuple[int, float]] = []  # rows and time of the first block: before it the content is digested

    def speed(now: Progress) -> str:
        first.append((now.rows, time.perf_counter())) if not first else None
        rows, begin = first[0]
        return f"{now.rows:,} rows, {(now.rows - rows) / max(time.perf_counter() - begin, 1e-9):,.0f} rows/s"

    if not sys.stderr.isatty():

        def line(now: Progress) -> None:
            nonlocal last
            text = speed(now)
            if time.perf_counter() - last > 10:
                last = time.perf_counter()
                click.echo(f"{words}: {text}", err=True)

        yield line
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=1.0)
        yield lambda now: bar.update(task, completed=now.done, description=f"{words}: {speed(now)}")


def _with_hint(message: str, task: Task) -> str:
    column = f"column {task.label!r}"
    text = (f"{column} is" in message and "not a number" in message) or f"{column} has type" in message
    if text and not task.classify:
        return f"{message}; or learn classes with --task classification"
    return message


def _print(model: Model, done: Progress, target: Path, seconds: float) -> None:
    taken = done.rows - done.before
    speed = f"{f'{taken:,} of them ' if done.before else ''}in {seconds:.1f} s ({taken / seconds:,.0f} rows/s)"
    click.echo(f"{model.rows:,} rows, {len(model.features or []):,} columns{',' if done.before else ''} {speed}")
    constants = model.learner.constants if model.learner is not None else {}
    if constants:
        named = {"mu": "mu", "lambda_max": "lambda_max", "r2": "R^2", "kappa_tilde": "kappa~", "alpha": "alpha"}
        shown = ", ".join(f"{named[name]} {value:.3g}" for name, value in constants.items())
        click.echo(f"estimated on the way, in scaled columns: {shown}; {model.learner.restarts} restarts")  # type: ignore[union-attr]
    if done.bad:
        click.echo(f"{done.bad:,} rows were left out:")
        for place in done.places[:SHOWN]:
            click.echo(f"  {place}")
        if done.bad > SHOWN:
            click.echo(f"  and {done.bad - SHOWN:,} more; --json lists the first {len(done.places):,}")
    click.echo(f"model: {target}.json, {target}.npz")
