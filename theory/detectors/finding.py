"""What a detector finds: one place, how bad it is, what is printed and, where it is plain, what should be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any


class Severity(Enum):
    """The value is the word that lists print; the order is from worst to least."""

    KILLS = "kills a statement"
    CONSTANT = "changes a constant"
    HYPOTHESIS = "needs a hypothesis"
    SLIP = "slip of the pen"
    PEDANTIC = "pedantic"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong in print, or that a check does not show.

    where      id of the display or statement, or line:LINE for words between them
    printed    LaTeX as printed, "" for a finding about a check
    corrected  LaTeX as it should be, "" where a person has to decide
    """

    detector: str
    where: str
    line: int
    severity: Severity
    words: str
    printed: str = ""
    corrected: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "severity": self.severity.value}


def ordered(found: Iterable[Finding]) -> list[Finding]:
    """Each once, worst first, then in the order of the paper."""
    rank = {severity: at for at, severity in enumerate(Severity)}
    return sorted(dict.fromkeys(found), key=lambda one: (rank[one.severity], one.line, one.words))
