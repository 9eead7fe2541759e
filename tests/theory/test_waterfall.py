"""The constants of the theorem are those of the claims that it cites: composed, and proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest

from reports.sada.claims import PROJECT, held, shipped
from tests.sada import checks
from theory.kernel import Verdict
from theory.papers.sada.composition import (
    Column,
    beyond,
    columns,
    gain,
    implied,
    ours,
    printed,
    said,
    sharper,
    to_json,
    waterfall,
)
from theory.papers.sada.outer_loop._end_to_end import ARGUED, NEAR, OURS, SHARPER, Chain


def test_the_printed_column_is_what_the_paper_prints() -> None:
    (display,) = (one for one in PROJECT.paper.displays if one.id == "disp:1851")
    assert rf"\frac{{{printed().statistical}\alpha\operatorname{{tr}}(\mathbf{{H}}^{{-1}}" in display.formula
    assert rf"\frac{{{printed().coupling}\alpha\eta" in display.formula
    assert rf"\leq\frac{{{printed().start.numerator}}}{{{printed().start.denominator}}}\exp" in display.formula
    assert printed().statistical == 46080
    assert printed().coupling == 122880
    assert printed().start == Fraction(5, 3)


def test_the_papers_own_argument_gives_three_times_the_printed_constants() -> None:
    assert implied().statistical == 3 * 46080 == 138240
    assert implied().coupling == 3 * 122880 == 368640


def test_the_sharper_constants_are_far_below_the_printed_ones() -> None:
    assert sharper().statistical == Fraction(12160, 7) < printed().statistical / 26
    assert sharper().coupling == Fraction(38912, 21) < printed().coupling / 66


def test_our_algorithm_has_half_of_the_sharper_constants() -> None:
    assert ours().statistical == Fraction(38400, 49) < printed().statistical / 58
    assert ours().coupling == Fraction(40960, 49) < printed().coupling / 146


@pytest.mark.parametrize(("role", "column"), [("repaired", implied()), ("sharper", sharper()), ("sharper", ours())])
def test_the_pieces_of_the_variance_multiply_to_the_constant_of_its_bound(role: str, column: Column) -> None:
    near, far = map(Fraction, NEAR[role])
    assert (column.near, column["f"]) == (near, far)


def test_every_number_names_a_check_of_the_registry() -> None:
    known = checks()
    for column in (*columns(), ours()):
        for constant in column.constants:
            assert constant.key in known, f"{column.name}: {constant.symbol} is from {constant.key}, which is no check"


def test_a_number_that_no_claim_says_is_refused() -> None:
    assert said("lem:Pi-average-bound", "#*tr(inv(Sigma) @ M)/(2*n)") == 64
    with pytest.raises(ValueError, match="0 times on its right side"):
        said("lem:Pi-average-bound", "#*tr(inv(Sigma) @ Q)")


def test_a_claim_that_says_another_number_moves_the_column(monkeypatch: pytest.MonkeyPatch) -> None:
    check = checks()["lem:Pi-average-bound"]
    (says,) = check.claim.says
    weaker = replace(check, claim=replace(check.claim, says=(says.replace("64", "65"),)))
    monkeypatch.setattr(type(PROJECT), "find", lambda self, key: weaker if key == check.key else checks()[key])
    implied.cache_clear()
    try:
        moved = implied()
        assert (moved["A"], moved["1+g"]) == (65, Fraction(960, 5 * 65))  # the bound on v is another claim's
    finally:
        implied.cache_clear()


CHAINS = [(ARGUED, implied()), (OURS, sharper()), (SHARPER, ours())]


@pytest.mark.parametrize(("links", "column"), CHAINS, ids=[column.name for _, column in CHAINS])
def test_the_numbers_that_the_claims_say_are_those_of_the_chain_of_the_theorem(links: Chain, column: Column) -> None:
    assert (column.statistical, column.coupling) == links.constants
    assert column.rate == Fraction(links.rate)
    first, slope = links.start.strip("()").split(" + top/")
    assert Fraction(first) + Fraction(1, 3) / int(slope) <= column.start, "theta_max <= 1/3, as 12 theta_max^2 <= 1"


@pytest.mark.parametrize("column", [implied(), sharper(), ours()], ids=lambda c: c.name)
def test_no_implied_or_sharper_number_is_from_a_refuted_check(column: Column) -> None:
    for constant in column.constants:
        assert checks()[constant.key].expect is Verdict.PROVED


READINGS = {
    "thm:full-glm/repaired": printed(),
    "thm:full-glm/repaired#as the paper argues": implied(),
    "thm:full-glm/sharper#the algorithm as printed": sharper(),
    "thm:full-glm/sharper#our algorithm": ours(),
}


@pytest.mark.parametrize("key", list(READINGS)[1:])
def test_every_number_of_a_column_is_of_a_claim_that_its_theorem_cites(key: str) -> None:
    known, below, todo = shipped(key).by_key(), set[str](), [key]
    while todo:
        cited = todo.pop()
        if cited not in below:
            below.add(cited)
            todo += known[cited].judgement.cites
    assert {one.key for one in READINGS[key].constants} <= below


@pytest.mark.parametrize("key", READINGS)
def test_the_theorem_says_what_the_composition_gives(key: str) -> None:
    (says,) = checks()[key].claim.says
    assert f"{READINGS[key].statistical}*alpha*(tr(inv(Sigma) @ Q)/Ll)" in says
    assert f"{READINGS[key].coupling}*alpha*step*kt*tr(Q)" in says


@pytest.mark.parametrize("key", READINGS)
def test_no_reading_of_the_theorem_has_a_link(key: str) -> None:
    assert not held(key)[key].links


def test_the_factors_of_the_waterfall_lead_from_printed_to_sharper() -> None:
    drops = waterfall()
    assert drops[0].before == printed().statistical
    assert drops[-1].after == sharper().statistical
    for one, following in pairwise(drops):
        assert one.after == following.before
    assert prod(d.factor for d in drops if d.stage == "implied") == Fraction(1, 3)
    assert prod(d.factor for d in drops if d.stage == "sharper") == gain()
    assert all(d.factor > 1 for d in drops if d.stage == "sharper"), "a sharper reading that loses"


def test_our_algorithm_gains_by_the_noise_of_an_outer_step_alone() -> None:
    (drop,) = beyond()
    assert (drop.new.symbol, drop.factor) == ("c", Fraction(133, 60))
    assert (drop.before, drop.after) == (sharper().statistical, ours().statistical)


def test_the_json_holds_three_columns_that_of_our_algorithm_and_every_drop() -> None:
    body = to_json()
    assert [column["name"] for column in body["columns"]] == ["printed", "implied", "sharper"]
    assert body["other"]["name"] == "our algorithm"
    assert len(body["drops"]) == len(waterfall())
    assert len(body["beyond"]) == len(beyond())
    assert Fraction(body["gain"]) == gain()
