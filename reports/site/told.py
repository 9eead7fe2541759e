"""Formulas of claims as LaTeX in the notation of the paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from typing import Any

from reports.site.tidy import tidy
from theory.kernel import Claim, KernelError
from theory.kernel.lang import parse, parse_relation
from theory.reading.latex.claims import claim_notation
from theory.reading.latex.notation import Glyph, Notation, default_latex, spelled
from theory.reading.latex.printer import to_latex

BOLD = re.compile(r"\\(?:mathbf|boldsymbol|nabla|hat|tilde)|[A-Z]")
NAME = re.compile(r"(?<!\.)\b[^\W\d]\w*")  # X.T is no name T
VECTOR = re.compile(r"forall\((\w+), vector\(")
WILD = re.compile(r"[*?\[]")
SQUARE = ("matrix", "symmetric", "psd", "pd")
SET = frozenset({"vector", "matrix", "function", "random"})  # in print they are set as the symbols file says
BLOCK = re.compile(r"(?<![A-Za-z}])([IO])\\left\([^()\\]*\\right\)")  # I(d) and O(d, d): sizes go without saying
BLOCKS = {"I": r"\mathbf{I}", "O": r"\mathbf{0}"}
SAMPLE = re.compile(r"\bE\((\w+),")
LONGEST = 420  # characters of a formula; a longer one is not read as mathematics


class Told:
    """One claim in its notation; with the notation of the whole paper each formula is told apart by itself."""

    def __init__(
        self, notation: Notation, whole: bool = False, halved: tuple[str, ...] = (), paper: Notation | None = None
    ) -> None:
        self.notation, self.whole, self.halved, self.paper = notation, whole, halved, paper or notation

    def relation(self, source: str, longest: int = LONGEST) -> str:
        """LaTeX of a relation; "" where it is too long or cannot be printed."""
        return self._latex(source, parse_relation, longest)

    def formula(self, source: str) -> str:
        return self._latex(source, parse)

    def name(self, name: str) -> str:
        """By itself; of a point also names that the claim does not speak of."""
        glyph = self.notation.glyphs.get(name) or self.paper[name]
        return glyph.latex.replace("#1", r"\cdot").replace("#2", r"\cdot")

    def definition(self, name: str, formula: str) -> str:
        """`name` may take arguments: P[w], J(X)."""
        left = self.name(name) if NAME.fullmatch(name) else self.formula(name)
        right = self.formula(formula)
        return f"{left} = {right}" if left and right else ""

    def _latex(self, source: str, read: Any, longest: int = LONGEST) -> str:
        if len(source) > longest:
            return ""
        told = self.notation.only(NAME.findall(source)) if self.whole else self.notation
        try:
            return BLOCK.sub(lambda found: BLOCKS[found[1]], to_latex(tidy(read(source), self.halved), told))
        except (KernelError, ValueError, KeyError):
            return ""


def halves(claim: Claim, notation: Notation) -> tuple[str, ...]:
    """The counts of this claim that stand for half of what the paper counts to; a letter of its own is none."""
    letters = {one.name for one in notation.letters if one.takes is None and _within(claim, one.within)}
    told = [one for one in notation.halved if _within(claim, one.within) and one.half not in letters]
    names = set(NAME.findall(" ".join((*claim.says, *claim.given))))
    return tuple(one.half for one in told if one.half in claim.naturals and one.latex not in names)


def _within(claim: Claim, patterns: Sequence[str]) -> bool:
    near = (one for one in patterns if claim.id.startswith(_plain(one)))  # to match takes longer
    return any(fnmatch(claim.id, pattern) for pattern in near)


@cache
def _plain(pattern: str) -> str:
    """What the pattern begins with, up to its first sign."""
    return WILD.split(pattern, maxsplit=1)[0]


def spoken_for(claim: Claim, notation: Notation, halved: tuple[str, ...]) -> Notation:
    """The letters of this claim by their declared kinds, and its halves by what they are half of."""
    kinds = dict(claim.kinds)
    fit = [
        one
        for one in notation.letters
        if (not one.declared or kinds.get(one.name) == one.declared) and _within(claim, one.within)
    ]
    text = " ".join((*claim.says, *claim.given, *(formula for _, formula in claim.where)))
    known = notation.glyphs
    own = {
        one.name: re.split("[_^(]", one.latex)[0]
        for one in fit
        if one.takes and one.name in known and f"{one.name}[" in text
    }
    own |= {one.name: one.latex for one in fit if one.takes is None}
    own |= {name: default_latex(name) for name, _ in claim.where if notation[name].latex.endswith("^2")}
    own |= {one.half: one.latex for one in notation.halved if one.half in halved}
    own |= {name: _bold(notation[name].latex) for name in VECTOR.findall(" ".join(claim.given)) if name not in own}
    glyphs = {name: replace(notation[name], latex=latex) for name, latex in own.items()}
    taking = {(one.name, one.takes): Glyph(one.name, one.latex) for one in fit if one.takes is not None}
    return replace(notation, glyphs={**notation.glyphs, **glyphs}, taking=taking)


def declared(claim: Claim, notation: Notation, paper: Notation) -> Notation:
    """What a claim declares for every size: vectors are bold, a member of a family has its own index, and a quantity
    that depends on samples only is set without them."""
    samples = {name for name, kind in claim.kinds if kind.startswith("history")} | {"S"}
    for name, kind in claim.kinds:
        glyph = notation[name]
        latex = glyph.latex
        if "[nat" in kind or "[t]" in dict(claim.where).get(f"{name}[t]", ""):
            latex = re.sub(r"_t$|_\{t\}$", "", latex)
        if kind.startswith(("vector", "matrix")) and not BOLD.match(latex) and paper[name].kind not in SET:
            latex = _bold(latex)
        random = kind.endswith("]") and kind[kind.index("[") + 1 : -1].split(", ")[-1] in samples
        square = "matrix" if kind.startswith(SQUARE) and not kind.endswith("]") else glyph.kind
        made = replace(glyph, latex=latex, kind="random" if random else square)
        notation = replace(notation, glyphs={**notation.glyphs, name: made})
    return _again(_families(claim, notation), paper)


def numbers(claim: Claim, told: Notation, paper: Notation) -> Notation:
    """A letter that is bold in the paper and a number in this claim is not bold here, unless it looked like another."""
    if claim.kinds:
        return told
    taken = {glyph.latex for glyph in told.glyphs.values()}
    plain = {
        name: replace(glyph, latex=name)
        for name, glyph in told.glyphs.items()
        if len(name) == 1 and glyph.kind == "real" and glyph.latex == paper[name].latex != name and name not in taken
        if glyph.latex.startswith(r"\mathbf")
    }
    return replace(told, glyphs={**told.glyphs, **plain})


def _bold(latex: str) -> str:
    """The letter is bold, its scripts are not: x_0 becomes bold x with the index 0."""
    base = re.split("[_^]", latex, maxsplit=1)[0]
    scripts = latex[len(base) :]
    word = re.fullmatch(r"\\math(?:rm|tt)\{(\w+)\}", base)
    return (rf"\mathbf{{{word[1]}}}" if word else rf"\boldsymbol{{{base}}}") + scripts


def _again(notation: Notation, paper: Notation) -> Notation:
    """A name that was spelled because another one was set like it, set by the paper's letter where that is free now."""
    taken = {glyph.latex for glyph in notation.glyphs.values()}
    free = {name: paper[name].latex for name, glyph in notation.glyphs.items() if glyph.latex == spelled(name)}
    freed = {n: replace(notation[n], latex=latex) for n, latex in free.items() if latex not in taken}
    return replace(notation, glyphs={**notation.glyphs, **freed})


