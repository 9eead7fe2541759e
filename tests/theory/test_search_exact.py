"""From floats to small rationals: simplest fractions, exact roots, and what does not count as a witness."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.theory.test_search_claims import claim
from theory import lemma
from theory.kernel import check_witness
from theory.search import sampling
from theory.search.exact import FAILS, UNDEFINED, exact_root, refutes
from theory.search.shrink import simplify
from theory.search.simple import complexity, simplest_between, total

FRACTIONS = st.fractions(min_value=-50, max_value=50, max_denominator=500)


@settings(max_examples=200, derandomize=True, database=None)
@given(FRACTIONS, FRACTIONS)
def test_the_simplest_rational_of_an_interval_has_the_least_denominator(a: Fraction, b: Fraction) -> None:
    low, high = min(a, b), max(a, b)
    best = simplest_between(low, high)
    assert low <= best <= high
    for denominator in range(1, best.denominator):
        assert -(-low.numerator * denominator // low.denominator) > high * denominator


def test_an_empty_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="exchange the ends"):
        simplest_between(Fraction(2), Fraction(1))


@settings(max_examples=100, derandomize=True, database=None)
@given(FRACTIONS, st.integers(2, 5))
def test_roots_of_powers_are_found_and_others_are_not(base: Fraction, n: int) -> None:
    assert exact_root(base**n, n) == (base if n % 2 else abs(base))
    assert exact_root(2 * (abs(base) + 1) ** (2 * n), 2 * n) is None


def test_powers_of_ten_are_as_simple_as_their_digits() -> None:
    assert complexity(Fraction(10**6)) < complexity(Fraction(999_983))
    assert total({"a": "1/2", "lam": ["1", "2"]}) == sum(map(complexity, (Fraction(1, 2), Fraction(1), Fraction(2))))


def test_a_point_that_violates_a_hypothesis_refutes_nothing() -> None:
    assert refutes(claim("x <= 1", "x <= 2"), {"x": "3"}) is None
    assert refutes(claim("x <= 1", "x <= 3"), {"x": "3"}) == FAILS


def test_a_point_without_all_values_refutes_nothing() -> None:
    assert refutes(claim("x <= y"), {"x": "3"}) is None


def test_division_by_zero_and_roots_of_negatives_count_as_without_value() -> None:
    assert refutes(claim("1/x >= 0 - 10**9"), {"x": "0"}) == UNDEFINED
    assert refutes(claim("sqrt(x) >= 0"), {"x": "-1"}) == UNDEFINED
    assert refutes(claim("log(x) <= x"), {"x": "0"}) == UNDEFINED


def test_a_column_that_is_too_short_is_no_witness() -> None:
    one = claim("sum(i,1,d,lam[i]**2) >= 0", naturals=("d",))
    assert refutes(one, {"d": "2", "lam": ["1"]}) is None


def test_an_exponent_that_is_no_integer_is_no_witness() -> None:
    assert refutes(claim("x**(1/2) >= 0", "x > 0"), {"x": "4"}) is None


def test_a_sum_to_an_end_that_is_no_integer_has_no_value() -> None:
    one = claim("sum(t,T/2+1,T,1) == T/2", naturals=("T",))
    assert refutes(one, {"T": "3"}) == UNDEFINED
    assert refutes(one, {"T": "4"}) is None


def test_a_failing_goal_counts_before_one_without_value() -> None:
    from theory.kernel import Claim

    both = Claim("t", ("1/x <= 1", "x >= 1"))
    assert refutes(both, {"x": "0"}) == FAILS


def test_a_clumsy_witness_becomes_a_small_one_of_the_same_kind() -> None:
    one = claim("a**2 + b**2 <= 3*a*b", "a > 0", "b > 0")
    clumsy = {"a": "982451653/1000003", "b": "3/1000033"}
    small = simplify(one, clumsy)
    check_witness(one, small)
    assert total(small) < 12 < total(clumsy)


def test_indices_and_points_that_are_not_needed_are_dropped() -> None:
    one = claim("mean(w, X[w]**2) <= L*mean(w, X[w])/2", "L > 0", "forall(w, Omega, Omega, X[w] <= L)")
    small = simplify(one, {"L": "9/7", "X": ["9/7", "0", "1/5"], "p_w": ["2/3", "1/6", "1/6"]})
    check_witness(one, small)
    assert len(small["X"]) == 1


def test_a_smaller_integer_is_preferred() -> None:
    one = claim("x**k <= 1", "x >= 0", "k >= 2", naturals=("k",))
    assert simplify(one, {"x": "7/3", "k": "40"})["k"] == "2"


def test_what_refutes_nothing_is_returned_unchanged() -> None:
    assert simplify(claim("x <= x"), {"x": "355/113"}) == {"x": "355/113"}


def test_every_small_grid_point_that_refutes_is_matched_by_a_search() -> None:
    """An independent referee: where a coarse grid holds a witness, the search has one."""
    from theory.search import search

    sides = ("x*y", "x**2 - y", "abs(x) + y", "max(x, y)", "sqrt(abs(y))", "x/(1 + y**2)")
    grid = [Fraction(k, 2) for k in range(-4, 5)]
    for left, right in product(sides, repeat=2):
        one = claim(f"{left} <= {right}", "x + y >= -1", "x <= 2")
        on_grid = any(refutes(one, {"x": str(x), "y": str(y)}) for x in grid for y in grid)
        found = search(one).witness
        assert found is not None or not on_grid, (left, right)
        assert found is None or refutes(one, found)


@pytest.mark.parametrize(
    "given",
    [
        ["top > 0", "forall(k, 0, m, th[k] == top)", "forall(k, m, 2*m, th[k]*(b + k - m) == 4)", "b*top == 4"],
        ["a > 0", "forall(k, 1, m, a*s[k] + k == 2*a)", "m >= 1"],
        ["x > 0", "2*x*y - 3 == z"],
    ],
)
def test_an_equation_gives_a_value_to_what_stands_in_it_linearly(given: list[str]) -> None:
    """A schedule like th[k]*(b + k - m) == 4 is not met by chance."""
    check, rng = lemma("m + x <= m + x + 1", given=given, naturals=["m"]), np.random.default_rng(0)
    points = [sampling.draw(check.claim, rng) for _ in range(100)]
    assert sum(point is not None for point in points) > 50


def test_what_stands_below_a_sum_alone_gets_no_value_from_an_equation() -> None:
    check = lemma("m <= m + 1", given=["2*sum(i, 1, m, x[i])*y == 6*y"], naturals=["m"])
    points = [sampling.draw(check.claim, np.random.default_rng(seed)) for seed in range(20)]
    assert any(points)
    assert not any("i" in point for point in points if point is not None)
