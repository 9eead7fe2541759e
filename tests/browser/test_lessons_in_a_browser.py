"""Every lesson in a browser: its numbers against Python's, its controls by mouse, key and address, its silence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from numerics.operators import StepSizes
from numerics.outer import PRINTED
from reports.sada.lessons import Choice, Lesson, find, index_page, lesson_page, lessons
from reports.sada.lessons.constants import MIXED, PLAIN
from reports.sada.lessons.model import Exercise
from reports.sada.lessons.outer import worst
from reports.sada.lessons.pages import short
from tests.browser.chromium import WIDTHS, browser, opened, overflow
from tests.browser.test_report_in_a_browser import CONTRAST
from theory.papers.sada.composition import columns

every_lesson = pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.slug)
POSITIONS = 6
EDGES: dict[str, tuple[dict[str, Any], ...]] = {
    "three-lines": ({"lines": 0}, {"lines": 1}, {"lines": 2}, {"lines": 3}, {"lines": 180}),
    "why-momentum": ({"ratio": 1.0}, {"lam": 0.02}, {"lam": 1.0, "theta": 0.5}),
    "reading-a-certificate": ({"x": 0.0, "k": 0}, {"x": 1.0}, {"kind": "dropped"}),
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


REDRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
Looked = Callable[..., Page]


@pytest.fixture(scope="module")
def looked(chromium: Browser, folder: Path) -> Looked:
    """A lesson at its start, in a window of the asked width and medium; opened once for all tests that only look."""
    known: dict[str, Page] = {}

    def at(lesson: Lesson, width: int = 1200, opened_up: bool = False, **media: Any) -> Page:
        page = known.get(lesson.slug) or opened(chromium, folder / lesson.file).page
        known[lesson.slug] = page
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(**{"media": "screen", "color_scheme": "light", **media})
        page.evaluate(f"document.querySelectorAll('details').forEach((d) => {{ d.open = {str(opened_up).lower()}; }})")
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(REDRAWN)
        return page

    return at


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
def test_nothing_is_wider_than_the_window(looked: Looked, lesson: Lesson, width: int) -> None:
    assert overflow(looked(lesson, width, opened_up=True)) == 0


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
        box = page.locator(f"#exercise-{i + 1}")
        field, verdict = box.locator(f"#answer-{i + 1}"), box.locator("output")
        for right in (False, True):
            put_answer(page, field, exercise, right)
            box.locator(".check").click()
            assert verdict.inner_text().startswith("Right." if right else "Not "), exercise.question
            assert box.locator(".hint p").is_visible()
        assert box.locator(".solution p").is_visible()
    assert page.locator("#score").inner_text() == "3 of 3 solved."
    page.context.close()


def put_answer(page: Page, field: Locator, exercise: Exercise, right: bool) -> None:
    """The right answer, or one beside it."""
    if exercise.broken is not None:
        page.keyboard.press("r")
        if right:
            page.evaluate("(values) => put(values)", dict(exercise.example))
    elif exercise.formula is not None:
        field.fill(exercise.formula.typed if right else f"{exercise.formula.typed} + 0.001")
    else:
        assert exercise.answer is not None
        answer = exercise.answer()
        if exercise.choices:
            field.select_option(str((int(answer) + (not right)) % len(exercise.choices)))
        else:
            wrong_one = answer * (1 + 3 * exercise.tolerance) + 0.001
            field.fill(f"{answer if right else wrong_one:.12g}".replace("-", "−"))


@every_lesson
def test_what_counts_as_broken_is_the_same_in_the_page_and_in_python(looked: Looked, lesson: Lesson) -> None:
    (exercise,) = (one for one in lesson.exercises if one.broken is not None)
    assert exercise.broken is not None
    places = [*positions(lesson), {**lesson.start, **exercise.example}]
    found = looked(lesson).evaluate("(all) => all.map((values) => lesson.broken(values))", places)
    assert found == [exercise.broken(values) for values in places]


@every_lesson
def test_show_me_leads_to_the_example(chromium: Browser, folder: Path, lesson: Lesson) -> None:
    page = opened(chromium, folder / lesson.file).page
    for i, exercise in enumerate(lesson.exercises):
        if not exercise.example or exercise.formula is not None:
            continue
        box = page.locator(f"#exercise-{i + 1}")
        assert box.locator(".see").is_hidden()
        put_answer(page, box.locator(f"#answer-{i + 1}"), exercise, False)
        box.locator(".check").click()
        box.locator(".see").click()
        assert wrong(shown(page), dict(lesson.numbers({**lesson.start, **exercise.example}))) == []
        page.locator("#reset").click()
    page.context.close()


EQUAL = {
    "why-momentum": (
        "(1+c-q*λ)^2 - 4c(1-ηλ)", "(1-c)^2-2*lambda*(q+c*q-2*c*eta)+lambda^2*q^2", "[1+c−qλ]² − 4·c·(1 − ηλ)",
        "-(4c(1-eta lambda) - (1+c-q lambda)**2)",
        "sqrt((1+c-qλ)^4) - 4c(1-ηλ)",
    ),
    "reading-a-certificate": ("p(1-x)^2 + p k (1-x)^2", "p*(1+k*(1-x))-x*p*(1+(k+1)*(1-x))", "(1+k)p/(1-x)^-2"),
    "three-lines": ("(θ-1)/(1+θ)", "1 - 2/(1+theta)", "-c" ),
}  # fmt: skip
UNEQUAL = ("(1+c-q*λ)^2 - 4c(1+ηλ)", "0", "1/0", "(1+c-qλ)^2", "(1-c)^2")
UNREADABLE = ("", "(c", "c)", "c +", "w", "c*/q", "alert(1)", "2 ! c")


def test_a_formula_is_compared_by_value_not_by_its_letters(chromium: Browser, folder: Path) -> None:
    for slug, texts in EQUAL.items():
        lesson = find(slug)
        page = opened(chromium, folder / lesson.file).page
        for text in texts:
            expected = None if text == "-c" else True
            assert page.evaluate("(text) => judged(DATA.exercises[1], text)[0]", text) is expected, text
        if slug == "why-momentum":
            for text in UNEQUAL:
                assert page.evaluate("(text) => judged(DATA.exercises[1], text)[0]", text) is False, text
            for text in UNREADABLE:
                right, words = page.evaluate("(text) => judged(DATA.exercises[1], text)", text)
                assert right is None, text
                assert "The letters are c, q, η, λ." in words
        page.context.close()


def test_a_letter_can_be_put_in_by_a_button(chromium: Browser, folder: Path) -> None:
    page = opened(chromium, folder / find("three-lines").file).page
    page.fill("#answer-2", "-(1-)/(1+theta)")
    page.evaluate("document.querySelector('#answer-2').setSelectionRange(4, 4)")
    page.click("#exercise-2 .letter")
    assert page.input_value("#answer-2") == "-(1-θ)/(1+theta)"
    page.keyboard.press("Enter")
    assert page.locator("#exercise-2 output").inner_text() == "Right."
    page.context.close()


@every_lesson
@pytest.mark.parametrize("width", [768, 1440])
def test_the_figure_and_its_controls_are_in_one_window_side_by_side(looked: Looked, lesson: Lesson, width: int) -> None:
    page = looked(lesson, width)
    if width < 1440:  # a wide page shows them as it opens
        page.evaluate("document.getElementById('play').scrollIntoView()")
    parts = "#play, .controls, .readouts, .figures .scroll > svg"
    boxes = f"[...document.querySelectorAll('{parts}')].map((e) => e.getBoundingClientRect())"
    for box in page.evaluate(f"{boxes}.map((b) => [b.top, b.bottom])"):
        assert 0 <= box[0] <= box[1] <= 900
    figure, controls = (page.locator(name).bounding_box() for name in (".figures", ".panel"))
    assert figure is not None
    assert controls is not None
    assert figure["x"] + figure["width"] <= controls["x"]


@every_lesson
def test_on_a_phone_the_controls_are_below_the_figure(looked: Looked, lesson: Lesson) -> None:
    page = looked(lesson, 360)
    figure, controls = (page.locator(name).bounding_box() for name in (".figures", ".panel"))
    assert figure is not None
    assert controls is not None
    assert figure["y"] + figure["height"] <= controls["y"]


@every_lesson
def test_on_a_phone_every_claim_can_be_read(looked: Looked, lesson: Lesson) -> None:
    page = looked(lesson, 360)
    wide = "[...document.querySelectorAll('table.claims td')].map((e) => e.getBoundingClientRect().width)"
    assert min(page.evaluate(wide)) >= 240
    assert page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('[aria-label=claims]'))") == 0


BEHIND = """() => { const [before, now] = [window.stop_, document.activeElement]; window.stop_ = now;
  return now !== document.body && (!before || Boolean(before.compareDocumentPosition(now) & 4)); }"""
MARKED = "document.activeElement.matches(':focus-visible') && getComputedStyle(document.activeElement).outlineStyle"


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until the element has the focus; every stop is marked and stands behind the one before it."""
    for _ in range(most):
        if page.evaluate("(s) => document.activeElement?.matches(s) ?? false", selector):
            return
        page.keyboard.press("Tab")
        assert page.evaluate(BEHIND), f"the focus went back before it came to {selector}"
        assert page.evaluate(MARKED) in ("solid", "auto"), selector
    raise AssertionError(f"{selector} is not reached by {most} stops")


