"""A judgement is remembered for exactly the evidence that it was given on, by the user whose kernel gave it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.theory.test_ledger_again import task
from theory.kernel import Claim, Evidence, Judgement, Verdict
from theory.ledger import memory as module
from theory.ledger.again import Task, rejudged
from theory.ledger.memory import Memory

NONE: dict[str, Claim] = {}


def judged(one: Task) -> Judgement:
    found = rejudged(one.claim, one.evidence, NONE)
    assert found is not None
    return found


def kept(folder: Path, one: Task) -> Judgement:
    judgement = judged(one)
    Memory(folder).keep([(one, judgement)], NONE)
    return judgement


def test_what_was_judged_is_recalled_as_it_was(tmp_path: Path) -> None:
    judgement = kept(tmp_path, task(1))
    assert Memory(tmp_path).recall(task(1), NONE) == judgement


def test_another_claim_and_other_evidence_are_not_recalled(tmp_path: Path) -> None:
    one = task(1)
    kept(tmp_path, one)
    noted = replace(one.evidence, notes=("read again",))
    assert Memory(tmp_path).recall(task(2), NONE) is None
    assert Memory(tmp_path).recall(one._replace(evidence=noted), NONE) is None
    assert Memory(tmp_path).recall(one._replace(claim=replace(one.claim, scope="elsewhere")), NONE) is None


def test_a_forged_entry_counts_for_nothing(tmp_path: Path) -> None:
    false = task(3, holds=False)
    kept(tmp_path, task(1))
    file = Memory(tmp_path).path
    _, body, signature = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps([module._name(false), body, signature]) + "\n", encoding="utf-8")
    assert Memory(tmp_path).recall(false, NONE) is None


def test_a_memory_from_elsewhere_counts_for_nothing(tmp_path: Path) -> None:
    kept(tmp_path / "theirs", task(1))
    theirs = Memory(tmp_path / "theirs").path
    mine = Memory(tmp_path / "mine")
    mine.path.write_bytes(theirs.read_bytes())
    assert Memory(tmp_path / "mine").recall(task(1), NONE) is None


def test_another_kernel_remembers_nothing_of_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, task(1))
    module._judge.cache_clear()
    monkeypatch.setattr(module, "kernel_digest", lambda: "another")
    try:
        assert Memory(tmp_path).recall(task(1), NONE) is None
    finally:
        module._judge.cache_clear()


def citing(library: dict[str, Claim]) -> tuple[Task, Judgement]:
    claim = Claim("lem:above", ("x**2 >= 0",), example=(("x", "1"),))
    return Task(claim.id, claim, Evidence()), Judgement(Verdict.PROVED, "by cite", "all", tuple(library))


def test_a_proof_that_cites_is_forgotten_when_what_it_cites_reads_otherwise(tmp_path: Path) -> None:
    library = {"lem:1": task(1).claim}
    above, judgement = citing(library)
    Memory(tmp_path).keep([(above, judgement)], library)
    assert Memory(tmp_path).recall(above, library) == judgement
    assert Memory(tmp_path).recall(above, {"lem:1": replace(task(1).claim, example=(("x", "2"),))}) is None
    assert Memory(tmp_path).recall(above, NONE) is None


def test_what_cites_a_claim_that_is_not_there_is_not_kept(tmp_path: Path) -> None:
    above, judgement = citing({"lem:1": task(1).claim})
    Memory(tmp_path).keep([(above, judgement)], NONE)
    assert not Memory(tmp_path).lines


@pytest.mark.parametrize("damage", [b"", b"[", b'["a", 1, 2]\n', b"\xff\xfe", b"null\n"])
def test_a_damaged_memory_is_as_good_as_none(tmp_path: Path, damage: bytes) -> None:
    kept(tmp_path, task(1))
    Memory(tmp_path).path.write_bytes(damage)
    assert Memory(tmp_path).recall(task(1), NONE) is None


def test_a_folder_that_cannot_be_written_remembers_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    kept(tmp_path / "file", task(1))
    assert Memory(tmp_path / "file").recall(task(1), NONE) is None


def test_the_key_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    Memory(tmp_path)
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
