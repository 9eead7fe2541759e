"""Limits to the last step, boxes to the last bit, and matrices that are not square."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from theory.kernel import Claim, Malformed, Rejected, Sequent, Undecidable, Undefined, check_witness, side_values
from theory.kernel.boxes import box_of, check_balls
from theory.kernel.evaluate import Mat, evaluate
from theory.kernel.flat import difference
from theory.kernel.judge import check_certificate
from theory.kernel.lang import parse, parse_relation
from theory.kernel.points import environment, holds, range_of
from theory.kernel.rings import Balls, Exact, RationalFunctions, to_fraction

VALUES = {"W": [["1", "2", "3"], ["4", "5", "6"]], "z": "0", "a": "2"}
TRIANGLE = [[int(i == j) * 2**i or int(i < j) for j in range(6)] for i in range(6)]
ENV = environment(VALUES, Claim("c", ("0 == 0",)))


def value(source: str) -> Any:
    found = evaluate(parse(source), ENV, Exact())
    return [[to_fraction(x) for x in row] for row in found.rows] if isinstance(found, Mat) else to_fraction(found)


@pytest.mark.parametrize(
    ("source", "worth"),
    [
        ("W[1]", [[1], [2], [3]]),
        ("W[2]", [[4], [5], [6]]),
        ("W[1, 1]", 1),
        ("[[0, 0], [0, 0]]**0", [[1, 0], [0, 1]]),
        ("[[0, 1], [0, 0]]**1", [[0, 1], [0, 0]]),
        ("z**0", 1),
        ("1**100000", 1),
        ("sum(i, 100001, 100001, i)", 100001),
        ("tr([[a, 1, 1], [1, 3, 1], [1, 1, 5]])", 10),
        ("inv([[0, 1], [1, 0]])", [[0, 1], [1, 0]]),
        ("W.T[3]", [[3], [6]]),
        (f"tr(inv({TRIANGLE}))", Fraction(63, 32)),
    ],
)
def test_a_value_at_an_edge_is_what_the_hand_computes(source: str, worth: Any) -> None:
    assert value(source) == worth


@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        ("tr(W)", "do not combine this way"),
        ("tr(W.T)", "do not combine this way"),
        ("tr(a)", "do not combine this way"),
        ("W**2", "a power of a 2x3 matrix"),
        ("W.T**2", "a power of a 3x2 matrix"),
        ("1**100001", "the exponent 100001 is larger than 100000"),
        ("inv(W)", "inv of a 2x3 matrix"),
        ("inv([" + ", ".join(["[1, 2, 3, 4, 5, 6, 7]"] * 7) + "])", "up to 6x6"),
        ("[W, W]", "rows of a matrix have different lengths"),
        ("[[1, 2], [1, 2, 3]]", "rows of a matrix have different lengths"),
        ("W + W.T", "do not add"),
        ("W @ W", "do not multiply"),
        ("W*W", "write @ for the product"),
        ("max(W, 1)", "do not combine this way"),
        ("W[1, 1, 1]", "do not combine this way"),
        ("a[1]", "do not combine this way"),
        ("q", "q has no value here"),
        ("mean(u, u)", "needs a finite probability space: the weights p_u"),
    ],
)
def test_what_has_no_meaning_is_refused_by_name(source: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        value(source)


@pytest.mark.parametrize("source", ["iterate(s, 3, 1, 2*s)", "a**3", "a**(-3)", "sum(i, 0, 3, i)", "sum(i, -3, 0, i)"])
def test_a_limit_is_kept_to_the_last_step(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("theory.kernel.evaluate.MAX_STEPS", 3)
    value(source)
    monkeypatch.setattr("theory.kernel.evaluate.MAX_STEPS", 2)
    with pytest.raises(Malformed, match=r"(larger|longer|more) than 2"):
        value(source)


def test_a_range_is_as_long_as_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    relation = parse_relation("forall(i, 5, 8, i > 0)")
    assert holds(relation, {})
    assert holds(parse_relation("forall(i, 100001, 100001, i > 0)"), {})
    monkeypatch.setattr("theory.kernel.points.MAX_RANGE", 3)
    assert holds(relation, {})
    monkeypatch.setattr("theory.kernel.points.MAX_RANGE", 2)
    with pytest.raises(Malformed, match="a range of 3 indices is longer than 2"):
        holds(relation, {})


def test_a_range_of_a_hundred_thousand_is_the_longest() -> None:
    assert range_of(parse("0"), parse("100000"), "i", {}) == (0, 100_000)
    with pytest.raises(Malformed, match="a range of 100001 indices"):
        range_of(parse("0"), parse("100001"), "i", {})
    with pytest.raises(Undefined, match="is not an integer"):
        range_of(parse("1/2"), parse("3"), "i", {})


def over_space(values: list[str], weights: Any = ("1/2", "1/2")) -> bool:
    relation = parse_relation("forall(w, Omega, Omega, X[w] > 0)")
    given = {"X": values, **({"p_w": list(weights)} if weights else {})}
    return holds(relation, environment(given, Claim("c", ("0 == 0",))))


def test_a_relation_over_a_space_holds_at_every_point_of_it() -> None:
    assert over_space(["1", "2"])
    assert not over_space(["-1", "2"])
    assert not over_space(["1", "-2"])
    assert over_space(["1"], ["1"])
    assert over_space(["1", "2", "-3"])  # the space has two points
    with pytest.raises(Malformed, match="gives no probabilities p_w"):
        over_space(["1", "2"], None)
    for weights in (["1/2", "1/4"], ["3/2", "-1/2"], ["1", "0"], ["0", "0"]):
        with pytest.raises(Rejected, match="positive probabilities"):
            over_space(["1", "2"], weights)


def test_an_exact_zero_of_irrational_numbers_is_decided_for_roots_alone() -> None:
    for says in ("0*sqrt(2) == 0", "0*sqrt(2) <= 0", "sqrt(2) - sqrt(2) >= 0"):
        assert holds(parse_relation(says), {})
    assert not holds(parse_relation("0*sqrt(2) != 0"), {})
    for says in ("0*exp(2) == 0", "0*exp(2) <= 0", "log(2) - log(2) >= 0", "0*sin(2) != 0"):
        with pytest.raises(Undecidable, match="cannot be decided at 4096 bits"):
            holds(parse_relation(says), {})


def test_a_family_of_two_indices_is_a_list_of_lists() -> None:
    claim = Claim("c", ("M[1, 2] <= 0",))
    assert check_witness(claim, {"M": [["1", "2"], ["3", "4"]]}) == "M[1, 2] <= 0 fails"
    with pytest.raises(Rejected, match=r"M has 2 index\(es\)"):
        check_witness(claim, {"M": ["1", "2"]})


def test_a_side_is_shown_with_enough_digits() -> None:
    root, one = side_values(parse_relation("sqrt(2) <= 1"), {})
    assert root == "[1.4142135623730950488016887242096980786 +/- 3.69e-38]"
    assert one == "1"


def sequent(goal: str, *facts: str) -> Sequent:
    return Sequent(tuple(map(parse_relation, facts)), parse_relation(goal))


def test_a_box_needs_a_bound_on_every_side() -> None:
    with pytest.raises(Rejected, match="no rational bounds are given for y"):
        box_of(sequent("x > 0", "x >= 0", "x <= 1"), frozenset("xy"))


def test_balls_have_fifty_three_bits_unless_told() -> None:
    what = sequent("x > 1")
    node, strict = difference(what.goal)
    just_above = Fraction(2**53 + 1, 2**53)
    cert = {"tree": {}, "box": {"x": [str(just_above), str(just_above)]}}
    assert check_balls({**cert, "bits": 54}, node, strict, what) == f"x in [{just_above}, {just_above}]"
    with pytest.raises(Rejected, match="reaches below zero"):
        check_balls(cert, node, strict, what)


def test_rings_at_their_edges() -> None:
    for name in ("sqrt", "log"):
        with pytest.raises(Undefined, match="may"):
            Balls().call(name, [Balls().const(Fraction(-1, 2))])
    with pytest.raises(Undefined, match="may not be positive"):
        Balls().call("log", [Balls().const(Fraction(0))])
    assert Balls().call("log", [Balls().const(Fraction(1, 2))]) < 0
    assert Balls().call("sqrt", [Balls().const(Fraction(1, 4))]) > 0
    assert Balls().call("sqrt", [Balls().const(Fraction(0))]) == 0
    for order in permutations((3, 1, 5)):
        numbers = [Balls().const(Fraction(n)) for n in order]
        assert (Balls().call("min", numbers), Balls().call("max", numbers)) == (1, 5)
    with pytest.raises(Undefined, match="contains zero"):
        Balls().divide(Balls().const(Fraction(1)), Balls().const(Fraction(0)))
    with pytest.raises(Malformed, match="is not a rational function"):
        RationalFunctions(("x",)).call("exp", [])


@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        ("(2**99999)**99999", "too much to compute"),
        ("iterate(s, 60, 3, s*s)", "bits has more than"),
        ("iterate(s, 60, [[3, 0], [0, 1]], s@s)[1, 1]", "bits has more than"),
        ("sum(i, 1, 10000, sum(j, 1, 10000, i*j))", "are more than"),
        ("iterate(s, 10000, 0, s + iterate(r, 10000, 0, r + 1))", "are more than"),
        ("1e99999999 + 1", "the power of ten in 1e99999999 is above"),
    ],
)
def test_what_nobody_computes_ends_with_a_message(source: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        value(source)


def test_a_polynomial_with_too_many_terms_is_not_multiplied_out() -> None:
    claim = Claim("c", ("(x + y + z + w + 1)**300 >= 0",))
    with pytest.raises(Rejected, match="too much to compute"):
        check_certificate(claim, {"goals": [{"kind": "positive"}]}, {})
