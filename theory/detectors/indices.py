r"""Indices: a condition on t before a display in k, w_k where w_t is defined, beta where beta_k is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

from theory.detectors.formula import Chain, chains, normal
from theory.detectors.latex import latex_of, latex_of_chain
from theory.detectors.scan import (
    Name,
    bound,
    defines,
    flat,
    formulas,
    generic,
    index_letters,
    inlines,
    letters,
    name_of,
    names,
)
from theory.detectors.text import Block, Text
from theory.project import Project
from theory.reading.errata import Finding, Severity

FOR = re.compile(r"\bfor\s+(?:all\s+|every\s+|each\s+|any\s+)?\$([^$]+)\$\s*,?\s*:?$")
OTHER_WAY = {"<=": (">",), "<": (">=",), ">": ("<=",), ">=": ("<",)}
NEAR = 4


def indices(project: Project, text: Text) -> Iterator[Finding]:
    yield from conditions(text)
    yield from phases(text)
    yield from strangers(text)
    yield from half_renamed(text)
    yield from dropped(text)


def _condition(latex: str) -> tuple[str, str, str] | None:
    """A lone letter, a sign and a bound."""
    found = chains(latex)
    if len(found) != 1 or len(found[0].signs) != 1 or found[0].signs[0] not in OTHER_WAY:
        return None
    left, right = found[0].parts
    lone = len(left) == 1 and left[0].kind == "letter" and left[0].bare and len(left[0].name) == 1
    return (left[0].name, found[0].signs[0], normal(right)) if lone else None


def conditions(text: Text) -> Iterator[Finding]:
    """Words that end with "for t > T," before a display without t."""
    for block, following in zip(text.blocks, text.blocks[1:], strict=False):
        said = FOR.search(block.latex.strip()) if not block.display and following.display else None
        told = _condition(said[1]) if said is not None else None
        if said is None or told is None or told[0] in letters(following.latex) or not letters(following.latex):
            continue
        used = Counter(
            i for one in names(following.latex) for i in index_letters(one.index) if len(i) == 1 and i.islower()
        )
        likely = used.most_common(1)
        better = said[1].replace(told[0], likely[0][0], 1) if likely else ""
        words = f"The condition is on ${told[0]}$, which does not occur in the display that it is for."
        yield Finding("names", "condition", following.where, block.last, Severity.PEN, words, said[1], better)


def phases(text: Text) -> Iterator[Finding]:
    """Two halves of one range in two letters: k <= K/2 here, t > K/2 there."""
    for block in (one for one in text.blocks if not one.display):
        for paragraph in re.split(r"\n\s*\n", block.latex):
            told = [(latex, found) for latex in inlines(paragraph) if (found := _condition(latex)) is not None]
            for (one, (a, sign, edge)), (other, (b, opposite, same)) in pairwise(told):
                if a != b and edge == same and opposite in OTHER_WAY[sign]:
                    words = f"The two halves of one range are given in two letters, ${one}$ and ${other}$."
                    yield Finding(
                        "names", "halves", block.where, block.line, Severity.PEN, words, other, other.replace(b, a, 1)
                    )


def strangers(text: Text) -> Iterator[Finding]:
    """In a proof a family has one index everywhere, and another once, in a formula that does not know that index."""
    proofs: dict[int, list[Block]] = defaultdict(list)
    for block in text.blocks:
        if block.proof >= 0:
            proofs[block.proof].append(block)
    for blocks in proofs.values():
        yield from _strangers(blocks)


def _strangers(blocks: list[Block]) -> Iterator[Finding]:
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    for block in blocks:
        for latex in formulas(block):
            for one in names(latex):
                uses[one.key].update(index_letters(one.index))
    for block in blocks:
        for chain in (chain for latex in formulas(block) for chain in chains(latex)):
            yield from _stranger(block, chain, uses)


def _stranger(block: Block, chain: Chain, uses: dict[str, Counter[str]]) -> Iterator[Finding]:
    inside = [one for part in chain.parts for atom in flat(part) if (one := name_of(atom)) is not None]
    by_index = [(one, index_letters(one.index)) for one in inside if one.index]
    for one, own in by_index:
        others = frozenset().union(*(index for other, index in by_index if other.key != one.key))
        habit = uses[one.key]
        if len(own) != 1 or not others or own & others or next(iter(own)) in _outside(chain, one):
            continue
        (mine,) = own
        usual = [index for index, count in habit.items() if index in others and count > habit[mine]]
        if habit[mine] == 1 and usual and mine.islower():
            printed = latex_of((one.full,))
            words = f"${printed}$ has the index ${mine}$ here only; in this proof it is ${usual[0]}$ everywhere else."
            yield Finding("names", "index", block.where, block.line, Severity.PEN, words, latex_of_chain(chain))


def _outside(chain: Chain, one: Name) -> set[str]:
    """Letters of the formula that stand on the line, and indices that it binds."""
    plain = {
        atom.name for part in chain.parts for atom in flat(part) if atom.kind == "letter" and atom.name != one.letter
    }
    return plain | {key for part in chain.parts for key in bound(latex_of(part))}


def half_renamed(text: Text) -> Iterator[Finding]:
    """Let delta_n = …, then delta_N …: defined with one index, used at once with another."""
    for at, block in enumerate(text.blocks):
        if block.display:
            continue
        listed = inlines(block.latex)
        for k, latex in enumerate(listed):
            for one in defines(latex):
                if one.index.isalpha() and len(one.index) == 1:
                    yield from _half(text, at, one, latex, listed[k + 1 :])


def _half(text: Text, at: int, one: Name, latex: str, rest: list[str]) -> Iterator[Finding]:
    block = text.blocks[at]
    near = [*rest, *(f for other in text.blocks[at + 1 : at + 1 + NEAR] for f in formulas(other))]
    everywhere = [f for other in text.blocks for f in formulas(other)]
    used = Counter(name.index for f in near for name in _deep(f) if name.key == one.key)
    valued = {name.index for f in everywhere for name in defines(f) if name.key == one.key}
    twin = next((index for index in used if index != one.index and index.lower() == one.index.lower()), None)
    if twin is not None and not used[one.index] and twin not in valued:
        shown, other = latex_of((one.full,)), latex_of((one.atom,)) + f"_{{{twin}}}"
        words = f"${shown}$ is defined and never used; ${other}$ is used at once and never defined."
        yield Finding(
            "names",
            "half-renamed",
            block.where,
            block.line,
            Severity.PEN,
            words,
            latex,
            latex.replace(f"_{one.index}", f"_{twin}"),
        )


def _deep(latex: str) -> Iterator[Name]:
    """Names in scripts too."""
    for chain in chains(latex):
        for part in chain.parts:
            yield from (one for atom in flat(part, True) if (one := name_of(atom)) is not None)


def dropped(text: Text) -> Iterator[Finding]:
    """A name without its index, once or twice in a section in which it has one elsewhere."""
    bare: dict[tuple[int, str], list[tuple[Block, Name, str]]] = defaultdict(list)
    full: Counter[tuple[int, str]] = Counter()
    known: set[str] = set()
    for block in text.blocks:
        for latex in formulas(block):
            known |= {one.key for one in defines(latex)}
            known |= {names(latex)[0].key} if not block.display and len(names(latex)) == 1 else set()
            known |= {one.key for one in names(latex)} if generic(block) else set()
            for one in names(latex):
                if one.index:
                    full[block.section, one.key] += 1
                else:
                    bare[block.section, one.key].append((block, one, latex))
    seen = Counter(key for (_, key), many in bare.items() for _ in many)
    for (section, key), many in bare.items():
        if key in known or len(many) > 2 or seen[key] > 5 or full[section, f"{key}_"] < 2:
            continue
        block, one, latex = many[0]
        printed = latex_of((one.full,))
        words = f"${printed}$ has no index here; everywhere else in this section it has one."
        yield Finding("names", "no-index", block.where, block.line, Severity.PEDANTIC, words, latex[:400])
