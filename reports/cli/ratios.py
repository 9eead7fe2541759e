"""lemmalab ratios: truth over bound for every statement, evaluated from the claims."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from reports.cli.common import FINE, INCONCLUSIVE, USAGE, Stop, json_option, paint, print_json, seed_option, split
from reports.cli.report import stages
from reports.site.words import plural

if TYPE_CHECKING:
    from theory.project import Project
    from theory.ratios import Reading, Result

WIDTH = 33
LOW, HIGH = -6, 2  # decades of the small plot
MARKS = {"as printed": "o", "repaired": "s", "sharper": "d"}
COLOURS = {"as printed": "blue", "repaired": "green", "sharper": "yellow"}


@click.command("ratios", short_help="Truth over bound for every statement.")
@click.argument("ids", metavar="[FILE.py] [ID...]", nargs=-1)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: one row for each reading.")
@seed_option
@json_option
@click.pass_context
def command(ctx: click.Context, ids: tuple[str, ...], as_csv: bool, seed: int, as_json: bool) -> None:
    """Divide what the paper bounds by its bound, as printed, repaired and sharper: above 1 the bound fails.

    The bound is read off from the claim; the truth comes from designs that the paper brings (exact or simulated), else
    both sides are evaluated at points that satisfy the hypotheses. Only positive bounds count: 0/0 says nothing.
    Exits with 3 when there is no data at all.
    """
    if as_csv and as_json:
        raise Stop("--csv and --json exclude each other; give one of them", USAGE)
    from theory.ratios import ratios_of

    project, wanted = split(ids)
    chosen = _statements(project, wanted) if wanted else None
    with stages() as stage:
        results = ratios_of(project, chosen, seed=seed, progress=stage("truth over bound"))
    if as_json:
        print_json({"paper": project.name, "seed": seed, "results": [one.to_json() for one in results]})
    elif as_csv:
        click.echo(_csv(results), nl=False)
    else:
        for line in _lines(results, project, detailed=chosen is not None):
            click.echo(line)
    ctx.exit(FINE if any(one.data for one in results) else INCONCLUSIVE)


def _statements(project: Project, wanted: Sequence[str]) -> list[str]:
    """Statements by id, or those that a check or a display's check belongs to."""
    found = []
    for id_ in wanted:
        owner = id_ if id_ in project.statements else project.owner(id_)
        if owner not in project.statements:
            raise Stop(str(_unknown(project, id_)), USAGE)
        found.append(owner)
    return list(dict.fromkeys(found))


def _unknown(project: Project, id_: str) -> str:
    import difflib

    close = difflib.get_close_matches(id_, list(project.ids()), n=3, cutoff=0.4)
    hint = f"; did you mean {', '.join(close)}?" if close else ""
    return f"no statement of {project.name} has the id {id_!r}{hint}"


def _csv(results: Sequence[Result]) -> str:
    from theory.ratios import as_rows
    from theory.ratios.result import COLUMNS

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(as_rows(results))
    return out.getvalue()


def _lines(results: Sequence[Result], project: Project, detailed: bool) -> Iterator[str]:
    from reports.site.ratios import height

    order = results if detailed else sorted(results, key=lambda one: (not one.data, -height(one)))
    width = max((len(one.id) for one in results), default=0)
    yield f"{'':{width}}  {_axis()}  truth/bound: o as printed, s repaired, d sharper; x it fails"
    for one in order:
        yield f"{one.id:{width}}  {_plot(one)}  {_words(one)}"
        if detailed:
            yield from _readings(one, project)
    bounds = [one for one in results if one.what == "bound"]
    failing = [one for one in bounds if one.fails]
    none = [one.id for one in results if not one.data]
    asked = plural(len(results), "statement")
    yield f"{asked}, {len(bounds)} with a bound; as printed {len(failing)} fail; no data: {len(none)}"


def _axis() -> str:
    line = [" "] * WIDTH
    for power in range(LOW, HIGH + 1, 2):
        name = "1" if power == 0 else f"1e{power}"
        at = min(max(_column(10.0**power) - len(name) // 2, 0), WIDTH - len(name))
        line[at : at + len(name)] = name
    return "".join(line)


def _column(value: float) -> int:
    if value <= 0:
        return 0
    share = (min(max(math.log10(value), LOW), HIGH) - LOW) / (HIGH - LOW)
    return round(share * (WIDTH - 1))


def _plot(one: Result) -> str:
    """A line from the median to the worst of each kind; later kinds are drawn over earlier ones."""
    cells = [(" ", "")] * WIDTH
    cells[_column(1.0)] = ("|", "")
    for kind, mark in MARKS.items():
        reading = one.best(kind)
        if reading is None:
            continue
        end = _column(reading.worst_known or 0.0)
        start = _column(reading.median) if reading.median is not None else end
        for at in range(min(start, end), max(start, end) + 1):
            if cells[at][0] in " |":
                cells[at] = ("-", COLOURS[kind])
        cells[end] = ("x", "red") if reading.fails else (mark, COLOURS[kind])
    return "".join(paint(letter, colour or None) for letter, colour in cells)


def _words(one: Result) -> str:
    from theory.reading.numbers import ratio

    if not one.data:
        reasons = list(dict.fromkeys(r.missing for r in one.readings if r.missing))
        return paint(f"no data: {reasons[0] if reasons else 'nothing claims a bound'}", "yellow")
    shown = one.shown
    assert shown is not None
    worst = ratio(shown.worst_known)
    kinds = [f"{kind} {ratio(r.worst_known)}" for kind in list(MARKS)[1:] if (r := one.best(kind)) and r is not shown]
    more = f" ({', '.join(kinds)})" if kinds else ""
    return f"{paint(worst, 'red') if shown.fails else worst} {shown.kind}{more}"


def _readings(one: Result, project: Project) -> Iterator[str]:
    for r in one.readings:
        yield f"  {r.key}: {_reading(r, project)}"


def _reading(r: Reading, project: Project) -> str:
    from reports.site.ratios import letters, notation
    from theory.reading.numbers import ratio

    if r.worst_known is None:
        return f"no data{f' ({r.missing})' if r.missing else ''}"
    spread = f", 95% interval {ratio(r.spread[0])} to {ratio(r.spread[1])}" if r.spread else ""
    how = f"{r.trials} values over {r.designs} designs" if r.source == "designs" else f"{r.trials} points"
    fails = paint("FAILS, ", "red") if r.fails else ""
    where = notation(r.where, letters(project))
    left_out = f"; {r.missing}" if r.missing else ""
    return f"{fails}median {ratio(r.median)}, worst {ratio(r.worst_known)}{spread} at {where}; {how}{left_out}"
