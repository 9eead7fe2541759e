r"""LaTeX as a line of text for a terminal: $\tilde{\kappa}\leq R^2$ is κ̃ ≤ R². What has no sign stays as it is."""

from __future__ import annotations

import re

from reports.mathml import letters
from theory.reading.latex.texts import texts

SUPER = dict(zip("0123456789+-=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ", strict=True)) | {"⊤": "ᵀ", "*": "*", "⋆": "⋆", "/": "ᐟ"}
SUB = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True)) | dict(
    zip("aehiklmnoprstuvx⋆*", "ₐₑₕᵢₖₗₘₙₒₚᵣₛₜᵤᵥₓ⋆*", strict=True)
)
ACCENTS = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304", "overline": "\u0304"}
FONTS = frozenset({"mathbf", "boldsymbol", "mathbb", "mathcal", "mathrm"})
NAMED = frozenset({"operatorname", "operatorname*"})
NOTHING = frozenset({"left", "right", "bigl", "bigr", "limits", "displaystyle", ",", ";", "!", ":"})
SIGNS = {
    **letters.GREEK, **letters.CAPITALS, **letters.IDENTIFIERS, **letters.RELATIONS, **letters.OPERATORS,
    **letters.BIG, **letters.FENCES, "{": "{", "}": "}", "\\": "; ", "not": "", "asymp": "≍", "item": "",
    "setminus": "∖", "quad": " ", "dots": "…", "ldots": "…", "cdots": "…",
}  # fmt: skip
ENDS = frozenset("+-=<>)]},.;:&/|") | {r"\right", r"\bigr", r"\end", r"\quad", r"\\", r"\cdot", r"\mid", r"\middle"}
FACTOR = re.compile(r"\d+|\w[\u0300-\u036f₀-₉ₐ-ₜ⁰-⁹²³]*")
TERM = re.compile(r"[^+−/ ]+")
SPACED = set("=≤≥<>≍≠∈⪯⪰⩽⩾→↦") | {"⟹"}


def plain(words: str) -> str:
    """A sentence with mathematics between dollars."""
    parts = words.split("$")
    told = "".join(maths(part) if at % 2 else _prose(part) for at, part in enumerate(parts))
    return re.sub(r"\s+", " ", told).strip()


def maths(source: str) -> str:
    """One formula."""
    return _Line(texts(source)).until("").strip()


def _prose(text: str) -> str:
    text = re.sub(r"\\(?:eq)?ref\{(?:[a-z]+:)?([^{}]*)\}", r"\1", text)
    return text.replace("~", " ").replace("\\item ", "")


class _Line:
    """One pass over the tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self.rest = tokens[::-1]
        self.matrix = False

    def until(self, end: str) -> str:
        found = ""
        while self.rest and self.rest[-1] != end:
            found += self.atom()
        if self.rest:
            self.rest.pop()
        return found

    def goes_on(self) -> bool:
        """A factor follows, which would look like a part of the denominator."""
        following = self.rest[-1] if self.rest else "."
        return following not in ENDS and following[1:] not in letters.RELATIONS and not following.startswith(r"\text")

    def group(self) -> str:
        if self.rest and self.rest[-1] == "{":
            self.rest.pop()
            return self.until("}")
        return self.atom() if self.rest else ""

    def atom(self) -> str:
        token = self.rest.pop()
        if token in "^_" and token:
            return _script(self.group(), token)
        if token == "{":
            return self.until("}")
        if token.startswith(r"\text{"):
            return token[6:-1]
        if not token.startswith("\\"):
            return {"-": "−", "&": ", " if self.matrix else " "}.get(token, f" {token} " if token in SPACED else token)
        return self.command(token[1:])

    def command(self, name: str) -> str:
        if name in ("frac", "dfrac", "tfrac"):
            told = f"{_bound(self.group(), TERM)}/{_bound(self.group())}"
            return f"({told})" if self.goes_on() else told
        if name == "sqrt":
            return f"√{_bound(self.group())}"
        if name in ACCENTS:
            inner = self.group()
            return inner[:1] + ACCENTS[name] + inner[1:]
        if name in ("overset", "stackrel"):
            self.group()
            return self.group()
        if name in ("begin", "end"):
            self.matrix = self.group().endswith("matrix")
            edges, self.matrix = ("[]" if self.matrix else "  "), self.matrix and name == "begin"
            return edges[name == "end"]
        if name in FONTS:
            return self.group()
        if name in NAMED:
            return f"{self.group()} "
        if name in NOTHING:
            return ""
        sign = SIGNS.get(name, name)
        return f" {sign} " if sign in SPACED else sign


def _script(inner: str, mark: str) -> str:
    table = SUPER if mark == "^" else SUB
    inner = inner.strip().replace("−", "-")
    if inner and all(c in table for c in inner):
        return "".join(table[c] for c in inner)
    bare = len(inner) == 1 or inner.isalpha() or (inner.startswith("(") and inner.endswith(")"))
    if bare and inner.isalpha() and len(inner) > 1:
        return f"{mark}{inner} "
    return f"{mark}{inner}" if bare else f"{mark}({inner})"


def _bound(inner: str, bare: re.Pattern[str] = FACTOR) -> str:
    inner = inner.strip()
    return inner if bare.fullmatch(inner) else f"({inner})"
