"""Formulas of sympy in our language: same meaning, and no assumption of a symbol is lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from theory.claims.fromsympy import formula, relations
from theory.claims.userfile import lemma
from theory.kernel import Malformed
from theory.kernel.claim import Claim
from theory.kernel.lang import parse
from theory.kernel.points import environment, side_values

x, y = sp.symbols("x y")
p, q = sp.symbols("p q", positive=True)


def value(text: str, point: dict[str, Any]) -> Fraction:
    claim = Claim("value", (f"{text} == 0",), example=tuple(point.items()))
    left, _ = side_values(claim.goals[0], environment(point, claim))
    return Fraction(left)


@pytest.mark.parametrize(
    "expression",
    [
        x**2 - 3 * x * y + sp.Rational(1, 3),
        (x - y) ** 3 / (x**2 + y**2),
        x ** (-2) + y,
        -x - y,
        sp.Max(x, y, 2) - sp.Min(x, y),
        sp.Abs(x - y),
        sp.sqrt(x**2 + 12),
        (x**2 + 12) ** sp.Rational(3, 2),
        1 / sp.sqrt(x**2 + 12),
        -(x**2),
        (-x) ** 2,
        sp.Integer(-2) ** 3 * x,
        x**2**2,
    ],
    ids=str,
)
def test_a_converted_expression_has_the_same_value(expression: sp.Expr) -> None:
    for point in ({"x": 2, "y": -3}, {"x": -2, "y": 5}):
        exact = expression.subs({x: point["x"], y: point["y"]})
        mine = value(formula(expression), {k: str(v) for k, v in point.items()} | {"x": str(point["x"])})
        assert mine == Fraction(int(exact.p), int(exact.q))


def test_sums_and_indices_are_converted() -> None:
    i, n = sp.symbols("i n", integer=True, nonnegative=True)
    lam = sp.IndexedBase("lam")
    assert formula(sp.Sum(lam[i] ** 2, (i, 1, n))) == "sum(i, 1, n, (lam[i])**(2))"
    assert parse(formula(sp.Sum(lam[i] ** 2, (i, 1, n)))).op == "sum"


@pytest.mark.parametrize(
    ("symbol", "hypothesis"),
    [
        (sp.Symbol("s", positive=True), "s > 0"),
        (sp.Symbol("s", nonnegative=True), "s >= 0"),
        (sp.Symbol("s", negative=True), "s < 0"),
        (sp.Symbol("s", nonpositive=True), "s <= 0"),
        (sp.Symbol("s", real=True, nonzero=True), "s != 0"),
    ],
    ids=str,
)
def test_what_a_symbol_assumes_becomes_a_hypothesis(symbol: sp.Symbol, hypothesis: str) -> None:
    assert lemma(symbol * x <= x**2).claim.given == (hypothesis,)


def test_a_natural_symbol_becomes_a_natural_name() -> None:
    k = sp.Symbol("k", integer=True, positive=True)
    claim = lemma((1 + p) ** k >= 1 + k * p).claim
    assert claim.naturals == ("k",)
    assert set(claim.given) == {"k >= 1", "p > 0"}


def test_the_same_name_with_two_meanings_is_refused() -> None:
    with pytest.raises(Malformed, match="two different symbols are both called x"):
        lemma(sp.Symbol("x", positive=True) <= x)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (sp.true, "has become True"),
        (x <= 0.5, "0.5.* is a rounded number"),
        (sp.gamma(x) <= 1, "gamma.* has no counterpart"),
        (p ** sp.Rational(1, 3) <= 1, "only square roots"),
        (sp.Symbol("z", integer=True) <= 1, "may be negative"),
        (3.5, "is not a relation"),
    ],
    ids=str,
)
def test_what_cannot_be_said_is_refused_with_a_remedy(source: object, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        lemma(source)


def test_a_chain_of_relations_is_taken_apart() -> None:
    assert relations("0 < x <= 1") == ["0 < x", "x <= 1"]
    assert relations(["a >= b", "0 < x < y"]) == ["a >= b", "0 < x", "x < y"]
    assert relations(sp.And(x >= 0, y >= 1)) == ["x >= 0", "y >= 1"]


def test_awkward_names_are_made_usable() -> None:
    claim = lemma(sp.Symbol("lambda") + sp.Symbol("x_{1}") >= sp.Symbol(r"\mu")).claim
    assert claim.variables == ("lambda_", "mu", "x_1")


def test_definitions_and_examples_take_symbols_too() -> None:
    claim = lemma(y <= 1, given=[q <= sp.Rational(1, 2)], where={y: 2 * q}, example={q: sp.Rational(1, 3)}).claim
    assert claim.where == (("y", "(2*q)"),)
    assert claim.example == (("q", "1/3"),)
    assert claim.given == ("q > 0", "q <= (1/2)")
