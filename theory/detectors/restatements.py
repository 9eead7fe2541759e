r"""Restatements: a formula that is printed twice, the second time with another constant, factor, sign or index.

Equations for one name are compared all over the paper; a bound is compared with what its own proof ends in, and with
what a step that credits it takes from it. Right sides that are equal by arithmetic (3 times 320 and 960) are one, and
so are right sides in which one name has another name throughout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from theory.detectors.citations import CREDIT, LETTER, REF
from theory.detectors.formula import TOP, chains, normal, rows_of, shown, term
from theory.detectors.latex import latex_of
from theory.detectors.scan import flat, formulas, home, name_of
from theory.detectors.text import Block, Text
from theory.detectors.value import same
from theory.project import Project
from theory.reading.errata import Finding, Severity
from theory.reading.latex.atoms import Atom, Atoms

NEAR, RECURSIVE, LONGER, LONG, SHORT = 0.8, 0.7, 0.6, 12, 5
EQUAL = frozenset(["=", ":=", "∈"])
UPPER = frozenset(["=", "<=", "<", "<<", ":=", "≲", "∈"])


@dataclass(frozen=True)
class Line:
    """A side of a relation, with a side before it."""

    block: Block
    left: Atoms
    right: Atoms
    sign: str

    @property
    def key(self) -> str:
        return normal(self.left)

    @property
    def recursive(self) -> bool:
        """The name on the left occurs on the right."""
        name = name_of(self.left[0]) if self.left else None
        return name is not None and any(one.key == name.key for atom in flat(self.right) if (one := name_of(atom)))


def restatements(project: Project, text: Text) -> Iterator[Finding]:
    every = list(lines(text))
    told: set[tuple[str, str]] = set()
    for one, other in (*equations(every), *proofs(project, every), *uses(project, text, every)):
        places = (other.block.where, one.key)
        if places not in told:
            told.add(places)
            yield _differs(one, other)
    yield from left_sides(every)
    yield from outer_products(text)


def lines(text: Text) -> Iterator[Line]:
    """Each side of a chain of equations and upper bounds with each side before it."""
    for block in text.blocks:
        for chain in (chain for latex in formulas(block) for chain in chains(latex)):
            for first in range(len(chain.signs)):
                for at in range(first, len(chain.signs)):
                    signs = chain.signs[first : at + 1]
                    if all(one in UPPER for one in signs) and chain.parts[first] and chain.parts[at + 1]:
                        sign = next((one for one in signs if one not in EQUAL), signs[0])
                        yield Line(block, chain.parts[first], chain.parts[at + 1], sign)


# --- what is compared -------------------------------------------------------------------------------------------------


def equations(every: list[Line]) -> Iterator[tuple[Line, Line]]:
    """Two equations for one name, one edit apart, or two recursions that nearly agree."""
    for group in _groups(one for one in every if one.sign in EQUAL and _telling(one.left)):
        for at, one in enumerate(group):
            for other in group[at + 1 :]:
                if other.block is not one.block and not _agrees(one, other, group) and _alike(one, other):
                    yield one, other


def _alike(one: Line, other: Line) -> bool:
    size = min(len(tokens(one.right)), len(tokens(other.right)))
    lone = len(one.left) == 1 or (len(one.left) == 2 and one.left[1].kind == "fence")
    if not lone or size < SHORT:
        return False
    if one.recursive and other.recursive and size >= LONG:
        return likeness(one.right, other.right) >= RECURSIVE
    close = len(edits(one.right, other.right)) == 1 and likeness(one.right, other.right) >= NEAR
    return close or (_longer(one, other) and likeness(one.right, other.right) >= LONGER)


def _longer(one: Line, other: Line) -> bool:
    """The one is the other with a factor or a term more."""
    return len({edit[0] for edit in edits(one.right, other.right)} & {"insert", "delete", "replace"}) == 1 and all(
        edit[0] != "replace" for edit in edits(one.right, other.right)
    )


def proofs(project: Project, every: list[Line]) -> Iterator[tuple[Line, Line]]:
    """A statement's bound, and the same one edit apart in its own proof."""
    owners = {int(d.proof.removeprefix("proof@")): d.statement for d in project.paper.displays if d.proof}
    lines_of = {one.id: one.first_line for one in project.paper.statements}
    for group in _groups(one for one in every if one.block.statement >= 0 or one.block.proof >= 0):
        for one in (line for line in group if line.block.statement >= 0 and line.block.proof < 0):
            for other in (
                line for line in group if lines_of.get(owners.get(line.block.proof, "")) == one.block.statement
            ):
                if _one_edit(one.right, other.right) and not _agrees(one, other, group):
                    yield one, other


