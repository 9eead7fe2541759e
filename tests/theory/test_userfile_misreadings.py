"""What a user writes is what is judged: decimals, names and assumptions of sympy are not changed on the way."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from theory import lemma
from theory.examples import prepared
from theory.kernel import Malformed, Verdict
from theory.referee import referee

DUMMY, FREE = sympy.Dummy("i"), sympy.Symbol("i", real=True)
COUNT, REAL = sympy.Symbol("m", integer=True, nonnegative=True), sympy.Symbol("r", real=True)


def test_decimals_in_a_chain_are_exact() -> None:
    assert lemma("0 <= 1 <= 0.99999999999999999999").claim.says == ("0 <= 1", "1 <= 0.99999999999999999999")
    for one in (
        lemma("0 <= 1 <= 0.99999999999999999999"),
        lemma("x <= 1", given="0 <= x <= 1.00000000000000000001"),
    ):
        assert referee(prepared(one), {})[1].verdict is Verdict.REFUTED


def test_a_bound_and_a_free_symbol_of_one_name_are_refused() -> None:
    equation = sympy.Eq(sympy.Sum(DUMMY * FREE, (DUMMY, 1, COUNT)), sympy.Sum(DUMMY**2, (DUMMY, 1, COUNT)))
    with pytest.raises(Malformed, match="two different symbols are called i"):
        lemma(equation)


@pytest.mark.parametrize("assumption", ["even", "odd", "prime", "composite", "irrational", "zero", "noninteger"])
def test_an_assumption_that_is_not_in_the_language_is_refused(assumption: str) -> None:
    symbol: Any = sympy.Symbol("n", **{assumption: True})
    with pytest.raises(Malformed, match=r"is not in the language|may be negative"):
        lemma(sympy.Ge(REAL**2 * symbol**2 + REAL, REAL, evaluate=False))


def test_two_names_that_are_read_alike_are_refused() -> None:
    with pytest.raises(Malformed, match="read alike"):
        lemma("x_1 <= 1", where={"x_{1}": "2", "x_1": "1"})
