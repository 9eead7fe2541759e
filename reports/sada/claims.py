"""The claims that sections and lessons quote, and the proofs that ship with them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from reports.site.tables import Proved, proved_of
from theory.claims.statement import Check
from theory.ledger import store
from theory.ledger.records import Ledger, Record
from theory.ledger.stands import labelled
from theory.project import project

PROJECT = project("sada")


def find(key: str) -> Check:
    return PROJECT.find(key)


@lru_cache(maxsize=128)
def _records(statement: str) -> Mapping[str, Record]:
    return store.read(PROJECT.file("proofs"), statement, PROJECT.library)


def shipped(*keys: str) -> Ledger:
    """The proofs that ship of the statements of these checks, and of everything that they cite."""
    read: dict[str, Mapping[str, Record]] = {}
    todo = [PROJECT.owner(key) for key in keys]
    while todo:
        statement = todo.pop()
        if statement not in read:
            read[statement] = _records(statement)
            todo += [PROJECT.owner(cited) for record in read[statement].values() for cited in record.judgement.cites]
    return Ledger({}, tuple(record for records in read.values() for record in records.values()))


def held(*keys: str) -> Proved:
    """Those readings of these statements that the shipped proofs prove, with the links of everything below them."""
    return proved_of(labelled(shipped(*keys).records))