def _one_edit(one: Atoms, other: Atoms) -> bool:
    """One edit apart; in a short formula the edit is a power or an index that one of them has not."""
    found = edits(one, other)
    if len(found) != 1 or min(len(tokens(one)), len(tokens(other))) < 2:
        return False
    (_, i, j, k, m) = found[0]
    script = [*tokens(one)[i:j], *tokens(other)[k:m]]
    more = found[0][0] in ("insert", "delete") and all(token[0] in "_^" for token in script)
    return more or (min(len(tokens(one)), len(tokens(other))) >= SHORT and likeness(one, other) >= NEAR)


def uses(project: Project, text: Text, every: list[Line]) -> Iterator[tuple[Line, Line]]:
    """A step that credits a statement: what it takes from it, beside what the statement says."""
    starts = {one.label: one.first_line for one in project.paper.statements if one.label}
    for at, block in enumerate(text.blocks):
        for label in _credits(text, at) if block.display else ():
            given = [one for one in every if one.block.statement == starts.get(label, 0) and one.block.proof < 0]
            taken = [one for one in every if one.block is block]
            inside = "".join(normal(line.left + line.right) for line in taken)
            yield from _taken([one for one in given if one.key in inside], taken)


def _credits(text: Text, at: int) -> list[str]:
    """Statements that a display credits: in the words before it, or behind the letters over its signs."""
    before = CREDIT.search(text.blocks[at - 1].latex.strip()) if at and not text.blocks[at - 1].display else None
    found = [before[1]] if before is not None else []
    after = text.blocks[at + 1] if at + 1 < len(text.blocks) else None
    if after is not None and not after.display and home(after) == home(text.blocks[at]):
        for sentence in after.latex.split(". "):
            found += REF.findall(sentence) if LETTER.search(sentence) else []
    return found


def _taken(given: list[Line], taken: list[Line]) -> Iterator[tuple[Line, Line]]:
    """The summands of the statement's right side: each is in the step, or nothing like it is."""
    have = {normal(part): part for line in taken for part in summands(line.right)}
    for one in given:
        if any(_equal(one.right, line.right) for line in taken):
            return
        for part in summands(one.right):
            if len(tokens(part)) < LONG or any(_equal(part, other) for other in have.values()):
                continue
            near = max(have.values(), key=lambda other: likeness(part, other), default=())
            if near and likeness(part, near) >= NEAR and not renamed(part, near):
                line = next(line for line in taken if near in summands(line.right))
                yield Line(one.block, one.left, part, one.sign), Line(line.block, one.left, near, one.sign)


def summands(part: Atoms) -> list[Atoms]:
    found: list[Atoms] = [()]
    for atom in part:
        if atom.kind == "sign" and atom.name in ("+", "-"):
            found.append(())
        else:
            found[-1] += (atom,)
    return [one for one in found if one]


# --- how it is compared -----------------------------------------------------------------------------------------------


def _groups(every: Iterator[Line]) -> list[list[Line]]:
    found: dict[str, list[Line]] = {}
    for one in every:
        found.setdefault(one.key, []).append(one)
    return list(found.values())


def _telling(left: Atoms) -> bool:
    """A left side that names something: a letter alone may be chosen anew in each section."""
    return len(left) > 1 or (name_of(left[0]) is not None and len(shown(left[0])) > 2 and not left[0].bare)


def _agrees(one: Line, other: Line, group: list[Line]) -> bool:
    """One display has the form of the other too, or the two are one up to a name."""
    here = [line.right for line in group if line.block is other.block]
    there = [line.right for line in group if line.block is one.block]
    equal = any(_equal(one.right, right) for right in here) or any(_equal(other.right, right) for right in there)
    return equal or renamed(one.right, other.right)


