"""The notebooks of the lessons run as plain scripts and say what the API and the lessons say."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import reports
from reports.sada.lessons import Lesson, certificate, find, lessons
from reports.sada.lessons.layers import factors
from reports.sada.lessons.outer import witness
from reports.sada.lessons.race import reached
from theory.papers.sada.composition import columns

HOME = Path(reports.__path__[0]) / "sada" / "notebooks"


class Reader:
    """Runs a notebook as a script in this process, in an empty folder, and tells what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, number: int) -> str:
        runpy.run_path(str(HOME / f"lesson_{number}.py"), run_name="__main__")
        text = self.capsys.readouterr().out
        assert f"lesson {number}: {lessons()[number - 1].title}" in text
        return text


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.chdir(tmp_path)
    return Reader(capsys)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.slug)
def test_every_lesson_has_a_notebook_that_is_a_marimo_app(lesson: Lesson) -> None:
    text = (HOME / f"lesson_{lesson.number}.py").read_text(encoding="utf-8")
    assert "marimo.App" in text
    assert f'find("{lesson.slug}")' in text


def test_there_are_as_many_notebooks_as_lessons() -> None:
    assert len(list(HOME.glob("lesson_*.py"))) == len(lessons())


def test_the_notebook_of_lesson_1_ends_where_the_lesson_does(tmp_path: Path) -> None:
    """In a process of its own, as a reader starts it."""
    end = find("three-lines").numbers({"theta": 0.1, "gamma": 0.6, "lines": 180})
    words = [sys.executable, str(HOME / "lesson_1.py")]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"lesson 1: {lessons()[0].title}" in done.stdout
    assert f"{end['riskx']:.6g} after 60 steps" in done.stdout


def test_the_notebook_of_lesson_2_shows_the_block_and_the_claim(said: Reader) -> None:
    text = said(2)
    assert "radius 0.977251" in text
    assert "False under the printed hypotheses" in text


def test_the_notebook_of_lesson_3_has_the_level_of_the_lesson(said: Reader) -> None:
    shown = find("noise-finds-its-level").numbers(find("noise-finds-its-level").start)
    assert f"level {shown['level']:.6g}; proved bound {float(shown['level']) * float(shown['ratio']):.6g}" in said(3)


def test_the_notebook_of_lesson_4_has_the_factors_of_the_lesson(said: Reader) -> None:
    assert ", ".join(f"{f:.6g}" for f in factors(3, 10.0, 1.0)) in said(4)


def test_the_notebook_of_lesson_5_has_the_rules_and_the_risk(said: Reader) -> None:
    text = said(5)
    assert "by the repaired rule" in text
    assert "variance" in text


def test_the_notebook_of_lesson_6_stands_at_the_witness(said: Reader) -> None:
    text = said(6)
    assert "x_2 = -5/2; the printed hypotheses hold" in text
    assert "the energy grows: True" in text


def test_the_notebook_of_lesson_7_prints_the_certificate_and_what_becomes_of_forgeries(said: Reader) -> None:
    text = said(7)
    assert "(p) * (k) * (1-x)^2" in text
    assert text.count(certificate.REFUSED) == len(certificate.FORGERIES) - 1


def test_the_notebook_of_lesson_8_lets_the_printed_energy_grow(said: Reader) -> None:
    text = said(8)
    shown = find("two-loops").numbers({**find("two-loops").start, **witness()})
    assert float(shown["ratio"]) > 1
    assert "printed weight 1.0" in text


def test_the_notebook_of_lesson_9_races_and_quotes_the_recorded_runs(said: Reader) -> None:
    text = said(9)
    assert all(f"{method}: excess risk" in text for method in ("sada", "asgd", "sgd", "erm"))
    assert f"{reached(3, 'sgd') / reached(3, 'sada'):.4g} times" in text


def test_the_notebook_of_lesson_10_has_the_constants(said: Reader) -> None:
    text = said(10)
    assert all(f"{column.name}: C = {column.statistical}" in text for column in columns())
    assert f"this mixture: {columns()[1].statistical}" in text
