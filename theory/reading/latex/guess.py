r"""The symbols of a paper, found in its formulas: name, LaTeX and a guess of the kind, for its author to complete.

x_k and x_{k+1} are members of one sequence, L_\ell and \lambda_{\max} are names, x^* is a name of its own.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms, sign
from theory.reading.latex.notation import SHORT, Glyph, Notation
from theory.reading.latex.operators import is_order

COUNTERS = frozenset("ijklmnstKNTd")
FUNCTIONS = frozenset({"f", "F", "g", "G", "h", "H", "V", "D", r"\phi", r"\psi", r"\varphi", r"\Phi", r"\Psi", r"\ell"})
NO_SYMBOL = frozenset({
    r"\nabla", r"\partial", r"\infty", r"\forall", r"\exists", r"\in", r"\sim", r"\subset", r"\subseteq", r"\cup",
    r"\cap", r"\setminus", r"\emptyset", r"\top", r"\prime", r"\otimes", r"\circ", r"\approx", r"\lesssim", r"\gtrsim",
    r"\propto", r"\equiv", r"\pm", r"\ll", r"\gg", r"\perp", r"\Re", r"\Im", r"\asymp", r"\odot", r"\oplus", r"\to",
    r"\gets", r"\leftarrow", r"\hfill", r"\hline", r"\cdotp", r"\succ", r"\prec", r"\wedge", r"\vee", r"\neg", "",
})  # fmt: skip
LATIN = re.compile("[a-z]")
INLINE = re.compile(r"\$([^$]+)\$")
SEVERAL = r"\$[^$]+\$(?:(?:,| and|, and)\s+\$[^$]+\$)*"
DEFINITE = re.compile(
    SEVERAL + r"[^$.;]{0,40}?positive[\s-]+(?P<semi>semi-?\s?)?definite"
    r"|positive[\s-]+(?P<semi_first>semi-?\s?)?definite\s+(?:matrix|matrices)?\s*" + SEVERAL
)
CAPITAL = re.compile(r"\\?[A-Z][a-z]*")
RESERVED = frozenset({"sum", "prod", "mean", "E", "pi", "Omega", "exp", "log", "min", "max", "tr", "inv", "abs", "w"})
LONG = {value: key for key, value in SHORT.items() if key in ("lam", "eps")}
ALPHABETS = {"bold": "mathbf", "rm": "mathrm", "cal": "mathcal", "scr": "mathscr", "frak": "mathfrak", "sf": "mathsf"}
WORDS = {"bold": "", "it": "", "rm": "", "cal": "cal", "scr": "scr", "sf": "", "tt": "", "frak": "frak", "bb": "bb"}


@dataclass
class _Use:
    """How one letter (with the scripts that belong to its name) is used."""

    plain: int = 0
    indices: set[int] = field(default_factory=set)  # how many indices it has been given
    letters: bool = False  # an index was more than a number
    called: bool = False
    member_called: bool = False  # R_n(P): a member of a family of functions
    vector: bool = False
    counts: bool = False  # it stands in an index, in a range or alone in an exponent
    drawn: bool = False  # E_{a, b ~ D}: the print says that it is random
    definite: str = ""  # "psd" or "pd", where the words before or after it say so
    ordered: bool = False  # a capital in A \preceq B: a symmetric matrix


def guessed(formulas: Iterable[str], sentences: Iterable[str] = ()) -> list[Glyph]:
    """The symbols in these formulas, in the order of their first appearance; sentences say which are definite."""
    uses: dict[Atom, _Use] = {}
    for source in formulas:
        try:
            listed = atoms(rf"\begin{{aligned}}{source}\end{{aligned}}")
        except Unreadable:
            continue
        _collect(listed, uses, False)
    for words in sentences:
        _definite(words, uses)
    for atom in [one for one in uses if one.sub is not None and _numeric(one.sub)]:
        base = replace(atom, sub=None)
        if base in uses and uses[base].letters:  # x_0 belongs to the sequence x_k
            uses[base].indices.add(len(_cut(atom.sub or ())))
            uses[base].vector |= uses.pop(atom).vector
    if any(one.name.startswith("bold:") for one in uses):  # where vectors are bold, a plain letter in a norm is none
        for one, use in uses.items():
            use.vector &= "bold:" in one.name
    return list(_glyphs(uses))


def _collect(listed: Atoms, uses: dict[Atom, _Use], normed: bool, counting: bool = False) -> None:
    ordered = any(sign(one, "<<", ">>") for one in listed)
    for at, atom in enumerate(listed):
        parts = () if atom.kind == "call" and atom.name in ("op", "big") else atom.args
        for part in parts:
            _collect(part, uses, atom.kind == "fence" and atom.name in ("||", "<"))
        if atom.sup is not None:
            _collect(atom.sup, uses, False, counting=len(atom.sup) == 1 or atom.kind == "call")
        if atom.sub is not None and atom.kind == "call":
            _collect(atom.sub, uses, False, counting=True)
        if atom.name == "bb:E" and atom.sub is not None:
            _draw(atom.sub, uses)
        if atom.kind != "letter" or not _is_symbol(atom) or is_order(listed, at) or _is_euler(atom):
            continue
        before = listed[at - 1] if at else None
        following = listed[at + 1] if at + 1 < len(listed) else None
        name, index = _name_part(atom)
        use = uses.setdefault(name, _Use())
        use.vector |= normed and ("bold:" in atom.name or LATIN.fullmatch(atom.name.split(":")[-1]) is not None)
        use.counts |= counting
        use.ordered |= ordered and _is_capital(atom)
        if index is None:
            use.plain += 1
        else:
            _collect(index, uses, False, counting=True)
            use.indices.add(len(_cut(index)))
            use.letters |= any(one.kind == "letter" for one in index)
        gradient = before is not None and before.name == r"\nabla" and before.bare
        if following is not None and following.kind == "fence" and following.name == "(" and atom.sup is None:
            called = name.name in FUNCTIONS or gradient or _is_argument(following.args[0])
            use.called |= called and index is None
            use.member_called |= index is not None and _is_argument(following.args[0])
        if gradient:
            uses.setdefault(Atom("letter", r"\nabla", args=((name,),)), _Use(called=True))


def _draw(lower: Atoms, uses: dict[Atom, _Use]) -> None:
    """The letters before the sign in \\mathbb{E}_{(a, b) \\sim D} are what is drawn."""
    end = next((at for at, one in enumerate(lower) if sign(one, "∼")), 0)
    for one in lower[:end]:
        for letter in one.args[0] if one.kind == "fence" else (one,):
            if letter.kind == "letter" and letter.bare and _is_symbol(letter):
                uses.setdefault(letter, _Use()).drawn = True


def _definite(words: str, uses: dict[Atom, _Use]) -> None:
    """Capitals in "$A$ and $B$ are positive definite" and in "a positive semidefinite matrix $A$"."""
    for found in DEFINITE.finditer(words):
        kind = "psd" if found["semi"] or found["semi_first"] else "pd"
        for latex in INLINE.findall(found[0]):
            with suppress(Unreadable):
                letters = {_name_part(one)[0] for one in atoms(latex) if _is_capital(one)}
                for use in (uses[one] for one in letters & uses.keys()):
                    use.definite = "psd" if "psd" in (kind, use.definite) else "pd"


def _is_capital(atom: Atom) -> bool:
    return atom.kind == "letter" and CAPITAL.fullmatch(atom.name.split(":")[-1]) is not None and _is_symbol(atom)


def _is_argument(inner: Atoms) -> bool:
    """A(lambda) and Pi(t, M) are values of functions; eta(1 - c) is a product."""
    return (len(inner) == 1 and inner[0].kind == "letter") or any(one == Atom("sign", ",") for one in inner)


def _is_symbol(atom: Atom) -> bool:
    stem = atom.name.split(":")[-1]
    if atom.name in NO_SYMBOL or stem in NO_SYMBOL or atom.name.startswith("bb:"):
        return False
    return not atom.name.startswith("rm:") and not atom.name.startswith("cal:O")


def _is_euler(atom: Atom) -> bool:
    """The base of the exponential: e^{-x} is exp(-x); e^2 may be the square of an error."""
    return atom.name == "e" and atom.sub is None and atom.sup is not None and not _numeric(atom.sup)


def _name_part(atom: Atom) -> tuple[Atom, Atoms | None]:
    """What of an atom is its name, and its index."""
    upper = atom.sup if atom.sup is not None and _is_mark(atom.sup) else None
    bare = replace(atom, sub=None, sup=upper)
    if atom.sub is None:
        return bare, None
    if _is_index(atom.sub) and not _numeric(atom.sub):
        return bare, atom.sub
    return replace(bare, sub=atom.sub), None


def _is_mark(upper: Atoms) -> bool:
    """x^*, x^+, C^{(l)} and x^{bias}: part of the name, as a power is not; one upright letter may be a transpose."""
    if len(upper) != 1:
        return False
    one = upper[0]
    worded = one.kind == "letter" and one.name.startswith("rm:") and len(one.name) > len("rm:T")
    return worded or sign(one, "*", "+", "-") or (one.kind == "fence" and one.name == "(")


def _is_index(lower: Atoms) -> bool:
    """Counters, numbers and signs, such as k+1 or i,j."""
    plain = all(
        one.kind == "number" or (one.kind == "letter" and one.name in COUNTERS and one.bare)
        or (one.kind == "sign" and one.name in ("+", "-", "/", ","))
        for one in lower
    )  # fmt: skip
    told = any(one.kind in ("letter", "number") for one in lower)
    return told and plain and not any(a.kind == b.kind == "letter" for a, b in pairwise(lower))


def _numeric(lower: Atoms) -> bool:
    return all(one.kind == "number" for one in lower)


def _cut(index: Atoms) -> list[Atom]:
    return [one for one in (Atom("sign", ","), *index) if one.kind == "sign" and one.name == ","]


def _glyphs(uses: dict[Atom, _Use]) -> Iterator[Glyph]:
    taken: set[str] = set()
    for atom, use in uses.items():
        if atom.name == r"\nabla":
            inner = atom.args[0][0]
            yield Glyph(_unique(f"grad_{_word(inner)}", taken), rf"\nabla {latex_of(inner)}", "function", "vector")
            continue
        base, latex = _word(atom), latex_of(atom)
        member = "matrix" if _bold(atom, True) else "vector" if use.vector or _bold(atom, False) else "real"
        member = use.definite or ("symmetric" if use.ordered else member)
        if use.plain or use.called or not use.indices:
            kind = "function" if use.called else member if member != "real" else _counter(atom, use)
            glyph = Glyph(_unique(base, taken), latex, kind)
            yield (
                replace(glyph, kind="random", of=kind)
                if use.drawn and kind in ("real", "vector", "matrix", "symmetric")
                else glyph
            )
        for count in sorted(use.indices):
            holes = ",".join(f"#{k}" for k in range(1, count + 1))
            name = _unique(base if base not in taken else f"{base}_seq", taken)
            if use.member_called:
                yield Glyph(name, f"{_with_sub(atom, holes)}(#{count + 1})", "function", member)
            else:
                yield Glyph(name, _with_sub(atom, holes), "sequence", member)


def _bold(atom: Atom, capital: bool) -> bool:
    stem = atom.name.split(":")[-1].lstrip("\\")
    return "bold:" in atom.name and stem[:1].isupper() == capital


def _counter(atom: Atom, use: _Use) -> str:
    return "natural" if atom.name in COUNTERS and atom.bare and use.counts else "real"


def _unique(name: str, taken: set[str]) -> str:
    found, k = name, 2
    while found in taken or keyword.iskeyword(found) or found in RESERVED:
        found, k = f"{name}_{k}" if found in taken else f"{name}_", k + 1
    taken.add(found)
    return found


def _word(atom: Atom) -> str:
    """A name for code: \\tilde{\\mathbf C} is C_tilde, \\lambda_{\\max} is lam_max, x^* is x_star."""
    *marks, stem = atom.name.split(":")
    parts = [LONG.get(stem.lstrip("\\"), stem.lstrip("\\")), *(WORDS.get(mark, mark) for mark in reversed(marks))]
    parts += [_flat(atom.sub), _flat(atom.sup), "prime" * atom.primes]
    name = re.sub(r"\W+", "_", "_".join(part for part in parts if part)).strip("_")
    return name if name.isidentifier() else f"s_{name}"


def _flat(script: Atoms | None) -> str:
    if script is None:
        return ""
    return "_".join(map(_flat_atom, script))


def _flat_atom(one: Atom) -> str:
    if one.kind == "sign":
        return {"*": "star", "+": "plus", "-": "minus", "/": "over"}.get(one.name, "")
    return _flat(one.args[0]) if one.args else one.name.split(":")[-1].lstrip("\\")


def latex_of(atom: Atom) -> str:
    """An atom as LaTeX again."""
    return _with_sub(replace(atom, sub=None), "") if atom.sub is None else _with_sub(atom, _script(atom.sub))


def _with_sub(atom: Atom, lower: str) -> str:
    *marks, stem = atom.name.split(":")
    latex = stem
    for mark in reversed(marks):
        bold = "boldsymbol" if mark == "bold" and latex.startswith("\\") else ALPHABETS.get(mark, mark)
        latex = rf"\{bold}{{{latex}}}"
    latex += "'" * atom.primes + (f"_{{{lower}}}" if lower else "")
    return latex + (f"^{{{_script(atom.sup)}}}" if atom.sup is not None else "")


def _script(script: Atoms) -> str:
    return "".join(_script_atom(one) for one in script)


def _script_atom(one: Atom) -> str:
    if one.kind == "fence":
        return f"({_script(one.args[0])})" if one.name == "(" else f"[{_script(one.args[0])}]"
    if one.kind == "call" and one.name == "op":
        word = one.args[0][0].name
        return rf"\{word}" if word in ("min", "max", "sup", "inf", "log") else rf"\mathrm{{{word}}}"
    if one.kind == "words":
        return rf"\mathrm{{{one.name}}}" if one.name.isalnum() else rf"\text{{{one.name}}}"
    if one.kind == "letter":
        return latex_of(one) + (" " if one.name.startswith("\\") else "")
    return one.name


def as_notation(glyphs: Iterable[Glyph]) -> Notation:
    return Notation({glyph.name: glyph for glyph in glyphs})
