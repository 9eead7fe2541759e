"""lemmalab derive, the fold of the report and the block of the lessons show what is derived."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from reports.cli import main
from reports.sada.lessons import Lesson, lesson_page, lessons
from reports.sada.lessons.ways import path
from reports.site.derived import way, ways
from theory.papers.sada import derivations
from theory.papers.sada.derivations import every
from theory.project import project

KEYS = {"name", "from", "derived", "printed", "display", "verdict", "steps"}


def run(*args: str) -> Result:
    return CliRunner().invoke(main, ["derive", *args], prog_name="lemmalab")


def test_the_list_names_at_least_twenty_objects_with_a_verdict_each() -> None:
    done = run()
    rows = [line.split() for line in done.output.splitlines()[1:-2]]
    assert done.exit_code == 0
    assert len(rows) == len(every()) >= 20
    assert {row[1] for row in rows} == {"PROVED", "REFUTED"}


def test_the_block_comes_out_with_minus_c_where_plus_c_is_printed() -> None:
    done = run("A", "--digits")
    assert done.exit_code == 0
    assert "⎣-c" in done.output
    assert "disp:749 prints  [[0, 1 - η*λ], [c, 1 + c - q*λ]]" in done.output
    assert "derived == printed: REFUTED" in done.output
    assert "the recursion itself agrees to" in done.output


def test_json_holds_the_block_the_identity_the_regimes_and_four_entries_with_verdicts() -> None:
    found = {}
    for name in ("A", "inverse", "inverse-noise", "regimes", "lambda_L", "Pi_11", "Pi_12", "Pi_21", "Pi_22", "phase-1"):
        done = run(name, "--json")
        assert done.exit_code == 0
        [found[name]] = json.loads(done.output)
    assert all(set(one) >= KEYS for one in found.values())
    assert {name: one["verdict"] for name, one in found.items()} == {
        **dict.fromkeys(("inverse", "regimes", "lambda_L", "Pi_11", "Pi_12", "Pi_21", "Pi_22"), "PROVED"),
        **dict.fromkeys(("A", "inverse-noise", "phase-1"), "REFUTED"),
    }
    assert found["A"]["printed"] == "[[0, 1 - eta*lam], [c, 1 + c - q*lam]]"
    assert found["A"]["display"] == "disp:742"
    assert [place["verdict"] for place in found["inverse-noise"]["places"]] == ["PROVED", "REFUTED"]
    assert [place["verdict"] for place in found["phase-1"]["places"]] == ["PROVED", "REFUTED"]
    assert (found["Pi_11"]["printed"], found["Pi_11"]["verdict_of"]) == ("", "the object solves what it came from")
    assert found["Pi_22"]["verdict_of"] == "derived == printed"


def test_latex_is_a_list_of_displays() -> None:
    done = run("lambda_L", "--latex")
    assert done.exit_code == 0
    assert done.output.count(r"\[") == done.output.count(r"\item") >= 3


def test_a_verdict_that_is_not_the_recorded_one_ends_with_code_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.cli.derive._judged", lambda place: ("UNDECIDED", {}))
    assert run().exit_code == run("c").exit_code == run("c", "--json").exit_code == 1


def test_an_unknown_name_is_refused_with_a_hint() -> None:
    done = run("Pi22")
    assert done.exit_code == 2
    assert "did you mean Pi_22" in done.output


def test_every_derivation_stands_beside_a_statement_and_its_mathematics_is_set() -> None:
    found = ways(derivations)
    assert set(found) <= set(project("sada").statements)
    assert sum(map(len, found.values())) == len(every())
    assert not [w.name for group in found.values() for w in group for line in w.lines if "unset" in line.maths]


@pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.slug)
def test_a_lesson_hides_one_step_of_its_derivation(lesson: Lesson) -> None:
    page, told = lesson_page(lesson), path(lesson.derive)
    assert page.count("Show the whole step") == 1
    assert told.lines[told.open].maths
    shown = page[page.index("Show the whole step") :].replace('"', "")  # a page has no quotes that it does not need
    assert str(told.lines[told.open].maths).replace('"', "") in shown


def test_nine_lessons_show_what_is_derived_and_one_shows_a_certificate() -> None:
    named = [one.derive.name for one in lessons()]
    assert sum(name in every() for name in named) == 9
    assert named[6] == ""


def test_letters_are_set_as_the_caller_says() -> None:
    plain, shown = (way(derivations, "outer-weight", letters) for letters in ((), (("grad", "g"),)))
    assert plain.lines[1].maths != shown.lines[1].maths
