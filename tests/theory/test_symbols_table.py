"""The table of symbols: one name per meaning, lazy sympy symbols with the stated assumptions."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from tests.sada import symbol, symbols
from theory.claims.symbols import Weight


def test_every_symbol_has_a_meaning_a_latex_form_and_a_known_shape() -> None:
    for entry in symbols().values():
        assert entry.meaning, entry.name
        assert entry.latex, entry.name
        assert entry.shape in ("1", "d", "2d", "2", "dxd", "2dx2d", "2x2", "?"), entry.name
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
