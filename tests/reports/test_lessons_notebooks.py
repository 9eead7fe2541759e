"""The notebooks of the lessons run as plain scripts and say what the API and the lessons say."""

from __future__ import annotations

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


def said(number: int, folder: Path) -> str:
    words = [sys.executable, str(HOME / f"lesson_{number}.py")]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lesson = lessons()[number - 1]
    assert f"lesson {number}: {lesson.title}" in done.stdout
    return done.stdout


@pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.slug)
def test_every_lesson_has_a_notebook_that_is_a_marimo_app(lesson: Lesson) -> None:
    text = (HOME / f"lesson_{lesson.number}.py").read_text(encoding="utf-8")
    assert "marimo.App" in text
    assert f'find("{lesson.slug}")' in text


def test_there_are_as_many_notebooks_as_lessons() -> None:
    assert len(list(HOME.glob("lesson_*.py"))) == len(lessons())


def test_the_notebook_of_lesson_1_ends_where_the_lesson_does(tmp_path: Path) -> None:
    end = find("three-lines").numbers({"theta": 0.1, "gamma": 0.6, "lines": 180})
    assert f"{end['riskx']:.6g} after 60 steps" in said(1, tmp_path)


def test_the_notebook_of_lesson_2_shows_the_block_and_the_claim(tmp_path: Path) -> None:
    text = said(2, tmp_path)
    assert "radius 0.977251" in text
    assert "False under the printed hypotheses" in text


def test_the_notebook_of_lesson_3_has_the_level_of_the_lesson(tmp_path: Path) -> None:
    shown = find("noise-finds-its-level").numbers(find("noise-finds-its-level").start)
    assert f"level {shown['level']:.6g}; proved bound {float(shown['level']) * float(shown['ratio']):.6g}" in said(
        3, tmp_path
    )


def test_the_notebook_of_lesson_4_has_the_factors_of_the_lesson(tmp_path: Path) -> None:
    assert ", ".join(f"{f:.6g}" for f in factors(3, 10.0, 1.0)) in said(4, tmp_path)


def test_the_notebook_of_lesson_5_has_the_rules_and_the_risk(tmp_path: Path) -> None:
    text = said(5, tmp_path)
    assert "by the repaired rule" in text
    assert "variance" in text


def test_the_notebook_of_lesson_6_stands_at_the_witness(tmp_path: Path) -> None:
    text = said(6, tmp_path)
    assert "x_2 = -5/2; the printed hypotheses hold" in text
    assert "the energy grows: True" in text


def test_the_notebook_of_lesson_7_prints_the_certificate_and_what_becomes_of_forgeries(tmp_path: Path) -> None:
    text = said(7, tmp_path)
    assert "(p) * (k) * (1-x)^2" in text
    assert text.count(certificate.REFUSED) == len(certificate.FORGERIES) - 1


def test_the_notebook_of_lesson_8_lets_the_printed_energy_grow(tmp_path: Path) -> None:
    text = said(8, tmp_path)
    shown = find("two-loops").numbers({**find("two-loops").start, **witness()})
    assert float(shown["ratio"]) > 1
    assert "printed weight 1.0" in text


def test_the_notebook_of_lesson_9_races_and_quotes_the_recorded_runs(tmp_path: Path) -> None:
    text = said(9, tmp_path)
    assert all(f"{method}: excess risk" in text for method in ("sada", "asgd", "sgd", "erm"))
    assert f"{reached(3, 'sgd') / reached(3, 'sada'):.4g} times" in text


def test_the_notebook_of_lesson_10_has_the_constants(tmp_path: Path) -> None:
    text = said(10, tmp_path)
    assert all(f"{column.name}: C = {column.statistical}" in text for column in columns())
    assert f"this mixture: {columns()[1].statistical}" in text
