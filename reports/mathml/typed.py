"""A run of typed mathematics as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from reports.mathml.keyboard import FUNCTIONS, OPERATORS, PAIRS, RAISED, RELATIONS, SCRIPTS, Token
from theory.reading.latex.notation import Notation


class Writer:
    """One run of tokens; `latex` writes a name."""

    def __init__(self, latex: Callable[[str], str], notation: Notation, piece: Sequence[Token]) -> None:
        self.latex, self.notation, self.piece, self.at = latex, notation, piece, 0

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
        square = self.notation.glyphs.get(f"{name}2")
        if self.peek() == "^" and self.peek(1) == "2" and square is not None and "^" in square.latex:
            self.at += 2
            return square.latex
        latex = self.latex(name) or FUNCTIONS.get(name, name)
        family = self.notation.glyphs.get(f"{name}_{self.peek(2)}") if self.peek() == "_" else None
        if family is not None and "mathbf" not in family.latex:  # A_{m-1} is one of the numbers A_m, not of the block A
            latex = family.latex
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
            return sign + (self.latex(name) or rf"\mathrm{{{name}}}")
        return sign + {"∞": r"\infty"}.get(token.text, token.text)
