"""One check as a card: its claim in the paper's notation, verdict, witness, and the formal form for the fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reports.site.content import Content, ran, verdict_name
from reports.site.told import LONGEST, Told
from reports.site.typeset import compared, shown, value_latex
from reports.site.words import FAITH, anchor, command, point_text, spoken
from theory.claims.statement import Faithfulness, Kind
from theory.kernel import Claim
from theory.ledger.records import Record
from theory.ledger.stands import INSTANCE, LINKED, RIGOROUS
from theory.ledger.summary import repairs_of
from theory.reading.used import definitions

MOST_LINES, FEW_LINES = 6, 1  # of a proof, few in a table of steps; all of it is one command away
LONGEST_LINE = 140
EVERY = "all parameters that satisfy the hypotheses"  # goes without saying
MOST_CHANGED, MOST_CITED = 5, 4
LONGEST_FORMAL, SHORT_FORMAL = 700, 140  # characters of a formula as code; short in a table of steps
LONGEST_READING = 460  # characters of a formula that is set as mathematics although it is long


@dataclass(frozen=True)
class Line:
    """A formula: as maths when it can be read as such, always as text; `new` when the other reading lacks it."""

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
    where: tuple[Line, ...]
    words: str
    odd: str
    witness: Markup
    sides: tuple[Markup, Markup, Markup] | None  # the relation that fails, its left and its right side
    replay: str
    search: tuple[tuple[str, str], ...]
    formal: tuple[tuple[str, tuple[str, ...]], ...]  # what the kernel reads
    proof: tuple[str, ...]
    more: int  # lines of the proof that are not shown
    cites: tuple[str, ...]
    repairs: str
    like: str  # the key of an earlier check of the page with the very same hypotheses and definitions
    stands: str  # when what the proof cites is weaker than the proof itself
    told: str  # the verdict with its sizes and the number of its links
    links: tuple[str, ...]  # the names of what is by hand
    also: str  # the second checker that accepted it as it stands

    @property
    def changed(self) -> tuple[Line, ...]:
        """Hypotheses and definitions that the other reading does not have, while they are few enough to be read."""
        found = tuple(line for line in (*self.given, *self.where) if line.new)
        return found if len(found) <= MOST_CHANGED else ()


@dataclass(frozen=True)
class Differing:
    """A reading beside its counterpart: its relations, marked, and what the counterpart assumes."""

    says: tuple[str, ...]
    given: frozenset[str]
    where: frozenset[tuple[str, str]]


def differing(records: Sequence[Record], content: Content) -> dict[str, Differing]:
    """For every refuted reading and its repair: where the two differ."""
    found: dict[str, Differing] = {}
    for refuted in records:
        if refuted.verdict.name != "REFUTED":
            continue
        for repair in repairs_of(refuted, records):
            a, b = refuted.claim, repair.claim
            left, right = compared(_latex(a, content, refuted.kind), _latex(b, content, repair.kind))
            found.setdefault(refuted.key, Differing(left, frozenset(b.given), frozenset(b.where)))
            found[repair.key] = Differing(right, frozenset(a.given), frozenset(a.where))
    return found


def _latex(claim: Claim, content: Content, kind: Kind) -> list[str]:
    longest = LONGEST if kind is Kind.STEP else LONGEST_READING
    told = content.typesetter.of(claim)
    return [told.relation(source, longest) for source in claim.says]


def card(record: Record, content: Content, marks: Mapping[str, Differing]) -> Card:
    claim, other = record.claim, marks.get(record.key)
    told = content.typesetter.of(claim)
    stood, like = content.stands[record.key], _like(record, content)
    ours = record.faithfulness is Faithfulness.OURS
    lean = ours or record.kind in (Kind.STEP, Kind.SHARPER)  # hypotheses by a command only: the page stays small
    proof, more = _proof(record, content, FEW_LINES if lean else MOST_LINES)
    point = (record.evidence.witness or {}).get("point") or {}
    latex = other.says if other else _latex(claim, content, record.kind)
    return Card(
        key=record.key,
        anchor=anchor(record.key) + (":printed" if record.key == record.statement else ""),
        label=record.key.partition("/")[2] or record.key.partition("#")[2] or record.role,
        kind=record.role,
        verdict=verdict_name(record),
        because=_because(record),
        scope="" if lean or record.judgement.scope == EVERY else record.judgement.scope,
        faith=FAITH[record.reads.name],
        says=tuple(Line(shown(tex), source) for tex, source in zip(latex, claim.says, strict=True)),
        given=() if like or lean else tuple(_given(source, told, other) for source in claim.given),
        where=() if like or lean else tuple(_where(name, formula, told, other) for name, formula in definitions(claim)),
        words=record.words,
        odd="" if record.as_expected or not ran(record) else record.expected.name,
        witness=content.typesetter.point(point, claim) if point else Markup(""),
        sides=_sides(record, told) if point else None,
        replay=command("lemmalab", "check", record.key),
        search=_search(record),
        formal=_claimed(claim) if lean else _formal(claim, like),
        proof=proof,
        more=more,
        cites=_few(record.judgement.cites) if lean else record.judgement.cites,
        repairs=record.repairs,
        like="" if lean else like,
        stands="" if stood is record.verdict else stood.name,
        told=spoken(record.told) if record.shown in (LINKED, INSTANCE) else "",
        links=record.links if record.verdict in RIGOROUS else (),
        also=content.also.get(record.key, ""),
    )


def _given(source: str, told: Told, other: Differing | None) -> Line:
    new = other is not None and source not in other.given
    return Line(shown(told.relation(source), block=False), source, new)


def _where(name: str, formula: str, told: Told, other: Differing | None) -> Line:
    new = other is not None and (name, formula) not in other.where
    return Line(shown(told.definition(name, formula), block=False), f"{name} = {formula}", new)


def _sides(record: Record, told: Told) -> tuple[Markup, Markup, Markup] | None:
    ratio = record.ratio or {}
    if "left" not in ratio:
        return None
    relation = str(ratio["relation"])
    set_ = shown(told.relation(relation), block=False) or Markup("<code>{}</code>").format(relation[:160])
    left, right = (shown(value_latex(str(ratio[side])), block=False) for side in ("left", "right"))
    return set_, left, right


def _like(record: Record, content: Content) -> str:
    """The first check of the statement with the same hypotheses, which shows them."""
    own = (record.claim.given, record.claim.where)
    group = [r for r in content.of_statement[record.statement] if record.kind is Kind.STEP or r.kind is not Kind.STEP]
    first = next(r for r in group if (r.claim.given, r.claim.where) == own)
    return "" if first is record or not any(own) else first.key


def _because(record: Record) -> str:
    """Which relation fails stands at the witness, in the notation of the paper."""
    reason = record.problem or record.judgement.reason
    return "at an exact witness" if record.verdict.name == "REFUTED" and reason.endswith(" fails") else reason


def _few(cites: Sequence[str]) -> tuple[str, ...]:
    return tuple(cites) if len(cites) <= MOST_CITED else (*cites[:MOST_CITED], f"{len(cites) - MOST_CITED} more")


def _claimed(claim: Claim) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a step claims; its hypotheses are one command away."""
    return (("claim", tuple(_cut(one, SHORT_FORMAL) for one in claim.says)),)


