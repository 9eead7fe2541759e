"""lemmalab report: the verdicts as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from reports.cli.common import jobs_option, judged, ledger_option, seed_option


@click.command("report", short_help="The verdicts as one HTML file that opens from disk.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="The folder for index.html, or the name of an .html file.",
)
@ledger_option
@seed_option
@jobs_option
def command(out: Path, ledger: Path, seed: int, jobs: int | None) -> None:
    """Write one HTML file with every statement, verdict and witness: no script, no network."""
    from reports.plain import write
    from theory.paper import load

    page = out if out.suffix == ".html" else out / "index.html"
    write(load(), judged(None, ledger, seed=seed, jobs=jobs), page)
    click.echo(f"written to {page}")
