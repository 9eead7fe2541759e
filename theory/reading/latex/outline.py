"""What a paper prints, as rows of paper.toml: every statement and display with an id that survives edits."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from theory.claims.collection import module_name
from theory.reading.latex.atoms import Atoms, Unreadable, atoms, sign
from theory.reading.latex.document import Display, Document, TheoremLike
from theory.reading.latex.macros import PREFIX
from theory.reading.paper import ASSERT_NOTHING

SPLIT = frozenset({"align", "alignat", "eqnarray", "flalign", "xalignat", "xxalignat", "IEEEeqnarray"})
OF_ROWS = ("aligned", "split", "gathered", "alignedat")
INLINE = re.compile(r"(?<![\\$])\$([^$]+)\$(?!\$)|\\\((.+?)\\\)", re.DOTALL)
WORDS = r"\b(?:then|we have|holds?|satisf\w+|hence|thus|obtain|get|is|are)\b"
CLAIMED = re.compile(WORDS + r"|\\\[|\$\$|\\begin\{(?:equation|align|gather|multline)", re.IGNORECASE)
FURTHER = re.compile(
    r"\b(?:then|moreover|furthermore|also|hence|thus|consequently|in particular|we have|it holds)\b", re.IGNORECASE
)
ALL = r"for(?: all| every| each| any)?"
RANGED = re.compile(rf"\$([^$]+)\$\s*,?\s*{ALL}\s*\$([^$]+)\$")
FOR_ALL = r"$\1 \\quad\\text{for all }\2$"
BEFORE = re.compile(r"\b[Ff]or (?:all|every|each|any)\s*\$([^$]+)\$\s*(?:,|we have|it holds that)\s*\$([^$]+)\$")
AFTER = re.compile(
    rf"\s*[.,]?\s*(?:{ALL}|whenever|if|when|provided(?: that)?|as long as)\s*(?=\$)([^.]*)", re.IGNORECASE | re.DOTALL
)
OPENED = re.compile(r"(?:let|suppose|assume|if|given|under|fix|consider|for|when|whenever)\b", re.IGNORECASE)
BEGUN = re.compile(r"(?:\\label\s*\{[^{}]*\}|\s)*")
SENTENCE = re.compile(r"[.;]\s+(?=[A-Z\\$])")
FOLLOWS = re.compile(r"\b(?:then|we have|it holds|hence|thus|we obtain|we get)\b", re.IGNORECASE)
LED = re.compile(r"\b(?:then|we have|it holds(?: that)?|hence|thus|we obtain|we get)\s*$", re.IGNORECASE)
QUANTIFIED = re.compile(r"\bfor(?: all| every| each| any)\s*$", re.IGNORECASE)
SHOWN = re.compile(r"\\\[|\$\$|\\begin\{(?:equation|align|gather|multline)")
DISPLAYED = re.compile(r"\\\]|\$\$|\\end\{(?:equation|align|gather|multline)\*?\}")
BETWEEN_ROWS = re.compile(r"\\(?:short)?intertext\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
SPACES = frozenset({"bb:R", "bb:N", "bb:Z"})  # to be in these says what kind a name is, and no more
BEHIND = re.compile(r"(?:for|if|when|whenever|where|with|provided)\b", re.IGNORECASE)
ASSERTING = ("<=", ">=", "<", ">", "=", "!=", "<<", ">>")
OPENING = "Before the first section"


@dataclass(frozen=True)
class Item:
    """One statement or display: its row in paper.toml, its place, and its text for comparison with a later one."""

    row: dict[str, Any]
    display: bool
    kind: str
    file: str
    text: str  # the LaTeX without spaces, labels and macros
    source: str = ""  # a statement as its author wrote it
    inline: tuple[str, ...] = ()  # the formulas in the words of a statement
    assumed: tuple[str, ...] = ()  # those of them that stand before what is claimed
    claimed: tuple[str, ...] = ()  # those of them that are claimed outside of displays
    unsorted: tuple[str, ...] = ()  # those beside a display of which the words tell neither

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def place(self) -> str:
        return f"{self.file}:{self.row['first_line']}"

    @property
    def hash(self) -> str:
        return content_hash(self.kind, self.text)


def content_hash(kind: str, text: str) -> str:
    return hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest()[:6]


def outline(document: Document) -> list[Item]:
    """Statements first, then displays, each in reading order."""
    ids = _Ids()
    statements = [ids.of(one.label, PREFIX.get(one.kind, one.kind), one.kind, one.body) for one in document.statements]
    displays = [ids.of(_label(one), "disp", "display", _text(one)) for one in document.displays]
    found = _statements(document, statements, _owners(document, statements))
    return found + [_display(document, at, displays, statements) for at in range(len(displays))]


class _Ids:
    """An id is the label, or made from the content; no two are kept in files of one name."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.copies: Counter[str] = Counter()  # how often a base was asked for: copies are numbered on from there

    def of(self, label: str, prefix: str, kind: str, text: str) -> str:
        plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
        slug = re.sub(r"[^A-Za-z0-9:._-]+", "-", plain).strip("-.")
        base = slug if module_name(slug) else f"{prefix}:{content_hash(kind, normal(text))}"
        self.copies[base] += 1
        found = base if self.copies[base] == 1 else f"{base}-{self.copies[base]}"
        while module_name(found) in self.taken:
            self.copies[base] += 1
            found = f"{base}-{self.copies[base]}"
        self.taken.add(module_name(found))
        return found


