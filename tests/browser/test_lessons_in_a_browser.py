"""Every lesson in a browser: its numbers against Python's, its controls by mouse, key and address, its silence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from numerics.operators import StepSizes
from numerics.outer import PRINTED
from reports.sada.lessons import Choice, Lesson, find, index_page, lesson_page, lessons
from reports.sada.lessons.constants import MIXED, PLAIN
from reports.sada.lessons.outer import worst
from reports.sada.lessons.pages import short
from tests.browser.chromium import WIDTHS, browser, opened, overflow
from tests.browser.test_report_in_a_browser import CONTRAST
from theory.papers.sada.composition import columns

every_lesson = pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.slug)
POSITIONS = 6
EDGES: dict[str, tuple[dict[str, Any], ...]] = {
    "why-momentum": ({"ratio": 1.0}, {"ratio": 10.0}, {"ratio": 10.1}, {"lam": 0.02}, {"lam": 1.0, "theta": 0.5}),
    "how-a-lemma-dies": (
        *({"q": q} for q in (0.75, 0.8125, 4.0, 5.0, 5.0625)),
        {"eta": 1.0},
        {"q": 0.4375},
    ),
    "why-average-the-tail": ({"kappa": 1.0}, {"t": 2}, {"kappa": 300.0}),
    "two-loops": ({"alpha": 1.0, "q": 1.0}, {"alpha": 100.0, "q": 0.01}, {"alpha": 100.0, "q": 0.0099}),
}
MOVE = "(hash) => new Promise((done) => { onhashchange = () => done(); location.hash = hash; })"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("lessons")
    for one in lessons():
        (home / one.file).write_text(lesson_page(one), encoding="utf-8")
    (home / "index.html").write_text(index_page(), encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


def positions(lesson: Lesson) -> list[dict[str, Any]]:
    """The start, the edges, and positions drawn over all that the controls allow."""
    rng = np.random.default_rng(lesson.number)
    found = [lesson.start, *({**lesson.start, **edge} for edge in EDGES.get(lesson.slug, ()))]
    for _ in range(POSITIONS):
        found.append({c.name: _drawn(c, rng) for c in lesson.controls})
    return found


def _drawn(control: Any, rng: np.random.Generator) -> float | str:
    if isinstance(control, Choice):
        return str(rng.choice([value for value, _ in control.options]))
    at = float(rng.uniform())
    if control.log:
        value = control.low * (control.high / control.low) ** at
    else:
        value = control.low + at * (control.high - control.low)
    return round(value / control.step) * control.step if control.whole else float(f"{value:.6g}")


def address(values: dict[str, Any]) -> str:
    return "#" + "&".join(
        f"{name}={value!r}" if isinstance(value, float) else f"{name}={value}" for name, value in values.items()
    )


def shown(page: Page) -> dict[str, str]:
    read = "(all) => all.map((e) => [e.id.slice(4), e.dataset.value])"
    return dict(page.eval_on_selector_all("output[id^='out-']", read))


def wrong(found: dict[str, str], expected: dict[str, Any]) -> list[str]:
    """Where the page and Python differ."""
    return [f"{k}: {found.get(k)} is not {v}" for k, v in expected.items() if not _same(found.get(k, ""), v)]


def _same(text: str, value: float | str) -> bool:
    if isinstance(value, str):
        return text == value
    number = float(text.replace("Infinity", "inf"))
    if not math.isfinite(value):
        return number == value or (math.isnan(number) and math.isnan(value))
    return math.isclose(number, value, rel_tol=2e-8, abs_tol=1e-10)


@every_lesson
def test_the_page_shows_the_numbers_of_python_wherever_the_controls_are(
    chromium: Browser, folder: Path, lesson: Lesson
) -> None:
    first, *others = positions(lesson)
    sheet = opened(chromium, folder / lesson.file, anchor=address(first))
    assert wrong(shown(sheet.page), dict(lesson.numbers(first))) == []
    for values in others:
        sheet.page.evaluate(MOVE, address(values))
        assert wrong(shown(sheet.page), dict(lesson.numbers(values))) == [], values
    assert sheet.complaints == []
    assert sheet.outside == []
    sheet.page.context.close()


@every_lesson
def test_the_numbers_before_the_script_are_those_after_it(chromium: Browser, folder: Path, lesson: Lesson) -> None:
    still = opened(chromium, folder / lesson.file, java_script_enabled=False).page
    moving = opened(chromium, folder / lesson.file).page
    for readout in lesson.readouts:
        words = moving.locator(f"#out-{readout.name}").inner_text()
        assert still.locator(f"#out-{readout.name}").inner_text() == words
        assert words == short(lesson.numbers(lesson.start)[readout.name])
    still.context.close()
    moving.context.close()


@every_lesson
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(chromium: Browser, folder: Path, lesson: Lesson, width: int) -> None:
    page = opened(chromium, folder / lesson.file, width).page
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert overflow(page) == 0
    page.context.close()


@every_lesson
def test_without_scripts_text_formulas_pictures_and_answers_are_there(
    chromium: Browser, folder: Path, lesson: Lesson
) -> None:
    page = opened(chromium, folder / lesson.file, java_script_enabled=False).page
    assert page.locator("figure svg").count() >= len(lesson.pictures())
    assert page.locator("math").count() > 0
    assert page.locator(".controls").is_hidden()
    assert page.locator(".try:visible").count() == 0
    page.locator(".exercise summary").first.click()
    assert page.locator(".exercise details p").first.is_visible()
    page.context.close()


@every_lesson
def test_every_control_moves_by_key_and_the_address_and_the_numbers_follow(
    chromium: Browser, folder: Path, lesson: Lesson
) -> None:
    page = opened(chromium, folder / lesson.file).page
    for control in lesson.controls:
        field = page.locator(f"#in-{control.name}")
        before = field.input_value()
        field.focus()
        page.keyboard.press(
            "ArrowDown" if isinstance(control, Choice) or control.start == control.high else "ArrowRight"
        )
        assert field.input_value() != before, control.name
        value: Any = page.url.split(f"{control.name}=")[1].split("&")[0]
        value = value if isinstance(control, Choice) else float(value)
        assert wrong(shown(page), dict(lesson.numbers({**lesson.start, control.name: value}))) == [], control.name
        page.locator("h1").click()
        page.keyboard.press("r")
        assert field.input_value() == before
        assert "#" not in page.url
    page.context.close()


@every_lesson
def test_nonsense_in_the_address_is_the_start(chromium: Browser, folder: Path, lesson: Lesson) -> None:
    anchor = "#" + "&".join(f"{control.name}=nonsense" for control in lesson.controls) + "&<b>=1&x"
    sheet = opened(chromium, folder / lesson.file, anchor=anchor)
    assert wrong(shown(sheet.page), dict(lesson.numbers(lesson.start))) == []
    assert sheet.complaints == []
    sheet.page.context.close()


@every_lesson
def test_an_exercise_knows_right_from_wrong(chromium: Browser, folder: Path, lesson: Lesson) -> None:
    page = opened(chromium, folder / lesson.file).page
    for i, exercise in enumerate(lesson.exercises):
        box, answer = page.locator(".exercise").nth(i), exercise.answer()
        field, verdict = box.locator("input, select"), box.locator("output")
        if exercise.choices:
            field.select_option(str((int(answer) + 1) % len(exercise.choices)))
        else:
            field.fill(repr(answer * (1 + 3 * exercise.tolerance) + 0.001))
        box.locator("button").click()
        assert "Not yet" in verdict.inner_text(), exercise.question
        if exercise.choices:
            field.select_option(str(int(answer)))
            box.locator("button").click()
        else:
            field.fill(f"{answer:.12g}".replace("-", "−"))
            field.press("Enter")
        assert verdict.inner_text() == "Right.", exercise.question
        assert box.locator("details p").is_visible()
    field = page.locator("input[inputmode=decimal]").first
    if field.count():
        field.fill("many")
        field.press("Enter")
        assert any("Type a number" in words for words in page.locator(".exercise output").all_inner_texts())
    page.context.close()


@every_lesson
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(chromium: Browser, folder: Path, lesson: Lesson, scheme: str) -> None:
    page = opened(chromium, folder / lesson.file, color_scheme=scheme).page
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert page.evaluate(CONTRAST, scheme) == []
    page.context.close()


@every_lesson
def test_every_picture_and_control_has_words_and_every_id_stands_once(
    chromium: Browser, folder: Path, lesson: Lesson
) -> None:
    page = opened(chromium, folder / lesson.file).page
    named = "[...document.querySelectorAll('figure svg.live, [role=region], input, select')]"
    labelled = "!e.ariaLabel && !e.labels?.length && !e.ariaLabelledByElements?.length"
    assert page.evaluate(f"{named}.filter((e) => {labelled}).map((e) => e.outerHTML.slice(0, 90))") == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))
    page.context.close()


@every_lesson
def test_print_leaves_out_the_controls_and_keeps_the_pictures(chromium: Browser, folder: Path, lesson: Lesson) -> None:
    page = opened(chromium, folder / lesson.file).page
    page.emulate_media(media="print")
    assert page.locator(".controls").is_hidden()
    assert page.locator("figure svg").first.is_visible()
    page.context.close()


def test_the_pages_turn_by_key_and_the_list_leads_everywhere(chromium: Browser, folder: Path) -> None:
    page = opened(chromium, folder / "index.html").page
    for one in lessons():
        page.locator(f".cards a[href='{one.file}']").click()
        assert page.locator("h1").inner_text() == one.title
        page.go_back()
    page.locator(f".cards a[href='{lessons()[0].file}']").click()
    page.wait_for_url(f"**/{lessons()[0].file}")  # loaded: only then does the page listen to keys
    for one in lessons()[1:]:
        page.keyboard.press("n")
        page.wait_for_url(f"**/{one.file}")
    page.context.close()


def pressed(chromium: Browser, folder: Path, slug: str, button: str, anchor: str = "") -> tuple[Page, dict[str, str]]:
    """A lesson after one of its buttons, with the values that the address then holds."""
    lesson = find(slug)
    page = opened(chromium, folder / lesson.file, anchor=anchor).page
    page.click(f"#do-{button}")
    return page, dict(part.split("=") for part in page.url.split("#")[1].split("&"))


def test_critical_damping_is_where_the_two_eigenvalues_meet(chromium: Browser, folder: Path) -> None:
    page, values = pressed(chromium, folder, "why-momentum", "critical")
    found = shown(page)
    block = StepSizes(0.0625, 0.1, 0.5).mean_block(float(values["lam"]))
    assert float(found["re1"]) == pytest.approx(float(found["re2"]), abs=1e-6)
    assert float(found["radius"]) == pytest.approx(max(abs(np.linalg.eigvals(block))), abs=1e-6)
    page.context.close()


def test_the_witness_of_a_dead_lemma_is_one_button_away(chromium: Browser, folder: Path) -> None:
    page, values = pressed(chromium, folder, "how-a-lemma-dies", "witness")
    assert values == {"q": "6"}
    assert page.locator("#out-exact").inner_text() == "-5/2"
    assert "witness" in page.locator("#out-verdict").inner_text()
    assert page.locator("#orbit-table tbody tr").nth(2).locator("td").nth(1).inner_text() == "-5/2"
    page.click("#do-repair")
    assert page.locator("#out-h3").inner_text() == "holds"
    assert page.locator("#out-grew").inner_text() == "never up to k = 12"
    page.context.close()


def test_the_worst_state_of_the_outer_loop_is_reached_by_a_button(chromium: Browser, folder: Path) -> None:
    page, values = pressed(chromium, folder, "two-loops", "worst")
    found = shown(page)
    assert float(found["ratio"]) == pytest.approx(float(found["worst"]), rel=1e-9)
    assert float(found["worst"]) == pytest.approx(worst(PRINTED, find("two-loops").start)[0], rel=1e-9)
    assert float(values["gap"]) < 0
    page.context.close()


def test_the_race_runs_to_its_end(chromium: Browser, folder: Path) -> None:
    lesson = find("the-race")
    page = opened(chromium, folder / lesson.file, anchor="#n=1000").page
    assert shown(page)["size"] == "1000"
    page.click("#do-play")
    expect(page.locator("#out-size")).to_have_attribute("data-value", "1000000")
    assert wrong(shown(page), dict(lesson.numbers(lesson.start))) == []
    page.context.close()


def test_the_pure_columns_of_the_constants_are_the_compositions(chromium: Browser, folder: Path) -> None:
    page = opened(chromium, folder / find("where-the-constants-go").file).page
    for column in columns():
        page.click(f"#do-{column.name}")
        assert page.locator("#out-exact").inner_text() == str(column.statistical)
        assert page.locator("#out-kind").inner_text() == PLAIN[column.name]
    page.select_option("#in-A", "implied")
    assert page.locator("#out-kind").inner_text() == MIXED
    page.context.close()
