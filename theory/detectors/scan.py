"""Names in print: which occur where, and which are introduced where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from theory.detectors.formula import RELATIONS, Term, chains, normal, rows_of
from theory.detectors.text import Block, Text
from theory.reading.latex.atoms import Atom, Atoms

INLINE = re.compile(r"\$([^$]+)\$")
CUES = re.compile(
    r"\b(?:let|letting|denot\w*|defin\w*|where|write|writes|assume|assumes|suppose|given|fix|set|sets|put|choose|chosen|"
    r"take|exists?|for (?:all|any|every|each|some)|with|parameters?|constants?|sequences?|family|function|operator|"
    r"means|minimi[sz]er|recall|variables?|eigenvalues?|samples?|radius|distribution|number|vectors?|matrices)\b",
    re.IGNORECASE,
)
BEFORE_A_FORMULA = re.compile(r"\b(?:for|if|when|whenever|unless|provided|provided that)\s+\$", re.IGNORECASE)
SAID_FOR = re.compile(r"(?:for|if|when|whenever|where|with|provided)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z…\\])|\n\s*\n|\\item")
GENERIC = re.compile(r"\b(?:matrix|matrices|vectors?|maps?|\|->)\s+\$|\\mapsto", re.IGNORECASE)
REFERENCE = re.compile(r"\\[A-Za-z]*ref\*?\s*\{[^{}]*\}")
CLAUSE = re.compile(
    r"\b(?:then|we have|so|hence|thus|therefore|implies|yields|by (?:the )?[Ll]emma|uses)\b", re.IGNORECASE
)
_GREEK = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta kappa lambda mu nu xi rho sigma tau phi varphi
chi psi omega Sigma Pi Psi Phi Xi Lambda Delta Gamma ell
"""
GREEK = frozenset(_GREEK.split())
INDEX = re.compile(r"\\?[A-Za-z]+|\d+")


@dataclass(frozen=True)
class Name:
    """A letter with the marks that tell it from others; `index` is what stands below it and changes."""

    letter: str
    marks: str
    index: str
    atom: Atom  # without scripts
    full: Atom

    @property
    def key(self) -> str:
        return f"{self.letter}{self.marks}{'_' if self.index else ''}"


def name_of(atom: Atom) -> Name | None:
    """The name that an atom prints, None for signs, words, numbers and operators."""
    base = atom.name.split(":")[-1]
    if atom.kind != "letter" or atom.name.startswith(("bb:", "rm:", "tt:")) or base in ("0", "O", "I", ""):
        return None
    if base.startswith("\\") and base[1:] not in GREEK:
        return None
    if atom.name in ("cal:O", "cal:N") or (base == "i" and atom.name == "rm:i"):
        return None
    above = normal(atom.sup) if atom.sup is not None else ""
    marks = above if re.search(r"[*+]$|rm:|words:|fence:", above) and not re.search(r"[0-9]", above) else ""
    below = normal(atom.sub) if atom.sub is not None else ""
    plus = below if re.fullmatch(r"[*+]|(?:rm:|words:|op\{)[^,]*", below) else ""
    return Name(
        atom.name, "′" * atom.primes + marks + plus, "" if plus else below, replace(atom, sub=None, sup=None), atom
    )


def flat(listed: Atoms, scripts: bool = False) -> Iterator[Atom]:
    """Every atom, those inside brackets, fractions and tables too; scripts when asked for."""
    for atom in listed:
        yield atom
        for arg in atom.args:
            if atom.name not in ("op", "big"):
                yield from flat(arg, scripts)
        if scripts or atom.name in ("bb:E", "op") or (atom.kind == "fence" and atom.name in ("|", "||", "<")):
            yield from flat(atom.sub or (), scripts)
        if scripts or (atom.kind == "fence"):
            yield from flat(atom.sup or (), scripts)


@lru_cache(maxsize=10_000)
def names(latex: str) -> tuple[Name, ...]:
    """Every name of a formula, in reading order."""
    return tuple(one for row in rows_of(latex) for atom in flat(row) if (one := name_of(atom)) is not None)


