"""lemmalab sync: the project after an edit of its LaTeX source."""

from __future__ import annotations

from pathlib import Path

import click

from reports.cli.common import here, json_option, print_json, table


@click.command("sync", short_help="Bring a project up to date after an edit of its LaTeX source.")
@click.option(
    "--source",
    type=click.Path(path_type=Path),
    default=None,
    help="The main .tex file, when it has moved.  [default: the one that the project was made from]",
)
@json_option
def command(source: Path | None, as_json: bool) -> None:
    """Read the source again and list what moved, changed, appeared and went.

    Ids stay: an item is known again by its label, by its content, or by likeness. What you have changed in paper.toml
    and in stubs stays as it is; stubs that nobody has touched follow the source.
    """
    from theory.reading.latex.workspace import synchronise

    changes = synchronise(here().root, source)
    if as_json:
        print_json([vars(change) for change in changes])
        return
    for line in table([[change.what, change.id, change.words] for change in changes]):
        click.echo(line)
    counts = {what: sum(change.what == what for change in changes) for what in ("moved", "changed", "appeared", "went")}
    click.echo(", ".join(f"{count} {what}" for what, count in counts.items()))
