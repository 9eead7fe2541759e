r"""A paper as detectors read it: displays, and the words between them, in reading order, each with its place.

    text_of(project)                      from its source, from prose.json, or of its displays alone
    text_of(project, Path("paper.tex"))   from this source
    skeleton(text)                        the words that prose.json keeps: formulas, references and words such as "let"

A project need not ship its paper: prose.json holds the formulas and references between displays and no sentence of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from theory.claims.files import ProjectError, reading
from theory.project import Project
from theory.reading.latex.document import DISPLAYS
from theory.reading.latex.outline import tidy
from theory.reading.latex.source import Flat, read_source
from theory.reading.lines import beside, located

PROSE, ANCHORS = "prose.json", "anchors.json"
HEADING = r"\\(?:part|chapter|section|subsection|subsubsection)\*?\s*(?=[\[{])"
MARK = re.compile(r"\\begin\{(?P<begin>[A-Za-z*]+)\}|\\end\{(?P<end>[A-Za-z*]+)\}|" + HEADING + r"|\\\[|\\\]|\$\$")
PROOFS = frozenset({"proof", "Proof", "proof*"})
_WORDS = """
a all an and any appendix apply applies applying are as assume assumes assumption assumptions be both by case
cases choose chosen claim constant constants corollary define defined defines definition denote denoted denotes
display each either every exist exists fact family first fix fixed follows for from full function functions
given gives has have hence hold holds i.e. if implies in index is it its lemma lemmas let letting linear
matrices matrix means minimizer minimiser moreover not note number of on operator operators or otherwise
otherwise. over parameter parameters part proof proposition prove proves provided put recall remark respectively scalar
scalars second section sequence sequences set sets some space such suppose supposes take takes term terms that
the their then there third this those thus to under unless use used uses using vector vectors version we when
whenever where which while with write writes algorithm equation equations theorem theorems eigenvalue eigenvalues radius
sample samples distribution variable variables step size submatrix block lower upper bounded
"""
WORDS = frozenset(_WORDS.split())


@dataclass(frozen=True)
class Block:
    """One display, or the words up to the next one. `latex` is without the author's macros."""

    display: str  # id of a display, "" for words
    line: int
    last: int
    latex: str
    statement: int = -1  # line on which the statement that holds it begins
    proof: int = -1  # line on which the proof that holds it begins
    section: int = -1  # line of the heading above it
    labels: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        return self.display or f"line:{self.line}"


@dataclass(frozen=True)
class Text:
    """All blocks of a paper; without words when only its displays are known."""

    blocks: tuple[Block, ...]

    @property
    def worded(self) -> bool:
        return any(not block.display for block in self.blocks)


def text_of(project: Project, source: Path | None = None) -> Text:
    """The paper of this project."""
    path = source or own_source(project)
    if path is not None:
        return _named(from_source(read_source(path, prose=True), project.paper.files), project)
    kept = project.root / PROSE
    shown = tuple(_displays(project))
    return Text(_merged(shown, _kept(kept))) if kept.is_file() else Text(shown)


def own_source(project: Project) -> Path | None:
    """The main file that the project was made from, when it is still there."""
    anchors = project.root / ANCHORS
    if not anchors.is_file():
        return None
    with reading(anchors):
        named = project.root / str(json.loads(anchors.read_text("utf-8")).get("source", ""))
    return named if named.is_file() else None


def _displays(project: Project) -> Iterator[Block]:
    owners = {one.id: one for one in project.paper.statements}
    for one in project.paper.displays:
        proof = beside(one.first_line, int(one.proof.removeprefix("proof@"))) if one.proof else -1
        home = owners.get(one.statement)
        inside = home is not None and home.first_line <= one.first_line <= home.last_line
        at = home.first_line if home is not None and inside else -1
        labels = (one.label,) if one.label else ()
        yield Block(one.id, one.first_line, one.last_line, one.formula, at, proof, labels=labels)


def _kept(path: Path) -> list[Block]:
    try:
        rows = json.loads(path.read_text("utf-8"))
        return [Block(**{**row, "labels": tuple(row.get("labels", ()))}) for row in rows]
    except (OSError, ValueError, TypeError) as error:
        raise ProjectError(f"{path} cannot be read ({error}); make it anew with lemmalab detect --keep") from None


def _merged(shown: tuple[Block, ...], kept: list[Block]) -> tuple[Block, ...]:
    """Displays take their section and their labels from where the words say that they stand."""
    marks = {block.line: block for block in kept if block.display}
    placed = [
        replace(one, section=marks[one.line].section, labels=marks[one.line].labels) if one.line in marks else one
        for one in shown
    ]
    known = {one.line for one in placed}
    return tuple(sorted((*placed, *(b for b in kept if b.line not in known or not b.display)), key=_order))


def _order(block: Block) -> tuple[int, int]:
    return block.line, block.last


def skeleton(text: Text) -> str:
    """prose.json: words between displays without their sentences; of displays only where they stand."""
    rows = []
    for block in text.blocks:
        body = replace(block, latex="" if block.display else reduced(block.latex))
        rows.append({k: v for k, v in asdict(body).items() if v not in ("", -1, ()) or k in ("display", "latex")})
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


