"""The claims that sections and lessons quote, and the proofs that ship with them."""

from __future__ import annotations

from functools import lru_cache

from reports.site.tables import Proved, proved_of
from theory.claims.statement import Check
from theory.ledger import store
from theory.ledger.archive import kept
from theory.ledger.records import Ledger, Record
from theory.ledger.stands import labelled
from theory.project import project

PROJECT = project("sada")


def find(key: str) -> Check:
    return PROJECT.find(key)


@lru_cache(maxsize=1)
def shipped() -> Ledger | None:
    return kept(PROJECT.file("proofs"), PROJECT.library)


def held(*keys: str) -> Proved:
    """Those readings of these statements that the shipped proofs prove, with the links of everything below them."""
    found: dict[str, Record] = {}
    todo = [PROJECT.owner(key) for key in keys]
    read: set[str] = set()
    while todo:
        statement = todo.pop()
        if statement in read:
            continue
        read.add(statement)
        new = store.read(PROJECT.file("proofs"), statement)
        found |= new
        todo += [PROJECT.owner(cited) for record in new.values() for cited in record.judgement.cites]
    return proved_of(labelled(found.values()))
