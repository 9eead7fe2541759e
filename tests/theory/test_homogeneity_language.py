"""The language of relations.toml: what is accepted and refused, how relations are counted, what weighs what."""

from __future__ import annotations

import pytest

from tests.sada import check_formula
from theory.claims.symbols import Convention
from theory.detectors.algebra import Clash
from theory.detectors.language import LanguageError, Mode, parse_expression, parse_formula


def clashes(text: str, convention: Convention = Convention.STANDARD) -> list[Clash]:
    return check_formula(parse_formula(text), convention)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "lambda: 1",
        "[k for k in d]",
        "x if 1 else b",
        "1.5*eta",
        "'eta'",
        "eta.real",
        "eta == 1",
        "a & b",
        "eta :",
        "f'{eta}'",
        "(yield)",
    ],
)
def test_anything_but_plain_mathematics_is_refused(text: str) -> None:
    with pytest.raises(LanguageError, match=r"relations|language|expression|fractions|known"):
        parse_expression(text)


def test_a_name_or_function_that_the_paper_does_not_have_is_refused_by_name() -> None:
    with pytest.raises(NameError, match="no symbol 'etta'"):
        clashes("etta <= 1")
    with pytest.raises(NameError, match="no function 'foo'"):
        clashes("foo(eta) <= 1")
    with pytest.raises(NameError, match=r"F takes 1 argument"):
        clashes("F(x, x) = eps")
    with pytest.raises(NameError, match="should be a condition"):
        clashes("ind(eta) = 1")
    with pytest.raises(NameError, match="one or more arguments"):
        clashes("tr() = 1")


def test_signs_inside_brackets_belong_to_the_expression() -> None:
    formula = parse_formula("E(ind(norm(x) <= D)) <= 1")
    assert formula.chains[0].signs == ("<=",)
    assert len(formula.chains[0].sides) == 2


@pytest.mark.parametrize(
    ("text", "mode", "relations", "asserted"),
    [
        ("eta <= q", Mode.ASSERTED, 1, 1),
        ("q = eta <= 2*eta", Mode.ASSERTED, 2, 2),
        ("def: c = 1", Mode.DEFINED, 1, 0),
        ("given: eta <= q", Mode.GIVEN, 1, 0),
        ("L_m[m] := A_m[m] = B_m[m]", Mode.ASSERTED, 2, 1),
        ("lam <= lam_L => x_1 <= x_2 <= 1", Mode.ASSERTED, 2, 2),
        ("Pi(0, R) =< Pi(1, R)", Mode.ASSERTED, 1, 1),
        ("a ~ Normal(0, Sigma)", Mode.ASSERTED, 1, 1),
    ],
)
def test_relations_are_counted_and_definitions_assert_none(
    text: str, mode: Mode, relations: int, asserted: int
) -> None:
    formula = parse_formula(text)
    assert (formula.mode, formula.relations, formula.asserted) == (mode, relations, asserted)


def test_two_implications_in_one_entry_are_refused() -> None:
    with pytest.raises(LanguageError, match="more than one implication"):
        parse_formula("eta <= q => eta <= q => eta <= q")


@pytest.mark.parametrize(
    "text",
    [
        "eta*lam <= 1",
        "normsq(grad(x), inv(Sigma)) <= 2*L_l*(F(x) - F(x_star))",
        "exp(-eta*lam) <= 1",
        "max(eta, q) <= 1/R2",
        "first([[eta],[q]]) <= eta",
        "A_i**k@[[1],[1]] = [[1],[1]]",
        "E(v_k) = 0",
        "O = C[t]",
        "sqrt(mu*eta) <= 1",
        "b ~ Normal(a.T@x_star, sigma2_noise)",
        "cases(eta, k <= K/2, q, k > K/2) <= eta",
        "(1-theta)**T <= 1",
        "Sum(lam_i, i, 1, d) = tr(Sigma)",
    ],
)
def test_homogeneous_formulas_pass(text: str) -> None:
    assert not clashes(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("eta <= 1", "weight"),
        ("eta + lam <= eta", "weight"),
        ("exp(eta) <= 1", "weight"),
        ("log(eps) <= 1", "weight"),
        ("max(eta, mu) <= eta", "weight"),
        ("eta**k <= 1", "weight"),
        ("theta**lam <= 1", "weight"),
        ("x_in[eta] = x_in[0]", "weight"),
        ("F(a) <= eps", "weight"),
        ("dl(b, a.T@a)*a = grad(x)", "weight"),
        ("[[eta],[1]] = [[eta],[q]]", "weight"),
        ("Sum(1, i, 1, lam) = d", "weight"),
        ("E(ind(norm(x) <= 1)) <= 1", "weight"),
        ("b ~ Normal(a.T@x_star, L_l)", "weight"),
        ("cases(eta, k <= K/2, lam, k > K/2) <= eta", "weight"),
        ("named(lam_L, eta) = eta", "weight"),
        ("eta_var[t]@eta_var[t] = C[t]", "shape"),
        ("1/Q = 1/Q", "shape"),
        ("Sigma = mu", "shape"),
        ("a*a = a*a", "shape"),
        ("tr(a@a.T)@a = a", "shape"),
        ("inv(a)@a = 1", "shape"),
        ("[[R, R],[R, C]] = C", "shape"),
        ("Lvar(R) <= Lvar(R)", "shape"),
        ("A@Sigma = A", "shape"),
        ("abs(a) <= norm(a)", "shape"),
    ],
)
def test_each_way_of_mixing_units_or_shapes_is_found(text: str, kind: str) -> None:
    assert kind in {clash.kind for clash in clashes(text)}


def test_the_offending_summand_is_named_even_when_the_sum_is_divided() -> None:
    (clash,) = clashes("F(x) <= (eps + L_l*(F(x) + eps) + eps)/T")
    assert clash.right == "L_l * (F(x) + eps) / T"
    assert clash.side == 1


def test_inner_deviations_are_linear_in_the_loss_only_where_h_is_one() -> None:
    text = "eps_t = -dl(a.T@y_tilde, b) + a.T@(y_tilde - xp_star)"
    assert clashes(text, Convention.STANDARD)
    assert not clashes(text, Convention.H1)
    assert not clashes("eps_t = -h*dl(a.T@y_tilde, b) + a.T@(y_tilde - xp_star)", Convention.STANDARD)
