"""Pictures of the report: whole, described in words, and true to their numbers."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest

from reports.charts import Dot, bars, heat, number, strip
from reports.layout import layers, layout

SVG = "{http://www.w3.org/2000/svg}"


def shapes(svg: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{name}"))


def test_a_strip_stands_the_dots_in_the_order_of_their_values() -> None:
    values = [1e-4, 0.5, 3.0]
    svg = strip([Dot("row", v, f"at {v}") for v in values], ())
    places = [float(c.attrib["cx"]) for c in shapes(svg, "circle")]
    assert places == sorted(places)
    assert len(places) == 3
    classes = [c.attrib["class"] for c in shapes(svg, "circle")]
    assert ["bad" in c for c in classes] == [False, False, True]


def test_a_strip_holds_zero_and_leaves_out_what_is_no_number() -> None:
    svg = strip([Dot("a", 0.0, "zero"), Dot("a", math.nan, "none"), Dot("a", 0.1, "some")], ("one", "two"))
    assert (
        len([c for c in shapes(svg, "circle") if (c.findtext(f"{SVG}title") or "").startswith(("zero", "some"))]) == 2
    )
    assert "nan" not in svg


def test_a_value_on_the_bound_is_not_called_false() -> None:
    assert "bad" not in strip([Dot("a", 1.0, "x")], ()).split("</style>")[1]


def test_a_heat_map_marks_exactly_what_is_above_one() -> None:
    svg = heat([1, 2], [1, 2, 3], [[0.1, 2.0], [math.nan, 1.0], [1e-9, 0.99]], "x", "y")
    assert len([r for r in shapes(svg, "rect") if r.attrib.get("class") == "bad"]) == 2  # the cell and the legend
    assert len([r for r in shapes(svg, "rect") if r.attrib.get("class") == "none"]) == 1
    root = ElementTree.fromstring(svg)
    assert "largest value is 2" in root.attrib["aria-label"]


def test_bars_grow_with_their_values() -> None:
    svg = bars([("a", 1.0), ("b", 100.0), ("c", 46080.0)])
    widths = [float(r.attrib["width"]) for r in shapes(svg, "rect") if "good" in r.attrib.get("class", "")]
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def test_labels_are_escaped() -> None:
    assert "<b>" not in strip([Dot("<b>", 0.5, "<b>")], ("<b>",))
    assert "<b>" not in heat([1], [1], [[0.5]], "<b>", "<b>")
    assert "<b>" not in bars([("<b>", 1.0)])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"),
        (0.25, "0.25"),
        (46080.0, "46080"),
        (12345.6, "1.23·10^4"),
        (1e-7, "1·10^-7"),
        (math.inf, "∞"),
        (math.nan, "no number"),
    ],
)
def test_numbers_are_short(value: float, words: str) -> None:
    assert number(value) == words


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
    for svg in (strip([], ()), bars([]), heat([], [], [], "x", "y")):
        assert re.match(r"<svg ", svg)
        ElementTree.fromstring(svg)
