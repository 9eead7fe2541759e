r"""A printed fragment of LaTeX as a text of the language of claims: nobody types what is printed a second time.

Products may be written side by side; `/` divides by the next factor only. What is not understood is refused by name.

    read(r"\frac{1-\theta}{1+\theta}", {r"\theta": "theta"})    ->  ((1-theta)/(1+theta))
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from theory.kernel import Malformed

SPACES = re.compile(r"\s+|\\[,;!:]|\\quad|&(?=[=<>])")
OPEN = {"(": ")", "{": "}", "[": "]", r"\left(": r"\right)", r"\left[": r"\right]"}


def squeezed(tex: str) -> str:
    """Without anything that changes the look only; a space between a command and a letter is kept as {}."""
    joined = re.sub(r"(\\[A-Za-z]+)\s+(?=[A-Za-z])", r"\1{}", tex)
    return SPACES.sub("", joined)


def occurs(fragment: str, formula: str) -> bool:
    """Does the display print this fragment?"""
    return squeezed(fragment) in squeezed(formula)


def read(fragment: str, names: Mapping[str, str]) -> str:
    """The fragment as a claim writes it; `names` says which LaTeX is which name."""
    reader = _Reader(squeezed(fragment), {squeezed(tex): name for tex, name in names.items()})
    text = reader.sum()
    if reader.rest:
        raise Malformed(f"cannot read {reader.rest[:40]!r} in the printed {fragment!r}; name it, or cut the fragment")
    return text


class _Reader:
    """Recursive descent over the squeezed source."""

    def __init__(self, source: str, names: Mapping[str, str]) -> None:
        self.rest, self.source = source, source
        self.names = sorted(names.items(), key=lambda item: -len(item[0]))

    def take(self, start: str) -> bool:
        if not self.rest.startswith(start):
            return False
        self.rest = self.rest[len(start) :]
        return True

    def need(self, start: str) -> None:
        if not self.take(start):
            raise Malformed(f"expected {start!r} before {self.rest[:40]!r} in the printed {self.source!r}")

    def sum(self) -> str:
        text = f"-{self.product()}" if self.take("-") else self.product()
        while self.rest[:1] in ("+", "-") and self.rest:
            sign, self.rest = self.rest[0], self.rest[1:]
            text += f" {sign} {self.product()}"
        return text

    def product(self) -> str:
        text = self.power()
        while True:
            if self.take("/"):
                text += f"/{self.power()}"
            elif self.take(r"\cdot") or self.starts_factor():
                text += f"*{self.power()}"
            else:
                return text

    def starts_factor(self) -> bool:
        self.take("{}")
        if not self.rest or self.rest[0] in "+-=<>,.})]&":
            return False
        return not self.rest.startswith((r"\\", r"\right", r"\end", r"\leq", r"\geq", "]"))

    def power(self) -> str:
        base = self.atom()
        if not self.take("^"):
            return base
        return f"{base}**{self.argument()}"

    def argument(self) -> str:
        """{…}, or one character."""
        if self.take("{"):
            text = self.sum()
            self.need("}")
            return text if re.fullmatch(r"\w+", text) else f"({text})"
        found = re.match(r"\d|[A-Za-z]", self.rest)
        if found is None:
            return self.atom()
        self.rest = self.rest[1:]
        return dict(self.names).get(found[0], found[0])

    def atom(self) -> str:
        self.take("{}")
        for tex, name in self.names:
            if self.take(tex):
                return name
        number = re.match(r"\d+", self.rest)
        if number:
            self.rest = self.rest[number.end() :]
            return number[0]
        if self.take(r"\frac") or self.take(r"\dfrac"):
            above = self.argument()
            return f"({above}/{self.argument()})"
        if self.take(r"\sqrt"):
            inner = self.argument()
            return f"sqrt({inner})"
        if self.take(r"\begin{pmatrix}"):
            return self.matrix()
        for opening, closing in OPEN.items():
            if self.take(opening):
                inner = self.sum()
                self.need(closing)
                return f"({inner})"
        raise Malformed(f"cannot read {self.rest[:40]!r} in the printed {self.source!r}; give it a name")

    def matrix(self) -> str:
        rows: list[list[str]] = [[]]
        while True:
            rows[-1].append(self.sum())
            if self.take("&"):
                continue
            if self.take(r"\\"):
                rows.append([])
                continue
            self.need(r"\end{pmatrix}")
            break
        if all(len(row) == 1 for row in rows):
            return "[" + ", ".join(row[0] for row in rows) + "]"
        return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"
