"""lemmalab detect: slips that can be read off from the print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, SHORT, USAGE, Stop, here, json_option, paint, print_json

if TYPE_CHECKING:
    from theory.detectors.finding import Finding

CHECKS = "tautologies"
COLOURS = {"kills a statement": "red", "changes a constant": "red", "needs a hypothesis": "yellow"}


@click.command("detect", short_help="Slips in print: sizes, names, cases, citations, restatements; empty checks.")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--source", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The paper's main .tex file.")
@click.option("--keep", is_flag=True, help="Keep what --source says between displays in prose.json, without its sentences.")
@json_option
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], source: Path | None, keep: bool, as_json: bool) -> None:
    """Run detectors over every display and proof of a paper: sizes, names, cases, citations, restatements, brackets.

    `detect tautologies` looks at our own checks instead: one that still stands when the object it speaks of has another
    name, or whose goal is one of its hypotheses, proves nothing. Exits with 1 when something is found.
    """
    from theory.detectors.registry import DETECTORS, detect
    from theory.detectors.text import PROSE, skeleton, text_of
    from theory.ledger.storage import write_atomically

    project = here()
    known = (*DETECTORS, CHECKS)
    strange = [name for name in names if name not in known]
    if strange:
        raise Stop(f"there is no detector {strange[0]!r}; there are {', '.join(known)}", USAGE)
    if keep:
        if source is None:
            raise Stop("--keep keeps what the source says; give it with --source paper.tex", USAGE)
        write_atomically(project.root / PROSE, skeleton(text_of(project, source)))
    chosen = [name for name in names if name in DETECTORS]
    found: list[Finding] = detect(project, chosen, source) if chosen or not names else []
    if CHECKS in names:
        found += _tautologies()
    if as_json:
        print_json([one.to_json() for one in found])
    else:
        _show(found, text_of(project, source).worded)
    ctx.exit(SHORT if found else FINE)


def _tautologies() -> list[Finding]:
    from reports.cli.common import progress
    from theory.detectors.tautologies import tautologies

    with progress("judging") as advance:
        return tautologies(here(), advance)


def _show(found: list[Finding], worded: bool) -> None:
    for one in found:
        head = paint(one.severity.value, COLOURS.get(one.severity.value))
        click.echo(f"{one.where}: {head}: {one.words} [{one.detector}]")
        if one.printed:
            click.echo(f"    printed    {_line(one.printed)}")
        if one.corrected:
            click.echo(f"    corrected  {_line(one.corrected)}")
    if not worded:
        click.echo("Only the displays were read: give the paper with --source paper.tex for the words between them.", err=True)
    click.echo(f"{len(found)} findings" if found else "nothing found")


def _line(latex: str) -> str:
    flat = " ".join(latex.split())
    return flat if len(flat) <= 160 else flat[:159] + "…"
