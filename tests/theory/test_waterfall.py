"""The constants of the theorem are those of the claims that it cites: composed, and proved."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest

from reports.sada.claims import PROJECT, held
from tests.sada import checks
from theory.kernel import Verdict
from theory.ledger import store
from theory.papers.sada.composition import Column, columns, gain, implied, printed, sharper, to_json, waterfall
from theory.papers.sada.outer_loop._end_to_end import NEAR


def test_the_printed_column_is_what_the_paper_prints() -> None:
    assert printed().statistical == 46080
    assert printed().coupling == 122880
    assert printed().start == Fraction(5, 3)


def test_the_papers_own_argument_gives_three_times_the_printed_constants() -> None:
    assert implied().statistical == 3 * 46080 == 138240
    assert implied().coupling == 3 * 122880 == 368640


def test_the_sharper_constants_are_far_below_the_printed_ones() -> None:
    assert sharper().statistical == Fraction(12160, 7) < printed().statistical / 26
    assert sharper().coupling == Fraction(38912, 21) < printed().coupling / 66


@pytest.mark.parametrize(("role", "column"), [("repaired", implied()), ("sharper", sharper())])
def test_the_pieces_of_the_variance_multiply_to_the_constant_of_its_bound(role: str, column: Column) -> None:
    near, far = map(Fraction, NEAR[role])
    assert (column.near, column["f"]) == (near, far)


def test_every_number_names_a_check_of_the_registry() -> None:
    known = checks()
    for column in columns():
        for constant in column.constants:
            assert constant.key in known, f"{column.name}: {constant.symbol} is from {constant.key}, which is no check"


@pytest.mark.parametrize("column", [implied(), sharper()], ids=lambda c: c.name)
def test_no_implied_or_sharper_number_is_from_a_refuted_check(column: Column) -> None:
    for constant in column.constants:
        assert checks()[constant.key].expect is Verdict.PROVED


def test_every_number_of_the_sharper_column_is_of_a_claim_that_the_theorem_cites() -> None:
    below, todo = set[str](), ["thm:full-glm/sharper#the algorithm as printed"]
    while todo:
        key = todo.pop()
        if key not in below:
            below.add(key)
            todo += store.read(PROJECT.file("proofs"), PROJECT.owner(key))[key].judgement.cites
    assert {one.key for one in sharper().constants} <= below


READINGS = {
    "thm:full-glm/repaired": printed(),
    "thm:full-glm/repaired#as the paper argues": implied(),
    "thm:full-glm/sharper#the algorithm as printed": sharper(),
}


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


def test_the_json_holds_three_columns_and_every_drop() -> None:
    body = to_json()
    assert [column["name"] for column in body["columns"]] == ["printed", "implied", "sharper"]
    assert len(body["drops"]) == len(waterfall())
    assert Fraction(body["gain"]) == gain()
