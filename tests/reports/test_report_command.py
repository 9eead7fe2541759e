"""lemmalab report: what it writes, what it refuses, and that it never judges what a ledger lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from reports.cli import main
from tests.cli_lab import small_registry, use
from tests.reports.small import seen, without
from tests.theory import standin
from theory.claims.statement import Faithfulness, printed, statement
from theory.ledger.judging import Ledger, save


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ledger: Ledger) -> Path:
    small_registry(monkeypatch)
    monkeypatch.chdir(tmp_path)
    save(ledger, tmp_path / "ledger.json")
    return tmp_path


def run(*args: str) -> Any:
    return CliRunner().invoke(main, ["report", "--no-ratios", *args], prog_name="lemmalab")


def test_the_command_writes_page_figures_junit_and_markdown(folder: Path) -> None:
    done = run("--figures", "--junit", "ci/junit.xml", "--markdown", "summary.md")
    assert done.exit_code == 0, done.output
    assert (folder / "report" / "index.html").read_text().startswith("<!doctype html>")
    names = {path.name for path in (folder / "report" / "figures").iterdir()}
    assert {"graph.svg", "graph.csv", "map.svg", "map.csv"} <= names
    for name in names:
        if name.endswith(".svg"):
            ElementTree.fromstring((folder / "report" / "figures" / name).read_text())
    ElementTree.fromstring((folder / "ci" / "junit.xml").read_text())
    assert (folder / "summary.md").read_text().startswith("# ")


def test_the_command_takes_the_name_of_a_file(folder: Path) -> None:
    assert run("--out", "page.html").exit_code == 0
    assert (folder / "page.html").exists()


def test_the_command_judges_first_when_there_is_no_ledger(folder: Path) -> None:
    (folder / "ledger.json").unlink()
    assert run().exit_code == 0
    assert "did not run" not in seen((folder / "report" / "index.html").read_text()).split("1. Summary")[0]


def test_the_command_does_not_judge_what_a_ledger_lacks(folder: Path, ledger: Ledger) -> None:
    save(without(ledger, "lem:guess"), folder / "ledger.json")
    standin.CALLS.clear()
    done = run()
    assert done.exit_code == 0
    assert standin.CALLS == []
    assert "1 of 9 checks did not run" in done.stderr
    assert "did not run" in (folder / "report" / "index.html").read_text()


def test_a_ledger_of_something_else_is_never_fine(
    folder: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = statement("lem:other", printed("a**2 >= 0", example={"a": 1}, faithfulness=Faithfulness.AS_PRINTED))
    use(monkeypatch, {"lem:other": other})
    done = run()
    assert done.exit_code == 3
    assert "1 of 1 checks did not run" in done.stderr


def test_the_command_refuses_a_broken_ledger_and_a_missing_race(folder: Path) -> None:
    assert run("--race", "none.json").exit_code == 2
    (folder / "ledger.json").write_text("{")
    done = run()
    assert done.exit_code == 2
    assert "ledger.json" in done.stderr


def test_the_page_is_opened_on_request(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: bool(opened.append(url)) or True)
    assert run("--open").exit_code == 0
    assert opened == [(folder / "report" / "index.html").resolve().as_uri()]
