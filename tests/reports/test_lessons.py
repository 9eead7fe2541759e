"""The lessons as files: complete, closed to the network, escaped, the same every time; their answers and claims."""

from __future__ import annotations

import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from numerics.outer import PRINTED, worst_quadratic
from reports.cli import main
from reports.mathml.tex import MathsError
from reports.sada.lessons import (
    Choice,
    Lesson,
    Slider,
    certificate,
    find,
    index_page,
    lesson_page,
    lessons,
    outer,
    refuted,
)
from reports.sada.lessons.model import Derivation, Exercise
from reports.sada.lessons.pages import short
from reports.sada.lessons.prose import paragraphs, prose
from reports.sada.lessons.race import METHODS, race, recorded
from reports.sada.lessons.record import RACES, run
from reports.sada.lessons.shelf import MODULES
from reports.sada.lessons.source import source
from reports.sada.lessons.verdicts import verdict
from reports.sada.lessons.ways import path
from reports.site.words import spoken
from tests.reports.code_names import code_names
from tests.sada import checks, shipped
from tests.sada import find as find_check
from theory.kernel import Evidence
from theory.ledger.ratio import ratio_of
from theory.ledger.records import Ledger
from theory.ledger.stands import labelled

every_lesson = pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.slug)


def test_there_are_ten_lessons() -> None:
    assert len(lessons()) == 10
    assert "Ten lessons" in index_page()


@every_lesson
def test_a_lesson_says_how_many_links_its_claims_have(lesson: Lesson) -> None:
    told = [verdict(key)[1] for key, _ in lesson.claims.keys]
    linked = {int(n) for one in told for n in re.findall(r"up to (\d+) link", one)}
    said = re.findall(r"assuming (one|two|three|four) things? that the paper derives", lesson_page(lesson))
    assert {{"one": 1, "two": 2, "three": 3, "four": 4}[one] for one in said} <= linked


@every_lesson
def test_a_lesson_speaks_the_language_of_the_paper(lesson: Lesson) -> None:
    assert code_names(lesson_page(lesson)) == []


@every_lesson
def test_a_lesson_has_a_goal_what_it_needs_what_comes_next_and_claims(lesson: Lesson) -> None:
    assert lesson.goal.endswith(".")
    assert "$" not in lesson.goal  # it is also the page's description
    assert all((lesson.needs, lesson.before, lesson.after, lesson.claims.keys))
    assert lesson.leads.endswith(".")
    assert all(key in checks() for key, _ in lesson.claims.keys)


@every_lesson
def test_a_lesson_asks_to_predict_to_derive_and_to_break_and_shows_three_readouts_at_most(lesson: Lesson) -> None:
    assert sorted(one.kind for one in lesson.exercises) == ["Break it", "Derive", "Predict"]
    assert all(one.hint and one.solution for one in lesson.exercises)
    assert len(lesson.readouts) <= 3


@every_lesson
def test_every_answer_is_a_number_and_every_choice_has_its_words(lesson: Lesson) -> None:
    for exercise in lesson.exercises:
        if exercise.answer is None:
            continue
        answer = exercise.answer()
        assert math.isfinite(answer)
        if exercise.choices:
            assert answer in range(len(exercise.choices))


@every_lesson
def test_what_breaks_is_broken_at_the_example_and_not_at_the_start(lesson: Lesson) -> None:
    (exercise,) = (one for one in lesson.exercises if one.kind == "Break it")
    assert exercise.broken is not None
    assert exercise.broken({**lesson.start, **exercise.example})
    assert not exercise.broken(lesson.start)


@every_lesson
def test_an_example_is_a_position_of_the_controls(lesson: Lesson) -> None:
    controls = {control.name: control for control in lesson.controls}
    for exercise in lesson.exercises:
        for name, value in exercise.example.items():
            control = controls[name]
            if isinstance(control, Choice):
                assert value in [word for word, _ in control.options]
            else:
                assert control.low <= value <= control.high


@every_lesson
def test_a_formula_is_finite_where_it_is_compared_and_differs_from_its_neighbours(lesson: Lesson) -> None:
    (exercise,) = (one for one in lesson.exercises if one.kind == "Derive")
    assert exercise.formula is not None
    told = exercise.formula.to_json()
    assert len(told["values"]) == len(told["points"]) >= 5
    assert all(math.isfinite(value) and abs(value) > 1e-6 for value in told["values"])
    assert len(set(told["values"])) == len(told["values"])


