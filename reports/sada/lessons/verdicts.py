"""The verdicts that a lesson shows: evidence from a ledger, or what ships with the project, judged by the kernel."""

from __future__ import annotations

from reports.sada.claims import PROJECT, find, shipped
from theory.kernel import KernelError
from theory.ledger.records import Ledger
from theory.ledger.ruling import judge

NOT_RUN = "NOT RUN"


def verdict(key: str, ledger: Ledger | None = None) -> str:
    """PROVED, REFUTED, …, or NOT RUN when there is no evidence for today's claim, or the kernel refuses it."""
    check = find(key)
    for book in (ledger, shipped()):
        record = None if book is None else book.get(key)
        if record is None or record.claim.digest != check.claim.digest:
            continue
        try:
            return judge(check.claim, record.evidence, PROJECT.library).verdict.name
        except KernelError:
            continue
    return NOT_RUN
