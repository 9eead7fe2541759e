"""The verdicts that a lesson shows: the certificates that ship with the project, judged again by the kernel."""

from __future__ import annotations

from functools import lru_cache

from theory.archive import shipped
from theory.kernel import KernelError, judge
from theory.records import Ledger
from theory.registry import find, library

NOT_RUN = "NOT RUN"


@lru_cache(maxsize=1)
def _ledger() -> Ledger | None:
    return shipped()


@lru_cache(maxsize=256)
def verdict(key: str) -> str:
    """PROVED, REFUTED, …, or NOT RUN when no certificate for today's claim is there or the kernel refuses it."""
    check = find(key)
    ledger = _ledger()
    record = None if ledger is None else ledger.get(key)
    if record is None or record.claim.digest != check.claim.digest:
        return NOT_RUN
    try:
        return judge(check.claim, record.evidence, library()).verdict.name
    except KernelError:
        return NOT_RUN