def move_by_key(page: Page, lesson: Lesson) -> None:
    """The first control moves and goes back; then all go to the end of their scale where the last exercise is."""
    tab_to(page, f"#in-{lesson.controls[0].name}")
    before = shown(page)
    for _ in range(9):
        page.keyboard.press("ArrowLeft")
    assert shown(page) != before
    page.keyboard.press("r")
    assert shown(page) == before
    (last,) = (one for one in lesson.exercises if one.broken is not None)
    for control in lesson.controls:
        assert not isinstance(control, Choice)
        value = last.example.get(control.name, control.start)
        if value != control.start:
            tab_to(page, f"#in-{control.name}")
            page.keyboard.press({control.low: "Home", control.high: "End"}[value])


def solve_by_key(page: Page, lesson: Lesson) -> None:
    """All three exercises, in the order of the page: the derivation comes last."""
    move_by_key(page, lesson)
    for number, exercise in sorted(enumerate(lesson.exercises, 1), key=lambda pair: pair[1].formula is not None):
        tab_to(page, f"#exercise-{number} .check" if exercise.broken is not None else f"#answer-{number}")
        if exercise.choices and exercise.answer is not None:
            for _ in range(int(exercise.answer()) + 1):
                page.keyboard.press("ArrowDown")
        elif exercise.broken is None:
            page.keyboard.type(exercise.formula.typed if exercise.formula else f"{(exercise.answer or float)():.9g}")
        page.keyboard.press("Enter")
        assert page.locator(f"#exercise-{number} output").inner_text() == "Right."
    assert page.locator("#score").inner_text() == "3 of 3 solved."