@every_lesson
def test_prose_has_no_names_of_the_code(lesson: Lesson) -> None:
    asked = [part for one in lesson.exercises for part in (one.question, one.hint, one.solution, *one.choices)]
    captions = [picture.caption for picture in lesson.pictures()]
    words = " ".join((*lesson.before, *lesson.after, *lesson.needs, lesson.goal, lesson.leads, *asked, *captions))
    plain = re.sub(r"\$\$.+?\$\$|\$.+?\$|`.+?`|\*\*", "", words, flags=re.S)
    assert "$" not in re.sub("<[^>]+>", "", str(paragraphs((words,))))
    assert not re.findall(r"\b(?:lam|eta|kt|theta|gamma|kappa|Sigma|mu)\b|\b(?:lem|thm):|[a-z]_[a-z0-9]|\^|\*", plain)


def test_an_exercise_without_an_answer_or_with_two_is_refused() -> None:
    with pytest.raises(ValueError, match="give one of answer, formula, broken"):
        Exercise("Predict", "Which?", "hint", "solution")
    with pytest.raises(ValueError, match="give one of answer, formula, broken"):
        Exercise("Predict", "Which?", "hint", "solution", answer=lambda: 1.0, broken=lambda _: True)


def test_a_step_that_a_derivation_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="no step 17"):
        path(Derivation("discriminant", 17, ""))


def test_the_kernel_accepts_the_certificate_of_lesson_7_and_refuses_every_forgery() -> None:
    verdicts = {kind: certificate.verdict(kind) for kind in certificate.FORGERIES}
    assert verdicts.pop("shipped") == certificate.ACCEPTED
    assert set(verdicts.values()) == {certificate.REFUSED}
    assert any("(p) * (k) * (1-x)^2" in line for line in certificate.told())


@every_lesson
def test_the_numbers_of_python_are_those_that_the_page_shows(lesson: Lesson) -> None:
    assert set(lesson.numbers(lesson.start)) == {readout.name for readout in lesson.readouts}


@every_lesson
def test_a_page_is_closed_to_the_network_and_the_same_every_time(lesson: Lesson) -> None:
    text = lesson_page(lesson)
    assert text == lesson_page(lesson)
    assert "default-src 'none'" in text
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", text)
    assert len(text) < 400_000
    assert len(re.findall(r'class="?exercise"?[ >]', text)) == 3
    assert text.count("<svg") >= len(lesson.pictures())
    assert 'id="in-' in text


@every_lesson
def test_links_to_claims_lead_where_the_caller_says(lesson: Lesson) -> None:
    assert f'href="elsewhere.html#{lesson.claims.keys[0][0].split("/")[0]}' in lesson_page(lesson, "elsewhere.html")


def test_the_list_names_every_lesson_and_the_pages_turn() -> None:
    index = index_page()
    shelf = lessons()
    assert all(one.file in index for one in shelf)
    for one, after in itertools.pairwise(shelf):
        assert f'id="next" href="{after.file}"' in lesson_page(one)
        assert f'id="previous" href="{one.file}"' in lesson_page(after)


def test_a_script_is_the_lessons_own_and_small() -> None:
    for name in (*MODULES, "lesson", "exercises"):
        text = source("js", f"{name}.js")
        assert len(text) < 24_000
        assert not re.search(r"\beval\b|innerHTML|new Function|fetch\(|XMLHttp|Math\.random", text), name


def test_prose_is_escaped_and_its_mathematics_is_set() -> None:
    assert "&lt;script&gt;" in prose("<script>")
    assert "<code>a &lt; b</code>" in prose("`a < b`")
    assert "<math>" in prose("so $x^2$")
    assert "<h2>Words</h2>" in paragraphs(("## Words",))
    with pytest.raises(MathsError, match="nonsense"):
        prose(r"$\nonsense$")
    with pytest.raises(MathsError, match="braces"):
        prose(r"$\frac12$")


def test_numbers_are_written_as_the_script_writes_them() -> None:
    assert [short(v) for v in (0.0, 12.0, -0.5, 1.25e-7, 3.0e9, math.inf, math.nan)] == [
        "0", "12", "−0.5", "1.25·10⁻⁷", "3·10⁹", "∞", "–",
    ]  # fmt: skip


def test_a_control_that_starts_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="slider x: start = 3"):
        Slider("x", "x", 0, 1, 3)
    assert Choice("x", "x", (("a", "A"), ("b", "B"))).start == "a"


