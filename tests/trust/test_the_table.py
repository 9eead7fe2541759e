"""`make trust` part by part: what breaks is a goal missed, and what was measured before it is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.trust import __main__ as trust
from tests.trust.__main__ import Row, main
from theory.ledger.records import Ledger


def fine(ledger: Ledger, quick: bool) -> list[Row]:
    return [Row("forgeries", "accepted", "0", "0", True, ("a note " * 60,))]


def broken(ledger: Ledger, quick: bool) -> list[Row]:
    raise RuntimeError("dictionary changed size during iteration")


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "PARTS", {"random-claims": broken, "forgeries": fine})


@pytest.mark.usefixtures("parts")
def test_a_part_that_breaks_is_a_goal_missed_and_the_next_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deep" / "trust.json"
    assert main(["--out", str(out), "--only", "random-claims", "forgeries"]) == 1
    shown = capsys.readouterr().out
    assert "MISS random claims  the whole part  broke off with RuntimeError: dictionary changed size" in shown
    assert "in broken" in shown
    assert "ok   forgeries" in shown
    assert "a note " * 59 in shown, "an explanation is shown to its end"
    body = json.loads(out.read_text())
    assert [row["met"] for row in body["rows"]] == [False, True]
    assert list(body["seconds"]) == ["random-claims", "forgeries"]


@pytest.mark.usefixtures("parts")
def test_what_was_measured_is_written_before_the_next_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "trust.json"

    def interrupted(ledger: Ledger, quick: bool) -> list[Row]:
        raise KeyboardInterrupt

    monkeypatch.setattr(trust, "PARTS", {"forgeries": fine, "random-claims": interrupted})
    with pytest.raises(KeyboardInterrupt):
        main(["--out", str(out), "--only", "forgeries", "random-claims"])
    assert [row["part"] for row in json.loads(out.read_text())["rows"]] == ["forgeries"]


@pytest.mark.usefixtures("parts")
def test_other_parts_of_an_earlier_run_are_kept_when_asked(tmp_path: Path) -> None:
    out = tmp_path / "trust.json"
    main(["--out", str(out), "--only", "random-claims"])
    main(["--out", str(out), "--only", "forgeries", "--keep"])
    assert [row["part"] for row in json.loads(out.read_text())["rows"]] == ["random claims", "forgeries"]
    main(["--out", str(out), "--only", "forgeries"])
    assert [row["part"] for row in json.loads(out.read_text())["rows"]] == ["forgeries"]
