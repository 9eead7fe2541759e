"""Does the corrected source say what is proved? Every changed display is read again, and its changed relations are
compared with the claims that the kernel has accepted, both in the notation of the paper.

A relation of a display is found again when a proved claim is the same by exact arithmetic (`latex.alike`), after the
paper's own abbreviations are written out (`same.toml` of the project: what is the same, where, and why); or when claims
lead from its left side to its right one, or two of them add up to it. What it defines is looked for among what proved
claims assume and define.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from reports.errata.claimed import assumed, said
from reports.errata.same import Known
from reports.site.told import Told
from reports.site.typeset import Typesetter
from theory.kernel import Claim, KernelError, Verdict
from theory.kernel.lang import Node, Relation
from theory.ledger.records import Record
from theory.reading.errata import Change, Erratum
from theory.reading.errata.correct import replaced, span_of
from theory.reading.latex.alike import Normal, keys
from theory.reading.latex.atoms import Unreadable
from theory.reading.latex.notation import Notation
from theory.reading.latex.reader import from_latex
from theory.reading.latex.texts import occurrences, texts, tokens
from theory.reading.latex.unnamed import Typography, typography
from theory.reading.paper import Paper

DEFINES = "it defines, or names what is assumed"
T = TypeVar("T")
Advance = Callable[[int, int, object], None]  # done, total, what
IDENTITY = "an identity"
LONGEST = 4000  # characters of a formula that is read back
Claimed = Mapping[str, "Said"]
Sources = Callable[[Claim, Notation], Iterable[str]]


class Outcome(Enum):
    """What became of a changed display."""

    STATES = "every changed relation is a proved claim or follows from proved claims"
    DEFINES = "every changed relation is what proved claims say, define or assume"
    PARTLY = "some changed relations are proved claims"
    NOTHING = "asserts nothing"
    FORM = "read, but no proved claim is the same relation"
    UNREAD = "not read"


STEPS = {"==": ("==",), "<=": ("==", "<=", "<"), "<<": ("==", "<<")}  # what a step on the way may be
READ = (Outcome.STATES, Outcome.DEFINES)


@dataclass(frozen=True)
class Back:
    """One changed display: what it is found to say, and why not, where it is not.

    found       the changed relations, each with the claim that it is; "" where there is none
    """

    display: str
    line: int
    outcome: Outcome
    found: tuple[tuple[str, str], ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Said:
    """The relations of a claim, and the texts that they are known by."""

    relations: tuple[Relation, ...]
    keys: frozenset[str]


@dataclass(frozen=True)
class Reader:
    """Displays and claims of one paper, read in the notation that they share."""

    known: Known
    notation: Notation

    @cached_property
    def typography(self) -> Typography:
        return typography(self.known.functions)

    def relations(self, latex: str, *names: str) -> list[Relation]:
        """Without what it only says about ranges; a definition is an equation."""
        found = from_latex(self.known.written_out(latex, *names), self.typography)
        return [Relation("==" if one.op == ":=" else one.op, one.left, one.right) for one in found]

    def claims(self, records: Iterable[Record], of: Sources = said) -> Claimed:
        """What is proved, claim by claim, as texts to be known by; what cannot be printed or read is left out."""
        typesetter = Typesetter(self.notation)
        found: dict[str, Said] = {}
        for one in records:
            read = self._printed(of(one.claim, self.notation), typesetter.of(one.claim), one.key)
            found[one.key] = Said(tuple(read), frozenset().union(*(keys(part, self.typography) for part in read)))
        return found

    def _printed(self, sources: Iterable[str], told: Told, key: str) -> list[Relation]:
        read: list[Relation] = []
        for source in sources:
            try:
                read += self.relations(told.relation(source, LONGEST), key)
            except (Unreadable, RecursionError):
                continue
        return [*read, *self._absolute(read)]

    def _absolute(self, read: Sequence[Relation]) -> Iterable[Relation]:
        """u <= v beside u >= -v is |u| <= v."""
        for one, other in pairwise(read):
            opposite = Relation("==", Node("neg", (one.right,)), other.right)
            if (one.op, other.op) == ("<=", ">=") and one.left == other.left and self.identity(opposite):
                yield Relation("<=", Node("abs", (one.left,)), one.right)

    def identity(self, one: Relation) -> bool:
        """Are both sides the same number or matrix, whatever the letters are?"""
        normal = Normal(self.typography)
        try:
            return one.op == "==" and normal.told(one.left) == normal.told(one.right)
        except KernelError:
            return False


def corrected(rows: Iterable[Erratum]) -> dict[str, tuple[Change, str]]:
    """Every changed display with one of its changes, and its LaTeX with all of its corrections in it."""
    found: dict[str, tuple[Change, list[tuple[int, str, str]]]] = {}
    for row in rows:
        for change in row.changes:
            if change.whole:
                _, edits = found.setdefault(change.display, (change, []))
                edits.append((change.line, change.tex, change.corrected_tex))
    return {id_: (change, _all_of(change.formula, edits)) for id_, (change, edits) in found.items()}


def _all_of(formula: str, edits: Sequence[tuple[int, str, str]]) -> str:
    cut, spans = tokens(formula), []
    for part in dict.fromkeys(tex for _, tex, _ in edits):
        ranked = sorted(edit for edit in edits if edit[1] == part)
        places = occurrences(texts(part), [token.text for token in cut])
        spans += [span_of(cut[at:], tex, right) for at, (_, tex, right) in zip(places, ranked, strict=True)]
    return replaced(formula, spans)


def read_back(
    rows: Sequence[Erratum], records: Sequence[Record], paper: Paper, reader: Reader, advance: Advance = lambda *_: None
) -> tuple[Back, ...]:
    """Every changed display, in the order of the paper."""
    changed = corrected(rows)
    near = _near(rows, records, paper, changed)
    wanted = frozenset().union(*near.values())
    proved = [one for one in records if one.verdict is Verdict.PROVED and one.key in wanted]
    total = 2 * len(proved) + len(changed)
    claims = reader.claims(_counted(proved, 0, total, advance))
    behind = reader.claims(_counted(proved, len(proved), total, advance), assumed)
    asserts = {one.id: one.relations for one in paper.displays}
    told = []
    for id_ in _counted(list(changed), 2 * len(proved), total, advance):
        change, latex = changed[id_]
        says, takes = ({key: pool[key] for key in near[id_] if key in pool} for pool in (claims, behind))
        found = _judged(id_, change, latex, says, takes, reader)
        silent = not asserts[id_] or id_ in reader.known.defines
        if silent and (found.outcome not in READ or all(key == IDENTITY for _, key in found.found)):
            found = Back(id_, change.line, Outcome.NOTHING, reason=reader.known.defines.get(id_, DEFINES))
        told.append(found)
    return tuple(sorted(told, key=lambda one: one.line))


def _counted(todo: Sequence[T], before: int, total: int, advance: Advance) -> Iterator[T]:
    for at, one in enumerate(todo, start=before):
        advance(at, total, one)
        yield one


def _near(
    rows: Iterable[Erratum], records: Iterable[Record], paper: Paper, changed: Iterable[str]
) -> dict[str, set[str]]:
    """The claims that a changed display may state: of itself and its statement, what repairs its slips, and what the
    statement rests on."""
    statement = {one.id: one.statement for one in paper.displays}
    uses = {one.id: one.uses for one in paper.statements}
    found = {
        id_: {one.key for one in records if id_ == one.display or statement[id_] == one.statement} for id_ in changed
    }
    for id_ in changed:
        below = uses.get(statement[id_], ())
        found[id_] |= {one.key for one in records if one.statement in below and "disp:" not in one.key}
    about: dict[str, set[str]] = {}
    for one in records:
        about.setdefault(one.statement, set()).add(one.key)
    for row in rows:
        for change in row.changes:
            if change.whole:
                found[change.display] |= {repair.key for repair in row.repairs} | about.get(row.statement, set())
    return found


def _judged(id_: str, change: Change, latex: str, claims: Claimed, behind: Claimed, reader: Reader) -> Back:
    try:
        read = reader.relations(latex, id_)
    except Unreadable as error:
        return Back(id_, change.line, Outcome.UNREAD, reason=reader.known.differs.get(id_, str(error)))
    before = _unchanged(change, reader)
    new = [one for one in read if str(one) not in before]
    if not new:
        return Back(id_, change.line, Outcome.NOTHING, reason="marks and words change, no relation does")
    found = tuple((str(one), _claim_of(one, read, claims, reader)) for one in new)
    if all(key for _, key in found):
        return Back(id_, change.line, Outcome.STATES, found)
    found = tuple((text, key or _stated(one, behind, reader)) for (text, key), one in zip(found, new, strict=True))
    hits = sum(bool(key) for _, key in found)
    if hits == len(found):
        return Back(id_, change.line, Outcome.DEFINES, found)
    return Back(id_, change.line, Outcome.PARTLY if hits else Outcome.FORM, found, reader.known.differs.get(id_, ""))


def _unchanged(change: Change, reader: Reader) -> set[str]:
    """The relations that the display had before it was corrected."""
    try:
        return {str(one) for one in reader.relations(change.formula, change.display)}
    except Unreadable:
        return set()


def _claim_of(one: Relation, read: Sequence[Relation], claims: Claimed, reader: Reader) -> str:
    """The claim that this relation is, alone or with the equations around it; or the claims that it follows from."""
    if reader.identity(one):
        return IDENTITY
    for chained in _around(one, read):
        key = _stated(chained, claims, reader)
        if key:
            return key
    return " and ".join(_by_steps(one, claims, reader) or _by_a_sum(one, claims, reader))


def _stated(one: Relation, claims: Claimed, reader: Reader) -> str:
    known = keys(one, reader.typography)
    return next((key for key, claim in sorted(claims.items()) if known & claim.keys), "")


def _by_steps(one: Relation, claims: Claimed, reader: Reader) -> list[str]:
    """a <= d out of a = b, b <= c and c <= d, which are claims."""
    if one.op not in STEPS:
        return []
    edges: dict[str, list[tuple[str, str]]] = {}
    for key, claim in sorted(claims.items()):
        for op, left, right in sorted(map(_sides, claim.keys)):
            if op in STEPS[one.op]:
                edges.setdefault(left, []).append((right, key))
    ends = [(left, right) for _, left, right in map(_sides, keys(one, reader.typography)) if left != "0"]
    return next(filter(None, (_path(edges, *pair) for pair in ends)), [])


def _sides(known: str) -> tuple[str, str, str]:
    """The relation, the left and the right side of a text that a relation is known by."""
    op, _, sides = known.partition(" ")
    left, _, right = sides.partition(" | ")
    return op, left, right


def _path(edges: Mapping[str, Sequence[tuple[str, str]]], start: str, goal: str) -> list[str]:
    """The shortest way, by the claims on it."""
    reached: dict[str, list[str]] = {start: []}
    todo = [start]
    for here in todo:
        for there, key in edges.get(here, ()):
            if there not in reached:
                reached[there] = [*reached[here], key]
                todo.append(there)
    return list(dict.fromkeys(reached.get(goal, [])))


def _by_a_sum(one: Relation, claims: Claimed, reader: Reader) -> list[str]:
    """a + b <= c + d out of a <= c and b <= d, which are claims about whole statements."""
    if one.op != "<=":
        return []
    whole = {key: claim for key, claim in claims.items() if "disp:" not in key}
    for key, claim in sorted(whole.items()):
        for part in claim.relations:
            if part.op == "<=":
                rest = Relation("<=", Node("-", (one.left, part.left)), Node("-", (one.right, part.right)))
                other = _stated(rest, whole, reader)
                if other:
                    return [key, other]
    return []


def _around(one: Relation, read: Sequence[Relation]) -> Iterable[Relation]:
    """The relation itself; an inequality also with the equations on both sides of it: a = b <= c says a <= c."""
    yield one
    if one.op == "==":
        return
    at, first, last = _run(one, read)
    for low in range(at, first - 1, -1):
        for high in range(at, last + 1):
            if (low, high) != (at, at):
                yield Relation(one.op, read[low].left, read[high].right)


def _run(one: Relation, read: Sequence[Relation]) -> tuple[int, int, int]:
    """Where it stands, and from where to where equations run on both sides of it."""
    at = next(k for k, other in enumerate(read) if other is one)
    first = last = at
    while first and read[first - 1].op == "==" and read[first - 1].right == read[first].left:
        first -= 1
    while last + 1 < len(read) and read[last + 1].op == "==" and read[last + 1].left == read[last].right:
        last += 1
    return at, first, last


def table(backs: Sequence[Back]) -> str:
    """How many read back, then every display with what it is found to state, or why not."""
    told = []
    for outcome in Outcome:
        group = [one for one in backs if one.outcome is outcome]
        told.append(f"{len(group):3d} of {len(backs)}  {outcome.value}")
    for outcome in Outcome:
        for one in backs:
            if one.outcome is outcome:
                claims = ", ".join(dict.fromkeys(key for _, key in one.found if key))
                why = "; ".join(filter(None, (claims, one.reason))) or "no claim of its statement has this form"
                told.append(f"{one.display:10s} {why}")
    return "\n".join(told) + "\n"
