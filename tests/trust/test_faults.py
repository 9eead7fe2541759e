"""Kills, full disks, read-only folders and damage cost no result; and the instrument sees a loss."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from reports.cli import main
from tests.trust import faults
from tests.trust.faults import CHECK, RACE, REPORT, SWEEP, NotMeasured, Outcome, Scenario, killed
from theory.ledger.storage import write_atomically


@pytest.mark.parametrize("scenario", [CHECK, SWEEP, RACE, REPORT], ids=lambda s: s.name)
def test_a_kill_at_a_random_moment_costs_no_result(scenario: Scenario) -> None:
    found = killed(scenario, 3, np.random.default_rng(4))
    assert found.problems == ()
    assert found.hit >= 1


@pytest.mark.parametrize("fault", [faults.full_disk, faults.read_only])
def test_a_sweep_that_cannot_write_says_so_and_goes_on_later(fault: Callable[[Scenario], Outcome]) -> None:
    try:
        problems = fault(SWEEP).problems
    except NotMeasured:  # no right to mount here: the same with the rights of a folder is tested below
        problems = ()
    assert problems == ()


def test_a_folder_without_the_right_to_write_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.cli.common.os.access", lambda *_: False)
    for arguments in (CHECK.command, SWEEP.command, RACE.command, REPORT.command):
        monkeypatch.chdir(tmp_path)
        done = CliRunner().invoke(main, list(arguments))
        assert done.exit_code == 2
        assert "cannot be written" in done.output
        assert list(tmp_path.iterdir()) == []


def test_a_damaged_result_of_a_sweep_is_computed_again() -> None:
    assert faults.damaged_store(2, np.random.default_rng(0)).problems == ()


def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    target = tmp_path / "ledger.json"
    target.write_text("old")
    monkeypatch.setattr("theory.ledger.storage.os.fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(target, "new")
    assert caught.value.filename == str(target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.json"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Scenario, Path]:
    (tmp_path / "a").write_text("1")
    return Scenario("stub", (), faults._files("a", "b")), tmp_path


def test_a_lost_result_is_noticed(files: tuple[Scenario, Path]) -> None:
    scenario, folder = files
    assert faults.damage(scenario, folder, {"b": "2"}, {"a": "1", "b": "2"}) == ["stub: b is lost"]


def test_a_changed_result_is_noticed(files: tuple[Scenario, Path]) -> None:
    scenario, folder = files
    assert faults.damage(scenario, folder, {}, {"a": "9"}) == ["stub: a differs"]


def test_a_torn_result_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "ledger.json").write_text('{"checks": [')
    assert "truncated" in faults.damage(CHECK, tmp_path, {}, {})[0]


def test_a_run_that_succeeds_where_it_must_refuse_is_noticed(
    files: tuple[Scenario, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario, folder = files
    for code, words in ((0, "No space left"), (4, "No space left"), (2, "something else")):
        monkeypatch.setattr(faults, "finish", lambda *_, told=(code, words): told)
        assert faults.refused(scenario, folder, {}, {"a": "1"}, "No space left")
    monkeypatch.setattr(faults, "finish", lambda *_: (2, "No space left"))
    assert faults.refused(scenario, folder, {}, {"a": "1"}, "No space left") == []


def test_a_writer_that_is_not_atomic_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = "import time; f = open('a', 'w'); f.write('1'); f.flush(); time.sleep(0.3); f.write('2'); f.close()"
    monkeypatch.setattr(faults, "RUN", (*faults.RUN[:2], slow))
    found = killed(replace(SWEEP, state=faults._files("a"), command=()), 12, np.random.default_rng(0))
    assert "sweep: a differs" in found.problems
