"""The verdicts that a lesson shows: evidence from a ledger, or what ships with the project, judged by the kernel."""

from __future__ import annotations

from functools import lru_cache

from theory.archive import shipped
from theory.kernel import KernelError, judge
from theory.records import Ledger
from theory.registry import find, library

NOT_RUN = "NOT RUN"
_shipped = lru_cache(maxsize=1)(shipped)


def verdict(key: str, ledger: Ledger | None = None) -> str:
    """PROVED, REFUTED, …, or NOT RUN when there is no evidence for today's claim, or the kernel refuses it."""
    check = find(key)
    for book in (ledger, _shipped()):
        record = None if book is None else book.get(key)
        if record is None or record.claim.digest != check.claim.digest:
            continue
        try:
            return judge(check.claim, record.evidence, library()).verdict.name
        except KernelError:
            continue
    return NOT_RUN
