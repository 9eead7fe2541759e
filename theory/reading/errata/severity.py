"""How bad a slip is: computed from verdicts, from what the repaired readings change, and from the standing context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, Protocol

from theory.claims.statement import Faithfulness, Kind
from theory.kernel import Claim, KernelError
from theory.kernel.lang import parse_relation, walk
from theory.kernel.points import environment, holds
from theory.ledger.records import Record
from theory.ledger.summary import RIGOROUS


class Severity(Enum):
    """The value is the sentence that people read; worst first."""

    KILLS = "kills a statement"
    CONSTANT = "changes a constant"
    HYPOTHESIS = "needs a hypothesis"
    PEN = "slip of the pen"
    PEDANTIC = "pedantic"

    @property
    def rank(self) -> int:
        return list(Severity).index(self)

    @property
    def word(self) -> str:
        """For one line a finding."""
        return {"KILLS": "false", "PEN": "slip"}.get(self.name, self.name.lower())

    @classmethod
    def read(cls, words: str) -> Severity:
        """By its sentence, its name or its word."""
        for one in cls:
            if words.lower() in (one.value, one.name.lower(), one.word):
                return one
        raise ValueError(f"{words!r} is no severity; write one of {', '.join(repr(one.value) for one in cls)}")


BY_KIND = {
    Faithfulness.WEAKER: Severity.KILLS,
    Faithfulness.ALGORITHM: Severity.KILLS,
    Faithfulness.CONSTANT: Severity.CONSTANT,
    Faithfulness.EXTRA_HYPOTHESIS: Severity.HYPOTHESIS,
    Faithfulness.TYPO: Severity.PEN,
}


class Place(Enum):
    """Where a witness lies; the value is the sentence that people read."""

    INSIDE = "the witness lies in the standing context"
    OUTSIDE = "no witness inside the standing context is known: outside of it only"
    FREE = "the standing context says nothing about the quantities of the witness"


class Standing(Protocol):
    """One hypothesis of the standing context, for the lines that it governs; `words` is how people read it."""

    @property
    def hypothesis(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def words(self) -> str: ...


def place_of(
    claim: Claim, point: Mapping[str, Any], line: int, standing: Iterable[Standing]
) -> tuple[Place, tuple[str, ...]]:
    """Does the witness obey what the paper fixes once for these lines? And what of it is broken, in words."""
    said, broken = False, []
    for one in standing:
        held = _holds(one.hypothesis, claim, point) if one.line <= line <= one.last else None
        said = said or held is not None
        if held is False:
            broken.append(one.words)
    found = Place.OUTSIDE if broken else Place.INSIDE if said else Place.FREE
    return found, tuple(broken)


def _holds(hypothesis: str, claim: Claim, point: Mapping[str, Any]) -> bool | None:
    """At the point, with what the claim defines; None where a name of it is no number of the claim."""
    relation = parse_relation(hypothesis)
    names = {str(p.value) for side in (relation.left, relation.right) for p in walk(side) if p.op == "sym"}
    if not names <= set(point) | {name for name, _ in claim.where} or claim.kinds:
        return None
    try:
        asked = replace(claim, says=(hypothesis,))
        return holds(asked.goals[0], environment(point, claim))
    except (TypeError, ValueError, KernelError):
        return None


def computed(refuted: Iterable[tuple[Record, tuple[Record, ...], Place]]) -> Severity:
    """The worst of the refuted checks, each by its repairs; a step without a repair counts when it stands alone.

    A statement without a repair that is proved is lost. What fails outside the standing context only needs a
    hypothesis at most.
    """
    listed = list(refuted)
    if not listed:
        return Severity.PEN
    found = [severity for one in listed if (severity := _of_one(*one)) is not None]
    return min(found, key=lambda s: s.rank) if found else Severity.CONSTANT


def _of_one(record: Record, repairs: tuple[Record, ...], place: Place) -> Severity | None:
    kinds = [BY_KIND[r.faithfulness] for r in repairs if r.faithfulness in BY_KIND and _proved(r)]
    if not kinds:
        return Severity.KILLS if record.kind is Kind.PRINTED and not record.argument else None
    worst = min(kinds, key=lambda s: s.rank)
    return max(worst, Severity.HYPOTHESIS, key=lambda s: s.rank) if place is Place.OUTSIDE else worst


def _proved(record: Record) -> bool:
    return record.verdict in RIGOROUS or record.verdict.name == "CITED"
