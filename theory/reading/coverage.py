"""Is everything accounted for? Each statement and each display of the paper against the checks that there are.

A display that asserts something is accounted for by checks of what it prints, never by a remark; one that asserts
nothing needs a reason (`Statement.accounts`); one that only repeats another is as good as what it repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from theory.claims.statement import Check, Faithfulness, Kind, Statement
from theory.kernel import Verdict
from theory.ledger.stands import RIGOROUS, Label, inherited
from theory.reading.paper import Paper, PaperDisplay, PaperStatement, Role


class Cover(Enum):
    """The value is the word in reports."""

    CHECKED = "checked"
    PARTLY = "checked in part"
    NOTHING_TO_CHECK = "asserts nothing"
    RESTATED = "restated"
    MISSING = "missing"


@dataclass(frozen=True)
class Item:
    """How one statement or display is accounted for.

    relations   what it asserts; `goals` how many relations the checks of it show, `checks` how many checks there are
    reads       how the checks of what it prints differ from print (names of Faithfulness)
    instances   the sizes for which those that are proved are stated, where the paper has a letter
    links       what is by hand in those that are proved, and in what they cite
    open        those that are neither proved, nor refuted where something true is proved instead: KEY: VERDICT

    Of a reading that is refuted, sizes and links are those of what is true instead: of the repair that has fewest.
    """

    id: str
    line: int
    section: str
    role: str
    relations: int
    goals: int
    checks: int
    cover: Cover
    reason: str
    reads: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "cover": self.cover.name}


@dataclass(frozen=True)
class Coverage:
    statements: tuple[Item, ...]
    displays: tuple[Item, ...]

    def missing(self) -> dict[str, list[Item]]:
        """What is not accounted for, by section, in reading order."""
        return self._by_section(Cover.MISSING)

    def partly(self) -> dict[str, list[Item]]:
        return self._by_section(Cover.PARTLY)

    def _by_section(self, cover: Cover) -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = {}
        for item in sorted((*self.statements, *self.displays), key=lambda i: i.line):
            if item.cover is cover:
                found.setdefault(item.section, []).append(item)
        return found

    @property
    def complete(self) -> bool:
        return not self.missing() and not self.partly()

    def counts(self) -> dict[str, dict[str, int]]:
        return {"statements": _counts(self.statements), "displays": _counts(self.displays)}

    def labels(self) -> dict[str, dict[str, Any]]:
        """Of what has a check of its print: how many are for every size and without a link, and what the rest is."""
        return {"statements": _labels(self.statements), "displays": _labels(self.displays)}

    def to_json(self) -> dict[str, Any]:
        return {
            "complete": self.complete,
            "counts": self.counts(),
            "labels": self.labels(),
            "statements": [item.to_json() for item in self.statements],
            "displays": [item.to_json() for item in self.displays],
        }


def _counts(items: Iterable[Item]) -> dict[str, int]:
    listed = list(items)
    by = {cover.name: sum(item.cover is cover for item in listed) for cover in Cover}
    return {"all": len(listed), "accounted": len(listed) - by["MISSING"], **by}


def _labels(items: Iterable[Item]) -> dict[str, Any]:
    checked = [item for item in items if item.goals]
    by = Counter(link for item in checked for link in item.links)
    return {
        "checked": len(checked),
        "every size, no link": sum(not (item.instances or item.links or item.open) for item in checked),
        "instance": sum(bool(item.instances) for item in checked),
        "linked": sum(bool(item.links) for item in checked),
        "open": sum(bool(item.open) for item in checked),
        "links": dict(sorted(by.items())),
    }


def coverage(
    paper: Paper, statements: Mapping[str, Statement], cites: Mapping[str, Iterable[str]] | None = None
) -> Coverage:
    """Compare what is printed with what is checked. `cites` says which checks the proof of a check rests on: with it
    instances and links are inherited."""
    checks = [check for one in statements.values() for check in one.checks]
    reasons = {id_: reason for one in statements.values() for id_, reason in one.accounts.items()}
    by_display: dict[str, list[Check]] = {}
    for check in checks:
        by_display.setdefault(check.display, []).append(check)
    found = instead(checks, inherited({check.key: Label(check.instance, check.links) for check in checks}, cites or {}))
    whole = tuple(_statement(s, statements.get(s.id), reasons.get(s.id, ""), found) for s in paper.statements)
    first = {d.id: _display(d, by_display.get(d.id, []), reasons.get(d.id, ""), found) for d in paper.displays}
    known = {item.id: item for item in (*whole, *first.values())}
    return Coverage(whole, tuple(_restated(d, first[d.id], known) for d in paper.displays))


def instead(checks: Iterable[Check], found: Mapping[str, Label]) -> dict[str, Label]:
    """The labels, with those of its best repair for a reading that is refuted; a witness is one on its own."""
    listed = list(checks)
    repairs: dict[str, list[Label]] = {}
    for check in listed:
        if check.repairs and check.expect in RIGOROUS:
            repairs.setdefault(check.repairs, []).append(found[check.key])
    best = {key: min(labels, key=lambda one: (len(one.links), one.instance)) for key, labels in repairs.items()}
    refuted = {check.key for check in listed if check.expect is Verdict.REFUTED}
    return {key: best.get(key, Label()) if key in refuted else label for key, label in found.items()}


def _marks(checks: Iterable[Check], found: Mapping[str, Label]) -> tuple[tuple[str, ...], ...]:
    """Faithfulness, instances and links of the checks of what is printed, and those that settle nothing."""
    every = list(checks)
    listed = [check for check in every if _as_printed(check)]
    readings = {check.key for check in listed if check.kind is Kind.PRINTED}
    whole = any(
        c.repairs in readings and "#" not in c.repairs and c.expect in RIGOROUS and found[c.key] == Label()
        for c in every
    )
    counted = RIGOROUS if whole else (*RIGOROUS, Verdict.REFUTED)  # the repair of a reading is one of its steps, too
    proved = [found[check.key] for check in listed if check.expect in counted]
    reads = tuple(dict.fromkeys(check.faithfulness.name for check in listed))
    sizes = tuple(dict.fromkeys(label.instance for label in proved if label.instance))
    mended = any(check.repairs and check.expect in RIGOROUS for check in every)
    settled = (*RIGOROUS, *([Verdict.REFUTED] if mended else []))
    unsettled = tuple(f"{check.key}: {check.expect.name}" for check in listed if check.expect not in settled)
    return reads, sizes, tuple(sorted({link for label in proved for link in label.links})), unsettled


def _statement(printed: PaperStatement, ours: Statement | None, reason: str, found: Mapping[str, Label]) -> Item:
    checks = ours.checks if ours is not None else ()
    goals = sum(len(check.claim.says) for check in checks if check.kind is Kind.PRINTED)
    cover = Cover.CHECKED if goals else Cover.NOTHING_TO_CHECK if reason else Cover.MISSING
    place = (printed.id, printed.first_line, printed.section, printed.kind)
    readings = [check for check in checks if check.kind is not Kind.STEP]
    return Item(*place, 0, goals, len(checks), cover, reason, *_marks(readings, found))


def _as_printed(check: Check) -> bool:
    """What is true instead of a wrong step says nothing about what is printed, nor does a fact of ours."""
    ours = check.faithfulness is Faithfulness.OURS
    return check.kind in (Kind.PRINTED, Kind.STEP) and not check.repairs and not ours


def _display(printed: PaperDisplay, checks: list[Check], reason: str, found: Mapping[str, Label]) -> Item:
    goals = sum(len(check.claim.says) for check in checks if _as_printed(check))
    if printed.relations:
        cover = Cover.CHECKED if goals >= printed.relations else Cover.PARTLY if goals else Cover.MISSING
    else:
        cover = Cover.CHECKED if goals else Cover.NOTHING_TO_CHECK if reason else Cover.MISSING
    role, relations = printed.role.value, printed.relations
    place = (printed.id, printed.first_line, printed.section, role)
    return Item(*place, relations, goals, len(checks), cover, reason, *_marks(checks, found))


def _restated(printed: PaperDisplay, item: Item, known: Mapping[str, Item]) -> Item:
    """A repetition counts when it is declared as one, with a reason, and what it repeats is accounted for."""
    if printed.role is not Role.RESTATED or item.cover is not Cover.MISSING or not item.reason:
        return item
    origin = [known[id_] for id_ in printed.restates if id_ in known]
    sound = bool(origin) and all(one.cover is not Cover.MISSING for one in origin)
    fields = {**item.__dict__, "cover": Cover.RESTATED if sound else Cover.MISSING}
    return Item(**fields)
