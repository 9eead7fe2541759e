"""What the paper's designs observe: truths from the engine, every key a check, proved bounds never exceeded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sada import SADA
from theory.kernel import Verdict
from theory.papers.sada.designs import OBSERVERS, observations
from theory.papers.sada.designs.scenes import designs
from theory.ratios.gather import of_designs
from theory.ratios.sides import bound_of

HOLDS = (Verdict.PROVED, Verdict.SUPPORTED)


@pytest.mark.parametrize("id_", OBSERVERS)
def test_every_observed_check_exists_and_a_bound_that_is_proved_holds_on_every_design(id_: str) -> None:
    seen = list(observations(id_, 0))
    checks = {c.key: c for c in SADA.statements[id_].checks}
    assert {one.key for one in seen} <= set(checks)
    for key in dict.fromkeys(one.key for one in seen):
        found = of_designs(checks[key], [one for one in seen if one.key == key and one.counts])
        assert found.trials > 0, (key, found.missing)
        assert found.worst is not None
        if checks[key].expect in HOLDS:
            assert found.worst <= 1, (key, found.where, found.worst)
            assert not found.fails, (key, found.where)


@pytest.mark.parametrize("factor", [0.999999, 1.000001])
def test_an_identity_that_is_off_by_a_millionth_fails_on_either_side(factor: float) -> None:
    (check,) = (one for one in SADA.statements["lem:L-var"].checks if one.key == "lem:L-var")
    seen = list(observations("lem:L-var", 0))
    assert not of_designs(check, seen).fails
    wrong = of_designs(check, [*seen[1:], replace(seen[0], truth=factor * seen[0].truth)])
    assert wrong.fails
    assert wrong.where == seen[0].where


def test_the_bounds_that_lost_a_factor_fail_on_designs() -> None:
    for id_ in ("lem:L-var-C-tilde", "lem:var-tilde-C-bound", "lem:r-bound", "lem:inner-loop", "lem:outer-one-step"):
        seen = list(observations(id_, 0))
        refuted = [
            c for c in SADA.statements[id_].checks if c.expect is Verdict.REFUTED and c.key in {o.key for o in seen}
        ]
        assert refuted
        for check in refuted:
            assert of_designs(check, [o for o in seen if o.key == check.key]).fails, check.key


def test_the_families_that_were_asked_for_are_there_and_a_search_found_two_more() -> None:
    names = " ".join(name for name, _ in designs(0))
    for word in ("Gaussian", "one-hot", "Rademacher", "Student", "condition 1000", "found by a search"):
        assert word in names
    assert len(designs(0)) == 13


def test_the_variants_are_drawn_and_not_counted_and_the_printed_one_leaves_the_bound() -> None:
    seen = [one for one in observations("lem:v-bound", 0) if not one.counts]
    assert {one.curve for one in seen} == {"batches of 8", "SADA-UD as printed", "SADA-UD corrected", "SADA-WC"}
    last = {one.curve: one for one in seen if one.at == ("T", 2_000.0)}
    ratios = {name: one.truth / bound_of(SADA.find(one.key).claim, 0, one.values) for name, one in last.items()}
    assert ratios.pop("SADA-UD as printed") > 1
    assert max(ratios.values()) < 1
