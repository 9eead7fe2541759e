r"""A printed formula as a tree, leniently: what cannot be read is one opaque leaf, and nothing is guessed about it.

    chains(latex)     the relations of a display: sides as trees, and the signs between them

A tree is a `Term`: op and args. Leaves are num (a rational), name (a letter with its scripts) and opaque.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms, sign

RELATIONS = frozenset(
    ["<=", ">=", "<", ">", "=", "!=", "<<", ">>", ":=", "≲", "≳", "≍", "≈", "∼", "∈", "->", "|->", "⊂", "⊆", "≻", "≺"]
)
ORDERS = frozenset(["<=", ">=", "<", ">", "=", "<<", ">>", ":="])
SPLITS = frozenset(["=>", "<=>"])
TOP = Atom("letter", r"\top")
FUNCTIONS = frozenset(["exp", "log", "sin", "cos", "tan", "sqrt", "max", "min", "sup", "inf", "lim", "det", "diag"])
BINARY = {r"\circ": "apply", r"\otimes": "kron"}
ROWS = ("aligned", "gathered", "split", "alignedat")


@dataclass(frozen=True)
class Term:
    """op is sum, prod, frac, pow, entry, transpose, call, norm, inner, matrix, bind, name, num or opaque.

    text       of a name, a call or an opaque leaf: its normal form
    bound      of a bind (sum, prod): the names of its indices
    source     of a summand or of a whole sum: the math list that was read
    """

    op: str
    args: tuple[Term, ...] = ()
    text: str = ""
    value: Fraction = Fraction(0)
    atom: Atom | None = None
    rows: tuple[int, ...] = ()
    bound: tuple[str, ...] = ()
    source: Atoms = field(default=(), compare=False, repr=False)

    def walk(self) -> Iterator[Term]:
        yield self
        for arg in self.args:
            yield from arg.walk()


@dataclass(frozen=True)
class Chain:
    """sides[0] signs[0] sides[1] …; `parts` are the sides as atoms."""

    sides: tuple[Term, ...]
    signs: tuple[str, ...]
    parts: tuple[Atoms, ...]


def normal(listed: Atoms) -> str:
    """One text for one math list."""
    return "".join(shown(atom) for atom in listed)


def shown(atom: Atom) -> str:
    inner = "{" + "|".join(normal(arg) for arg in atom.args) + "}" if atom.args else ""
    sub = f"_{{{normal(atom.sub)}}}" if atom.sub is not None else ""
    sup = f"^{{{normal(atom.sup)}}}" if atom.sup is not None else ""
    kind = atom.name if atom.kind in ("letter", "number", "sign", "call") else f"{atom.kind}:{atom.name}"
    return f"{kind}{'′' * atom.primes}{inner}{sub}{sup}"


def rows_of(latex: str) -> list[Atoms]:
    """The lines of a display as math lists, continued lines joined to the one before; none when it is unreadable."""
    latex = unbold(latex)
    for source in (latex, re.sub(r"\\middle\s*\||(?<!\\)\|", r"\\mid ", latex)):  # a bar may be a condition
        try:
            listed = atoms(rf"\begin{{aligned}}{source}\end{{aligned}}")
        except Unreadable:
            continue
        return list(_joined(_lines(listed[0])))
    return []


def unbold(latex: str) -> str:
    r"""A bracket in another alphabet, \mathbf{(}, is that bracket."""
    for _ in range(2):
        latex = re.sub(r"\\(?:mathbf|boldsymbol|bm)\s*\{\s*([()\[\]+-])\s*\}", r"\1", latex)
    return latex


def _lines(table: Atom) -> Iterator[Atoms]:
    at = 0
    for count in table.rows:
        cells = table.args[at : at + count]
        at += count
        line = tuple(atom for cell in cells for atom in cell)
        if len(line) == 1 and line[0].kind == "table" and line[0].name in ROWS and line[0].bare:
            yield from _lines(line[0])
        elif line:
            yield line


def _joined(lines: Iterator[Atoms]) -> Iterator[Atoms]:
    kept: Atoms = ()
    for line in lines:
        first = line[0]
        goes_on = first.kind == "sign" and (first.name in RELATIONS or first.name in ("+", "-", "*"))
        if kept and goes_on:
            kept += line
        else:
            if kept:
                yield kept
            kept = line
    if kept:
        yield kept


@lru_cache(maxsize=5000)
def chains(latex: str) -> tuple[Chain, ...]:
    """Every relation of a display or of a formula in a sentence; an expression alone is a chain of one side."""
    return tuple(chain for row in rows_of(latex) for part in segments(row) if (chain := chain_of(part)) is not None)


def segments(row: Atoms) -> Iterator[Atoms]:
    """Cut at wide spaces, words, arrows of implication, and at commas between relations."""
    kept: list[Atom] = []
    pieces: list[Atoms] = []
    for atom in row:
        comma = atom.name == "," and any(one.name in RELATIONS for one in kept)
        mark = atom.kind == "sign" and (atom.name in SPLITS or atom.name in ";." or comma)
        if atom.kind in ("break", "words") or mark:
            pieces.append(tuple(kept))
            kept = []
        else:
            kept.append(atom)
    yield from (piece for piece in (*pieces, tuple(kept)) if piece)


def chain_of(part: Atoms) -> Chain | None:
    parts: list[Atoms] = [()]
    signs: list[str] = []
    for atom in part:
        if atom.kind == "sign" and atom.name in RELATIONS:
            signs.append(atom.name)
            parts.append(())
        elif not (atom.kind == "sign" and atom.name == ","):
            parts[-1] += (atom,)
    if not any(parts) or (not signs and any(atom.kind == "sign" and atom.name == "," for atom in part)):
        return None  # a list of names is no formula
    return Chain(tuple(map(term, parts)), tuple(signs), tuple(parts))


# --- one side ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=20_000)
def term(part: Atoms) -> Term:
    """A sum of products; what stands between signs that are no + or - is opaque."""
    if not part:
        return Term("opaque", text="")
    pieces: list[tuple[int, Atoms]] = []
    negative, kept = 1, ()  # type: int, Atoms
    for atom in part:
        if atom.kind == "sign" and atom.name in ("+", "-") and atom.bare:
            if kept:
                pieces.append((negative, kept))
            negative, kept = (1 if atom.name == "+" else -1), ()
        elif atom.kind == "letter" and atom.name in (r"\pm", r"\mp"):
            return Term("opaque", text=normal(part))
        else:
            kept += (atom,)
    pieces += [(negative, kept)] if kept else []
    terms = tuple(replace(_signed(minus, _product(list(inner))), source=inner) for minus, inner in pieces)
    return terms[0] if len(terms) == 1 else Term("sum", terms, source=part)


def _signed(sign: int, one: Term) -> Term:
    return one if sign == 1 else Term("prod", (Term("num", value=Fraction(-1)), one))


def _product(listed: list[Atom]) -> Term:
    factors: list[Term] = []
    listed = listed[::-1]
    while listed:
        atom = listed.pop()
        if atom.kind == "sign" and atom.name == "*":
            continue
        if atom.kind == "sign" and atom.name == "/" and factors and listed:
            under = _factor(listed)
            factors = [Term("frac", (_times(factors), under))]
            continue
        if atom.kind == "sign":
            return Term("opaque", text=normal((atom, *reversed(listed))))
        if atom.kind == "letter" and atom.name in BINARY and factors and listed:
            right = _product(listed[::-1])
            return Term(BINARY[atom.name], (_times(factors), right))
        listed.append(atom)
        factors.append(_factor(listed))
    return _times(factors)


def _times(factors: list[Term]) -> Term:
    return factors[0] if len(factors) == 1 else Term("prod", tuple(factors))


def _factor(listed: list[Atom]) -> Term:
    """The next factor; an operator takes what it acts on."""
    atom = listed.pop()
    if atom.kind == "number":
        return _scripted(Term("num", value=Fraction(atom.name)), atom)
    if atom.kind == "call":
        return _call(atom, listed)
    if atom.kind == "fence":
        return _fence(atom)
    if atom.kind == "table":
        return _table(atom)
    if atom.kind == "letter":
        return _letter(atom, listed)
    return Term("opaque", text=shown(atom))


def _call(atom: Atom, listed: list[Atom]) -> Term:
    name = atom.name if atom.name not in ("op", "big") else normal(atom.args[0])
    if atom.name == "frac":
        return _scripted(Term("frac", (term(atom.args[0]), term(atom.args[1]))), atom)
    if atom.name == "big":
        return Term("bind", (_rest(listed),), shown(replace(atom, args=())) + name, atom=atom, bound=_bound(atom))
    if atom.name == "op":
        if not listed:
            return Term("opaque", text=shown(atom))
        body = _factor(listed) if name in ("tr", *FUNCTIONS) else _rest(listed)
        inner = replace(atom, sup=None)
        return _scripted(Term("call", (body,), normal((inner,)), atom=atom), atom)
    return _scripted(Term("call", tuple(term(arg) for arg in atom.args), name, atom=atom), atom)


def _rest(listed: list[Atom]) -> Term:
    body = _product(listed[::-1]) if listed else Term("opaque")
    listed.clear()
    return body


def _bound(atom: Atom) -> tuple[str, ...]:
    """The indices below a sum: i=1, or s,t=m+1."""
    named = normal(atom.sub or ()).split("=")[0].split("∈")[0]
    return tuple(part for part in named.split(",") if re.fullmatch(r"\\?[A-Za-z]+", part))


def _fence(atom: Atom) -> Term:
    inner = atom.args[0]
    if atom.name in ("|", "||"):
        weight = (term(atom.sub),) if atom.sub else ()
        made = Term("norm", (term(inner), *weight), atom.name, atom=atom)
        return _scripted(made, replace(atom, sub=None))
    if atom.name == "<":
        parts = by_commas(inner)
        weight = (term(atom.sub),) if atom.sub else ()
        return Term("inner", (*map(term, parts), *weight), atom=atom)
    if len(by_commas(inner)) > 1 or atom.name == "{" or any(sign(one, "mid") for one in inner):
        return Term("opaque", text=shown(atom), atom=atom)
    return _scripted(term(inner), atom)


def by_commas(inner: Atoms) -> list[Atoms]:
    parts: list[Atoms] = [()]
    for atom in inner:
        if atom.kind == "sign" and atom.name == ",":
            parts.append(())
        else:
            parts[-1] += (atom,)
    return parts


def _table(atom: Atom) -> Term:
    if not atom.name.endswith("matrix") or len(set(atom.rows)) != 1:
        return Term("opaque", text=shown(atom), atom=atom)
    return _scripted(Term("matrix", tuple(map(term, atom.args)), rows=atom.rows), atom)


def _letter(atom: Atom, listed: list[Atom]) -> Term:
    following = listed[-1] if listed else None
    if atom.name in ("bb:E", r"\nabla", "bb:P") and listed:
        body = _rest(listed) if atom.name == "bb:E" else _factor(listed)
        return Term("call", (body,), "E" if atom.name == "bb:E" else shown(atom), atom=atom)
    if following is not None and following.kind == "fence" and applied(atom, following):
        listed.pop()
        arguments = tuple(map(term, by_commas(following.args[0])))
        return _scripted(Term("call", arguments, shown(atom), atom=atom), following)
    sup = atom.sup
    if sup is not None and _is_power(sup):
        base = Term("name", text=shown(replace(atom, sup=None)), atom=replace(atom, sup=None))
        return _scripted(base, replace(atom, sub=None))
    return Term("name", text=shown(atom), atom=atom)


def _is_power(sup: Atoms) -> bool:
    """A power is a number, a counting letter or a sum of them; a star, a word or a bracket is part of a name."""
    if sup == (TOP,) or normal(sup) == "T":
        return True
    marks = [atom for atom in sup if atom.kind in ("fence", "words") or atom.name.startswith(("rm:", "bold:", "cal:"))]
    return not marks and any(a.kind in ("number", "letter", "call") for a in sup) and sup[0].name not in ("+", "*")


def applied(atom: Atom, fence: Atom) -> bool:
    """Is this a function at a point? A letter that names one, or a bracket that holds one name or several arguments."""
    if fence.name != "(" or fence.sup == (TOP,):
        return False
    inner = fence.args[0]
    several = len(by_commas(inner)) > 1
    base = atom.name.split(":")[-1]
    return several or base in ("F", "f", "G", r"\ell", r"\Pi", "L") or (len(inner) == 1 and inner[0].kind == "letter")


def _scripted(base: Term, atom: Atom) -> Term:
    if atom.sub is not None:
        base = Term("entry", (base,), normal(atom.sub))
    if atom.sup is None:
        return base
    if atom.sup == (TOP,) or (normal(atom.sup) == "T" and base.op in ("name", "prod", "sum", "matrix")):
        return Term("transpose", (base,))
    return Term("pow", (base, term(atom.sup)))
