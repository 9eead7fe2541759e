"""Break what a proof rests on, one claim at a time, and let the kernel say whether the proof still stands.

    closure(tops, held)            everything that the proofs of these claims cite, directly or not
    breaks(tops, held, library)    for each of it: what falls when it says nothing any more, or something false
    by_hand(...)                   what the printed proof cites and the closure does not hold

A claim that can say nothing at all, and nothing above it falls, is a link in disguise: it is cited and not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from theory.kernel import Claim, Evidence, KernelError, Verdict, judge
from theory.kernel.lang import parse_relation

EMPTY, FALSE = "says nothing", "is false"


@dataclass(frozen=True)
class Held:
    """A claim with the certificate that proves it and what that cites."""

    claim: Claim
    evidence: Evidence
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Break:
    """One broken claim: `fallen` are the claims no longer proved, `stands` those asked about that still are."""

    key: str
    how: str
    fallen: tuple[str, ...]
    stands: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def closure(tops: Iterable[str], held: Mapping[str, Held]) -> list[str]:
    """The keys below these, nearest first."""
    found: dict[str, None] = {}
    todo = list(tops)
    while todo:
        key = todo.pop(0)
        for cited in held[key].cites if key in held else ():
            if cited not in found and cited in held:
                found[cited] = None
                todo.append(cited)
    return list(found)


def breaks(tops: Iterable[str], held: Mapping[str, Held], library: Mapping[str, Claim]) -> Iterator[Break]:
    """Each claim below, made empty and made false."""
    wanted = list(tops)
    below = {top: set(closure([top], held)) for top in wanted}
    for key in closure(wanted, held):
        for how in (EMPTY, FALSE):
            fallen = falls(key, how, held, library)
            stands = tuple(top for top in wanted if key in below[top] and top not in fallen)
            yield Break(key, how, tuple(sorted(fallen)), stands)


def falls(key: str, how: str, held: Mapping[str, Held], library: Mapping[str, Claim]) -> set[str]:
    """What is no longer proved once this claim is broken: itself if it is false, what uses it, what rests on either."""
    broken = emptied(held[key].claim) if how == EMPTY else falsified(held[key].claim)
    changed = _Changed(library, broken)
    false = how == FALSE and not proves(replace(held[key], claim=broken), changed)
    fallen = {key} if false else set()
    fallen |= {one for one, it in held.items() if key in it.cites and (false or not proves(it, changed))}
    while more := {one for one, it in held.items() if one not in fallen and not fallen.isdisjoint(it.cites)}:
        fallen |= more
    return fallen


class _Changed(Mapping[str, Claim]):
    """The library with one claim in the place of another; nothing is read that is not asked for."""

    def __init__(self, library: Mapping[str, Claim], broken: Claim) -> None:
        self.library, self.broken = library, broken

    def __getitem__(self, key: str) -> Claim:
        return self.broken if key == self.broken.id else self.library[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.library)

    def __len__(self) -> int:
        return len(self.library)


def proves(one: Held, library: Mapping[str, Claim]) -> bool:
    """Does the certificate that was kept still prove the claim, for the kernel?"""
    evidence = one.evidence
    if evidence.certificate is not None and evidence.certificate.get("claim") not in (None, one.claim.digest):
        evidence = replace(evidence, certificate={**evidence.certificate, "claim": one.claim.digest})
    try:
        return judge(one.claim, evidence, library).verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    except KernelError:
        return False


def emptied(claim: Claim) -> Claim:
    """The same names and hypotheses, and goals that say nothing: x - y <= x - y in the place of x <= y."""
    return _with(claim, {"<": " + 1"}, {">": " + 1", "!=": " + 1"}, "0 <= 1")


def falsified(claim: Claim) -> Claim:
    """The same names and hypotheses, and goals that no point satisfies: x - y + 1 <= x - y."""
    return _with(claim, {">=": " + 1"}, {"<=": " + 1", "==": " + 1"}, "1 <= 0")


def _with(claim: Claim, right: Mapping[str, str], left: Mapping[str, str], otherwise: str) -> Claim:
    """Each goal with its difference on both sides, and what its sign needs on the left or on the right."""
    says = []
    for one in map(parse_relation, claim.says):
        gap = f"({one.left}) - ({one.right})"
        says.append(f"{gap}{left.get(one.op, '')} {one.op} {gap}{right.get(one.op, '')}")
    try:
        made = replace(claim, says=tuple(says))
        assert made.goals
        return made
    except KernelError:
        return replace(claim, says=tuple(otherwise for _ in says))


def by_hand(
    statement: str, uses: Mapping[str, tuple[str, ...]], owners: Iterable[str], kinds: Mapping[str, str]
) -> list[str]:
    """Statements that the printed proof rests on, directly or not, and that no proof of ours cites."""
    found: dict[str, None] = {}
    todo = list(uses.get(statement, ()))
    while todo:
        one = todo.pop(0)
        if one not in found and one != statement:
            found[one] = None
            todo += uses.get(one, ())
    cited = set(owners)
    proved = ("lemma", "theorem", "corollary", "proposition", "claim", "fact")
    return [one for one in found if kinds.get(one) in proved and one not in cited]
