"""lemmalab errata: everything that is wrong in print, worst first, with what is right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reports.cli.common import INCONCLUSIVE, SHORT, USAGE, Stop, here, judged, ledger_option, local, memory, seed_option
from reports.cli.progress import bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.errata.remembered import Rows
    from theory.ledger.records import Record
    from theory.project import Project
    from theory.reading.errata import Erratum

FORMS = ("text", "lines", "markdown", "latex", "letter", "letter-latex", "json")


@click.command("errata", short_help="Everything that is wrong in print, with what is right.")
@click.argument("targets", nargs=-1, metavar="[LINE|FROM-TO|ID]...")
@click.option("--severity", "severities", multiple=True, help="Only these: kills, constant, hypothesis, pen, pedantic.")
@click.option("--select", "patterns", multiple=True, help="Only rows with an id that fits, such as 'lem:v-*'.")
@click.option("-v", "--verbose", is_flag=True, help="Corrections, witnesses and what is hit.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="lines: one line a finding for editors. letter: a referee's letter. LaTeX compiles on its own.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--patch",
    "source",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The paper's source: print a unified diff that corrects it; with --out write a corrected copy.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default=None, help="Write to this file instead."
)
@click.option(
    "--verify", is_flag=True, help="With --patch: read every changed display back and say which proved claim it states."
)
@ledger_option
@seed_option
def command(
    targets: tuple[str, ...],
    severities: tuple[str, ...],
    patterns: tuple[str, ...],
    verbose: bool,
    form: str,
    as_json: bool,
    source: Path | None,
    out: Path | None,
    verify: bool,
    ledger: Path,
    seed: int,
) -> None:
    """List what is wrong in print, one row a slip: where it stands and stands again, how bad it is, what is printed and
    what is right, the exact witness, and which statements it hits. LINE, FROM-TO and ID (of a statement, a display, a
    check or a row) narrow it down."""
    from reports.errata import FORMATS
    from reports.errata.choose import Unknown, chosen
    from reports.errata.remembered import recalled
    from reports.errata.text import full, lines
    from theory.detectors.registry import detect
    from theory.detectors.text import own_source
    from theory.reading.errata import errata, from_findings, uncompared

    if verify and source is None:
        raise Stop("--verify reads a corrected source back; name the source with --patch paper.tex", USAGE)
    _known(severities)
    project = here()
    records: list[Record] = []

    def made() -> Rows:
        records[:] = judged(project, None, ledger, seed=seed).records
        rows = from_findings(detect(project), errata(project.paper, records, project.slips, project.context))
        return rows, tuple(record.key for record in uncompared(records))

    rows, strange = made() if verify else recalled(project, (ledger, local(project)), seed, memory(), made)
    if strange:
        click.echo(
            f"not listed, for a machine read them and nobody has compared them with the print: {', '.join(strange)}; "
            "compare each, correct it or say Faithfulness.AS_PRINTED, and run again",
            err=True,
        )
        if not rows:
            raise Stop("nothing is listed, which does not mean that nothing is wrong", INCONCLUSIVE)
    try:
        found = chosen(rows, targets, severities, patterns, project.paper)
    except (Unknown, ValueError) as error:
        raise Stop(str(error), USAGE) from None
    if source is not None:
        _patch(found, source, out, quiet=verify)
        if verify:
            _verify(found, records, project)
    elif not as_json and form == "text" and (verbose or (targets and len(found) <= 3)):
        _write(full(found, project.title), out)
    elif not as_json and form == "lines" and (own_source(project) is not None or not project.paper.statements):
        own = own_source(project)
        _write(lines(found, project.title, project.title if own is None else own.name), out)
    else:
        _write(FORMATS["json" if as_json else form](found, project.title), out)


def _known(severities: Sequence[str]) -> None:
    """A severity that is none is refused before anything is judged."""
    from theory.reading.errata import Severity

    try:
        for words in severities:
            Severity.read(words)
    except ValueError as error:
        raise Stop(str(error), USAGE) from None


def _verify(rows: Sequence[Erratum], records: Sequence[Record], project: Project) -> None:
    """Every changed display read back: a table, worst last."""
    from reports.errata.readback import Reader, read_back, table
    from reports.errata.same import read_known

    reader = Reader(read_known(project.file("same")), project.notation)
    with bar("reading back") as advance:
        found = read_back(rows, records, project.paper, reader, advance)
    click.echo(table(found), nl=False)


def _patch(rows: Sequence[Erratum], source: Path, out: Path | None, quiet: bool = False) -> None:
    """A diff, or a corrected copy; nothing at all when the source is another one than the one that was refereed."""
    from theory.reading.errata import patched

    try:
        text = source.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Stop(f"{source}: the byte at {error.start} is no UTF-8; save the file as UTF-8", USAGE) from None
    made = patched(text, rows)
    if made.misfits:
        told = "\n".join(f"  {source}, {misfit}" for misfit in made.misfits)
        remedy = "correct these places by hand and name the others by line or id, or take the source that was refereed"
        raise Stop(f"{len(made.misfits)} corrections do not fit; nothing is written:\n{told}\n{remedy}", SHORT)
    changed = f"{len(made.applied)} slips corrected in {len(made.hunks)} hunks"
    left = [row for row in rows if not row.changes]
    click.echo(changed + (f"; {len(left)} have no correction in LaTeX" if left else ""), err=True)
    if not quiet or out is not None:
        _write(made.unified(source.name) if out is None else made.text, out)


def _write(written: str, out: Path | None) -> None:
    from theory.ledger.storage import write_atomically

    if out is None:
        click.echo(written, nl=False)
        return
    write_atomically(out, written)
    click.echo(f"written to {out}", err=True)
