"""Who rests on whom, and what is left of it: the paper's `uses` and our proofs' citations, coloured by computed status.

Nothing is green that rests on something that is not. A statement whose own certificate does not need the broken part
is said to stand alone: it survives, though the paper's argument for it does not.

The status of a statement is that of its main reading, the one that carries its id. What else is read off around it
(a remark in the discussion, a unit) may weaken what is proved; what of it is false is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from theory.claims.statement import Faithfulness, Kind
from theory.kernel import Verdict, standing
from theory.ledger.records import Record
from theory.ledger.stands import INSTANCE, LINKED, labelled
from theory.ledger.summary import RIGOROUS, repairs_of, weakest
from theory.reading.paper import ASSERT_NOTHING, Paper

NO_PROOF_NEEDED = (*ASSERT_NOTHING, "algorithm")


class Status(Enum):
    """The value is the sentence of the legend."""

    PROVED = "proved, and so is everything that it rests on"
    LINKED = "proved up to links by hand: hypotheses that the paper derives and the proof assumes"
    INSTANCE = "proved for the stated sizes only"
    ALONE = "proved by a certificate of its own; the paper's argument uses something that is not proved"
    CERTIFIED = "rigorous on a stated box or by two solvers"
    CITED = "an external theorem"
    SUPPORTED = "no violation found"
    UNDECIDED = "neither proved nor refuted, or it rests on something that is refuted"
    UNFOUNDED = "does not follow from the argument given for it; whether it is false is open"
    REPAIRED = "false as printed; a repaired reading is proved"
    MENDED = "false as printed; a repaired reading is proved up to links by hand, or for an instance"
    REFUTED = "false as printed, not repaired"
    GIVEN = "an assumption, a definition or an algorithm: nothing to prove"
    UNJUDGED = "not judged yet"


UNSEEN = "not judged in this run"
CITES = "proved, and so is everything that our proof cites"
SOLID = (Status.PROVED, Status.GIVEN)
BY_VERDICT = {
    "CERTIFIED": Status.CERTIFIED,
    "CITED": Status.CITED,
    "SUPPORTED": Status.SUPPORTED,
    "UNDECIDED": Status.UNDECIDED,
    "REFUTED": Status.UNDECIDED,
}


@dataclass(frozen=True)
class Node:
    id: str
    title: str
    kind: str
    status: Status
    rests_on: tuple[str, ...]
    wrong_steps: int
    wrong_parts: int = 0  # refuted readings beside the main one

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "status": self.status.name,
            "rests_on": list(self.rests_on),
            "wrong_steps": self.wrong_steps,
            "wrong_parts": self.wrong_parts,
        }


@dataclass(frozen=True)
class Graph:
    """Statements in reading order."""

    nodes: tuple[Node, ...]

    def node(self, id_: str) -> Node:
        return {node.id: node for node in self.nodes}[id_]

    def alone(self, id_: str) -> str:
        """What its own checks say, whatever the paper's argument for it uses."""
        status = self.node(id_).status
        return CITES if status in (Status.PROVED, Status.ALONE) else status.value

    def ancestors(self, id_: str) -> tuple[str, ...]:
        """Everything that it rests on, directly or not, in reading order."""
        return self._reach(id_, {node.id: node.rests_on for node in self.nodes})

    def descendants(self, id_: str) -> tuple[str, ...]:
        """Everything that rests on it, directly or not, in reading order."""
        return self._reach(id_, self.users())

    def users(self) -> dict[str, tuple[str, ...]]:
        return {n.id: tuple(other.id for other in self.nodes if n.id in other.rests_on) for n in self.nodes}

    def _reach(self, start: str, onward: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
        seen: set[str] = set()
        todo = list(onward.get(start, ()))
        while todo:
            here = todo.pop()
            if here not in seen:
                seen.add(here)
                todo += onward.get(here, ())
        return tuple(node.id for node in self.nodes if node.id in seen and node.id != start)

    def focused(self, id_: str) -> Graph:
        """The statement with its ancestors and its descendants."""
        kept = {id_, *self.ancestors(id_), *self.descendants(id_)}
        return Graph(tuple(node for node in self.nodes if node.id in kept))


def graph(paper: Paper, records: Iterable[Record]) -> Graph:
    """Statements of the paper, and whatever else the records are of."""
    listed = list(labelled(records))
    stands = standing({record.key: record.judgement for record in listed})
    cited = _citations(listed)
    refuted = [r for r in listed if r.kind is Kind.STEP and r.verdict is Verdict.REFUTED]
    wrong = Counter(r.statement for r in refuted if r.faithfulness is not Faithfulness.UNCOMPARED)
    printed = {s.id: (s.title, s.kind, s.uses) for s in paper.statements}
    names = list(dict.fromkeys((*printed, *(record.statement for record in listed))))
    rests = {id_: _merged(printed[id_][2] if id_ in printed else (), cited.get(id_, ())) for id_ in names}
    readings = {id_: [r for r in listed if r.statement == id_ and r.kind is Kind.PRINTED] for id_ in names}
    kinds = {id_: printed[id_][1] if id_ in printed else "lemma" for id_ in names}
    deciding = {id_: main_readings(id_, readings[id_]) for id_ in names}
    own = {id_: _labelled(_own(deciding[id_], listed, stands, kinds[id_]), deciding[id_]) for id_ in names}
    beside = {id_: sum(r.verdict is Verdict.REFUTED for r in readings[id_] if r not in deciding[id_]) for id_ in names}
    first = Graph(tuple(Node(i, *_title(printed, i), own[i], rests[i], wrong[i], beside[i]) for i in names))
    return Graph(tuple(_settled(node, first, own) for node in first.nodes))


def _title(printed: Mapping[str, tuple[str, str, tuple[str, ...]]], id_: str) -> tuple[str, str]:
    return printed[id_][:2] if id_ in printed else (id_, "claim")


def _citations(records: list[Record]) -> dict[str, tuple[str, ...]]:
    """Which statements the proofs of a statement's printed readings cite."""
    owner = {record.key: record.statement for record in records}
    found: dict[str, tuple[str, ...]] = {}
    for record in records:
        if record.kind is Kind.PRINTED:
            parents = tuple(
                owner[key] for key in record.judgement.cites if owner.get(key, record.statement) != record.statement
            )
            found[record.statement] = _merged(found.get(record.statement, ()), parents)
    return found


def _merged(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def main_readings(id_: str, printed: Iterable[Record]) -> list[Record]:
    """The readings that decide: the one that carries the id, with the others as far as they are not false; all of them
    where none does. A fact of ours decides nothing where something is read as it is printed."""
    every = list(printed)
    listed = [record for record in every if record.faithfulness is not Faithfulness.OURS] or every
    if all(record.key != id_ for record in listed):
        return listed
    return [record for record in listed if record.key == id_ or record.verdict is not Verdict.REFUTED]


def _own(deciding: list[Record], records: list[Record], stands: Mapping[str, Verdict], kind: str) -> Status:
    if not deciding:
        return Status.GIVEN if kind in NO_PROOF_NEEDED else Status.UNJUDGED
    false = [record for record in deciding if record.verdict is Verdict.REFUTED]
    if false:
        repairs = [repairs_of(record, records) for record in false]
        if any(weakest(stands[one.key] for one in mended) not in RIGOROUS for mended in repairs):
            return Status.REFUTED
        plain = all(any(one.shown == Verdict.PROVED.name for one in mended) for mended in repairs)
        return Status.REPAIRED if plain else Status.MENDED
    found = weakest(stands[record.key] for record in deciding)
    return BY_VERDICT.get(found.name if found else "", Status.PROVED)


def _labelled(status: Status, printed: Iterable[Record]) -> Status:
    """What is proved for an instance or up to links is called so, and what only does not follow is not called false."""
    words = {record.shown for record in printed}
    if status in (Status.PROVED, Status.CERTIFIED):
        return Status.INSTANCE if INSTANCE in words else Status.LINKED if LINKED in words else status
    if status in (Status.REPAIRED, Status.MENDED, Status.REFUTED) and Verdict.REFUTED.name not in words:
        return Status.UNFOUNDED
    return status


def _settled(node: Node, first: Graph, own: Mapping[str, Status]) -> Node:
    """Proved stays proved only over solid ground."""
    if node.status is not Status.PROVED or all(own[id_] in SOLID for id_ in first.ancestors(node.id)):
        return node
    return replace(node, status=Status.ALONE)
