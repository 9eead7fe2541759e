r"""The structure of a paper, read from its flattened text with pylatexenc: statements, displays, proofs, references.

document = read_document(Path("paper.tex"))
document.statements, document.displays, document.proofs
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from theory.reading.latex.errors import LatexError
from theory.reading.latex.macros import KINDS, USUAL
from theory.reading.latex.source import Flat, read_source
from theory.reading.latex.tokens import Place

WORDED = ("tag", "intertext", "shortintertext")  # commands of a display whose argument is words
DISPLAYS = frozenset(
    f"{name}{star}"
    for name in (
        *("equation", "align", "alignat", "gather", "multline", "eqnarray", "flalign", "xalignat", "xxalignat"),
        *("displaymath", "dmath", "IEEEeqnarray", "empheq", "math-display"),
    )
    for star in ("", "*")
)
ARGUED = {"alignat": "{", "xalignat": "{", "xxalignat": "{", "IEEEeqnarray": "{", "empheq": "[{"}
ALGORITHMS = frozenset({"algorithm", "algorithm*", "algorithm2e", "algorithmic", "algo", "procedure"})
HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection")
UNPROVED = frozenset({"remark", "example", "definition", "assumption", "algorithm", "note", "notation", "question"})
LETTER = r"(?:\\[ij]\b|[A-Za-z])"
ACCENTED = re.compile(
    rf"\\(?:[\"'`^~=.]|[Hcvurk](?![A-Za-z]))\s*(?:{LETTER}|\{{{LETTER}\}})|\\(?:[lLoO]|ss|ae|AE|oe|OE|aa|AA)\b ?"
)
COMMAND = re.compile(r"\\(?:([%&#_$])|[A-Za-z]+\*? ?)")  # a sign that is printed, or a command that is not
REFERENCES = frozenset(
    [
        "ref",
        "eqref",
        "cref",
        "Cref",
        "autoref",
        "nameref",
        "vref",
        "labelcref",
        "hyperref",
        "crefrange",
        "Crefrange",
        "thmref",
    ]
)


@dataclass(frozen=True)
class Row:
    """One line of a display, without its label."""

    latex: str
    label: str


@dataclass(frozen=True)
class Display:
    environment: str
    first: Place
    last: Place
    rows: tuple[Row, ...]
    labels: tuple[str, ...]
    section: str
    statement: int  # position of the statement that contains it, -1 if none
    proof: int  # position of the proof that contains it, -1 if none


@dataclass(frozen=True)
class TheoremLike:
    """A statement: its own label (not that of a display in it), its title in brackets, its text without macros."""

    environment: str
    kind: str
    label: str
    title: str
    first: Place
    last: Place
    section: str
    body: str
    refers: tuple[str, ...]
    within: int = -1  # position of the statement that it stands in, -1 if none


@dataclass(frozen=True)
class Proof:
    """A proof and the position of the statement that it proves (-1: none)."""

    first: Place
    last: Place
    of: int
    refers: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    title: str
    statements: tuple[TheoremLike, ...]
    displays: tuple[Display, ...]
    proofs: tuple[Proof, ...]
    flat: Flat = field(repr=False)

    @property
    def main(self) -> str:
        """The main file, by the name that places use."""
        return next(iter(self.flat.sources), "")


def read_document(path: Path) -> Document:
    """Read a paper from its main file."""
    flat = read_source(path)
    return _Walk(flat, _nodes(flat)).document()


def _nodes(flat: Flat) -> Sequence[Any]:
    from pylatexenc.latexwalker import LatexWalker, LatexWalkerParseError

    try:
        nodes, _, _ = LatexWalker(flat.text, latex_context=_context(flat), tolerant_parsing=False).get_latex_nodes()
    except LatexWalkerParseError as error:
        words = str(error.msg).split("\n")[0].split(" @(")[0]
        place = flat.place(error.pos or 0)
        raise LatexError(f"{place}: {words}; mend the source so that LaTeX itself accepts it") from None
    except RecursionError:
        raise LatexError(f"{flat.places[0].file}: groups are nested too deeply to be read; flatten them") from None
    return list(nodes)


def _context(flat: Flat) -> Any:
    """What takes arguments, so that they are not taken for text."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    known = get_default_latex_context_db()
    theorems = {*KINDS, *USUAL, *(f"{kind}*" for kind in KINDS), *flat.theorems, "proof"}
    environments = [EnvironmentSpec(name, "[") for name in sorted(theorems)]
    environments += [EnvironmentSpec("restatable", "[{{"), EnvironmentSpec("restatable*", "[{{")]
    environments += [
        EnvironmentSpec(name, ARGUED.get(name.rstrip("*"), ""), is_math_mode=True) for name in sorted(DISPLAYS)
    ]
    macros = [MacroSpec(name, "*[{") for name in sorted(REFERENCES)] + [MacroSpec("label", "[{")]
    macros += [MacroSpec(name, "*[{") for name in HEADINGS] + [MacroSpec("title", "[{"), MacroSpec("caption", "[{")]
    known.add_context_category("paper", macros=macros, environments=environments, prepend=True)
    return known


