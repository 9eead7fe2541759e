r"""Sentences with mathematics in them, set in a paper's notation.

    "T >= 8 sqrt(kt/(mu eta)) suffices"      the formula is found and set, the words stay words

Notes are typed on a keyboard: kt, L_l, x~, Sigma^-1, |x|_H^2. A run of names, numbers and signs is a formula when its
brackets are closed and something in it cannot be a word. Between `backticks` stands a formula or a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

from reports.mathml.keyboard import (
    ALONE,
    COMMAND,
    OPERATORS,
    PAIRS,
    RELATIONS,
    TAKING,
    WEAK,
    Token,
    name_latex,
    tokens,
)
from reports.mathml.tex import MathsError, tex_mathml
from reports.mathml.typed import Writer
from theory.reading.latex.notation import Notation

HYPHENATED = re.compile(r"[A-Za-z]{2,}(?:-[A-Za-z]+)+|[A-Za-z](?:-[A-Za-z]+){2,}")  # a name, not a difference
OPEN_ENDED = frozenset({*RELATIONS, *OPERATORS, *PAIRS, "^", "_", ",", "."})  # no formula ends so


class Prose:
    """Sets sentences; `formula` sets what stands in backticks and is a formula of the kernel."""

    def __init__(self, notation: Notation, formula: Callable[[str], str] | None = None) -> None:
        self.notation, self.formula = notation, formula
        self.known: dict[str, str] = {}

    def __call__(self, text: object) -> Markup:
        if isinstance(text, Markup):
            return text  # set already
        parts = re.split(r"`([^`\n]+)`", str(text))
        done = [self.quoted(part) if i % 2 else self.plain(part) for i, part in enumerate(parts)]
        return Markup("").join(done)

    def quoted(self, text: str) -> Markup:
        """A command as code, anything else as mathematics where that can be done."""
        if not COMMAND.search(text) and not HYPHENATED.fullmatch(text):
            if self.formula is not None and (set_ := self.formula(text)):
                return Markup(set_)
            found = self.run(tokens(text), 0)
            if found and found[1] == len(tokens(text)):
                return Markup(found[0])
        return Markup("<code>{}</code>").format(text)

    def plain(self, text: str) -> Markup:
        given, at, done = tokens(text), 0, []
        while at < len(given):
            found = self.run(given, at)
            if found:
                done.append(Markup(found[0]))
                at = found[1]
            else:
                done.append(escape(given[at].text))
                at += 1
        return Markup("").join(done)

    def run(self, given: Sequence[Token], start: int) -> tuple[str, int] | None:
        """The formula that starts here, as MathML, with the place after it."""
        if given[start].text in RELATIONS and len(given[start].text) > 1 and _text(given, start + 1) == " ":
            return tex_mathml(RELATIONS[given[start].text], block=False), start + 1
        if not self.starts(given, start):
            return None
        end = self.extent(given, start)
        while end > start:
            piece = given[start:end]
            if self.is_formula(given, start, end):
                try:
                    return tex_mathml(Writer(self.latex, self.notation, piece).all(), block=False), end
                except (MathsError, IndexError):
                    pass
            end -= 1
        return None

    def starts(self, given: Sequence[Token], at: int) -> bool:
        token = given[at]
        if token.kind in ("number", "size"):
            return not (at and given[at - 1].kind == "name" and given[at - 1].text[-1:].isalpha())
        if token.kind == "name":
            return self.is_atom(given, at)
        signs = ("(", "|", "‖", "{", "[") if at + 1 < len(given) and given[at + 1].kind != "space" else ()
        tight = at + 1 < len(given) and (given[at + 1].kind in ("name", "number") or given[at + 1].text == "(")
        before = at == 0 or given[at - 1].kind == "space" or given[at - 1].text in ("(", "[")
        return token.text in signs or (token.text in ("+", "-", "−", "<", "±") and tight and before)

    def extent(self, given: Sequence[Token], start: int) -> int:
        """As far as names, numbers and signs reach; a word, a reference or the end of a sentence stops it."""
        at, depth = start, 0
        while at < len(given):
            token = given[at]
            if token.kind in ("ref", "text", "other"):
                break
            if token.kind == "name" and not (self.is_atom(given, at) or _after_script(given, at)):
                break
            if token.text in PAIRS:
                depth += 1
            elif token.text in PAIRS.values():
                depth -= 1
                if depth < 0:
                    break
            elif self.ends(given, at, listed=depth > 0 or given[start].text == "<"):
                break
            at += 1
        return at

    def ends(self, given: Sequence[Token], at: int, listed: bool) -> bool:
        """Is this sign one of the sentence, not of the formula? `listed`: a comma may stand here."""
        text = given[at].text
        if text in ("'", "''"):
            return not (given[at - 1].kind == "name" and len(given[at - 1].text) < 3)
        return (
            (text == "," and not listed)
            or (text == "." and not self.is_dot(given, at))
            or (text in ("-", "−") and self.is_hyphen(given, at))
        )

    def is_dot(self, given: Sequence[Token], at: int) -> bool:
        """a.x and a.(x - y) are products; else it is the end of a sentence."""
        tight = at + 1 < len(given) and (given[at + 1].kind == "name" or given[at + 1].text == "(")
        return tight and at > 0 and given[at - 1].kind == "name" and len(given[at - 1].text) == 1

    def is_hyphen(self, given: Sequence[Token], at: int) -> bool:
        if at == 0 or at + 1 >= len(given):
            return False
        return given[at - 1].kind != "space" and given[at + 1].kind == "name" and not self.is_atom(given, at + 1)

    def is_atom(self, given: Sequence[Token], at: int) -> bool:
        """Can this name stand in a formula, here?"""
        name = given[at].text
        if name in WEAK or (name == "A" and self.opens(given, at)):
            return self.touches(given, at)
        if name in ALONE:
            if at + 2 < len(given) and name in TAKING and given[at + 1].kind == "space":
                return given[at + 2].kind == "name" and given[at + 2].text not in WEAK and self.is_atom(given, at + 2)
            return at + 1 < len(given) and (given[at + 1].text in ("(", "{") or _after_script(given, at))
        if name in ("tr", "ln", "grad", "sqrt", "diag"):
            return True
        return self.latex(name) != ""

    def opens(self, given: Sequence[Token], at: int) -> bool:
        """Does a sentence begin here?"""
        before = [t for t in given[max(0, at - 2) : at] if t.kind != "space"]
        return not before or before[-1].text in (".", ":", ";")

    def touches(self, given: Sequence[Token], at: int) -> bool:
        """Is there a sign beside it that only formulas have?"""
        signs = {*RELATIONS, "+", "-", "^", "_", "|", "‖", "/", "*", "~"}
        after = given[at + 1] if at + 1 < len(given) else Token("other", ".")
        behind = given[at - 1] if at else Token("other", "")
        if after.text in {"^", "_", "|", "/", "*", "~"} or behind.text in {"|", "(", "/", "^", "_", "*", "{"}:
            return True
        if after.text == ".":
            return self.is_dot(given, at + 1)
        if after.kind == "script" or (_text(given, at + 2) == "a" and self.touches(given, at + 2)):
            return True
        near = [t.text for t in given[max(0, at - 2) : at + 3] if t.kind == "sign"]
        return after.kind == "space" and bool(near) and any(one in signs - {"-"} for one in near)

    def is_formula(self, given: Sequence[Token], start: int, end: int) -> bool:
        """Closed brackets, whole ends, and something in it that is no word and no plain number."""
        piece = given[start:end]
        last = piece[-1]
        whole = last.text in ("*", "…", "...") or (last.text == ">" and piece[0].text == "<")
        if last.kind == "space" or (last.text in OPEN_ENDED and not whole):
            return False
        if not _closed(piece) or (piece[0].text in PAIRS and end - start > 1 and _spans(piece) and not _signed(piece)):
            return False
        return any(t.kind in ("size", "script") or (t.kind == "name" and t.text not in WEAK) for t in piece) or (
            any(t.kind == "sign" and t.text in {*RELATIONS, "+", "/", "^", "-", "*"} for t in piece)
            and any(t.kind in ("number", "name") for t in piece)
        )

    def latex(self, name: str) -> str:
        """A name as LaTeX; "" for a word."""
        if name not in self.known:
            self.known[name] = name_latex(name, self.notation)
        return self.known[name]


def _text(given: Sequence[Token], at: int) -> str:
    return given[at].text if at < len(given) else ""


def _after_script(given: Sequence[Token], at: int) -> bool:
    return at > 0 and given[at - 1].text in ("_", "^")


def _closed(piece: Sequence[Token]) -> bool:
    stack: list[str] = []
    for token in piece:
        if token.text in PAIRS:
            stack.append(PAIRS[token.text])
        elif token.text in PAIRS.values() and (not stack or stack.pop() != token.text):
            return False
    bars = sum(t.text == "|" for t in piece) + sum(t.text == "‖" for t in piece)
    angles = bool(piece) and piece[0].text == "<"
    return not stack and bars % 2 == 0 and (not angles or {",", ">"} <= {t.text for t in piece})


def _spans(piece: Sequence[Token]) -> bool:
    """Is it one bracket from end to end?"""
    depth = 0
    for position, token in enumerate(piece):
        depth += (token.text in PAIRS) - (token.text in PAIRS.values())
        if depth == 0:
            return position == len(piece) - 1
    return False


def _signed(piece: Sequence[Token]) -> bool:
    return piece[0].text != "(" or any(t.text in {*RELATIONS, *OPERATORS, "^", ","} or t.kind == "size" for t in piece)
