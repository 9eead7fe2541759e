"""The notebooks of lessons 1, 3 and 7 run as plain scripts and say what the API says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import reports
from reports.sada.lessons.layers import factors
from reports.sada.lessons.race import reached

HOME = Path(reports.__path__[0]) / "sada" / "notebooks"


def said(name: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, str(HOME / name)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_notebook_of_lesson_1_shows_the_block_and_the_claim(tmp_path: Path) -> None:
    text = said("lesson_1.py", tmp_path)
    assert "lesson 1: Why momentum" in text
    assert "radius 0.977251" in text
    assert "False under the printed hypotheses" in text


def test_the_notebook_of_lesson_3_has_the_factors_of_the_lesson(tmp_path: Path) -> None:
    assert ", ".join(f"{f:.6g}" for f in factors(3, 10.0, 1.0)) in said("lesson_3.py", tmp_path)


def test_the_notebook_of_lesson_7_races_and_quotes_the_recorded_runs(tmp_path: Path) -> None:
    text = said("lesson_7.py", tmp_path)
    assert all(f"{method}: excess risk" in text for method in ("sada", "asgd", "sgd", "erm"))
    assert f"{reached(3, 'sgd') / reached(3, 'sada'):.4g} times" in text


@pytest.mark.parametrize("number", [1, 3, 7])
def test_a_notebook_is_a_marimo_app_that_the_lessons_name(number: int) -> None:
    assert "marimo.App" in (HOME / f"lesson_{number}.py").read_text(encoding="utf-8")
