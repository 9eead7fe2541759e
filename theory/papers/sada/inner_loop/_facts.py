"""Positions of facts, so that a certificate that is written by hand can name them."""

from __future__ import annotations

from collections.abc import Sequence

from theory.provers.tactics import Tactic

PLAIN: Tactic = {"kind": "positive"}


def at(given: Sequence[str], fact: str) -> int:
    """The position of a hypothesis; what is cited or shown later is numbered on from len(given)."""
    return list(given).index(fact)


def at_a_sample(given: Sequence[str], fact: str) -> int:
    """The same at one sample of the probability space: hypotheses for every index of another range are not there."""
    return [one for one in given if not one.startswith("forall(") or "Omega" in one].index(fact)


def added(
    *terms: tuple[str, Sequence[int], str], multiplier: Sequence[int] = (), modulo: Sequence[tuple[int, str]] = ()
) -> Tactic:
    """A weighted sum of products of facts and squares: (weight, positions, square); an empty square is left out."""
    listed = [{"c": c, "of": list(of)} | ({"sq": square} if square else {}) for c, of, square in terms]
    cert: Tactic = {"kind": "cone", "terms": listed}
    if multiplier:
        cert["multiplier"] = list(multiplier)
    if modulo:
        cert["modulo"] = [list(pair) for pair in modulo]
    return cert