@lru_cache(maxsize=10_000)
def letters(latex: str) -> frozenset[str]:
    """Every letter of a formula, those in scripts too."""
    return frozenset(atom.name for row in rows_of(latex) for atom in flat(row, True) if atom.kind == "letter")


def index_letters(index: str) -> frozenset[str]:
    return frozenset(one for one in INDEX.findall(index) if not one.isdigit())


def formulas(block: Block) -> list[str]:
    """The display itself, or the formulas in the words."""
    return [block.latex] if block.display else inlines(block.latex)


def inlines(words: str) -> list[str]:
    """The formulas in words, without references."""
    return [REFERENCE.sub("1", found) for found in INLINE.findall(words)]


def sentences(block: Block) -> list[str]:
    return [part for part in SENTENCE.split(block.latex) if part.strip()]


def defines(latex: str) -> Iterator[Name]:
    """The names that a formula gives a value: a lone name, or a function at a point, before = or :=."""
    for chain in chains(latex):
        for part, sign in zip(chain.parts, chain.signs, strict=False):
            if sign == "->" and len(part) > 1 and part[1].name == ":" and (one := name_of(part[0])) is not None:
                yield one  # f: R^d -> R
            lone = len(part) == 1 or (len(part) == 2 and part[1].kind == "fence")
            if sign in ("=", ":=", "∈", "∼", "|->") and part and lone:
                arguments = part[1].args[0] if len(part) == 2 and len(part[1].args[0]) == 1 else ()
                yield from (one for atom in (part[0], *arguments) if (one := name_of(atom)) is not None)


def introduced(block: Block) -> set[str]:
    """Keys of the names that a block introduces, leniently: better one too many than a false alarm."""
    found: set[str] = set()
    if block.display:
        return {one.key for one in defines(block.latex)} | bound(block.latex) | quantified(block.latex)
    for clause in (part for sentence in sentences(block) for part in CLAUSE.split(sentence)):
        inside = inlines(clause)
        words = REFERENCE.sub("", INLINE.sub("$", clause))
        cue = CUES.search(words) or BEFORE_A_FORMULA.search(words)
        for latex in inside:
            found |= {one.key for one in defines(latex)} | bound(latex)
            found |= {one.key for one in names(latex)} if cue else set()
            if len(names(latex)) == 1 and not any(chain.signs for chain in chains(latex)):
                found.add(names(latex)[0].key)
    return found


def bound(latex: str) -> set[str]:
    """Indices of sums and sets and how far they go, samples below a mean, arguments of maps."""
    found = set()
    for row in rows_of(latex):
        for atom in flat(row, True):
            below, above = atom.sub or (), atom.sup or ()
            if any(one.kind == "sign" and one.name in RELATIONS for one in below) or atom.name == "bb:E":
                found |= {one.key for part in flat((*below, *above)) if (one := name_of(part)) is not None}
    return found


def quantified(latex: str) -> set[str]:
    """Names behind `for all` and its like in a display."""
    found: set[str] = set()
    for row in rows_of(latex):
        cues = (at for at, atom in enumerate(row) if atom.kind == "words" and SAID_FOR.match(atom.name.strip()))
        behind = row[next(cues, len(row)) :]
        found |= {one.key for atom in flat(behind) if (one := name_of(atom)) is not None}
    return found


def generic(block: Block) -> bool:
    """Words that speak of any matrix or vector of a name: the name means nothing else there."""
    return not block.display and GENERIC.search(block.latex) is not None


def terms(latex: str) -> Iterator[Term]:
    for chain in chains(latex):
        for side in chain.sides:
            yield from side.walk()


def home(block: Block) -> tuple[int, int]:
    """The statement or the proof that a block stands in; (-1, -1) between them."""
    return block.statement, block.proof


def before(text: Text, at: int) -> tuple[Block, ...]:
    return text.blocks[:at]
