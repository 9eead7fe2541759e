r"""Names: undefined, used before they are defined, bound twice, given a value twice, declared under another letter.

Introduction is read leniently (any sentence that says let, denote, where, for all, …), so that what is reported as
unknown is unknown.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Set

from theory.detectors.formula import Chain, Term, chains, normal, rows_of, shown
from theory.detectors.latex import latex_of, latex_of_chain
from theory.detectors.scan import INLINE, Name, defines, flat, formulas, home, inlines, introduced, name_of, names
from theory.detectors.symbols import Table
from theory.detectors.text import Block, Text
from theory.project import Project
from theory.reading.errata import Finding, Severity
from theory.reading.latex.atoms import Atom
from theory.reading.latex.outline import tidy
from theory.reading.paper import ASSERT_NOTHING

RARE, OFTEN = 3, 8
WORD = re.compile(r"(?<![\\\w{])[^\W\d_]{2,}")
FREQUENT = re.compile(r"the|of|and|we|is|that|let|for|with|if|then|are|be|by|this|it", re.IGNORECASE)
DEFINED_AS = re.compile(r"\$([^$]+)\$\s+(?:is|are)\s+defined\s+as\s*(?:follows)?\s*:?\s*$")
DEFINE = re.compile(r"\b(?:Define|Let|define|denote)\b(?:(?!Recall)[^.])*$")
OF_ITSELF = re.compile(r"\$([^$]+)\$\s+(?:is|denotes)\s+the\b[^$.]*(?:\$[^$]*\$[^$.]*)?\bof\s+\$([^$]+)\$")


def names_(project: Project, text: Text) -> Iterator[Finding]:
    yield from bound_twice(text)
    yield from valued_twice(text)
    yield from meanings(project, text)
    yield from samples(text)
    if text.worded:
        assumed = {one.first_line for one in project.paper.statements if one.kind in ASSERT_NOTHING}
        yield from unknown(text, assumed)
        yield from defined_twice(text)
        yield from accents(text)
        yield from renamed(text)
        yield from announced(text)


# --- in one formula ---------------------------------------------------------------------------------------------------


def bound_twice(text: Text) -> Iterator[Finding]:
    """A sum inside of a sum with the same index."""
    for block in text.blocks:
        for chain in (chain for latex in formulas(block) for chain in chains(latex)):
            every = (i for side in chain.sides for one in side.walk() for i in _again(one))
            for index in dict.fromkeys(every):
                words = (
                    f"The index ${index}$ is bound twice: a sum over ${index}$ stands inside of a sum over ${index}$."
                )
                yield Finding(
                    "names", "bound-twice", block.where, block.line, Severity.PEN, words, latex_of_chain(chain)
                )


def _again(one: Term) -> Iterator[str]:
    if one.op == "bind":
        inner = {index for part in one.args for term in part.walk() if term.op == "bind" for index in term.bound}
        yield from (index for index in one.bound if index in inner)


def valued_twice(text: Text) -> Iterator[Finding]:
    """One name with two values in one display."""
    for block in (one for one in text.blocks if one.display):
        values: dict[str, list[Chain]] = defaultdict(list)
        for chain in chains(block.latex):
            lone = len(chain.parts[0]) == 1 or (len(chain.parts[0]) == 2 and chain.parts[0][1].kind == "fence")
            if chain.signs[:1] in (("=",), (":=",)) and lone and name_of(chain.parts[0][0]) is not None:
                values[normal(chain.parts[0])].append(chain)
        for many in values.values():
            if len({normal(chain.parts[1]) for chain in many}) > 1:
                printed = latex_of(many[0].parts[0])
                words = f"${printed}$ is given two values in one display; one of them must be another name."
                shows = r",\quad ".join(f"{printed}={latex_of(chain.parts[1])}" for chain in many)
                yield Finding("names", "two-values", block.where, block.line, Severity.PEN, words, shows)


def defined_twice(text: Text) -> Iterator[Finding]:
    """Define … before a display that was defined with the same words before."""
    seen: dict[tuple[str, str], int] = {}
    for before, block in zip(text.blocks, text.blocks[1:], strict=False):
        for chain in chains(block.latex) if block.display and DEFINE.search(before.latex.strip()) else ():
            if chain.signs[:1] in (("=",), (":=",)):
                key = normal(chain.parts[0]), normal(chain.parts[1])
                if key in seen:
                    printed = latex_of_chain(chain)
                    words = f"${latex_of(chain.parts[0])}$ is defined a second time, as on line {seen[key]}."
                    yield Finding("names", "defined-twice", block.where, block.line, Severity.PEDANTIC, words, printed)
                seen.setdefault(key, block.line)


def samples(text: Text) -> Iterator[Finding]:
    """A mean over a letter that occurs nowhere else, while the same letter in another alphabet does."""
    for block in text.blocks:
        for row in (row for latex in formulas(block) for row in rows_of(latex)):
            every = list(flat(row, True))
            count = Counter(atom.name for atom in every)
            for mean in (atom for atom in every if atom.name == "bb:E"):
                for one in mean.sub or ():
                    bold = f"bold:{one.name}"
                    if one.kind == "letter" and len(one.name) == 1 and count[one.name] == 1 and count[bold]:
                        yield _sample(block, mean, one)


def _sample(block: Block, mean: Atom, one: Atom) -> Finding:
    printed, bold = latex_of((mean,)), rf"\mathbf{{{one.name}}}"
    words = f"The mean is over ${one.name}$, which does not occur; ${bold}$ is meant."
    better = printed.replace(one.name, bold, 1) if printed.count(one.name) == 1 else ""
    return Finding("names", "sample", block.where, block.line, Severity.PEDANTIC, words, printed, better)


# --- over the whole paper ---------------------------------------------------------------------------------------------


def unknown(text: Text, assumed: Set[int] = frozenset()) -> Iterator[Finding]:
    """Names that nothing up to the end of their own section introduces; what is `assumed` of a name introduces it.

    Words are read in English. An abstract speaks of what the sections introduce.
    """
    if not in_english(text):
        return
    given = [introduced(block) | (_named(block) if block.statement in assumed else set()) for block in text.blocks]
    ends = {block.section: at for at, block in enumerate(text.blocks)}
    first = _first(given)
    known: set[str] = set()
    told: set[str] = set()
    for at, block in enumerate(text.blocks):
        known |= given[at]
        if block.section < 0 and len(ends) > 1:
            continue
        soon = set().union(*given[at : ends[block.section] + 1])
        for latex in formulas(block):
            for one in names(latex):
                if one.key not in told and not _is_known(one, known | soon):
                    told.add(one.key)
                    yield _unknown(block, one, latex, first.get(one.key, -1), text)


def _named(block: Block) -> set[str]:
    return {one.key for latex in formulas(block) for one in names(latex)}


def in_english(text: Text) -> bool:
    """Is every twentieth word one of the most frequent ones of English?"""
    words = [word for block in text.blocks if not block.display for word in WORD.findall(INLINE.sub("", block.latex))]
    return 20 * sum(FREQUENT.fullmatch(word) is not None for word in words) >= len(words)


def _first(given: list[set[str]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for at, keys in enumerate(given):
        for key in keys:
            found.setdefault(key, at)
    return found


def _is_known(one: Name, known: set[str]) -> bool:
    """Itself, what it is the derivative of, what it is a member of; words below or above a letter are its own."""
    plain = one.key.replace("′", "")
    if plain == "e" and one.full.sup:
        return True  # the base of the exponential
    worded = re.search(r"rm:|words:|op\{", one.marks) is not None
    indexed = one.index and (plain.removesuffix("_") in known)
    family = not one.index and f"{plain}_" in known
    return plain in known or worded or bool(indexed) or family


def _unknown(block: Block, one: Name, latex: str, later: int, text: Text) -> Finding:
    printed = latex_of((one.full if one.marks else one.atom,))
    when = f"; it is introduced on line {text.blocks[later].line}" if later >= 0 else ""
    words = f"${printed}$ is used here, but nothing before introduces it{when}."
    held = block.statement >= 0 or block.proof >= 0
    return Finding(
        "names", "undefined", block.where, block.line, Severity.PEN if held else Severity.PEDANTIC, words, _short(latex)
    )


def accents(text: Text) -> Iterator[Finding]:
    """A rare name that is a frequent one without its tilde, hat or bar."""
    counts: Counter[str] = Counter()
    places: dict[str, list[tuple[Block, str, Name]]] = defaultdict(list)
    valued = {one.key for block in text.blocks for latex in formulas(block) for one in defines(latex)}
    for block in text.blocks:
        for latex in formulas(block):
            for one in names(latex):
                counts[one.key] += 1
                places[one.key].append((block, latex, one))
    for key, count in counts.items():
        twins = [f"{accent}:{key}" for accent in ("tilde", "hat", "bar")]
        twin = next((one for one in twins if counts[one] >= OFTEN * count), None)
        marked = re.search(r"[*+]", key) is not None
        if twin is None or not marked or key in valued or count > RARE:
            continue
        for block, latex, one in _once(places[key]):
            printed = latex_of((one.full,))
            words = f"${printed}$ occurs {count} times and is nowhere defined; with an accent over it it is."
            yield Finding("names", "accent", block.where, block.line, Severity.PEN, words, _short(latex))


def _once(places: list[tuple[Block, str, Name]]) -> list[tuple[Block, str, Name]]:
    return list({block.where: (block, latex, one) for block, latex, one in reversed(places)}.values())[::-1]


def renamed(text: Text) -> Iterator[Finding]:
    """A statement declares one letter and uses another that nobody has seen before."""
    seen: set[str] = set()
    blocks = list(text.blocks)
    for at, block in enumerate(blocks):
        if block.statement >= 0 and not block.display and (at == 0 or home(blocks[at - 1]) != home(block)):
            yield from _renamed(blocks[at:], seen)
        seen |= {one.key for latex in formulas(block) for one in names(latex)}


def _renamed(rest: list[Block], seen: set[str]) -> Iterator[Finding]:
    inside = []
    for block in rest:
        if home(block) != home(rest[0]):
            break
        inside.append(block)
    declared = {
        one.key: one
        for latex in inlines(inside[0].latex)
        if not any(chain.signs for chain in chains(_bare(latex)))
        for one in names(_bare(latex))
    }
    used = [one for block in inside for latex in formulas(block) for one in names(latex)]
    count = Counter(one.key for one in used)
    idle = [one for key, one in declared.items() if count[key] == 1 and key not in seen]
    fresh = {one.key: one for one in used if one.key not in declared and one.key not in seen and count[one.key] >= 1}
    fresh = {key: one for key, one in fresh.items() if key not in introduced(inside[0])}
    for one in idle:
        twin = next((other for other in fresh.values() if _alike(one, other)), None)
        if twin is not None:
            wrong, right = latex_of((one.atom,)), latex_of((twin.atom,))
            words = (
                f"The statement declares ${wrong}$, which it never uses, and uses ${right}$, which it never declares."
            )
            shows = [latex for latex in inlines(inside[0].latex) if one.key in {n.key for n in names(_bare(latex))}]
            printed = tidy(shows[0])
            better = printed.replace(wrong, right)
            yield Finding("names", "declared", inside[0].where, inside[0].line, Severity.PEN, words, printed, better)


def _bare(latex: str) -> str:
    """A family {X_t}_{t in N} is declared by its member."""
    found = re.fullmatch(r"\s*\\\{(.*?)(?:\\in\b.*)?\\\}_\{?.*", latex, re.DOTALL)
    return found[1] if found else latex


def _alike(one: Name, other: Name) -> bool:
    return one.letter.split(":")[:-1] == other.letter.split(":")[:-1] and one.index == other.index and one != other


def announced(text: Text) -> Iterator[Finding]:
    """Words announce the definition of one name, and the display defines another; a name is part of itself."""
    for block, following in zip(text.blocks, text.blocks[1:], strict=False):
        if block.display:
            continue
        said = DEFINED_AS.search(block.latex.strip())
        if said is not None and following.display:
            wanted = [one.key for one in names(said[1])]
            got = list(defines(following.latex))
            if got and wanted and got[0].key != wanted[0]:
                right = latex_of((got[0].atom,))
                words = f"The words announce ${said[1]}$, and the display defines ${right}$."
                yield Finding("names", "announced", following.where, block.last, Severity.PEN, words, said[1], right)
        for found in OF_ITSELF.finditer(re.sub(r"\s+", " ", block.latex)):
            if names(found[1]) and normal_of(found[1]) == normal_of(found[2]):
                words = f"${found[1]}$ is explained by itself."
                yield Finding("names", "of-itself", block.where, block.line, Severity.PEN, words, found[0])


def normal_of(latex: str) -> str:
    return "".join(normal(part) for chain in chains(latex) for part in chain.parts)


def meanings(project: Project, text: Text) -> Iterator[Finding]:
    """Names that the symbols file lists more than once, each time with another meaning."""
    lines: dict[str, int] = {}
    wheres: dict[str, str] = {}
    for block in text.blocks:
        for latex in formulas(block):
            for one in flat(tuple(a for chain in chains(latex) for part in chain.parts for a in part)):
                lines.setdefault(shown(one), block.line)
                wheres.setdefault(shown(one), block.where)
    for key, many in Table(project).meanings().items():
        printed = latex_of((many[0].atom,))
        if key not in lines or len({entry.meaning for entry in many}) < 2:
            continue
        listed = "; ".join(dict.fromkeys(entry.meaning for entry in many))
        words = f"${printed}$ has {len(many)} meanings: {listed}."
        yield Finding("names", "meanings", wheres[key], lines[key], Severity.PEDANTIC, words, printed)


def _short(latex: str) -> str:
    return latex if len(latex) <= 400 else latex[:397] + "…"
