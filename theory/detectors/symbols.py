"""What the symbols file of a paper says of a printed name: its size, its section, its meaning."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from theory.claims.files import reading, toml_of
from theory.claims.symbols import places
from theory.detectors.formula import normal, shown
from theory.project import Project
from theory.reading.latex.atoms import Atom, Unreadable, atoms

KINDS = {"real": "1", "natural": "1", "vector": "d", "matrix": "dxd", "symmetric": "dxd", "psd": "dxd"}
Size = tuple[str, str]
ANY: Size = ("?", "?")
NUMBER: Size = ("1", "1")


@dataclass(frozen=True)
class Entry:
    """One row: a letter with its scripts, in one meaning."""

    name: str
    atom: Atom
    size: Size
    where: tuple[str, ...]
    meaning: str
    called: bool  # printed with an argument


def size_of(shape: str) -> Size:
    rows, _, columns = shape.partition("x")
    return ANY if rows == "?" else (rows, columns or "1")


class Table:
    """Every symbol by its letter."""

    def __init__(self, project: Project) -> None:
        self.by_letter: dict[str, list[Entry]] = defaultdict(list)
        path = project.file("symbols")
        with reading(path):
            entries = map(_entry, toml_of(path).get("symbol", []) if path.is_file() else [])
            for entry in (one for one in entries if one is not None):
                self.by_letter[entry.atom.name].append(entry)

    def entries(self, atom: Atom, called: bool = False) -> list[Entry]:
        """The rows that this name may be of: those with its scripts, else with its letter."""
        every = self.by_letter.get(atom.name, [])
        known = [one for one in every if one.called == called] or every
        exact = [one for one in known if shown(one.atom) == shown(atom)]
        if exact:
            return exact
        like = [one for one in known if _marks(one.atom) == _marks(atom)]
        return like or known

    def size(self, atom: Atom, section: str, called: bool = False) -> Size:
        """The size of a name in a section; any when the table does not know it or knows two."""
        found = self.entries(atom, called)
        here = [one for one in found if any(place in section for place in one.where)]
        sizes = {one.size for one in (here or found)}
        return sizes.pop() if len(sizes) == 1 else ANY

    def meanings(self) -> Mapping[str, list[Entry]]:
        """Names that have more than one row."""
        groups: dict[str, list[Entry]] = defaultdict(list)
        for entries in self.by_letter.values():
            for one in entries:
                groups[shown(one.atom)].append(one)
        return {text: many for text, many in groups.items() if len(many) > 1}


def _entry(row: Mapping[str, object]) -> Entry | None:
    kind = str(row.get("kind", ""))
    shape = str(row.get("shape", "") or KINDS.get(kind) or KINDS.get(str(row.get("of", "")), "1" if not kind else "?"))
    try:
        listed = atoms(str(row["latex"]).replace("#1", "k").replace("#2", "i"))
    except Unreadable:
        return None
    first = next((one for one in listed if one.name != r"\nabla"), None)
    if first is None or listed[0].name == r"\nabla" or first.kind != "letter":
        return None
    called = len(listed) > 1 and listed[1].kind == "fence"
    return Entry(str(row["name"]), first, size_of(shape), places(row), str(row.get("meaning", "")), called)


def _marks(atom: Atom) -> tuple[str, bool]:
    """What tells a name from others of its letter: a word, a star or a bracket above, a pair of numbers below."""
    above = normal(atom.sup) if atom.sup is not None else ""
    below = normal(atom.sub) if atom.sub is not None else ""
    return ("" if above in (r"\top", "T", "-1", "2") else above, re.fullmatch(r"i|.*,i|.*[12]{2}", below) is not None)
