"""What the paper prints: its statements and displays, read from paper.toml.

Formulas are kept exactly as printed, slips included; titles, sections and explanations are ours.
Nothing here is judged: this module only says what there is to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

from theory.claims.files import reading, toml_of
from theory.reading.lines import located


class Role(Enum):
    """How a display is accounted for; the value is the word that reports print."""

    DEFINITION = "definition"
    STATEMENT = "statement"
    STEP = "step"
    RESTATED = "restated"


ASSERT_NOTHING = (
    *("assumption", "definition", "notation", "condition", "hypothesis"),
    *("hypothèse", "annahme", "voraussetzung", "hipótesis", "supuesto", "ipotesi"),
    *("définition", "definición", "definizione"),
)


@dataclass(frozen=True)
class PaperStatement:
    """A numbered or titled statement: assumption, lemma, theorem, definition, remark or algorithm."""

    id: str
    label: str  # the paper's own label, "" if it has none
    kind: str
    first_line: int
    last_line: int
    section: str
    title: str
    explanation: str
    uses: tuple[str, ...]  # ids of the statements it rests on, from its hypotheses and its proof
    formula: str


@dataclass(frozen=True)
class PaperDisplay:
    """A displayed formula. Its id is the line on which it starts."""

    id: str
    label: str
    first_line: int
    last_line: int
    section: str
    statement: str  # the statement that contains it or whose proof contains it, "" if none
    proof: str  # "proof@LINE" of the proof that contains it, "" if none
    role: Role
    restates: tuple[str, ...]  # ids of displays or statements that say the same thing elsewhere
    relations: int  # relations (=, <=, implies ...) that it asserts; definitions and settings do not count
    formula: str


@dataclass(frozen=True)
class Paper:
    """All statements and displays, in reading order, and the files beside the main one that they stand in."""

    statements: tuple[PaperStatement, ...]
    displays: tuple[PaperDisplay, ...]
    files: tuple[str, ...] = ()

    @cached_property
    def _by_id(self) -> dict[str, PaperStatement | PaperDisplay]:
        items: list[PaperStatement | PaperDisplay] = [*self.statements, *self.displays]
        return {item.id: item for item in items}

    def statement(self, id_: str) -> PaperStatement:
        """The statement with this id."""
        found = self._by_id.get(id_)
        if not isinstance(found, PaperStatement):
            raise KeyError(_unknown("statement", id_, (s.id for s in self.statements)))
        return found

    def display(self, id_: str) -> PaperDisplay:
        """The display with this id."""
        found = self._by_id.get(id_)
        if not isinstance(found, PaperDisplay):
            raise KeyError(_unknown("display", id_, (d.id for d in self.displays)))
        return found

    def item(self, id_: str) -> PaperStatement | PaperDisplay:
        """The statement or display with this id."""
        if id_ not in self._by_id:
            raise KeyError(_unknown("statement or display", id_, self._by_id))
        return self._by_id[id_]

    def displays_of(self, statement: str) -> tuple[PaperDisplay, ...]:
        """The displays in the statement itself and in its proof, in reading order."""
        owner = self.statement(statement).id
        return tuple(d for d in self.displays if d.statement == owner)


def close_ids(id_: str, known: Iterable[str]) -> list[str]:
    """Up to three known ids that someone may have meant: nearest lines for disp:LINE, similar names otherwise."""
    prefix, _, number = id_.partition(":")
    if number.isdigit():
        lines = [int(other.partition(":")[2]) for other in known if re.fullmatch(rf"{prefix}:\d+", other)]
        return [f"{prefix}:{line}" for line in sorted(lines, key=lambda line: abs(line - int(number)))[:3]]
    import difflib

    return difflib.get_close_matches(id_, list(known), n=3, cutoff=0.4)


def _unknown(what: str, id_: str, known: Iterable[str]) -> str:
    ids = list(known)
    close = close_ids(id_, ids)
    hint = f"did you mean {', '.join(close)}?" if close else f"known ids look like {', '.join(ids[:3])}"
    return f"no {what} of the paper has the id {id_!r}; {hint}"


def _statement(row: dict[str, Any], files: tuple[str, ...]) -> PaperStatement:
    return PaperStatement(**_placed({**row, "uses": tuple(row["uses"])}, files))


def _display(row: dict[str, Any], files: tuple[str, ...]) -> PaperDisplay:
    return PaperDisplay(**_placed({**row, "restates": tuple(row["restates"]), "role": Role(row["role"])}, files))


def _placed(row: dict[str, Any], files: tuple[str, ...]) -> dict[str, Any]:
    """A row with `file` stands in a file that the main one includes."""
    file = row.pop("file", "")
    return {**row, **{name: located(file, row[name], files) for name in ("first_line", "last_line")}}


def read_paper(path: Path) -> Paper:
    """The paper that this paper.toml describes."""
    with reading(path):
        data = toml_of(path)
        statements, displays = data.get("statement", []), data.get("display", [])
        files = tuple(dict.fromkeys(row["file"] for row in (*statements, *displays) if row.get("file")))
        return Paper(
            tuple(_statement(row, files) for row in statements), tuple(_display(row, files) for row in displays), files
        )
