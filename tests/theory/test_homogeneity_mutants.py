"""A factor dropped from, or added to, a printed formula that passes is found, wherever its sides are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.sada import SADA
from theory.claims.symbols import Convention, read_scaling
from theory.detectors.formula import Chain, Term, chains, term
from theory.detectors.homogeneity import Sections, relations
from theory.detectors.scales import Clash, Scales
from theory.detectors.text import text_of
from theory.detectors.weights import Weights
from theory.reading.latex.atoms import atoms

TABLE = Weights(SADA.symbols.values())
PLACE = tuple[str, Convention]
ADDED = {"L_l": r"L_\ell", "mu": r"\mu", "R2": "R^2", "eta": r"\eta", "h": "h_k"}
DROPPED = {"L_l": r"L_{\ell}", "eta": r"\eta", "h": "h_{k}", "lam_i": r"\lambda_{i}", "Sigma": r"bold:\Sigma"}


def clashes(chain: Chain, place: PLACE) -> list[Clash]:
    reader = Scales(TABLE, *place)
    reader.chain(chain)
    return reader.clashes


def known(chain: Chain, place: PLACE) -> bool:
    """At least two sides are weighed, so that a change of one of them can be seen."""
    reader = Scales(TABLE, *place)
    generic = any(reader.generic(side) for side in chain.sides)
    return not generic and sum(bool(reader.of(side)) for side in chain.sides) > 1


def clean() -> Iterator[tuple[str, Chain, PLACE]]:
    text, scaling = text_of(SADA), read_scaling(SADA.file("symbols"))
    sections = Sections(SADA, text)
    for block in text.blocks:
        for line, chain in relations(block):
            place = sections.of(block), scaling.convention(line)
            signs = [sign in ("<=", ">=", "<", ">", "=", "<<", ">>", "≲", "≳", "≍") for sign in chain.signs]
            if signs and all(signs) and known(chain, place) and not clashes(chain, place):
                yield block.where, chain, place


CLEAN = list(clean())


def with_side(chain: Chain, at: int, new: Term) -> Chain:
    return replace(chain, sides=(*chain.sides[:at], new, *chain.sides[at + 1 :]))


def without(one: Term, name: str) -> Iterator[Term]:
    """One factor of this name dropped from a product or a fraction, anywhere among sums, products and fractions."""
    for at, arg in enumerate(one.args):
        if one.op in ("prod", "frac") and arg.op == "name" and arg.text == name:
            yield replace(one, args=(*one.args[:at], Term("num", value=term(atoms("1")).value), *one.args[at + 1 :]))
        elif one.op in ("sum", "prod", "frac"):
            yield from (replace(one, args=(*one.args[:at], new, *one.args[at + 1 :])) for new in without(arg, name))


def carries_weight(factor: str, convention: Convention) -> bool:
    return bool(SADA.symbols[factor].weight_in(convention))


def test_several_hundred_relations_are_weighed_and_pass() -> None:
    assert len(CLEAN) > 300
    assert sum(where.startswith("disp:") for where, _, _ in CLEAN) > 150


@pytest.mark.parametrize("factor", ADDED)
def test_a_factor_added_to_one_side_of_any_clean_relation_is_found(factor: str) -> None:
    extra, mutants = term(atoms(ADDED[factor])), 0
    for where, chain, place in CLEAN:
        for at, side in enumerate(chain.sides):
            if carries_weight(factor, place[1]) and Scales(TABLE, *place).of(side):
                mutants += 1
                assert clashes(with_side(chain, at, Term("prod", (extra, side))), place), (where, at)
    assert mutants > 200


@pytest.mark.parametrize("factor", DROPPED)
def test_a_factor_dropped_from_any_clean_relation_is_found(factor: str) -> None:
    mutants = 0
    for where, chain, place in CLEAN:
        if carries_weight(factor, place[1]):
            for at, side in enumerate(chain.sides):
                for new in without(side, DROPPED[factor]):
                    mutants += 1
                    assert clashes(with_side(chain, at, new), place), (where, at)
    assert mutants >= 10


@pytest.mark.parametrize(
    "latex",
    [
        r"\eta\leq 1",
        r"\eta+\lambda\leq\eta",
        r"\exp(\eta)\leq 1",
        r"\log\varepsilon\leq 1",
        r"\max\{\eta,\mu\}\leq\eta",
        r"\eta^k\leq 1",
        r"\theta^{\lambda}\leq 1",
        r"\begin{pmatrix}\eta\\1\end{pmatrix}=\begin{pmatrix}\eta\\\eta\end{pmatrix}",
        r"\mathbb{E}\mathbb{I}_{\{\|\mathbf{x}\|\leq 1\}}\leq 1",
        r"\sqrt{\mu}\leq\mu",
        r"\|\mathbf{x}\|_{\boldsymbol{\Sigma}}\leq\|\mathbf{x}\|",
        r"F(\mathbf{x})\leq\frac{\varepsilon+L_\ell(F(\mathbf{x})+\varepsilon)+\varepsilon}{T}",
        r"T=\begin{cases}\eta,&k\leq 1,\\\mu,&k>1.\end{cases}",
    ],
)
def test_each_way_of_mixing_units_is_found(latex: str) -> None:
    assert clashes(chains(latex)[0], ("", Convention.STANDARD))


@pytest.mark.parametrize(
    "latex",
    [
        r"\eta\lambda\leq 1",
        r"\|\nabla F(\mathbf{x})\|_{\boldsymbol{\Sigma}^{-1}}^2\leq 2L_\ell(F(\mathbf{x})-F(\mathbf{x}^*))",
        r"\exp(-\eta\lambda)\leq 1",
        r"\max\{\eta,\gamma\}\leq 1/R^2",
        r"\sqrt{\mu\eta}\leq 1",
        r"(1-\theta)^T\leq 1",
        r"\sum_{i=1}^d\lambda_i=\operatorname{tr}\boldsymbol{\Sigma}",
        r"\mathbb{E}(\|\mathbf{a}\|^2|\mathcal{F})\leq R^2",
        r"T\geq\tilde{\Omega}(\sqrt{\tilde{\kappa}/(\mu\eta)})",
        r"\hat{\mathbf{x}}=\operatorname*{arg\,min}_{\mathbf{x}}F(\mathbf{x})",
        r"w\leq 7",
        r"0=\mathbf{Q}",
    ],
)
def test_formulas_in_one_unit_and_names_that_nobody_weighed_pass(latex: str) -> None:
    assert not clashes(chains(latex)[0], ("", Convention.STANDARD))


def test_deviations_are_linear_in_the_loss_only_where_h_is_one() -> None:
    slope = r"\ell'(\mathbf{a}^\top\tilde{\mathbf{y}},b)"
    latex = rf"\varepsilon_t=-{slope}+\mathbf{{a}}^\top(\tilde{{\mathbf{{y}}}}-\tilde{{\mathbf{{x}}}}_+^*)"
    (one,), section = chains(latex), "Inner loop"
    assert clashes(one, (section, Convention.STANDARD))
    assert not clashes(one, (section, Convention.NORMALISED))
    (with_h,) = chains(latex.replace("=-", "=-h_k"))
    assert not clashes(with_h, (section, Convention.STANDARD))
    assert not carries_weight("h", Convention.NORMALISED)
