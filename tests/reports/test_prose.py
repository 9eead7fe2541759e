"""Sentences: formulas in them are found and set, words stay words, nothing is lost and nothing is smuggled in."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.mathml.prose import Prose
from reports.site.typeset import Typesetter
from tests.sada import SADA, statements
from theory.reading.latex.notation import Notation
from theory.reading.numbers import about, bound, exactly, rounded_up

PROSE = Typesetter(SADA.notation).prose


def read(text: str) -> str:
    """What people see; formulas between brackets of their own, letters of all alphabets made plain."""
    marked = re.sub(r"<math>(.*?)</math>", lambda m: f"⟦{re.sub('<[^>]+>', '', m[1])}⟧", str(PROSE(text)))
    return unicodedata.normalize("NFKC", unescape(re.sub(r"<(?!/?code)[^>]+>", "", marked)))


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("T >= 8 sqrt(kt/(mu eta)) suffices", "⟦T≥8κ~/(μη)⟧ suffices"),
        ("L_l^2 is missing: E|r|_H^2 grows", "⟦Ll2⟧ is missing: ⟦E‖r‖H2⟧ grows"),
        ("about a tenth of tr(H^-1 Q), a 28th of tr Q.", "about a tenth of ⟦tr(H−1Q)⟧, a 28th of ⟦trQ⟧."),
        ("a = 1 allows R^2 = mu", "⟦a=1⟧ allows ⟦R2=μ⟧"),
        ("A definition; x~_0 and x* are points", "A definition; ⟦x~0⟧ and ⟦x∗⟧ are points"),
        ("for F = x^2/2 with alpha = 10^4", "for ⟦F=x2/2⟧ with ⟦α=104⟧"),
        ("lines 549-570, the 2-norm and lem:A-power-bound", "lines 549-570, the 2-norm and lem:A-power-bound"),
        ("Jensen's inequality, the i-th block", "Jensen's inequality, the i-th block"),
        ("From (1-theta)^(T/4) on", "From ⟦(1−θ)T/4⟧ on"),
        ("C~_t^(l) = O", "⟦C~t(l)=O⟧"),
        ("run `lemmalab check KEY` for `kt <= kappa`", "run <code>lemmalab check KEY</code> for ⟦κ~≤κ⟧"),
    ],
)
def test_mathematics_is_set_and_words_are_left_alone(typed: str, seen: str) -> None:
    assert read(typed) == seen


def test_code_and_markup_are_escaped() -> None:
    assert PROSE("run `make <b>` now & <img>") == "run <code>make &lt;b&gt;</code> now &amp; &lt;img&gt;"
    assert "<script" not in PROSE("<script>alert(1)</script> `x<script>`")
    assert Prose(Notation())("plain words only.") == "plain words only."


def test_no_note_of_the_paper_is_left_with_keyboard_mathematics() -> None:
    """Words and summaries of every statement: hardly a sign or a code name is left outside the formulas."""
    left = []
    notes = [w for s in statements().values() for w in (s.summary, *(c.words for c in s.checks))]
    for note in filter(None, notes):
        outside = re.sub(r"<math>.*?</math>|<code>.*?</code>", "", str(PROSE(note)))
        if re.search(
            r"[_^=]|&[lg]t;|\b(kt|lam|eta|theta|Sigma|sqrt|alpha|kappa)\b", re.sub(r"\w+:[\w/#.-]+", "", outside)
        ):
            left.append(note)
    assert len(left) <= len(notes) // 50, left


def test_no_letter_of_a_note_is_lost() -> None:
    """Greek is spelled and accents are drawn, but digits stay what they are."""
    for statement in statements().values():
        for check in statement.checks:
            digits = re.sub(r"\D", "", unicodedata.normalize("NFKC", check.words))
            shown = unicodedata.normalize("NFKC", unescape(re.sub(r"<[^>]+>", "", str(PROSE(check.words)))))
            assert re.sub(r"\D", "", shown) == digits, check.key


@pytest.mark.parametrize(
    ("value", "shown"), [("138240", "138240"), ("100/3", "33.34"), ("1/3", "0.3334"), ("57/4", "14.25"), ("0", "0")]
)
def test_a_bound_is_rounded_up(value: str, shown: str) -> None:
    assert bound(value) == shown


def test_exact_values_stay_exact_while_they_are_short() -> None:
    assert exactly("1/256") == "1/256"
    assert exactly("123456789/1000000007") == r"123456789/1000000007 \approx 0.12346"
    assert exactly("no number") == "no number"
    assert about("2/3", 3) == "0.667"


def test_one_rule_rounds_for_pages_pictures_and_the_theorem() -> None:
    assert rounded_up(Fraction(1425, 100), 1) == "14.3"
    assert rounded_up(Fraction(-1425, 100), 1) == "-14.2"
    assert rounded_up(Fraction(3, 2), 2) == "1.50"
    assert rounded_up(Fraction(5), 0) == "5"


@given(st.fractions(min_value=-(10**9), max_value=10**9), st.integers(1, 6))
def test_no_bound_is_shown_below_what_it_bounds(value: Fraction, digits: int) -> None:
    shown = Fraction(bound(value, digits))
    assert value <= shown
    assert shown - value <= abs(value) * Fraction(10, 10**digits) or shown - value < 1


@pytest.mark.parametrize(
    ("value", "shown"), [(-0.00025, "−2.5·10⁻⁴"), (1e9, "10⁹"), (-0.5, "−0.5"), (0.66666, "0.6667"), (-0.0, "0")]
)
def test_a_value_that_bounds_nothing_is_rounded_to_the_nearest(value: float, shown: str) -> None:
    assert about(value) == shown
