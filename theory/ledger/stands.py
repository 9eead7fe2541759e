"""What people are told of a check: the kernel's verdict on the claim, less what the check declares about the claim.

The kernel proves the claim that it is given. Where that claim is one instance of what is printed, or uses a link by
hand, or refutes an argument and not its conclusion, the word that people read says so. Both instance and links are
inherited by everything that cites the claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from theory.kernel import Verdict

if TYPE_CHECKING:
    from theory.ledger.records import Record

LINKED, INSTANCE, DOES_NOT_FOLLOW = "LINKED", "INSTANCE", "DOES NOT FOLLOW"
RIGOROUS = (Verdict.PROVED, Verdict.CERTIFIED)
SENTENCES = {
    Verdict.PROVED.name: Verdict.PROVED.value,
    LINKED: "proved up to links: some of its hypotheses are derived in the paper and assumed here",
    INSTANCE: "proved for the stated sizes only; the paper states it for every size",
    **{verdict.name: verdict.value for verdict in Verdict if verdict not in (Verdict.PROVED, Verdict.REFUTED)},
    DOES_NOT_FOLLOW: "does not follow from what its proof has in hand, by an exact example; whether the statement"
    " itself is false is open",
    Verdict.REFUTED.name: Verdict.REFUTED.value,
}


@dataclass(frozen=True)
class Label:
    """What a check declares: the instance that its claim is of ("" for every size), and the links that it uses."""

    instance: str = ""
    links: tuple[str, ...] = ()


def word(verdict: Verdict, label: Label, argument: bool) -> str:
    """A key of SENTENCES."""
    if verdict is Verdict.REFUTED and argument:
        return DOES_NOT_FOLLOW
    if verdict not in RIGOROUS:
        return verdict.name
    return INSTANCE if label.instance else LINKED if label.links else verdict.name


def phrase(verdict: Verdict, label: Label, argument: bool) -> str:
    """The word with its sizes and the number of its links: INSTANCE (T = 4, d = 1), PROVED up to 3 links."""
    name = word(verdict, label, argument)
    if name not in (LINKED, INSTANCE):
        return name
    count = len(label.links)
    rest = f" up to {count} link{'s' if count > 1 else ''}" if count else ""
    return f"{INSTANCE} ({label.instance}){rest}" if name == INSTANCE else f"{verdict.name}{rest}"


def inherited(own: Mapping[str, Label], cites: Mapping[str, Iterable[str]]) -> dict[str, Label]:
    """Every label with those of everything that the check cites, directly or not."""
    found: dict[str, Label] = {}

    def of(key: str, path: tuple[str, ...]) -> Label:
        if key in found or key in path or key not in own:
            return found.get(key, Label())
        parents = {parent: of(parent, (*path, key)) for parent in cites.get(key, ())}
        rests = [_rests(parent, label.instance) for parent, label in parents.items() if label.instance]
        used = {*own[key].links, *(link for label in parents.values() for link in label.links)}
        parts = [part for one in (own[key].instance, *rests) if one for part in one.split("; ")]
        instance = "; ".join(dict.fromkeys(parts))
        found[key] = Label(instance, tuple(sorted(used)))
        return found[key]

    return {key: of(key, ()) for key in own}


def _rests(parent: str, instance: str) -> str:
    return instance if instance.startswith("rests on") else f"rests on {parent}: {instance}"


def labelled(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records with the labels of everything that their proofs cite."""
    listed = tuple(records)
    own = {record.key: record.label for record in listed}
    found = inherited(own, {record.key: record.judgement.cites for record in listed})
    return tuple(replace(r, instance=found[r.key].instance, links=found[r.key].links) for r in listed)
