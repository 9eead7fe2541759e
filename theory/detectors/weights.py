r"""How printed names scale: the weights of a paper's symbols file, found by the letter that is printed.

A name is matched by its letter, its marks and its index: \tilde{\mathbf{x}}_{k-1} is the row \tilde{\mathbf{x}}_k. What
no row or two rows of different weight match is unknown, and what is unknown fits everywhere.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from theory.claims.symbols import Convention, Symbol, Weight
from theory.detectors.formula import normal, shown
from theory.reading.latex.atoms import Atom, Atoms, Unreadable, atoms

INDEX = re.compile(r"[-+/,0-9]*(?:\\?[A-Za-z]+[-+/,0-9]*)+|[0-9]+(?:[-+/][0-9]+)*")
COUNTER = re.compile(r"[ijklmnst](?:[-+][0-9]+)?")
BARE = 4  # the rank of a row without an index for a name that is printed with one
TWO = (Atom("number", "2"),)


@dataclass(frozen=True)
class Row:
    """One symbol, by the first letter that it is printed with."""

    symbol: Symbol
    atom: Atom


class Weights:
    """Every symbol by its letter; functions such as \\nabla F by their whole name."""

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self.rows: dict[str, list[Row]] = defaultdict(list)
        self.operators: dict[str, Symbol] = {}
        for one in symbols:
            listed = _listed(one.latex)
            if len(listed) > 1 and listed[0].name == r"\nabla":
                self.operators[normal(listed[:2])] = one
            elif listed and listed[0].kind == "letter":
                self.rows[listed[0].name].append(Row(one, listed[0]))

    def of(self, atom: Atom, section: str, convention: Convention) -> Weight | None:
        """The weight of a name in a section; None when it is unknown."""
        found = self.symbols(atom, section)
        weights = {one.weight_in(convention) for one in found}
        return weights.pop() if len(weights) == 1 else None

    def symbols(self, atom: Atom, section: str) -> list[Symbol]:
        """The rows that a name may be of: close ones of this section before the others, the closest first."""
        ranked = [
            (rank, row.symbol) for row in self.rows.get(atom.name, ()) if (rank := _rank(row.atom, atom)) is not None
        ]
        close = [(rank, one) for rank, one in ranked if rank < BARE and _at(one, section)] or ranked
        best = min((rank for rank, _ in close), default=0)
        return _here([one for rank, one in close if rank == best], section)

    def exact(self, atom: Atom, section: str, convention: Convention) -> Weight | None:
        """The weight of a row that is printed like this to the letter, such as R^2."""
        known = [row.symbol for row in self.rows.get(atom.name, ()) if shown(row.atom) == shown(atom)]
        weights = {one.weight_in(convention) for one in _here(known, section)}
        return weights.pop() if len(weights) == 1 else None

    def square(self, atom: Atom, section: str, convention: Convention) -> Weight | None:
        """The weight of a name that the symbols file knows by its square only."""
        if self.exact(atom, section, convention) is not None or atom.sup is not None:
            return None
        known = self.exact(replace(atom, sup=TWO), section, convention)
        return None if known is None else known.times(Fraction(1, 2))


def _here(found: list[Symbol], section: str) -> list[Symbol]:
    """Those that have their meaning in this section, else those that have it everywhere."""
    here = [one for one in found if _at(one, section)]
    return here or [one for one in found if not one.where]


def _at(one: Symbol, section: str) -> bool:
    return any(place.casefold() in section.casefold() for place in one.where)


def _listed(latex: str) -> Atoms:
    try:
        return atoms(latex)
    except Unreadable:
        return ()


def _rank(row: Atom, atom: Atom) -> int | None:
    """How closely a printed name matches a row: 0 is the same, None is another name."""
    if shown(row) == shown(atom):
        return 0
    above, printed = (normal(one.sup) if one.sup is not None else "" for one in (row, atom))
    if row.primes != atom.primes or _mark(above) != _mark(printed):
        return None
    low, below = (normal(one.sub) if one.sub is not None else "" for one in (row, atom))
    if low and below and not (_index(low) and _index(below)):
        return None
    if low and below:
        return 1 if _letters(low) & _letters(below) else 2 if re.search(r"[-+/0-9]|infty", below) else None
    if not below:
        return 3 if COUNTER.fullmatch(low) or not low else None
    return BARE if _index(below) else None


def _mark(above: str) -> str:
    return re.sub(r"fence:\({[^|]*}", "(.)", above)


def _index(below: str) -> bool:
    return INDEX.fullmatch(below) is not None


def _letters(below: str) -> frozenset[str]:
    return frozenset(re.findall(r"\\?[A-Za-z]+", below.casefold()))


__all__ = ["Weights"]
