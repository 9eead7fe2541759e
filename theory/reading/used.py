"""What a reader needs of a claim: the definitions that it uses, and the values of the names that occur in it.

A claim may carry definitions that its neighbours use and it does not. They belong to it and to its digest, and say
nothing about it.
"""

from __future__ import annotations

import re
from typing import Any

from theory.kernel import Claim

NAME = re.compile(r"[^\W\d]\w*")


def definitions(claim: Claim) -> tuple[tuple[str, str], ...]:
    """Those of `where` that what the claim says, assumes and steps through uses, and those that these use."""
    names = _names(*claim.says, *claim.given, *(part for step in claim.steps for part in step))
    kept: list[tuple[str, str]] = []
    for head, formula in reversed(claim.where):  # a definition uses earlier ones only
        if (found := NAME.match(head)) and found[0] in names:
            kept.append((head, formula))
            names |= _names(formula)
    return tuple(reversed(kept))


def names_in(claim: Claim) -> frozenset[str]:
    """Every name that stands in the claim or in a definition that it uses, sizes and spaces of its kinds included."""
    steps = (part for step in claim.steps for part in step)
    defined = (part for pair in definitions(claim) for part in pair)
    said = _names(*claim.says, *claim.given, *steps, *defined)
    kinds = _names(*(kind for name, kind in claim.kinds if name in said))
    return frozenset(said | kinds | {f"p_{name}" for name in kinds})


def example(claim: Claim) -> dict[str, Any]:
    """The values at the example of what occurs in the claim."""
    known = names_in(claim)
    return {name: value for name, value in claim.example if name in known}


def _names(*texts: str) -> set[str]:
    return {name for text in texts for name in NAME.findall(text)}
