"""Every claim of the paper, judged: one test for each statement, reading and step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pytest

from theory.claims.statement import Check, Kind
from theory.kernel import Verdict
from theory.ledger.judging import Ledger
from theory.ledger.records import record_from_json
from theory.ledger.ruling import judge
from theory.ledger.summary import RIGOROUS, repairs_of
from theory.plugin import sentence, told
from theory.project import project

EVERY = tuple(project().checks.values())
ORDERED = ("<=", "<", ">=", ">")


def named(found: Iterable[Check], words: str = "") -> list[object]:
    return [pytest.param(check, id=f"{check.key}{words}" if words else sentence(check)) for check in found]


def is_inequality(check: Check) -> bool:
    """Between numbers; matrices, samples and recursions are drawn by the referee, at exact points."""
    if check.claim.letters or check.claim.kinds or check.experiment is not None or check.source:
        return False
    return check.expect is not Verdict.REFUTED and any(goal.op in ORDERED for goal in check.claim.goals)


def is_refuted_reading(check: Check) -> bool:
    return check.expect is Verdict.REFUTED and check.kind is Kind.PRINTED


def is_refuted_step(check: Check) -> bool:
    return check.expect is Verdict.REFUTED and check.kind is Kind.STEP


def test_the_registry_is_not_empty() -> None:
    assert EVERY, "no statement is declared, so that nothing was judged"


@pytest.mark.parametrize("check", named(EVERY))
def test_claim_is_judged_as_expected(check: Check, ledger: Ledger) -> None:
    record = ledger.by_key()[check.key]
    assert record.verdict is check.expect, told(record)


@pytest.mark.parametrize("check", named(filter(is_refuted_reading, EVERY), " has a proved repair"))
def test_a_refuted_reading(check: Check, ledger: Ledger) -> None:
    found = repairs_of(ledger.by_key()[check.key], ledger.records)
    assert found, f"{check.key} is refuted, but no repaired reading says what is true instead"
    for record in found:
        assert record.verdict in RIGOROUS, told(record)


@pytest.mark.parametrize("check", named(filter(is_refuted_step, EVERY), " says in words what is wrong"))
def test_a_refuted_step(check: Check) -> None:
    assert check.words, f"{check.key} is refuted; say in words what is wrong with it"


@pytest.mark.parametrize("check", named(EVERY, " survives a JSON round trip and the kernel"))
def test_evidence(check: Check, ledger: Ledger) -> None:
    record = ledger.by_key()[check.key]
    back = record_from_json(json.loads(json.dumps(record.to_json())))
    assert back == record
    if not record.problem:
        assert judge(back.claim, back.evidence, ledger.claims()) == record.judgement


@pytest.mark.parametrize("check", named(filter(is_inequality, EVERY), " holds wherever its hypotheses do"))
def test_inequality(check: Check, profile: str, record_property: Callable[[str, object], None]) -> None:
    """At a hundred points at least where both sides have values that are not zero, or few_points.toml says why not."""
    from theory.search.crowd import ENOUGH, FEW, few_points
    from theory.search.properties import property_test

    seen = property_test(check.claim, profile)()
    record_property("points", seen.useful)
    listed = check.key in few_points(project().root)
    short = (
        f"{check.key} was tried at {seen.useful} points ({seen.reason}); draw more, or list it in {FEW} with the reason"
    )
    assert seen.useful >= ENOUGH or listed, short
    assert seen.useful < ENOUGH or not listed, f"{check.key} has {seen.useful} points; take it off {FEW}"
