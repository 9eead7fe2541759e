r"""Over what a relation holds: `for all k = 1, \dots, n`, `for all k \geq 0`, `1 \le k < n`, `i \in [n]`.

A name that is no counter needs no range, for a claim holds for every value of its free names.
"""

from __future__ import annotations

import re
from fractions import Fraction

from theory.kernel.lang import FOREVER, Node, num, text
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms, sign
from theory.reading.latex.formulas import FormulaReader
from theory.reading.latex.notation import Notation
from theory.reading.latex.operators import split

Binder = tuple[str, Node, Node]
FORALL = ("for all", "for every", "for each", "for any", "for", "forall")
SURELY = ("almost surely", "a.s.", "almost every sample", "with probability one")
ORDER = ("<=", "<", ">=", ">")
FLIPPED = str.maketrans("<>", "><")
INLINE = re.compile(r"\s*(for all|for every|for each|for any|for)\s*\$([^$]+)\$\s*\.?\s*", re.IGNORECASE)


def told(words: Atom) -> Atoms:
    r"""Words as atoms: `\text{for all $k \ge 0$}` is `for all` and a formula."""
    found = INLINE.fullmatch(words.name)
    return (Atom("words", found[1]), *atoms(found[2])) if found else (words,)


def binder(tail: Atoms, notation: Notation) -> Binder | None:
    """The counter after `for all` with its ends; None when only names that are no counters stand there."""
    signs = [atom.name for atom in tail if atom.kind == "sign"]
    if "=" in signs:
        return _listed(tail, FormulaReader(notation))
    if "∈" in signs:
        return _member(tail, notation)
    if any(one in ORDER for one in signs):
        return _between(tail, FormulaReader(notation))
    counters = [name for name in _names(tail, notation) if notation.kind(name) == "natural"]
    if counters:
        raise Unreadable(f"from where {counters[0]} counts is not said; write for all {counters[0]} \\geq 0")
    return None


def is_range(part: Atoms, notation: Notation) -> bool:
    r"""Does `k \ge 1` stand here, a condition on a counter and nothing else?"""
    cuts = [k for k, atom in enumerate(part) if sign(atom, *ORDER)]
    if not cuts or any(sign(atom, "=", ":=", "!=", "<<", ">>") for atom in part):
        return False
    try:
        index = _counter(part, cuts, FormulaReader(notation))[0]
    except Unreadable:
        return False
    return notation.kind(index) == "natural"


def _names(tail: Atoms, notation: Notation) -> list[str]:
    reader = FormulaReader(notation)
    return [reader.bound_name(*part) for part in split(tail)]


def _listed(tail: Atoms, reader: FormulaReader) -> Binder:
    """k = 1, …, n or k = 1, 2, …"""
    first, *rest = split(tail)
    equals = next((k for k, atom in enumerate(first) if sign(atom, "=")), 0)
    dots = [k for k, part in enumerate(rest) if len(part) == 1 and sign(part[0], "…")]
    if not equals or len(dots) != 1 or dots[0] > 1 or len(rest) > dots[0] + 2:
        raise Unreadable("the range after `for all` is not written as k = 1, …, n")
    index, low = reader.bound_name(*first[:equals]), reader.formula(first[equals + 1 :])
    if dots[0] == 1 and text(reader.formula(rest[0])) != text(_shifted(low, 1)):
        raise Unreadable("a range is read in steps of one only")
    last = rest[dots[0] + 1] if len(rest) > dots[0] + 1 else ()
    return index, low, reader.formula(last) if last else FOREVER


def _shifted(node: Node, by: int) -> Node:
    if node.op == "num":
        return num(Fraction(node.value) + by)
    return Node("+" if by > 0 else "-", (node, num(abs(by))))


def _member(tail: Atoms, notation: Notation) -> Binder | None:
    r"""i \in [n] is a range; x, y \in \mathbb{R}^d says what is known of names already."""
    cut = next(k for k, atom in enumerate(tail) if sign(atom, "∈"))
    names, home = _names(tail[:cut], notation), tail[cut + 1 :]
    counters = [name for name in names if notation.kind(name) == "natural"]
    if not counters and len(home) == 1 and home[0].name == "bb:R":
        return None
    if len(names) == 1 and len(home) == 1 and home[0].kind == "fence" and home[0].name == "[" and home[0].bare:
        return names[0], num(1), FormulaReader(notation).formula(home[0].args[0])
    raise Unreadable("the set after `for all` is neither [n] nor \\mathbb{R}; write k = 1, …, n or k \\geq 0")


def _between(tail: Atoms, reader: FormulaReader) -> Binder:
    r"""k \ge 0, or 1 \le k < n."""
    if any(sign(atom, ",") for atom in tail):
        raise Unreadable("several conditions stand after `for all`; write them under given")
    cuts = [k for k, atom in enumerate(tail) if sign(atom, *ORDER)]
    index, low, high = _counter(tail, cuts, reader)
    if reader.notation.kind(index) != "natural":
        raise Unreadable(f"{index} is no counter; its condition is a hypothesis of the claim")
    if low is None:
        raise Unreadable(f"from where {index} counts is not said")
    return index, low, FOREVER if high is None else high


def _counter(tail: Atoms, cuts: list[int], reader: FormulaReader) -> tuple[str, Node | None, Node | None]:
    """The name between two bounds, or before one, and the least and the last of its values."""
    parts = [tail[a:b] for a, b in zip([0, *(k + 1 for k in cuts)], [*cuts, len(tail)], strict=True)]
    signs = [tail[k].name for k in cuts]
    if len(parts) == 3 and signs[0][0] == signs[1][0]:
        bounds = [(signs[0].translate(FLIPPED), parts[0]), (signs[1], parts[2])]
        index = reader.bound_name(*parts[1])
    elif len(parts) == 2:
        index, bounds = reader.bound_name(*parts[0]), [(signs[0], parts[1])]
    else:
        raise Unreadable("the range after `for all` is not written as k = 1, …, n or k \\geq 0")
    low = high = None
    for order, bound in bounds:
        value = reader.formula(bound)
        if order[0] == ">":
            low = value if order == ">=" else _shifted(value, 1)
        else:
            high = value if order == "<=" else _shifted(value, -1)
    return index, low, high
