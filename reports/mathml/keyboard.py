"""Mathematics as it is typed on a keyboard: tokens of a sentence, and names as LaTeX in a paper's notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

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
    "=>": r"\implies ", "<=>": r"\iff ", "->": r"\to ", "≤": r"\leq ", "≥": r"\geq ", "⪯": r"\preceq ",
    "⇒": r"\implies ", "→": r"\to ",
}  # fmt: skip
OPERATORS = {"+": "+", "-": "-", "−": "-", "/": "/", "*": r"\,", "·": r"\cdot ", "×": r"\times ", "...": r"\dots ",
             "..": r",\dots,", "…": r"\dots ", "∘": r"\circ ", "±": r"\pm "}  # fmt: skip
FUNCTIONS = {
    "sqrt": r"\sqrt", "tr": r"\operatorname{tr}", "ln": r"\ln", "log": r"\log", "exp": r"\exp", "sin": r"\sin",
    "cos": r"\cos", "tan": r"\tan", "max": r"\max", "min": r"\min", "diag": r"\operatorname{diag}", "grad": r"\nabla ",
    "infinity": r"\infty ", "inf": r"\infty ", "limsup": r"\limsup ", "Omega": r"\Omega", "bias": "",
    "E": r"\mathbb{E}",
}  # fmt: skip
WEAK = {"a"}  # a word as well
TAKING = {"log", "exp", "sin", "cos", "tan"}
ALONE = {"max", "min", "inf", "infinity", "bias", "limsup", *TAKING}  # words where nothing follows
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵏᵀ"
SCRIPTS = dict(zip(f"{RAISED}₀₁₂₃₄₅₆₇₈₉₋₊ₜₖᵢ", (*"0123456789-k", r"\top ", *"0123456789-+tki"), strict=True))
LETTERS = {
    "ℓ": r"\ell ", "λ": r"\lambda ", "κ": r"\kappa ", "θ": r"\theta ", "η": r"\eta ", "α": r"\alpha ", "β": r"\beta ",
    "μ": r"\mu ", "γ": r"\gamma ", "ζ": r"\zeta ", "σ": r"\sigma ", "ε": r"\varepsilon ", "δ": r"\delta ",
    "φ": r"\varphi ", "ψ": r"\psi ", "Σ": r"\boldsymbol{\Sigma}", "Π": r"\boldsymbol{\Pi}", "Ω": r"\Omega ",
}  # fmt: skip
COMMAND = re.compile(r"lemmalab\b|make\b|python\b|pytest\b|git\b|--|\.\w+/|[\w/]+\.(?:json|py|toml|tex)\b|:printed\b")
PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    return tuple(Token(m.lastgroup or "other", m[0]) for m in TOKEN.finditer(text))


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
    if len(stem) == 1 and stem.isascii():
        return stem
    letters = re.findall("[^\\W\\d_]\u0303?", stem)  # a product without a sign: αθ̃
    glued = len(letters) > 1 and not stem.isascii() and "".join(letters) == stem
    made = [_base(one, notation) for one in letters] if glued else []
    return "".join(made) if all(made) else ""


def _is_symbol(name: str) -> bool:
    """Names of the symbols file that no sentence uses as words."""
    told = name in GREEK or name in SHORT or name in ("kt", "ktm", "ktb", "thk")
    return len(name) == 1 or told or not name.islower() or any(c.isdigit() for c in name)


def name_latex(name: str, notation: Notation) -> str:
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
