"""The constants of the theorem are those of its lemmas: read off their formulas, composed, and proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import prod

import pytest

from tests.sada import checks
from theory.kernel import Verdict
from theory.kernel.lang import parse
from theory.papers.sada.composition import (
    Column,
    coefficient,
    columns,
    gain,
    implied,
    printed,
    sharper,
    to_json,
    waterfall,
)
from theory.papers.sada.composition.constants import reading
from theory.papers.sada.inner_loop import lem_v_bound
from theory.papers.sada.inner_loop._noise import TR_SIGMA_Q
from theory.papers.sada.outer_loop import lem_auxilary_recursion


def test_the_printed_column_is_what_the_paper_prints() -> None:
    assert printed().statistical == 46080
    assert printed().coupling == 122880
    assert printed().start == Fraction(5, 3)


def test_the_papers_own_argument_gives_three_times_the_printed_constants() -> None:
    assert implied().statistical == 3 * 46080 == 138240
    assert implied().coupling == 3 * 122880 == 368640


def test_the_sharper_constant_is_at_least_a_hundred_times_smaller() -> None:
    assert gain() >= 100
    assert sharper().coupling < implied().coupling / 100


def test_the_pieces_of_the_variance_multiply_to_the_constant_of_its_lemma() -> None:
    side = reading(lem_v_bound, "lem:v-bound/repaired").claim.goals[0].right
    assert coefficient(side, TR_SIGMA_Q, "2*(p+1)") == implied().near == 960


def test_every_number_names_a_check_of_the_registry() -> None:
    known = checks()
    for column in columns():
        for constant in column.constants:
            assert constant.key in known, f"{column.name}: {constant.symbol} is from {constant.key}, which is no check"


@pytest.mark.parametrize("column", [implied(), sharper()], ids=lambda c: c.name)
def test_no_implied_or_sharper_number_is_from_a_refuted_check(column: Column) -> None:
    for constant in column.constants:
        assert checks()[constant.key].expect is Verdict.PROVED


@pytest.mark.parametrize(("role", "column"), [("repaired", implied()), ("sharper", sharper())])
def test_the_theorem_says_what_the_composition_gives(role: str, column: Column) -> None:
    end = checks()[f"thm:full-glm/{role}"].claim.says[-1]
    assert f"{column.statistical}*alpha*(trSQ/Ll)" in end
    assert f"{column.coupling}*alpha*eta*kt*trQ" in end


def test_the_factors_of_the_waterfall_lead_from_printed_to_sharper() -> None:
    drops = waterfall()
    assert drops[0].before == printed().statistical
    assert drops[-1].after == sharper().statistical
    for one, following in pairwise(drops):
        assert one.after == following.before
    assert prod(d.factor for d in drops if d.stage == "implied") == Fraction(1, 3)
    assert prod(d.factor for d in drops if d.stage == "sharper") == gain()
    assert all(d.factor > 1 for d in drops if d.stage == "sharper"), "a sharper reading that loses"


def test_a_lemma_that_changes_changes_the_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    old = lem_auxilary_recursion.STATEMENT
    key = "lem:auxilary-recursion/sharper"
    worse = lem_auxilary_recursion.constant(10)
    changed = tuple(replace(c, claim=replace(c.claim, says=(worse,))) if c.key == key else c for c in old.checks)
    before = sharper().statistical
    monkeypatch.setattr(lem_auxilary_recursion, "STATEMENT", replace(old, checks=changed))
    sharper.cache_clear()
    try:
        assert sharper().statistical == before * Fraction(10, 8)
    finally:
        monkeypatch.undo()
        sharper.cache_clear()
    assert sharper().statistical == before


def test_a_factor_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="which is no number"):
        coefficient(parse("3*a*x + 1"), "x")
    assert coefficient(parse("3*a*x + 1"), "x", "1/a") == 3


def test_a_reading_that_does_not_exist_is_named() -> None:
    with pytest.raises(KeyError, match="lem:v-bound has no check 'lem:v-bound/best'"):
        reading(lem_v_bound, "lem:v-bound/best")


def test_the_json_holds_three_columns_and_every_drop() -> None:
    body = to_json()
    assert [column["name"] for column in body["columns"]] == ["printed", "implied", "sharper"]
    assert len(body["drops"]) == len(waterfall())
    assert Fraction(body["gain"]) == gain()
