"""The theorem in formulas on the page: only what is proved, with the numbers that are composed."""

from __future__ import annotations

from reports.sada.theorem import ARGUED, SHARPER, formula, lines
from reports.site.tables import Held
from theory.papers.sada.composition import implied, sharper

GIVES = Held((), "", ("excess <= 138240*a/n + 368640*b/n",))
OURS = Held((), "", ("excess <= 12160/7*a/n + 38912/21*b/n",))


def test_only_proved_forms_are_shown() -> None:
    assert [line.key for line in lines({ARGUED: GIVES})] == [ARGUED]
    assert [line.key for line in lines({SHARPER: OURS, ARGUED: GIVES})] == [ARGUED, SHARPER]
    assert not list(lines({}))


def test_a_form_whose_claim_states_other_numbers_is_not_shown() -> None:
    assert not list(lines({ARGUED: OURS, SHARPER: GIVES}))


def test_the_numbers_are_those_of_the_composition() -> None:
    assert str(implied().statistical) in formula(implied())
    assert str(implied().coupling) in formula(implied())


def test_the_sharper_constants_stand_as_exact_fractions() -> None:
    shown = formula(sharper())
    assert r"\frac{12160}{7}\," in shown
    assert r"\frac{38912}{21}\," in shown
