"""Losses are frozen values that know their domain; a user's loss is checked before it is believed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numba import njit

from numerics.losses import (
    Logistic,
    Poisson,
    PseudoHuber,
    SoftplusQuadratic,
    Squared,
    TwoCurvature,
    TwoCurvatureAsPrinted,
    UserLoss,
)

EVERY_LOSS = [
    Squared(2.0),
    Logistic(0.1),
    SoftplusQuadratic(0.5, 2.0, 0.25),
    PseudoHuber(0.1, 2.0, 0.5),
    TwoCurvature(2.0, 0.5, 0.1),
    TwoCurvatureAsPrinted(2.0, 0.5, 0.1),
    Poisson(1.0),
]


def smoothed_absolute(**changes: object) -> UserLoss:
    """sqrt(1 + r^2) + r^2/4 with r = z - b: curvature in (1/2, 3/2]."""
    correct: dict[str, object] = {
        "L": 1.5,
        "mu": 0.5,
        "l": lambda z, b: np.sqrt(1 + (z - b) ** 2) + (z - b) ** 2 / 4,
        "dl": lambda z, b: (z - b) / np.sqrt(1 + (z - b) ** 2) + (z - b) / 2,
        "ddl": lambda z, b: (1 + (z - b) ** 2) ** -1.5 + 0.5,
        "title": "smoothed absolute",
    }
    return UserLoss(**{**correct, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("loss", EVERY_LOSS, ids=repr)
def test_a_loss_is_a_frozen_value_that_prints_itself(loss: object) -> None:
    with pytest.raises(FrozenInstanceError):
        loss.mu = 1.0  # type: ignore[attr-defined]
    assert loss == replace(loss)  # type: ignore[type-var]
    assert hash(loss) == hash(replace(loss))  # type: ignore[type-var]
    assert repr(loss).startswith(type(loss).__name__)
    table = loss._repr_html_()  # type: ignore[attr-defined]
    assert "L_l" in table
    assert "&#x27;" in table or "'" not in table


def test_constants_are_those_of_the_formulas() -> None:
    assert (Squared(2.0).L, Squared(2.0).mu, Squared().alpha) == (2.0, 2.0, 1.0)
    assert (Logistic(0.25).L, Logistic(0.25).mu, Logistic(0.25).alpha) == (0.5, 0.25, 2.0)
    assert SoftplusQuadratic(0.5, 2.0, 0.25).L == 2.5
    assert PseudoHuber(0.5, 2.0).L == 2.5
    assert TwoCurvature(4.0, 0.5).alpha == 8.0
    assert Poisson(1.0).alpha == pytest.approx(np.exp(2.0))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Squared(0.0), "squared: scale = 0.0 must be positive; give a number > 0"),
        (lambda: Logistic(-1.0), "regularised logistic: mu = -1.0 must be positive"),
        (lambda: SoftplusQuadratic(1.0, 1.0, np.nan), "softplus/quadratic mixture: tau = nan is not finite"),
        (lambda: PseudoHuber(1.0, 0.0), "pseudo-Huber plus quadratic: weight = 0.0 must be positive"),
        (lambda: TwoCurvature(1.0, 2.0), "two-curvature l_delta: mu = 2.0 exceeds L = 1.0"),
        (lambda: TwoCurvature(1.0, 0.5, 0.0), "delta = 0.0 must be positive"),
        (lambda: TwoCurvatureAsPrinted(1.0, 2.0), "as printed: mu = 2.0 exceeds L = 1.0"),
        (lambda: Poisson(301.0), r"bound = 301.0 makes alpha = exp\(2 bound\) overflow"),
        (lambda: smoothed_absolute(mu=2.0), "smoothed absolute: mu = 2.0 exceeds L = 1.5"),
        (lambda: smoothed_absolute(labels=()), "no labels to check the loss at"),
        (lambda: smoothed_absolute(radius=-1.0), "radius = -1.0 must be positive"),
    ],
)
def test_bad_parameters_are_refused(build: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("loss", "bad", "message"),
    [
        (
            Logistic(0.1),
            [1.0, 0.0, 0.0],
            r"label 1 is 0 \(2 such labels\); labels must be -1 or \+1: map labels 0 and 1",
        ),
        (Logistic(0.1), [np.nan], "label 0 is nan"),
        (Poisson(1.0), [0.0, -2.0], r"label 1 is -2 .*must be >= 0"),
        (Poisson(1.0), [np.inf], "label 0 is inf"),
        (Squared(), [0.0, np.inf], "label 1 is inf .*labels must be finite numbers"),
    ],
)
def test_labels_outside_the_domain_are_refused(loss: Squared, bad: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        loss.check_labels(bad)


def test_good_labels_pass_through() -> None:
    assert Logistic(0.1).check_labels([1, -1]).tolist() == [1.0, -1.0]
    assert Poisson(1.0).check_labels([0, 3]).tolist() == [0.0, 3.0]


def test_a_right_user_loss_is_accepted_and_works() -> None:
    compiled = njit(lambda z, b: (z - b) / np.sqrt(1 + (z - b) ** 2) + (z - b) / 2)
    loss = smoothed_absolute(kernel=compiled)
    assert loss.code == -1
    assert loss.alpha == 3.0
    assert float(loss.d1(1.3, 0.2)) == pytest.approx(loss.kernel(1.3, 0.2), rel=1e-14)
    assert loss.domain == "sampled only: |z| <= 10, b in [-2.0, -1.0, 0.0, 1.0, 2.0]"
    assert smoothed_absolute(ddl=lambda z, b: (1 + (z - b) ** 2) ** -1.5 + 0.5).params == (0.0, 0.0, 0.0)


def test_a_user_loss_may_have_kinks_in_its_derivative() -> None:
    right = TwoCurvature(2.0, 0.5, 0.3)
    assert UserLoss(2.0, 0.5, right.value, right.d1, right.d2).alpha == 4.0


def test_a_constant_second_derivative_is_broadcast() -> None:
    loss = UserLoss(1.0, 1.0, lambda z, b: (z - b) ** 2 / 2, lambda z, b: z - b, lambda z, b: 1.0)
    assert loss.d2(np.zeros((2, 3)), 0.0).shape == (2, 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"dl": lambda z, b: (z - b) / 2},
            r"at z = .*, b = -2 l' is not the derivative of l; correct the second callable",
        ),
        ({"ddl": lambda z, b: (1 + (z - b) ** 2) ** -1.5 + 0.51}, "l'' is not the derivative of l'; correct the third"),
        ({"L": 1.45}, r"l'' exceeds L = 1.45; raise L"),
        ({"mu": 0.51}, r"l'' is below mu = 0.51; lower mu"),
        ({"l": lambda z, b: np.where(z > 9.5, np.nan, 0.0)}, "l is not finite; correct the callable"),
        ({"ddl": lambda z, b: np.full_like(z, np.inf)}, "l'' is not finite"),
    ],
)
def test_a_wrong_user_loss_is_refused_with_the_point(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        smoothed_absolute(**changes)


def test_the_printed_two_curvature_loss_is_refused_as_a_user_loss() -> None:
    printed = TwoCurvatureAsPrinted(2.0, 0.5, 0.3)
    with pytest.raises(ValueError, match=r"is not the derivative of l|is below mu"):
        UserLoss(2.0, 0.5, printed.value, printed.d1, printed.d2)


@pytest.mark.parametrize("label", [0.0, 0.3337])
def test_a_jump_of_the_derivative_is_found_between_the_sample_points(label: float) -> None:
    with pytest.raises(ValueError, match=r"the slope of l' to the next point exceeds L = 1; raise L"):
        UserLoss(
            1.0,
            1.0,
            lambda z, b: np.abs(z - b) + (z - b) ** 2 / 2,
            lambda z, b: np.sign(z - b) + (z - b),
            lambda z, b: 1.0,
            labels=(label,),
        )
