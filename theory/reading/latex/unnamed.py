r"""LaTeX read without a symbols file: every letter is itself, with its accents, its alphabet and its scripts.

So two formulas can be compared as they are printed, whatever a paper calls things. What a letter is, is told by how it
is set: bold capitals are matrices, other bold letters vectors, everything else is a number. A letter that the paper
uses as a function takes the bracket behind it. Operators such as \sup, \lim and \otimes, conditional expectations and
sums without an end are kept as they are: they are compared, never evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from theory.kernel.lang import Node, sym
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms, sign
from theory.reading.latex.formulas import TRANSPOSES, FormulaReader
from theory.reading.latex.notation import Glyph, Notation
from theory.reading.latex.operators import split

FIXED = ("*", "+", "∞")  # a superscript that is a part of the name


@dataclass(frozen=True)
class Typography(Notation):
    """A notation that knows no names: a kind is read off from how a name is set."""

    functions: frozenset[str] = frozenset()
    literal = True

    def __getitem__(self, name: str) -> Glyph:
        return Glyph(name, name, "sequence", _kind(name))

    def letter(self, reader: FormulaReader, given: Atoms, at: int) -> tuple[Node, int] | None:
        atom = given[at]
        if atom.name == "bb:E":
            return _mean(reader, given, at)
        if atom.name in ("e", "rm:e") and atom.sup is not None and atom.sub is None:
            return None
        if atom.name == r"\nabla" and at + 1 < len(given) and given[at + 1].kind == "letter":
            power = "".join(one.name for one in atom.sup or ())
            atom, at = replace(given[at + 1], name=f"nabla{power}:{given[at + 1].name}"), at + 1
        return self._called(reader, atom, given, at + 1)

    def _called(self, reader: FormulaReader, atom: Atom, given: Atoms, end: int) -> tuple[Node, int]:
        node, rest = _indexed(reader, atom)
        following = given[end] if end < len(given) else None
        takes = self.functions & {_name(atom), f"{_name(atom)}_{_flat(atom.sub or ())}"}
        if not takes or following is None or following.kind != "fence" or following.name not in ("(", "{"):
            return reader.scripted(node, rest), end
        inner = [reader.formula(_member(part)) for part in split(following.args[0])]
        value = reader.scripted(Node("index", (node, *inner)), rest)
        outer = replace(following, args=(), sub=None if _ranges(following) else following.sub)
        return reader.scripted(value, outer), end + 1

    def operator(self, reader: FormulaReader, word: str, given: Atoms, at: int) -> tuple[Node, int]:
        """\\sup, \\lim and their like take the term behind them, \\tan the factor."""
        if at + 1 >= len(given):
            raise Unreadable(f"{word} of nothing")
        if word == "tan" and given[at].bare:
            inner, end, _ = reader.factor(given, at + 1)
            return Node("index", (sym(word), inner)), end
        return Node("index", (sym(f"{word}_{_flat(given[at].sub or ())}"), reader.term(given[at + 1 :]))), len(given)


def typography(functions: Iterable[str] = ()) -> Typography:
    """`functions` are the LaTeX of the letters that take what stands in brackets behind them."""
    parts = [part for latex in functions for part in atoms(latex)[-1:]]
    stems = {_name(part) + (f"_{_flat(part.sub)}" if part.sub else "") for part in parts}
    return Typography(functions=frozenset(stems) | {f"nabla_{stem}" for stem in stems})


def _indexed(reader: FormulaReader, atom: Atom) -> tuple[Node, Atom]:
    """The letter with its indices, and the powers that are left."""
    name, sup = _name(atom), atom.sup
    places: list[Node] = []
    if atom.sub is not None:
        places, name = _lower(reader, atom.sub, name)
    if sup is not None and len(sup) == 1 and sup[0].kind == "fence" and sup[0].name == "(" and sup[0].bare:
        places += [sym("layer"), reader.formula(sup[0].args[0])]
        sup = None
    elif sup is not None and _fixed(sup):
        name, sup = f"{name}__{_flat(sup)}", None
    node = sym(name)
    return (Node("index", (node, *places)) if places else node), Atom("letter", "", sup=sup)


def _lower(reader: FormulaReader, lower: Atoms, name: str) -> tuple[list[Node], str]:
    try:
        return [reader.formula(part) for part in split(lower)], name
    except Unreadable:
        return [], f"{name}_{_flat(lower)}"


def _mean(reader: FormulaReader, given: Atoms, at: int) -> tuple[Node, int]:
    """Takes square brackets, and others when nothing follows them, else all that follows; a condition is a part of its
    name."""
    atom, following = given[at], given[at + 1] if at + 1 < len(given) else None
    if following is None or atom.sup is not None:
        raise Unreadable("an expectation of nothing")
    under = _flat(atom.sub) if atom.sub is not None and not any(sign(a, "∼", ",") for a in atom.sub) else ""
    last = len(given) == at + 2 or (following.name == "[" and not sign(given[at + 2], "*"))
    if following.kind == "fence" and following.name in ("(", "[", "{") and following.bare and last:
        body = following.args[0]
        bar = next((k for k, one in enumerate(body) if sign(one, "mid")), len(body))
        return Node("mean", (sym(f"w{under}{_flat(body[bar + 1 :])}"), reader.formula(body[:bar]))), at + 2
    return Node("mean", (sym(f"w{under}"), reader.term(given[at + 1 :]))), len(given)


def _member(part: Atoms) -> Atoms:
    r"""\{C_t\}_{t \in \mathbb{N}} is the sequence of the C_t."""
    one = part[0] if len(part) == 1 else None
    return one.args[0] if one is not None and one.kind == "fence" and one.name == "{" and _ranges(one) else part


def _ranges(fence: Atom) -> bool:
    """Over what the members of a sequence range says nothing that is compared."""
    return bool(fence.sub) and any(sign(one, "∈") for one in fence.sub or ())


def _fixed(upper: Atoms) -> bool:
    if len(upper) == 1 and upper[0].kind == "letter" and upper[0].name in TRANSPOSES:
        return False
    one = upper[0] if len(upper) == 1 else None
    return one is not None and (sign(one, *FIXED) or one.kind == "words" or one.name.startswith("rm:"))


def _name(atom: Atom) -> str:
    r"""A letter as a name of the language: \tilde{\mathbf{C}} is tilde_bold_C."""
    return re.sub(r"\W+", "_", atom.name.replace("\\", "").replace("∞", "oo")).strip("_") + "p" * atom.primes


def _flat(script: Atoms) -> str:
    """Scripts as a part of a name."""
    parts = []
    for one in script:
        inner = "_".join(_flat(arg) for arg in one.args)
        below = "".join(f"{mark}{_flat(part)}" for mark, part in (("_", one.sub), ("__", one.sup)) if part is not None)
        parts.append(_name(one) + inner + below if one.kind != "sign" else _SPELLED.get(one.name, "s"))
    return "_".join(parts)


_SPELLED = {"*": "star", "+": "plus", "-": "minus", "->": "to", "<=": "le", "∈": "in", ",": "and", "=": "is"}


def _kind(name: str) -> str:
    found = re.search(r"(?:^|_)bold_(\w)", name)
    if name.startswith("nabla_"):
        return "vector"
    return "real" if found is None else "matrix" if found[1].isupper() else "vector"
