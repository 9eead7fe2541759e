"""A small ledger of its own for the tests of the report: four statements, every kind of check."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from reports.site.content import Content, gather
from tests.sada import SADA, load
from tests.theory import standin
from theory.claims.statement import Statement
from theory.kernel import Verdict
from theory.ledger.judging import Ledger, check_all


def small_ledger(patch: pytest.MonkeyPatch) -> Ledger:
    """The stand-in's checks, judged here and now."""
    standin.install(patch)
    return check_all(checks=standin.CHECKS, owner=standin.OWNERS.__getitem__, jobs=1)


def without(ledger: Ledger, *keys: str) -> Ledger:
    return replace(ledger, records=tuple(r for r in ledger.records if r.key not in keys))


def content_of(ledger: Ledger, statements: dict[str, Statement] | None = None) -> Content:
    return gather(
        load(), ledger, standin.STATEMENTS if statements is None else statements, title=SADA.title, links=SADA.links
    )


def claimed(ledger: Ledger, key: str, verdict: Verdict) -> Ledger:
    """A ledger that lies about one verdict."""
    records = tuple(
        replace(r, judgement=replace(r.judgement, verdict=verdict)) if r.key == key else r for r in ledger.records
    )
    return replace(ledger, records=records)


def seen(html: str) -> str:
    """The text of the page."""
    body = re.sub(r"<(script|style)>.*?</\1>", "", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())
