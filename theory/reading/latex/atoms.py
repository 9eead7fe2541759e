r"""A formula's LaTeX as a list of atoms, each with its scripts: what TeX calls a math list, in a normal form.

Ways of writing the same are one: \leqslant is \le, \bm{x} is \mathbf{x}, \tilde x_k is \tilde{x_k}, \lVert is \|, sizes
and spaces are left out. A letter carries its accents and alphabets in its name: \tilde{\mathbf C} is `tilde:bold:C`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from theory.reading.latex.characters import commands

PHRASE = r"\\(?:text|textrm|textnormal|textit|textbf|mbox|intertext)\s*\{[^{}]*\}"
TOKEN = re.compile(PHRASE + r"|\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)
FONTS = {
    **dict.fromkeys(("mathbf", "boldsymbol", "bm", "pmb", "mathbold", "bold", "bf", "vb"), "bold"),
    **dict.fromkeys(("mathrm", "rm", "textrm", "mathup", "operatorname", "text", "textnormal", "mbox"), "rm"),
    **dict.fromkeys(("mathcal", "cal"), "cal"),
    "mathbb": "bb",
    "Bbb": "bb",
    "mathfrak": "frak",
    "mathscr": "scr",
    "mathsf": "sf",
    "mathtt": "tt",
    "mathit": "it",
}
WORDS = frozenset({"text", "textrm", "textnormal", "mbox", "textit", "textbf", "intertext"})
ACCENTS = {
    **dict.fromkeys(("tilde", "widetilde"), "tilde"), **dict.fromkeys(("hat", "widehat"), "hat"),
    **dict.fromkeys(("bar", "overline"), "bar"), "dot": "dot", "ddot": "ddot", "vec": "vec", "check": "check",
    "underline": "underline", "breve": "breve", "mathring": "mathring",
}  # fmt: skip
SIGNS = {
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "ne": "!=", "neq": "!=",
    "lt": "<", "gt": ">", "preceq": "<<", "preccurlyeq": "<<", "succeq": ">>", "succcurlyeq": ">>",
    "coloneqq": ":=", "triangleq": ":=", "defeq": ":=", "cdot": "*", "times": "*", "mapsto": "|->", "div": "/",
    "to": "->", "rightarrow": "->", "dots": "…", "ldots": "…", "cdots": "…", "dotsc": "…", "ast": "*", "star": "*",
    "colon": ":", "mid": "mid", "implies": "=>", "Rightarrow": "=>", "iff": "<=>", "Leftrightarrow": "<=>",
    "lesssim": "≲", "gtrsim": "≳", "approx": "≈", "asymp": "≍", "sim": "∼", "in": "∈", "equiv": "≡", "propto": "∝",
    "ll": "≪", "gg": "≫", "succ": "≻", "prec": "≺", "subset": "⊂", "subseteq": "⊆",
}  # fmt: skip
DIGITS = frozenset("0123456789")
STARS = frozenset({r"\ast", r"\star"})
OPEN = {
    "(": "(", "[": "[", r"\{": "{", r"\lbrace": "{", r"\langle": "<", r"\lvert": "|", r"\lVert": "||",
    r"\lfloor": "floor", r"\lceil": "ceil",
}  # fmt: skip
CLOSE = {
    ")": "(", "]": "[", r"\}": "{", r"\rbrace": "{", r"\rangle": "<", r"\rvert": "|", r"\rVert": "||",
    r"\rfloor": "floor", r"\rceil": "ceil",
}  # fmt: skip
BARS = {"|": "|", r"\vert": "|", r"\|": "||", r"\Vert": "||"}
IGNORED = frozenset({
    "\\,", "\\:", "\\;", "\\!", "\\>", "\\ ", "\\/", "~", r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\relax",
    r"\scriptscriptstyle", r"\limits", r"\nolimits", r"\mathstrut", r"\notag", r"\nonumber", r"\big", r"\Big", r"\bigg",
    r"\Bigg", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr", r"\Biggl", r"\Biggr", r"\bigm", r"\Bigm",
    r"\middle",
})  # fmt: skip
BREAKS = frozenset({r"\quad", r"\qquad"})
TRANSPARENT = frozenset({"smash", "mathrel", "mathbin", "mathop", "mathord", "boxed", "ensuremath"})
DROPPED = {
    "label": 1,
    "tag": 1,
    "phantom": 1,
    "hphantom": 1,
    "vphantom": 1,
    "hspace": 1,
    "vspace": 1,
    "color": 1,
    "qedhere": 0,
}
NAMED = ("exp", "ln", "log", "sin", "cos", "tan", "min", "max", "det", "sup", "inf", "lim", "arg", "dim", "Pr", "tr")
BIG = frozenset({"sum", "prod", "int", "bigcup", "bigcap", "bigoplus"})
TABLES = frozenset({
    "aligned", "gathered", "split", "alignedat", "cases", "array", "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix",
    "smallmatrix", "multlined",
})  # fmt: skip


class Unreadable(ValueError):
    """LaTeX that is no formula of the language; the message says what and why."""


@dataclass(frozen=True)
class Atom:
    """`kind` is letter, number, sign, call, fence, table, words, break or hole; `name` and `args` say which."""

    kind: str
    name: str
    args: tuple[Atoms, ...] = ()
    sub: Atoms | None = None
    sup: Atoms | None = None
    primes: int = 0
    rows: tuple[int, ...] = ()  # of a table: the number of cells in each row

    @property
    def bare(self) -> bool:
        return self.sub is None and self.sup is None and not self.primes


Atoms = tuple[Atom, ...]


def sign(atom: Atom, *names: str) -> bool:
    return atom.kind == "sign" and atom.name in names and atom.bare


@lru_cache(maxsize=20_000)
def atoms(source: str) -> Atoms:
    """The math list of a formula."""
    if len(source) > 100_000:
        raise Unreadable(f"a formula of {len(source)} characters is longer than 100000")
    reader = _Reader(source)
    try:
        found = reader.until()
    except RecursionError:
        raise Unreadable(f"{source[:60]!r} is nested too deeply") from None
    if reader.peek():
        raise Unreadable(f"{reader.peek()!r} closes nothing in {source[:60]!r}")
    return found


class _Reader:
    """One pass over the tokens; `until` stops before what closes."""

    def __init__(self, source: str) -> None:
        self.source = source
        found: list[str] = TOKEN.findall(commands(source))
        self.tokens = [one for one in reversed(found) if not one.isspace() and one not in IGNORED]
        self.bars: list[str] = []  # fences of bars that are open

    def peek(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def take(self) -> str:
        if not self.tokens:
            raise Unreadable(f"{self.source[-40:]!r} ends too early")
        return self.tokens.pop()

    def until(self, *ends: str) -> Atoms:
        found: list[Atom] = []
        while self.tokens and self.peek() not in ends and self.peek() not in ("}", r"\end", r"\right"):
            token = self.peek()
            if token in CLOSE or token == "&" or token in (r"\\", r"\cr", r"\newline"):
                break
            if token in BARS and self.bars and self.bars[-1] == BARS[token] and not _expects(found):
                break
            more = self.scripted(found)
            if more is not None:
                found.append(more)
        return _merged(found)

    def scripted(self, before: list[Atom]) -> Atom | None:
        token = self.take()
        if token in ("_", "^", "'"):
            self.tokens.append(token)
            base = before.pop() if before and before[-1].kind not in ("sign", "break") else Atom("letter", "")
            return self.scripts(base)
        base_ = self.atom(token)
        return None if base_ is None else self.scripts(base_)

    def scripts(self, base: Atom) -> Atom:
        while self.peek() in ("_", "^", "'"):
            mark = self.take()
            if mark == "'":
                base = replace(base, primes=base.primes + 1)
                continue
            inner = self.argument()
            if mark == "^" and inner and all(a == Atom("letter", r"\prime") for a in inner):
                base = replace(base, primes=base.primes + len(inner))
                continue
            if not inner:
                continue  # `x_{}` is what a macro leaves whose option is empty
            field = "sub" if mark == "_" else "sup"
            if getattr(base, field) is not None:
                raise Unreadable(f"two {'sub' if mark == '_' else 'super'}scripts in {self.source[:60]!r}")
            base = replace(base, sub=inner) if mark == "_" else replace(base, sup=inner)
        return base

    def argument(self) -> Atoms:
        token = self.take()
        if token == "{":
            return self.group()
        if token[0] in DIGITS and len(token) > 1:
            self.tokens.append(token[1:])
            token = token[0]
        found = self.atom(token)
        return () if found is None else (found,)

    def group(self) -> Atoms:
        kept, self.bars = self.bars, []
        inner = self.until()
        self.bars = kept
        if self.take() != "}":
            raise Unreadable(f"a brace is not closed in {self.source[:60]!r}")
        return inner

    def atom(self, token: str) -> Atom | None:
        if token == "{":
            inner = self.group()
            return inner[0] if len(inner) == 1 else Atom("fence", "{}", (inner,)) if inner else None
        if token == "#":
            return Atom("hole", self.take())
        if token[0] in DIGITS:
            return Atom("number", token)
        if token[0] == "\\" and token[-1] == "}" and len(token) > 2:
            return Atom("words", token[token.index("{") + 1 : -1])
        if token in OPEN:
            return self.fence(OPEN[token])
        if token in BARS:
            return self.barred(token)
        if token in STARS:
            return Atom("sign", "*")
        if token in BREAKS:
            return Atom("break", "")
        if token[0] == "\\":
            return self.command(token[1:])
        if token.isalpha() and not token.isascii():
            raise Unreadable(f"the letter {token!r} has no name in the language; print it by a command of LaTeX")
        return Atom("letter" if token.isalpha() else "sign", token)

    def barred(self, token: str) -> Atom:
        """A pair of bars; a bar that nothing closes says `given`, as in E(x | y)."""
        tokens, bars = list(self.tokens), list(self.bars)
        try:
            return self.fence(BARS[token])
        except Unreadable:
            if BARS[token] != "|":
                raise
            self.tokens, self.bars = tokens, bars
            return Atom("sign", "mid")

    def fence(self, name: str) -> Atom:
        bars = name in ("|", "||")
        if bars:
            self.bars.append(name)
        else:
            kept, self.bars = self.bars, []
        inner = self.until()
        while not bars and self.peek() in (r"\\", "&"):  # a bracket that is closed on a later line
            self.take()
            inner += self.until()
        closing = self.take()
        if bars:
            self.bars.pop()
        else:
            self.bars = kept
        if (CLOSE.get(closing) or BARS.get(closing)) != name:
            raise Unreadable(f"{closing!r} closes {name!r} in {self.source[:60]!r}")
        return Atom("fence", name, (tuple(one for one in inner if one.kind != "break"),))

    def stretched(self) -> Atom:
        opening = self.take()
        name = OPEN.get(opening) or BARS.get(opening)
        if name is None:
            raise Unreadable(f"\\left{opening} is no bracket of the language")
        kept, self.bars = self.bars, []
        inner = self.until()
        self.bars = kept
        if self.take() != r"\right":
            raise Unreadable(f"\\left{opening} has no \\right in {self.source[:60]!r}")
        closing = self.take()
        if (CLOSE.get(closing) or BARS.get(closing)) != name:
            raise Unreadable(f"\\left{opening} is closed by \\right{closing}")
        return Atom("fence", name, (inner,))

    def command(self, name: str) -> Atom | None:
        if name in ("left", "mleft"):
            return self.stretched()
        if name in WORDS:
            return self.words()
        if name in FONTS:
            return self.font(FONTS[name], name)
        if name in ACCENTS:
            return _over(ACCENTS[name], self.argument(), self.source)
        if name in DROPPED:
            for _ in range(DROPPED[name]):
                self.argument()
            return None
        if name in ("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"):
            top = self.argument()
            return Atom("call", "frac", (top, self.argument()))
        if name in ("binom", "dbinom", "tbinom"):
            top = self.argument()
            return Atom("call", "binom", (top, self.argument()))
        if name == "sqrt":
            if self.peek() == "[":
                raise Unreadable("only square roots are in the language")
            return Atom("call", "sqrt", (self.argument(),))
        if name in ("stackrel", "overset", "underset"):
            return self.stacked(name)
        if name in TRANSPARENT:
            inner = self.argument()
            return inner[0] if len(inner) == 1 else Atom("fence", "{}", (inner,)) if inner else None
        if name in ("underbrace", "overbrace"):
            inner = self.argument()
            if self.peek() in ("_", "^"):
                self.take()
                self.argument()
            return Atom("fence", "{}", (inner,))
        if name == "begin":
            return self.table()
        if name in NAMED:
            return Atom("call", "op", ((Atom("letter", "log" if name == "ln" else name),),))
        if name in BIG:
            return Atom("call", "big", ((Atom("letter", name),),))
        if name in SIGNS:
            return Atom("sign", SIGNS[name])
        return Atom("letter", "\\" + name)

    def stacked(self, name: str) -> Atom:
        above, base = self.argument(), self.argument()
        if len(base) == 1 and base[0].kind == "sign":
            told = "".join(a.name for a in above).replace("rm:", "")
            return Atom("sign", ":=") if base[0].name == "=" and told in ("def", "△", r"\triangle", "Δ") else base[0]
        raise Unreadable(f"\\{name} stands over no sign in {self.source[:60]!r}")

    def words(self) -> Atom:
        if self.take() != "{":
            raise Unreadable(r"\text needs braces")
        depth, parts = 1, []
        while depth:
            token = self.take()
            depth += (token == "{") - (token == "}")
            parts.append(token)
        return Atom("words", "".join(parts[:-1]))

    def font(self, font: str, command: str) -> Atom:
        if command == "operatorname" and self.peek() == "*":
            self.take()
        if command == "operatorname" and self.tokens[-2:-1] == [r"\mathbb"]:  # an operator that is one letter
            return self.group_letter()
        if font in ("rm", "tt") and self.peek() == "{":
            word = re.sub(r"\\[a-z]*style|\\,|\s", "", self.words().name).replace("\\_", "_")
            if re.fullmatch(r"\w+", word):
                if command == "operatorname" or word in NAMED:
                    return Atom("call", "op", ((Atom("letter", word),),))
                return Atom("letter", f"{font}:{word}")
            raise Unreadable(f"\\{command}{{{word}}} is no name")
        return _over(font, self.argument(), self.source)

    def group_letter(self) -> Atom:
        inner = self.argument()
        if len(inner) != 1:
            raise Unreadable(f"an operator is not one name in {self.source[:60]!r}")
        return inner[0]

    def table(self) -> Atom:
        name = self.word()
        if name not in TABLES:
            raise Unreadable(f"the environment {name} is no formula of the language")
        if name in ("array", "alignedat"):
            self.argument()
        cells: list[Atoms] = []
        rows: list[int] = [0]
        kept, self.bars = self.bars, []
        while True:
            cells.append(self.until())
            rows[-1] += 1
            mark = self.take()
            if mark in (r"\\", r"\cr"):
                rows.append(0)
                if self.peek() == "[":
                    while self.take() != "]":
                        pass
            elif mark == r"\end":
                break
            elif mark != "&":
                raise Unreadable(f"{mark!r} closes nothing in {self.source[:60]!r}")
        self.bars = kept
        if self.word() != name:
            raise Unreadable(f"\\begin{{{name}}} is closed by another environment")
        if len(rows) > 1 and rows[-1] == 1 and not cells[-1]:
            rows.pop(), cells.pop()
        return Atom("table", name, tuple(cells), rows=tuple(rows))

    def word(self) -> str:
        if self.take() != "{":
            raise Unreadable("an environment needs a name in braces")
        parts = []
        while (token := self.take()) != "}":
            parts.append(token)
        return "".join(parts).rstrip("*")


def _expects(found: list[Atom]) -> bool:
    """Does something have to follow? Then a bar opens."""
    return not found or (found[-1].kind in ("sign", "break") and found[-1].bare)


def _over(mark: str, inner: Atoms, source: str) -> Atom:
    """An accent or an alphabet over one letter; scripts inside it are scripts of the whole."""
    if len(inner) == 1 and inner[0].kind in ("letter", "number"):
        one = inner[0]
        if mark == "bold" and one.name.startswith("bold:"):
            return one
        if mark == "it":
            return one
        return replace(one, kind="letter", name=f"{mark}:{one.name}")
    if inner and all(a.kind == "letter" and len(a.name) == 1 and a.bare for a in inner) and mark != "bar":
        return Atom("letter", f"{mark}:{''.join(a.name for a in inner)}")
    raise Unreadable(f"a {mark} over several letters in {source[:60]!r}")


def _merged(found: list[Atom]) -> Atoms:
    """`:=` is one sign, and so is =:"""
    merged: list[Atom] = []
    for atom in found:
        if merged and sign(merged[-1], ":") and sign(atom, "="):
            merged[-1] = Atom("sign", ":=")
        else:
            merged.append(atom)
    return tuple(merged)
