"""lemmalab report: the verdicts as one HTML file, with what a continuous-integration page needs beside it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports.cli.common import INCONCLUSIVE, USAGE, Stop, here, jobs_option, judged, seed_option, writable

if TYPE_CHECKING:
    from reports.site.tables import Lesson

Advance = Callable[[int, int, str], None]


@click.command("report", short_help="The verdicts as one HTML file that opens from disk.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="The folder for index.html, or the name of an .html file.",
)
@click.option(
    "--ledger",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("ledger.json"),
    show_default=True,
    help="The ledger to read. What it lacks is shown as not run; without a ledger everything is judged first.",
)
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
@click.option("--figures", is_flag=True, help="Write every figure as SVG and CSV into figures/ beside the page.")
@click.option(
    "--race",
    "races",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="JSON of `lemmalab race PROBLEM --json`; may be given several times.",
)
@click.option(
    "--trust",
    "trust_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="JSON of `make trust`.  [default: .lemmalab/trust.json if there is one]",
)
@click.option(
    "--ratios/--no-ratios", default=True, help="Compute truth over bound for every statement.  [default: ratios]"
)
@click.option(
    "--lessons",
    default="lessons/",
    show_default=True,
    help="Where `lemmalab teach` writes the lessons, seen from the page.",
)
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Also write JUnit XML.")
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Also write a summary as Markdown.")
@seed_option
@jobs_option
@click.pass_context
def command(
    ctx: click.Context,
    out: Path,
    ledger: Path,
    show: bool,
    figures: bool,
    races: tuple[Path, ...],
    trust_file: Path | None,
    ratios: bool,
    lessons: str,
    junit: Path | None,
    markdown: Path | None,
    seed: int,
    jobs: int | None,
) -> None:
    """Write one HTML file with every statement, verdict, proof and witness. It asks the network for nothing.

    Every certificate and witness of the ledger is judged again by the kernel on the way. Exits with 3 when nothing of
    the ledger could be used.
    """
    page = out if out.suffix == ".html" else out / "index.html"
    for path in (page, junit, markdown):
        if path is not None:
            writable(path)
    from reports.ci import junit_xml, markdown_summary
    from reports.site.build import build
    from reports.site.content import Known, gather, ran
    from reports.site.ratios import figures as ratio_figures
    from reports.site.ratios import letters
    from reports.site.ratios import overview as ratio_overview
    from reports.site.ratios import section as ratio_section
    from reports.site.trust import trust_section
    from theory.detectors.registry import detect
    from theory.ledger.judging import load
    from theory.ledger.storage import LedgerError, write_atomically
    from theory.ratios import ratios_of

    project = here()
    brings = project.bring("sections")
    if races and brings is None:
        raise Stop(f"{project.name} brings no section that shows a race; leave --race out", USAGE)
    for file in races:
        if not file.is_file():
            raise LedgerError(f"{file} does not exist; write it with `lemmalab race PROBLEM --json > {file}`")
    trusted = trust_section(trust_file)
    found = load(ledger, project.library) if ledger.exists() else judged(project, None, ledger, seed=seed, jobs=jobs)
    with stages() as stage:
        content = gather(
            project.paper, found, project.statements, stage("judging again"),
            title=project.title, highlights=project.highlights, links=project.links, notation=project.notation,
            known=Known(project.slips, project.context, tuple(detect(project))),
        )  # fmt: skip
        results = ratios_of(project, seed=seed, progress=stage("bound against truth")) if ratios else []
        pictures = ratio_figures(results, letters(project)) if ratios else None
        overview = ratio_overview(results, letters(project)) if results else None
        first = [ratio_section(results)] if results else []
        report = build(
            content,
            pictures,
            [*first, *(brings(content, pictures, races) if brings is not None else ())],
            trusted,
            project.bring("theorem"),
            project.bring("derivations"),
            overview=overview,
            lessons=_lessons(project.bring("lessons"), lessons),
        )
    write_atomically(page, report.html)
    click.echo(f"written to {page}")
    if figures:
        click.echo(f"{len(report.figures)} figures written to {_write(report.figures, page.parent / 'figures')}")
    for path, text in ((junit, junit_xml), (markdown, markdown_summary)):
        if path is not None:
            write_atomically(path, text(content))
            click.echo(f"written to {path}")
    idle = sum(not ran(record) for record in content.records)
    if idle:
        click.echo(f"{idle} of {len(content.records)} checks did not run; the page says which", err=True)
    if show:
        _open(page)
    ctx.exit(INCONCLUSIVE if idle == len(content.records) else 0)


def _lessons(shelf: Any, folder: str) -> list[Lesson]:
    """The list of all lessons, then each of them; nothing for a paper that brings none."""
    from reports.site.tables import Lesson

    if shelf is None:
        return []
    home = folder.rstrip("/")
    every = [Lesson(f"{one.number}. {one.title}", f"{home}/{one.file}") for one in shelf.lessons()]
    return [Lesson("All lessons", f"{home}/index.html"), *every]


def _write(figures: tuple[object, ...], folder: Path) -> Path:
    from reports.site.figure import Figure
    from reports.site.words import anchor
    from theory.ledger.storage import write_atomically

    for figure in figures:
        assert isinstance(figure, Figure)
        name = anchor(figure.name).replace(":", "-")
        write_atomically(folder / f"{name}.svg", figure.svg)
        write_atomically(folder / f"{name}.csv", figure.csv)
    return folder


def _open(page: Path) -> None:
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        raise Stop(f"no browser could be started; open {page} yourself", 0)


@contextlib.contextmanager
def stages() -> Iterator[Callable[[str], Advance | None]]:
    """A bar for each stage on stderr, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:

        def stage(words: str) -> Advance:
            task = bar.add_task(words, total=None)

            def advance(done: int, total: int, name: str) -> None:
                bar.update(task, completed=done, total=total, description=f"{words} {name[:40]}")

            return advance

        yield stage