def test_a_verdict_is_the_kernels_and_a_claim_without_certificate_did_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("lem:A-power-bound") == ("REFUTED", "")
    assert verdict("lem:A-power-bound/sharper") == ("PROVED", "")
    book = shipped()
    monkeypatch.setattr("reports.sada.lessons.verdicts.shipped", lambda *keys: Ledger({}, ()))
    assert verdict("lem:A-power-bound/sharper") == ("NOT RUN", "")
    assert verdict("lem:A-power-bound/sharper", book) == ("PROVED", "")


def test_a_verdict_says_links_sizes_and_arguments_that_fail_as_the_report_does() -> None:
    book = shipped()
    assert book is not None
    known = {record.key: record for record in labelled(book.records)}
    keys = [key for lesson in lessons() for key, _ in lesson.claims.keys]
    told = {key: verdict(key, book) for key in keys}
    assert {key: name for key, (name, _) in told.items()} == {key: known[key].shown for key in keys}
    assert all(phrase in ("", spoken(known[key].told)) for key, (_, phrase) in told.items())


def test_a_lesson_that_does_not_exist_is_named_with_its_neighbours() -> None:
    assert find("2") is find("why-momentum")
    with pytest.raises(KeyError, match="why-momentum"):
        find("why-momentun")


def test_teach_writes_one_lesson_or_all_and_refuses_others(tmp_path: Path) -> None:
    runner = CliRunner()
    done = runner.invoke(main, ["teach", "1", "--out", str(tmp_path / "one")])
    assert done.exit_code == 0
    assert sorted(p.name for p in (tmp_path / "one").iterdir()) == [lessons()[0].file, "index.html"]
    wrong = runner.invoke(main, ["teach", "99", "--out", str(tmp_path / "none")])
    assert wrong.exit_code == 2
    assert "there is no lesson '99'" in wrong.output
    assert not (tmp_path / "none").exists()
    listed = runner.invoke(main, ["teach", "--list"])
    assert listed.output.count("\n") == len(lessons())


def test_teach_takes_its_verdicts_from_a_ledger_and_refuses_a_broken_one(tmp_path: Path) -> None:
    broken = tmp_path / "ledger.json"
    broken.write_text("{}")
    done = CliRunner().invoke(main, ["teach", "1", "--out", str(tmp_path / "out"), "--ledger", str(broken)])
    assert done.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_teach_refuses_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert CliRunner().invoke(main, ["teach", "1", "--out", str(tmp_path / "file")]).exit_code == 2


def test_what_a_script_reads_is_json() -> None:
    for one in lessons():
        json.dumps({**one.data(), "controls": [c.to_json() for c in one.controls]})


def test_the_recorded_race_is_what_the_race_gives_today() -> None:
    short_race = tuple("1000" if word == "1000000" else word for word in RACES[0])
    again, before = run(short_race), race(1)
    assert again["sizes"] == before["sizes"][:3]
    for method in METHODS:
        for now, then in zip(again["curves"][method], before["curves"][method], strict=False):
            assert (now is None) == (then is None)
            assert now is None or now["value"] == pytest.approx(then["value"], rel=1e-9)


def test_the_recorded_races_name_their_commands_and_are_small() -> None:
    text = source("data", "races.json")
    assert len(text) < 200_000
    assert [one["command"] for one in recorded()["races"]] == [" ".join(("lemmalab", *words)) for words in RACES]


def test_the_witness_of_lesson_6_is_the_kernels() -> None:
    check = find_check("lem:A-power-bound")
    assert check.witness is not None
    found = ratio_of(check.claim, Evidence(witness={"point": dict(check.witness.values)}))
    assert found is not None
    shown = refuted.numbers({**refuted.LESSON.start, **refuted.witness()})
    assert (found["left"], shown["exact"]) == ("-5/2", "-5/2")
    assert shown["verdict"] == refuted.KILLED


def test_the_witness_of_lesson_8_lets_the_printed_energy_grow_and_not_the_repaired_one() -> None:
    shown = outer.numbers({**outer.LESSON.start, **outer.witness()})
    assert shown["hypotheses"] == outer.INSIDE
    assert float(shown["ratio"]) > 1 > float(shown["repratio"])
    assert (1 - float(shown["repratio"])) * 1000 >= 11 / 12


def test_the_worst_state_of_lesson_8_is_that_of_the_performance_estimate_on_quadratics() -> None:
    v = {**outer.LESSON.start, "alpha": 100.0, "share": 0.02 * math.sqrt(1200), "q": 1.0}
    best = max(outer.worst(PRINTED, {**v, "q": q})[0] for q in np.geomspace(0.01, 1, 400))
    assert best == pytest.approx(worst_quadratic(PRINTED, 100.0, 0.02, 0.02).ratio, rel=1e-9)
