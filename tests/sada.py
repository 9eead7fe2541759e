"""The paper that most tests are about, found by its name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from theory.claims import symbols as table
from theory.claims.statement import Check, Statement
from theory.claims.symbols import Symbol
from theory.kernel import Claim
from theory.ledger.judging import Ledger
from theory.project import project
from theory.reading.paper import Paper

SADA = project("sada")


def symbols() -> Mapping[str, Symbol]:
    return SADA.symbols


def symbol(name: str) -> Symbol:
    return table.symbol(SADA.symbols, name)


def find(key: str) -> Check:
    return SADA.find(key)


def checks() -> Mapping[str, Check]:
    return SADA.checks


def statements() -> Mapping[str, Statement]:
    return SADA.statements


def library() -> Mapping[str, Claim]:
    return SADA.library


def load() -> Paper:
    return SADA.paper


@cache
def shipped() -> Ledger:
    return Ledger({}, tuple(SADA.kept(None).values()))
