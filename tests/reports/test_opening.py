"""The top of the page: what survives, what does not, how badly; and the theorem beside its repair."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from reports.sada.theorem import ARGUED, REPAIRED, SHARPER, THEOREM, caveats, constant, repaired
from reports.site.build import build
from reports.site.content import Content
from reports.site.figure import Figure
from reports.site.opening import opening
from reports.site.severity import SEVERITIES, bar, by_severity
from reports.site.tables import Held, Lesson
from tests.reports.small import seen
from tests.sada import load
from theory.reading.graph import Status

LINKS = ("one", "another")
PRINTED = ("excess <= 46080*a/n + 122880*b/n",)
GIVES = ("excess <= 138240*a/n + 368640*b/n",)
OURS = ("excess <= 12160/7*a/n + 38912/21*b/n",)
WHOLE = {REPAIRED: Held((), "", PRINTED), ARGUED: Held((), "", GIVES), SHARPER: Held((), "", OURS)}
HAND = {key: Held(LINKS, "", one.says) for key, one in WHOLE.items()}


def top(html: str) -> str:
    return html[html.index('<header id="top">') : html.index("</header>")]


def test_it_says_what_survives_and_what_does_not(content: Content) -> None:
    told = opening(content, None, ()).sentences
    judged = [n for n in content.graph.nodes if n.status is not Status.GIVEN]
    assert told[0].startswith(f"Of the {len(judged)} statements that assert something")
    assert "1 statement is false as printed, each with a repair" in told[1]
    assert len(told) == 2


def test_assumptions_do_not_count_as_theorems_that_survived(content: Content) -> None:
    assert "assumption" not in opening(content, None, ()).sentences[0]
    nodes = tuple(replace(n, kind="assumption", status=Status.PROVED) for n in content.graph.nodes)
    other = copy(content)
    vars(other)["graph"] = replace(content.graph, nodes=nodes)
    told = opening(other, None, ()).sentences
    assert f" {len(nodes)} of these are assumptions, definitions or algorithms:" in told[0]


def test_no_green_stands_over_a_paper_with_false_statements(content: Content) -> None:
    assert "v-proved" not in top(build(content).html)


def test_findings_are_counted_by_severity_and_drawn_in_one_bar(content: Content) -> None:
    counts = by_severity(content.errata)
    assert sum(counts.values()) == len(content.errata)
    assert list(counts) == [name for name in SEVERITIES if name in counts]
    html = top(build(content).html)
    for name, count in counts.items():
        assert f"{name} <strong>{count}</strong>" in html
    assert bar({}) == ""


def test_the_theorem_is_the_printed_one_with_another_exponent() -> None:
    found = repaired(load(), HAND)
    assert found is not None
    assert "46080" in found.right
    assert "122880" in found.right
    assert r"\exp\left(-\frac{\tilde{\theta}_{\mathrm{max}}K}{4}\right)" in found.right
    assert "24" not in found.right
    assert "proved up to 2 links by hand" in found.words
    assert repaired(load(), {ARGUED: HAND[ARGUED]}) is None


def test_the_sentence_on_the_constant_claims_what_is_proved_and_no_more() -> None:
    assert constant({}) == ""
    assert constant({ARGUED: HAND[ARGUED]}).endswith("gives 138240. This is proved up to 2 links by hand.")
    assert "gives 1738. All three are proved up to 2 links by hand." in constant(HAND)
    mixed = constant({**HAND, ARGUED: WHOLE[ARGUED]})
    assert "138240 (proved end to end, without a link)" in mixed
    assert mixed.count("2 links by hand") == 2


def test_once_the_theorem_has_no_link_the_page_says_so_by_itself() -> None:
    found = repaired(load(), WHOLE)
    assert found is not None
    assert found.key == REPAIRED
    assert "proved end to end, without a link" in found.words
    assert constant(WHOLE).endswith("All three are proved end to end, without a link.")
    told = " ".join(caveats({**WHOLE, SHARPER: HAND[SHARPER]}))
    assert f"Proved end to end, without a link: the implied constant ({ARGUED})." in told
    both = "The sharper constant and the constant of our algorithm are products of constants proved lemma by lemma."
    assert f"{both} 2 links are by hand" in told


def test_a_theorem_with_other_constants_does_not_vouch_for_the_composed_ones() -> None:
    other = {REPAIRED: Held((), "", ("excess <= 460801*a/n + 122880*b/n",)), ARGUED: Held((), "", OURS)}
    assert repaired(load(), other) is None
    assert constant(other) == ""
    assert "No number here is a theorem proved end to end" in caveats(other)[-1]


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
