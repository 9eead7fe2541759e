r"""LaTeX formulas to MathML: the part of the language that papers use in displays, read strictly.

    tex_mathml(r"\frac{1}{2}\|\mathbf{x}\|^2")
    tex_mathml("x+y", marks=frozenset({2}))      the third token is marked as changed

Unknown commands, stray braces and ampersands raise `MathsError`, which names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape

from reports.mathml import letters
from reports.mathml.elements import element, fence, math, mi, mn, mo, mtext, row, space
from reports.mathml.tables import ENVIRONMENTS, table

TOKEN = re.compile(r"\\text\{[^{}]*\}|\\[a-zA-Z]+\*?|\\.|\d+(?:\.\d+)?|\s+|.", re.S)
TEXT = r"\text{"
END = ""
CLASS = re.compile(r"^<(\w+)")
TIGHT = re.compile(r"<mo>([^<()\[\]{}⟨⟩⌊⌋⌈⌉|‖]|&[lg]t;)</mo>")  # what does not stretch
OPEN, CLOSE = "([", ")]"
CLOSED = ("</mo>", "/>", *(f"{one}</mi>" for one in "([{⟨⌊⌈|‖/∗"))  # after these a name needs no gap
SIGNED = re.compile(r"[(\[{⟨,;=≤≥≺≻≼≽⪯⪰∈→↦∼≈]</m[io]>$")  # after these plus and minus are signs
SIGN = re.compile(r'^(<mrow class="changed">)?<mo(?=(?: class="changed")?>[−+]</mo>)')


class MathsError(ValueError):
    """A formula that cannot be set; the message names the command and the formula."""


@lru_cache(maxsize=4096)
def tex_mathml(source: str, block: bool = True, marks: frozenset[int] = frozenset()) -> str:
    """The formula as a <math> element; `marks` are numbers of tokens, spaces not counted."""
    reader = _Reader(source, marks)
    inner = reader.until(END)
    return math("".join(inner), block)


class _Reader:
    """One pass over the tokens; each method returns finished MathML."""

    def __init__(self, source: str, marks: frozenset[int] = frozenset()) -> None:
        self.source, self.marks, self.at = source, marks, -1
        self.tokens: Iterator[str] = (t for t in TOKEN.findall(source) if not t.isspace())
        self.ahead: list[str] = []

    def fail(self, words: str) -> MathsError:
        return MathsError(f"{words} in {self.source[:80]!r}; teach reports/mathml/tex.py or write it otherwise")

    def peek(self) -> str:
        if not self.ahead:
            self.ahead.append(next(self.tokens, END))
        return self.ahead[0]

    def take(self) -> str:
        token = self.peek()
        self.ahead.clear()
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        found = self.take()
        if found != token:
            raise self.fail(f"{token!r} expected, {found!r} found")

    def until(self, *ends: str, after: str = "") -> list[str]:
        """Atoms with their scripts, up to one of the tokens (which is not taken); `after` is what stands before."""
        found: list[str] = []
        while self.peek() not in ends:
            if self.peek() == END:
                raise self.fail(f"{ends[0]!r} is missing at the end")
            if found and self._is_name(self.peek()) and not found[-1].endswith(CLOSED):
                found.append(space("0.167em"))
            sign = SIGNED.search(found[-1] if found else after)
            atom = self.scripted()
            found.append(SIGN.sub(r'\1<mo form="prefix"', atom) if sign else atom)
        return found

    def group(self) -> str:
        """An argument: a group in braces, or a single token."""
        if self.peek() != "{":
            return self.atom()
        self.take()
        inner = self.until("}")
        self.take()
        return row(inner) if inner else "<mrow></mrow>"

    def raw(self) -> str:
        """The text of an argument, without its spaces."""
        self.expect("{")
        parts: list[str] = []
        while self.peek() != "}":
            if self.peek() == END:
                raise self.fail("'}' is missing at the end")
            parts.append(self.take())
        self.take()
        return "".join(parts)

    def scripted(self) -> str:
        limits = self.peek().lstrip("\\") in {*letters.BIG, *letters.LIMITS} or self.peek() in {
            r"\underbrace", r"\overbrace", r"\operatorname*",
        }  # fmt: skip
        named = self._is_name(self.peek())
        base = self.atom()
        low, high = self.scripts()
        done = _with_scripts(base, low, high, limits)
        return done + space("0.167em") if named and self._needs_gap() else done

    @staticmethod
    def _is_name(token: str) -> bool:
        return token.startswith("\\") and token[1:].rstrip("*") in {*letters.NAMES, *letters.LIMITS, "operatorname"}

    def _needs_gap(self) -> bool:
        """tr M, but tr(M); a name at the end or before a relation needs no gap either."""
        nxt = self.peek()
        if nxt in (END, "}", "(", "[", ",", "&", r"\\", r"\right", r"\left", r"\,", "+", "-", "=", r"\end"):
            return False
        return nxt.lstrip("\\") not in letters.RELATIONS and nxt.lstrip("\\") not in letters.SIZES

    def scripts(self) -> tuple[str, str]:
        low = ""
        high: list[str] = []
        primes = 0
        while self.peek() in ("_", "^", "'"):
            mark = self.take()
            if mark == "'":
                primes += 1
            elif mark == "_":
                if low:
                    raise self.fail("two subscripts")
                low = _tight(self.group())
            else:
                high.append(_tight(self.group()))
        if len(high) > 1:
            raise self.fail("two superscripts")
        if primes:
            high.insert(0, mi({1: "′", 2: "″"}.get(primes, "′" * primes)))
        return low, row(high) if high else ""

    def atom(self) -> str:
        """A symbol is marked when one of its tokens is, a fraction and its like when all of them are."""
        first = self.at + 1
        whole = self.peek().lstrip("\\") in {"{", *HANDLERS} - {"mathrm", "operatorname", "operatorname*"}
        built = self._atom()
        own = [k in self.marks for k in range(first, self.at + 1)]
        return CLASS.sub(r'<\1 class="changed"', built, count=1) if own and (all(own) if whole else any(own)) else built

    def _atom(self) -> str:
        token = self.take()
        if token == "{":
            inner = self.until("}")
            self.take()
            return row(inner) if inner else "<mrow></mrow>"
        if token.startswith(TEXT):
            return mtext(token[len(TEXT) : -1])
        if token.startswith("\\"):
            return self.command(token[1:])
        return self.character(token)

    def character(self, token: str) -> str:
        if token[0].isdigit():
            return mn(token)
        if token.isalpha():
            return mi(token)
        if token in OPEN or token in CLOSE or token == "|":
            return fence(token)
        if token in "+=<>":
            return mo(token)
        simple = {"-": mo("−"), "*": mi("∗"), "/": mi("/")}
        if token in simple:
            return simple[token]
        if token in ",;:.":
            return mo(token) if token in ",;" else mo(token, lspace="0", rspace="0.167em")
        raise self.fail(f"the character {token!r} has no meaning here")

    def command(self, name: str) -> str:
        for table_, make in SIMPLE:
            if name in table_:
                return make(table_[name])
        if name in letters.ALPHABETS:
            return self.alphabet(letters.ALPHABETS[name])
        if name in letters.SIZES:
            return self.sized(letters.SIZES[name])
        if name in letters.ACCENTS:
            return element("mover", self.group() + mi(letters.ACCENTS[name]), accent="true")
        if name in letters.NAMES:
            return mi(name)
        handler = HANDLERS.get(name)
        if handler is None:
            raise self.fail(f"the command \\{name} is not known")
        return handler(self)

    def alphabet(self, change: Callable[[str], str]) -> str:
        letters_of = self.raw() if self.peek() == "{" else self.take()
        known = {f"\\{k}": v for k, v in {**letters.GREEK, **letters.CAPITALS, **letters.IDENTIFIERS}.items()}
        parts = [t for t in TOKEN.findall(letters_of) if not t.isspace()]
        if any(t.startswith("\\") and t not in known for t in parts):
            raise self.fail(f"letters expected in {letters_of!r}")
        changed = "".join(change(letter) for t in parts for letter in known.get(t, t))
        return mi(changed, upright=True)

    def sized(self, size: str) -> str:
        return mo(self.delimiter(), stretchy="true", minsize=size, maxsize=size, lspace="0", rspace="0")

    def delimiter(self) -> str:
        token = self.take()
        if token == ".":
            return ""
        if token.startswith("\\") and token[1:] in letters.FENCES:
            return letters.FENCES[token[1:]]
        if token in (*OPEN, *CLOSE, "|", "/"):
            return token
        raise self.fail(f"{token!r} is no delimiter")

    def stretched(self) -> str:
        left = self.delimiter()
        parts = [_stretched(left, "prefix")] if left else []
        parts += self.until(r"\right", after="".join(parts))
        self.take()
        right = self.delimiter()
        parts += [_stretched(right, "postfix")] if right else []
        return element("mrow", "".join(parts))

    def environment(self) -> str:
        name = self.raw()
        if name not in ENVIRONMENTS:
            raise self.fail(f"the environment {name} is not known")
        rows: list[list[str]] = [[]]
        while True:
            rows[-1].append("".join(self.until("&", r"\\", r"\end")))
            mark = self.take()
            if mark == r"\\":
                rows.append([])
            elif mark == r"\end":
                break
        closing = self.raw()
        if closing != name:
            raise self.fail(f"\\begin{{{name}}} ends with \\end{{{closing}}}")
        return table(name, [cells for cells in rows if any(cells)])


def _stretched(text: str, form: str) -> str:
    """At the ends of a row of their own brackets and bars stretch by themselves; what turns its back has to be told."""
    if text in ("([{⟨⌊⌈|‖" if form == "prefix" else ")]}⟩⌋⌉|‖"):
        return mo(text)
    return mo(text, stretchy="true", form=form, lspace="0", rspace="0")


def _tight(script: str) -> str:
    """Signs in scripts stand close, as in print: as identifiers they leave no gap."""
    return TIGHT.sub(r"<mi>\1</mi>", script)


def _with_scripts(base: str, low: str, high: str, limits: bool) -> str:
    if not low and not high:
        return base
    if limits:
        kind = "munderover" if low and high else "munder" if low else "mover"
        return element(kind, base + low + high)
    kind = "msubsup" if low and high else "msub" if low else "msup"
    return element(kind, base + low + high)


def _fraction(reader: _Reader) -> str:
    top = reader.group()
    return element("mfrac", top + reader.group())


def _choose(reader: _Reader) -> str:
    top = reader.group()
    inner = element("mfrac", top + reader.group(), linethickness="0")
    return element("mrow", mo("(", stretchy="true") + inner + mo(")", stretchy="true"))


def _root(reader: _Reader) -> str:
    return element("msqrt", reader.group())


def _over(reader: _Reader) -> str:
    above = reader.group()
    return element("mover", reader.group() + above)


def _named(reader: _Reader) -> str:
    return mi(reader.raw().replace(r"\,", " "), upright=True)


def _spelled(reader: _Reader) -> str:
    """A name as it is spelled in code."""
    return element("mi", escape(reader.raw().replace(r"\_", "_")), class_="spelled")


def _brace(reader: _Reader) -> str:
    return element("munder", reader.group() + mo("⏟", stretchy="true"))


def _middle(reader: _Reader) -> str:
    return mo(reader.delimiter(), stretchy="true", form="infix", lspace="0.1em", rspace="0.1em")


def _operator(text: str) -> str:
    if text == "⊤":
        return mi(text)
    return mo(text, lspace="0", rspace="0") if text in "⋆∗†∙′¬∀∃" else mo(text)


SIMPLE: tuple[tuple[dict[str, str], Callable[[str], str]], ...] = (
    (letters.GREEK, mi),
    (letters.CAPITALS, lambda text: mi(text, upright=True)),
    (letters.IDENTIFIERS, lambda text: mi(text, upright=text != "ℓ")),
    (letters.RELATIONS, mo),
    (letters.OPERATORS, _operator),
    (letters.DOTS, mi),
    (letters.BIG, lambda text: mo(text, movablelimits="false")),
    (letters.LIMITS, lambda text: mo(text, lspace="0.1em", rspace="0.1em", movablelimits="false")),
    (letters.FENCES, fence),
    (letters.SPACES, space),
)
HANDLERS: dict[str, Callable[[_Reader], str]] = {
    "frac": _fraction,
    "dfrac": _fraction,
    "tfrac": _fraction,
    "sqrt": _root,
    "overset": _over,
    "operatorname": _named,
    "operatorname*": _named,
    "mathrm": _named,
    "mathtt": _spelled,
    "underbrace": _brace,
    "phantom": lambda reader: element("mphantom", reader.group()),
    "changed": lambda reader: element("mrow", reader.group(), class_="changed"),
    "binom": _choose,
    "left": _Reader.stretched,
    "middle": _middle,
    "begin": _Reader.environment,
}
