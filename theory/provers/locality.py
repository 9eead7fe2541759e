"""A smaller problem: only some of the facts. A proof found there is a proof here, by the rule `only`."""

from __future__ import annotations

from collections.abc import Callable

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, difference
from theory.kernel.kinds import has_letters
from theory.kernel.lang import Relation, symbols
from theory.kernel.sequent import Certificate, Sequent


def local(sequent: Sequent) -> list[int]:
    """The facts in which nothing occurs but parts of the goal."""
    mine = _parts(sequent.goal)
    return [i for i, fact in enumerate(sequent.facts) if fact.binder is None and _parts(fact) <= mine]


def around(sequent: Sequent) -> list[int]:
    """The facts about a part of the goal in which everything else is a plain name."""
    mine = _parts(sequent.goal)
    found = {i: _parts(f) for i, f in enumerate(sequent.facts) if f.binder is None and f.op != "!="}
    return [i for i, parts in found.items() if parts & mine and all(p.isidentifier() for p in parts - mine)]


def plain(sequent: Sequent) -> list[int]:
    """The facts in which no vector or matrix occurs."""
    return [i for i, f in enumerate(sequent.facts) if not (has_letters(f.left) or has_letters(f.right))]


def with_only(kept: list[int], sequent: Sequent, find: Callable[[Sequent], Certificate | None]) -> Certificate | None:
    """What `find` finds from these facts alone, as a proof from all of them."""
    if len(kept) == len(sequent.facts):
        return find(sequent)
    cert = find(sequent.only(tuple(sequent.facts[i] for i in kept)))
    return None if cert is None else {"kind": "only", "facts": kept, "then": cert}


def _parts(relation: Relation) -> frozenset[str]:
    try:
        return symbols(Atoms().flatten(difference(relation)[0]))
    except (KernelError, ValueError):
        return frozenset({"?"})


def nearby(sequent: Sequent) -> list[int]:
    """Facts in the parts of the goal and of those facts that share a part with it which is no plain name."""
    found = {i: _parts(f) for i, f in enumerate(sequent.facts) if f.binder is None and f.op != "!="}
    mine = _parts(sequent.goal)
    own = {part for part in mine if not part.isidentifier()} or mine
    reached = mine.union(*(parts for parts in found.values() if parts & own))
    return [i for i, parts in found.items() if parts <= reached]
