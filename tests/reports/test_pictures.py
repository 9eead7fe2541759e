"""Pictures of the report: whole, described in words, and true to their numbers."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest

from reports.charts import Row, Span, bars, spans
from reports.layout import layers, layout
from theory.reading.numbers import about, ratio

SVG = "{http://www.w3.org/2000/svg}"


def shapes(svg: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{name}"))


def marks(svg: str, name: str) -> list[ElementTree.Element]:
    return [one for one in shapes(svg, "svg") if one.attrib.get("class") == name]


def test_spans_stand_in_the_order_of_their_values_on_one_axis() -> None:
    rows = [Row(f"row {v}", (Span(0, v / 2, v, "tip"),)) for v in (1e-4, 0.5, 3.0)]
    places = [float(one.attrib["x"].rstrip("%")) for one in marks(spans(rows, "words"), "k0")]
    assert places[1:] == sorted(places[1:])  # the first is the legend's
    assert len(places) == 4


def test_a_value_on_the_bound_is_not_called_false_and_a_witness_is() -> None:
    holds = spans([Row("a", (Span(0, 0.5, 1.0, "x"),))], "words")
    fails = spans([Row("a", (Span(0, 0.5, 1.0, "x", True, 1.5),))], "words")
    assert not marks(holds, "fail")
    assert len(marks(fails, "fail")) == 2


def test_a_row_without_data_says_so_and_draws_nothing() -> None:
    svg = spans([Row("a", (), note="no data: compared with zero")], "words")
    assert "no data: compared with zero" in svg
    assert not [line for line in shapes(svg, "line") if "span" in line.attrib["class"]]


def test_a_value_beyond_the_axis_is_an_arrow_at_its_end() -> None:
    svg = spans([Row("a", (Span(0, 1.0, 1e143, "x", True),))], "words")
    (arrow,) = marks(svg, "fail")
    assert arrow.attrib["x"] == "100.00%"
    assert "nan" not in svg


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "no data"),
        (0.12345, "0.123"),
        (0.99999, "1 − 10⁻⁵"),
        (1.0, "1"),
        (1.0001, "1 + 10⁻⁴"),
        (2e-8, "2·10⁻⁸"),
    ],
)
def test_a_ratio_is_never_rounded_to_the_bound(value: float | None, words: str) -> None:
    assert ratio(value) == words


def test_bars_grow_with_their_values() -> None:
    svg = bars([("a", 1.0), ("b", 100.0), ("c", 46080.0)])
    widths = [float(r.attrib["width"]) for r in shapes(svg, "rect") if "good" in r.attrib.get("class", "")]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_labels_are_escaped() -> None:
    assert "<b>" not in spans([Row("<b>", (Span(0, 0.5, 0.5, "<b>"),)), Row("<b>", (), "<b>", "<b>")], "<b>")
    assert "<b>" not in bars([("<b>", 1.0)])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"),
        (0.25, "0.25"),
        (46080.0, "46080"),
        (12345.6, "12350"),
        (1e-7, "10⁻⁷"),
        (math.inf, "∞"),
        (math.nan, "no number"),
    ],
)
def test_numbers_are_short(value: float, words: str) -> None:
    assert about(value) == words


def test_what_is_used_stands_left_of_what_uses_it() -> None:
    parents = {"b": ["a"], "c": ["a", "b"], "d": []}
    spots = layout(["a", "b", "c", "d"], parents)
    for child, above in parents.items():
        for parent in above:
            assert spots[parent].layer < spots[child].layer


def test_no_two_statements_share_a_spot() -> None:
    names = [f"n{i}" for i in range(40)]
    spots = layout(names, {n: names[max(0, i - 2) : i] if i % 3 == 0 else [] for i, n in enumerate(names)})
    assert len({(s.layer, s.row) for s in spots.values()}) == 40


def test_a_circle_does_not_hang_the_layout() -> None:
    assert set(layers(["a", "b"], {"a": ["b"], "b": ["a"]})) == {"a", "b"}


def test_a_picture_without_data_is_still_a_picture() -> None:
    for svg in (spans([], ""), bars([])):
        assert re.match(r"<svg ", svg)
        ElementTree.fromstring(svg)
