"""What the sections with numbers are made of: words, pictures, tables."""

from __future__ import annotations

from dataclasses import dataclass

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
