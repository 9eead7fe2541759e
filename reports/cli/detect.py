"""lemmalab detect: slips that can be read off from the print."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, SHORT, USAGE, Stop, here, json_option, local, paint, print_json

if TYPE_CHECKING:
    from theory.mutants.tautologies import Empty
    from theory.project import Project
    from theory.reading.errata import Finding

CHECKS = "tautologies"
COLOURS = {"kills a statement": "red", "changes a constant": "red", "needs a hypothesis": "yellow"}


@click.command(
    "detect", short_help="Slips in print: sizes, names, cases, citations, restatements, means, units; empty checks."
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--source", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The paper's main .tex file."
)
@click.option(
    "--keep", is_flag=True, help="Keep what --source says between displays in prose.json, without its sentences."
)
@json_option
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], source: Path | None, keep: bool, as_json: bool) -> None:
    """Run detectors over every display and proof of a paper: sizes, names, cases, citations,
    restatements, means, homogeneity (units), brackets.

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
    hollow = tautologies(project) if CHECKS in names else []
    if as_json:
        print_json([*(one.to_json() for one in found), *(one.to_json() for one in hollow)])
    else:
        if chosen or not names:
            _show(found, text_of(project, source).worded)
        _show_checks(hollow, CHECKS in names)
    ctx.exit(SHORT if found or hollow else FINE)


def tautologies(project: Project) -> list[Empty]:
    """Checks that do not show what they are counted for, from the certificates that were kept."""
    from theory.claims.statement import Kind
    from theory.kernel import Evidence
    from theory.mutants.tautologies import empties

    kept = project.kept(None, local(project))
    paper = project.paper
    printed = {s.id: s.formula for s in paper.statements} | {d.id: d.formula for d in paper.displays}
    found: list[Empty] = []
    for at, (key, check) in enumerate(project.checks.items(), start=1):
        if sys.stderr.isatty():
            click.echo(f"\r{at} of {len(project.checks)} checks", nl=False, err=True)
        record = kept.get(key)
        current = record is not None and record.claim.digest == check.claim.digest
        evidence = record.evidence if record is not None and current else Evidence()
        latex = printed.get(check.display, "") or (printed.get(key, "") if check.kind is Kind.PRINTED else "")
        found += empties(check, evidence, project.library, latex)
    return found


def _show_checks(hollow: list[Empty], asked: bool) -> None:
    for one in hollow:
        part = "" if one.whole else " (some of its goals)"
        click.echo(f"{one.key}: {one.kind.value}{part}")
        click.echo(f"    {_line(one.says)}")
    if asked:
        click.echo(f"{len(hollow)} findings about our own checks")


def _show(found: list[Finding], worded: bool) -> None:
    for one in found:
        head = paint(one.severity.value, COLOURS.get(one.severity.value))
        click.echo(f"{one.where}: {head}: {one.words} [{one.detector}: {one.id}]")
        if one.printed:
            click.echo(f"    printed    {_line(one.printed)}")
        if one.corrected:
            click.echo(f"    corrected  {_line(one.corrected)}")
    project = here()
    if project.lemmas is not None:
        told = f"{project.lemmas.name} prints no paper; `lemmalab detect tautologies` looks at the lemmas themselves"
        click.echo(told, err=True)
    elif not worded:
        click.echo(
            "Only the displays were read: give the paper with --source paper.tex for the words between them.", err=True
        )
    click.echo(f"{len(found)} findings" if found else "nothing found")


def _line(latex: str) -> str:
    flat = " ".join(latex.split())
    return flat if len(flat) <= 160 else flat[:159] + "…"
