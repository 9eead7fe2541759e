"""Readings about vectors and matrices are claims with kinds, of the most general sizes, or refused with the reason."""

from __future__ import annotations

import pytest

from theory.kernel import Claim
from theory.reading.latex.notation import notation_of
from theory.reading.latex.reader import from_latex
from theory.reading.latex.readings import judgeable

NOTATION = notation_of(
    [
        *({"name": name, "latex": name, "kind": "vector"} for name in "xyg"),
        {"name": "A", "latex": r"\mathbf{A}", "kind": "matrix"},
        {"name": "B", "latex": r"\mathbf{B}", "kind": "matrix"},
        {"name": "I", "latex": r"\mathbf{I}", "kind": "matrix"},
        {"name": "O", "latex": r"\mathbf{O}", "kind": "matrix"},
        {"name": "S", "latex": r"\boldsymbol\Sigma", "kind": "pd"},
        {"name": "a", "latex": "a", "kind": "random", "of": "vector"},
        {"name": "u", "latex": "u_{#1}", "kind": "sequence", "of": "vector"},
        {"name": "c", "latex": "c", "kind": "real"},
        {"name": "k", "latex": "k", "kind": "natural"},
    ]
)
READ = {
    r"\|x - cg\|^2 \le \|y\|^2": {"x": "vector(d1)", "g": "vector(d1)", "y": "vector(d2)"},
    r"\langle x, \mathbf{A} y\rangle \le c": {"x": "vector(d1)", "A": "matrix(d1, d2)", "y": "vector(d2)"},
    r"\mathbf{A}\mathbf{A}^\top \preceq c\mathbf{I}": {"A": "matrix(d1, d2)"},
    r"\langle \mathbf{A}, \mathbf{B}\rangle \le c": {"A": "matrix(d1, d2)", "B": "matrix(d1, d2)"},
    r"\|x\|_{\boldsymbol\Sigma^{-1}}^2 \ge 0": {"x": "vector(d)", "S": "pd(d)"},
    r"\|u_{k+1}\|^2 \le c\|u_k\|^2": {"u": "vector(d)[nat]"},
    r"\mathbb{E}[\|a\|^2] \ge 0": {"a": "vector(d)[S]"},
}
REFUSED = {
    r"x + c \le 1": "not of one size",
    r"\mathbf{A} x = \mathbf{A}": "not of one size",
    r"\mathbf{A}^{-1} \preceq \mathbf{A}": "kind pd",
    r"\mathbf{A}^{k} = \mathbf{A}": "powers of matrices",
    r"\mathbb{E}[\|x\|^2] \ge 0": "what is random",
    r"\exp(x) \ge 0": "not in the language",
}


@pytest.mark.parametrize("latex", READ)
def test_a_claim_about_vectors_is_read_for_every_size(latex: str) -> None:
    found = judgeable("x", list(from_latex(latex, NOTATION)), [], NOTATION)
    assert not found.reason
    assert dict(found.kinds) == READ[latex]
    Claim(id="x", says=found.claims, kinds=tuple(found.kinds.items()), naturals=found.naturals)


@pytest.mark.parametrize("latex", REFUSED)
def test_what_fits_no_sizes_is_no_claim(latex: str) -> None:
    assert REFUSED[latex] in judgeable("x", list(from_latex(latex, NOTATION)), [], NOTATION).reason


def test_the_identity_is_no_letter_and_has_the_size_that_it_needs() -> None:
    found = judgeable(
        "x", list(from_latex(r"\mathbf{A} + \mathbf{I} = \mathbf{B} + \mathbf{O}", NOTATION)), [], NOTATION
    )
    assert found.claims == ("A + I(d) == B + O(d, d)",)


def test_hypotheses_and_claim_are_sized_together() -> None:
    says, given = (list(from_latex(one, NOTATION)) for one in (r"\|x\|^2 \le c", "x = y"))
    assert dict(judgeable("x", says, given, NOTATION).kinds) == {"x": "vector(d)", "y": "vector(d)"}
