r"""Scaling homogeneity: both sides of a true formula scale alike when the units of the data are changed.

Reads the LaTeX of every display and of the formulas between them. A dropped or stray factor makes two parts that are
added or compared scale differently, and is found without any proof. Weights come from the paper's symbols file
(`weight`); what it does not know, or what cannot be read, fits everywhere.
A formula that passes may still be false; one that fails is wrong in its units, or hides them (O-notation, L = 1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from theory.claims.symbols import Convention, Scaling, Weight, read_scaling
from theory.detectors.formula import Chain, chain_of, chains
from theory.detectors.scales import Clash, Scales
from theory.detectors.text import Block, Text
from theory.detectors.weights import Weights
from theory.project import Project
from theory.reading.errata import Finding, Severity
from theory.reading.latex.atoms import Unreadable, atoms

# $A$ is lower bounded by $B$: a relation whose sign is a word
IN_WORDS = re.compile(
    r"\$([^$]+)\$\s+(?:is|are|be)\s+(?:lower|upper)?\s*bounded\s+(?:from\s+)?(?:above|below)?\s*by\s+\$([^$]+)\$"
)
INLINE = re.compile(r"\$([^$]+)\$")


@dataclass(frozen=True)
class Misfit:
    """Two parts of a relation that must scale alike and do not."""

    where: str  # a display, or line:LINE
    line: int
    relation: int  # position of the relation within the display or the words, from 1
    clash: Clash
    factor: str  # what the right part must be multiplied by, in LaTeX; "" when the units cannot say it

    @property
    def words(self) -> str:
        lacks = f"; the former lacks the factor ${self.factor}$" if self.factor else ""
        return f"${self.clash.right.latex}$ and ${self.clash.left.latex}$ scale differently{lacks}."


def homogeneity(project: Project, text: Text) -> Iterator[Finding]:
    """One finding a relation; units that are hidden on purpose look like slips, so that people have to decide."""
    seen: set[tuple[str, int]] = set()
    for one in misfits(project, text):
        if (one.where, one.relation) not in seen:
            seen.add((one.where, one.relation))
            yield Finding("homogeneity", "units", one.where, one.line, Severity.PEN, one.words, sure=False)


def misfits(project: Project, text: Text) -> Iterator[Misfit]:
    """Every clash of every formula, in the order of the paper."""
    if not any(one.weight for one in project.symbols.values()):
        return  # a paper that gives no weights has no units to mix
    scaling = read_scaling(project.file("symbols"))
    table, places = Weights(project.symbols.values()), Sections(project, text)
    for block in text.blocks:
        for at, (line, chain) in enumerate(relations(block), start=1):
            convention = scaling.convention(line)
            reader = Scales(table, places.of(block), convention)
            reader.chain(chain)
            for clash in dict.fromkeys(reader.clashes):
                factor = missing(clash, scaling, project, convention)
                yield Misfit(block.display or f"line:{line}", line, at, clash, factor)


def relations(block: Block) -> Iterator[tuple[int, Chain]]:
    """The relations of a display, or of the formulas in words, each with its line."""
    if block.display:
        yield from ((block.line, chain) for chain in chains(block.latex))
        return
    for found in INLINE.finditer(block.latex):
        line = block.line + block.latex.count("\n", 0, found.start())
        yield from ((line, chain) for chain in chains(found[1]))
    for found in IN_WORDS.finditer(block.latex):
        try:
            said = chain_of(atoms(rf"{found[1]}\lesssim {found[2]}"))
        except Unreadable:
            continue
        if said is not None:
            yield block.line + block.latex.count("\n", 0, found.start()), said


class Sections:
    """The section that a block stands in: its own, its statement's, or that of the next display below the heading."""

    def __init__(self, project: Project, text: Text) -> None:
        self.displays = {one.id: one.section for one in project.paper.displays}
        self.statements = [(one.first_line, one.last_line, one.section) for one in project.paper.statements]
        self.below: dict[int, list[tuple[int, str]]] = {}
        for block in text.blocks:
            if block.display in self.displays:
                self.below.setdefault(block.section, []).append((block.line, self.displays[block.display]))

    def of(self, block: Block) -> str:
        if block.display in self.displays:
            return self.displays[block.display]
        inside = [section for first, last, section in self.statements if first <= block.line <= last]
        near = self.below.get(block.section, [])
        return next(iter([*inside, *(s for line, s in near if line >= block.line), *(s for _, s in near[-1:])]), "")


def missing(clash: Clash, scaling: Scaling, project: Project, convention: Convention) -> str:
    """The factor that the right part lacks, as a product of powers of the paper's units."""
    needed = clash.left.weight - clash.right.weight
    units = [project.symbols[name] for name in scaling.units]
    if len(units) != len(scaling.scales) or any(scale not in scaling.scales for scale, _ in needed.powers):
        return ""
    rows = [[_exact(one.weight_in(convention), scale) for one in units] for scale in scaling.scales]
    powers = fmpq_mat(rows).solve(fmpq_mat([[_exact(needed, scale)] for scale in scaling.scales]))
    return "".join(_power(one.latex, powers[at, 0]) for at, one in enumerate(units)).strip()


def _exact(weight: Weight, scale: str) -> fmpq:
    return fmpq(weight[scale].numerator, weight[scale].denominator)


def _power(latex: str, exponent: fmpq) -> str:
    if exponent == 0:
        return ""
    return f"{latex} " if exponent == 1 else f"{latex}^{{{exponent}}}"


__all__ = ["Misfit", "homogeneity", "misfits"]
