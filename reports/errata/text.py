"""The errata on a screen: short by default, everything with -v, or one line a finding for editors."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from reports.mathml.plain import plain
from reports.site.words import LABELS
from theory.reading.errata import Erratum, Severity, worst_first
from theory.reading.errata.severity import Place
from theory.reading.lines import shown

WIDTH = 80
FULL = (Severity.KILLS, Severity.CONSTANT, Severity.HYPOTHESIS)  # these have two lines, slips of the pen one
HEADINGS = {
    Severity.KILLS: "KILLS A STATEMENT",
    Severity.CONSTANT: "CHANGES A CONSTANT",
    Severity.HYPOTHESIS: "NEEDS A HYPOTHESIS",
    Severity.PEN: "SLIPS OF THE PEN",
    Severity.PEDANTIC: "PEDANTIC",
}


def count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def also(row: Erratum) -> str:
    """Where the slip stands again."""
    return f" (again: {', '.join(map(str, row.lines[1:]))})" if len(row.lines) > 1 else ""


def text(rows: Sequence[Erratum], title: str) -> str:
    """Worst first; four screens for a whole paper."""
    ordered = worst_first(rows)
    if not ordered:
        return f"nothing wrong was found in\n  {title}\n"
    places = sum(len(row.lines) for row in ordered)
    kinds = Counter(row.severity for row in ordered)
    told = [f"{count(len(ordered), 'slip', 'slips')} at {count(places, 'place', 'places')} in"]
    told += textwrap.wrap(title, WIDTH - 2, initial_indent="  ", subsequent_indent="  ")
    for severity in Severity:
        group = [row for row in ordered if row.severity is severity]
        if group:
            told += ["", f"{HEADINGS[severity]} ({kinds[severity]})", *_group(severity, group, len(ordered) > 40)]
    patch = (
        " Corrected source: --patch paper.tex" if any(c.corrected_tex for row in ordered for c in row.changes) else ""
    )
    told += ["", f"More: -v, or name a line or an id.{patch}"]
    return "\n".join(told) + "\n"


def _group(severity: Severity, rows: Sequence[Erratum], many: bool) -> Iterator[str]:
    if severity is Severity.PEDANTIC and many:
        lines = ", ".join(str(row.first_line) for row in sorted(rows, key=lambda row: row.first_line))
        yield from textwrap.wrap(
            f"lines {lines}: --severity pedantic", WIDTH - 1, initial_indent=" ", subsequent_indent=" "
        )
        return
    for row in rows:
        most = 3 if severity in FULL else 1
        said = plain(row.words) + also(row)
        place = f"{row.first_line:>5}" if row.first_line else f" {row.id}"  # a lemma that no paper prints
        folded = textwrap.wrap(f"{place}  {said}", WIDTH - 1, subsequent_indent=" " * 7)
        if len(folded) > most:
            folded = folded[:most]
            folded[-1] = f"{folded[-1][: WIDTH - 3].rstrip(' ,;:.')} …"
        yield from folded


def lines(rows: Sequence[Erratum], title: str, file: str = "paper.tex") -> str:
    """path:line: kind: words, in reading order, every place of every slip."""
    found = [(line, row) for row in rows for line in row.lines]
    ordered = sorted(found, key=lambda pair: (pair[0], pair[1].id))
    return "".join(
        f"{shown(line, file) if line else file}: {row.severity.word}: {plain(row.words)} [{row.id}]\n"
        for line, row in ordered
    )


def full(rows: Sequence[Erratum], title: str) -> str:
    """Everything about every row."""
    ordered = worst_first(rows)
    told = [f"{count(len(ordered), 'slip', 'slips')} in {title}", ""]
    for number, row in enumerate(ordered, start=1):
        told += [*_full(number, row), ""]
    return "\n".join(told).rstrip() + "\n"


def _full(number: int, row: Erratum) -> Iterator[str]:
    yield f"{number}. {row.id}: {row.title}"
    line = f"line {row.first_line}{also(row)}" if row.first_line else ""
    yield from _entry("where", ", ".join(filter(None, (line, row.statement))))
    because = f"; by hand: {plain(row.because)}" if row.because else ""
    yield from _entry("severity", f"{row.severity.value}{because}")
    yield from _entry("what", plain(row.words))
    for change in row.changes:
        yield from _entry("printed", f"{change.line}: {change.printed or change.tex}", fold=False)
        if right := change.corrected or change.corrected_tex:
            yield from _entry("right", f"{change.line}: {right}", fold=False)
    yield from _entry("known", row.source.value + (f"; also by {', '.join(row.confirmed)}" if row.confirmed else ""))
    for one in row.shown:
        point = ", ".join(f"{name} = {value}".replace("'", "") for name, value in one.witness.items())
        sides = f" (left {one.left}, right {one.right})" if one.left else ""
        yield from _entry("witness", f"{one.key}: {point}{sides}")
    if row.place is not None:
        broken = "; ".join(dict.fromkeys(words for one in row.shown for words in one.broken))
        yield from _entry("context", row.place.value + (f" ({broken})" if row.place is Place.OUTSIDE else ""))
    for repair in row.repairs:
        yield from _entry("repaired", f"{repair.key} [{LABELS[repair.verdict]}]")
    if row.statement_fate:
        yield from _entry("statement", f"{row.statement}: {row.statement_fate}")
    hit = ", ".join(f"{id_} ({fate})" for id_, fate in row.blast_radius)
    yield from _entry("hits", hit or "nothing further on")


def _entry(name: str, words: str, fold: bool = True) -> Iterator[str]:
    head, indent = f"   {name:10}", " " * 13
    if fold:
        yield from textwrap.wrap(words, WIDTH - 1, initial_indent=head, subsequent_indent=indent)
    else:
        yield head + words
