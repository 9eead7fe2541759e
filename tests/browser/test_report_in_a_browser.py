"""The report in Chromium: silent, within its window, usable by keyboard, whole without scripts, true to the ledger."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from reports.site.build import build
from reports.site.content import Content, Known, gather, verdict_name
from tests.browser.chromium import WIDTHS, Opened, browser, opened, overflow
from tests.reports.code_names import code_names
from tests.reports.small import content_of, small_ledger
from tests.sada import SADA, load, shipped, statements
from tests.theory import standin
from theory.claims.statement import Statement
from theory.ledger.judging import Ledger

STOPS = """[...document.querySelectorAll('a[href], summary, button, input, select, [tabindex]')]
  .filter((e) => e.tabIndex >= 0).length"""
EVIL = "<script>document.title = 'broken'</script><b>bold</b>"


@pytest.fixture(scope="module")
def ledger() -> Iterator[Ledger]:
    with pytest.MonkeyPatch.context() as patch:
        yield small_ledger(patch)


@pytest.fixture(scope="module")
def content(ledger: Ledger) -> Content:
    """With a summary that would be a script if nobody escaped it, and a key that is wider than a phone."""
    evil: dict[str, Statement] = {**standin.STATEMENTS, "lem:bound": replace(standin.BOUND, summary=EVIL)}
    found = content_of(ledger, evil)
    return replace(found, gaps=replace(found.gaps, strangers=("lem:" + "averylongname" * 9,)))


@pytest.fixture(scope="module")
def file(content: Content, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "index.html"
    path.write_text(build(content).html, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def report(chromium: Browser, file: Path) -> Iterator[Opened]:
    found = opened(chromium, file)
    yield found
    found.page.close()


@pytest.fixture
def page(report: Opened) -> Page:
    return report.page


def test_the_page_is_silent_and_asks_for_nothing(report: Opened) -> None:
    report.page.click("#open-all")
    report.page.wait_for_timeout(100)
    assert report.complaints == []
    assert report.outside == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(chromium: Browser, file: Path, width: int) -> None:
    page = opened(chromium, file, width).page
    assert overflow(page) == 0
    page.click("#open-all")
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert overflow(page) == 0
    page.close()


def test_the_counts_shown_are_those_of_the_ledger(page: Page, content: Content) -> None:
    shown = {
        row.get_attribute("data-verdict"): int(row.locator("td").last.inner_text())
        for row in page.locator("#evidence-counts tbody tr").all()
    }
    assert shown == dict(Counter(verdict_name(record) for record in content.records))
    assert page.locator("#errata .slip").count() == len(content.errata)
    assert page.locator(".map .cell").count() == 227
    assert page.locator(".graph-svg .node").count() == len(content.graph.nodes)


def test_a_title_with_a_script_is_text(page: Page) -> None:
    page.evaluate("document.getElementById('lem:bound').open = true")
    shown = unicodedata.normalize("NFKC", page.locator("[id='lem:bound']").inner_text())
    assert "".join(EVIL.split()) in "".join(shown.split())
    assert page.title() != "broken"


def test_the_errata_are_filtered_by_words_severity_and_evidence(page: Page, content: Content) -> None:
    shown = page.locator("#errata .slip:visible")
    assert shown.count() == len(content.errata) == 2
    page.fill("#errata-find", "cross term")
    assert shown.count() == 1
    assert "1 of 2 slips" in page.inner_text("#errata-found")
    page.fill("#errata-find", "")
    page.select_option("#errata-severity", "constant")
    assert {card.get_attribute("data-severity") for card in shown.all()} == {"constant"}
    page.select_option("#errata-severity", "")
    page.select_option("#errata-known", "kernel")
    assert shown.count() == 2
    page.fill("#errata-find", "nothing has these words")
    assert shown.count() == 0
    assert page.locator("#errata h3:visible").count() == 0


def test_the_filters_of_the_errata_are_kept_in_the_address(page: Page) -> None:
    page.select_option("#errata-severity", "constant")
    page.fill("#errata-find", "cross term")
    assert "errata-severity=constant" in page.url
    page.reload()
    assert page.input_value("#errata-severity") == "constant"
    assert page.locator("#errata .slip:visible").count() == 1
    page.select_option("#errata-severity", "")
    assert "errata-severity" not in page.url


def test_a_link_to_a_slip_that_a_filter_hides_shows_it(page: Page, content: Content) -> None:
    page.fill("#errata-find", "nothing has these words")
    target = page.locator("#errata .slip").first.get_attribute("id")
    page.evaluate(f"location.hash = '#{target}'")
    page.wait_for_function("document.querySelectorAll('#errata .slip:not([hidden])').length > 0")
    assert page.locator("#errata .slip:visible").count() == len(content.errata)


def test_the_graph_focuses_on_ancestors_and_descendants(page: Page, content: Content) -> None:
    page.locator(".graph-svg .node[data-id='lem:means']").click()
    bright = {n.get_attribute("data-id") for n in page.locator(".graph-svg .node:not(.dim)").all()}
    assert bright == {"lem:means", *content.graph.ancestors("lem:means"), *content.graph.descendants("lem:means")}
    assert "lem:user" in bright
    assert "lem:means" in page.inner_text("#focus-words")
    assert page.url.endswith("#graph=lem%3Ameans")
    page.click("#unfocus")
    assert page.locator(".graph-svg .node.dim").count() == 0


def test_a_focus_can_be_linked_to(chromium: Browser, file: Path) -> None:
    page = opened(chromium, file, anchor="#graph=lem:user").page
    assert page.input_value("#focus") == "lem:user"
    assert page.locator(".graph-svg .node.dim").count() > 0
    page.close()


def test_the_graph_is_used_by_keyboard(page: Page) -> None:
    page.locator(".graph-svg .node[data-id='lem:user']").focus()
    page.keyboard.press("ArrowUp")
    above = page.input_value("#focus")
    assert above in page.evaluate("DATA.graph['lem:user'].above")
    assert page.evaluate("document.activeElement.dataset.id") == above
    page.keyboard.press("ArrowDown")
    below = page.input_value("#focus")
    assert below in page.evaluate(f"DATA.graph['{above}'].below")
    page.keyboard.press("Enter")
    assert page.evaluate("decodeURIComponent(location.hash)") == f"#{below}"


def test_the_graph_and_the_map_are_one_stop_of_the_tab_key_each(page: Page) -> None:
    for inside in (".graph-svg a", ".map a"):
        assert page.evaluate(f"[...document.querySelectorAll('{inside}')].filter((e) => e.tabIndex >= 0).length") == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_the_graph_fits_its_width(chromium: Browser, file: Path, width: int) -> None:
    page = opened(chromium, file, width).page
    box = "document.querySelector('.graph-svg').parentElement"
    assert page.evaluate(f"{box}.scrollWidth - {box}.clientWidth") <= 1
    page.close()


def test_a_link_opens_the_article_it_leads_to(chromium: Browser, file: Path) -> None:
    page = opened(chromium, file, anchor="#lem:bound-repaired").page
    assert page.locator("[id='lem:bound']").get_attribute("open") is not None
    assert page.locator("[id='lem:bound-repaired']").is_visible()
    page.close()


def test_the_map_shows_the_display_under_the_pointer_and_moves_with_the_arrows(page: Page) -> None:
    cell = page.locator(".map .cell").first
    before = page.locator(".map").bounding_box()
    height = page.evaluate("document.documentElement.scrollHeight")
    cell.hover()
    assert page.evaluate("document.documentElement.scrollHeight") == height
    assert page.locator(".map").bounding_box()["height"] == before["height"]  # type: ignore[index]
    assert page.locator("#map-panel math").count() == 1
    assert cell.get_attribute("data-display") in page.inner_text("#map-panel")  # type: ignore[operator]
    cell.focus()
    page.keyboard.press("ArrowRight")
    second = page.locator(".map .cell").nth(1).get_attribute("data-display")
    assert page.evaluate("document.activeElement.dataset.display") == second


def test_statements_are_found_by_words_and_status(page: Page) -> None:
    shown = page.locator("details.statement[data-status]:visible")
    page.fill("#find", "lem:mea")
    assert {item.get_attribute("id") for item in shown.all()} == {"lem:means", "lem:user"}  # the one, and who uses it
    for typed in ("1/5", "x(1-x)", "x (1 - x)"):
        page.fill("#find", typed)
        assert "lem:bound" in [item.get_attribute("id") for item in shown.all()], typed
    page.fill("#find", "739391")
    assert shown.count() == 0
    page.fill("#find", "")
    page.select_option("#by-status", "REPAIRED")
    assert [item.get_attribute("id") for item in shown.all()] == ["lem:bound"]


def test_without_scripts_everything_is_there(chromium: Browser, file: Path, content: Content) -> None:
    page = opened(chromium, file, java_script_enabled=False).page
    assert page.locator("#errata .slip:visible").count() == len(content.errata)
    assert page.locator(".tools:visible").count() == 0
    page.locator("[id='lem:bound'] > summary").click()
    assert page.locator("[id='lem:bound'] .card").first.is_visible()
    assert page.locator("[id='lem:bound'] math").first.bounding_box()["height"] > 5  # type: ignore[index]
    page.locator("#graph details > summary").click()
    assert page.locator("#graph-table tbody tr").count() == len(content.graph.nodes)
    page.locator(".map .cell").first.click()
    assert "#disp:" in page.url
    page.close()


CONTRAST = """(scheme) => {
  const light = (c) => { const v = c.match(/[\\d.]+/g).slice(0, 3).map((x) => x / 255)
      .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const ground = (e) => { for (let at = e; at; at = at.parentElement) {
      const c = getComputedStyle(at).backgroundColor; if (!c.endsWith(", 0)") && c !== "transparent") return c; }
    return "rgb(255, 255, 255)"; };
  const bad = [];
  const texts = "main p, main a, main .badge, main td, main th, main small, main summary, h1, h2, nav a";
  for (const e of document.querySelectorAll(texts)) {
    if (!e.innerText || e.closest("svg")) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)} ${e.innerText.slice(0, 30)}`);
  }
  return bad.slice(0, 5);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast_in_light_and_dark(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.click("#open-all")
    assert page.evaluate(CONTRAST, scheme) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


def test_print_shows_what_is_open_and_leaves_out_what_only_a_screen_can_do(page: Page) -> None:
    card = page.locator("[id='lem:bound'] .card").first
    page.emulate_media(media="print")
    assert not card.is_visible()
    assert not page.locator("nav.top").is_visible()
    page.evaluate("document.getElementById('lem:bound').open = true")
    assert card.bounding_box()["height"] > 20  # type: ignore[index]


def test_every_picture_and_region_has_words_for_those_who_cannot_see_it(page: Page) -> None:
    named = "[...document.querySelectorAll('svg, [role=region], input, select')]"
    without = f"{named}.filter((e) => !e.ariaLabel && !e.labels?.length).map((e) => e.outerHTML.slice(0, 80))"
    assert page.evaluate(without) == []
    assert page.evaluate("document.documentElement.lang") == "en"


PAPER = {"width": 718, "height": 1047}  # what a sheet of A4 has for a page: a taller figure leaves a sheet empty
TALLEST = "Math.max(...[...document.querySelectorAll('figure')].map((f) => f.getBoundingClientRect().height))"
FIGURES = 600_000  # bytes of ratios, constants and race, which this page is built without


def test_the_report_of_the_real_paper_is_silent_small_and_within_its_window(chromium: Browser, tmp_path: Path) -> None:
    ledger = shipped()
    known = Known(SADA.slips, SADA.context)
    found = gather(
        load(), ledger, statements(), title=SADA.title, links=SADA.links, notation=SADA.notation, known=known
    )
    file = tmp_path / "index.html"
    file.write_text(build(found).html, encoding="utf-8")
    assert file.stat().st_size < 5_000_000 - FIGURES
    assert code_names(file.read_text("utf-8")) == []
    for width in WIDTHS:
        report = opened(chromium, file, width)
        report.page.click("#open-all")
        assert overflow(report.page) == 0
        assert report.complaints == []
        assert report.outside == []
        assert report.page.evaluate(STOPS) <= 2000
        ids = Counter(report.page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)"))
        assert [name for name, count in ids.items() if count > 1] == []
        report.page.close()
    printed = opened(chromium, file).page
    assert len(re.findall(rb"/Type\s*/Page\b", printed.pdf(format="A4"))) < 40
    printed.emulate_media(media="print")
    printed.set_viewport_size(PAPER)
    assert printed.evaluate(TALLEST) < PAPER["height"]
    printed.close()
