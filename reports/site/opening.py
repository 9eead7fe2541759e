"""The top of the page: what a reader should know after thirty seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reports.mathml.changes import marked
from reports.site.content import Content, verdict_name
from reports.site.severity import bar, by_severity
from reports.site.tables import Lesson, Theorem
from reports.site.typeset import shown
from reports.site.words import plural, spoken
from theory.reading.graph import NO_PROOF_NEEDED, Status

HOLD = (Status.PROVED, Status.ALONE, Status.CERTIFIED)
OPEN = {
    Status.CITED: "cited",
    Status.SUPPORTED: "supported by trials only",
    Status.UNDECIDED: "undecided",
    Status.UNJUDGED: "not judged",
}


@dataclass(frozen=True)
class Side:
    """The theorem as printed, or as repaired: marked where the two differ; `verdict` with what is `told` of it."""

    title: str
    key: str
    maths: Markup
    verdict: str
    told: str


@dataclass(frozen=True)
class Opening:
    """Sentences are prose with mathematics; `sides` are empty when no repaired theorem is proved."""

    sentences: tuple[str, ...]
    sides: tuple[Side, ...]
    words: str
    counts: dict[str, int]
    bar: Markup
    lessons: tuple[Lesson, ...]


def opening(content: Content, theorem: Theorem | None, lessons: Sequence[Lesson]) -> Opening:
    counts = by_severity(content.errata)
    sides, words = _theorem(content, theorem)
    told = (*_survives(content), *_fails(content), *_constant(content, theorem))
    return Opening(told, sides, words, counts, bar(counts), tuple(lessons))


def _statuses(content: Content) -> Counter[Status]:
    return Counter(node.status for node in content.graph.nodes if node.status is not Status.GIVEN)


def _survives(content: Content) -> Iterator[str]:
    found = _statuses(content)
    total = sum(found.values())
    hold, linked, sizes = sum(found[s] for s in HOLD), found[Status.LINKED], found[Status.INSTANCE]
    parts = [f"{hold} proved in full"] if hold else []
    parts += [f"{linked} up to links by hand, which our proofs assume and the paper derives"] if linked else []
    parts += [f"{sizes} only for the sizes that were checked"] if sizes else []
    parts = ["proved in full"] if hold and len(parts) == 1 else parts
    rest = [f"{found[status]} {words}" for status, words in OPEN.items() if found[status]]
    survive = hold + linked + sizes
    yield (
        f"Of the {plural(total, 'statement')} that assert something, {survive or 'none'} "
        f"survive{'s' if survive == 1 else ''} as printed{': ' if parts else ''}{_listed(parts)}."
        + _given(content)
        + (f" {_listed(rest).capitalize()}." if rest else "")
    )


def _given(content: Content) -> str:
    """What needs no proof is no theorem that survived; its checks prove what the paper says of it."""
    kept = (*HOLD, Status.LINKED, Status.INSTANCE)
    count = sum(node.kind in NO_PROOF_NEEDED and node.status in kept for node in content.graph.nodes)
    if not count:
        return ""
    told = "an assumption, a definition or an algorithm" if count == 1 else "assumptions, definitions or algorithms"
    return f" {count} of these {'is' if count == 1 else 'are'} {told}: what the paper says of them is proved."


def _fails(content: Content) -> Iterator[str]:
    found = _statuses(content)
    false, linked, unfounded = found[Status.REFUTED], found[Status.MENDED], found[Status.UNFOUNDED]
    mended = found[Status.REPAIRED] + linked
    wrong = false + mended
    if not wrong and not unfounded:
        yield "Nothing that was judged is false as printed."
        return
    parts = []
    if wrong:
        fate = (
            "each with a repair" if not false else f"{mended} of them with a repair" if mended else "without a repair"
        )
        less = f", {linked} of them up to links or for an instance only" if linked else ""
        proved = f" that is proved{less}" if mended else ""
        parts.append(f"{plural(wrong, 'statement is', 'statements are')} false as printed, {fate}{proved}")
    if unfounded:
        parts.append(f"{unfounded} {'does' if unfounded == 1 else 'do'} not follow from the argument given")
    steps = sum(node.wrong_steps for node in content.graph.nodes)
    tail = f"; in the proofs {plural(steps, 'step is', 'steps are')} wrong" if steps else ""
    yield f"{_listed(parts)}{tail}."


def _constant(content: Content, theorem: Theorem | None) -> Iterator[str]:
    if theorem is not None and theorem.constant is not None:
        told = theorem.constant(content.proved)
        if told:
            yield told


def _theorem(content: Content, theorem: Theorem | None) -> tuple[tuple[Side, ...], str]:
    found = theorem.repaired(content.paper, content.proved) if theorem and theorem.repaired else None
    if found is None:
        return (), ""
    left, right = marked(found.printed, found.right)
    return (_side("As printed", found.id, left, content), _side("Repaired", found.key, right, content)), found.words


def _side(title: str, key: str, latex: str, content: Content) -> Side:
    record = content.by_key[key]
    return Side(title, key, shown(latex), verdict_name(record), spoken(record.told) if record.links else "")


def _listed(parts: Sequence[str]) -> str:
    return ", and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)
