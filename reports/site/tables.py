"""What the sections with numbers are made of: words, pictures, tables; and what a paper brings along for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reports.site.figure import Figure
from theory.kernel import Verdict
from theory.ledger.records import Record
from theory.ledger.stands import LINKED
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
class Held:
    """A reading that is proved for every size: the links that are by hand below it, its words, its formulas."""

    links: tuple[str, ...] = ()
    words: str = ""
    says: tuple[str, ...] = ()


Proved = Mapping[str, Held]  # by the key of the reading


def proved_of(records: Iterable[Record]) -> Proved:
    """What is proved for every size; the records carry the labels of everything that they cite."""
    good = [r for r in records if r.shown in (Verdict.PROVED.name, LINKED)]
    return {r.key: Held(r.links, r.words, r.claim.says) for r in good}


@dataclass(frozen=True)
class Theorem:
    """The main theorem of a paper.

    ids         the first that has a proved reading counts
    lines       its forms in formulas, from what is proved
    repaired    as printed and as repaired, None while the repair is not proved
    constant    one sentence on what its constant really is, "" while nothing about it is proved
    """

    ids: tuple[str, ...]
    lines: Callable[[Proved], Iterator[Any]]
    repaired: Callable[[Paper, Proved], Repaired | None] | None = None
    constant: Callable[[Proved], str] | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson, as the report links to it."""

    title: str
    href: str
