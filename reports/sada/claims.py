"""The claims that sections and lessons quote, and the proofs that ship with them."""

from __future__ import annotations

from functools import lru_cache

from theory.claims.statement import Check
from theory.ledger.archive import kept
from theory.ledger.records import Ledger
from theory.project import project

PROJECT = project("sada")


def find(key: str) -> Check:
    return PROJECT.find(key)


@lru_cache(maxsize=1)
def shipped() -> Ledger | None:
    return kept(PROJECT.file("proofs"))
