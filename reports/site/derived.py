"""How we get here: derivations beside the statements that print their objects, from what is stored; no sympy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from reports.mathml.tex import MathsError, tex_mathml

LONGEST = 1200  # characters of LaTeX in one step; what is longer is one command away


@dataclass(frozen=True)
class Line:
    """One step: words and mathematics; `maths` is empty where it is too long for the page."""

    words: str
    maths: Markup


@dataclass(frozen=True)
class Way:
    """A derivation for readers; `hidden` is the step that a lesson asks for."""

    name: str
    title: str
    source: str
    lines: tuple[Line, ...]
    checks: tuple[str, ...]  # keys of derived == printed
    hidden: int

    @property
    def command(self) -> str:
        return f"lemmalab derive {self.name}"


def ways(room: Any) -> dict[str, list[Way]]:
    """What a paper's room of derivations holds, by the statement beside which it is shown; a paper may have no room."""
    found: dict[str, list[Way]] = {}
    for stored in room.every().values() if room is not None else ():
        found.setdefault(stored.home, []).append(_way(stored))
    return found


def way(room: Any, name: str, letters: Iterable[tuple[str, str]] = ()) -> Way:
    """One derivation; `letters` are (as derived, as the reader is to see it)."""
    return _way(room.find(room.every(), name), letters)


def line(words: str, tex: str, letters: Iterable[tuple[str, str]] = ()) -> Line:
    for plain, shown in letters:
        tex = tex.replace(plain, shown)
    return Line(words, _set(tex))


def _way(stored: object, letters: Iterable[tuple[str, str]] = ()) -> Way:
    from theory.derivation.store import Stored

    assert isinstance(stored, Stored)
    keys = tuple(place.key for place in stored.places if not place.repairs)
    lines = tuple(line(words, tex, letters) for words, tex in stored.steps)
    return Way(stored.name, stored.title, stored.source, lines, keys, stored.hidden)


def _set(tex: str) -> Markup:
    if len(tex) > LONGEST:
        return Markup("")
    try:
        return Markup(tex_mathml(tex))
    except MathsError as error:
        return Markup('<code class="unset" title="{}">{}</code>').format(str(error), tex)
