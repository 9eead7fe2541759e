r"""Kinds and sizes: a matrix added to one of another size, a column times a column, an operator on the wrong space.

Sizes come from the paper's symbols file and from the form of a formula; what is not known fits everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from theory.detectors.formula import Chain, Term, chains, normal
from theory.detectors.latex import latex_of, latex_of_chain
from theory.detectors.scan import inlines, sentences
from theory.detectors.symbols import ANY, NUMBER, Size, Table
from theory.detectors.text import Block, Text
from theory.project import Project
from theory.reading.errata import Finding, Severity
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms

ON_SPACE = re.compile(r"operators?\s+(?:\w+\s+)?(?:acts?\s+)?on\s+\$\\mathbb\{?R\}?\^\{([^{}]+)\}\$")
DOUBLE = {"1": "2", "d": "2d"}
SCALARS = frozenset(["log", "exp", "sin", "cos", "tan", "sqrt", "op{exp}", "op{log}", "op{sin}", "op{cos}", "op{tan}"])


@dataclass
class Clash(Exception):
    """Two parts that do not fit."""

    words: str
    parts: tuple[str, ...] = ()


@dataclass
class Sizes:
    """The size of every term, in one section of one paper."""

    table: Table
    section: str
    found: list[str] = field(default_factory=list)

    def of(self, one: Term) -> Size:
        method = getattr(self, f"_{one.op}", None)
        return method(one) if method is not None else ANY

    def _num(self, one: Term) -> Size:
        return ANY if one.value == 0 else NUMBER

    def _name(self, one: Term) -> Size:
        assert one.atom is not None
        halved = one.atom.sub is not None and normal(one.atom.sub) in ("1", "2")  # perhaps one half of a column
        return ANY if halved else constant(one.atom) or self.table.size(one.atom, self.section)

    def _sum(self, one: Term) -> Size:
        sizes = [(arg, self.of(arg)) for arg in one.args]
        known = [(arg, size) for arg, size in sizes if size != ANY]
        for _, size in known[1:]:
            if not fits(size, known[0][1]):
                self.clash(f"adds {say(size)} to {say(known[0][1])}")
        return known[0][1] if known else ANY

    def _prod(self, one: Term) -> Size:
        size = NUMBER
        for arg in one.args:
            size = self.times(size, self.of(arg))
        return size

    def times(self, left: Size, right: Size) -> Size:
        if left == NUMBER:
            return right
        if right == NUMBER:
            return left
        if "?" in (left[1], right[0]):
            return left[0], right[1]
        if left[1] != right[0]:
            self.clash(f"multiplies {say(left)} by {say(right)}")
            return ANY
        return left[0], right[1]

    def _frac(self, one: Term) -> Size:
        above, below = self.of(one.args[0]), self.of(one.args[1])
        if below not in (NUMBER, ANY):
            self.clash(f"divides by {say(below)}")
        return above

    def _pow(self, one: Term) -> Size:
        size = self.of(one.args[0])
        if size[0] != size[1] and "?" not in size:
            self.clash(f"takes a power of {say(size)}")
        return size

    def _transpose(self, one: Term) -> Size:
        rows, columns = self.of(one.args[0])
        return columns, rows

    def _entry(self, one: Term) -> Size:
        rows, columns = self.of(one.args[0])
        half = {after: before for before, after in DOUBLE.items()}
        if re.fullmatch(r"[12]", one.text) and rows in half:
            return half[rows], columns
        if re.fullmatch(r"[12]{2}", one.text) and rows in half and columns in half:
            return half[rows], half[columns]
        return ANY

    def _call(self, one: Term) -> Size:
        inner = [self.of(arg) for arg in one.args]
        assert one.atom is not None
        if one.text == "E":
            return inner[0]
        if one.text.startswith("op{tr}"):
            if "?" not in inner[0] and inner[0][0] != inner[0][1]:
                self.clash(f"takes the trace of {say(inner[0])}")
            return NUMBER
        if one.text in SCALARS or one.atom.name in ("sqrt",):
            if inner[0] not in (NUMBER, ANY):
                self.clash(f"takes a function of {say(inner[0])}")
            return NUMBER
        if one.atom.name == r"\nabla":
            return ANY
        return self.table.size(one.atom, self.section, called=True) if one.atom.kind == "letter" else ANY

    def _norm(self, one: Term) -> Size:
        size = self.of(one.args[0])
        for weight in one.args[1:]:
            other = self.of(weight)
            if other == NUMBER:  # the norm of that order, such as the Euclidean one
                continue
            if other != ANY and size != ANY and "?" not in (*other, *size) and not other[0] == other[1] == size[0]:
                self.clash(f"weighs {say(size)} by {say(other)}")
        return NUMBER

    def _inner(self, one: Term) -> Size:
        if len(one.args) >= 2:
            left, right = self.of(one.args[0]), self.of(one.args[1])
            if not fits(left, right):
                self.clash(f"takes the inner product of {say(left)} and {say(right)}")
        return NUMBER

    def _matrix(self, one: Term) -> Size:
        width = one.rows[0]
        cells = [self.of(arg) for arg in one.args]
        rows = self.added([[cells[r * width + c][0] for c in range(width)] for r in range(len(one.rows))])
        columns = self.added([[cells[r * width + c][1] for r in range(len(one.rows))] for c in range(width)])
        return rows, columns

    def added(self, lines: list[list[str]]) -> str:
        dims = []
        for line in lines:
            known = {dim for dim in line if dim != "?"}
            if len(known) > 1:
                self.clash(f"puts blocks of heights or widths {' and '.join(sorted(known))} side by side")
            dims.append(known.pop() if len(known) == 1 else "?")
        if len(dims) == 1:
            return dims[0]
        same = set(dims) - {"?"}
        return DOUBLE.get(same.pop(), "?") if len(same) == 1 and len(dims) == 2 else "?"

    def _bind(self, one: Term) -> Size:
        return self.of(one.args[0])

    def _kron(self, one: Term) -> Size:
        for arg in one.args:
            self.of(arg)
        return ANY

    def _apply(self, one: Term) -> Size:
        return self.of(one.args[1])

    def clash(self, words: str) -> None:
        self.found.append(words)


def constant(atom: Atom) -> Size | None:
    """Identity and zero fit everywhere; so do the dots of a list."""
    base = atom.name.split(":")[-1]
    return ANY if atom.name.startswith("bold:") and base in ("I", "O", "0", "1") else None


def fits(left: Size, right: Size) -> bool:
    return all("?" in pair or pair[0] == pair[1] for pair in zip(left, right, strict=True))


def say(size: Size) -> str:
    if size == NUMBER:
        return "a number"
    rows, columns = size
    if columns == "1":
        return f"a column of size {rows}"
    return f"a row of size {columns}" if rows == "1" else f"a {rows}×{columns} matrix"


def sizes(project: Project, text: Text) -> Iterator[Finding]:
    """Every formula of displays and of words."""
    table = Table(project)
    sections = {one.id: one.section for one in project.paper.displays}
    at = 0
    for at, block in enumerate(text.blocks):
        section = sections.get(block.display, "")
        if block.display:
            yield from _formula(block, block.latex, table, section)
        else:
            for sentence in sentences(block):
                any_matrix = re.search(r"\b(?:matrix|matrices|vectors?)\s+\$", sentence) is not None
                for inline in inlines(sentence):
                    yield from _formula(block, inline, table, section, compared=not any_matrix)
            following = next((b for b in text.blocks[at + 1 :] if b.display), None)
            if following is not None:
                yield from _space(block, following, table)


def _formula(block: Block, latex: str, table: Table, section: str, compared: bool = True) -> Iterator[Finding]:
    for chain in chains(latex):
        yield from _declared(block, chain, table, section)
        if not compared or any(sign in ("∈", "∼", "->", "|->", "⊂", "⊆") for sign in chain.signs):
            continue
        yield from _compared(block, chain, table, section)


def _compared(block: Block, chain: Chain, table: Table, section: str) -> Iterator[Finding]:
    reader = Sizes(table, section)
    seen = [reader.of(side) for side in chain.sides]
    yield from _norms(block, chain, reader)
    printed = latex_of_chain(chain)
    for words in dict.fromkeys(reader.found):
        yield Finding("sizes", "size", block.where, block.line, Severity.PEN, f"The formula {words}.", printed)
    for at, sign in enumerate(chain.signs):
        left, right = seen[at], seen[at + 1]
        if not fits(left, right) and not reader.found and chain.parts[at] and chain.parts[at + 1]:
            words = f"The formula compares {say(left)} with {say(right)}."
            yield Finding("sizes", "compared", block.where, block.line, Severity.PEN, words, printed)
            return
        square = [size for size in (left, right) if size not in (ANY, NUMBER) and size[1] != "1" and size[0] != "1"]
        if sign in ("<=", ">=", "<", ">") and square:
            order = {"<=": r"\preceq", "<": r"\prec", ">=": r"\succeq", ">": r"\succ"}[sign]
            words = f"Matrices are compared as numbers are; the order of matrices is ${order}$."
            better = f"{latex_of(chain.parts[at])}{order} {latex_of(chain.parts[at + 1])}"
            yield Finding("sizes", "order", block.where, block.line, Severity.PEN, words, printed, better)


def _norms(block: Block, chain: Chain, reader: Sizes) -> Iterator[Finding]:
    """The bars of a norm around a number."""
    bars = [one for side in chain.sides for one in side.walk() if one.op == "norm" and one.text == "||"]
    if any(reader.of(one.args[0]) == NUMBER for one in bars):
        words, printed = "The norm of a number is printed; its absolute value is meant.", latex_of_chain(chain)
        yield Finding("sizes", "norm-of-a-number", block.where, block.line, Severity.PEDANTIC, words, printed)


def _declared(block: Block, chain: Chain, table: Table, section: str) -> Iterator[Finding]:
    r"""\mathbf R\in\mathbb R^{2d\times 2d}, against what the name is."""
    for at, sign in enumerate(chain.signs):
        space = chain.parts[at + 1]
        if sign != "∈" or len(space) != 1 or space[0].name != "bb:R" or space[0].sup is None:
            continue
        said = _dims(space[0].sup)
        for name in _listed(chain.parts[at]):
            known = Sizes(table, section).of(Term("name", atom=name))
            if said is None or known == ANY or "?" in known or fits(said, known):
                continue
            dims = known[0] if known[1] == "1" else rf"{known[0]}\times {known[1]}"
            better = rf"{latex_of((name,))}\in\mathbb{{R}}^{{{dims}}}"
            words = f"The name is declared as {say(said)}; everywhere else it is {say(known)}."
            yield Finding(
                "sizes", "declared-size", block.where, block.line, Severity.PEN, words, latex_of_chain(chain), better
            )


def _listed(part: Atoms) -> list[Atom]:
    """The names of a list a, b \\in; a function at a point has the size of its values."""
    if len(part) == 2 and part[0].kind == "letter" and part[1].kind == "fence":
        return [part[0]]
    return [atom for atom in part if atom.kind == "letter"] if len(part) == 1 else []


def _dims(sup: Atoms) -> Size | None:
    parts = re.split(r"[*×]", normal(sup).replace(r"\times", "*"))
    known = [part for part in parts if part in ("1", "2", "d", "2d")]
    if len(known) != len(parts) or len(parts) > 2:
        return None
    return (known[0], known[1] if len(known) == 2 else "1")


def _space(block: Block, following: Block, table: Table) -> Iterator[Finding]:
    r"""Words that say "operators on R^{d x d}", and the display after them that defines them as products."""
    said = ON_SPACE.search(re.sub(r"\s+", " ", block.latex))
    if said is None:
        return
    try:
        dims = _dims(atoms(said[1]))
    except Unreadable:
        return
    for chain in chains(following.latex):
        for side in chain.sides:
            for one in (part for part in side.walk() if part.op == "kron"):
                acts = Sizes(table, "").of(one.args[1])
                if dims is not None and "?" not in acts and acts[0] == acts[1] and acts[0] != dims[0]:
                    better = rf"\mathbb{{R}}^{{{acts[0]}\times {acts[0]}}}"
                    words = f"The operator acts on {say((acts[0], acts[0]))[2:]}es"
                    words = f"{words.replace('matrixes', 'matrices')}, not on those of size {dims[0]}×{dims[1]}."
                    printed = rf"\mathbb{{R}}^{{{said[1]}}}"
                    yield Finding("sizes", "space", block.where, block.last, Severity.PEN, words, printed, better)
                    return


__all__ = ["Sizes", "fits", "say", "sizes"]
