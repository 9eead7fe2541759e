"""Subdivision provers on rational boxes: cones of distances to the walls for rational goals, else balls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.trust.classical import sequent
from theory.kernel import SCHEMA, Claim, Evidence, Verdict, judge
from theory.kernel.errors import Rejected
from theory.kernel.flat import fractions_of
from theory.kernel.lang import parse
from theory.kernel.rules import check
from theory.kernel.sequent import Tally
from theory.provers import bernstein, boxes
from theory.provers.budget import Budget

AMPLE = Budget(seconds=1e6)
UNIT = ("x >= 0", "x <= 1")
SQUARE = (*UNIT, "y >= 0", "y <= 1")
POLYNOMIAL: dict[str, tuple[str, ...]] = {
    "a product of the bounds": ("x*(1 - x) >= 0", *UNIT),
    "a positive quadratic": ("x*x - x + 1/3 > 0", *UNIT),
    "a quadratic above zero by a billionth": ("x*x - x + 1/4 + 1/10**9 > 0", *UNIT),
    "a double zero that is no dyadic number": ("(x - 1/3)**2*(x + 1) >= 0", *UNIT),
    "a double zero at three fifths in the square": ("(x - 3/5)**2 + (y - 2/7)**2 >= 0", *SQUARE),
    "a quotient without a plain sign": ("1/(x**2 - x + 1) <= 4/3", *UNIT),
    "a quotient by a negative divisor": ("1/(x - 2) <= -1/2", *UNIT),
    "a form on a square around zero": ("x**2 + y**2 - x*y + 1/10 > 0", "x >= -1", "x <= 1", "y >= -1", "y <= 1"),
    "bounds in other words": ("x <= 3/2", "2*x <= 3", "0 <= x"),
}
TRANSCENDENTAL: dict[str, tuple[str, ...]] = {
    "the exponential above its argument": ("exp(x) > x", *UNIT),
    "the exponential below a quadratic": ("exp(x) <= 1 + x + x**2 - 1/1000", "x >= 1/10", "x <= 1"),
    "the root below its tangent": ("sqrt(1 + x) <= 1 + x/2 + 1/100", "x >= 0", "x <= 3"),
    "the logarithm of a product": ("log(1 + x*y) <= x + 1/10", *SQUARE),
    "a maximum": ("max(x, 1 - x) >= 1/2 - 1/1000", *UNIT),
}
FALSE: dict[str, tuple[str, ...]] = {
    "a quadratic below zero by a billionth": ("x*x - x + 1/4 - 1/10**9 >= 0", *UNIT),
    "a quadratic that is attained, strictly": ("x*x - x + 1/4 > 0", *UNIT),
    "the exponential below its Taylor polynomial": ("exp(x) <= 1 + x + x**2/2", "x >= 1/10", "x <= 1"),
    "the exponential below itself by a billionth": ("exp(x) <= exp(x) - 1/10**9", *UNIT),
    "a divisor that vanishes inside": ("1/(x - 1/2) >= -10", *UNIT),
    "a bound that is attained, strictly": ("x > 0", *UNIT),
}


@pytest.mark.parametrize("name", POLYNOMIAL)
def test_distances_to_the_walls_prove(name: str) -> None:
    goal = sequent(*POLYNOMIAL[name])
    cert = boxes.find(goal, AMPLE)
    assert cert is not None
    assert cert["kind"] in ("cone", "cases", "have")
    check(json.loads(json.dumps(cert)), goal, {}, Tally())


@pytest.mark.parametrize("name", TRANSCENDENTAL)
def test_ball_covers_prove(name: str) -> None:
    goal = sequent(*TRANSCENDENTAL[name])
    cert = boxes.find(goal, AMPLE)
    assert cert is not None
    assert cert["kind"] == "balls"
    check(json.loads(json.dumps(cert)), goal, {}, Tally())


@pytest.mark.parametrize("name", FALSE)
def test_no_subdivision_proves(name: str) -> None:
    assert boxes.find(sequent(*FALSE[name]), Budget(seconds=1e6, boxes=200)) is None


@pytest.mark.parametrize("facts", [(), ("x >= 0",), ("x >= 0", "x <= y"), ("x >= 1", "x <= 0")])
def test_without_a_rational_box_nothing_is_tried(facts: tuple[str, ...]) -> None:
    assert boxes.find(sequent("x**2 + 1 > 0", *facts), AMPLE) is None


@pytest.mark.parametrize("name", ["a form on a square around zero", "a double zero at three fifths in the square"])
def test_the_same_question_gets_the_same_tree(name: str) -> None:
    first, second = (boxes.find(sequent(*POLYNOMIAL[name]), AMPLE) for _ in range(2))
    assert json.dumps(first) == json.dumps(second)


def leaves(tree: Mapping[str, Any]) -> int:
    return leaves(tree["low"]) + leaves(tree["high"]) if "split" in tree else 1


@pytest.mark.parametrize("name", ["the root below its tangent", "the exponential below a quadratic"])
def test_a_cover_has_no_more_boxes_than_the_budget_allows(name: str) -> None:
    goal = sequent(*TRANSCENDENTAL[name])
    cert = boxes.find(goal, AMPLE)
    assert cert is not None
    needed = leaves(cert["tree"])
    assert needed > 2
    assert boxes.find(goal, Budget(seconds=1e6, boxes=needed)) == cert
    assert boxes.find(goal, Budget(seconds=1e6, boxes=needed // 2)) is None


def pieces(cert: Mapping[str, Any]) -> int:
    both = ("nonnegative", "nonpositive")
    return sum(pieces(cert[side]) for side in both) if cert["kind"] == "cases" else 1


def test_a_box_is_cut_into_no_more_pieces_than_the_budget_allows() -> None:
    goal = sequent(*POLYNOMIAL["a form on a square around zero"])
    cert = boxes.find_bernstein(goal, AMPLE)
    assert cert is not None
    assert pieces(cert) > 2
    assert boxes.find_bernstein(goal, Budget(seconds=1e6, boxes=2)) is None


def test_more_bits_are_used_where_53_do_not_suffice() -> None:
    tight = "exp(x) - exp(x) + x >= x - 1/10**20"
    goal = sequent(tight, "x >= 1", "x <= 1")
    cert = boxes.find(goal, Budget(seconds=1e6, bits=256))
    assert cert is not None
    assert cert["bits"] > 53
    assert boxes.find(goal, Budget(seconds=1e6, bits=53)) is None


def test_a_stated_box_is_written_into_the_certificate() -> None:
    goal = sequent("exp(x) >= 1 + x + 1/1000", "x > 0")
    cert = boxes.find_balls_on(goal, {"x": (Fraction(1, 10), Fraction(2))}, AMPLE)
    assert cert is not None
    assert cert["box"] == {"x": ["1/10", "2"]}
    claim = Claim("c", ("exp(x) >= 1 + x + 1/1000",), ("x > 0",), example=(("x", "1"),))
    evidence = Evidence(certificate={"schema": SCHEMA, "claim": claim.digest, "goals": [cert]})
    found = judge(claim, evidence, {})
    assert (found.verdict, found.scope) == (Verdict.CERTIFIED, "x in [1/10, 2]")


def test_a_stated_box_on_which_the_goal_fails_is_not_covered() -> None:
    goal = sequent("exp(x) >= 1 + x + 1/1000", "x > 0")
    assert boxes.find_balls_on(goal, {"x": (Fraction(0), Fraction(2))}, Budget(seconds=1e6, boxes=100)) is None


def test_a_stated_box_must_bound_every_name() -> None:
    with pytest.raises(ValueError, match="no bounds for y"):
        boxes.find_balls_on(sequent("exp(x) >= y"), {"x": (Fraction(0), Fraction(1))}, AMPLE)


def test_one_piece_of_a_box_is_not_the_box() -> None:
    goal = sequent(*POLYNOMIAL["a positive quadratic"])
    cert = boxes.find(goal, AMPLE)
    assert cert is not None
    assert cert["kind"] == "cases"
    with pytest.raises(Rejected):
        check(cert["nonnegative"], goal, {}, Tally())


@pytest.mark.parametrize("formula", ["x**3*y - 2*x*y**2 + x + 1/3", "(x - y)**4", "x**5 - y"])
def test_float_coefficients_agree_with_exact_ones(formula: str) -> None:
    ring, (value,), _ = fractions_of([parse(formula)])
    box = {"x": (Fraction(-1, 3), Fraction(2)), "y": (Fraction(1, 2), Fraction(5))}
    floats = bernstein.tensor(value.num, ring.names, box)  # type: ignore[union-attr]
    exact = [float(Fraction(int(c.p), int(c.q))) for _, _, c in bernstein.coefficients(value.num, ring.names, box)]  # type: ignore[union-attr]
    np.testing.assert_allclose(floats.ravel(), exact, rtol=1e-9, atol=1e-9)


def test_cutting_a_tensor_is_the_tensor_of_the_cut_box() -> None:
    ring, (value,), _ = fractions_of([parse("x**3*y - 2*x*y**2 + x + 1/3")])
    whole = {"x": (Fraction(0), Fraction(3)), "y": (Fraction(0), Fraction(1))}
    poly = value.num  # type: ignore[union-attr]
    low, high = bernstein.halves(bernstein.tensor(poly, ring.names, whole), 0, 1 / 3)
    np.testing.assert_allclose(
        low, bernstein.tensor(poly, ring.names, {**whole, "x": (Fraction(0), Fraction(1))}), atol=1e-12
    )
    np.testing.assert_allclose(
        high, bernstein.tensor(poly, ring.names, {**whole, "x": (Fraction(1), Fraction(3))}), atol=1e-12
    )


def test_coefficients_are_those_of_the_textbook() -> None:
    def exact(formula: str, **box: tuple[int, int]) -> list[str]:
        ring, (value,), _ = fractions_of([parse(formula)])
        sides = {name: (Fraction(lo), Fraction(hi)) for name, (lo, hi) in box.items()}
        return [str(c) for _, _, c in bernstein.coefficients(value.num, ring.names, sides)]  # type: ignore[union-attr]

    assert exact("x**2 - 3*x + 1", x=(0, 2)) == ["1", "-2", "-1"]
    assert exact("x*y + x", x=(1, 2), y=(1, 2)) == ["2", "3", "4", "6"]
    with pytest.raises(ValueError, match="are more than"):
        exact("x**999*y**999", x=(0, 1), y=(0, 1))


@pytest.mark.parametrize("goal", ["x >= 1/1000", "x > 0", "1/(x - 2) > 0", "x**2/(x - 1) <= 0"])
def test_what_fails_at_a_wall_is_not_proved(goal: str) -> None:
    assert boxes.find_bernstein(sequent(goal, *UNIT), AMPLE) is None
