"""Evidence judged again in several processes: the same verdicts, whatever becomes of the others."""

from __future__ import annotations

import os
import signal
from fractions import Fraction
from typing import Any

import pytest

from theory.kernel import SCHEMA, Claim, Evidence, Judgement, Verdict
from theory.ledger import again
from theory.ledger.again import WORTH_A_FORK, Task, rejudged_all
from theory.ledger.records import record_from_json, record_of
from theory.project import project

PAPER = project("potentials")


def task(number: int, holds: bool = True) -> Task:
    says = f"(x + {number})**2 == x**2 + {2 * number}*x + {number**2 if holds else -1}"
    claim = Claim(f"lem:{number}", (says,), example=(("x", "1"),))
    return Task(claim.id, claim, Evidence(certificate=certificate(claim)))


def certificate(claim: Claim) -> dict[str, Any]:
    return {"schema": SCHEMA, "claim": claim.digest, "goals": [{"kind": "identity"}], "defined": {}}


def tasks() -> list[Task]:
    return [task(number, holds=number % 7 != 3) for number in range(WORTH_A_FORK + 5)]


def verdicts(found: dict[str, Judgement | None]) -> dict[str, Verdict | None]:
    return {key: None if one is None else one.verdict for key, one in found.items()}


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_true_evidence_is_accepted_and_false_evidence_refused_by_however_many(jobs: int) -> None:
    found = verdicts(dict(rejudged_all(tasks(), {}, jobs)))
    assert found == {f"lem:{n}": None if n % 7 == 3 else Verdict.PROVED for n in range(WORTH_A_FORK + 5)}


def test_what_a_process_that_dies_did_not_tell_is_judged_here(monkeypatch: pytest.MonkeyPatch) -> None:
    here = os.getpid()
    usual = again.rejudged

    def dies_elsewhere(*args: Any) -> Judgement | None:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return usual(*args)

    monkeypatch.setattr(again, "rejudged", dies_elsewhere)
    found = verdicts(dict(rejudged_all(tasks(), {}, 3)))
    assert found["lem:0"] is Verdict.PROVED
    assert found["lem:3"] is None
    assert len(found) == WORTH_A_FORK + 5


def test_a_recorded_claim_that_differs_from_the_projects_own_is_read_and_not_replaced() -> None:
    check = next(iter(PAPER.checks.values()))
    body = record_of(check, Evidence(), Judgement(Verdict.UNDECIDED, "", ""), statement="x").to_json()
    assert record_from_json(body, PAPER.library).claim is check.claim
    for part, other in (("scope", "elsewhere"), ("example", [["x", str(Fraction(1, 7))]])):
        changed = {**body["claim"], part: other}
        changed["digest"] = Claim.from_json(changed).digest
        again = record_from_json({**body, "claim": changed}, PAPER.library)
        assert again.claim is not check.claim
        assert again.to_json()["claim"][part] == other
