"""The transcription of a display carries the same symbols and numbers, equally often, as its LaTeX."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from tests.sada import entries, load
from theory.reading.paper import PaperDisplay

PAPER = load()
LATIN = r"(?![A-Za-z])"
# LaTeX pattern -> names in code that stand for it
TOKENS = {
    r"L_\\ell" + LATIN: {"L_l"},
    r"\\mu_\\ell" + LATIN: {"mu_l"},
    r"\\mu'_\\ell" + LATIN: {"mu_l_prime"},
    r"\\mu(?!'?_\\ell|_\{|[A-Za-z'])": {"mu"},
    r"\\alpha" + LATIN: {"alpha", "alpha_lin"},
    r"\\tilde\{\\kappa\}": {"kappa_tilde", "kappa_tilde_m", "kappa_tilde_B"},
    r"(?<!\\tilde\{)\\kappa(?!\(|[A-Za-z])": {"kappa", "kappa_m", "kappa_B"},
    r"(?<!\\boldsymbol\{)\\eta" + LATIN: {"eta"},
    r"\\gamma" + LATIN: {"gamma_"},
    r"(?<!\\tilde\{)\\theta(?!_|[A-Za-z])": {"theta", "theta_arg"},
    r"(?<!\\tilde\{)\\theta_k": {"theta_k"},
    r"(?<!\\tilde\{)\\theta_\{\\max\}": {"theta_max"},
    r"\\tilde\{\\theta\}": {"theta_tilde", "theta_tilde_max"},
    r"\\lambda_i": {"lam_i"},
    r"\\mathbf\{H\}": {"H"},
    r"\\mathbf\{Q\}": {"Q", "Q_delta"},
    r"R(_[mB])?\^2": {"R2", "R2_m", "R2_B"},
    r"h_k": {"h"},
    r"\\sigma_\*\^2": {"sigma_star2"},
    r"\\sigma_0\^2": {"sigma_02"},
    r"\\sigma\^2": {"sigma2", "sigma2_noise"},
    r"\\sigma\^\{\(": {"sigma_l"},
    r"L_\{\\mathrm\{eff\}\}": {"L_eff"},
    r"L_\{\\mathrm\{var\}\}": {"Lvar"},
    r"L_0(?!\+|\^|\b\)|$)|L_0\^2": {"L_0"},
    r"\\operatorname\{tr\}": {"tr"},
    r"\\nabla F": {"grad"},
    r"m_i": {"m_i"},
    r"\\mathbf\{R\}(?!\^\{\()": {"R"},
    r"\\mathbf\{R\}\^\{\(": {"R_l"},
    r"\\mathbf\{[rv]\}": {"r_k", "v_k"},
    r"\\tilde\{\\mathbf\{y\}\}": {"y_tilde"},
    r"\\mathbf\{x\}\^\*": {"x_star"},
    r"\\langle": {"inner"},
    r"\\exp": {"exp"},
    r"\\ln": {"log"},
    r"\\min\\": {"min"},
}  # fmt: skip
# L_0 is the initial energy of the recursion from line 1795 to 1845 and a Lipschitz constant from line 1896 on.
ENERGY = range(1795, 1846)


def latex_of(display: PaperDisplay) -> str:
    formula = display.formula
    return formula.replace(r"\min_{\mathbf{x}\in\mathbb{R}^d}", "").replace(r"\min_{\|", r"\|")


def names_of(display: PaperDisplay) -> Counter[str]:
    entry = entries()[display.id]
    formulas = [*entry.formulas, *entry.expressions]
    nodes = [node for f in formulas for chain in f.chains for side in chain.sides for node in ast.walk(side)]
    return Counter(node.id for node in nodes if isinstance(node, ast.Name))


def numbers_of(display: PaperDisplay) -> Counter[int]:
    entry = entries()[display.id]
    formulas = [*entry.formulas, *entry.expressions]
    nodes = [node for f in formulas for chain in f.chains for side in chain.sides for node in ast.walk(side)]
    return Counter(node.value for node in nodes if isinstance(node, ast.Constant) and node.value > 2)  # type: ignore[operator, misc]


@pytest.mark.parametrize("display", PAPER.displays, ids=lambda d: d.id)
def test_every_symbol_occurs_as_often_as_in_the_printed_formula(display: PaperDisplay) -> None:
    names, latex = names_of(display), latex_of(display)
    for pattern, stand_for in TOKENS.items():
        if stand_for == {"L_0"} and display.first_line in ENERGY:
            continue
        printed = len(re.findall(pattern, latex))
        assert sum(names[name] for name in stand_for) == printed, (stand_for, latex)


@pytest.mark.parametrize("display", PAPER.displays, ids=lambda d: d.id)
def test_every_number_above_two_occurs_as_often_as_in_the_printed_formula(display: PaperDisplay) -> None:
    latex = re.sub(r"_\{(\\infty,)?\d\d\}", "", latex_of(display))
    printed = Counter(int(n) for n in re.findall(r"\d+", latex) if int(n) > 2)
    assert numbers_of(display) == printed, latex
