"""What the reader makes of a display and of the words before it: a claim of the language, or the reason why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from theory.claims.statement import claim_of
from theory.kernel import KernelError
from theory.kernel.lang import (
    FOREVER,
    Node,
    Relation,
    num,
    parse,
    parse_relation,
    relation_symbols,
    substitute,
    sym,
    symbols,
    walk,
)
from theory.reading.latex.atoms import Unreadable
from theory.reading.latex.claims import names_of
from theory.reading.latex.notation import Notation
from theory.reading.latex.outline import Item, relations_in, restricts
from theory.reading.latex.reader import from_latex
from theory.reading.latex.sizes import sized, unsampled, wide

TRIVIAL = (parse_relation("0 <= 1"),)  # what a hypothesis is tried with


@dataclass(frozen=True)
class Assumed:
    """The hypotheses in the words of a statement that can be read, and those that cannot, with the reason."""

    relations: tuple[Relation, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Reading:
    """Claims of the language with all that they need, or the reason why there are none."""

    display: str
    claims: tuple[str, ...] = ()
    reason: str = ""
    given: tuple[str, ...] = ()
    naturals: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Told:
    """Everything that is read of a paper, by id: the hypotheses of its statements, the claims of its displays, and
    what statements claim in words, outside of displays."""

    assumed: Mapping[str, Assumed]
    displays: Mapping[str, Reading]
    words: Mapping[str, tuple[Reading, ...]]


def read_all(items: Sequence[Item], notation: Notation) -> Told:
    """Every statement and every display, once."""
    assumed = {one.id: hypotheses(one, notation) for one in items if not one.display}
    shown = [(one, assumed.get(one.row["statement"], Assumed())) for one in items if one.display]
    words = {one.id: _in_words(one, notation, assumed[one.id]) for one in items if not one.display}
    return Told(assumed, {one.id: reading(one, notation, given) for one, given in shown}, words)


def _in_words(item: Item, notation: Notation, assumed: Assumed) -> tuple[Reading, ...]:
    """The relations in the sentences of a statement that are not among its hypotheses, each named by its LaTeX."""
    claimed = [latex for latex in dict.fromkeys(item.claimed) if relations_in(latex)]
    return tuple(_read(" ".join(latex.split()), latex, notation, assumed) for latex in claimed)


def reading(display: Item, notation: Notation, assumed: Assumed = Assumed()) -> Reading:  # noqa: B008  # frozen
    """The relations of a display as texts of the language; all of them or none."""
    return _read(display.id, display.row["formula"], notation, assumed)


def _read(id_: str, latex: str, notation: Notation, assumed: Assumed) -> Reading:
    try:
        relations = [one for one in from_latex(latex, notation) if one.op != ":="]
    except Unreadable as error:
        return Reading(id_, reason=str(error))
    if not relations:
        return Reading(id_, reason="it only defines")
    found = judgeable(id_, relations, list(assumed.relations), notation)
    if assumed.unread and not found.reason:
        return replace(found, reason="a hypothesis of the statement is not read")
    return found


def judgeable(id_: str, says: list[Relation], given: list[Relation], notation: Notation) -> Reading:
    """As a claim that the kernel takes, sizes of vectors and matrices included."""
    shown = tuple(map(str, says))
    every = [*says, *given]
    if unsampled(every):
        return Reading(id_, shown, "what is random in the expectation is for the symbols file to say (kind random)")
    says, given = _opened(says, given)
    given = [_for_every(one, says, notation) for one in given]
    every = [*says, *given]
    for one in every:
        if one.binder is not None and one.binder[2] == FOREVER:
            ready = replace(one, binder=(*one.binder[:2], parse("K - 1")))
            return Reading(id_, shown, f"a claim names the last index, K say: {ready}")
    if told := _elsewhere(says, given, notation):
        return Reading(id_, shown, told)
    kinds: dict[str, str] = {}
    if any(wide(name, notation) for name in names_of(every)):
        try:
            every, kinds = sized(every, notation)
        except Unreadable as error:
            return Reading(id_, shown, str(error))
    texts = tuple(map(str, every))
    claims, hypotheses = texts[: len(says)], tuple(dict.fromkeys(texts[len(says) :]))
    if told := refusal(claims, hypotheses, kinds):
        return Reading(id_, claims, told)
    free = frozenset().union(*map(relation_symbols, every))
    naturals = tuple(sorted(name for name in free if notation.kind(name) == "natural"))
    return Reading(id_, claims, given=hypotheses, naturals=naturals, kinds=kinds)


def _opened(says: list[Relation], given: list[Relation]) -> tuple[list[Relation], list[Relation]]:
    """`… for all T \\ge 2` is a claim of every T that is at least 2: a free name with a hypothesis."""
    ranges = {one.binders for one in says}
    if len(ranges) != 1 or len(says[0].binders) != 1 or says[0].binders[0][2] != FOREVER:
        return says, given
    name, low, _ = says[0].binders[0]
    if any(name in relation_symbols(one) for one in given):
        return says, given
    return [one.under(()) for one in says], [*given, Relation(">=", sym(name), low)]


def _for_every(one: Relation, says: Sequence[Relation], notation: Notation) -> Relation:
    """a[t + 1] <= q*a[t], where the claim is of a[0] and a[T]: a recursion, meant for every t before T."""
    known = _members(one)
    steps = [(m, n) for m in known for n in known if m.args[0] == n.args[0] and n.args[1:] == (_next(m.args[1]),)]
    if one.binders or len({m.args[1] for m, _ in steps}) != 1 or any(len(m.args) != 2 for m in known):
        return one
    index, families = steps[0][0].args[1], {m.args[0] for m in known}
    said = {m for r in says for m in _members(r) if m.args[0] in families}
    ends = {m.args[1] for m in said if m.args[1].op == "sym"}
    if index.op != "sym" or said <= known or len(ends) != 1 or notation.kind(str(index)) != "natural":
        return one
    end = ends.pop()
    name = str(index) if end != index else next((k for k in "kjis" if k not in relation_symbols(one)), f"{index}_")
    put = {str(index): sym(name)}
    inside = Relation(one.op, substitute(one.left, put), substitute(one.right, put))
    return inside.under(((name, num(0), parse(f"{end} - 1")),))


def _next(index: Node) -> Node:
    return parse(f"{index} + 1")


def _elsewhere(says: Sequence[Relation], given: Sequence[Relation], notation: Notation) -> str:
    """A hypothesis about x[t] alone, where the claim speaks of x[t - 1] too: it was meant for more than one t."""
    for one in given:
        known = _members(one)
        for part in known:
            index = str(part.args[1])
            general = part.args[1].op == "sym" and notation.kind(index) == "natural"
            if not general or index in {name for name, _, _ in one.binders}:
                continue
            others = [m for r in says for m in _members(r) - known if m.args[0] == part.args[0] and index in symbols(m)]
            if others:
                told = min(map(str, others))
                return f"{one} is assumed for one {index}, and {told} is spoken of; say for which it holds"
    return ""


def _members(relation: Relation) -> set[Node]:
    return {part for side in (relation.left, relation.right) for part in walk(side) if part.op == "index"}


def refusal(claims: Sequence[str], given: Sequence[str] = (), kinds: Mapping[str, str] | None = None) -> str:
    """Why the kernel does not take these as a claim; "" when it does."""
    try:
        claim_of("x", tuple(claims), given=tuple(given), kinds=tuple((kinds or {}).items()))
    except (KernelError, RecursionError) as error:
        return str(error).removeprefix("x: ").split("; ")[0] or "it is nested too deeply"
    return ""


def hypotheses(item: Item, notation: Notation) -> Assumed:
    """The relations that a statement assumes in its words."""
    read: list[Relation] = []
    unread = [(latex, "the words do not tell whether it is assumed or claimed") for latex in item.unsorted]
    for latex in item.assumed:
        try:
            relations = [one for one in from_latex(latex, notation) if one.op != ":="]
            reason = judgeable("", list(TRIVIAL), relations, notation).reason if relations else ""
        except Unreadable as error:
            relations, reason = [], str(error)
        if not reason:
            read += relations
        elif restricts(latex):
            unread.append((latex, reason))
    return Assumed(tuple(dict.fromkeys(read)), tuple(dict(unread).items()))
