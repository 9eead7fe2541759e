"""The table of symbols: one name per meaning, lazy sympy symbols with the stated assumptions."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
import sympy

from tests.sada import symbol, symbols
from theory.claims import symbols as module
from theory.claims.symbols import Weight
from theory.detectors.shapes import SHAPES


def sympy_symbol(name: str) -> Any:
    return module.sympy_symbol(symbol(name))


def test_every_symbol_has_a_meaning_a_latex_form_and_a_known_shape() -> None:
    for entry in symbols().values():
        assert entry.meaning, entry.name
        assert entry.latex, entry.name
        assert entry.shape in SHAPES, entry.name
        assert set(entry.args) <= {"point", "prediction", "label", "any"}, entry.name


def test_two_symbols_with_the_same_latex_say_where_each_of_them_holds() -> None:
    by_latex: dict[str, list[str]] = {}
    for entry in symbols().values():
        by_latex.setdefault(entry.latex, []).append(entry.name)
    shared = {latex: names for latex, names in by_latex.items() if len(names) > 1}
    assert {"L", "B", "M", "A", r"\delta", r"\ell", r"\sigma^2", "c"} - set(shared) <= {"M", "A"}
    for names in shared.values():
        without_place = [name for name in names if not symbol(name).where]
        assert len(without_place) <= 1, names


def test_sympy_symbols_carry_the_assumptions_of_the_table() -> None:
    eta = sympy_symbol("eta")
    assert eta.is_positive
    assert sympy_symbol("T").is_integer
    assert sympy_symbol("b").is_real
    assert sympy_symbol("b").is_positive is None
    assert sympy_symbol("eta") is eta
    for entry in symbols().values():
        built = sympy_symbol(entry.name)
        if entry.shape == "1" and not entry.args:
            assert all(getattr(built, f"is_{assumption}") for assumption in entry.assumptions), entry.name


def test_vectors_and_matrices_become_matrix_symbols_and_functions_become_functions() -> None:
    d = sympy_symbol("d")
    assert sympy_symbol("Sigma").shape == (d, d)
    assert sympy_symbol("eta_vec").shape == (2 * d, 1)
    assert sympy_symbol("A_i").shape == (2, 2)
    assert isinstance(sympy_symbol("F"), type(sympy.Function("F")))


def test_reading_the_table_does_not_import_sympy() -> None:
    read = "import sys; from theory.project import project; project('sada').symbols['eta']"
    code = f"{read}; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_symbol_is_refused_with_close_names() -> None:
    with pytest.raises(KeyError, match=r"'kapa_tilde'.*kappa_tilde"):
        symbol("kapa_tilde")


def test_weights_add_scale_and_print() -> None:
    one = Weight.of({"s": 2, "r": 1, "z": -2})
    assert one - one == Weight()
    assert not (one - one)
    assert one.times(Fraction(1, 2))["r"] == Fraction(1, 2)
    assert str(one) == "r s^2 z^-2"
    assert str(Weight()) == "1"
    assert Weight.of({"s": 0}) == Weight()
