"""lemmalab new: a project from a LaTeX source."""

from __future__ import annotations

from pathlib import Path

import click

from reports.site.words import plural


@click.command("new", short_help="Make a project of your own from a LaTeX source.")
@click.argument("source", metavar="PAPER.tex", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="The folder to make.  [default: the name of the file, without .tex, in this folder]",
)
def command(source: Path, out: Path | None) -> None:
    """Read a paper and write lemmalab.toml, paper.toml, symbols.toml to fill in, and one stub for each statement.

    Macros are expanded and files followed; TeX is never executed. Where a display can be read as a claim, the stub
    holds that claim. `lemmalab coverage` in the new folder is the list of what is to be done.
    """
    from theory.reading.latex.workspace import create

    target = out if out is not None else Path(source.stem)
    made = create(source, target)
    click.echo(f"{made.title or source.name}")
    counts = ((made.statements, "statement"), (made.displays, "display"), (made.symbols, "symbol"))
    click.echo(", ".join(plural(count, word) for count, word in counts))
    read = "1 display is read as a claim; its" if made.read == 1 else f"{made.read} displays are read as claims; their"
    click.echo(f"{read} hypotheses are yours to compare and complete")
    click.echo(f"written to {target}; go there and run: lemmalab coverage")
