r"""Cases: do the cases of a proof, of a statement or of a definition meet where one ends and the next begins?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from theory.detectors.formula import Chain, chains, normal, rows_of
from theory.detectors.latex import latex_of
from theory.detectors.scan import flat, home
from theory.detectors.text import Block, Text
from theory.project import Project
from theory.reading.errata import Finding, Severity
from theory.reading.latex.atoms import Atom, Atoms

ITEM = re.compile(
    r"\\item\s+(?:\\textbf\{[^{}]*\}\s*)?(?:If|When|For|Case)?\s*(?:[a-z]+\s+)?\$([^$]+)\$", re.IGNORECASE
)
CASE = re.compile(r"\b(?:the\s+)?case\s+(?:of\s+|that\s+|where\s+|when\s+)?\$([^$]+)\$", re.IGNORECASE)
UP = {"<=": True, "<": False}
DOWN = {">=": True, ">": False}


@dataclass(frozen=True)
class Case:
    """A range of one quantity: its ends as they are printed, and whether they belong to it; None: no end."""

    name: str
    low: str | None
    low_in: bool
    high: str | None
    high_in: bool
    block: Block
    latex: str
    ends: tuple[tuple[str, str], ...] = ()  # normal form, LaTeX


def cases(project: Project, text: Text) -> Iterator[Finding]:
    yield from _grouped(_listed(text))
    for block in text.blocks:
        for row in rows_of(block.latex) if block.display else ():
            for atom in flat(row):
                if atom.kind == "table" and atom.name == "cases" and set(atom.rows) == {2}:
                    found = [case for cell in atom.args[1::2] for case in _of_cell(cell, block)]
                    if len(found) == len(atom.rows):
                        yield from _grouped({(block.line, 0): found})


def _listed(text: Text) -> dict[tuple[int, int], list[Case]]:
    """Items of one list, and what is called a case, in one statement or proof."""
    groups: dict[tuple[int, int], list[Case]] = defaultdict(list)
    for block in (one for one in text.blocks if not one.display and home(one) != (-1, -1)):
        for pattern in (ITEM, CASE):
            for latex in pattern.findall(block.latex):
                groups[home(block)] += _of(latex, block)
    return groups


def _of(latex: str, block: Block) -> list[Case]:
    return [case for chain in chains(latex) if (case := _case(chain, block, latex)) is not None]


def _of_cell(cell: Atoms, block: Block) -> list[Case]:
    plain = tuple(atom for atom in cell if not (atom.kind == "sign" and atom.name in (".", ",")))
    return _of(latex_of(plain), block)


def _case(chain: Chain, block: Block, latex: str) -> Case | None:
    lone = [at for at, part in enumerate(chain.parts) if _is_variable(part)]
    printed = tuple((normal(part), latex_of(part)) for part in chain.parts)
    if len(chain.signs) == 1 and 0 in lone:
        edge, sign = normal(chain.parts[1]), chain.signs[0]
        size = _absolute(chain.parts[0][0])
        if size is not None and sign in UP:
            more = (("-" + edge, "-" + latex_of(chain.parts[1])),)
            return Case(size, "-" + edge, UP[sign], edge, UP[sign], block, latex, (*printed, *more))
        name = normal(chain.parts[0])
        if sign in UP:
            return Case(name, None, False, edge, UP[sign], block, latex, printed)
        if sign in DOWN:
            return Case(name, edge, DOWN[sign], None, False, block, latex, printed)
        return Case(name, edge, True, edge, True, block, latex, printed) if sign == "=" else None
    if len(chain.signs) == 2 and 1 in lone and all(sign in UP for sign in chain.signs):
        low, name, high = map(normal, chain.parts)
        return Case(name, low, UP[chain.signs[0]], high, UP[chain.signs[1]], block, latex, printed)
    return None


def _is_variable(part: Atoms) -> bool:
    return len(part) == 1 and (part[0].kind == "letter" or _absolute(part[0]) is not None)


def _absolute(atom: Atom) -> str | None:
    return normal(atom.args[0]) if atom.kind == "fence" and atom.name in ("|", "||") and atom.bare else None


def _grouped(groups: dict[tuple[int, int], list[Case]]) -> Iterator[Finding]:
    for group in groups.values():
        by_name: dict[str, list[Case]] = defaultdict(list)
        for case in dict.fromkeys(group):
            by_name[case.name].append(case)
        for many in by_name.values():
            if len(many) >= 2:
                yield from gaps(many)


def gaps(many: list[Case]) -> Iterator[Finding]:
    """Ends at which no other case begins, and points between two cases that belong to neither."""
    for one in many:
        if one.high is None or _whole(one.high, many):
            continue
        after = [other for other in many if other is not one and other.low == one.high]
        held = [other for other in many if other.high == one.high and other.high_in]
        if after and not held and not any(other.low_in for other in after):
            yield _missing(one, after[0])
        elif not after and not _covered(one, many):
            loose = [other for other in many if other.low is not None and not any(x.high == other.low for x in many)]
            if loose and loose[0] is not one:
                yield _apart(one, loose[0])


def _covered(one: Case, many: list[Case]) -> bool:
    """Another case goes at least as far: without an end, or as far down and further up."""
    return any(other is not one and other.high is None and other.low is None for other in many)


def _whole(edge: str, many: list[Case]) -> bool:
    """Whole numbers: after k = 0 comes k >= 1."""
    return edge.isdigit() and any(other.low in (str(int(edge) + 1), edge) for other in many)


def _missing(one: Case, other: Case) -> Finding:
    edge = dict(one.ends)[one.high or ""]
    name = latex_of_name(one)
    words = f"No case covers ${name}={edge}$: one case is ${one.latex}$, the next ${other.latex}$."
    better = re.sub(r"<|>", lambda m: {"<": r"\leq ", ">": r"\geq "}[m[0]], other.latex, count=1)
    return Finding("cases", "gap", other.block.where, other.block.line, Severity.PEN, words, other.latex, better)


def _apart(one: Case, other: Case) -> Finding:
    words = f"The cases do not meet: one is ${one.latex}$, the other ${other.latex}$."
    return Finding(
        "cases", "apart", one.block.where, one.block.line, Severity.PEN, words, f"{one.latex},\\quad {other.latex}"
    )


def latex_of_name(one: Case) -> str:
    return next((shown for text, shown in one.ends if text == one.name), one.name)
