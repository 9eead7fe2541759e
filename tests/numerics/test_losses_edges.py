"""Losses at their edges: where integrals are split, tolerances of the check of a user's loss, ranges at their ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from numerics.losses import (
    Logistic,
    Loss,
    Poisson,
    PseudoHuber,
    SoftplusQuadratic,
    Squared,
    TwoCurvature,
    TwoCurvatureAsPrinted,
    UserLoss,
    kernels,
)


def quadratic(offset: float = 0.0, bend: float = 0.0, **changes: object) -> UserLoss:
    """r^2/2 with l' off by `offset` and l'' off by `bend`, constants 1 and 1."""
    settings: dict[str, object] = {
        "L": 1.0,
        "mu": 1.0,
        "l": lambda z, b: (z - b) ** 2 / 2,
        "dl": lambda z, b: z - b + offset,
        "ddl": lambda z, b: 1.0 + bend + 0 * z,
    }
    return UserLoss(**{**settings, **changes})  # type: ignore[arg-type]


def test_losses_say_where_they_are_not_smooth() -> None:
    found = {
        type(loss).__name__: (
            loss.kinks_in_residual,
            loss.kinks_in_prediction,
            loss.width_in_residual,
            loss.width_in_prediction,
        )
        for loss in (
            Squared(),
            Logistic(0.1),
            SoftplusQuadratic(0.5, 2.0, 0.25),
            PseudoHuber(0.1, 2.0, 0.5),
            TwoCurvature(2.0, 0.5, 0.1),
            TwoCurvatureAsPrinted(2.0, 0.5, 0.1),
            Poisson(1.5),
        )
    }
    assert found == {
        "Squared": ((), (), None, None),
        "Logistic": ((), (), None, math.pi),
        "SoftplusQuadratic": ((), (), math.pi / 4, None),
        "PseudoHuber": ((), (), 0.5, None),
        "TwoCurvature": ((-0.1, 0.1), (), None, None),
        "TwoCurvatureAsPrinted": ((-0.1, 0.1), (), None, None),
        "Poisson": ((), (-1.5, 1.5), None, None),
    }


def test_losses_say_what_they_depend_on_and_where_they_hold() -> None:
    residual = [Squared, SoftplusQuadratic, PseudoHuber, TwoCurvature, TwoCurvatureAsPrinted]
    assert [kind for kind in (*residual, Logistic, Poisson, UserLoss) if kind.residual] == residual
    assert [kind.even for kind in residual] == [True, False, True, True, False]
    assert not TwoCurvatureAsPrinted.convex
    assert TwoCurvature.convex
    assert Logistic(0.1).domain == "every z and b in {-1, +1}"
    assert Poisson(1.5).domain.endswith("|z| <= 1.5")
    for loss in (Squared(), SoftplusQuadratic(0.5), PseudoHuber(0.5)):
        assert loss.domain == "every z and every finite b"
    assert "one-sidedly" in TwoCurvature(2.0, 0.5).domain
    assert "jumps" in TwoCurvatureAsPrinted(2.0, 0.5).domain
    assert "<th>alpha</th><td>4</td>" in TwoCurvature(2.0, 0.5)._repr_html_()
    assert repr(PseudoHuber(0.5, 2.0)) == "PseudoHuber(mu=0.5, weight=2.0, delta=1.0)"


def test_kernels_get_the_parameters_in_their_order() -> None:
    assert Squared(2.0).params == (2.0, 0.0, 0.0)
    assert Logistic(0.1).params == (0.1, 0.0, 0.0)
    assert SoftplusQuadratic(0.5, 2.0, 0.25).params == (0.5, 2.0, 0.25)
    assert PseudoHuber(0.1, 2.0, 0.5).params == (0.1, 2.0, 0.5)
    assert TwoCurvature(2.0, 0.5, 0.1).params == (2.0, 0.5, 0.1)
    assert Poisson(1.5).params == (1.5, 0.0, 0.0)
    assert quadratic().params == (0.0, 0.0, 0.0)


