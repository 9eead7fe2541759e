"""Coq files: one for each statement with all its theorems, in an order in which everything cited comes first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from pathlib import Path

from theory.coq.theorems import Theorem, comment, names_for

LIBRARY = ("LemmaLab.v", "Matrices.v", "Laws.v", "Counting.v", "Divisors.v", "Kinds.v", "Forms.v", "Spectrum.v")
ALWAYS = 2  # so many of them are loaded by every file; the others where a word of theirs stands
HEADER = "Require Import LemmaLab.Matrices.\n"
WORD = re.compile(r"[A-Za-z_][\w']*")
FORMS = frozenset({"sized", "sampling", "same_number", "same_matrix"})
MARKS = {
    "Kinds.v": FORMS,
    "Forms.v": FORMS,
    "Spectrum.v": frozenset({"eigen", "eigen_ge", "eigen_eq", "powers_vanish", "recursion"}),
}
LIMIT = 600  # seconds for one tactic; a proof that needs more is refused


@dataclass(frozen=True)
class Volume:
    """One file: the theorems of one statement, and the other files that they cite."""

    name: str
    title: str
    theorems: tuple[Theorem, ...]
    imports: tuple[str, ...]

    def text(self, without: Mapping[str, str]) -> str:
        """The file; theorems among `without` are left out, with the reason."""
        loads = "".join(f"Require Import LemmaLab.{name}.\n" for name in (*self.library(without), *self.imports))
        parts = [f"(** * {comment(self.title)} *)\n\n{HEADER}{loads}Set Default Timeout {LIMIT}.\n"]
        proofs = [t for t in self.theorems if not t.refutes]
        refutations = [t for t in self.theorems if t.refutes]
        parts += [_part(theorem, without) for theorem in proofs]
        if refutations:
            parts.append("(** Refutations compute their sums. *)\nTransparent zsum.\n")
        return "\n".join(parts + [_part(theorem, without) for theorem in refutations])

    def library(self, without: Mapping[str, str]) -> list[str]:
        """The parts of the library that these theorems use beside what every file loads."""
        used = {word for t in self.theorems if t.key not in without for word in WORD.findall(t.text())}
        return [name.removesuffix(".v") for name in LIBRARY[ALWAYS:] if used & defined(name)]


@lru_cache(maxsize=8)
def defined(name: str) -> frozenset[str]:
    """The words that a part of the library gives a meaning; of Kinds.v and Forms.v those that give a theorem away."""
    if name in MARKS:
        return MARKS[name]
    source = files("theory.coq").joinpath(name).read_text(encoding="utf-8")
    return frozenset(re.findall(r"^(?:Lemma|Definition|Fixpoint|Ltac) ([\w']+)", source, flags=re.MULTILINE))


def _part(theorem: Theorem, without: Mapping[str, str]) -> str:
    if theorem.key in without:
        return f"(** {comment(theorem.key)}: no theorem. {comment(without[theorem.key])} *)\n"
    return theorem.text()


def volumes_of(theorems: Iterable[Theorem]) -> list[Volume]:
    """Files, what is cited first; where statements cite each other, a file for each check."""
    theorems = list(theorems)
    try:
        return _volumes(theorems, {t.key: t.home for t in theorems})
    except CycleError:
        return _volumes(theorems, {t.key: t.key for t in theorems})


def _volumes(theorems: list[Theorem], homes: Mapping[str, str]) -> list[Volume]:
    names = names_for(dict.fromkeys(homes.values()))
    shelf: dict[str, list[Theorem]] = {}
    by_key = {t.key: t for t in theorems}
    order = TopologicalSorter({t.key: [c for c in t.cites if c in homes] for t in theorems})
    for key in order.static_order():
        shelf.setdefault(homes[key], []).append(by_key[key])
    uses = {home: {homes[c] for t in held for c in t.cites if c in homes} - {home} for home, held in shelf.items()}
    taken = {name.removesuffix(".v") for name in LIBRARY}
    files_ = {home: f"{names[home]}_v" if names[home] in taken else names[home] for home in shelf}
    return [
        Volume(files_[home], home, tuple(shelf[home]), tuple(sorted(files_[other] for other in uses[home])))
        for home in TopologicalSorter(uses).static_order()
    ]


def write_library(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in LIBRARY:
        source = files("theory.coq").joinpath(name).read_text(encoding="utf-8")
        target = folder / name
        if not target.exists() or target.read_text(encoding="utf-8") != source:
            target.write_text(source, encoding="utf-8")