def normal(latex: str) -> str:
    """The text by which an item is known again: without spaces and labels."""
    return re.sub(r"\s+", "", re.sub(r"\\label\s*\{[^{}]*\}", "", latex))


def _label(display: Display) -> str:
    return display.labels[0] if display.labels else ""


def _text(display: Display) -> str:
    return r"\\".join(row.latex for row in display.rows)


def _owners(document: Document, ids: list[str]) -> dict[str, str]:
    """The statement that a label leads to: its own, or that of the display in it or in its proof."""
    found: dict[str, str] = {}
    for one in document.displays:
        owner = _owner(document, one)
        found |= {label: ids[owner] for label in one.labels if owner >= 0}
    return found | {one.label: id_ for one, id_ in zip(document.statements, ids, strict=True) if one.label}


def _owner(document: Document, display: Display) -> int:
    if display.statement >= 0:
        return display.statement
    return document.proofs[display.proof].of if display.proof >= 0 else -1


def _statements(document: Document, ids: list[str], owners: dict[str, str]) -> list[Item]:
    """Every statement with its displays, with what it and its proofs refer to, and with what is assumed around it."""
    shown: defaultdict[int, list[Display]] = defaultdict(list)
    for display in document.displays:
        if display.proof < 0:
            shown[display.statement].append(display)
    refers = defaultdict(list, {at: list(one.refers) for at, one in enumerate(document.statements)})
    for proof in document.proofs:
        refers[proof.of] += proof.refers
    lines = {name: text.split("\n") for name, text in document.flat.sources.items()}
    numbers: Counter[str] = Counter()
    found: list[Item] = []
    for at, one in enumerate(document.statements):
        numbers[one.kind] += 1
        uses = [owners[label] for label in refers[at] if owners.get(label, ids[at]) != ids[at]]
        item = _statement(one, ids[at], shown[at], uses, numbers[one.kind], source_of(one, lines), document.main)
        around = found[one.within].assumed if one.within >= 0 else ()
        found.append(replace(item, assumed=tuple(dict.fromkeys((*around, *item.assumed)))))
    return found


def _lines(one: TheoremLike | Display, main: str) -> dict[str, Any]:
    """Where it stands; the main file is not named, and what ends in another file ends where it begins."""
    last = one.last.line if one.last.file == one.first.file else one.first.line
    named = {"file": one.first.file} if one.first.file != main else {}
    return {**named, "first_line": one.first.line, "last_line": last}


def _statement(
    one: TheoremLike, id_: str, shown: list[Display], uses: list[str], number: int, source: str, main: str
) -> Item:
    inline = inline_formulas(one.body)
    row = {
        "id": id_,
        "label": one.label or next((_label(display) for display in shown if display.labels), ""),
        "kind": one.kind,
        **_lines(one, main),
        "section": one.section or OPENING,
        "title": one.title or f"{one.kind.capitalize()} {number}",
        "explanation": "",
        "uses": list(dict.fromkeys(uses)),
        "formula": gathered([printed(display) for display in shown] or list(inline)),
    }
    parts = _parted(one.body, bool(shown))
    return Item(row, False, one.kind, one.first.file, normal(one.body), source, inline, *parts)


