"""Scaling homogeneity: both sides of a true formula scale alike when data, loss and predictions are rescaled.

Runs over every display of the paper, over the inline formulas of its statements and over many formulas inside the text
(relations.toml, transcribed as printed). A dropped or stray factor of L_l, mu, R^2, eta, h, ... makes the two
sides scale differently and is found without any proof. Weights come from definitions (symbols.toml) only.
A formula that passes may still be false; a formula that fails is wrong in the units it uses.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

from theory.claims.symbols import Convention
from theory.detectors.algebra import Clash
from theory.detectors.functions import reader_for
from theory.detectors.language import Chain, Formula, parse_formula
from theory.detectors.notation import Notation, notation_of
from theory.project import Project
from theory.reading.paper import Paper, close_ids


@dataclass(frozen=True)
class Entry:
    """What one display, statement or line says."""

    id: str
    line: int
    convention: Convention
    formulas: tuple[Formula, ...]  # relations in reading order, by_sentence included
    expressions: tuple[Formula, ...]  # bare expressions, and side conditions
    reason: str  # why it asserts no relation, "" if it does

    @property
    def relations(self) -> int:
        """Relations, definitions and settings included."""
        return sum(formula.relations for formula in self.formulas)

    @property
    def asserted(self) -> int:
        """Relations that the paper asserts here."""
        return sum(formula.asserted for formula in self.formulas)


@dataclass(frozen=True)
class Violation:
    """Two subexpressions of a formula that must scale alike and do not."""

    where: str  # disp:LINE, a statement id, or line:LINE
    relation: int  # position of the formula within the entry, from 1
    formula: str
    side: int  # which side of its chain the offender is on, 0 for the leftmost
    convention: str
    kind: str  # "weight" or "shape"
    context: str  # what makes them have to agree
    reference: str
    reference_weight: str
    offender: str
    offender_weight: str
    scales: tuple[str, ...]  # the scales in which they differ: s (data), r (loss), z (predictions), or a formal one
    factor: str  # what the offender must be multiplied by, "" for shapes
    synonyms: tuple[str, ...]  # the same factor in other symbols

    def __str__(self) -> str:
        if self.kind == "shape":
            return f"{self.where}: {self.context}: {self.reference} does not fit {self.offender}"
        return (
            f"{self.where}: {self.offender} scales as {self.offender_weight}, but {self.reference} as "
            f"{self.reference_weight} ({self.context}); multiply the former by {self.factor}"
        )


@dataclass(frozen=True)
class HomogeneityReport:
    """Counts and findings; plain data."""

    displays_checked: int
    statements_checked: int
    lines_checked: int
    relations_checked: int
    relations_asserted: int
    expressions_checked: int
    violations: tuple[Violation, ...]
    no_relation: tuple[tuple[str, str], ...]  # id, reason

    def to_json(self) -> dict[str, Any]:
        """A JSON-serialisable copy."""
        return asdict(self)


@dataclass(frozen=True)
class Transcription:
    """What a paper's relations.toml transcribes, in its order, and the notation that it is read in."""

    entries: Mapping[str, Entry]
    notation: Notation

    def entry(self, id_: str) -> Entry:
        if id_ not in self.entries:
            close = ", ".join(close_ids(id_, self.entries)) or "see the paper's relations.toml"
            raise KeyError(f"relations.toml has no entry {id_!r}; close: {close}")
        return self.entries[id_]


def transcription(project: Project) -> Transcription:
    """Of this project; without a relations.toml nothing is transcribed."""
    path = project.file("relations")
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    conventions, notation = data.pop("conventions", {}), notation_of(project.symbols, data.pop("notation", {}))
    found = {id_: _entry(id_, row, conventions, project.paper) for id_, row in data.items()}
    return Transcription(MappingProxyType(found), notation)


def _entry(id_: str, row: dict[str, Any], conventions: Mapping[str, list[list[int]]], paper: Paper) -> Entry:
    line = int(id_.removeprefix("line:")) if id_.startswith("line:") else paper.item(id_).first_line
    inside = [name for name, ranges in conventions.items() if any(first <= line <= last for first, last in ranges)]
    formulas = tuple(parse_formula(text) for text in (*row.get("by_sentence", ()), *row.get("relations", ())))
    expressions = tuple(parse_formula(text) for text in (*row.get("expressions", ()), *row.get("when", ())))
    convention = Convention(inside[0]) if inside else Convention.STANDARD
    return Entry(id_, line, convention, formulas, expressions, row.get("none", ""))


def check_formula(formula: Formula, convention: Convention, notation: Notation) -> list[Clash]:
    """All clashes of one formula."""
    reader = reader_for(convention, notation)
    for chain in formula.chains:
        quantities = []
        for index, side in enumerate(chain.sides):
            known = len(reader.clashes)
            quantities.append(reader.read(side))
            reader.clashes[known:] = [replace(clash, side=index) for clash in reader.clashes[known:]]
        reader.agree(quantities, _context(chain))
        reader.same_shape(zip(chain.sides, quantities, strict=True), _context(chain))
    return list(dict.fromkeys(reader.clashes))


def _context(chain: Chain) -> str:
    return f"the sides of {' '.join(chain.signs)}" if chain.signs else "the terms of the expression"


def check_display(told: Transcription, id_: str) -> list[Violation]:
    """The violations in a display (or in a statement's inline formulas, or in a line), in reading order."""
    found = told.entry(id_)
    violations = []
    for position, formula in enumerate((*found.formulas, *found.expressions), start=1):
        for clash in check_formula(formula, found.convention, told.notation):
            violations.append(_violation(told.notation, found, position, formula, clash))
    return violations


def _violation(notation: Notation, found: Entry, position: int, formula: Formula, clash: Clash) -> Violation:
    needed = clash.left_weight - clash.right_weight
    factor, synonyms = (
        notation.missing_factor(needed, found.convention, found.line) if clash.kind == "weight" else ("", ())
    )
    return Violation(
        where=found.id,
        relation=position,
        formula=formula.text,
        side=clash.side,
        convention=found.convention.value,
        kind=clash.kind,
        context=clash.context,
        reference=clash.left,
        reference_weight=str(clash.left_weight),
        offender=clash.right,
        offender_weight=str(clash.right_weight),
        scales=tuple(scale for scale, _ in needed.powers),
        factor=factor,
        synonyms=synonyms,
    )


def check_all(project: Project) -> HomogeneityReport:
    """Every entry of the project's transcription, in the order of the paper."""
    told = transcription(project)
    ordered = sorted(told.entries.values(), key=lambda e: e.line)
    kinds = {e.id: e.id.split(":")[0] for e in ordered}
    return HomogeneityReport(
        displays_checked=sum(kind == "disp" for kind in kinds.values()),
        statements_checked=sum(kind not in ("disp", "line") for kind in kinds.values()),
        lines_checked=sum(kind == "line" for kind in kinds.values()),
        relations_checked=sum(e.relations for e in ordered),
        relations_asserted=sum(e.asserted for e in ordered),
        expressions_checked=sum(len(e.expressions) for e in ordered),
        violations=tuple(violation for e in ordered for violation in check_display(told, e.id)),
        no_relation=tuple((e.id, e.reason) for e in ordered if e.reason),
    )


__all__ = [
    "Entry",
    "HomogeneityReport",
    "Transcription",
    "Violation",
    "check_all",
    "check_display",
    "check_formula",
    "transcription",
]
