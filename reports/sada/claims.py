"""The claims that sections and lessons quote, and the proofs that ship with them."""

from __future__ import annotations

from functools import lru_cache

from reports.site.tables import Proved, proved_of
from theory.claims.statement import Check
from theory.ledger.records import Ledger
from theory.ledger.stands import labelled
from theory.project import project

PROJECT = project("sada")


def find(key: str) -> Check:
    return PROJECT.find(key)


@lru_cache(maxsize=128)
def shipped(*keys: str) -> Ledger:
    """The proofs that ship of the statements of these checks, and of everything that they cite."""
    return Ledger({}, tuple(PROJECT.kept(keys).values()))


def held(*keys: str) -> Proved:
    """Those readings of these statements that the shipped proofs prove, with the links of everything below them."""
    return proved_of(labelled(shipped(*keys).records))
