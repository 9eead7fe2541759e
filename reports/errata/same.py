"""What displays and claims of a paper may write for one another: a project's same.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path

from theory.claims.files import reading, toml_of
from theory.reading.latex.texts import texts


@dataclass(frozen=True)
class Same:
    """What may be written for one another: `latex` is read as `means` in the displays and claims that fit `within`."""

    latex: str
    means: str
    within: tuple[str, ...] = ("*",)

    @cached_property
    def parts(self) -> list[str]:
        return texts(self.latex)

    @cached_property
    def written(self) -> list[str]:
        return texts(self.means)


@dataclass(frozen=True)
class Known:
    """A project's same.toml: which letters are functions, what is the same, which displays only name something, and
    why a display has no claim like it."""

    functions: tuple[str, ...] = ()
    rows: tuple[Same, ...] = ()
    differs: Mapping[str, str] = field(default_factory=dict)
    defines: Mapping[str, str] = field(default_factory=dict)

    def written_out(self, latex: str, *names: str) -> str:
        """The LaTeX with every abbreviation that holds there written out, the first row first."""
        cut = texts(latex)
        for row in self.rows:
            if any(fnmatch(name, pattern) for pattern in row.within for name in names):
                cut = _replaced(cut, row.parts, row.written)
        return " ".join(cut)


def read_known(path: Path) -> Known:
    """The file of a project; nothing is the same when there is none."""
    if not path.is_file():
        return Known()
    with reading(path, "a row of `same` has latex and means"):
        body = toml_of(path)
        rows = tuple(Same(r["latex"], r["means"], tuple(r.get("within", ("*",)))) for r in body.get("same", ()))
        return Known(tuple(body.get("functions", ())), rows, body.get("differs", {}), body.get("defines", {}))


def _replaced(given: list[str], part: list[str], right: list[str]) -> list[str]:
    """All that is written so, token by token, from left to right."""
    found: list[str] = []
    at = 0
    while at < len(given):
        hit = given[at] == part[0] and given[at : at + len(part)] == part
        found += right if hit else [given[at]]
        at += len(part) if hit else 1
    return found
