"""What takes something along: functions before brackets, sums over a range, expectations, maps, tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from theory.kernel.lang import Node, sym, text
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, sign
from theory.reading.latex.kinds import COLUMN, MATRIX, sort_of

if TYPE_CHECKING:
    from theory.reading.latex.formulas import FormulaReader

NAMED = {"exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tr": "tr", "inv": "inv", "Tr": "tr", "trace": "tr"}
ORDERS = frozenset({"O", "o", r"\Omega", r"\Theta"})


def named(reader: FormulaReader, given: Atoms, at: int) -> tuple[Node, int]:
    """exp, log, tr, min, …: before brackets, or before what follows."""
    atom, word = given[at], given[at].args[0][0].name
    following = given[at + 1] if at + 1 < len(given) else None
    if word in ("min", "max") and following is not None and following.kind == "fence" and atom.bare:
        node = Node(word, tuple(map(reader.formula, split(following.args[0]))))
        return reader.scripted(node, replace(following, args=())), at + 2
    if word not in NAMED or following is None or atom.sub is not None:
        return reader.notation.operator(reader, word, given, at)
    if following.kind == "fence" and following.name in ("(", "[", "{"):
        node, end = Node(NAMED[word], (reader.formula(following.args[0]),)), at + 2
        node = reader.scripted(node, replace(following, args=()))
    elif NAMED[word] == "tr":
        node, end = Node("tr", (reader.term(given[at + 1 :]),)), len(given)
    else:
        inner, end, _ = reader.factor(given, at + 1)
        if end < len(given) and not sign(given[end], "/", "*"):
            raise Unreadable(f"where the argument of {word} ends can be read in two ways; write brackets")
        node = Node(NAMED[word], (inner,))
    return (reader.scripted(node, atom) if atom.sup is not None else node), end


def big(reader: FormulaReader, given: Atoms, at: int) -> tuple[Node, int]:
    """A sum takes the product that follows it; over s, t = 1 it is a sum of sums."""
    atom, word = given[at], given[at].args[0][0].name
    if word not in ("sum", "prod") or atom.sub is None or atom.sup is None:
        raise Unreadable(f"a {word} without its range is no part of the language")
    equals = next((k for k, one in enumerate(atom.sub) if sign(one, "=")), 0)
    if not equals:
        raise Unreadable(f"the range of a {word} is not written as i = 1")
    indices = [reader.bound_name(*part) for part in split(atom.sub[:equals])]
    low, high = reader.formula(atom.sub[equals + 1 :]), reader.formula(atom.sup)
    if "oo" in (text(low), text(high)) and not reader.notation.literal:
        raise Unreadable(f"a {word} without an end is a limit, and limits are not in the language")
    node = reader.inside(bound=(*reader.scope.bound, *indices)).term(given[at + 1 :])
    for index in reversed(indices):
        node = Node(word, (sym(index), low, high, node))
    return node, len(given)


def expectation(reader: FormulaReader, given: Atoms, at: int) -> tuple[Node, int]:
    """E[…] takes its brackets; E before a product takes the product."""
    atom = given[at]
    following = given[at + 1] if at + 1 < len(given) else None
    if atom.sup is not None or atom.primes or following is None:
        raise Unreadable("an expectation is not written as E[…]")
    sample = _sample(reader, atom.sub)
    inner = reader.inside(sample=sample)
    if following.kind == "fence" and following.name in ("[", "(", "{"):
        more = at + 2 < len(given) and not sign(given[at + 2], "/", "*")
        if following.name == "(" and more:
            raise Unreadable("where the expectation ends can be read in two ways; write E[…]")
        node = Node(reader.notation.mean, (sym(sample), inner.formula(following.args[0])))
        return reader.scripted(node, replace(following, args=())), at + 2
    return Node(reader.notation.mean, (sym(sample), inner.term(given[at + 1 :]))), len(given)


def _sample(reader: FormulaReader, lower: Atoms | None) -> str:
    r"""The sample of \mathbb{E}, \mathbb{E}_{w} or \mathbb{E}_{a \sim D}; the symbols file says what is random."""
    if lower is None or any(sign(one, "∼") for one in lower):
        return reader.notation.sample
    if len(lower) > 1:
        raise Unreadable("a conditional expectation, or one over several samples, is not read")
    return reader.bound_name(*lower)


def iteration(reader: FormulaReader, given: Atoms, at: int, arrow: int) -> tuple[Node, int, bool]:
    """(s -> body)^n (start)."""
    atom, inner = given[at], given[at].args[0]
    start = given[at + 1] if at + 1 < len(given) else None
    if atom.sup is None or start is None or start.kind != "fence":
        raise Unreadable("a map is not written as (s \\mapsto …)^n(…)")
    state, begin = reader.bound_name(*inner[:arrow]), reader.formula(start.args[0])
    kind = {COLUMN: "vector", MATRIX: "matrix"}.get(sort_of(begin, reader.notation), "real")
    notation = reader.notation.but(state, kind)
    below = type(reader)(notation, replace(reader.scope, bound=(*reader.scope.bound, state)))
    body = below.formula(inner[arrow + 1 :])
    node = Node("iterate", (sym(state), reader.formula(atom.sup), begin, body))
    return reader.scripted(node, replace(start, args=())), at + 2, False


def listed(reader: FormulaReader, table: Atom) -> Node:
    cells = [reader.formula(cell) for cell in table.args]
    if all(count == 1 for count in table.rows):
        return Node("list", tuple(cells))
    if len(set(table.rows)) > 1:
        raise Unreadable("the rows of a matrix differ in length")
    width = table.rows[0]
    return Node("list", tuple(Node("list", tuple(cells[k : k + width])) for k in range(0, len(cells), width)))


def is_order(given: Atoms, at: int) -> bool:
    r"""Is this O(…), \tilde{\Omega}(…) or their like?"""
    following = given[at + 1] if at + 1 < len(given) else None
    *marks, stem = given[at].name.split(":")
    alike = given[at].kind == "letter" and given[at].bare and stem in ORDERS and "bold" not in marks
    return alike and following is not None and following.kind == "fence" and following.name in ("(", "[", "{")


def split(given: Atoms) -> list[Atoms]:
    """Cut at commas."""
    parts: list[list[Atom]] = [[]]
    for atom in given:
        if sign(atom, ","):
            parts.append([])
        else:
            parts[-1].append(atom)
    return [tuple(part) for part in parts]


def shown(atom: Atom) -> str:
    return repr(atom.name.replace("bold:", "").replace("rm:", "") or atom.kind)
