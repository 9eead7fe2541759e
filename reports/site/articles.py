"""Every statement as data for its article: what is printed, each reading with its evidence, each step of the proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reports.site.cards import Card, Differing, card, differing
from reports.site.content import Content, verdict_name
from reports.site.severity import gravest
from reports.site.typeset import shown
from theory.claims.statement import Faithfulness, Kind
from theory.ledger.records import Record
from theory.ledger.summary import repairs_of
from theory.reading.graph import Node
from theory.reading.lines import span
from theory.reading.paper import PaperDisplay, PaperStatement


@dataclass(frozen=True)
class Shown:
    """A display with the checks of what it prints."""

    id: str
    lines: str
    role: str
    maths: Markup
    cards: tuple[Card, ...]
    note: str


@dataclass(frozen=True)
class Article:
    """One statement.

    groups      its readings; a false one stands beside what is right instead
    severity    of the gravest finding in its readings; "" when there is none
    """

    node: Node
    printed: PaperStatement | None
    maths: Markup
    summary: str
    groups: tuple[tuple[Card, ...], ...]
    shown: tuple[Shown, ...]
    loose: tuple[Card, ...]  # steps that belong to no display of the paper
    own: tuple[Card, ...]  # facts that are printed nowhere and that the readings cite
    elsewhere: tuple[tuple[str, str], ...]  # steps at displays of other statements: key and verdict
    uses: tuple[Node, ...]
    users: tuple[Node, ...]
    wrong: int
    checks: int
    severity: str

    @property
    def readings(self) -> tuple[Card, ...]:
        return tuple(one for group in self.groups for one in group)


def articles(content: Content) -> tuple[Article, ...]:
    marks = differing(content.records, content)
    return tuple(_article(node, content, marks) for node in content.graph.nodes)


def stray_displays(content: Content) -> tuple[Shown, ...]:
    """Displays that belong to no statement."""
    marks = differing(content.records, content)
    homes = {node.id for node in content.graph.nodes}
    return tuple(_shown(d, content, marks) for d in content.paper.displays if d.statement not in homes)


def _article(node: Node, content: Content, marks: Mapping[str, Differing]) -> Article:
    records = content.of_statement.get(node.id, [])
    printed = next((s for s in content.paper.statements if s.id == node.id), None)
    displays = content.paper.displays_of(node.id) if printed is not None else ()
    at_home = {d.id for d in displays}
    away = [r for r in records if r.kind is Kind.STEP and r.display not in at_home]
    every = {d.id for d in content.paper.displays}
    known = {n.id: n for n in content.graph.nodes}
    ours = content.statements.get(node.id)
    own = [r for r in records if r.kind is Kind.PRINTED and r.faithfulness is Faithfulness.OURS]
    readings = [r for r in records if r.kind is not Kind.STEP and r not in own]
    return Article(
        node=node,
        printed=printed,
        maths=shown(printed.formula) if printed else Markup(""),
        summary=ours.summary if ours else "",
        groups=tuple(tuple(card(r, content, marks) for r in group) for group in _groups(readings)),
        shown=tuple(_shown(d, content, marks) for d in displays),
        loose=tuple(card(r, content, marks) for r in away if r.display not in every),
        own=tuple(card(r, content, marks) for r in own),
        elsewhere=tuple((r.key, verdict_name(r)) for r in away if r.display in every),
        uses=tuple(known[i] for i in node.rests_on if i in known),
        users=tuple(known[i] for i in content.graph.users()[node.id]),
        wrong=node.wrong_steps,
        checks=len(records),
        severity=gravest(e for e in content.errata if e.statement == node.id and not e.is_step),
    )


def _groups(readings: Sequence[Record]) -> list[list[Record]]:
    """A false reading with its repairs; everything else on its own, in order."""
    groups: list[list[Record]] = []
    seen: set[str] = set()
    for record in readings:
        if record.key in seen:
            continue
        repairs = repairs_of(record, readings) if record.verdict.name == "REFUTED" else []
        group = [record, *(one for one in repairs if one.key not in seen and one.kind is Kind.REPAIRED)]
        seen.update(one.key for one in group)
        groups.append(group)
    return groups


def _shown(display: PaperDisplay, content: Content, marks: Mapping[str, Differing]) -> Shown:
    cards = [r for r in content.records if r.display == display.id and r.kind is Kind.STEP]
    reasons = [one.accounts[display.id] for one in content.statements.values() if display.id in one.accounts]
    also = [r.key for r in content.records if r.display == display.id and r.kind is not Kind.STEP]
    note = reasons[0] if reasons else ""
    if also:
        note = f"{note}; checked as {', '.join(also)}".lstrip("; ")
    if not cards and not also and not reasons:
        note = "no check of this display exists yet"
    return Shown(
        id=display.id,
        lines=span(display.first_line, display.last_line, "–"),
        role=display.role.value,
        maths=shown(display.formula),
        cards=tuple(card(r, content, marks) for r in cards),
        note=note,
    )