def _parted(body: str, displayed: bool) -> tuple[tuple[str, ...], ...]:
    """The formulas in words that are assumed, those that are claimed, and those of which neither is told.

    Without a word between them the last is claimed.
    """
    lead, *later = CLAIMED.split(body, maxsplit=1)
    told = lead + RANGED.sub(FOR_ALL, body[len(lead) :])
    head = SHOWN.split(told, maxsplit=1)[0] if displayed else told
    if not displayed and not later:
        every = inline_formulas(body)
        return every[:-1], every[-1:], ()
    assumed, open_, claimed = list(inline_formulas(lead)), list[str](), list[str]()
    for found in INLINE.finditer(head, len(lead)):
        said = BEGUN.sub("", SENTENCE.split(head[: found.start()])[-1], count=1)
        is_assumed = QUANTIFIED.search(said) or (OPENED.match(said) and not FOLLOWS.search(said))
        kept = assumed if is_assumed else claimed if displayed and LED.search(said) else open_
        kept.append(tidy(found[1] or found[2]))
    if not displayed:
        return tuple(assumed), tuple(open_), ()
    *between, last = DISPLAYED.split(told)
    tail = FURTHER.split(last, maxsplit=1)
    before = between[:1]
    for part in between[1:]:
        for one in inline_formulas(SHOWN.split(part, maxsplit=1)[0]):
            (assumed if _is_fresh(one, part, before) else open_).append(one)
        before.append(part)
    open_ += [one for words in BETWEEN_ROWS.findall(body) for one in inline_formulas(words)]
    unsorted = tuple(one for one in open_ if restricts(one))
    return (*assumed, *_conditions(body)), (*claimed, *inline_formulas("".join(tail[1:]))), unsorted


def _is_fresh(latex: str, words: str, before: Sequence[str]) -> bool:
    """`for every $t \\in [0, 1]$` between displays, where nothing so far speaks of t: no claim before is touched."""
    led = words[: words.find(latex)].rstrip(" $(\\")
    names = letters(_atoms(latex))
    known = (letters(_atoms(one)) for part in before for one in (*inline_formulas(part), *_bodies(part)))
    return bool(names and QUANTIFIED.search(led)) and not names & frozenset().union(*known)


def _bodies(part: str) -> list[str]:
    """What stands in the display at the end of a part."""
    return [re.sub(r"^\*?\}|\\nonumber|\\notag|&", "", tidy(one)) for one in SHOWN.split(part)[1:]]


def letters(listed: Atoms) -> frozenset[str]:
    """Every letter of a formula, those in scripts too."""
    found = {atom.name for atom in listed if atom.kind == "letter" and atom.name}
    inner = (part for atom in listed for part in (*atom.args, atom.sub or (), atom.sup or ()))
    return frozenset(found).union(*map(letters, inner))


def _conditions(body: str) -> tuple[str, ...]:
    """What is assumed behind the last display: `… for $x > 0$.`"""
    *shown, tail = DISPLAYED.split(body)
    found = AFTER.match(tail) if shown else None
    return inline_formulas(found[1]) if found else ()


def source_of(one: TheoremLike, lines: Mapping[str, list[str]]) -> str:
    """The lines of the source, with the author's own macros."""
    if one.first.file != one.last.file:
        return one.body
    return "\n".join(line.rstrip() for line in lines[one.first.file][one.first.line - 1 : one.last.line])


def _display(document: Document, at: int, displays: list[str], statements: list[str]) -> Item:
    one = document.displays[at]
    owner = _owner(document, one)
    kind = document.statements[one.statement].kind if one.statement >= 0 else ""
    role = "definition" if kind in ASSERT_NOTHING else role_of(one)
    row = {
        "id": displays[at],
        "label": _label(one),
        **_lines(one, document.main),
        "section": one.section or OPENING,
        "statement": statements[owner] if owner >= 0 else "",
        "proof": f"proof@{document.proofs[one.proof].first.line}" if one.proof >= 0 else "",
        "role": role,
        "restates": [],
        "relations": 0 if role == "definition" else relations_in(_text(one)),
        "formula": printed(one),
    }
    return Item(row, True, "display", one.first.file, normal(_text(one)))


def role_of(display: Display) -> str:
    """Inside a statement it states, inside a proof it is a step; elsewhere an equation for one name defines it."""
    listed = _atoms(_text(display))
    if any(sign(atom, ":=") for atom in listed) and relations_in(_text(display)) == 0:
        return "definition"
    if display.proof >= 0:
        return "step"
    if display.statement >= 0:
        return "statement"
    signs = [(at, atom.name) for at, atom in enumerate(listed) if atom.kind == "sign" and atom.name in ASSERTING]
    if any(name != "=" for _, name in signs):
        return "step"
    return "definition" if not signs or _is_name(listed[: signs[0][0]]) else "step"