def test_constants_at_the_ends_of_their_ranges_are_taken() -> None:
    assert TwoCurvature(2.0, 2.0).alpha == 1.0
    assert np.exp(300.0) == Poisson(300.0).L
    with pytest.raises(ValueError, match="overflow; lower it below 300"):
        Poisson(np.nextafter(300.0, 301.0))
    assert Poisson(1.0).check_labels([0.0]).tolist() == [0.0]
    assert quadratic(labels=(1,)).labels == (1.0,)


def test_at_a_kink_the_curvature_is_that_of_the_inner_branch() -> None:
    for loss in (TwoCurvature(4.0, 0.5, 0.75), TwoCurvatureAsPrinted(4.0, 0.5, 0.75)):
        for z in (-0.75, 0.75):
            assert float(loss.d2(z, 0.0)) == 4.0
            assert float(loss.value(z, 0.0)) == 2 * 0.75**2
            assert float(loss.d1(z, 0.0)) == 4 * z
            assert kernels.d2loss(loss.code, *loss.params, z, 0.0) == 4.0
            assert kernels.loss_value(loss.code, *loss.params, z, 0.0) == 2 * 0.75**2
            assert kernels.dloss(loss.code, *loss.params, z, 0.0) == 4 * z


def test_sigmoid_and_softplus_by_hand() -> None:
    assert kernels.sigmoid(0.0) == 0.5
    assert kernels.sigmoid(math.log(3)) == pytest.approx(0.75)
    assert kernels.sigmoid(-math.log(3)) == pytest.approx(0.25)
    assert kernels.softplus(0.0) == pytest.approx(math.log(2))
    assert kernels.softplus(math.log(3)) == pytest.approx(math.log(4))
    assert kernels.softplus(-math.log(3)) == pytest.approx(math.log(4 / 3))


def test_a_derivative_may_be_off_by_the_error_of_its_difference_and_no_more() -> None:
    """The tolerance at r = 0 is L step + 1e-6 = 1.01e-4, more where l' is larger."""
    quadratic(offset=1.0e-4, labels=(0.0,))
    with pytest.raises(ValueError, match="l' is not the derivative of l; correct the second callable"):
        quadratic(offset=1.015e-4, labels=(0.0,))
    quadratic(offset=9.9e-4, labels=(0.0,), radius=100.0)
    with pytest.raises(ValueError, match="l' is not the derivative of l"):
        quadratic(offset=1.2e-3, labels=(0.0,), radius=100.0)
    quadratic(offset=9.9e-5, labels=(0.0,), radius=1.0)


def test_a_second_derivative_may_be_off_by_a_ten_thousandth_of_the_largest() -> None:
    wide = {"L": 1.1, "mu": 0.9}
    quadratic(bend=9e-5, **wide)
    for bend in (1.1e-4, -1.1e-4):
        with pytest.raises(ValueError, match="l'' is not the derivative of l'; correct the third callable"):
            quadratic(bend=bend, **wide)


def test_constants_are_checked_up_to_a_millionth() -> None:
    quadratic(L=1 - 9e-7, mu=0.5)
    with pytest.raises(ValueError, match="exceeds L = "):
        quadratic(L=1 - 1.1e-6, mu=0.5)
    quadratic(L=2.0, mu=1 + 9e-7)
    with pytest.raises(ValueError, match="is below mu = "):
        quadratic(L=2.0, mu=1 + 1.1e-6)


def test_the_point_of_a_refusal_is_the_first_one() -> None:
    with pytest.raises(ValueError, match="at z = 5, b = 2 l is not finite"):
        quadratic(l=lambda z, b: np.where((z >= 5) & (b == 2), np.inf, (z - b) ** 2 / 2))
    with pytest.raises(ValueError, match="at z = -10, b = -2 l' is not finite"):
        quadratic(offset=math.nan)


def test_labels_are_counted_and_the_first_bad_one_is_named() -> None:
    loss: Loss = Poisson(1.0)
    with pytest.raises(ValueError, match=r"label 3 is -1 \(2 such labels\)"):
        loss.check_labels([[0.0, 1.0], [2.0, -1.0], [-3.0, 4.0]])
    assert Squared().check_labels([[1, 2]]).shape == (1, 2)
