"""The ledger: the same inputs give the same bytes, unchanged checks are not proved again, writing is all or nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.theory import standin
from theory.claims.statement import Check, Faithfulness, printed, statement
from theory.kernel import Claim, Judgement, Rejected, Verdict
from theory.ledger.judging import DEFECT, Ledger, LedgerError, check_all, load, save, update
from theory.ledger.storage import locked, write_atomically


@pytest.fixture(autouse=True)
def _standin(monkeypatch: pytest.MonkeyPatch) -> None:
    standin.install(monkeypatch)


def run(**more: object) -> Ledger:
    options: dict[str, object] = {"jobs": 1, "checks": standin.CHECKS, "owner": standin.OWNERS.__getitem__, **more}
    return check_all(**options)  # type: ignore[arg-type]


def without_timings(ledger: Ledger) -> str:
    return json.dumps({k: v for k, v in ledger.to_json().items() if k != "timings"})


def test_two_runs_with_one_seed_give_the_same_bytes_apart_from_timings() -> None:
    assert without_timings(run(seed=3)) == without_timings(run(seed=3))


def test_another_seed_is_recorded_and_changes_what_the_search_found() -> None:
    one, other = run(seed=1), run(seed=2)
    assert one.header["seed"] == 1
    assert one.by_key()["lem:guess"].evidence != other.by_key()["lem:guess"].evidence


def test_the_moment_of_writing_stands_in_the_timings_only() -> None:
    ledger = run()
    body = ledger.to_json()
    created = body.pop("timings")["created"]
    assert created not in json.dumps(body)


def test_records_stand_in_the_order_of_the_statements() -> None:
    assert [r.key for r in run(keys=reversed(list(standin.CHECKS))).records] == list(standin.CHECKS)


def test_what_a_proof_cites_is_judged_with_it() -> None:
    assert [r.key for r in run(keys=["lem:user"]).records] == ["lem:means", "lem:user"]


def test_unchanged_checks_are_not_proved_again_but_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = run()
    standin.CALLS.clear()
    judged: list[str] = []
    from theory.ledger import again as module

    real = module.judge
    monkeypatch.setattr(module, "judge", lambda claim, *rest: judged.append(claim.id) or real(claim, *rest))
    second = run(previous=first)
    assert standin.CALLS == []
    assert judged == list(standin.CHECKS)
    assert second == first


def test_fresh_proves_all_again() -> None:
    first = run()
    standin.CALLS.clear()
    run(previous=first, fresh=True)
    assert sorted(standin.CALLS) == sorted(standin.CHECKS)


def test_another_seed_proves_again() -> None:
    first = run(seed=0)
    standin.CALLS.clear()
    run(previous=first, seed=1)
    assert len(standin.CALLS) == len(standin.CHECKS)


def _another_plan(claim: object) -> list[dict[str, object]]:
    return [{"kind": "cone", "terms": [{"c": "1", "sq": "b-a"}]}]


@pytest.mark.parametrize(
    "changed",
    [
        lambda c: replace(c, claim=replace(c.claim, says=("a*b*2 <= a**2 + b**2",))),
        lambda c: replace(c, proof=_another_plan),
        lambda c: replace(c, space=(("a", ("0", "1")),)),
    ],
    ids=["claim", "plan", "search space"],
)
def test_a_changed_check_is_proved_again_and_the_others_are_not(changed: Callable[[Check], Check]) -> None:
    first = run()
    standin.CALLS.clear()
    key = "lem:means"
    run(previous=first, checks={**standin.CHECKS, key: changed(standin.CHECKS[key])})
    assert [key] == standin.CALLS


def test_evidence_that_the_kernel_no_longer_accepts_is_looked_for_again() -> None:
    first = run()
    record = first.by_key()["lem:means"]
    bad = replace(record.evidence, certificate={**(record.evidence.certificate or {}), "goals": [{"kind": "identity"}]})
    spoiled = replace(first, records=tuple(replace(r, evidence=bad) if r is record else r for r in first.records))
    standin.CALLS.clear()
    assert run(previous=spoiled) == first
    assert standin.CALLS == ["lem:means"]


def test_evidence_that_now_shows_less_than_expected_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(keys=["lem:means"])
    standin.CALLS.clear()
    from theory.ledger import again as module

    real = module.judge

    def stricter(claim: Claim, *rest: Any) -> Judgement:
        return replace(real(claim, *rest), verdict=Verdict.CERTIFIED)

    monkeypatch.setattr(module, "judge", stricter)
    run(keys=["lem:means"], previous=first)
    assert standin.CALLS == ["lem:means"]


def test_an_open_verdict_is_tried_again_when_the_search_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    first = run()
    standin.CALLS.clear()
    monkeypatch.setattr("theory.ledger.judging.engine_digest", lambda: "another")
    run(previous=first)
    assert standin.CALLS == ["lem:guess"]


def test_a_check_that_falls_short_is_tried_again() -> None:
    hard = replace(standin.CHECKS["lem:means"], proof=None)
    checks = {"lem:means": hard}
    first = run(checks=checks)
    assert first.records[0].verdict is Verdict.UNDECIDED
    standin.CALLS.clear()
    run(checks=checks, previous=first)
    assert standin.CALLS == ["lem:means"]


def test_a_rejected_plan_is_undecided_and_says_why() -> None:
    bad = replace(standin.CHECKS["lem:means"], proof=standin.goals({"kind": "identity"}))
    (record,) = run(checks={"lem:means": bad}).records
    assert record.verdict is Verdict.UNDECIDED
    assert "left - right is not zero" in record.problem


def test_a_witness_that_violates_a_hypothesis_is_undecided_and_says_which() -> None:
    from theory.kernel import Point

    bad = replace(standin.CHECKS["lem:bound"], witness=Point.of({"x": 2}))
    (record,) = run(keys=["lem:bound"], checks={"lem:bound": bad}).records
    assert record.verdict is Verdict.UNDECIDED
    assert "violates the hypothesis x <= 1" in record.problem


def test_a_vacuous_claim_is_not_judged() -> None:
    empty = statement(
        "lem:empty", printed("x <= 0", given=("x > 1", "x < 0"), example={"x": 2}, faithfulness=Faithfulness.AS_PRINTED)
    )
    (record,) = run(checks={"lem:empty": empty.checks[0]}, owner=str).records
    assert record.verdict is Verdict.UNDECIDED
    assert "violates the hypothesis x < 0" in record.problem


def test_a_referee_that_raises_is_a_defect_that_names_the_check_and_spares_the_others() -> None:
    bad = replace(standin.CHECKS["lem:means"], proof=lambda claim: 1 / 0)
    found = run(checks={**standin.CHECKS, "lem:means": bad}).by_key()
    assert found["lem:means"].verdict is Verdict.UNDECIDED
    assert found["lem:means"].problem == f"{DEFECT} on lem:means with ZeroDivisionError: division by zero"
    assert found["lem:bound"].as_expected


def test_a_circle_of_citations_is_refused() -> None:
    def cite(other: str) -> object:
        return standin.goals(
            {"kind": "cite", "claim": other, "then": {"kind": "cone", "terms": [{"c": "1", "of": [0]}]}}
        )

    one = statement(
        "lem:one", printed("x**2 >= 0", example={"x": 1}, proof=cite("lem:two"), faithfulness=Faithfulness.AS_PRINTED)
    )
    two = statement(
        "lem:two", printed("x**2 >= 0", example={"x": 1}, proof=cite("lem:one"), faithfulness=Faithfulness.AS_PRINTED)
    )
    with pytest.raises(Rejected, match="circle of citations: lem:one -> lem:two -> lem:one"):
        run(checks={"lem:one": one.checks[0], "lem:two": two.checks[0]}, owner=str)


def test_nothing_to_check_is_an_error() -> None:
    with pytest.raises(LedgerError, match="nothing to check"):
        run(checks={})
    with pytest.raises(KeyError, match="lem:nowhere"):
        run(keys=["lem:nowhere"])


def test_progress_counts_every_check_once() -> None:
    seen: list[tuple[int, int]] = []
    run(progress=lambda done, total, record: seen.append((done, total)))
    assert seen == [(i + 1, 9) for i in range(9)]


def test_a_ledger_survives_the_disk(tmp_path: Path) -> None:
    ledger = run()
    save(ledger, tmp_path / "ledger.json")
    assert load(tmp_path / "ledger.json") == ledger
    assert os.listdir(tmp_path) == ["ledger.json"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.json"
    path.write_text("old")

    def broken(*args: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["ledger.json"]


def test_updating_keeps_the_records_of_other_checks(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    update(path, run(), standin.CHECKS)
    update(path, run(keys=["lem:bound"], seed=5), standin.CHECKS)
    found = load(path)
    assert [r.key for r in found.records] == list(standin.CHECKS)
    assert {r.key: r.seed for r in found.records}["lem:bound"] == 5
    assert set(found.timings["seconds"]) == set(standin.CHECKS)


@pytest.mark.parametrize(("verdict", "lost"), [(Verdict.PROVED, "certificate"), (Verdict.REFUTED, "witness")])
def test_updating_drops_a_verdict_without_its_evidence(tmp_path: Path, verdict: Verdict, lost: str) -> None:
    path = tmp_path / "ledger.json"
    whole = run()
    bare = next(record for record in whole.records if record.verdict is verdict)
    magic = replace(bare, evidence=replace(bare.evidence, **{lost: None}))
    save(replace(whole, records=tuple(magic if r.key == bare.key else r for r in whole.records)), path)
    update(path, run(keys=["lem:guess"]), standin.CHECKS)
    assert [r.key for r in load(path).records] == [key for key in standin.CHECKS if key != bare.key]


def test_updating_drops_what_is_no_longer_current(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    update(path, run(), standin.CHECKS)
    changed = {**standin.CHECKS, "lem:means": replace(standin.CHECKS["lem:means"], space=(("a", ("0", "1")),))}
    del changed["lem:guess"]
    update(path, run(keys=["lem:bound"]), changed)
    assert [r.key for r in load(path).records] == [k for k in standin.CHECKS if k not in ("lem:means", "lem:guess")]


def test_new_words_reach_the_ledger_without_a_new_proof(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    update(path, run(), standin.CHECKS)
    changed = {**standin.CHECKS, "lem:means": replace(standin.CHECKS["lem:means"], words="arithmetic and geometric")}
    update(path, run(keys=["lem:bound"]), changed)
    assert load(path).by_key()["lem:means"].words == "arithmetic and geometric"


def test_two_writers_take_turns(tmp_path: Path) -> None:
    import subprocess
    import sys

    path = tmp_path / "ledger.json"
    other = "import sys; from pathlib import Path; from theory.ledger.storage import locked\n"
    other += "with locked(Path(sys.argv[1])): print('inside', flush=True)"
    with locked(path):
        waiting = subprocess.Popen([sys.executable, "-c", other, str(path)], stdout=subprocess.PIPE, text=True)
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(timeout=1.0)
    assert waiting.communicate(timeout=60)[0] == "inside\n"
