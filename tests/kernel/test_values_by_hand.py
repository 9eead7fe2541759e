"""What formulas are worth: values worked out by hand, in rationals, balls and rational functions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import pytest
from flint import arb

from theory.kernel import Claim, Malformed, Rejected
from theory.kernel.claim import Point
from theory.kernel.errors import Undecidable, Undefined
from theory.kernel.evaluate import MAX_STEPS, Mat, evaluate
from theory.kernel.lang import parse, parse_relation
from theory.kernel.points import check_witness, environment, holds, satisfies_hypotheses, side_values
from theory.kernel.rings import Balls, Exact, Inexact, RationalFunctions, to_fmpq, to_fraction

POINT: dict[str, Any] = {
    "a": "2",
    "b": "-3",
    "h": "1/2",
    "n": "3",
    "v": ["5", "7", "11"],
    "M": [["1", "2"], ["3", "5"]],
    "K": [["2", "0", "1"], ["1", "3", "2"], ["1", "1", "4"]],
    "W": [["1", "2", "3"], ["4", "5", "6"]],
    "p_w": ["1/4", "3/4"],
    "X": ["8", "-4"],
}
ENV = environment(POINT, Claim("c", ("0 == 0",)))


def value(source: str) -> Any:
    found = evaluate(parse(source), ENV, Exact())
    return [[to_fraction(x) for x in row] for row in found.rows] if isinstance(found, Mat) else to_fraction(found)


NUMBERS = {
    "a + b": -1,
    "a - b": 5,
    "a*b": -6,
    "a/b": Fraction(-2, 3),
    "-b": 3,
    "+a": 2,
    "a**3": 8,
    "a**0": 1,
    "a**(-2)": Fraction(1, 4),
    "b**(-1)": Fraction(-1, 3),
    "1.25*a": Fraction(5, 2),
    "0.1": Fraction(1, 10),
    "-7 + a": -5,
    "min(a, b, h)": -3,
    "max(b, h, a)": 2,
    "abs(b)": 3,
    "sqrt(9/4)": Fraction(3, 2),
    "sqrt(0)": 0,
    "exp(0)": 1,
    "log(1)": 0,
    "inv(h)": 2,
    "a.T": 2,
    "v[1]": 5,
    "v[3]": 11,
    "M[1, 2]": 2,
    "M[2, 1]": 3,
    "M[2, 2]": 5,
    "K[3, 3]": 4,
    "(M[2])[1]": 3,
    "W[2, 3]": 6,
    "tr(M)": 6,
    "tr(K)": 9,
    "tr(inv(M))": -6,
    "(v.T @ v)[1]": 195,
    "sum(i, 1, n, i)": 6,
    "sum(i, 2, 3, v[i])": 18,
    "sum(i, 1, 0, i)": 0,
    "sum(i, 3, 3, i**2)": 9,
    "sum(i, -1, 1, i + 1)": 3,
    "mean(w, X[w])": -1,
    "mean(w, X[w]**2)": 28,
    "mean(w, w)": Fraction(7, 4),
    "iterate(s, n, 1, 2*s + 1)": 15,
    "iterate(s, 0, a, s**2)": 2,
    "iterate(s, 1, a, s**2)": 4,
}
MATRICES = {
    "M + M": [[2, 4], [6, 10]],
    "M - M.T": [[0, -1], [1, 0]],
    "-M": [[-1, -2], [-3, -5]],
    "a*M": [[2, 4], [6, 10]],
    "M*a": [[2, 4], [6, 10]],
    "M/a": [[Fraction(1, 2), 1], [Fraction(3, 2), Fraction(5, 2)]],
    "M @ M": [[7, 12], [18, 31]],
    "M**0": [[1, 0], [0, 1]],
    "M**1": [[1, 2], [3, 5]],
    "M**2": [[7, 12], [18, 31]],
    "M**(-1)": [[-5, 2], [3, -1]],
    "M**(-2)": [[31, -12], [-18, 7]],
    "inv(M)": [[-5, 2], [3, -1]],
    "inv([[4]])": [[Fraction(1, 4)]],
    "18*inv(K)": [[10, 1, -3], [-2, 7, -3], [-2, -2, 6]],
    "K @ inv(K)": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "W.T": [[1, 4], [2, 5], [3, 6]],
    "W[2]": [[4], [5], [6]],
    "W @ v": [[52], [121]],
    "[a, b]": [[2], [-3]],
    "[[a, b], [1, 2]]": [[2, -3], [1, 2]],
    "[[a, b, 1]]": [[2, -3, 1]],
    "sum(i, 1, 2, i*M)": [[3, 6], [9, 15]],
    "mean(w, X[w]*M)": [[-1, -2], [-3, -5]],
    "iterate(S, 2, M, S @ M)": [[43, 74], [111, 191]],
}


@pytest.mark.parametrize("source", NUMBERS)
def test_a_number_is_worth_what_the_hand_computes(source: str) -> None:
    assert value(source) == NUMBERS[source]


@pytest.mark.parametrize("source", MATRICES)
def test_a_matrix_is_worth_what_the_hand_computes(source: str) -> None:
    assert value(source) == MATRICES[source]


@pytest.mark.parametrize(
    "source",
    [
        *("M + a", "a - M", "a/M", "M @ a", "a @ M", "M*M", "v*v", "W + M", "W @ W", "M @ K", "inv(W)", "inv(v)"),
        *("a[1]", "M[1, 1, 1]", "[[1, 2], [3]]", "[[1, 2], 3]", "q + 1", "mean(z, X[z])"),
        *(f"a**{MAX_STEPS + 1}", f"sum(i, 0, {MAX_STEPS + 1}, i)", f"iterate(s, {MAX_STEPS + 1}, 0, s)"),
        *(f"a**(-{MAX_STEPS + 1})", "inv([" + ", ".join(["[1, 2, 3, 4, 5, 6, 7]"] * 7) + "])"),
    ],
)
def test_what_has_no_meaning_is_refused(source: str) -> None:
    with pytest.raises(Malformed):
        value(source)


@pytest.mark.parametrize(
    "source",
    [
        *("a/0", "inv(0)", "inv([[1, 2], [2, 4]])", "sqrt(b)", "log(0)", "log(b)", "v[0]", "v[4]"),
        *("M[0, 1]", "M[1, 0]", "M[3, 1]", "M[1, 3]", "M[0]", "M[3]", "sum(i, h, 3, i)", "iterate(s, -1, 1, s)"),
        *("0**(-1)", "W[1, 4]", "W[3, 1]"),
    ],
)
def test_where_there_is_no_value_it_is_said(source: str) -> None:
    with pytest.raises(Undefined):
        value(source)


@pytest.mark.parametrize("source", ["sqrt(2)", "sqrt(1/2)", "sqrt(4/3)", "exp(1)", "log(2)", "sin(1)", "cos(0)"])
def test_an_irrational_value_is_not_called_rational(source: str) -> None:
    with pytest.raises(Inexact):
        value(source)


@pytest.mark.parametrize(
    ("source", "low", "high"),
    [
        ("sqrt(2)", 1.41421, 1.41422),
        ("exp(1)", 2.71828, 2.71829),
        ("log(2)", 0.69314, 0.69315),
        ("sin(1)", 0.84147, 0.84148),
        ("cos(1)", 0.54030, 0.54031),
        ("min(sqrt(2), 1, 3)", 0.99999, 1.00001),
        ("max(1, sqrt(2), 0)", 1.41421, 1.41422),
        ("abs(-sqrt(2))", 1.41421, 1.41422),
        ("1/sqrt(2)", 0.70710, 0.70711),
        ("sqrt(2)**(-2)", 0.49999, 0.50001),
        ("sqrt(0)", -0.00001, 0.00001),
    ],
)
def test_a_ball_encloses_the_value(source: str, low: float, high: float) -> None:
    with flint.ctx.workprec(64):
        found = evaluate(parse(source), {}, Balls())
    assert low < found.lower()
    assert found.upper() < high


def test_balls_refuse_what_may_have_no_value() -> None:
    around = arb(0, 1)
    for name in ("sqrt", "log"):
        with pytest.raises(Undefined):
            Balls().call(name, [around])
    with pytest.raises(Undefined):
        Balls().divide(arb(1), around)
    with pytest.raises(Undefined):
        Balls().integer(arb(3, 0.25), parse("x"))
    with pytest.raises(Undefined):
        Balls().integer(arb(0.5), parse("x"))
    with pytest.raises(Malformed):
        Balls().call("tr", [around])
    assert Balls().integer(arb(-4), parse("x")) == -4


def test_rational_functions_are_reduced_and_remember_their_divisors() -> None:
    ring = RationalFunctions(("x", "y"))
    found = evaluate(parse("(x**2 - y**2)/(x - y) + 1/2"), ring.env(), ring)
    same = evaluate(parse("x + y + 1/2"), ring.env(), ring)
    assert found == same
    assert len(ring.divisors) == 1
    assert (found - same).is_zero
    assert not found.is_zero
    twice = evaluate(parse("1/x + 1/y"), ring.env(), ring)
    assert twice == evaluate(parse("(x + y)/(x*y)"), ring.env(), ring)
    assert evaluate(parse("(2*x)/(4*y)"), ring.env(), ring) == evaluate(parse("(x/y)/2"), ring.env(), ring)
    assert evaluate(parse("(x/y)**2"), ring.env(), ring) == evaluate(parse("x**2/y**2"), ring.env(), ring)
    assert evaluate(parse("(x/y)**(-1)"), ring.env(), ring) == evaluate(parse("y/x"), ring.env(), ring)


def test_rational_functions_refuse_zero_divisors_open_exponents_and_roots() -> None:
    ring = RationalFunctions(("x",))
    with pytest.raises(Undefined):
        evaluate(parse("1/(x - x)"), ring.env(), ring)
    for source in ("2**x", "2**(1/(1 + x))", "sqrt(x)"):
        with pytest.raises(Malformed):
            evaluate(parse(source), ring.env(), ring)
    assert evaluate(parse("x**(1 - 1)"), ring.env(), ring) == ring.const(Fraction(1))
    evaluate(parse("x/3"), ring.env(), ring)
    assert not [d for d in ring.divisors if d.num.is_constant() and d.den.is_constant()]


TRUE = [
    *("a <= 2", "a >= 2", "a == 2", "a != 3", "b < a", "a > b", "b <= a", "a >= b"),
    *("forall(i, 1, 3, v[i] >= 5)", "forall(i, 1, 0, i > 5)", "forall(i, 2, 3, v[i] > 5)", "M == M.T.T", "M != M.T"),
    *("W != M", "v == [5, 7, 11]", "sqrt(2) < 3/2", "sqrt(2) <= 3/2", "sqrt(2) > 7/5", "sqrt(2) != 3/2"),
    *("exp(1) >= 2", "3 > exp(1)", "sqrt(2) - sqrt(3) < 0"),
]
FALSE = [
    *("a < 2", "a > 2", "a == 3", "a != 2", "b > a", "a < b", "b >= a", "a <= b"),
    *("forall(i, 1, 3, v[i] <= 7)", "forall(i, 1, 3, v[i] > 5)", "M == M.T", "M != M.T.T", "W == M"),
    *("sqrt(2) > 3/2", "sqrt(2) >= 3/2", "sqrt(2) < 7/5", "sqrt(2) == 3/2", "exp(1) <= 2"),
]


@pytest.mark.parametrize("says", TRUE)
def test_what_is_true_at_the_point_holds(says: str) -> None:
    assert holds(parse_relation(says), ENV) is True


@pytest.mark.parametrize("says", FALSE)
def test_what_is_false_at_the_point_does_not_hold(says: str) -> None:
    assert holds(parse_relation(says), ENV) is False


@pytest.mark.parametrize("says", ["M <= M", "M > M", "M == a", "a != M", "forall(i, 0, 100001, i >= 0)"])
def test_comparisons_without_meaning_are_refused(says: str) -> None:
    with pytest.raises(Malformed):
        holds(parse_relation(says), ENV)


def test_equal_numbers_are_told_apart_where_they_are_roots_of_rationals() -> None:
    assert holds(parse_relation("sqrt(2)*sqrt(2) <= 2"), ENV)
    assert holds(parse_relation("sqrt(2)*M == sqrt(2)*M"), ENV)
    assert not holds(parse_relation("sqrt(2)*M == sqrt(3)*M"), ENV)
    with pytest.raises(Undecidable):
        holds(parse_relation("exp(2)*M == exp(2)*M"), ENV)


@pytest.mark.parametrize("weights", [["1/2", "1/4"], ["3/2", "-1/2"], ["1", "1"]])
def test_weights_that_are_no_distribution_are_refused(weights: list[str]) -> None:
    claim = Claim("c", ("mean(w, X[w]) <= 100",))
    with pytest.raises(Rejected, match="not a distribution of positive probabilities"):
        satisfies_hypotheses(claim, {"p_w": weights, "X": ["1", "2"]})


def test_a_number_that_is_called_like_a_distribution_is_none() -> None:
    assert satisfies_hypotheses(Claim("c", ("p_1 > 0",)), {"p_1": "5"})


@pytest.mark.parametrize("n", ["-1", "1/2", ["1"]])
def test_a_natural_number_is_natural(n: Any) -> None:
    with pytest.raises(Rejected, match="not a natural number"):
        environment({"n": n}, Claim("c", ("n >= 0",), naturals=("n",)))


@pytest.mark.parametrize("n", ["0", "7"])
def test_zero_is_natural(n: str) -> None:
    assert environment({"n": n}, Claim("c", ("n >= 0",), naturals=("n",)))["n"] == to_fmpq(int(n))


@pytest.mark.parametrize("bad", [[], [["1", "2"], ["3"]], [["1"], "2"], "one", "1/0", [[]]])
def test_values_that_are_no_numbers_are_refused(bad: Any) -> None:
    with pytest.raises(Malformed):
        environment({"x": bad}, Claim("c", ("x == x",)))


def test_a_missing_value_is_named() -> None:
    with pytest.raises(Rejected, match="no value for y"):
        environment({"x": "1"}, Claim("c", ("x <= y",)))


def test_a_goal_without_a_value_is_refuted_and_a_hypothesis_without_one_is_refused() -> None:
    assert "no value" in check_witness(Claim("c", ("1/x > 0",)), {"x": "0"})
    with pytest.raises(Rejected, match="no value at this point"):
        check_witness(Claim("c", ("x < 0",), given=("1/x > 0",)), {"x": "0"})
    with pytest.raises(Rejected, match="no witness"):
        check_witness(Claim("c", ("sqrt(x)*sqrt(x) == x",)), {"x": "2"})


def test_both_sides_are_shown_for_people() -> None:
    assert side_values(parse_relation("a/4 <= M"), ENV) == ("1/2", "[['1', '2'], ['3', '5']]")
    root, nothing = side_values(parse_relation("sqrt(a) <= 1/(a - 2)"), ENV)
    assert root.startswith("[1.41421356")
    assert nothing.startswith("undefined")


def test_a_point_keeps_exact_values_only() -> None:
    point = Point.of({"x": Fraction(2, 4), "v": [1, "2/6", (3,)], "a": "7"})
    assert point.as_dict() == {"a": "7", "v": ["1", "1/3", ["3"]], "x": "1/2"}
    assert Point.of({"x": "1 / sqrt( 2 )", "y": "sqrt(4)"}).as_dict() == {"x": "1/sqrt(2)", "y": "2"}
    for bad in (0.5, True, None, "half", "1/0", "sqrt(-2)", "sqrt(x)"):
        with pytest.raises(Malformed):
            Point.of({"x": bad})


@pytest.mark.parametrize("source", ["a**h", "a**(1/2)", "v[h]"])
def test_a_power_that_may_exist_is_not_called_undefined(source: str) -> None:
    with pytest.raises(Undecidable):
        value(source)
