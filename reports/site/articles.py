"""Every statement as data for its article: what is printed, each reading with its evidence, each step of the proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reports.mathml import Marks, MathsError, differences, relation_mathml, tex_mathml, text_mathml
from reports.mathml.formula import name_mathml
from reports.site.content import Content, ran, verdict_name
from reports.site.words import FAITH, LONGEST_MATHS, anchor, command, point_text, with_decimal
from theory.claims.statement import Kind
from theory.kernel import KernelError
from theory.ledger.records import Record
from theory.ledger.stands import INSTANCE, LINKED, RIGOROUS
from theory.ledger.summary import repairs_of
from theory.reading.graph import Node
from theory.reading.paper import PaperDisplay, PaperStatement

MOST_LINES, LONGEST_LINE = 24, 240  # of a proof; the whole of it is one command away


@dataclass(frozen=True)
class Line:
    """A formula: as maths when it is short, always as text; `new` when the other reading does not have it."""

    maths: Markup
    text: str
    new: bool = False


@dataclass(frozen=True)
class Card:
    """One check with its verdict and everything that supports it."""

    key: str
    anchor: str
    label: str
    kind: str
    verdict: str
    because: str
    scope: str
    faith: str
    says: tuple[Line, ...]
    given: tuple[Line, ...]
    where: tuple[tuple[Markup, Line], ...]
    words: str
    odd: str
    witness: str
    sides: tuple[str, str, str] | None  # the relation that fails, its left and its right side
    replay: str
    search: tuple[tuple[str, str], ...]
    proof: tuple[str, ...]
    more: int  # lines of the proof that are not shown
    cites: tuple[str, ...]
    repairs: str
    like: str  # the key of an earlier check of the page with the very same hypotheses and definitions
    stands: str  # when what the proof cites is weaker than the proof itself
    told: str  # the verdict with its sizes and the number of its links
    links: tuple[tuple[str, str], ...]  # what is by hand: name and words
    also: str  # the second checker that accepted it as it stands


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
    """One statement."""

    node: Node
    printed: PaperStatement | None
    maths: Markup
    summary: str
    readings: tuple[Card, ...]
    shown: tuple[Shown, ...]
    loose: tuple[Card, ...]  # steps that belong to no display of the paper
    elsewhere: tuple[tuple[str, str], ...]  # steps at displays of other statements: key and verdict
    uses: tuple[Node, ...]
    users: tuple[Node, ...]
    wrong: int
    checks: int


def articles(content: Content) -> tuple[Article, ...]:
    marks = dict(_pairs(content.records))
    return tuple(_article(node, content, marks) for node in content.graph.nodes)


def stray_displays(content: Content) -> tuple[Shown, ...]:
    """Displays that belong to no statement."""
    marks = dict(_pairs(content.records))
    homes = {node.id for node in content.graph.nodes}
    return tuple(_shown(d, content, marks) for d in content.paper.displays if d.statement not in homes)


def set_tex(source: str) -> Markup:
    """LaTeX as maths; a formula that cannot be set is shown as it is written, and says so."""
    if not source.strip():
        return Markup("")
    try:
        return Markup(tex_mathml(source.strip()))
    except MathsError as error:
        return Markup('<code class="unset" title="{}">{}</code>').format(str(error), source.strip())


def _article(node: Node, content: Content, marks: Mapping[str, _Differing]) -> Article:
    records = content.of_statement.get(node.id, [])
    printed = next((s for s in content.paper.statements if s.id == node.id), None)
    displays = content.paper.displays_of(node.id) if printed is not None else ()
    at_home = {d.id for d in displays}
    readings = [r for r in records if r.kind is not Kind.STEP]
    away = [r for r in records if r.kind is Kind.STEP and r.display not in at_home]
    every = {d.id for d in content.paper.displays}
    known = {n.id: n for n in content.graph.nodes}
    ours = content.statements.get(node.id)
    return Article(
        node=node,
        printed=printed,
        maths=set_tex(printed.formula) if printed else Markup(""),
        summary=ours.summary if ours else "",
        readings=tuple(_card(r, content, marks) for r in readings),
        shown=tuple(_shown(d, content, marks) for d in displays),
        loose=tuple(_card(r, content, marks) for r in away if r.display not in every),
        elsewhere=tuple((r.key, verdict_name(r)) for r in away if r.display in every),
        uses=tuple(known[i] for i in node.rests_on if i in known),
        users=tuple(known[i] for i in content.graph.users()[node.id]),
        wrong=node.wrong_steps,
        checks=len(records),
    )


def _shown(display: PaperDisplay, content: Content, marks: Mapping[str, _Differing]) -> Shown:
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
        lines=_lines(display.first_line, display.last_line),
        role=display.role.value,
        maths=set_tex(display.formula),
        cards=tuple(_card(r, content, marks) for r in cards),
        note=note,
    )


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first}–{last}"


@dataclass(frozen=True)
class _Differing:
    """How a reading differs from its counterpart."""

    marks: tuple[Marks | None, ...]
    second: bool
    given: frozenset[str]  # of the counterpart
    where: frozenset[tuple[str, str]]


def _pairs(records: Sequence[Record]) -> Iterable[tuple[str, _Differing]]:
    for refuted in records:
        if refuted.verdict.name != "REFUTED":
            continue
        for repair in repairs_of(refuted, records):
            a, b = refuted.claim, repair.claim
            same = len(a.says) == len(b.says)
            marks = tuple(_marks(x, y) for x, y in zip(a.says, b.says, strict=True)) if same else ()
            yield refuted.key, _Differing(marks, False, frozenset(b.given), frozenset(b.where))
            yield repair.key, _Differing(marks, True, frozenset(a.given), frozenset(a.where))


def _marks(one: str, other: str) -> Marks | None:
    try:
        return differences(one, other)
    except KernelError:
        return None


def _card(record: Record, content: Content, marks: Mapping[str, _Differing]) -> Card:
    claim, differing = record.claim, marks.get(record.key)
    proof, more = _proof(record, content)
    ratio = record.ratio or {}
    stood = content.stands[record.key]
    like, plain = _like(record, content), record.kind is Kind.STEP
    point = (record.evidence.witness or {}).get("point") or {}
    sides = None
    if point and "left" in ratio:
        sides = (str(ratio["relation"]), with_decimal(str(ratio["left"])), with_decimal(str(ratio["right"])))
    return Card(
        key=record.key,
        anchor=anchor(record.key) + (":printed" if record.key == record.statement else ""),
        label=record.key.partition("/")[2] or record.key.partition("#")[2] or record.kind.value,
        kind=record.kind.value,
        verdict=verdict_name(record),
        because=record.problem or record.judgement.reason,
        scope=record.judgement.scope,
        faith=FAITH[record.faithfulness.name],
        says=tuple(_line(source, differing, i) for i, source in enumerate(claim.says)),
        given=() if like else tuple(_hypothesis(source, differing, plain) for source in claim.given),
        where=() if like else tuple(_definition(name, formula, differing, plain) for name, formula in claim.where),
        words=record.words,
        odd="" if record.as_expected or not ran(record) else record.expected.name,
        witness=point_text(point),
        sides=sides,
        replay=command("lemmalab", "check", record.key),
        search=_search(record),
        proof=proof,
        more=more,
        cites=record.judgement.cites,
        repairs=record.repairs,
        like=like,
        stands="" if stood is record.verdict else stood.name,
        told=record.told if record.shown in (LINKED, INSTANCE) else "",
        links=tuple((link, content.links.get(link, "")) for link in record.links if record.verdict in RIGOROUS),
        also=content.also.get(record.key, ""),
    )


def _like(record: Record, content: Content) -> str:
    """The first check of the statement with the same hypotheses, which shows them; a repair shows its own in full."""
    if record.kind is Kind.REPAIRED:
        return ""
    own = (record.claim.given, record.claim.where)
    group = [r for r in content.of_statement[record.statement] if record.kind is Kind.STEP or r.kind is not Kind.STEP]
    first = next(r for r in group if (r.claim.given, r.claim.where) == own)
    return "" if first is record or not any(own) else first.key


def _line(source: str, differing: _Differing | None, position: int) -> Line:
    found = differing.marks[position] if differing and position < len(differing.marks) else None
    places = frozenset() if found is None else found.second if differing and differing.second else found.first
    if len(source) > LONGEST_MATHS:
        return Line(Markup(""), source)
    try:
        return Line(Markup(relation_mathml(source, places)), source)
    except (KernelError, ValueError):
        return Line(Markup(""), source)


def _hypothesis(source: str, differing: _Differing | None, plain: bool) -> Line:
    """Steps have theirs as text: the page stays small."""
    line = Line(Markup(""), source) if plain else _line(source, None, 0)
    return Line(line.maths, line.text, differing is not None and source not in differing.given)


def _definition(name: str, formula: str, differing: _Differing | None, plain: bool) -> tuple[Markup, Line]:
    new = differing is not None and (name, formula) not in differing.where
    if plain or len(formula) > LONGEST_MATHS:
        return Markup("<code>{}</code>").format(name), Line(Markup(""), formula, new)
    return Markup(name_mathml(name)), Line(Markup(text_mathml(formula)), formula, new)


def _search(record: Record) -> tuple[tuple[str, str], ...]:
    """What the search saw, for what is not refuted."""
    found = record.evidence.search
    if not found or record.evidence.witness:
        return ()
    rows = [("worst ratio", f"{found.get('worst_ratio')} (left over right) in {found.get('trials')} trials")]
    if found.get("worst_point"):
        rows.append(("attained at", point_text(found["worst_point"])))
    if record.verdict.name in ("SUPPORTED", "CITED", "UNDECIDED"):
        rows += [(name, str(found[name])) for name in ("space", "risk") if found.get(name)]
    rows.append(("replay", command("lemmalab", "hunt", record.key, "--seed", str(record.seed))))
    return tuple(rows)


def _proof(record: Record, content: Content) -> tuple[tuple[str, ...], int]:
    if not record.evidence.certificate or record.verdict.name == "UNDECIDED":
        return (), 0
    from theory.reading.readable import proof_lines

    claims = {key: one.claim for key, one in content.by_key.items()}
    lines = proof_lines(record.claim, record.evidence.certificate, claims)
    shown = (line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…" for line in lines[:MOST_LINES])
    return tuple(shown), max(0, len(lines) - MOST_LINES)