def _families(claim: Claim, notation: Notation) -> Notation:
    """C[t] = ... defines a family: the index that the paper writes with its letter is its own; x[t, h] is set without
    the sample h, and a sample is called by its own letter."""
    samples = set(SAMPLE.findall(" ".join((*claim.says, *claim.given, *(formula for _, formula in claim.where)))))
    changed = {name: replace(notation[name], latex=name) for name in samples if name in notation.glyphs}
    for name, _ in claim.where:
        base, bracket, inner = name.partition("[")
        if bracket:
            latex = re.sub(r"_t$|_\{t\}$", "", notation[base].latex)
            random = inner.rstrip("]").split(", ")[-1] in samples
            changed[base] = replace(notation[base], latex=latex, kind="random" if random else notation[base].kind)
    return replace(notation, glyphs={**notation.glyphs, **changed})


def told_of(claim: Claim, notation: Notation) -> Told:
    """The claim in its notation; where that cannot be found, each formula by itself."""
    try:
        halved = halves(claim, notation)
        paper = spoken_for(claim, notation, halved)
        own = numbers(claim, claim_notation(claim, paper), notation)
        return Told(declared(claim, own, paper), halved=halved, paper=paper)
    except (KernelError, ValueError, KeyError):
        return Told(notation, whole=True)
