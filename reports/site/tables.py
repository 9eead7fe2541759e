"""What the sections with numbers are made of: words, pictures, tables; and what a paper brings along for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from reports.site.figure import Figure
from theory.reading.paper import Paper


@dataclass(frozen=True)
class Table:
    """`folded` tables are long: the page shows them on request."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = False


@dataclass(frozen=True)
class Section:
    words: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Brought:
    """A section that a paper adds to its report; `absent` is said in its place when it could not be made."""

    id: str
    nav: str
    title: str
    section: Section | None
    absent: str = ""


@dataclass(frozen=True)
class Repaired:
    """The main theorem in LaTeX, as printed and as repaired, with the check behind the repair."""

    id: str
    printed: str
    right: str
    key: str
    words: str


@dataclass(frozen=True)
class Theorem:
    """The main theorem of a paper.

    ids         the first that has a proved reading counts
    lines       its forms in formulas, from the keys that are proved
    repaired    as printed and as repaired, None while the repair is not proved
    constant    one sentence on what its constant really is, "" while nothing about it is proved
    """

    ids: tuple[str, ...]
    lines: Callable[[Iterable[str]], Iterator[Any]]
    repaired: Callable[[Paper, Iterable[str]], Repaired | None] | None = None
    constant: Callable[[Iterable[str]], str] | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson, as the report links to it."""

    title: str
    href: str