def test_a_student_goes_through_three_lessons_by_keyboard_alone(chromium: Browser, folder: Path) -> None:
    page = opened(chromium, folder / "index.html").page
    first, second, third = lessons()[:3]
    tab_to(page, f".cards a[href='{first.file}']")
    page.keyboard.press("Enter")
    for lesson, after in ((first, second), (second, third), (third, lessons()[3])):
        page.wait_for_url(f"**/{lesson.file}")
        solve_by_key(page, lesson)
        tab_to(page, f"#next[href='{after.file}']")
        page.keyboard.press("Enter")
    page.wait_for_url(f"**/{lessons()[3].file}")
    page.context.close()


BREAKS = {
    "a control that Tab skips": "document.querySelector('.controls input').tabIndex = -1",
    "a control out of its place": "document.querySelector('.controls input').tabIndex = 1",
    "a focus that nobody sees": "document.head.append(Object.assign(document.createElement('style'), "
    "{textContent: '*:focus-visible{outline:none!important}'}))",
    "a control that does not listen": "document.querySelector('.controls input').addEventListener("
    "'keydown', (e) => e.preventDefault())",
    "a check that does not listen": "document.addEventListener('click', (e) => e.stopPropagation(), true)",
}


@pytest.mark.parametrize("damage", BREAKS.values(), ids=BREAKS)
def test_the_path_by_keyboard_notices(chromium: Browser, folder: Path, damage: str) -> None:
    page = opened(chromium, folder / lessons()[0].file, bypass_csp=True).page
    page.evaluate(damage)
    with pytest.raises(AssertionError):
        solve_by_key(page, lessons()[0])
    page.context.close()


