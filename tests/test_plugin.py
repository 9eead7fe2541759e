"""The pytest plugin: lemmas of a file and checks of a project as tests, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEMMAS = """from theory import lemma

means = lemma("a*b <= (a**2 + b**2)/2", example={"a": 1, "b": 2})
wrong = lemma("x**2 <= 2*x", given="x >= 0", example={"x": 1})
"""
STATEMENT = """from theory.claims.statement import Faithfulness, printed, statement

STATEMENT = statement(
    "lem:square", printed("x**2 >= 0", example={"x": 1}, faithfulness=Faithfulness.AS_PRINTED)
)
"""


INSTALLED = any(one.value == "theory.plugin" for one in entry_points(group="pytest11"))
LOADED = () if INSTALLED else ("-p", "theory.plugin")


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", *LOADED, "-p", "no:cacheprovider", "-v", *args]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "", "COLUMNS": "200"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "mine.py").write_text(LEMMAS)
    (tmp_path / "test_other.py").write_text(
        "from theory import lemma\n\n\ndef test_other() -> None:\n    lemma('1 <= 2')\n"
    )
    home = tmp_path / "paper" / "statements"
    home.mkdir(parents=True)
    (home.parent / "lemmalab.toml").write_text('title = "A paper of mine"\n')
    (home / "lem_square.py").write_text(STATEMENT)
    return tmp_path


def test_a_file_of_lemmas_is_judged_lemma_by_lemma(folder: Path) -> None:
    done = run(folder, "mine.py")
    assert "mine.py::means is proved PASSED" in done.stdout
    assert "mine.py::wrong is proved FAILED" in done.stdout
    assert "witness  x = 3" in done.stdout
    assert "lemmalab show mine.py wrong" in done.stdout
    assert done.returncode == 1


def test_a_project_is_judged_check_by_check(folder: Path) -> None:
    done = run(folder, "--lemmalab", "paper")
    assert "lemmalab.toml::lem:square as printed is proved PASSED" in done.stdout
    assert "test_other" not in done.stdout
    assert done.returncode == 0, done.stdout


def test_test_files_stay_test_files(folder: Path) -> None:
    done = run(folder, "test_other.py")
    assert "1 passed" in done.stdout


@pytest.mark.parametrize(("arguments", "words"), [(("--lemmalab", "nowhere"), "nowhere is no project")])
def test_a_project_that_is_none_is_named(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run(folder, *arguments)
    assert done.returncode == 4
    assert words in done.stderr
