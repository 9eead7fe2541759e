r"""Means: something random that stands outside of a conditional mean, and a full mean among conditional ones.

In a proof with E_{k-1} whatever has the index k inside of such a mean is random given the past; a relation between
such means has it nowhere else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from theory.detectors.formula import Chain, Term, chains, normal
from theory.detectors.latex import latex_of, latex_of_chain
from theory.detectors.scan import Name, formulas, home, name_of
from theory.detectors.text import Block, Text
from theory.project import Project
from theory.reading.errata import Finding, Severity

PAST = re.compile(r"([A-Za-z])-1")


def means(project: Project, text: Text) -> Iterator[Finding]:
    held: dict[tuple[int, int], set[tuple[str, str]]] = defaultdict(set)
    every = [(block, chain) for block in text.blocks for latex in formulas(block) for chain in chains(latex)]
    for block, chain in every:
        held[home(block)] |= set(_held(chain))
    for block, chain in every:
        if held[home(block)] and chain.signs:
            yield from _outside(block, chain, held[home(block)])
            yield from _full(block, chain, held[home(block)])


def _held(chain: Chain) -> Iterator[tuple[str, str]]:
    """Vectors with the index k inside of a mean E_{k-1}: their names, and k."""
    for one, past in _names(chain):
        if past and one.letter.split(":")[-2:-1] == ["bold"] and one.index == past:
            yield one.key, past


def _names(chain: Chain) -> Iterator[tuple[Name, str]]:
    """Each name with the letter k of the conditional mean that it stands in, "E" in a full mean, "" in none."""
    for side in chain.sides:
        yield from _walk(side, "")


def _walk(one: Term, inside: str) -> Iterator[tuple[Name, str]]:
    name = name_of(one.atom) if one.atom is not None and one.op in ("name", "call") else None
    if name is not None:
        yield name, inside
    for arg in one.args:
        yield from _walk(arg, _letter(one) or inside)


def _letter(one: Term) -> str:
    if one.op != "call" or one.text != "E" or one.atom is None:
        return ""
    past = PAST.fullmatch(normal(one.atom.sub or ()))
    return past[1] if past is not None else "E"


def _outside(block: Block, chain: Chain, held: set[tuple[str, str]]) -> Iterator[Finding]:
    """A relation with a mean given the past, and beside it something of this step."""
    used = {_letter(one) for side in chain.sides for one in side.walk()}
    loose = {latex_of((n.full,)): n for n, inside in _names(chain) if not inside and (n.key, n.index) in held}
    for printed, name in loose.items():
        if name.index in used:
            words = (
                f"${printed}$ is random given the past and stands outside of every mean; "
                "the other side is a mean given the past."
            )
            at = latex_of_chain(chain)
            yield Finding("means", "outside-mean", block.where, block.line, Severity.PEN, words, at)


def _full(block: Block, chain: Chain, held: set[tuple[str, str]]) -> Iterator[Finding]:
    """A full mean in a relation that also has a mean given the past, or that has something random outside of means."""
    used = {_letter(one) for side in chain.sides for one in side.walk()}
    inside = [(n.key, n.index) for n, where in _names(chain) if where == "E"]
    loose = [n for n, where in _names(chain) if not where and PAST.fullmatch(n.index)]
    mixed = "E" in used and any(len(one) == 1 and one != "E" for one in used)
    if mixed or (loose and any(one in held for one in inside)):
        words = "A full mean stands among means given the past; one of the two is meant throughout."
        yield Finding("means", "full-mean", block.where, block.line, Severity.PEN, words, latex_of_chain(chain))
