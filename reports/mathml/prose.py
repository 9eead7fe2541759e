r"""Sentences with mathematics in them, set in a paper's notation.

    "T >= 8 sqrt(kt/(mu eta)) suffices"      the formula is found and set, the words stay words

Notes are typed on a keyboard: kt, L_l, x~, Sigma^-1, |x|_H^2. A run of names, numbers and signs is a formula when its
brackets are closed and something in it cannot be a word. Between `backticks` stands a formula or a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape

from reports.mathml.tex import MathsError, tex_mathml
from theory.reading.latex.notation import GREEK, SHORT, Notation

REFERENCE = r"\b(?:lem|thm|cor|rem|def|ass|alg|prop|disp|sec|eq|law):[^\s,;()]*[\w*~]"
TOKEN = re.compile(
    rf"(?P<ref>{REFERENCE})"
    r"|(?P<text>\b(?:e\.g\.|i\.e\.|(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40}\b|\d+(?:st|nd|rd|th)\b|[a-z]-th\b|\d+-\d+(?![\w^./])|[^\W\d_]{3,}'s?\b))"
    r"|(?P<size>\b\d+x\d+\b|\b\d*[dn] x \d*[dn]\b)"
    r"|(?P<name>(?:[A-Za-zΑ-Ωα-ωℓÀ-ÿ]\u0303?)+\d*(?:_(?:max|min|eff|var|[A-Za-z0-9](?![A-Za-z0-9])))*)"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<script>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵏᵀ]+|[₀₁₂₃₄₅₆₇₈₉₋₊ₜₖᵢ]+)"
    r"|(?P<space>\s+)"
    r"|(?P<sign><=>|<=|>=|==|!=|=>|->|<~|\.\.\.|\.\.|…|''|[-+*/=<>|^_~'(){}\[\],.‖≤≥⪯−·×∞∑⇒→∘±])"
    r"|(?P<other>.)",
    re.S,
)
RELATIONS = {
    "<=": r"\leq ", ">=": r"\geq ", "=": "=", "==": "=", "!=": r"\neq ", "<": "<", ">": ">", "<~": r"\lesssim ",
    "=>": r"\implies ", "<=>": r"\iff ", "->": r"\to ", "≤": r"\leq ", "≥": r"\geq ", "⪯": r"\preceq ", "⇒": r"\implies ",
    "→": r"\to ",
}  # fmt: skip
OPERATORS = {"+": "+", "-": "-", "−": "-", "/": "/", "*": r"\,", "·": r"\cdot ", "×": r"\times ", "...": r"\dots ",
             "..": r",\dots,", "…": r"\dots ", "∘": r"\circ ", "±": r"\pm "}  # fmt: skip
FUNCTIONS = {
    "sqrt": r"\sqrt", "tr": r"\operatorname{tr}", "ln": r"\ln", "log": r"\log", "exp": r"\exp", "sin": r"\sin",
    "cos": r"\cos", "tan": r"\tan", "max": r"\max", "min": r"\min", "diag": r"\operatorname{diag}", "grad": r"\nabla ",
    "infinity": r"\infty ", "inf": r"\infty ", "limsup": r"\limsup ", "Omega": r"\Omega", "bias": "", "E": r"\mathbb{E}",
}  # fmt: skip
WEAK = {"a"}  # a word as well
TAKING = {"log", "exp", "sin", "cos", "tan"}
ALONE = {"max", "min", "inf", "infinity", "bias", "limsup", *TAKING}  # words where nothing follows
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵏᵀ"
SCRIPTS = dict(zip(f"{RAISED}₀₁₂₃₄₅₆₇₈₉₋₊ₜₖᵢ", (*"0123456789-k", r"\top ", *"0123456789-+tki"), strict=True))
LETTERS = {"ℓ": r"\ell ", "λ": r"\lambda ", "κ": r"\kappa ", "θ": r"\theta ", "η": r"\eta ", "α": r"\alpha ",
           "μ": r"\mu ", "γ": r"\gamma ", "ζ": r"\zeta ", "σ": r"\sigma ", "ε": r"\varepsilon ", "δ": r"\delta ",
           "φ": r"\varphi ", "ψ": r"\psi ", "Σ": r"\boldsymbol{\Sigma}", "Π": r"\boldsymbol{\Pi}", "Ω": r"\Omega "}  # fmt: skip
COMMAND = re.compile(r"lemmalab\b|make\b|python\b|pytest\b|git\b|--|\.\w+/|[\w/]+\.(?:json|py|toml|tex)\b|:printed\b")
PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    return tuple(Token(m.lastgroup or "other", m[0]) for m in TOKEN.finditer(text))


class Prose:
    """Sets sentences; `formula` sets what stands in backticks and is a formula of the kernel."""

    def __init__(self, notation: Notation, formula: Callable[[str], str] | None = None) -> None:
        self.notation, self.formula = notation, formula
        self.known: dict[str, str] = {}

    def __call__(self, text: object) -> Markup:
        parts = re.split(r"`([^`\n]+)`", str(text))
        done = [self.quoted(part) if i % 2 else self.plain(part) for i, part in enumerate(parts)]
        return Markup("").join(done)

    def quoted(self, text: str) -> Markup:
        """A command as code, anything else as mathematics where that can be done."""
        if not COMMAND.search(text):
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
                    return tex_mathml(_Writer(self, piece).all(), block=False), end
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
            elif token.text == "," and depth == 0 and not (given[start].text == "<"):
                break
            elif token.text == "." and not self.is_dot(given, at):
                break
            elif token.text in ("-", "−") and self.is_hyphen(given, at):
                break
            elif token.text in ("'", "''") and not (given[at - 1].kind == "name" and len(given[at - 1].text) < 3):
                break
            at += 1
        return at

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
        if piece[-1].kind == "space" or piece[-1].text in {*RELATIONS, *OPERATORS, "^", "_", ",", ".", *PAIRS} - {
            "*", "…", "...", ">",
        }:  # fmt: skip
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
            self.known[name] = _latex(name, self.notation)
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


def _base(stem: str, notation: Notation) -> str:
    if stem.endswith("\u0303"):
        inner = _base(stem[:-1], notation)
        return rf"\tilde{{{inner}}}" if inner else ""
    if stem in LETTERS:
        return LETTERS[stem]
    if stem in FUNCTIONS and stem not in ("bias",):
        return FUNCTIONS[stem]
    known = notation.glyphs.get(stem)
    if known is not None and (len(stem) > 1 or stem.isupper()) and _is_symbol(stem):
        plain = known.latex
        return re.split(r"[_^(]", plain, maxsplit=1)[0] if len(stem) == 1 else plain
    if stem == "ell" or stem == "l":
        return r"\ell "
    if stem in GREEK:
        return f"\\{stem} "
    if stem in SHORT:
        return f"\\{SHORT[stem]} "
    return stem if len(stem) == 1 and stem.isascii() else ""


def _is_symbol(name: str) -> bool:
    """Names of the symbols file that no sentence uses as words."""
    told = name in GREEK or name in SHORT or name in ("kt", "ktm", "ktb", "thk")
    return len(name) == 1 or told or not name.islower() or any(c.isdigit() for c in name)


def _latex(name: str, notation: Notation) -> str:
    stem, *lower = name.split("_")
    known = notation.glyphs.get(name)
    if lower and known is not None and len(lower) == 1:
        return known.latex.partition("(")[0]
    numbered = re.fullmatch(r"([^\W\d_]\u0303?|[A-Za-z]+?)(\d+)", stem)
    if numbered and name not in notation.glyphs:
        stem, lower = numbered[1], [numbered[2], *lower]
    base = _base(stem, notation)
    if not base:
        return ""
    if len(stem) > 1 and stem in notation.glyphs and lower:
        base = re.split(r"[_^]", notation.glyphs[stem].latex, maxsplit=1)[0]
    return base + "".join(rf"_{{{_lower(part)}}}" for part in lower[:1])


def _lower(part: str) -> str:
    return rf"\{part}" if part in ("max", "min") else rf"\mathrm{{{part}}}" if len(part) > 1 and part.isalpha() else (
        r"\ell " if part == "l" else part
    )  # fmt: skip


class _Writer:
    """One run of tokens as LaTeX."""

    def __init__(self, prose: Prose, piece: Sequence[Token]) -> None:
        self.prose, self.piece, self.at = prose, piece, 0

    def all(self, end: str = "") -> str:
        """Up to the closing sign, or to the end; what is opened within is closed within."""
        done: list[str] = []
        while self.at < len(self.piece) and (not end or self.piece[self.at].text != end):
            opened = self.piece[self.at].text
            done.append(self.one())
            if opened in PAIRS and end == PAIRS[opened]:
                done += [self.all(end), self.one()]
        return "".join(done)

    def peek(self, ahead: int = 0) -> str:
        return self.piece[self.at + ahead].text if self.at + ahead < len(self.piece) else ""

    def one(self) -> str:
        token = self.piece[self.at]
        self.at += 1
        if token.kind == "space":
            return " "
        if token.kind == "size":
            return re.sub(r"\s*x\s*", r"\\times ", token.text)
        if token.kind == "script":
            mark = "^" if token.text[0] in RAISED else "_"
            return f"{mark}{{{''.join(SCRIPTS[c] for c in token.text)}}}"
        if token.kind == "name":
            return self.accented(self.name(token.text))
        if token.kind == "number":
            return token.text
        return self.sign(token.text)

    def name(self, name: str) -> str:
        if name == "sqrt" and self.peek() == "(":
            self.at += 1
            inner = self.all(")")
            self.at += 1
            return rf"\sqrt{{{inner}}}"
        square = self.prose.notation.glyphs.get(f"{name}2")
        if self.peek() == "^" and self.peek(1) == "2" and square is not None and "^" in square.latex:
            self.at += 2
            return square.latex
        latex = self.prose.latex(name) or FUNCTIONS.get(name, name)
        if self.peek() == "_" or (self.peek() == "^" and "^" in latex):
            latex = re.split(r"[_^]", latex, maxsplit=1)[0]
        if self.peek() == "." and self.peek(1) not in ("", " "):
            self.at += 1
            return latex + r"^{\top}"
        return latex

    def accented(self, base: str) -> str:
        if self.peek() == "~":
            self.at += 1
            base = self.over("tilde", base)
        if self.peek() == "^" and self.peek(1) == "_":
            self.at += 1
            base = self.over("hat", base)
        if self.peek() == "+" and self.peek(1) == "*" and not self.starts_atom(self.at + 2):
            self.at += 1
            base += "_{+}"
        if self.peek() == "*" and not self.starts_atom(self.at + 1):
            self.at += 1
            base += "^{*}"
        return base

    @staticmethod
    def over(accent: str, base: str) -> str:
        stem, mark, rest = base.partition("_")
        return rf"\{accent}{{{stem}}}{mark}{rest}"

    def starts_atom(self, at: int) -> bool:
        return at < len(self.piece) and (self.piece[at].kind in ("name", "number") or self.piece[at].text == "(")

    def sign(self, text: str) -> str:
        if text in ("^", "_"):
            return f"{text}{{{self.script()}}}"
        if text == "<" and self.at == 1 and self.peek() not in (" ", ""):
            inner = self.all(">")
            self.at += 1
            return rf"\langle {inner}\rangle "
        if text in ("|", "‖"):
            inner = self.all(text)
            self.at += 1
            bar = r"\|" if text == "‖" or self.peek() == "_" else "|"
            return rf"{bar}{inner}{bar}"
        if text == "[" and self.peek() == "[":
            return self.matrix()
        if text in ("{", "}"):
            return rf"\{text}"
        if text == ".":
            return r"\cdot "
        return RELATIONS.get(text) or OPERATORS.get(text) or {"∞": r"\infty ", "∑": r"\sum "}.get(text, text)

    def matrix(self) -> str:
        """[[a, b], [c, d]]"""
        rows = []
        while self.peek() == "[":
            self.at += 1
            rows.append(self.all("]").replace(",", " & "))
            self.at += 1
            while self.peek() in (",", " "):
                self.at += 1
        self.at += 1
        return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"

    def script(self) -> str:
        """What stands raised or lowered: a group in braces or brackets, or one sign and one atom."""
        if self.peek() in ("{", "("):
            close = PAIRS[self.peek()]
            opened = self.peek()
            self.at += 1
            inner = self.all(close)
            self.at += 1
            layer = opened == "(" and re.match(r"\\ell\b|[il\d]$", inner.strip())
            return f"({inner})" if layer else inner
        sign = ""
        if self.peek() in ("-", "+", "−"):
            sign, self.at = "-" if self.peek() != "+" else "+", self.at + 1
        token = self.piece[self.at]
        self.at += 1
        if token.text == "*":
            return sign + "*"
        if token.kind == "name":
            name = token.text
            if name in ("T", "tT", "kT"):
                return sign + name[:-1] + r"\top"
            return sign + (self.prose.latex(name) or rf"\mathrm{{{name}}}")
        return sign + {"∞": r"\infty"}.get(token.text, token.text)
