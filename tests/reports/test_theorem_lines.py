"""The theorem in formulas on the page: only what is proved, with the numbers that are composed."""

from __future__ import annotations

from fractions import Fraction

from reports.sada.theorem import REPAIRED, SHARPER, formula, lines
from theory.papers.sada.composition import implied, sharper


def test_only_proved_forms_are_shown() -> None:
    assert [line.key for line in lines([REPAIRED])] == [REPAIRED]
    assert [line.key for line in lines([SHARPER, REPAIRED])] == [REPAIRED, SHARPER]
    assert not list(lines([]))


def test_the_numbers_are_those_of_the_composition() -> None:
    assert str(implied().statistical) in formula(implied())
    assert str(implied().coupling) in formula(implied())


def test_a_rounded_constant_is_never_smaller_than_the_proved_one() -> None:
    shown = formula(sharper())
    first = shown.split(r"+\frac{")[1].split(r"\,")[0]
    assert 0 <= Fraction(first) - sharper().statistical < Fraction(1, 100)
