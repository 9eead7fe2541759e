"""The top of the page: what survives, what does not, how badly; and the theorem beside its repair."""

from __future__ import annotations

from reports.sada.theorem import EXPONENT, REPAIRED, SHARPER, THEOREM, constant, repaired
from reports.site.build import build
from reports.site.content import Content
from reports.site.figure import Figure
from reports.site.opening import opening
from reports.site.severity import SEVERITIES, bar, by_severity
from reports.site.tables import Lesson
from tests.reports.small import seen
from tests.sada import load
from theory.reading.graph import Status


def top(html: str) -> str:
    return html[html.index('<header id="top">') : html.index("</header>")]


def test_it_says_what_survives_and_what_does_not(content: Content) -> None:
    told = opening(content, None, ()).sentences
    judged = [n for n in content.graph.nodes if n.status is not Status.GIVEN]
    assert told[0].startswith(f"Of the {len(judged)} statements that assert something")
    assert "1 statement is false as printed, each with a repair" in told[1]
    assert len(told) == 2


def test_no_green_stands_over_a_paper_with_false_statements(content: Content) -> None:
    assert "v-proved" not in top(build(content).html)


def test_findings_are_counted_by_severity_and_drawn_in_one_bar(content: Content) -> None:
    counts = by_severity(content.errata)
    assert sum(counts.values()) == len(content.errata)
    assert list(counts) == [name for name in SEVERITIES if name in counts]
    html = top(build(content).html)
    for name, count in counts.items():
        assert f"<strong>{count}</strong> {name}" in html
    assert bar({}) == ""


def test_the_theorem_is_the_printed_one_with_four_changes() -> None:
    found = repaired(load(), [REPAIRED, EXPONENT])
    assert found is not None
    assert "138240" in found.right
    assert "46080" not in found.right
    assert r"\exp\left(-\frac{K}" in found.right
    assert repaired(load(), [REPAIRED]) is None


def test_the_sentence_on_the_constant_claims_what_is_proved_and_no_more() -> None:
    assert constant([]) == ""
    assert "138240" in constant([REPAIRED])
    assert "another algorithm" not in constant([REPAIRED])
    assert "links by hand" in constant([REPAIRED, SHARPER])


def test_a_theorem_whose_repair_is_not_proved_is_not_shown(content: Content) -> None:
    assert not opening(content, THEOREM, ()).sides


def test_the_overview_has_its_place_when_there_is_one(content: Content) -> None:
    picture = Figure("overview", "All results", "", '<svg aria-label="x"></svg>', ("a",), ((1,),))
    assert "All results" in top(build(content, overview=picture).html)
    assert "All results" in top(build(content, {"overview": [picture]}).html)
    assert "Bound against truth" not in seen(top(build(content).html))


def test_lessons_are_linked_where_there_are_any(content: Content) -> None:
    lessons = [Lesson("All", "lessons/index.html"), Lesson("1. Momentum", "lessons/1.html")]
    html = top(build(content, lessons=lessons).html)
    assert 'href="lessons/index.html"' in html
    assert 'href="lessons/1.html"' in html
    assert "lessons" not in seen(top(build(content).html))


def test_the_trust_section_is_never_empty(content: Content) -> None:
    shown = seen(build(content).html).split("Can you trust this?")[-1]
    assert "Measured on 2026-11-16 at commit a393eee6dcbb." in shown
    assert "0 of 10064 tamperings" in shown