def _formal(claim: Claim, like: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the kernel reads, word by word; only a very long formula is cut, and nothing is said twice."""
    if like:
        return (("claim", tuple(map(_cut, claim.says))), ("given and where", (f"as for {like}",)))
    where = tuple(f"{name} = {formula}" for name, formula in definitions(claim))
    parts = (("claim", claim.says), ("given", claim.given), ("where", where))
    return tuple((name, tuple(map(_cut, lines))) for name, lines in parts if lines)


def _cut(source: str, most: int = LONGEST_FORMAL) -> str:
    if len(source) <= most:
        return source
    return f"{source[:most]}… ({len(source)} characters; the ledger has all of them)"


def _search(record: Record) -> tuple[tuple[str, str], ...]:
    """What the search saw, for what is not refuted."""
    found = record.evidence.search
    if not found or record.evidence.witness:
        return ()
    rows = [("worst ratio", f"{found.get('worst_ratio')} (left over right) in {found.get('trials')} trials")]
    if record.verdict in RIGOROUS:
        return tuple(rows)
    if found.get("worst_point"):
        rows.append(("attained at", point_text(found["worst_point"])))
    rows += [(name, str(found[name])) for name in ("space", "risk") if found.get(name)]
    rows.append(("replay", command("lemmalab", "hunt", record.key, "--seed", str(record.seed))))
    return tuple(rows)


def _proof(record: Record, content: Content, most: int) -> tuple[tuple[str, ...], int]:
    if not record.evidence.certificate or record.verdict.name == "UNDECIDED":
        return (), 0
    from theory.reading.readable import proof_lines

    claims = {key: one.claim for key, one in content.by_key.items()}
    lines = proof_lines(record.claim, record.evidence.certificate, claims)
    kept = (line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…" for line in lines[:most])
    return tuple(kept), max(0, len(lines) - most)