def _is_name(listed: Atoms) -> bool:
    """A name, or a function at a point."""
    named = bool(listed) and listed[0].kind in ("letter", "table")
    return named and (len(listed) == 1 or (len(listed) == 2 and listed[1].kind == "fence" and listed[1].name == "("))


def relations_in(latex: str) -> int:
    """How many relations a display asserts; what stands behind `for all` is none of them."""
    return sum(_asserted(row) for row in _rows(latex))


def _asserted(row: Atoms) -> int:
    cut = next((at for at, atom in enumerate(row) if atom.kind == "words" and BEHIND.match(atom.name.strip())), None)
    return sum(atom.kind == "sign" and atom.name in ASSERTING for atom in row[:cut])


def restricts(latex: str) -> bool:
    """A relation, or `in` a set that is more than a kind."""
    rows = list(_rows(latex))
    homes = (row[at + 1 :] for row in rows for at, atom in enumerate(row) if sign(atom, "∈"))
    return relations_in(latex) > 0 or any(len(home) != 1 or home[0].name not in SPACES for home in homes)


def _rows(latex: str) -> Iterator[Atoms]:
    """Row by row, rows of inner tables too."""
    try:
        todo = [atoms(rf"\begin{{aligned}}{latex}\end{{aligned}}")[0]]
    except Unreadable:
        return
    while todo:
        table = todo.pop()
        at = 0
        for count in table.rows:
            row = tuple(atom for cell in table.args[at : at + count] for atom in cell)
            todo += [atom for atom in row if atom.kind == "table" and atom.name in OF_ROWS]
            yield row
            at += count


def _atoms(latex: str) -> Atoms:
    """The atoms of all rows; none when the display cannot be taken apart."""
    try:
        table = atoms(rf"\begin{{aligned}}{latex}\end{{aligned}}")[0]
    except Unreadable:
        return ()
    found: list[Any] = []
    todo = [*reversed(table.args)]
    while todo:
        for atom in todo.pop():
            inner = atom.args if atom.kind == "table" and atom.name in OF_ROWS else ()
            found += [one for part in inner for one in part] if inner else [atom]
    return tuple(found)


def printed(display: Display) -> str:
    """The formula as it is printed, in plain LaTeX."""
    rows = [tidy(row.latex) for row in display.rows if row.latex]
    if len(rows) == 1:
        return rows[0].replace("&", "") if display.environment.rstrip("*") in SPLIT else rows[0]
    name = "aligned" if display.environment.rstrip("*") in SPLIT else "gathered"
    body = " \\\\\n".join(rows)
    return f"\\begin{{{name}}}\n{body}\n\\end{{{name}}}"


def tidy(latex: str) -> str:
    """Without labels, phantom signs, double alphabets and the punctuation of the sentence around it."""
    latex = re.sub(r"\\label\s*\{[^{}]*\}|\\(?:notag|nonumber|displaystyle|qedhere)\b", "", latex)
    latex = re.sub(r"\\l?eqno\b.*", "", latex, flags=re.DOTALL)  # a number that is set by hand
    latex = re.sub(r"\\mathrel\{\\phantom\{[^{}]*\}\}", "", latex)
    latex = re.sub(r"\\stackrel\s*\{[^=]*?def[^=]*?\}\s*\{\s*=\s*\}", r"\\overset{\\mathrm{def}}{=}", latex)
    latex = re.sub(r"\\boldsymbol\{\\mathbf\{(\\?[A-Za-z]+)\}\}", _bold, latex)
    latex = re.sub(r"[ \t]*\n\s*", "\n", latex).strip()
    return re.sub(r"\s*[.,;]+$", "", latex)


def _bold(found: re.Match[str]) -> str:
    return rf"\boldsymbol{{{found[1]}}}" if found[1].startswith("\\") else rf"\mathbf{{{found[1]}}}"


def gathered(formulas: Iterable[str]) -> str:
    rows = [one for one in formulas if one]
    if not rows:
        return r"\text{in words}"
    body = " \\\\\n".join(rows)
    return rows[0] if len(rows) == 1 else f"\\begin{{gathered}}\n{body}\n\\end{{gathered}}"


def inline_formulas(body: str) -> tuple[str, ...]:
    """The formulas between dollars, or between \\( and \\), in the words of a statement."""
    text = BEFORE.sub(r"$\2$ for all $\1$", re.sub(r"\\\\", " ", body))
    return tuple(tidy(found[1] or found[2]) for found in INLINE.finditer(RANGED.sub(FOR_ALL, text)))
