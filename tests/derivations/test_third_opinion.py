"""Each derived object beside the recursion itself: 50 digits at random parameters, in all regimes, at all borders."""

from __future__ import annotations

import random

import mpmath
import pytest
import sympy

from theory.derivation.opinion import DIGITS, GUARD, agreement
from theory.papers.sada.derivations import _draws as draws
from theory.papers.sada.derivations import _runs as runs
from theory.papers.sada.derivations.catalogue import derivations, third_opinion
from theory.papers.sada.derivations.tail import closed_form

BORDERS = {"just below lambda_L", "just above lambda_L", "just below lambda_U", "just above lambda_U"}
LIMITS = {"theta -> 0", "eta lambda -> 0"}
REGIMES = {"lambda below lambda_L", "lambda between lambda_L and lambda_U", "lambda above lambda_U"}


@pytest.mark.parametrize("name", derivations())
@pytest.mark.parametrize("seed", [0, 1])
def test_the_formula_agrees_with_the_run_to_fifty_digits(name: str, seed: int) -> None:
    found = third_opinion(name, seed)
    assert found
    worst = min(found, key=lambda one: one.digits)
    assert worst.digits >= DIGITS, f"{worst.digits:.1f} digits, {worst.where}"


@pytest.mark.parametrize("family", ["inner", "pairs"])
def test_the_points_lie_in_every_regime_and_at_every_border(family: str) -> None:
    with mpmath.workdps(DIGITS + GUARD):
        points = list(draws.FAMILIES[family](random.Random(7)))
        assert {where for where, _ in points} == BORDERS | LIMITS | REGIMES
        for where, v in points:
            low, high = draws.critical(v)
            assert 0 < low < high
            assert v["eta"] * v["lam"] < 1
            if where in REGIMES:
                inside = {"below lambda_L": v["lam"] < low, "between": low < v["lam"] < high, "above": v["lam"] > high}
                assert next(value for key, value in inside.items() if key in where)
                sign = draws.discriminant(v, v["lam"])
                assert (sign < 0) == ("between" in where)


@pytest.mark.parametrize("half", [1, 2, 3, 5])
def test_the_tail_variance_for_every_horizon_is_the_double_sum_of_its_definition(half: int) -> None:
    with mpmath.workdps(DIGITS + GUARD):
        for where, v in draws.inner(random.Random(half), 1):
            truth = runs.tail_variance(v, 2 * half)
            assert abs(closed_form(v, half) - truth) <= mpmath.mpf(10) ** -DIGITS * abs(truth), where


def test_a_wrong_formula_has_few_digits() -> None:
    import dataclasses

    right = derivations()["Pi_22"]
    wrong = dataclasses.replace(right, derived=right.derived * (1 + sympy.Rational(1, 10**20)))
    with mpmath.workdps(DIGITS + GUARD):
        points = list(draws.inner(random.Random(0), 1))
    assert max(one.digits for one in agreement(wrong, points)) < 21
