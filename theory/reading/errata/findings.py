"""What a detector returns, and how it becomes a row of the errata.

A detector that looks at formulas, names, cases, citations or restatements returns `Finding`s; it need not know what
other detectors, checks or people found. A row that names a finding is confirmed by it, and so is a row at its place
with its fragment; a sure finding that no row has is a row of its own, so that nothing can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from theory.reading.errata.rows import Change, Erratum, Source
from theory.reading.errata.severity import Severity


@dataclass(frozen=True)
class Finding:
    """One thing that a detector found in print.

    detector    its name: "sizes", "names", "cases", "citations", "restatements", "brackets", "homogeneity"
    rule        which of its rules: "bound-twice", "undefined", …
    where       id of the display or statement, or line:LINE for words between them
    line        the line of the source; `last` the end of the display or statement, when only that is known
    words       what is wrong and what is right; mathematics between dollars, without macros of the paper
    printed     the fragment of LaTeX, "" when there is none; `corrected` "" when a person has to decide
    statement   whom it concerns, "" for nobody
    sure        False for a detector with false alarms: it confirms rows and makes none
    """

    detector: str
    rule: str
    where: str
    line: int
    severity: Severity
    words: str
    printed: str = ""
    corrected: str = ""
    statement: str = ""
    last: int = 0
    sure: bool = True

    @property
    def id(self) -> str:
        """What a row of errata.toml calls it; two alike at one line go by one id."""
        return f"{self.rule}@{self.line}"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "id": self.id, "severity": self.severity.value}


def ordered(found: Iterable[Finding]) -> list[Finding]:
    """Each once, worst first, then in the order of the paper."""
    return sorted(dict.fromkeys(found), key=lambda one: (one.severity.rank, one.line, one.words))


def from_findings(findings: Iterable[Finding], rows: Sequence[Erratum]) -> tuple[Erratum, ...]:
    """The rows with what detectors found: confirmed where a row stands already, a row of its own elsewhere."""
    found = list(rows)
    for finding in findings:
        at = row_of(finding, found)
        if at is not None:
            found[at] = _confirmed(found[at], finding)
        elif finding.sure:
            found.append(_row(finding))
    return tuple(sorted(found, key=lambda row: (row.first_line, row.id)))


def row_of(finding: Finding, rows: Sequence[Erratum]) -> int | None:
    """The row that names the finding, else the first that stands at its place."""
    by_name = next((k for k, row in enumerate(rows) if finding.id in row.found), None)
    return by_name if by_name is not None else next((k for k, row in enumerate(rows) if _same(row, finding)), None)


def _same(row: Erratum, finding: Finding) -> bool:
    """The same place, and the same fragment when the finding names one."""
    here = [change for change in row.changes if finding.line <= change.line <= max(finding.line, finding.last)]
    if not here or not finding.printed:
        return bool(here) or finding.line in row.lines
    return any(finding.printed in change.tex or change.tex in finding.printed for change in here)


def _confirmed(row: Erratum, finding: Finding) -> Erratum:
    """What was only read by a person is then found by machine."""
    source = Source.DETECTOR if finding.sure and row.source is Source.READING else row.source
    return replace(row, source=source, confirmed=tuple(dict.fromkeys((*row.confirmed, finding.detector))))


def _row(finding: Finding) -> Erratum:
    change = Change(finding.line, "", "", finding.printed, finding.corrected)
    return Erratum(
        id=finding.id,
        severity=finding.severity,
        source=Source.DETECTOR,
        statement=finding.statement,
        title=finding.statement or "outside of statements",
        lines=(finding.line,),
        words=finding.words,
        changes=(change,) if finding.printed else (),
        confirmed=(finding.detector,),
        found=(finding.id,),
        last_line=max(finding.line, finding.last),
    )
