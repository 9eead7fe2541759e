"""lemmalab predict: the predictions of a fitted model for a table of any size."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from reports.cli.common import USAGE, Stop, writable

if TYPE_CHECKING:
    from numerics.designs.checks import Array
    from numerics.estimators.files import Model
    from numerics.streams.source import Source


@click.command("predict", short_help="Predict with a model that `fit` wrote.")
@click.argument("model", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("data", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="CSV file.  [default: standard output]")
@click.option("--proba", is_flag=True, help="Also the probability of every class.")
@click.option("--delimiter", help="Between the fields of a CSV.  [default: comma, tab for .tsv]")
def command(model: Path, data: str, out: Path | None, proba: bool, delimiter: str | None) -> None:
    """Write a CSV with a line `prediction` for every row of DATA (as for `fit`; - is a pipe).

    Columns are found by name where both sides have names, so that they may stand in any order beside others.
    """
    from numerics.errors import OptimizerError
    from numerics.estimators.files import load
    from numerics.streams.binary import open_source
    from numerics.streams.source import Wanted

    if out is not None:
        writable(out)
    try:
        known = load(model)
        if proba and known.classes is None:
            raise Stop(f"{model}: predicts numbers, not classes; leave --proba out", USAGE)
        source = open_source(None if data == "-" else Path(data), delimiter=delimiter)
        chosen = _columns(known, source)
        others = frozenset(range(len(source.names))) - set(chosen)
        with _written(out) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["prediction", *(f"p({one})" for one in known.classes or [] if proba)])
            for block in source.blocks(0, Wanted(drop=others)):
                _write(writer, known, block.rows[:, chosen], proba)
    except OptimizerError as error:
        raise Stop(str(error), USAGE) from None


def _columns(known: Model, source: Source) -> list[int]:
    """The columns of the model, by name, or by place where the table has no names."""
    wanted = known.features or [str(i) for i in range(known.raw.shape[1] - 1)]
    missing = [name for name in wanted if name not in source.names]
    if not missing:
        return [source.names.index(name) for name in wanted]
    unnamed = all(name.isdecimal() for name in source.names)
    if unnamed and len(source.names) == len(wanted):
        return list(range(len(wanted)))
    remedy = f"; without names, give the {len(wanted)} columns of the model and no other" if unnamed else ""
    raise Stop(f"{source.called()}: has no column {missing[0]!r}, which the model was fitted with{remedy}", USAGE)


def _write(writer: object, known: Model, x: Array, proba: bool) -> None:
    from numerics.estimators.joint import probabilities

    found = known.predict(x)
    rows = found.reshape(len(x), -1).tolist()
    if proba:
        rows = [[*row, *p] for row, p in zip(rows, probabilities(known.linear(x)).tolist(), strict=True)]
    writer.writerows(rows)  # type: ignore[attr-defined]


@contextmanager
def _written(path: Path | None) -> Iterator[IO[str]]:
    """The file appears when it is complete."""
    if path is None:
        yield sys.stdout
        return
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "w", newline="") as file:
            yield file
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