def reduced(words: str) -> str:
    """Formulas, references, the words that detectors look for, and the ends of sentences."""
    parts = re.split(r"(\$[^$]*\$|\\\(.*?\\\)|\\[A-Za-z]*[Rr]ef\*?\{[^{}]*\}|\\label\{[^{}]*\}|\n\s*\n)", words)
    kept = [part if at % 2 else _thin(part) for at, part in enumerate(parts)]
    return re.sub(r"[ \t]+", " ", re.sub(r"(?:…[ \t]*)+", "… ", "".join(kept))).strip()


def _thin(words: str) -> str:
    words = re.sub(r"\\(?:item|footnote)\b", lambda m: f" {m[0]} ", words)
    tokens = re.findall(r"\\item|\\footnote|Term\s*~?\([A-Z]\)|[A-Za-z.]*[A-Za-z]\.?|[.,;:(){}]|\n", words)
    return "".join(f" {_word(token)} " if token[0].isalpha() or token[0] == "\\" else token for token in tokens)


def _word(token: str) -> str:
    if token.startswith(("\\", "Term")) or token.lower().rstrip(".") in WORDS or token.lower() in WORDS:
        return token
    return "…." if token.endswith(".") else "…"


# --- from a source ----------------------------------------------------------------------------------------------------


def from_source(flat: Flat, files: Iterable[str] = ()) -> Text:
    """One pass over the flattened text: where it is, in which statement, proof and section."""
    return Text(tuple(_Pass(flat, files).blocks()))


class _Pass:
    def __init__(self, flat: Flat, files: Iterable[str]) -> None:
        self.flat, self.text = flat, flat.text
        self.files = tuple(dict.fromkeys((*files, *list(flat.sources)[1:])))
        begins = self.text.find(r"\begin{document}")
        self.at = begins + len(r"\begin{document}") if begins >= 0 else 0
        self.open: list[tuple[str, int]] = []
        self.section = -1

    def blocks(self) -> Iterator[Block]:
        start = self.at
        for mark in MARK.finditer(self.text, self.at):
            if mark.start() < self.at:
                continue
            name = mark["begin"] or ""
            opens = name in DISPLAYS or mark[0] in (r"\[", "$$")
            if mark[0] == r"\]":
                continue
            if not opens and not self.bounds(mark):
                continue
            yield from self.words(start, mark.start())
            if opens:
                end = self.closing(name, mark)
                yield from self.display(mark, end)
                self.at = start = end
            else:
                self.enter(mark)
                start = self.at = mark.end() if not name else mark.start() + len(f"\\begin{{{name}}}")
            if mark["end"] == "document":
                return
        yield from self.words(start, len(self.text))

    def bounds(self, mark: re.Match[str]) -> bool:
        """Statements, proofs and headings end a block of words; lists and tables do not."""
        name = mark["begin"] or mark["end"]
        inert = ("itemize", "enumerate", "description", "center", "small", "cases", "pmatrix", "aligned", "gathered")
        return not name or (name.rstrip("*") not in inert and not name.endswith("matrix"))

    def enter(self, mark: re.Match[str]) -> None:
        line = self.line(mark.start())
        if mark["begin"]:
            self.open.append((mark["begin"], line))
        elif mark["end"]:
            while self.open and self.open.pop()[0] != mark["end"]:
                pass
        else:
            self.section = line

    def closing(self, name: str, mark: re.Match[str]) -> int:
        end = {r"\[": r"\]", "$$": "$$"}.get(mark[0], f"\\end{{{name}}}")
        found = self.text.find(end, mark.end())
        return len(self.text) if found < 0 else found + len(end)

    def line(self, at: int) -> int:
        place = self.flat.place(at)
        return located(place.file, place.line, self.files)

    def context(self) -> tuple[int, int, int]:
        proofs = [line for name, line in self.open if name in PROOFS]
        held = [line for name, line in self.open if name not in (*PROOFS, "document", "abstract")]
        return (held[-1] if held else -1), (proofs[-1] if proofs else -1), self.section

    def words(self, start: int, end: int) -> Iterator[Block]:
        body = self.text[start:end]
        if not re.search(r"[A-Za-z$]", body):
            return
        start += len(body) - len(body.lstrip())
        first, last = self.line(start), self.line(max(end - 1, start))
        yield Block("", first, last, _dollars(body.strip()), *self.context(), _labels(body))

    def display(self, mark: re.Match[str], end: int) -> Iterator[Block]:
        first, last = self.line(mark.start()), self.line(end - 1)
        whole = self.text[mark.start() : end]
        body = re.sub(r"^(?:\\begin\{[A-Za-z*]+\}|\\\[|\$\$)|(?:\\end\{[A-Za-z*]+\}|\\\]|\$\$)$", "", whole.strip())
        yield Block(f"line:{first}", first, last, tidy(body), *self.context(), _labels(body))


def _dollars(words: str) -> str:
    words = re.sub(r"\\boldsymbol\{\\mathbf\{(\\?[A-Za-z]+)\}\}", _bold, words)
    return re.sub(r"\\\((.*?)\\\)", r"$\1$", words, flags=re.DOTALL)


def _bold(found: re.Match[str]) -> str:
    return rf"\boldsymbol{{{found[1]}}}" if found[1].startswith("\\") else rf"\mathbf{{{found[1]}}}"


def _labels(body: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\\label\s*\{([^{}]*)\}", body))


def _named(text: Text, project: Project) -> Text:
    ids = {one.first_line: one.id for one in project.paper.displays}
    blocks = (replace(b, display=ids.get(b.line, b.display)) if b.display else b for b in text.blocks)
    return Text(tuple(blocks))
