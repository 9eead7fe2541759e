"""The page as text: complete without scripts, escaped, and equal to the ledger in every number."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from reports.ci import junit_xml, markdown_summary, outcome_of
from reports.sada.race import race_section
from reports.sada.sections import sections
from reports.site.build import build
from reports.site.content import Content, absent, verdict_name
from reports.site.tables import Brought
from reports.site.words import anchor
from tests.reports.small import claimed, content_of, seen, without
from tests.theory import standin
from theory.claims.statement import Statement
from theory.kernel import Verdict
from theory.ledger.judging import Ledger
from theory.ledger.storage import LedgerError


@pytest.fixture(scope="module")
def html(content: Content) -> str:
    return build(content).html


def test_every_statement_display_and_check_is_on_the_page_once(html: str, content: Content) -> None:
    ids = Counter(re.findall(r'\sid="([^"]+)"', html))
    assert not [name for name, count in ids.items() if count > 1]
    wanted = [*(n.id for n in content.graph.nodes), *(d.id for d in content.paper.displays)]
    assert not [name for name in wanted if anchor(name) not in ids]


def test_every_inner_link_leads_somewhere(html: str) -> None:
    ids = set(re.findall(r'\sid="([^"]+)"', html))
    links = {unescape(link) for link in re.findall(r'href="#([^"]+)"', html)}
    assert not [link for link in links if link not in ids and not link.startswith("graph=")]


def test_the_counts_on_the_page_are_those_of_the_ledger(html: str, content: Content) -> None:
    counts = Counter(verdict_name(record) for record in content.records)
    rows = dict(re.findall(r'<tr data-verdict="([A-Z ]+)">.*?<strong>(\d+)</strong></td></tr>', html, re.S))
    assert {name: int(count) for name, count in rows.items()} == dict(counts)


def test_each_witness_is_shown_exactly_with_both_sides_and_a_command(html: str) -> None:
    shown = seen(html)
    assert "Fails at x = 1 / 2 ." in shown
    assert "is 1 / 4 , the right side 1 / 5 ." in shown
    assert "lemmalab check lem:bound" in shown


def test_what_differs_between_print_and_repair_is_marked(html: str) -> None:
    card = html[html.index(f'id="{anchor("lem:bound/repaired")}"') :]
    assert "<mfrac><mn>1</mn><mrow class=changed><mn>4</mn></mrow></mfrac>" in card[:1500]


def test_a_complete_page_of_an_incomplete_paper_says_what_is_missing(html: str) -> None:
    assert "This report is incomplete." in html
    assert "of the paper's 295 statements and displays have no check yet" in seen(html)
    assert 'id="complete"' not in html


def test_what_did_not_run_is_said_at_the_top(ledger: Ledger) -> None:
    html = build(content_of(without(ledger, "lem:guess"))).html
    top = seen(html)[: seen(html).index("1. Summary")]
    assert "1 check of the registry did not run: the ledger has no record of lem:guess" in top
    article = html[html.index('<details class=statement id="lem:guess"') :]
    assert "v-proved" not in article[: article.index("</details>")]
    assert "not run" in article


def test_a_verdict_that_the_kernel_does_not_give_is_said_at_the_top(ledger: Ledger) -> None:
    shown = seen(build(content_of(claimed(ledger, "lem:guess", Verdict.PROVED))).html)
    assert "1 verdict of the ledger was not confirmed by the kernel" in shown


def test_a_title_with_markup_is_shown_as_text(ledger: Ledger) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    statements: dict[str, Statement] = {
        **standin.STATEMENTS,
        "lem:bound": replace(
            standin.BOUND,
            summary=evil,
            checks=tuple(replace(check, words=evil) for check in standin.BOUND.checks),
        ),
    }
    changed = replace(ledger, records=tuple(replace(r, words=evil) for r in ledger.records))
    html = build(content_of(changed, statements)).html
    assert html.count("<script>") == 1
    assert "<img" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_errata_can_be_taken_away_whole(html: str, content: Content) -> None:
    packed = re.search(r'download="errata.json.gz" href="data:application/gzip;base64,([^"]+)"', html)
    assert packed
    body: Any = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert [e["key"] for e in body] == [e.key for e in content.errata]
    table = re.search(r'download="errata.csv.gz" href="data:application/gzip;base64,([^"]+)"', html)
    assert table
    assert gzip.decompress(base64.b64decode(table[1])).decode().count("\n") == len(content.errata) + 1


def test_the_same_ledger_gives_the_same_bytes(content: Content, html: str) -> None:
    assert build(content).html == html


def test_sections_that_were_not_computed_say_so(content: Content) -> None:
    shown = seen(build(content, brought=sections(content, None)).html)
    assert "No race was given" in shown
    assert "Ratios of bound and truth were not computed" in shown


def test_junit_counts_every_check_and_passes_over_none(ledger: Ledger) -> None:
    root = ElementTree.fromstring(junit_xml(content_of(without(ledger, "lem:guess"))))
    assert int(root.attrib["tests"]) == len(list(root.iter("testcase"))) == len(standin.CHECKS)
    assert root.attrib["failures"] == "0"
    assert root.attrib["errors"] == "1"
    broken = [case.attrib["name"] for case in root.iter("testcase") if len(case)]
    assert broken == ["lem:guess"]


def test_junit_does_not_pass_what_was_expected_to_stay_open_and_did_not_run() -> None:
    open_ = replace(standin.GUESS.checks[0], expect=Verdict.UNDECIDED)
    assert outcome_of(absent(open_, "lem:guess")) == "error"


def test_junit_fails_what_is_other_than_expected(ledger: Ledger) -> None:
    hoped = replace(standin.BOUND.checks[0], expect=Verdict.PROVED)
    odd: dict[str, Statement] = {
        **standin.STATEMENTS,
        "lem:bound": replace(standin.BOUND, checks=(hoped, *standin.BOUND.checks[1:])),
    }
    root = ElementTree.fromstring(junit_xml(content_of(ledger, odd)))
    failed = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert [case.attrib["name"] for case in failed] == ["lem:bound"]
    assert failed[0].find("failure").attrib["message"] == "expected PROVED, found REFUTED"  # type: ignore[union-attr]


def test_a_verdict_other_than_expected_is_said_at_the_top(ledger: Ledger) -> None:
    hoped = replace(standin.BOUND.checks[0], expect=Verdict.PROVED)
    odd: dict[str, Statement] = {**standin.STATEMENTS, "lem:bound": replace(standin.BOUND, checks=(hoped,))}
    shown = seen(build(content_of(without(ledger, "lem:bound/repaired"), odd)).html)
    assert "1 verdict is other than expected: lem:bound" in shown.split("1. Summary")[0]
    assert "expected PROVED" in shown


def test_the_markdown_summary_counts_and_escapes(ledger: Ledger) -> None:
    told = markdown_summary(content_of(without(ledger, "lem:guess")))
    assert "| not run | 1 |" in told
    assert "**Incomplete:** 1 check did not run" in told
    assert "`lem:bound`" in told


RACE = {
    "problem": "least-squares <b>",
    "sizes": [100, 1000],
    "seeds": [0, 1],
    "curves": {"sada": [{"value": 0.1, "low": 0.05, "high": 0.2}, None]},
    "exact": [{"agrees": True}],
    "bounds": [{"reading": "printed", "n": 100, "total": 5.0}, {"reading": "printed", "n": 1000, "total": None}],
    "methods": [
        {
            "method": "sada",
            "final": {"value": 0.1, "low": None, "high": None},
            "reached": None,
            "slope": None,
            "failures": 1,
        }
    ],
}


def test_a_race_is_drawn_from_its_json(tmp_path: Path, content: Content) -> None:
    (tmp_path / "race.json").write_text(json.dumps(RACE))
    section = race_section([tmp_path / "race.json"])
    assert section is not None
    assert section.figures[0].rows == (("SADA", 100.0, 0.1, 0.05, 0.2), ("bound, as printed", 100.0, 5.0, 5.0, 5.0))
    assert "Dashed: the theorem's bounds." in section.figures[0].caption
    html = build(content, brought=[Brought("race", "Race", "The race", section)]).html
    assert "Excess risk against samples: least squares &lt;b&gt;" in html
    assert "No race was given" not in html


def test_a_race_draws_the_theorem_where_its_bounds_can_be_seen(tmp_path: Path) -> None:
    points = [
        {"reading": "printed", "n": 10**9, "total": 5.0, "truth": 1e-6},
        {"reading": "printed", "n": 10**12, "total": 0.005, "truth": None},
        {"reading": "repaired", "n": 10**9, "total": None, "truth": None},
    ]
    (tmp_path / "race.json").write_text(json.dumps({**RACE, "start": 0.5, "theorem": points}))
    section = race_section([tmp_path / "race.json"])
    assert section is not None
    race, theorem = section.figures
    assert "figure of their own" in race.caption
    assert {row[0] for row in race.rows} == {"SADA"}
    assert theorem.rows == (
        ("bound, as printed", 1e9, 5.0),
        ("bound, as printed", 1e12, 0.005),
        ("truth, as printed", 1e9, 1e-6),
    )
    drawn = [float(x) for x in re.findall(r'<circle[^>]*cx="([\d.]+)"', theorem.svg)]
    assert drawn
    assert all(0 < x < 760 for x in drawn)


def test_a_race_too_short_for_any_bound_says_so(tmp_path: Path) -> None:
    (tmp_path / "race.json").write_text(json.dumps({**RACE, "bounds": []}))
    section = race_section([tmp_path / "race.json"])
    assert section is not None
    assert "no bound for so few samples" in section.figures[0].caption


def test_measured_exponents_are_drawn_from_their_json(tmp_path: Path) -> None:
    point = {"value": 300.0, "low": 200.0, "high": 400.0}
    needed = [{"entrant": "sada", "samples": [point, None], "exponent": {"value": 0.55, "low": 0.5, "high": 0.6}}]
    (tmp_path / "a.json").write_text(json.dumps({"conditions": [30.0, 300.0], "fraction": 0.01, "needed": needed}))
    section = race_section([tmp_path / "a.json"])
    assert section is not None
    assert section.figures[0].rows == (("SADA", 30.0, 300.0),)
    assert section.tables[0].rows == (("SADA", "0.55 [0.5, 0.6]"),)


@pytest.mark.parametrize("body", ["[]", "{}", '{"curves": 3}', '{"curves": {}, "sizes": []}'])
def test_what_is_no_race_is_refused_by_name(tmp_path: Path, body: str) -> None:
    (tmp_path / "race.json").write_text(body)
    with pytest.raises(LedgerError, match=r"race\.json"):
        race_section([tmp_path / "race.json"])
