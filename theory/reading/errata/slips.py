"""What a project's errata.toml says: where slips stand and how the source changes. Verdicts are not in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from theory.claims.files import ProjectError, reading, toml_of
from theory.reading.errata.severity import Severity

FIELDS = frozenset({"id", "statement", "checks", "edits", "line", "severity", "because", "words", "inside", "found"})


@dataclass(frozen=True)
class Edit:
    """What is printed at a line of the source and what belongs there, in the notation of the source."""

    line: int
    printed: str
    corrected: str


@dataclass(frozen=True)
class Slip:
    """One thing that is wrong, wherever it stands.

    checks      keys of the refuted checks that show it
    found       names of the findings of detectors that show it; without either it was found by reading
    severity    what a person says against the computed one, with the reason in `because`
    inside      a check and a point of the standing context that refutes it, when the check's own witness lies outside
    """

    id: str
    statement: str
    line: int
    words: str
    edits: tuple[Edit, ...] = ()
    checks: tuple[str, ...] = ()
    severity: Severity | None = None
    because: str = ""
    inside: tuple[str, Mapping[str, Any]] | None = None
    found: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[int, ...]:
        """The first is its place, the others repeat it."""
        return (self.line, *sorted({edit.line for edit in self.edits} - {self.line}))


@dataclass(frozen=True)
class Slips:
    """All of them, and the macros of the paper that they are written with."""

    rows: tuple[Slip, ...] = ()
    macros: Mapping[str, str] = field(default_factory=dict)

    def by_check(self) -> dict[str, Slip]:
        return {key: row for row in self.rows for key in row.checks}


NO_SLIPS = Slips()


def read_slips(path: Path) -> Slips:
    """The slips of this file; none when there is no file."""
    if not path.is_file():
        return NO_SLIPS
    with reading(path):
        return _slips(path, toml_of(path))


def _slips(path: Path, body: Mapping[str, Any]) -> Slips:
    rows = tuple(_slip(path, row) for row in body.get("slip", []))
    for what, names in (
        ("id", [r.id for r in rows]),
        ("check", [key for r in rows for key in r.checks]),
        ("finding", [name for r in rows for name in r.found]),
    ):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ProjectError(f"{path}: two slips have the {what} {twice!r}; one slip is one row: merge them")
    return Slips(rows, {str(k): str(v) for k, v in body.get("macros", {}).items()})


def _slip(path: Path, row: Mapping[str, Any]) -> Slip:
    name = row.get("id", "a slip without an id")
    unknown = sorted(set(row) - FIELDS)
    if unknown:
        raise ProjectError(f"{path}: {name}: {unknown[0]!r} is no field; there are {', '.join(sorted(FIELDS))}")
    try:
        edits = tuple(Edit(int(line), str(printed), str(right)) for line, printed, right in row.get("edits", ()))
        line = int(row["line"]) if "line" in row else min(edit.line for edit in edits)
        severity = Severity.read(row["severity"]) if "severity" in row else None
        slip = Slip(
            str(row["id"]), str(row["statement"]), line, str(row["words"]),
            edits, tuple(row.get("checks", ())), severity, str(row.get("because", "")),
            (str(row["inside"]["check"]), dict(row["inside"]["point"])) if "inside" in row else None,
            tuple(row.get("found", ())),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise ProjectError(f"{path}: {name}: {error}; a slip has id, statement, words and edits or a line") from None
    if (severity is None) != (not slip.because):
        raise ProjectError(f"{path}: {name}: a severity of one's own needs a reason, and only it: give `because`")
    if any(edit.printed == edit.corrected for edit in edits):
        raise ProjectError(f"{path}: {name}: printed and corrected are the same; correct it, or leave the edit out")
    return slip
