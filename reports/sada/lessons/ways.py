"""The derivation of a lesson: what the project has derived, in the paper's letters, one step left to the reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from reports.sada.claims import PROJECT
from reports.sada.lessons.model import Derivation
from reports.sada.lessons.prose import prose
from reports.site.derived import Line, line, way
from reports.site.typeset import Typesetter
from theory.papers.sada import derivations


@dataclass(frozen=True)
class Shown:
    """A step as the page shows it."""

    words: Markup
    maths: Markup


@dataclass(frozen=True)
class Path:
    """`open` is the place of the reader's own step among `lines`; the words of a line are set."""

    words: str
    lines: tuple[Shown, ...]
    open: int
    command: str


def path(told: Derivation) -> Path:
    """Steps from `first` on; `hidden` counts from the start of the derivation."""
    derived = way(derivations, told.name, told.letters) if told.name else None
    lines = tuple(line("", tex) for _, tex in told.lines) or (derived.lines if derived else ())
    if not told.first <= told.hidden < len(lines) or not all(one.maths for one in lines[told.first :]):
        raise ValueError(
            f"{told.name}: no step {told.hidden} in {told.first}..{len(lines) - 1}, or one is too long; choose another"
        )
    over = told.lines or told.told or (("", ""),) * len(lines)
    if len(over) != len(lines):
        raise ValueError(f"{told.name}: {len(over)} steps are told and {len(lines)} derived; tell each of them")
    shown = tuple(map(_shown, lines, over))
    return Path(told.words, shown[told.first :], told.hidden - told.first, derived.command if derived else "")


def _shown(derived: Line, told: tuple[str, str]) -> Shown:
    words, tex = told
    return Shown(prose(words) if words else step(derived.words), line("", tex).maths if tex else derived.maths)


def step(words: str) -> Markup:
    """The words above a step, typed as in the derivation: set in the paper's notation, a first word capitalised."""
    first = words.split(" ", 1)[0].strip(",:")
    begun = words[:1].upper() + words[1:] if first.isascii() and first.isalpha() and first.islower() else words
    return _typesetter().prose(begun)


@lru_cache(maxsize=1)
def _typesetter() -> Typesetter:
    return Typesetter(PROJECT.notation)
