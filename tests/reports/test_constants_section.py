"""Where the constants go: the section says what the composition says, and what of it is not proved."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from reports.charts import cascade
from reports.sada.waterfall import section, waterfall_section
from reports.site.build import build
from reports.site.content import Content
from reports.site.figure import Figure
from reports.site.tables import Brought
from tests.reports.small import seen


def constant(symbol: str, value: str, key: str) -> dict[str, str]:
    return {"symbol": symbol, "value": value, "from": key, "words": f"what {symbol} is"}


def column(name: str, total: str, *constants: dict[str, str]) -> dict[str, Any]:
    return {
        "name": name,
        "words": f"{name} words",
        "constants": list(constants),
        "statistical": total,
        "coupling": "7/2",
    }


BODY: dict[str, Any] = {
    "columns": [
        column("printed", "46080", constant("A", "64", "lem:means")),
        column("implied", "138240", constant("A", "64", "lem:means")),
        column("sharper", "100/3", constant("A", "2", "lem:nobody")),
    ],
    "drops": [
        {"stage": "implied", "symbol": "c", "words": "noise", "from": {"value": "1", "check": "x"},
         "to": {"value": "3", "check": "y"}, "before": "46080", "after": "138240", "factor": "1/3"},
        {"stage": "sharper", "symbol": "A", "words": "average", "from": {"value": "64", "check": "x"},
         "to": {"value": "2", "check": "y"}, "before": "138240", "after": "100/3", "factor": "20736/5"},
    ],
    "gain": "20736/5",
    "other": column("our algorithm", "50/3", constant("A", "1", "lem:nobody")),
    "beyond": [
        {"stage": "our algorithm", "symbol": "A", "words": "step", "from": {"value": "2", "check": "y"},
         "to": {"value": "1", "check": "z"}, "before": "100/3", "after": "50/3", "factor": "2"},
    ],
}  # fmt: skip
COLUMNS = ("check", "bound", "source", "design", "ratio")
STRIP = Figure(
    "lem:Pi-average-bound/ratios", "", "", "<svg></svg>", COLUMNS,
    tuple(("lem:means", "as printed", "designs", name, ratio) for name, ratio in (("a", 0.25), ("b", 0.5))),
)  # fmt: skip


def test_every_number_of_the_composition_is_shown(content: Content) -> None:
    found = section(BODY, content, {})
    told = Markup(found.words[0]).striptags()
    assert "46080" in told
    assert "33.34 (exactly 100/3)" in told
    assert "about 4150 times smaller" in told
    rows = {Markup(row[0]).striptags(): row for row in found.tables[0].rows}
    assert Markup(rows["A"][2]).striptags() == "64 from lem:means (proved)"
    assert rows["statistical"][2:5] == ("46080", "138240", "33.34 (exactly 100/3)")
    assert [f.name for f in found.figures] == ["constants", "waterfall"]
    assert found.figures[1].rows[1][-1] == "20736/5"


def test_a_number_whose_check_is_not_proved_here_says_so(content: Content) -> None:
    found = section(BODY, content, {})
    assert "lem:nobody (not run)" in found.words[1]
    assert Markup(found.tables[0].rows[0][4]).striptags() == "2 from lem:nobody (not run)"


def test_the_measured_constant_is_the_printed_one_times_the_worst_ratio(content: Content) -> None:
    rows = section(BODY, content, {"lem:Pi-average-bound": [STRIP]}).tables[0].rows
    assert rows[0][-1] == "32 over 2 values"
    assert section(BODY, content, {}).tables[0].rows[0][-1] == "–"


def test_the_section_stands_on_the_page(content: Content) -> None:
    constants = Brought("waterfall", "Constants", "Where the constants go", section(BODY, content, {}))
    html = build(content, brought=[constants]).html
    assert "Which step loses which factor" in html
    assert "5. Where the constants go" in seen(html)
    assert "6. Map of the paper" in seen(html)


def test_what_a_paper_does_not_bring_leaves_no_heading(content: Content) -> None:
    shown = seen(build(content).html)
    assert "5. Map of the paper" in shown
    for absent in ("Where the constants go", "The race", "The theorem, as repaired"):
        assert absent not in shown


def test_a_composition_that_fails_says_why(content: Content, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.sada.waterfall.HOME", "theory.kernel")
    found = waterfall_section(content)
    assert "could not be composed: ModuleNotFoundError" in found.words[0]


def test_a_step_that_makes_the_constant_larger_is_drawn_as_a_loss() -> None:
    root = ElementTree.fromstring(cascade([("up", 1.0, 3.0), ("down", 3.0, 0.5)]))
    kinds = [r.attrib["class"] for r in root.iter("{http://www.w3.org/2000/svg}rect") if "soft" in r.attrib["class"]]
    assert kinds == ["bad soft", "good soft"]
    assert "×3" in "".join(root.itertext())
    assert "÷6" in "".join(root.itertext())


def test_a_waterfall_has_an_axis_and_leads_to_its_lemmas(content: Content) -> None:
    figure = section(BODY, content, {}).figures[1]
    root = ElementTree.fromstring(figure.svg)
    words = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"10¹", "10²", "10³", "10⁴"} <= set(words)
    links = [a.attrib["href"] for a in root.iter("{http://www.w3.org/2000/svg}a")]
    assert links == ["#y", "#y", "#z"]
