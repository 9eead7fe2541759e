"""Shared by the tests of the report."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reports.site.content import Content
from tests.reports.small import content_of, small_ledger
from theory.ledger.judging import Ledger


@pytest.fixture(scope="module")
def ledger() -> Iterator[Ledger]:
    with pytest.MonkeyPatch.context() as patch:
        yield small_ledger(patch)


@pytest.fixture(scope="module")
def content(ledger: Ledger) -> Content:
    return content_of(ledger)
