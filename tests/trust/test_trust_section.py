"""The report tells what was measured, what was missed and what nobody measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reports.cli import main
from reports.site.trust import trust_section
from tests.cli_lab import small_registry
from tests.reports.small import seen, small_ledger
from tests.trust.__main__ import OUT, PARTS
from theory.ledger.fingerprint import engine_digest
from theory.ledger.judging import save
from theory.ledger.storage import LedgerError


def measured(path: Path, **changes: Any) -> Path:
    row = {
        "part": "forgeries",
        "what": "tamperings <b>",
        "measured": "7",
        "goal": "9",
        "met": False,
        "notes": ["bad one"],
    }
    rows = [row, {**row, "met": True, "notes": []}, {**row, "met": True, "measured": "not measured: no", "notes": []}]
    body = {"quick": False, "engine": engine_digest(), "seconds": dict.fromkeys(PARTS, 1.0), "rows": rows, **changes}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(body))
    return path


def test_a_miss_and_what_was_not_measured_are_told_apart(tmp_path: Path) -> None:
    section = trust_section(measured(tmp_path / "t.json"))
    assert section is not None
    assert [row[-1] for row in section.tables[0].rows] == ["no", "yes", "not measured"]
    assert section.tables[1].rows == (("forgeries", "tamperings <b>", "bad one"),)
    assert section.words == ("Of 3 measurements with a goal, 1 reached it, 1 missed it and 1 could not be made here.",)


def test_a_part_of_a_rate_has_no_goal_to_reach(tmp_path: Path) -> None:
    rows = json.loads(measured(tmp_path / "t.json").read_text())["rows"]
    section = trust_section(measured(tmp_path / "t.json", rows=[rows[1], {**rows[1], "goal": ""}]))
    assert section is not None
    assert [row[-1] for row in section.tables[0].rows] == ["yes", "no goal"]
    assert section.words == ("Of 1 measurement with a goal, 1 reached it, 0 missed it and 0 could not be made here.",)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quick": True}, "small sample"),
        ({"engine": "another"}, "code has changed"),
        ({"seconds": {"faults": 1.0}}, "Not measured at all: second-opinion"),
    ],
)
def test_figures_that_say_less_are_marked(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    section = trust_section(measured(tmp_path / "t.json", **changes))
    assert section is not None
    assert any(words in line for line in section.words)


@pytest.mark.parametrize("changes", [{"rows": []}, {"rows": [{}]}, {"rows": 3}, {"seconds": None}])
def test_a_file_of_something_else_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(LedgerError, match="make trust"):
        trust_section(measured(tmp_path / "t.json", **changes))


def test_the_page_has_the_section_with_and_without_measurements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_registry(monkeypatch)
    monkeypatch.chdir(tmp_path)
    save(small_ledger(monkeypatch), tmp_path / "ledger.json")

    def page(*arguments: str) -> str:
        done = CliRunner().invoke(main, ["report", "--no-ratios", *arguments])
        assert done.exit_code == 0, done.output
        return (tmp_path / "report" / "index.html").read_text()

    assert "Measured on 2026-11-16 at commit" in seen(page()).split("Can you trust this?")[-1]
    measured(tmp_path / OUT)
    shown = page()
    assert "tamperings" in shown
    assert "tamperings <b>" not in shown
    other = measured(tmp_path / "other.json", quick=True)
    assert "small sample" in seen(page("--trust", str(other)))
    assert CliRunner().invoke(main, ["report", "--no-ratios", "--trust", "none.json"]).exit_code == 2
