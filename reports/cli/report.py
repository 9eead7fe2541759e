"""lemmalab report: the verdicts as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from reports.cli.common import jobs_option, judged, ledger_option, seed_option


@click.command("report", short_help="The verdicts as one HTML file that opens from disk.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("site/index.html"),
    show_default=True,
    help="Where the page is written.",
)
@ledger_option
@seed_option
@jobs_option
def command(out: Path, ledger: Path, seed: int, jobs: int | None) -> None:
    """Write one HTML file with every statement, verdict and witness: no script, no network."""
    from reports.plain import write
    from theory.paper import load

    write(load(), judged(None, ledger, seed=seed, jobs=jobs), out)
    click.echo(f"written to {out}")
