"""Where the hypotheses of a claim come from, as a paper that brings `sources` says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

SIGN = re.compile(r"\w+ >=? \d+")

if TYPE_CHECKING:
    from theory.kernel import Claim


@dataclass(frozen=True)
class Sources:
    """hypotheses: what each comes from; letters: how those of a claim are read that has these hypotheses alone.

    state    the recursion that the letters are of: a claim in which it does not occur has letters of its own
    """

    hypotheses: Mapping[str, str] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)
    state: str = ""

    def know(self, claim: Claim) -> bool:
        """A claim about the algorithm, with these hypotheses alone."""
        return bool(claim.given and claim.steps) and all(one in self.hypotheses for one in claim.given)

    def given(self, claim: Claim) -> Iterator[str]:
        """The hypotheses under what they come from, in the order of the sources, then the others.

        A sign alone (mu > 0) says nothing of a source. They stay as they are where the claim is not about the
        algorithm, or most of them come from elsewhere.
        """
        known = [one for one in claim.given if one in self.hypotheses]
        if not claim.steps or 2 * len(known) < len(claim.given):
            yield from claim.given
            return
        found = {self.hypotheses[one] for one in known if not SIGN.fullmatch(one)}
        for source in dict.fromkeys(self.hypotheses.values()):
            if source in found:
                yield source
                yield from (f"  {one}" for one in claim.given if self.hypotheses.get(one) == source)
        others = [one for one in claim.given if self.hypotheses.get(one) not in found]
        if others:
            yield "and"
            yield from (f"  {one}" for one in others)

    def read(self, claim: Claim) -> list[str]:
        """The words about letters that occur in the claim."""
        from theory.reading.used import names_in

        known = names_in(claim) if self.know(claim) else frozenset()
        return [words for name, words in self.letters.items() if name in known] if self.state in known else []
