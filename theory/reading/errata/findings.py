"""What a detector returns, and how it becomes a row of the errata.

A detector that looks at formulas, names, cases, citations or restatements returns `Finding`s; it need not know what
other detectors, checks or people found. A finding at a place that a row has already is evidence for that row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from theory.reading.errata.rows import Change, Erratum, Source
from theory.reading.errata.severity import Severity


@dataclass(frozen=True)
class Finding:
    """One thing that a detector found.

    detector    its name: "kinds", "names", "cases", "citations", "restatements", "homogeneity"
    line        the line of the source; `last` the end of the display or statement, when only that is known
    statement   whom it concerns, "" for nobody
    words       what is wrong and what is right; mathematics between dollars, without macros of the paper
    printed     the fragment of LaTeX, "" when there is none; `corrected` "" when no correction is known
    sure        False for a detector with false alarms: it confirms rows and makes none
    """

    detector: str
    line: int
    severity: Severity
    words: str
    statement: str = ""
    printed: str = ""
    corrected: str = ""
    last: int = 0
    sure: bool = True


def from_findings(findings: Iterable[Finding], rows: Sequence[Erratum]) -> tuple[Erratum, ...]:
    """The rows with what detectors found: confirmed where a row stands already, a row of its own elsewhere."""
    found = list(rows)
    for finding in findings:
        at = next((k for k, row in enumerate(found) if _same(row, finding)), None)
        if at is None:
            found += [_row(finding)] if finding.sure else []
        elif finding.detector not in found[at].confirmed:
            found[at] = replace(found[at], confirmed=(*found[at].confirmed, finding.detector))
    return tuple(found)


def _same(row: Erratum, finding: Finding) -> bool:
    """The same place, and the same fragment when the finding names one."""
    here = [change for change in row.changes if finding.line <= change.line <= max(finding.line, finding.last)]
    if not here or not finding.printed:
        return bool(here) or finding.line in row.lines
    return any(finding.printed in change.tex or change.tex in finding.printed for change in here)


def _row(finding: Finding) -> Erratum:
    change = Change(finding.line, "", "", finding.printed, finding.corrected)
    return Erratum(
        id=f"{finding.detector}@{finding.line}",
        severity=finding.severity,
        source=Source.DETECTOR,
        statement=finding.statement,
        title=finding.statement or f"line {finding.line}",
        lines=(finding.line,),
        words=finding.words,
        changes=(change,) if finding.printed else (),
        confirmed=(finding.detector,),
    )
