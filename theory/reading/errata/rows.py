"""The rows: refuted checks and slips put together, with severity, correction, witness and blast radius.

Nobody types a verdict here. A slip whose checks are no longer refuted is no erratum, and a refuted check that no slip
names is a row of its own, so that nothing can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from typing import Any

from theory.claims.statement import Faithfulness, Kind
from theory.kernel import KernelError, Verdict, check_witness
from theory.ledger.records import Record
from theory.ledger.stands import DOES_NOT_FOLLOW, labelled
from theory.ledger.summary import is_printed, repairs_of
from theory.reading.errata.correct import Change, changes_of
from theory.reading.errata.severity import Place, Severity, Standing, computed, place_of
from theory.reading.errata.slips import NO_SLIPS, Slip, Slips
from theory.reading.graph import Graph, Status, graph
from theory.reading.latex.claims import claim_latex
from theory.reading.latex.notation import notation_of
from theory.reading.latex.texts import expanded_words
from theory.reading.paper import Paper, PaperDisplay, PaperStatement

__all__ = ["Change", "Erratum", "Repair", "Shown", "Source", "errata", "uncompared", "worst_first"]

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
    Status.MENDED: "false as printed too; repaired up to links by hand",
    Status.REFUTED: "false as printed too",
    Status.GIVEN: "nothing to prove",
    Status.UNJUDGED: "not judged yet",
}
NOT_FALSE = "Does not follow from the argument given for it, which does not make it false."
STANDS = (Status.PROVED, Status.LINKED, Status.INSTANCE, Status.ALONE, Status.CERTIFIED)


class Source(Enum):
    """How we know; the value is the sentence that people read."""

    KERNEL = "an exact witness refutes it"
    ARGUMENT = "it does not follow from the argument given for it; whether it is false is open"
    READING = "found by reading; no check decides it"
    DETECTOR = "found by a detector"


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
class Shown:
    """A refuted check: what it says, where it fails, and whether that lies in the standing context."""

    key: str
    display: str
    is_step: bool
    says: tuple[str, ...]
    given: tuple[str, ...]
    where: tuple[tuple[str, str], ...]
    fails: str
    witness: dict[str, Any]
    left: str
    right: str
    words: str
    place: Place = Place.FREE
    broken: tuple[str, ...] = ()


NOTHING = Shown("", "", False, (), (), (), "", {}, "", "", "")


@dataclass(frozen=True)
class Erratum:
    """One thing that is wrong in print.

    lines       the first is its place, the others repeat it
    because     why a person says another severity than the computed one
    changes     what to write instead, place by place
    shown       the refuted checks; `repairs` what is right instead, in the language of claims
    found       findings of detectors that are this slip, by name; `confirmed` the detectors that found it
    """

    id: str
    severity: Severity
    source: Source
    statement: str
    title: str
    lines: tuple[int, ...]
    words: str
    because: str = ""
    computed: Severity | None = None
    changes: tuple[Change, ...] = ()
    shown: tuple[Shown, ...] = ()
    repairs: tuple[Repair, ...] = ()
    kinds: tuple[str, ...] = ()
    statement_fate: str = ""
    blast_radius: tuple[tuple[str, str], ...] = ()  # statement id, what becomes of it
    found: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    last_line: int = 0

    @property
    def first_line(self) -> int:
        return self.lines[0] if self.lines else 0

    @property
    def main(self) -> Shown:
        return self.shown[0] if self.shown else NOTHING

    @property
    def key(self) -> str:
        """The check that shows it first, or its own name."""
        return self.main.key or self.id

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(one.key for one in self.shown) or (self.id,)

    @property
    def is_step(self) -> bool:
        return bool(self.shown) and all(one.is_step for one in self.shown)

    @property
    def place(self) -> Place | None:
        """Of its best witness; None when there is no witness."""
        places = [one.place for one in self.shown if one.witness]
        return min(places, key=[Place.INSIDE, Place.FREE, Place.OUTSIDE].index) if places else None

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = asdict(self)
        body |= {
            "key": self.key,
            "is_step": self.is_step,
            "witness": self.main.witness,
            "severity": self.severity.value,
            "source": self.source.value,
        }
        body["computed"] = self.computed.value if self.computed else self.severity.value
        body["context"] = self.place.value if self.place else ""
        body["blast_radius"] = [{"statement": id_, "fate": fate} for id_, fate in self.blast_radius]
        for one, raw in zip(self.shown, body["shown"], strict=True):
            raw |= {"where": dict(one.where), "place": one.place.value}
        for repair, raw in zip(self.repairs, body["repairs"], strict=True):
            raw["where"] = dict(repair.where)
        return body


def worst_first(rows: Iterable[Erratum]) -> tuple[Erratum, ...]:
    """By severity, then what hits more, then in reading order."""
    return tuple(sorted(rows, key=lambda e: (e.severity.rank, -len(e.blast_radius), e.first_line, e.id)))


@dataclass(frozen=True)
class _Desk:
    """What every row is made from."""

    paper: Paper
    records: list[Record]
    map: Graph
    slips: Slips
    standing: tuple[Standing, ...] = field(default_factory=tuple)


def errata(
    paper: Paper, records: Iterable[Record], slips: Slips = NO_SLIPS, standing: Iterable[Standing] = ()
) -> tuple[Erratum, ...]:
    """In reading order; `worst_first` sorts them."""
    listed = list(labelled(records))
    desk = _Desk(paper, listed, graph(paper, listed), slips, tuple(standing))
    strange = {record.key for record in uncompared(listed)}
    wrong = {r.key: r for r in listed if r.verdict is Verdict.REFUTED and is_printed(r) and r.key not in strange}
    named = slips.by_check()
    rows = [_of_slip(slip, wrong, desk) for slip in slips.rows if not slip.checks or set(slip.checks) & set(wrong)]
    rows += [_alone(record, desk) for key, record in wrong.items() if key not in named]
    return tuple(sorted(rows, key=lambda e: (e.first_line, e.id)))


def uncompared(records: Iterable[Record]) -> list[Record]:
    """Refuted readings that a machine made and nobody compared with the print: they say nothing of the paper yet."""
    return [r for r in records if r.verdict is Verdict.REFUTED and r.faithfulness is Faithfulness.UNCOMPARED]


def _of_slip(slip: Slip, wrong: dict[str, Record], desk: _Desk) -> Erratum:
    records = [wrong[key] for key in slip.checks if key in wrong]
    words = expanded_words(slip.words, desk.slips.macros)
    because = expanded_words(slip.because, desk.slips.macros)
    return _row(slip.id, slip.statement, slip.lines, words, records, desk, slip, because)


def _alone(record: Record, desk: _Desk) -> Erratum:
    place = _place(desk.paper, record)
    said = record.words or _said(record)
    words = f"{NOT_FALSE} {said}" if record.shown == DOES_NOT_FOLLOW else said
    lines = (place.first_line,) if place else (0,)
    row = _row(record.key, record.statement, lines, words, [record], desk, None, "")
    printed = place.formula.strip() if place else ""
    return replace(row, changes=(Change(lines[0], "", "", printed, _written(record, desk)),)) if printed else row


def _said(record: Record) -> str:
    """What is false, where nobody has said it in words."""
    try:
        claimed = r",\quad ".join(claim_latex(record.claim, notation_of(())))
    except (KernelError, ValueError, KeyError):
        return f"{' and '.join(record.claim.says)} is not true in general."
    return f"${claimed}$ is not true in general."


def _written(record: Record, desk: _Desk) -> str:
    """What is right instead, by the printer of formulas; "" when there is no repair or it cannot be written."""
    repairs = repairs_of(record, desk.records)
    try:
        return r",\quad ".join(claim_latex(repairs[0].claim, notation_of(()))) if repairs else ""
    except (KernelError, ValueError, KeyError):
        return ""


def _row(
    id_: str, statement: str, lines: tuple[int, ...], words: str,
    records: list[Record], desk: _Desk, slip: Slip | None, because: str,
) -> Erratum:  # fmt: skip
    repaired = {record.key: tuple(repairs_of(record, desk.records)) for record in records}
    inside = dict([slip.inside]) if slip is not None and slip.inside is not None else {}
    shown = tuple(_shown(record, lines[0], desk, inside.get(record.key)) for record in records)
    found = computed((r, repaired[r.key], one.place) for r, one in zip(records, shown, strict=True))
    repairs = tuple({repair.key: _repair(repair) for group in repaired.values() for repair in group}.values())
    known = {node.id for node in desk.map.nodes}
    fate = FATE[desk.map.node(statement).status] if statement in known else ""
    return Erratum(
        id=id_,
        severity=slip.severity if slip is not None and slip.severity is not None else found,
        source=_source(records),
        statement=statement,
        title=desk.map.node(statement).title if statement in known else statement,
        lines=lines,
        words=words,
        because=because,
        computed=found,
        changes=changes_of(slip, desk.slips, desk.paper) if slip else (),
        shown=shown,
        repairs=repairs,
        kinds=tuple(dict.fromkeys(r.kind for r in repairs)) or tuple(r.faithfulness.name for r in records[:1]),
        statement_fate=fate,
        blast_radius=_blast_radius(statement, records, desk.map) if statement in known else (),
        found=slip.found if slip else (),
        last_line=_last_line(records, lines, desk.paper),
    )


def _source(records: Sequence[Record]) -> Source:
    if not records:
        return Source.READING
    return Source.ARGUMENT if all(record.argument for record in records) else Source.KERNEL


def _shown(record: Record, line: int, desk: _Desk, inside: Mapping[str, Any] | None) -> Shown:
    """With the witness of the check, or with another one that the kernel accepts, too."""
    point = dict((record.evidence.witness or {}).get("point", {}))
    if inside is not None:
        check_witness(record.claim, inside)
        point = dict(inside)
    place, broken = place_of(record.claim, point, line, desk.standing)
    ratio, claim = record.ratio or {}, record.claim
    return Shown(
        record.key, record.display, record.kind is Kind.STEP, claim.says, claim.given, claim.where,
        record.judgement.reason, point, str(ratio.get("left", "")), str(ratio.get("right", "")), record.words,
        place, broken,
    )  # fmt: skip


def _blast_radius(statement: str, records: Sequence[Record], map_: Graph) -> tuple[tuple[str, str], ...]:
    """A wrong step of a statement that stands on a certificate of its own hurts nobody further on."""
    if all(r.kind is Kind.STEP for r in records) and map_.node(statement).status in STANDS:
        return ()
    return tuple((id_, FATE[map_.node(id_).status]) for id_ in map_.descendants(statement))


def _place(paper: Paper, record: Record) -> PaperDisplay | PaperStatement | None:
    displays = {display.id: display for display in paper.displays}
    statements = {statement.id: statement for statement in paper.statements}
    return displays.get(record.display) or statements.get(record.statement)


def _last_line(records: Sequence[Record], lines: tuple[int, ...], paper: Paper) -> int:
    place = _place(paper, records[0]) if len(records) == 1 else None
    return max(place.last_line, lines[0]) if place and lines == (place.first_line,) else lines[0]


def _repair(record: Record) -> Repair:
    claim = record.claim
    return Repair(
        record.key, record.faithfulness.name, claim.says, claim.given, claim.where, record.shown, record.words
    )
