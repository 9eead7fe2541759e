"""What a user writes is what is judged: decimals, names and assumptions of sympy are not changed on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sympy

from theory import lemma
from theory.claims.userfile import UserFileError, load_file, load_files
from theory.kernel import Malformed, Verdict
from theory.ledger.examples import prepared
from theory.ledger.referee import referee

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
    with pytest.raises(Malformed, match=r"is not in the language|may be negative|and not real"):
        lemma(sympy.Ge(REAL**2 * symbol**2 + REAL, REAL, evaluate=False))


def test_two_names_that_are_read_alike_are_refused() -> None:
    with pytest.raises(Malformed, match="read alike"):
        lemma("x_1 <= 1", where={"x_{1}": "2", "x_1": "1"})


def test_a_lemma_that_is_overwritten_is_not_lost_silently(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from theory import lemma\na = lemma('x**2 >= 1')\na = lemma('x**2 >= 0')\n")
    with pytest.raises(UserFileError, match=r"x\*\*2 >= 1.*no name of its own"):
        load_file(file)


def test_a_name_in_two_files_is_refused(tmp_path: Path) -> None:
    for name, says in (("m", "x**2 >= 1"), ("n", "x**2 >= 0")):
        (tmp_path / f"{name}.py").write_text(f"from theory import lemma\na = lemma('{says}')\n")
    with pytest.raises(UserFileError, match="a is declared in another file too"):
        load_files([tmp_path / "m.py", tmp_path / "n.py"])


@pytest.mark.parametrize(
    "source", ["v[1/2] == 1", "v[0.5] == 1", "x[1, 3/2 - 1] >= 0", "sum(i, 1, n, v[i]*v[-7/2]) == 0"]
)
def test_an_index_that_is_no_integer_is_refused(source: str) -> None:
    with pytest.raises(Malformed, match="an index is an integer"):
        lemma(source, naturals=["n"])


@pytest.mark.parametrize("source", ["v[4/2] <= 1", "v[1 - 1/1] <= 1", "v[n/2] <= 1", "v[1]/2 <= 1.5"])
def test_an_index_that_may_be_an_integer_is_none_of_these(source: str) -> None:
    assert lemma(source, naturals=["n"]).claim.says
