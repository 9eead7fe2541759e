"""A math list back to LaTeX, for what findings print."""

from __future__ import annotations

from theory.detectors.formula import Chain
from theory.reading.latex.atoms import SIGNS, Atom, Atoms

BACK = {value: "\\" + key for key, value in reversed(SIGNS.items()) if not key.isalpha() or value not in "<>"} | {
    "*": r"\cdot ", "<": "<", ">": ">", "/": "/", "…": r"\ldots ", "<=": r"\leq ", ">=": r"\geq ", "<<": r"\preceq ",
    ">>": r"\succeq ", ":=": r"\overset{\mathrm{def}}{=}", "mid": r"\mid ",
}  # fmt: skip
FONTS = {"bold": r"\mathbf", "rm": r"\mathrm", "cal": r"\mathcal", "bb": r"\mathbb", "frak": r"\mathfrak"}
PAIRS = {"(": ("(", ")"), "[": ("[", "]"), "{": (r"\{", r"\}"), "<": (r"\langle ", r"\rangle "), "|": ("|", "|"),
         "||": (r"\|", r"\|"), "{}": ("{", "}")}  # fmt: skip


def latex_of(listed: Atoms) -> str:
    return "".join(map(_one, listed)).strip()


def latex_of_chain(chain: Chain) -> str:
    """A relation, its sides and the signs between them."""
    sides = [latex_of(part) for part in chain.parts]
    signs = [BACK.get(sign, sign) for sign in chain.signs]
    return "".join(side + sign for side, sign in zip(sides, (*signs, ""), strict=True)).strip()


def _one(atom: Atom) -> str:
    scripts = "'" * atom.primes
    scripts += f"_{{{_script(atom.sub)}}}" if atom.sub is not None else ""
    scripts += f"^{{{_script(atom.sup)}}}" if atom.sup is not None else ""
    return _base(atom) + scripts


def _script(listed: Atoms) -> str:
    return latex_of(listed).replace(r"\cdot", "*" if len(listed) == 1 else r"\times")


def _base(atom: Atom) -> str:
    if atom.kind == "letter":
        return _letter(atom.name)
    if atom.kind == "sign":
        return BACK.get(atom.name, atom.name)
    if atom.kind == "words":
        return rf"\text{{{atom.name}}}"
    if atom.kind == "break":
        return r"\quad "
    if atom.kind == "fence":
        opening, closing = PAIRS.get(atom.name, ("(", ")"))
        return opening + latex_of(atom.args[0]) + closing
    if atom.kind == "table":
        return _table(atom)
    if atom.kind == "call":
        return _call(atom)
    return atom.name


def _letter(name: str) -> str:
    mark, colon, rest = name.partition(":")
    if not colon:
        return f"{name} " if name.startswith("\\") else name
    inner = _letter(rest).strip()
    if mark == "bold" and inner.startswith("\\"):
        return rf"\boldsymbol{{{inner}}}"
    return f"{FONTS.get(mark, chr(92) + mark)}{{{inner}}}"


def _call(atom: Atom) -> str:
    if atom.name in ("op", "big"):
        word = latex_of(atom.args[0])
        known = atom.name == "big" or word in ("exp", "log", "sin", "cos", "tan", "min", "max", "sup", "inf", "lim")
        return f"\\{word} " if known else rf"\operatorname{{{word}}}"
    return f"\\{atom.name}" + "".join(f"{{{latex_of(arg)}}}" for arg in atom.args)


def _table(atom: Atom) -> str:
    at, rows = 0, []
    for count in atom.rows:
        rows.append(" & ".join(latex_of(cell) for cell in atom.args[at : at + count]))
        at += count
    body = r" \\ ".join(rows)
    return rf"\begin{{{atom.name}}} {body} \end{{{atom.name}}}"
