"""lemmalab teach: the lessons as HTML files that open from disk."""

from __future__ import annotations

from pathlib import Path

import click

from reports.cli.common import USAGE, Stop, brings_no, here, writable


@click.command("teach", short_help="Lessons that compute in the browser, as HTML files.")
@click.argument("lesson", required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("report/lessons"),
    show_default=True,
    help="The folder for the pages.",
)
@click.option("--open", "show", is_flag=True, help="Open the lesson, or the list of all, in the browser.")
@click.option(
    "--report",
    default="../index.html",
    show_default=True,
    help="Where the links to claims lead: the report, seen from the pages.",
)
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("ledger.json"),
    show_default=True,
    help="Where the verdicts on the claims come from, beside the certificates that ship with LemmaLab.",
)
@click.option("--list", "listing", is_flag=True, help="List the lessons and write nothing.")
def command(lesson: str | None, out: Path, show: bool, report: str, ledger: Path, listing: bool) -> None:
    """Write the lessons, each one HTML file that asks the network for nothing, and a page that lists them.

    \b
    LESSON is a number or a name; without it all lessons are written.
      lemmalab teach
      lemmalab teach 1 --open
      lemmalab teach the-race --out lessons
    """
    from theory.ledger.judging import load
    from theory.ledger.storage import write_atomically

    shelf = here().bring("lessons")
    if shelf is None:
        raise brings_no("lessons", here())
    if listing:
        for one in shelf.lessons():
            click.echo(f"{one.number}  {one.slug:<22}{one.title}")
        return
    try:
        chosen = shelf.lessons() if lesson is None else (shelf.find(lesson),)
    except KeyError as error:
        raise Stop(str(error.args[0]), USAGE) from None
    writable(out / "index.html")
    known = load(ledger) if ledger.exists() else None
    for one in chosen:
        write_atomically(out / one.file, shelf.page(one, report, known))
        click.echo(f"written to {out / one.file}")
    write_atomically(out / "index.html", shelf.index())
    click.echo(f"written to {out / 'index.html'}")
    if show:
        _open(out / (chosen[0].file if lesson else "index.html"))


def _open(page: Path) -> None:
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        raise Stop(f"no browser could be started; open {page} yourself", 0)
