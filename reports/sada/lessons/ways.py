"""The derivation of a lesson: what the project has derived, in the paper's letters, one step left to the reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from reports.sada.claims import PROJECT
from reports.sada.lessons.model import Derivation
from reports.site.derived import Line, line, way
from reports.site.typeset import Typesetter
from theory.papers.sada import derivations


@dataclass(frozen=True)
class Path:
    """`open` is the place of the reader's own step among `lines`."""

    words: str
    lines: tuple[Line, ...]
    open: int
    command: str


def path(told: Derivation) -> Path:
    """Steps from `first` on; `hidden` counts from the start of the derivation."""
    derived = way(derivations, told.name, told.letters) if told.name else None
    own = tuple(line(words, tex) for words, tex in told.lines)
    lines = own or (derived.lines if derived else ())
    if not told.first <= told.hidden < len(lines) or not all(one.maths for one in lines[told.first :]):
        raise ValueError(
            f"{told.name}: no step {told.hidden} in {told.first}..{len(lines) - 1}, or one is too long; choose another"
        )
    return Path(told.words, lines[told.first :], told.hidden - told.first, derived.command if derived else "")


def step(words: str) -> Markup:
    """The words above a step, typed as in the derivation: set in the paper's notation, a first word capitalised."""
    first = words.split(" ", 1)[0].strip(",:")
    begun = words[:1].upper() + words[1:] if first.isascii() and first.isalpha() and first.islower() else words
    return _typesetter().prose(begun)


@lru_cache(maxsize=1)
def _typesetter() -> Typesetter:
    return Typesetter(PROJECT.notation)
