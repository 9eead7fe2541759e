"""Which rows somebody asks for: by line, by range of lines, by id of a statement, display, check or row."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from theory.reading.errata import Erratum, Severity
from theory.reading.paper import Paper

LINES = re.compile(r"(?:disp:)?(\d+)(?:-(\d+))?")


class Unknown(ValueError):
    """A target that is no line and no id; the message says what comes near."""


def chosen(
    rows: Sequence[Erratum], targets: Sequence[str], severities: Sequence[str], patterns: Sequence[str], paper: Paper
) -> tuple[Erratum, ...]:
    """Rows that one of the targets means, of one of the severities, with a name that fits one of the patterns."""
    wanted = {Severity.read(words) for words in severities}
    found = [row for row in rows if not targets or any(_meant(row, target, rows, paper) for target in targets)]
    found = [row for row in found if not wanted or row.severity in wanted]
    return tuple(row for row in found if not patterns or any(_fits(row, pattern) for pattern in patterns))


def _meant(row: Erratum, target: str, rows: Sequence[Erratum], paper: Paper) -> bool:
    lines = LINES.fullmatch(target)
    if lines:
        first, last = int(lines[1]), int(lines[2] or lines[1])
        if first > last:
            raise Unknown(f"{target} is empty: the first line is after the last one; write {last}-{first}")
        spans = [(d.first_line, d.last_line) for d in paper.displays if d.first_line <= last and first <= d.last_line]
        low, high = min([first, *(a for a, _ in spans)]), max([last, *(b for _, b in spans)])
        return any(low <= line <= high for line in row.lines)
    if target in _names(row):
        return True
    known = {name for one in rows for name in _names(one)} | {one.id for one in paper.statements}
    if target not in known:
        close = difflib.get_close_matches(target, sorted(known), n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(close)}?" if close else "give a line (878), a range (800-900) or an id"
        raise Unknown(f"{target!r} is no line, statement or slip; {hint}")
    return False


def _names(row: Erratum) -> set[str]:
    return {row.id, row.statement, *row.keys}


def _fits(row: Erratum, pattern: str) -> bool:
    return any(fnmatchcase(name, pattern) for name in (*_names(row), row.severity.word, row.source.name.lower()))