def renamed(one: Atoms, other: Atoms) -> bool:
    """The same formula with other names, each for one throughout."""
    a, b = ([shown(replace(atom, sup=None)) for atom in flat(part) if atom.kind == "letter"] for part in (one, other))
    plain = [[normal(x.sup or ()) if x.kind == "letter" else x.name for x in flat(part)] for part in (one, other)]
    if len(a) != len(b) or plain[0] != plain[1]:
        return False
    pairs = {(x, y) for x, y in zip(a, b, strict=True) if x != y}
    return len({x for x, _ in pairs}) == len({y for _, y in pairs}) == len(pairs) and not {x for x, _ in pairs} & set(b)


def _equal(one: Atoms, other: Atoms) -> bool:
    return normal(one) == normal(other) or same(term(one), term(other))


def tokens(part: Atoms) -> list[str]:
    found: list[str] = []
    for atom in flat(part):
        found.append(atom.name)
        found += [f"_{normal(atom.sub)}"] if atom.sub is not None else []
        found += [f"^{normal(atom.sup)}"] if atom.sup is not None else []
    return found


def likeness(one: Atoms, other: Atoms) -> float:
    return SequenceMatcher(None, tokens(one), tokens(other), autojunk=False).ratio()


def edits(one: Atoms, other: Atoms) -> list[tuple[str, int, int, int, int]]:
    found = SequenceMatcher(None, tokens(one), tokens(other), autojunk=False).get_opcodes()
    return [edit for edit in found if edit[0] != "equal"]


def _differs(one: Line, other: Line) -> Finding:
    left = latex_of(one.left)
    a, b = tokens(one.right), tokens(other.right)
    changed = [t for _, i, j, k, m in edits(one.right, other.right) for t in (*a[i:j], *b[k:m])]
    indices = all(re.fullmatch(r"_.*|\^.*|\d+|\\top", token) for token in changed)
    severity = Severity.PEN if indices else Severity.CONSTANT
    printed, first = (f"{left} {_sign(x.sign)} {latex_of(x.right)}" for x in (other, one))
    words = f"Line {one.block.line} ({one.block.where}) has another right side for ${left}$: ${first}$."
    return Finding("restatements", "right-side", other.block.where, other.block.line, severity, words, printed)


def _sign(sign: str) -> str:
    return {"<=": r"\leq", "<<": r"\preceq", ":=": "=", "≲": r"\lesssim", "∈": r"\in"}.get(sign, sign)


# --- left sides and outer products ------------------------------------------------------------------------------------


def left_sides(every: list[Line]) -> Iterator[Finding]:
    """E |v|_H^2 = X here and E |v|_Sigma^2 = X there."""
    groups: dict[str, list[Line]] = {}
    for one in every:
        if one.sign in EQUAL and len(tokens(one.right)) >= LONG:
            groups.setdefault(normal(one.right), []).append(one)
    for group in groups.values():
        first = group[0]
        for other in group[1:]:
            far = other.block.where != first.block.where and other.key != first.key
            if far and len(tokens(first.left)) > 2 and likeness(first.left, other.left) >= LONGER:
                a, b = latex_of(first.left), latex_of(other.left)
                words = f"The same right side belongs to ${a}$ on line {first.block.line} and to ${b}$ here."
                yield Finding(
                    "restatements", "left-side", other.block.where, other.block.line, Severity.PEN, words, b, a
                )


def outer_products(text: Text) -> Iterator[Finding]:
    """(u)(v)^T, where u and v are meant to be the same and differ in a sign or a factor."""
    for block in text.blocks:
        for row in (row for latex in formulas(block) for row in rows_of(latex)):
            for listed in (row, *(arg for atom in flat(row) for arg in atom.args)):
                for one, other in pairwise(listed):
                    yield from _product(block, one, other)


def _product(block: Block, one: Atom, other: Atom) -> Iterator[Finding]:
    twice = one.kind == other.kind == "fence" and one.name == other.name == "(" and other.sup == (TOP,) and one.bare
    if not twice:
        return
    a, b = one.args[0], other.args[0]
    if len(tokens(a)) >= LONG and likeness(a, b) >= NEAR and not _equal(a, b):
        words = "The two factors of an outer product differ; they should be the same."
        better = f"({latex_of(a)})({latex_of(a)})^{{\\top}}"
        yield Finding(
            "restatements",
            "outer-product",
            block.where,
            block.line,
            Severity.PEN,
            words,
            latex_of((one, other)),
            better,
        )