@dataclass
class _Open:
    """The statement or proof that is being read."""

    statement: int = -1
    proof: int = -1


class _Walk:
    """One walk over the nodes, in reading order."""

    def __init__(self, flat: Flat, nodes: Sequence[Any]) -> None:
        self.flat, self.nodes = flat, nodes
        self.title = ""
        self.heading = ""
        self.heading_refers: tuple[str, ...] = ()
        self.heading_at = -1  # number of statements read before the heading
        self.statements: list[TheoremLike] = []
        self.displays: list[Display] = []
        self.proofs: list[Proof] = []
        self.named: list[str] = []  # for each proof the label that its title names
        self.kinds = {kind: kind for kind in KINDS} | {f"{kind}*": kind for kind in KINDS} | USUAL
        self.kinds |= {name: theorem.kind for name, theorem in flat.theorems.items()}

    def document(self) -> Document:
        self.walk(self.nodes, _Open())
        owners = self.owners()
        proofs = tuple(
            replace(proof, of=owners.get(self.named[at], proof.of) if self.named[at] else proof.of)
            for at, proof in enumerate(self.proofs)
        )
        return Document(self.title, tuple(self.statements), tuple(self.displays), proofs, self.flat)

    def owners(self) -> dict[str, int]:
        """The statement behind each label: its own, or that of a display in it."""
        found = {label: one.statement for one in self.displays for label in one.labels if one.statement >= 0}
        return found | {one.label: at for at, one in enumerate(self.statements) if one.label}

    def walk(self, nodes: Sequence[Any], inside: _Open) -> None:
        for node in nodes:
            if node is None:
                continue
            kind = type(node).__name__
            if kind == "LatexEnvironmentNode":
                self.environment(node, inside)
            elif kind == "LatexMathNode":
                if node.displaytype == "display":
                    self.display(node, node.delimiters[0], inside)
            elif kind == "LatexMacroNode":
                self.macro(node, inside)
            elif kind == "LatexGroupNode":
                self.walk(node.nodelist, inside)

    def environment(self, node: Any, inside: _Open) -> None:
        name = node.environmentname
        if name in DISPLAYS:
            self.display(node, name, inside)
        elif name.rstrip("*") == "restatable":
            inner = self._argument(node, 1)
            self.statement(node, inner, self.kinds.get(inner, inner), inside)
        elif name in self.kinds:
            self.statement(node, name, self.kinds[name], inside)
        elif name in ALGORITHMS and inside.statement < 0:
            self.statement(node, name, "algorithm", inside)
        elif name.rstrip("*").lower() == "proof":
            self.proof(node, inside)
        else:
            self.walk(node.nodelist, inside)

    def macro(self, node: Any, inside: _Open) -> None:
        name = node.macroname
        arguments = node.nodeargd.argnlist if node.nodeargd is not None else []
        if name == "title" and not self.title:
            self.title = plain(self.text(arguments[-1]))
        elif name in HEADINGS and arguments[-1] is not None:
            self.heading = plain(self.text(arguments[-1]))
            self.heading_refers = tuple(self.refers([arguments[-1]]))
            self.heading_at = len(self.statements)
        elif name not in REFERENCES and name != "label":
            self.walk([one for one in arguments if one is not None], inside)

    def statement(self, node: Any, name: str, kind: str, inside: _Open) -> None:
        at = len(self.statements)
        labels = list(self.labels(node.nodelist, stop=True))
        title = self._argument(node, 0) if node.nodeargd is not None and node.nodeargd.argnlist else ""
        if kind == "algorithm":
            title = next(
                (self._argument(one, -1) for one in self.macros(node.nodelist) if one.macroname == "caption"), ""
            )
        self.statements.append(
            TheoremLike(
                environment=name,
                kind=kind,
                label=labels[0] if labels else "",
                title=plain(title),
                first=self.flat.place(node.pos),
                last=self.flat.place(node.pos + node.len - 1),
                section=self.heading,
                body=self.body(node),
                refers=tuple(dict.fromkeys(self.refers(node.nodelist))),
                within=inside.statement,
            )
        )
        self.walk(node.nodelist, _Open(statement=at))

    def proof(self, node: Any, inside: _Open) -> None:
        """A proof belongs to what its title refers to, else to what the heading over it does, else to what precedes."""
        at = len(self.proofs)
        title = [one for one in (node.nodeargd.argnlist if node.nodeargd is not None else []) if one is not None]
        named = tuple(self.refers(title))
        if not named and self.heading_at == len(self.statements):
            named = self.heading_refers
        refers = tuple(dict.fromkeys(self.refers(node.nodelist)))
        place = self.flat.place(node.pos), self.flat.place(node.pos + node.len - 1)
        self.proofs.append(Proof(*place, of=self._before(), refers=(*named[:1], *refers)))
        self.named.append(named[0] if named else "")
        self.walk(node.nodelist, _Open(statement=inside.statement, proof=at))

    def _before(self) -> int:
        """The last statement that one proves: a remark between a theorem and its proof is no obstacle."""
        last = len(self.statements) - 1
        return next((at for at in range(last, -1, -1) if self.statements[at].kind not in UNPROVED), last)

    def display(self, node: Any, name: str, inside: _Open) -> None:
        rows = tuple(self.rows(node.nodelist))
        if not any(row.latex for row in rows):
            return  # an empty display prints nothing
        labels = tuple(row.label for row in rows if row.label)
        more = tuple(label for label in self.labels(node.nodelist) if label not in labels)
        first, last = self.flat.place(node.pos), self.flat.place(node.pos + node.len - 1)
        place = (self.heading, inside.statement, inside.proof)
        self.displays.append(Display(name, first, last, rows, labels + more, *place))

    # --- parts of a node ---------------------------------------------------------------------------------------

    def text(self, node: Any) -> str:
        """A node as it stands, without the braces of a group."""
        if node is None:
            return ""
        inner = self.flat.text[node.pos : node.pos + node.len]
        return inner[1:-1] if type(node).__name__ == "LatexGroupNode" else inner

    def _argument(self, node: Any, at: int) -> str:
        return self.text(node.nodeargd.argnlist[at]).strip()

    def body(self, node: Any) -> str:
        if not node.nodelist:
            return ""
        last = node.nodelist[-1]
        return self.flat.text[node.nodelist[0].pos : last.pos + last.len].strip()

    def macros(self, nodes: Sequence[Any], stop: bool = False) -> Iterator[Any]:
        """The commands in these nodes; with `stop` not those in displays."""
        for node in nodes:
            kind = type(node).__name__
            if kind == "LatexMacroNode":
                yield node
                arguments = node.nodeargd.argnlist if node.nodeargd is not None else []
                yield from self.macros([one for one in arguments or [] if one is not None], stop)
            elif kind in ("LatexGroupNode", "LatexMathNode", "LatexEnvironmentNode"):
                shown = kind == "LatexMathNode" or (kind == "LatexEnvironmentNode" and node.environmentname in DISPLAYS)
                if not (stop and shown):
                    yield from self.macros(node.nodelist, stop)

    def labels(self, nodes: Sequence[Any], stop: bool = False) -> Iterator[str]:
        return (self._argument(one, -1) for one in self.macros(nodes, stop) if one.macroname == "label")

    def refers(self, nodes: Sequence[Any]) -> Iterator[str]:
        for one in self.macros(nodes):
            if one.macroname in REFERENCES:
                given = self._argument(one, 1).strip("[] ") if one.macroname == "hyperref" else self._argument(one, -1)
                several = given.split(",") if "cref" in one.macroname.lower() else [given]
                yield from (label.strip() for label in several if label.strip())

    def rows(self, nodes: Sequence[Any]) -> Iterator[Row]:
        r"""The lines of a display: cut at \\ outside of inner environments; labels and tags taken out."""
        parts: list[str] = []
        label = ""
        worded = False  # the group that follows is words of a tag
        for node in nodes:
            name = getattr(node, "macroname", "") if type(node).__name__ == "LatexMacroNode" else ""
            words, worded = worded and type(node).__name__ == "LatexGroupNode", name in WORDED
            if words:
                continue
            if name == "\\":
                yield Row("".join(parts).strip(), label)
                parts, label = [], ""
            elif name == "label":
                label = label or self._argument(node, -1)
            elif name not in ("notag", "nonumber", "allowdisplaybreaks", "qedhere", *WORDED):
                parts.append(self.flat.text[node.pos : node.pos + node.len])
        if "".join(parts).strip() or label:
            yield Row("".join(parts).strip(), label)


def plain(latex: str) -> str:
    """A title as plain words: what commands print, without their names."""
    text = re.sub(
        r"\\(?:ref|cref|Cref|eqref|autoref|label|cite[a-z]*|footnote\w*|thanks\w*|corref|tnoteref|fnref)\s*\{[^{}]*\}",
        "",
        latex,
    )
    text = re.sub(r"\\texorpdfstring\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\[\\ ,;:]|~", " ", text)
    text = re.sub(r"\\(?:text\w*|emph|mathrm|mathbf|boldsymbol|operatorname)\b", "", text)
    text = "".join(_spoken(part, at % 2 == 1) for at, part in enumerate(text.split("$")))
    return " ".join(re.sub(r"[{}]", "", text).split()).strip(" .:")


def _spoken(text: str, formula: bool) -> str:
    """Formulas and accents as letters, dashes and quotes as they are printed."""
    from pylatexenc.latex2text import LatexNodes2Text

    told = LatexNodes2Text()
    if formula:
        return str(told.latex_to_text(text))
    text = ACCENTED.sub(lambda found: told.latex_to_text(found[0]), text)
    for typed, printed in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”")):
        text = text.replace(typed, printed)
    return COMMAND.sub(lambda found: found[1] or "", text)
