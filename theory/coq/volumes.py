"""Coq files: one for each statement with all its theorems, in an order in which everything cited comes first."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from graphlib import TopologicalSorter
from importlib.resources import files
from pathlib import Path

from theory.coq.proof import conjunction
from theory.coq.theorems import Theorem, comment, folded, names_for

LIBRARY = (
    "LemmaLab.v",
    "Matrices.v",
    "Laws.v",
    "Counting.v",
    "Divisors.v",
    "Kinds.v",
    "Forms.v",
    "Spectrum.v",
    "Indices.v",
    "Points.v",
    "Nested.v",
    "Steps.v",
    "Whole.v",
    "Fractions.v",
    "Sequences.v",
    "Directions.v",
    "Bounds.v",
)
ALWAYS = 2  # so many of them are loaded by every file; the others where a word of theirs stands
HEADER = "Require Import LemmaLab.Matrices.\n"
WORD = re.compile(r"[A-Za-z_][\w']*")
FORMS = frozenset({"sized", "sampling", "same_number", "same_matrix", "none_product"})
MARKS = {
    "Kinds.v": FORMS,
    "Forms.v": FORMS,
    "Spectrum.v": frozenset({"eigen", "eigen_ge", "eigen_eq", "powers_vanish", "recursion"}),
}
Home = tuple[str, int, int]  # a statement, and which of its files
LENGTH = 60_000  # characters, after which a statement with many checks gets another file


@dataclass(frozen=True)
class Volume:
    """One file: the theorems of one statement, and the other files that they cite."""

    name: str
    title: str
    theorems: tuple[Theorem, ...]
    imports: tuple[str, ...]

    def text(self, without: Mapping[str, str], bare: bool = False, each: bool = False) -> str:
        """The file; theorems among `without` are left out, with the reason. `bare`, `each`: as Theorem.text has it."""
        loads = "".join(f"Require Import LemmaLab.{name}.\n" for name in (*self.library(without), *self.imports))
        parts = [f"(** * {comment(self.title)} *)\n\n{HEADER}{loads}"]
        proofs = [t for t in self.theorems if not t.refutes]
        refutations = [t for t in self.theorems if t.refutes]
        other = "Fractions" in self.library(without)  # there `field` writes numbers in another way
        parts += [
            _among_fractions(_part(t, without, bare, each)) if other else _part(t, without, bare, each) for t in proofs
        ]
        if refutations:
            parts.append("(** Refutations compute their sums. *)\nTransparent zsum.\n")
        parts += [_part(theorem, without, bare, each) for theorem in refutations]
        shown = [t.name for t in self.theorems if t.key not in without and not t.held]
        if shown and not bare and not each:
            whole = f"Definition all_of_{self.name} := {conjunction(shown)}."
            parts.append(f"(** What they rest on. *)\n{folded(whole)}\nPrint Assumptions all_of_{self.name}.\n")
        return "\n".join(parts)

    def library(self, without: Mapping[str, str]) -> list[str]:
        """The parts of the library that these theorems use beside what every file loads."""
        used = {word for t in self.theorems if t.key not in without for word in WORD.findall(t.text(bare=True))}
        return [name.removesuffix(".v") for name in LIBRARY[ALWAYS:] if used & defined(name)]


def _among_fractions(text: str) -> str:
    """A theorem whose neighbours compute with fractions as numbers of `field`: its own numbers are written back."""
    if set(WORD.findall(text)) & defined("Fractions.v"):
        return text
    return re.sub(r"\bfield(?=;| \|)", "field_with_fractions", text)


@lru_cache(maxsize=8)
def defined(name: str) -> frozenset[str]:
    """The words that a part of the library gives a meaning; of Kinds.v and Forms.v those that give a theorem away."""
    if name in MARKS:
        return MARKS[name]
    source = files("theory.coq").joinpath(name).read_text(encoding="utf-8")
    words = r"^(?:Lemma|Definition|Fixpoint|Ltac|Tactic Notation) \"?([\w']+)"
    return frozenset(re.findall(words, source, flags=re.MULTILINE))


def _part(theorem: Theorem, without: Mapping[str, str], bare: bool, each: bool) -> str:
    if theorem.key in without:
        return f"(** {comment(theorem.key)}: no theorem. {comment(without[theorem.key])} *)\n"
    return theorem.text(bare, each)


def volumes_of(theorems: Iterable[Theorem]) -> list[Volume]:
    """Files, what is cited first; a statement that cites one that cites it, or a long one, has several files."""
    by_key = {t.key: t for t in theorems}
    cites = {t.key: [c for c in t.cites if c in by_key] for t in by_key.values()}
    order = list(TopologicalSorter(cites).static_order())
    homes = _homes(by_key, cites, order)
    names = _file_names(homes)
    shelf: dict[Home, list[Theorem]] = {}
    for key in order:
        shelf.setdefault(homes[key], []).append(by_key[key])
    uses = {home: {homes[c] for t in held for c in cites[t.key]} - {home} for home, held in shelf.items()}
    return [
        Volume(names[home], home[0], tuple(shelf[home]), tuple(sorted(names[other] for other in uses[home])))
        for home in TopologicalSorter(uses).static_order()
    ]


def _homes(by_key: Mapping[str, Theorem], cites: Mapping[str, list[str]], order: Iterable[str]) -> dict[str, Home]:
    """The file of each theorem: its statement; within a circle of statements, how often a path of citations changes it;
    and how many files are full. Citations never lead to a later file."""
    above: dict[str, set[str]] = {t.home: set() for t in by_key.values()}
    for key, below in cites.items():
        above[by_key[key].home] |= {by_key[c].home for c in below} - {by_key[key].home}
    circle = {home for home in above if home in _reached(above, home)}
    homes: dict[str, Home] = {}
    written: dict[tuple[str, int], int] = {}
    for key in order:
        here = by_key[key].home
        ways = [homes[c][1] + (by_key[c].home != here) for c in cites[key] if by_key[c].home in circle]
        level = max(ways, default=0) if here in circle else 0
        written[here, level] = written.get((here, level), 0) + sum(map(len, by_key[key].lines))
        homes[key] = here, level, written[here, level] // LENGTH
    return homes


def without_proofs(volumes: Iterable[Volume], held: Container[str]) -> list[Volume]:
    """What was accepted before is only said: the files that hold something else, and those that they cite."""
    needed: set[str] = set()
    kept: list[Volume] = []
    for volume in reversed(list(volumes)):  # what is cited comes first
        known = {t.key for t in volume.theorems if t.key in held and not t.reason}
        theorems = tuple(replace(t, lines=(), held=True) if t.key in known else t for t in volume.theorems)
        judged = not all(t.held for t in theorems)
        if judged or volume.name in needed:
            kept.append(replace(volume, theorems=theorems, imports=volume.imports if judged else ()))
            needed |= set(kept[-1].imports)
    return kept[::-1]


def _reached(above: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    stack = [start]
    while stack:
        new = above[stack.pop()] - found
        found |= new
        stack += new
    return found


def _file_names(homes: Mapping[str, Home]) -> dict[Home, str]:
    """Each file another name: lem_v_bound, lem_v_bound_part_2, and none that a part of the library has."""
    files_: dict[Home, str] = {}
    names = names_for(dict.fromkeys(home for home, *_ in homes.values()))
    taken = {name.removesuffix(".v") for name in LIBRARY}
    for home in dict.fromkeys(homes.values()):
        part = sum(other[0] == home[0] for other in files_) + 1
        name = names[home[0]] if part == 1 else f"{names[home[0]]}_part_{part}"
        while name in taken:
            name += "_v"
        files_[home] = name
        taken.add(name)
    return files_


def write_library(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in LIBRARY:
        source = files("theory.coq").joinpath(name).read_text(encoding="utf-8")
        target = folder / name
        if not target.exists() or target.read_text(encoding="utf-8") != source:
            target.write_text(source, encoding="utf-8")
