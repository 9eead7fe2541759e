"""The verdicts that a lesson shows: evidence from a ledger, or what ships with the project, judged by the kernel."""

from __future__ import annotations

from reports.sada.claims import PROJECT, find, shipped
from reports.site.words import spoken
from theory.kernel import KernelError, judge
from theory.ledger.records import Ledger, Record
from theory.ledger.stands import INSTANCE, LINKED, Label, labelled, phrase, word

NOT_RUN = "NOT RUN"


def verdict(key: str, ledger: Ledger | None = None) -> tuple[str, str]:
    """The word for people (PROVED, LINKED, DOES NOT FOLLOW, …) and, where it has sizes or links, the whole phrase.

    NOT RUN when there is no evidence for today's claim, or the kernel refuses it.
    """
    check = find(key)
    for book in (ledger, shipped(key)):
        record = None if book is None else book.get(key)
        if book is None or record is None or record.claim.digest != check.claim.digest:
            continue
        try:
            given = judge(check.claim, record.evidence, PROJECT.library).verdict
        except KernelError:
            continue
        label = below(key, book)
        name = word(given, label, check.argument)
        return name, spoken(phrase(given, label, check.argument)) if name in (LINKED, INSTANCE) else ""
    return NOT_RUN, ""


def below(key: str, book: Ledger) -> Label:
    """Its sizes and links, with those of everything that its proof cites."""
    known, found, todo = book.by_key(), dict[str, Record](), [key]
    while todo:
        one = known.get(todo.pop())
        if one is not None and one.key not in found:
            found[one.key] = one
            todo += one.judgement.cites
    return next(record.label for record in labelled(found.values()) if record.key == key)
