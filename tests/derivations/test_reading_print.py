"""A printed fragment is read as it stands, refused where it is not understood, and must stand in its display."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy

from theory.derivation.compare import compared, verdict_on
from theory.derivation.language import claim_text
from theory.derivation.tex import occurs, read
from theory.derivation.words import spoken
from theory.kernel import Malformed, Verdict
from theory.kernel.lang import parse
from theory.papers.sada.derivations.block import mean_block
from theory.papers.sada.derivations.catalogue import printed
from theory.papers.sada.derivations.symbols import LATEX

NAMES = {r"\eta": "eta", r"\lambda": "lam", r"\theta": "theta", "c": "c", "q": "q", "k": "k", "x": "x"}
READ = (
    (r"\frac{1-\theta}{1+\theta}", "(1-theta)/(1+theta)"),
    (r"-c\eta^2", "-(c*eta**2)"),
    (r"1/\theta + c", "1/theta + c"),
    (r"2/(c\theta)+k", "2/(c*theta)+k"),
    (r"x^{k-1}", "x**(k-1)"),
    (r"\left(\sqrt{q-c\eta}+1\right)^2", "(sqrt(q-c*eta)+1)**2"),
    (r"\eta q\cdot 3", "eta*q*3"),
    (r"\begin{pmatrix} 0 & 1-\eta\lambda \\ c & q \end{pmatrix}", "[[0, 1-eta*lam], [c, q]]"),
    (r"\frac{1}{\lambda}\begin{pmatrix} 1 \\ 1 \end{pmatrix}", "(1/lam)*[1, 1]"),
)


def plain(text: str) -> object:
    return text.replace("(", "").replace(")", "").replace(" ", "")


@pytest.mark.parametrize(("tex", "text"), READ)
def test_a_fragment_is_read_as_it_stands(tex: str, text: str) -> None:
    found = read(tex, NAMES)
    assert plain(found) == plain(text)
    if "[" not in text:
        assert sympy.sympify(found) == sympy.sympify(text)


@pytest.mark.parametrize("tex", [r"\xi", r"\frac{1}{2", r"c)", r"\begin{pmatrix} c", "c^", r"\|c\|", "C"])
def test_what_is_not_understood_is_refused_by_name(tex: str) -> None:
    with pytest.raises(Malformed):
        read(tex, NAMES)


def test_a_fragment_must_stand_in_its_display_letter_by_letter() -> None:
    assert occurs(r"1-\eta \lambda", r"\begin{pmatrix} 0 & 1-\eta\lambda \end{pmatrix}")
    one = mean_block()
    invented = replace(one.printed[1], tex=one.printed[1].tex.replace("c &", "-c &"))
    with pytest.raises(Malformed, match="disp:749 does not print"):
        compared(replace(one, printed=(invented,)), LATEX, printed())


@pytest.mark.parametrize(
    "expression",
    [
        sympy.Symbol("x") ** (sympy.Symbol("k", integer=True) + 2),
        -sympy.Symbol("a") / (1 - sympy.Symbol("b")) - sympy.Rational(2, 3),
        sympy.sqrt(sympy.Symbol("a")) ** 3,
        sympy.Matrix([[1, sympy.Symbol("a")], [0, -1]]),
    ],
)
def test_what_sympy_says_is_what_the_claim_says(expression: Any) -> None:
    text = claim_text(expression)
    parse(text)
    back = sympy.sympify(text)
    gap = (sympy.Matrix(back) if isinstance(back, list) else back) - expression
    numbers = {symbol: 2 + len(symbol.name) for symbol in gap.free_symbols}
    assert all(entry.subs(numbers) == 0 for entry in (gap if isinstance(gap, sympy.MatrixBase) else [gap]))


def test_another_form_of_the_same_object_passes_and_another_object_does_not() -> None:
    one = mean_block()
    shuffled = one.derived.applyfunc(lambda entry: sympy.expand(sympy.together(entry)))
    assert verdict_on(compared(replace(one, derived=shuffled), LATEX, printed()).solves)[1].verdict is Verdict.PROVED
    wrong = one.derived.applyfunc(lambda entry: -entry)
    assert verdict_on(compared(replace(one, derived=wrong), LATEX, printed()).solves)[1].verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("ascii_", "shown"),
    [
        ("lambda_L and x_{t-1}", "λ_L and xₜ₋₁"),
        ("eta = 16 kappa~ theta gamma", "η = 16 κ̃ θ γ"),
        ("A^k (1, 1)^T", "Aᵏ (1, 1)ᵀ"),
        ("Sigma^-1 grad F(y~)", "Σ⁻¹ ∇F(y~)"),
        ("beta_k and Pi_infinity", "βₖ and Π_∞"),
        ("theta_max", "θ_max"),
    ],
)
def test_words_use_the_letters_of_mathematics(ascii_: str, shown: str) -> None:
    assert spoken(ascii_) == shown
