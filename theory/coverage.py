"""Is everything accounted for? Each statement and each display of the paper against the checks that there are.

A display that asserts something is accounted for by checks of what it prints, never by a remark; one that asserts
nothing needs a reason (`Statement.accounts`); one that only repeats another is as good as what it repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from theory.paper import Paper, PaperDisplay, PaperStatement, Role
from theory.statement import Check, Kind, Statement


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

    def to_json(self) -> dict[str, Any]:
        return {
            "complete": self.complete,
            "counts": self.counts(),
            "statements": [item.to_json() for item in self.statements],
            "displays": [item.to_json() for item in self.displays],
        }


def _counts(items: Iterable[Item]) -> dict[str, int]:
    listed = list(items)
    by = {cover.name: sum(item.cover is cover for item in listed) for cover in Cover}
    return {"all": len(listed), "accounted": len(listed) - by["MISSING"], **by}


def coverage(paper: Paper, statements: Mapping[str, Statement]) -> Coverage:
    """Compare what is printed with what is checked."""
    checks = [check for one in statements.values() for check in one.checks]
    reasons = {id_: reason for one in statements.values() for id_, reason in one.accounts.items()}
    by_display: dict[str, list[Check]] = {}
    for check in checks:
        by_display.setdefault(check.display, []).append(check)
    whole = tuple(_statement(s, statements.get(s.id), reasons.get(s.id, "")) for s in paper.statements)
    first = {d.id: _display(d, by_display.get(d.id, []), reasons.get(d.id, "")) for d in paper.displays}
    known = {item.id: item for item in (*whole, *first.values())}
    return Coverage(whole, tuple(_restated(d, first[d.id], known) for d in paper.displays))


def _statement(printed: PaperStatement, ours: Statement | None, reason: str) -> Item:
    checks = ours.checks if ours is not None else ()
    goals = sum(len(check.claim.says) for check in checks if check.kind is Kind.PRINTED)
    cover = Cover.CHECKED if goals else Cover.NOTHING_TO_CHECK if reason else Cover.MISSING
    return Item(printed.id, printed.first_line, printed.section, printed.kind, 0, goals, len(checks), cover, reason)


def _as_printed(check: Check) -> bool:
    """What is true instead of a wrong step says nothing about what is printed."""
    return check.kind in (Kind.PRINTED, Kind.STEP) and not check.repairs


def _display(printed: PaperDisplay, checks: list[Check], reason: str) -> Item:
    goals = sum(len(check.claim.says) for check in checks if _as_printed(check))
    if printed.relations:
        cover = Cover.CHECKED if goals >= printed.relations else Cover.PARTLY if goals else Cover.MISSING
    else:
        cover = Cover.CHECKED if goals else Cover.NOTHING_TO_CHECK if reason else Cover.MISSING
    role, relations = printed.role.value, printed.relations
    return Item(printed.id, printed.first_line, printed.section, role, relations, goals, len(checks), cover, reason)


def _restated(printed: PaperDisplay, item: Item, known: Mapping[str, Item]) -> Item:
    """A repetition counts when it is declared as one, with a reason, and what it repeats is accounted for."""
    if printed.role is not Role.RESTATED or item.cover is not Cover.MISSING or not item.reason:
        return item
    origin = [known[id_] for id_ in printed.restates if id_ in known]
    sound = bool(origin) and all(one.cover is not Cover.MISSING for one in origin)
    fields = {**item.__dict__, "cover": Cover.RESTATED if sound else Cover.MISSING}
    return Item(**fields)
