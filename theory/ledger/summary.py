"""From checks to statements: the verdict on what is printed, and its standing over everything that its proofs cite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from theory.claims.statement import Faithfulness, Kind
from theory.kernel import Verdict, standing

if TYPE_CHECKING:
    from theory.ledger.records import Record

STRENGTH = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED, Verdict.SUPPORTED, Verdict.UNDECIDED)
RIGOROUS = (Verdict.PROVED, Verdict.CERTIFIED)


def weakest(verdicts: Iterable[Verdict]) -> Verdict | None:
    """REFUTED if any is, else the weakest; None when there is none."""
    found = list(verdicts)
    if not found:
        return None
    return Verdict.REFUTED if Verdict.REFUTED in found else max(found, key=STRENGTH.index)


@dataclass(frozen=True)
class Summary:
    """A statement at a glance.

    printed    the verdict on the printed reading, all parts together; "" when nothing printed is judged
    standing   the same over everything that the proofs cite
    repaired   the verdict on what is true instead, with standing; "" when there is no repaired reading
    steps      how many steps of its proof have which verdict, with standing
    """

    printed: str
    standing: str
    repaired: str
    sharper: int
    steps: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def summaries(records: Iterable[Record]) -> dict[str, Summary]:
    """By statement, in the order of the records. A circle of citations is refused by the kernel."""
    listed = list(records)
    stands = standing({record.key: record.judgement for record in listed})
    grouped: dict[str, list[Record]] = {}
    for record in listed:
        grouped.setdefault(record.statement, []).append(record)
    return {name: _summary(group, stands) for name, group in grouped.items()}


def _summary(group: list[Record], stands: dict[str, Verdict]) -> Summary:
    def of(kind: Kind) -> list[Record]:
        return [record for record in group if record.kind is kind]

    printed = weakest(record.verdict for record in of(Kind.PRINTED))
    stood = weakest(stands[record.key] for record in of(Kind.PRINTED))
    repaired = weakest(stands[record.key] for record in of(Kind.REPAIRED))
    steps = Counter(stands[record.key].name for record in of(Kind.STEP))
    sharper = sum(stands[record.key] in RIGOROUS for record in of(Kind.SHARPER))
    return Summary(_name(printed), _name(stood), _name(repaired), sharper, dict(sorted(steps.items())))


def _name(verdict: Verdict | None) -> str:
    return "" if verdict is None else verdict.name


def repairs_of(refuted: Record, records: Iterable[Record]) -> list[Record]:
    """The readings that say what is true instead: of this very check, else of the statement as a whole."""
    listed = list(records)
    exact = [record for record in listed if record.repairs == refuted.key]
    if exact or refuted.kind is not Kind.PRINTED:
        return exact
    offered = [r for r in listed if r.kind is Kind.REPAIRED and r.statement == refuted.statement]
    whole = [record for record in offered if record.repairs == refuted.statement]
    return whole or (offered if refuted.key == refuted.statement else [])


def is_printed(record: Record) -> bool:
    """A reading or a step of what is printed: what errata and coverage count. A fact of ours is none."""
    ours = record.faithfulness is Faithfulness.OURS
    return record.kind in (Kind.PRINTED, Kind.STEP) and not record.repairs and not ours
