"""Printed and corrected LaTeX: the fragment, and the whole display with the fragment replaced, token by token."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from theory.reading.errata.slips import Edit, Slip, Slips
from theory.reading.latex.texts import Token, expanded, occurrences, texts, tokens
from theory.reading.paper import Paper, PaperDisplay


@dataclass(frozen=True)
class Change:
    """What to write at one place.

    printed, corrected    the fragments in the notation of the source
    tex, corrected_tex    the same without the paper's macros
    display               the display that it stands in, "" in a sentence
    formula, whole        that display as printed, and with this one change; "" when the fragment is not found in it
    """

    line: int
    printed: str
    corrected: str
    tex: str
    corrected_tex: str
    display: str = ""
    formula: str = ""
    whole: str = ""


def changes_of(slip: Slip, slips: Slips, paper: Paper) -> tuple[Change, ...]:
    return tuple(_change(edit, slips, paper) for edit in slip.edits)


def display_at(paper: Paper, line: int) -> PaperDisplay | None:
    return next((one for one in paper.displays if one.first_line <= line <= one.last_line), None)


def _change(edit: Edit, slips: Slips, paper: Paper) -> Change:
    tex, right = expanded(edit.printed, slips.macros), expanded(edit.corrected, slips.macros)
    display = display_at(paper, edit.line)
    if display is None:
        return Change(edit.line, edit.printed, edit.corrected, tex, right)
    rank, count = _rank(edit, tex, slips, display)
    formula = expanded(display.formula, {})
    places = occurrences(texts(tex), texts(formula))
    if len(places) != count:
        return Change(edit.line, edit.printed, edit.corrected, tex, right, display.id)
    span = span_of(tokens(formula)[places[rank] :], tex, right)
    return Change(edit.line, edit.printed, edit.corrected, tex, right, display.id, formula, replaced(formula, [span]))


def _rank(edit: Edit, tex: str, slips: Slips, display: PaperDisplay) -> tuple[int, int]:
    """The same fragment may be corrected at several places of a display: which one this is, and how many there are."""
    alike = [
        other
        for row in slips.rows
        for other in row.edits
        if display.first_line <= other.line <= display.last_line and expanded(other.printed, slips.macros) == tex
    ]
    ordered = sorted(alike, key=lambda one: one.line)
    return ordered.index(edit), len(ordered)


class Span(NamedTuple):
    """Characters of a source and what belongs there."""

    start: int
    end: int
    text: str


def span_of(here: Sequence[Token], printed: str, corrected: str) -> Span:
    """What changes in a source whose tokens from `here` on are those of `printed`: what both have stays untouched."""
    given, right = texts(printed), tokens(corrected)
    first = 0
    while first < min(len(given), len(right)) and given[first] == right[first].text:
        first += 1
    last = 0
    while last < min(len(given), len(right)) - first and given[-1 - last] == right[-1 - last].text:
        last += 1
    stop, end = len(given) - last, len(right) - last
    if first:
        start = here[first - 1].end
        text = corrected[right[first - 1].end : right[end - 1].end]
        both = first < stop and first < end
        if both and (here[first].start > start or right[first].start == right[first - 1].end):
            # something stands on both sides: the space before it stays as it is, unless the correction puts one there
            start, text = here[first].start, corrected[right[first].start : right[end - 1].end]
        return Span(start, here[stop - 1].end, text)
    if not stop:  # something is put before everything
        return Span(here[0].start, here[0].start, corrected[: right[end].start])
    return Span(here[0].start, here[stop - 1].end, corrected[right[0].start : right[end - 1].end] if end else "")


def replaced(source: str, spans: Iterable[Span]) -> str:
    """The source with every span replaced; spans do not overlap."""
    found, here = "", 0
    for span in sorted(spans):
        found += source[here : span.start] + _apart(source[: span.start], span.text, source[span.end :])
        here = span.end
    return found + source[here:]


def _apart(before: str, text: str, after: str) -> str:
    """A control word and a letter after it stay apart."""
    glued = bool(re.search(r"\\[A-Za-z]+$", before)) and text[:1].isalpha()
    ends = bool(re.search(r"\\[A-Za-z]+$", text or before)) and after[:1].isalpha()
    return (" " if glued else "") + text + (" " if ends else "")


def is_maths(source: str, in_display: bool) -> bool:
    """Is the fragment one formula, and not a sentence?"""
    if "$" in source:
        return False
    prose = re.sub(r"\\(?:ref|eqref|item|Else|Comment)\b", "", source)
    return in_display or bool(re.search(r"\\[A-Za-z]|[_^=]", prose))


def segments(source: str, tex: str) -> list[tuple[str, str]]:
    """A sentence as ("words", …) and ("maths", …) parts. One that begins inside a formula has an odd number of dollars.

    Words keep the spaces of the source; formulas are without macros.
    """
    written, told = source.split("$"), tex.split("$")
    inside = len(written) % 2 == 0
    kinds = ["maths" if (at % 2 == 1) != inside else "words" for at in range(len(written))]
    return [(kind, b if kind == "maths" else a) for kind, a, b in zip(kinds, written, told, strict=True) if a]
