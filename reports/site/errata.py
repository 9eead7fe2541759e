"""The errata section: one card a slip, worst first, printed beside corrected, marked token by token."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from reports.errata.markup import is_balanced
from reports.mathml.tex import MathsError, tex_mathml
from reports.site.figure import as_csv
from reports.site.words import anchor, point_text
from theory.reading.errata import Change, Erratum, Severity, worst_first
from theory.reading.errata.correct import is_maths, segments
from theory.reading.errata.severity import Place
from theory.reading.latex.texts import differing, texts

SHORT = 260  # a display of more characters is shown by the fragment that changes
WORDS = re.compile(r"\w+|\s+|[^\w\s]")
FRACTION_CUT = re.compile(r"\\frac \{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}$")  # a numerator, and nothing after it
TONES = {
    Severity.KILLS: "refuted",
    Severity.CONSTANT: "repaired",
    Severity.HYPOTHESIS: "undecided",
    Severity.PEN: "cited",
    Severity.PEDANTIC: "void",
}
FOLDED = (Severity.PEN, Severity.PEDANTIC)  # shown on request, beside what is worse


@dataclass(frozen=True)
class Pair:
    """Printed and corrected, as they are set; `whole` when it is the whole display."""

    line: int
    printed: Markup
    corrected: Markup
    whole: bool


@dataclass(frozen=True)
class Card:
    row: Erratum
    anchor: str
    tone: str
    words: Markup
    because: Markup
    pairs: tuple[Pair, ...]
    witness: str
    outside: str
    found: str  # what a search finds beside the words of the card: ids, lines and LaTeX

    @property
    def again(self) -> tuple[int, ...]:
        return self.row.lines[1:]


def cards(rows: Sequence[Erratum]) -> list[Card]:
    return [_card(row) for row in worst_first(rows)]


def severities(rows: Sequence[Erratum]) -> list[tuple[Severity, str, int]]:
    """What occurs: the severity, its colour, how many."""
    counts = Counter(row.severity for row in rows)
    return [(one, TONES[one], counts[one]) for one in Severity if counts[one]]


def folded(rows: Sequence[Erratum]) -> tuple[Severity, ...]:
    """The severities whose cards are folded away: the mild ones, where there is anything worse to read first."""
    there = {row.severity for row in rows}
    return FOLDED if there - set(FOLDED) else ()


def _card(row: Erratum) -> Card:
    pairs = tuple(_pair(change) for change in row.changes)
    plain = " ".join((row.id, row.statement, *row.keys, *map(str, row.lines)))
    sides = f"; left side {row.main.left}, right side {row.main.right}" if row.main.left else ""
    broken = "; ".join(dict.fromkeys(words for one in row.shown for words in one.broken))
    return Card(
        row,
        f"err:{anchor(row.id)}",
        TONES[row.severity],
        sentence(row.words),
        sentence(row.because),
        pairs,
        point_text(row.main.witness) + sides if row.main.witness else "",
        f"{row.place.value} ({broken})" if row.place is Place.OUTSIDE else "",
        f"{plain} {' '.join(change.tex + ' ' + change.corrected_tex for change in row.changes)}",
    )


def sentence(words: str) -> Markup:
    """Words with the mathematics between dollars set."""
    parts = words.split("$")
    return Markup("").join(_set(part) if at % 2 else escape(part) for at, part in enumerate(parts))


def _set(tex: str, marks: frozenset[int] = frozenset(), block: bool = False) -> Markup:
    try:
        return Markup(tex_mathml(tex, block, marks))
    except MathsError:
        return Markup("<code>{}</code>").format(tex)


def _pair(change: Change) -> Pair:
    """The whole display when it is short or the fragment cannot stand alone; else the fragment."""
    alone = is_balanced(change.tex) and is_balanced(change.corrected_tex)
    if change.whole and (len(change.formula) <= SHORT or not alone):
        first, second = differing(texts(change.formula), texts(change.whole))
        return Pair(change.line, _set(change.formula, first, True), _set(change.whole, second, True), True)
    if is_maths(change.printed or change.tex, bool(change.display)) and r"\begin" not in change.tex:
        left, right = (tex if alone else mended(tex) for tex in (change.tex, change.corrected_tex))
        first, second = differing(texts(left), texts(right))
        return Pair(change.line, _set(left, first, True), _set(right, second, True) if right else Markup(""), False)
    before = _tokens(change.printed or change.tex, change.tex, change)
    after = _tokens(change.corrected or change.corrected_tex, change.corrected_tex, change)
    first, second = differing([f"{k}{t}" for k, t in before], [f"{k}{t}" for k, t in after])
    return Pair(change.line, _prose(before, first), _prose(after, second), False)


def mended(tex: str) -> str:
    r"""A fragment that is cut out of a formula, so that it can be set: a brace that opens nothing is left out, one that
    is open is closed, and what a fraction lacks is an ellipsis."""
    kept: list[str] = []
    opened = 0
    for token in texts(tex):
        opened += (token == "{") - (token == "}")
        if opened < 0:
            opened = 0
        else:
            kept.append(token)
    whole = " ".join((*kept, *["}"] * opened))
    return f"{whole} {{\\dots}}" if FRACTION_CUT.search(whole) else whole


def _tokens(source: str, tex: str, change: Change) -> list[tuple[str, str]]:
    """A sentence as words and tokens of formulas; the borders of a formula are tokens of their own."""
    if is_maths(source, bool(change.display)):
        return [("code", part) for part in texts(source)]
    found: list[tuple[str, str]] = []
    for kind, part in segments(source, tex):
        if kind == "maths" and is_balanced(part):
            found += [("maths", t) for t in texts(part)] + [("border", "")]
        else:
            told = re.sub(r"\\(?:eq)?ref\{(?:[a-z]+:)?([^{}]*)\}", r"\1", part).replace("~", " ")
            told = told.replace("\\item", "•").replace("\\Else", "Else").replace("\\Comment", "Comment")
            found += [("words", t) for t in WORDS.findall(told)]
    return found


def _prose(tokens: Sequence[tuple[str, str]], marked: frozenset[int]) -> Markup:
    parts: list[Markup] = []
    for kind, at, group in _runs(tokens):
        own = [at + k in marked for k in range(len(group))]
        if kind == "maths":
            parts.append(_set(_glued(group), frozenset(k for k, mark in enumerate(own) if mark)))
        elif kind != "border":
            parts += [Markup("<mark>{}</mark>").format(t) if m and not t.isspace() else escape(t)
                      for t, m in zip(group, own, strict=True)]  # fmt: skip
    return Markup("").join(parts)


def _runs(tokens: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int, list[str]]]:
    """Neighbours of one kind; a border ends a formula."""
    start = 0
    for at in range(1, len(tokens) + 1):
        if at == len(tokens) or tokens[at][0] != tokens[start][0]:
            yield tokens[start][0], start, [text for _, text in tokens[start:at]]
            start = at


def _glued(parts: Sequence[str]) -> str:
    return " ".join(parts)


def errata_csv(rows: Sequence[Erratum]) -> str:
    columns = ("line", "again", "id", "severity", "statement", "printed", "right", "words", "known", "witness", "hits")
    table = [
        (
            row.first_line,
            " ".join(map(str, row.lines[1:])),
            row.id,
            row.severity.value,
            row.statement,
            " | ".join(change.printed or change.tex for change in row.changes),
            " | ".join(change.corrected or change.corrected_tex for change in row.changes),
            row.words,
            row.source.value,
            point_text(row.main.witness),
            len(row.blast_radius),
        )
        for row in worst_first(rows)
    ]
    return as_csv(columns, table)
