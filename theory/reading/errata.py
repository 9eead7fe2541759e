"""The errata: computed from the verdicts. Nobody types one.

Each refuted printed reading or step is a finding: where it stands, what is printed, what is right, the exact witness,
and the blast radius: which statements use it and whether they survive.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from theory.claims.statement import Kind
from theory.kernel import Verdict
from theory.ledger.records import Record
from theory.ledger.stands import DOES_NOT_FOLLOW, labelled
from theory.ledger.summary import is_printed, repairs_of
from theory.reading.graph import Graph, Status, graph
from theory.reading.paper import Paper, PaperDisplay, PaperStatement

FATE = {
    Status.PROVED: "survives",
    Status.LINKED: "survives, up to links by hand",
    Status.INSTANCE: "survives for the sizes that were checked",
    Status.ALONE: "survives, with a proof of its own",
    Status.CERTIFIED: "survives, certified",
    Status.CITED: "rests on an external theorem",
    Status.SUPPORTED: "no violation found",
    Status.UNDECIDED: "open",
    Status.UNFOUNDED: "does not follow; what follows instead is proved where a repair is listed",
    Status.REPAIRED: "false as printed too; repaired",
    Status.REFUTED: "false as printed too",
    Status.GIVEN: "nothing to prove",
    Status.UNJUDGED: "not judged yet",
}
NOT_FALSE = "Does not follow from the argument given for it, which does not make it false."
STANDS = (Status.PROVED, Status.LINKED, Status.INSTANCE, Status.ALONE, Status.CERTIFIED)


@dataclass(frozen=True)
class Repair:
    """What is right instead."""

    key: str
    kind: str
    says: tuple[str, ...]
    given: tuple[str, ...]
    where: tuple[tuple[str, str], ...]
    verdict: str
    words: str


@dataclass(frozen=True)
class Erratum:
    """One thing that is wrong in print."""

    key: str
    statement: str
    title: str
    display: str
    first_line: int
    last_line: int
    is_step: bool
    printed: str  # LaTeX as printed, "" when only the executable formula is known
    says: tuple[str, ...]
    given: tuple[str, ...]
    where: tuple[tuple[str, str], ...]
    fails: str
    witness: dict[str, Any]
    left: str
    right: str
    words: str
    kinds: tuple[str, ...]
    repairs: tuple[Repair, ...]
    statement_fate: str
    blast_radius: tuple[tuple[str, str], ...]  # statement id, what becomes of it

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = asdict(self)
        body["blast_radius"] = [{"statement": id_, "fate": fate} for id_, fate in self.blast_radius]
        body["where"] = dict(self.where)
        for repair, raw in zip(self.repairs, body["repairs"], strict=True):
            raw["where"] = dict(repair.where)
        return body


def errata(paper: Paper, records: Iterable[Record]) -> tuple[Erratum, ...]:
    """In reading order."""
    listed = list(labelled(records))
    map_ = graph(paper, listed)
    wrong = [record for record in listed if record.verdict is Verdict.REFUTED and is_printed(record)]
    found = [_erratum(record, listed, paper, map_) for record in wrong]
    return tuple(sorted(found, key=lambda e: (e.first_line, e.key)))


def _erratum(record: Record, records: list[Record], paper: Paper, map_: Graph) -> Erratum:
    place = _place(paper, record)
    repairs = tuple(_repair(r) for r in repairs_of(record, records))
    ratio = record.ratio or {}
    return Erratum(
        key=record.key,
        statement=record.statement,
        title=map_.node(record.statement).title,
        display=record.display,
        first_line=place.first_line if place else 0,
        last_line=place.last_line if place else 0,
        is_step=record.kind is Kind.STEP,
        printed=place.formula.strip() if place else "",
        says=record.claim.says,
        given=record.claim.given,
        where=record.claim.where,
        fails=record.judgement.reason,
        witness=dict((record.evidence.witness or {}).get("point", {})),
        left=str(ratio.get("left", "")),
        right=str(ratio.get("right", "")),
        words=f"{NOT_FALSE} {record.words}" if record.shown == DOES_NOT_FOLLOW else record.words,
        kinds=tuple(dict.fromkeys(repair.kind for repair in repairs)) or (record.faithfulness.name,),
        repairs=repairs,
        statement_fate=FATE[map_.node(record.statement).status],
        blast_radius=_blast_radius(record, map_),
    )


def _blast_radius(record: Record, map_: Graph) -> tuple[tuple[str, str], ...]:
    """A wrong step of a statement that stands on a certificate of its own hurts nobody further on."""
    if record.kind is Kind.STEP and map_.node(record.statement).status in STANDS:
        return ()
    return tuple((id_, FATE[map_.node(id_).status]) for id_ in map_.descendants(record.statement))


def _place(paper: Paper, record: Record) -> PaperDisplay | PaperStatement | None:
    displays = {display.id: display for display in paper.displays}
    statements = {statement.id: statement for statement in paper.statements}
    return displays.get(record.display) or statements.get(record.statement)


def _repair(record: Record) -> Repair:
    claim = record.claim
    return Repair(
        record.key, record.faithfulness.name, claim.says, claim.given, claim.where, record.shown, record.words
    )
