"""What the sections with numbers are made of: words, pictures, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from reports.site.figure import Figure


@dataclass(frozen=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


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
class Theorem:
    """The main theorem of a paper: its ids, the first that has a proved reading counts, and its forms in formulas."""

    ids: tuple[str, ...]
    lines: Callable[[Iterable[str]], Iterator[Any]]
