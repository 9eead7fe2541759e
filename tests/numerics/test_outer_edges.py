"""The outer loop by hand: the rules' numbers, one step in fractions, the rows of the semidefinite program."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from numerics import outer
from numerics.errors import ParameterError
from numerics.outer import HALF_STEP, PRINTED, REPAIRED_ENERGY, REPAIRED_MOMENTUM, Worst, exactly, iterate, thetas

Q = Fraction


def test_the_four_rules_are_what_their_names_say() -> None:
    found = {r.name: (r.step, r.momentum, r.weight, r.bonus) for r in outer.RULES}
    assert found == {
        "as printed": (2, "printed", Q(1, 3), 0),
        "printed momentum, repaired energy": (2, "printed", Q(1, 4), Q(1, 12)),
        "repaired momentum": (2, "repaired", Q(1, 4), Q(1, 12)),
        "half the step": (1, "repaired", Q(1, 2), Q(1, 12)),
    }


def test_the_schedule_has_as_many_steps_as_asked_for_odd_or_even() -> None:
    assert thetas(Q(1, 2), 1, Q(1)) == [Q(1, 3)]
    assert thetas(Q(1, 2), 3, Q(1)) == [Q(1, 2), Q(1, 3), Q(1, 4)]
    assert thetas(0.5, 2, 1.0) == [0.5, 1 / 3]


def test_the_first_two_steps_of_a_run_by_hand() -> None:
    theta, alpha = Q(1, 4), Q(2)
    run = iterate(REPAIRED_ENERGY, alpha, (Q(1, 2),), (Q(3),), [theta, theta])
    s, beta = Q(1, 4), Q(3, 5)  # s = 2 * 2/16, beta = (1 - 1/4)/(1 + 1/4)
    x1 = Q(3) - s * Q(3, 2)
    y = x1 + beta * (x1 - 3)
    x2 = y - s * y / 2
    z = x2 + 3 * (x2 - x1)
    assert run.points == ((Q(3),), (x1,), (x2,))
    weight = Q(1, 4) * (1 + theta / 12) / alpha
    assert run.energies[0] == Q(9, 4) + weight * 9
    assert run.energies[2] == x2**2 / 4 + weight * z**2


def test_an_error_enters_only_the_step_it_is_given_for() -> None:
    clean = iterate(HALF_STEP, Q(4), (Q(1),), (Q(1),), [Q(1, 8)] * 2)
    first = iterate(HALF_STEP, Q(4), (Q(1),), (Q(1),), [Q(1, 8)] * 2, [(Q(1),)])
    both = iterate(HALF_STEP, Q(4), (Q(1),), (Q(1),), [Q(1, 8)] * 2, [(Q(1),), (Q(1),)])
    assert first.points[1][0] - clean.points[1][0] == Q(1, 16)
    assert both.points[1] == first.points[1]
    assert both.points[2][0] - first.points[2][0] == Q(1, 16)


def test_curvatures_at_both_ends_are_allowed_and_beyond_them_are_not() -> None:
    iterate(PRINTED, Q(4), (Q(1, 4), Q(1)), (Q(1), Q(1)), [Q(1, 8)])
    for wrong in (Q(1, 5), Q(5, 4)):
        with pytest.raises(ParameterError, match="is outside"):
            iterate(PRINTED, Q(4), (Q(1), wrong), (Q(1), Q(1)), [Q(1, 8)])


def test_the_worst_of_no_curvature_range_is_the_one_curvature() -> None:
    found = outer.worst_quadratic(HALF_STEP, 1.0, 0.2, 0.2)
    assert found.curvature == 1.0
    assert found.share == 0.0
    assert found.rate == pytest.approx((1 - found.ratio) / 0.2)
    two = outer.worst_quadratic(PRINTED, 100.0, 0.02, 0.02, grid=2)
    assert two.curvature in (0.01, 1.0)
    assert outer.worst_quadratic(PRINTED, 100.0, 0.02, 0.02).ratio >= two.ratio


def test_an_instance_is_rounded_to_the_digits_asked_for() -> None:
    theta, found = Q(1, 10), Worst(0.5, 0.5, curvature=0.33349, x=2.0, gap=-0.24691, share=0.1)
    old, new = outer.one_step(PRINTED, Q(4), theta, theta, Q(333, 1000), Q(1), Q(-123, 1000), Q(1, 10))
    assert exactly(PRINTED, Q(4), theta, theta, found) == new / old
    old, new = outer.one_step(PRINTED, Q(4), theta, theta, Q(3, 10), Q(1), Q(-1, 10), Q(1, 10))
    assert exactly(PRINTED, Q(4), theta, theta, found, digits=1) == new / old
    outside = Worst(0.5, 0.5, curvature=0.2, x=0.0, gap=1.0)
    old, new = outer.one_step(PRINTED, Q(4), theta, theta, Q(1, 4), Q(0), Q(1), Q(0))
    assert exactly(PRINTED, Q(4), theta, theta, outside) == new / old
    steep = Worst(0.5, 0.5, curvature=1.2, x=-2.0, gap=1.0)
    old, new = outer.one_step(PRINTED, Q(4), theta, theta, Q(1), Q(-1), Q(1, 2), Q(0))
    assert exactly(PRINTED, Q(4), theta, theta, steep) == new / old


@pytest.mark.parametrize(
    ("alpha", "theta", "previous", "rho", "message"),
    [
        (float("nan"), 0.1, 0.1, 0.0, "alpha = nan is below one"),
        (4.0, 0.0, 0.1, 0.0, "theta = 0.0 is outside"),
        (4.0, 1.0, 0.1, 0.0, "theta = 1.0 is outside"),
        (4.0, 0.1, 1.0, 0.0, "previous = 1.0 is outside"),
        (4.0, 0.1, 0.1, -0.1, "rho = -0.1 is outside"),
        (4.0, 0.1, 0.1, 1.0, "rho = 1.0 is outside"),
    ],
)
def test_both_searches_refuse_what_the_step_does_not_allow(
    alpha: float, theta: float, previous: float, rho: float, message: str
) -> None:
    for search in (outer.worst_quadratic, outer.worst_function):
        with pytest.raises(ParameterError, match=message.replace(".", r"\.")):
            search(PRINTED, alpha, theta, previous, rho)


def test_a_row_is_the_inner_product_with_the_gram_matrix() -> None:
    rng = np.random.default_rng(2)
    form, vectors = rng.standard_normal((6, 6)), rng.standard_normal((6, 6))
    gram = vectors @ vectors.T
    packed = np.array([gram[i, j] * (1 if i == j else 2**0.5) for j in range(6) for i in range(j + 1)])
    row = outer._row(form, {1: 5.0})
    assert row[:21] @ packed == pytest.approx(float(np.sum(form * gram)))
    assert row[21:].tolist() == [0.0, 5.0, 0.0]
    assert outer._row(form)[21:].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("q", "slack"), [(1.0, 0.0), (0.25, 0.0), (0.5, 4 / 3)])
def test_interpolation_is_tight_on_the_steepest_and_the_flattest_parabola(q: float, slack: float) -> None:
    """On F = q x^2/2 the inequality reads -(1 - q)(q - mu) |a - b|^2/(2 (1 - mu)) <= 0."""
    line = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])  # all points and gradients are multiples of one unit vector
    places = [(x * line, q * x * line, k) for k, x in enumerate((3.0, -1.0))]
    row = outer._interpolation(places[0], places[1], 0.25)
    value = row[0] + row[21] * q * 9 / 2 + row[22] * q * 1 / 2
    assert value == pytest.approx(-(1 - q) * (q - 0.25) * 16 / (2 * 0.75))
    assert value == pytest.approx(-slack)


def test_the_semidefinite_program_finds_a_known_maximum_and_says_when_it_fails() -> None:
    """max G_11 with G_11 + G_22 = 1 is 1; max F_0 with F_0 <= 0 and F_1 = 1 is 0."""
    unit = np.eye(6)
    goal, fixed = outer._row(np.outer(unit[0], unit[0])), outer._row(np.eye(6))
    best, doubt = outer._maximise(goal, np.array([outer._row(np.zeros((6, 6)), {0: 1.0})]), fixed)
    assert best == pytest.approx(1.0, abs=1e-6)
    assert doubt < 1e-6
    value, _ = outer._maximise(
        outer._row(np.zeros((6, 6)), {0: 1.0}) - 1e-3 * outer._row(np.eye(6)),
        np.array([outer._row(np.zeros((6, 6)), {0: 1.0})]),
        outer._row(np.zeros((6, 6)), {1: 1.0}),
    )
    assert value == pytest.approx(0.0, abs=1e-6)
    with pytest.raises(ArithmeticError, match="the semidefinite program ended as"):
        outer._maximise(goal, np.array([-fixed]), outer._row(np.zeros((6, 6)), {1: 1.0}))


def test_weights_of_the_energy_by_hand() -> None:
    assert outer._weight(REPAIRED_MOMENTUM, 2.0, 0.5) == pytest.approx(0.25 * (1 + 0.5 / 12) / 2)
    assert outer._weight(PRINTED, 2.0, 0.5) == pytest.approx(1 / 6)
