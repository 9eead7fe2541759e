"""lemmalab errata: everything that is wrong in print, computed from the verdicts."""

from __future__ import annotations

from pathlib import Path

import click

from reports.cli.common import here, judged, ledger_option, seed_option


@click.command("errata", short_help="Everything that is wrong in print, with what is right.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "latex", "json"]),
    default="text",
    show_default=True,
    help="LaTeX compiles on its own.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default=None, help="Write to this file instead."
)
@ledger_option
@seed_option
def command(form: str, as_json: bool, out: Path | None, ledger: Path, seed: int) -> None:
    """List each refuted reading and step: location, what is printed, what is right, kind, exact witness, and the blast
    radius: which statements use it and whether they survive. Then the formulas whose two sides scale differently."""
    from reports.errata_formats import FORMATS
    from theory.detectors import check_all
    from theory.ledger.storage import write_atomically
    from theory.reading.errata import errata

    project = here()
    found = errata(project.paper, judged(project, None, ledger, seed=seed).records)
    written = FORMATS["json" if as_json else form](found, check_all(project).violations, project.title)
    if out is None:
        click.echo(written, nl=False)
    else:
        write_atomically(out, written)
        click.echo(f"written to {out}", err=True)