def test_the_last_exercise_is_solved_by_keyboard(chromium: Browser, folder: Path) -> None:
    lesson = find("noise-finds-its-level")
    page = opened(chromium, folder / lesson.file).page
    tab_to(page, "#in-spread")
    page.keyboard.press("End")
    tab_to(page, "#exercise-3 .check")
    page.keyboard.press("Enter")
    assert page.locator("#exercise-3 output").inner_text() == "Right."
    page.context.close()


@every_lesson
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(looked: Looked, lesson: Lesson, scheme: str) -> None:
    assert looked(lesson, opened_up=True, color_scheme=scheme).evaluate(CONTRAST, scheme) == []


@every_lesson
def test_every_picture_and_control_has_words_and_every_id_stands_once(looked: Looked, lesson: Lesson) -> None:
    page = looked(lesson)
    named = "[...document.querySelectorAll('figure svg.live, [role=region], input, select')]"
    labelled = "!e.ariaLabel && !e.labels?.length && !e.ariaLabelledByElements?.length"
    assert page.evaluate(f"{named}.filter((e) => {labelled}).map((e) => e.outerHTML.slice(0, 90))") == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


@every_lesson
def test_print_leaves_out_the_controls_and_keeps_the_pictures(looked: Looked, lesson: Lesson) -> None:
    page = looked(lesson, media="print")
    assert page.locator(".controls").is_hidden()
    assert page.locator("figure svg").first.is_visible()


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


def test_the_edge_of_ringing_is_where_the_two_eigenvalues_meet(chromium: Browser, folder: Path) -> None:
    page, values = pressed(chromium, folder, "why-momentum", "critical")
    roots = np.linalg.eigvals(StepSizes(0.0625, 0.1, 0.5).mean_block(float(values["lam"])))
    assert abs(roots[0] - roots[1]) < 1e-5
    assert float(shown(page)["efold"]) == pytest.approx(-1 / math.log(max(abs(roots))), abs=1e-3)
    page.context.close()


def test_the_witness_of_a_dead_lemma_is_one_button_away(chromium: Browser, folder: Path) -> None:
    page, values = pressed(chromium, folder, "how-a-lemma-dies", "witness")
    assert values == {"q": "6"}
    assert page.locator("#out-exact").inner_text() == "-5/2"
    assert "witness" in page.locator("#out-verdict").inner_text()
    assert page.locator("#orbit-table tbody tr").nth(2).locator("td").nth(1).inner_text() == "−5/2"
    page.click("#do-repair")
    assert page.locator("#out-h3").inner_text() == "holds"
    page.context.close()


def test_the_worst_state_of_the_outer_loop_is_reached_by_a_button(chromium: Browser, folder: Path) -> None:
    page, values = pressed(chromium, folder, "two-loops", "worst")
    found = worst(PRINTED, find("two-loops").start)[0]
    assert float(shown(page)["ratio"]) == pytest.approx(found, rel=1e-9)
    assert float(values["gap"]) < 0
    page.context.close()


def test_one_button_makes_the_algorithm_plain_descent(chromium: Browser, folder: Path) -> None:
    page, _ = pressed(chromium, folder, "three-lines", "sgd", "#lines=90")
    found = shown(page)
    assert float(found["riskx"]) == pytest.approx(float(found["riskz"]), rel=1e-12)
    page.context.close()


def test_the_race_runs_to_its_end(chromium: Browser, folder: Path) -> None:
    lesson = find("the-race")
    page = opened(chromium, folder / lesson.file, anchor="#n=1000").page
    page.click("#do-play")
    expect(page.locator("#val-n")).to_have_text("1000000")
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
