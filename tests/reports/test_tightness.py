"""How close inequalities come to failing: exact at witnesses, silent where there is no number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reports.site.content import Content
from reports.site.tightness import tightness_figure, worst_ratio
from theory.ledger.judging import Ledger


def test_at_a_witness_the_ratio_is_exact(content: Content) -> None:
    assert worst_ratio(content.by_key["lem:bound"]) == 1.25


def test_without_a_witness_it_is_the_worst_of_the_search(content: Content) -> None:
    assert worst_ratio(content.by_key["lem:guess"]) == 0.99


def test_identities_have_none(content: Content) -> None:
    assert worst_ratio(content.by_key["lem:means/disp:2.2"]) is None


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (None, None),
        ({"worst": "inf"}, None),
        ({"worst": "no number"}, None),
        ({"worst": "0"}, 0.0),
        ({"relation": "a >= b", "left": "1", "right": "2"}, 2.0),
        ({"relation": "a <= b", "left": "1", "right": "-2"}, None),
        ({"relation": "a <= b", "left": "[['1']]", "right": "[['2']]"}, None),
        ({"relation": "a <= b", "left": "undefined", "right": "a divisor is zero"}, None),
    ],
)
def test_what_has_no_ratio_is_left_out(content: Content, told: dict[str, Any] | None, expected: float | None) -> None:
    assert worst_ratio(replace(content.by_key["lem:bound"], ratio=told)) == expected


def test_the_picture_holds_every_ratio_and_nothing_else(content: Content) -> None:
    figure = tightness_figure(content)
    assert figure is not None
    assert {row[1]: row[4] for row in figure.rows} == {"lem:bound": 1.25, "lem:guess": 0.99}


def test_a_ledger_without_ratios_has_no_picture(content: Content, ledger: Ledger) -> None:
    bare = replace(content, records=tuple(replace(r, ratio=None) for r in content.records))
    assert tightness_figure(bare) is None
