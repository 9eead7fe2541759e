"""A smaller problem: only the facts about the parts of the goal. A proof found there is a proof here, renumbered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theory.kernel.errors import KernelError
from theory.kernel.flat import Atoms, difference
from theory.kernel.lang import Relation, symbols
from theory.kernel.sequent import Certificate, Sequent


def local(sequent: Sequent) -> tuple[Sequent, list[int]]:
    """The sequent with the facts in which nothing occurs but parts of the goal, and the old places of those."""
    mine = _parts(sequent.goal)
    kept = [i for i, fact in enumerate(sequent.facts) if fact.binder is None and _parts(fact) <= mine]
    return sequent.only(tuple(sequent.facts[i] for i in kept)), kept


def _parts(relation: Relation) -> frozenset[str]:
    try:
        return symbols(Atoms().flatten(difference(relation)[0]))
    except (KernelError, ValueError):
        return frozenset({"?"})


def relocated(cert: Any, kept: Sequence[int], count: int) -> Certificate:
    """The certificate with the numbers that the facts have among `count` facts."""

    def place(position: int) -> int:
        return kept[position] if position < len(kept) else position - len(kept) + count

    if isinstance(cert, list):
        return [relocated(one, kept, count) for one in cert]  # type: ignore[return-value]
    if not isinstance(cert, dict):
        return cert  # type: ignore[no-any-return]
    moved: Certificate = {}
    for key, value in cert.items():
        if key in ("of", "multiplier") and isinstance(value, list):
            moved[key] = [place(i) for i in value]
        elif key == "modulo":
            moved[key] = [[place(i), cofactor] for i, cofactor in value]
        elif key == "fact" and isinstance(value, int):
            moved[key] = place(value)
        else:
            moved[key] = relocated(value, kept, count)
    return moved
