"""The chart maker: well-formed, escaped, on scale, and silent about what cannot be drawn."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from reports.charts import Axis, Chart, Level, Series, draw

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*series: Series, **more: object) -> ET.Element:
    return ET.fromstring(draw(Chart("t", "x", "y", series, **more)))  # type: ignore[arg-type]


def curves(root: ET.Element) -> list[list[tuple[float, float]]]:
    lines = [line for line in root.iter(f"{SVG}polyline") if "curve" in line.attrib["class"]]
    return [[(float(a), float(b)) for a, b in (p.split(",") for p in line.attrib["points"].split())] for line in lines]


def test_names_and_titles_are_escaped() -> None:
    nasty = "<script>&\"'"
    svg = draw(Chart(nasty, nasty, nasty, (Series(nasty, [1, 2], [1, 2]), Series("b", [1], [1]))))
    assert "<script>" not in svg
    texts = [node.text for node in ET.fromstring(svg).iter(f"{SVG}text")]
    assert texts.count(nasty) == 4  # title, both labels, legend


def test_a_power_law_is_straight_on_logarithmic_axes() -> None:
    x = [10.0**k for k in range(6)]
    (line,) = curves(drawn(Series("a", x, [3 / v**2 for v in x]), log_x=True, log_y=True))
    slopes = [(b1 - b0) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(line)]
    assert max(slopes) - min(slopes) < 1e-2 * max(slopes)
    assert min(slopes) > 0, "pixels run downwards"


def test_a_gap_interrupts_the_line() -> None:
    for bad in (math.nan, math.inf, 0.0, -1.0):
        root = drawn(Series("a", [1, 2, 3, 4, 5], [1, 2, bad, 4, 5]), log_y=True)
        assert [len(line) for line in curves(root)] == [2, 2]
        assert "nan" not in ET.tostring(root, "unicode").lower().replace("nance", "")


def test_a_band_encloses_its_curve() -> None:
    root = drawn(Series("a", [1, 2, 3], [5, 6, 7], [4, 5, 6], [6, 7, 8]))
    (band,) = root.iter(f"{SVG}polygon")
    corners = [float(p.split(",")[1]) for p in band.attrib["points"].split()]
    (line,) = curves(root)
    for k, (_, y) in enumerate(line):
        assert corners[k] < y < corners[-1 - k]


def test_a_curve_that_does_not_scale_leaves_the_others_readable() -> None:
    tight = curves(drawn(Series("a", [1, 2], [1, 2]), Series("b", [1, 2], [1e9, 1e9], scales=False)))[0]
    alone = curves(drawn(Series("a", [1, 2], [1, 2]), Series("b", [1, 2], [1, 2])))[0]
    assert tight == alone


def test_levels_outside_the_picture_are_left_out() -> None:
    shown = Series("a", [1, 10], [1, 10])
    inside, outside = (drawn(shown, levels=(Level(v, "target"),)) for v in (5.0, 5e3))
    labels = [[node.text for node in root.iter(f"{SVG}text")] for root in (inside, outside)]
    assert "target" in labels[0]
    assert "target" not in labels[1]


@pytest.mark.parametrize("values", [[], [3.0], [0.0, 0.0], [1e-300, 1e300], [-5.0, 5.0]])
@pytest.mark.parametrize("log", [False, True])
def test_any_data_give_a_well_formed_picture(values: list[float], log: bool) -> None:
    root = drawn(Series("a", list(range(len(values))), values), log_x=log, log_y=log)
    numbers = re.findall(r"-?\d+\.\d", ET.tostring(root, "unicode"))
    assert all(abs(float(n)) < 1e5 for n in numbers)


def test_an_axis_maps_its_ends_to_its_ends() -> None:
    linear, log = Axis(1, 5, False, 10, 90), Axis(0.1, 1000, True, 90, 10)
    assert [linear.at(v) for v in (1, 3, 5)] == [10, 50, 90]
    assert [log.at(v) for v in (0.1, 10, 1000)] == [90, 50, 10]
    assert log.at(0) is None
    assert log.at(float("nan")) is None


def read(label: str) -> float:
    """10⁻¹² as a number."""
    plain = label.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(f"1e{plain[2:]}") if plain != label else float(label)


def test_ticks_lie_on_the_axis_and_are_few() -> None:
    for low, high in ((1e-12, 1e3), (0.9, 7.0), (1.0, 100.0)):
        ticks = Axis(low, high, True, 0, 1).ticks()
        assert 2 <= len(ticks) <= 12
        assert all(low * 0.999 <= value <= high * 1.001 for value, _ in ticks)
        assert all(read(label) == pytest.approx(value) for value, label in ticks)
    for low, high in ((0.0, 1.0), (-3.7, 12.2), (1e6, 1.00001e6)):
        ticks = Axis(low, high, False, 0, 1).ticks()
        assert 3 <= len(ticks) <= 9


def test_lengths_that_differ_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="series 'a': 1 values of y for 2 of x"):
        Series("a", [1, 2], [1])
    with pytest.raises(ValueError, match="both low and high"):
        Series("a", [1], [1], low=[0])


def test_the_picture_is_readable_in_dark_mode_and_takes_the_colours_of_its_page() -> None:
    svg = draw(Chart("t", "x", "y", (Series("a", [1, 2], [1, 2]),)))
    assert "prefers-color-scheme:dark" in svg
    assert "var(--figure-ink,#222)" in svg
    body = svg.split("</style>")[1]
    assert not re.search(r'(fill|stroke)="#', body), "no mark has a colour of its own"
