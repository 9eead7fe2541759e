"""What the detectors find in a project, as rows of the errata want it: one list for all of them."""

from __future__ import annotations

from collections.abc import Iterator

from theory.detectors.homogeneity import Violation, check_all
from theory.detectors.registry import detect
from theory.project import Project
from theory.reading.errata import Finding, Severity


def findings(project: Project) -> tuple[Finding, ...]:
    """Of every detector: those that read the print, and homogeneity over what was transcribed."""
    return (*detect(project), *_scaling(project))


def _scaling(project: Project) -> Iterator[Finding]:
    """Homogeneity cannot tell a slip from O-notation that hides units, so it confirms rows and makes none."""
    if not project.file("relations").is_file():
        return
    spans = {one.id: (one.first_line, one.last_line) for one in project.paper.statements}
    spans |= {one.id: (one.first_line, one.last_line) for one in project.paper.displays}
    for violation in check_all(project).violations:
        line, last = spans.get(violation.where) or (_line(violation),) * 2
        words = "The parts of the formula scale differently when data, loss and predictions are rescaled."
        yield Finding("homogeneity", "units", violation.where, line, Severity.PEN, words, last=last, sure=False)


def _line(violation: Violation) -> int:
    number = violation.where.removeprefix("line:")
    return int(number) if number.isdigit() else 0
