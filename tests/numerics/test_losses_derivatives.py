"""l, l', l'' and the constants of every loss, against its formula typed a second time in high precision."""

from __future__ import annotations

from collections.abc import Callable

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.losses import (
    Logistic,
    Loss,
    Poisson,
    PseudoHuber,
    SoftplusQuadratic,
    Squared,
    TwoCurvature,
    TwoCurvatureAsPrinted,
)
from tests.strategies import losses

Formula = Callable[[mp.mpf, mp.mpf], mp.mpf]


def two_curvature(r: mp.mpf, L: mp.mpf, mu: mp.mpf, delta: mp.mpf, *, printed: bool) -> mp.mpf:
    if abs(r) <= delta:
        return L * r**2 / 2
    linear = r if printed else abs(r)
    return mu * r**2 / 2 + (L - mu) * delta * linear - (L - mu) * delta**2 / 2


def poisson(z: mp.mpf, b: mp.mpf, bound: mp.mpf) -> mp.mpf:
    m = max(min(z, bound), -bound)
    return mp.e**m * (1 + (z - m) + (z - m) ** 2 / 2) - b * z


def huber(r: mp.mpf, mu: mp.mpf, weight: mp.mpf, delta: mp.mpf) -> mp.mpf:
    return mu * r**2 / 2 + weight * delta**2 * (mp.sqrt(1 + (r / delta) ** 2) - 1)


CASES: list[tuple[Loss, Formula, float]] = [
    (Squared(), lambda z, b: (z - b) ** 2 / 2, 0.7),
    (Squared(3.0), lambda z, b: 3 * (z - b) ** 2 / 2, 0.7),
    (Logistic(0.25), lambda z, b: mp.log(1 + mp.exp(-b * z)) + z**2 / 8, 1.0),
    (Logistic(0.25), lambda z, b: mp.log(1 + mp.exp(-b * z)) + z**2 / 8, -1.0),
    (SoftplusQuadratic(0.5, 2.0, 0.25), lambda z, b: (z - b) ** 2 / 4 + mp.log(1 + mp.exp(4 * (z - b))) / 2, 0.7),
    (PseudoHuber(0.125, 2.0, 0.5), lambda z, b: huber(z - b, mp.mpf(0.125), mp.mpf(2), mp.mpf(0.5)), 0.7),
    (TwoCurvature(4.0, 0.5, 0.75), lambda z, b: two_curvature(z - b, 4, mp.mpf(0.5), mp.mpf(0.75), printed=False), 0.5),
    (
        TwoCurvatureAsPrinted(4.0, 0.5, 0.75),
        lambda z, b: two_curvature(z - b, 4, mp.mpf(0.5), mp.mpf(0.75), printed=True),
        0.5,
    ),
    (Poisson(1.5), lambda z, b: poisson(z, b, mp.mpf(1.5)), 2.0),
]
POINTS = [-41.3, -8.0, -2.1, -1.1, -0.3, 0.0, 0.2, 0.7, 0.9, 1.4, 2.2, 7.0, 39.0]  # away from every kink


@pytest.mark.parametrize(("loss", "formula", "b"), CASES, ids=lambda v: repr(v) if isinstance(v, Loss) else "")
def test_values_and_derivatives_agree_with_the_formula_in_fifty_digits(loss: Loss, formula: Formula, b: float) -> None:
    with mp.workdps(50):
        for z in POINTS:
            exact = [mp.diff(lambda t: formula(t, mp.mpf(b)), mp.mpf(z), n, h=mp.mpf(10) ** -12) for n in (0, 1, 2)]
            computed = loss.value(z, b), loss.d1(z, b), loss.d2(z, b)
            scale = 1 + abs(float(exact[0]))
            for ours, truth in zip(computed, exact, strict=True):
                assert float(ours) == pytest.approx(float(truth), rel=1e-13, abs=1e-14 * scale), (z, b)


@settings(max_examples=80, deadline=None)
@given(losses(), st.integers(0, 2**20))
def test_curvature_stays_within_the_constants_and_so_do_the_slopes_of_the_derivative(loss: Loss, seed: int) -> None:
    rng = np.random.default_rng(seed)
    z = np.sort(rng.uniform(-12, 12, 4000))
    b = 1.0
    d2, slopes = loss.d2(z, b), np.diff(loss.d1(z, b)) / np.diff(z)
    wide = np.diff(z) > 1e-5
    assert loss.mu * (1 - 1e-12) <= d2.min() <= d2.max() <= loss.L * (1 + 1e-12)
    assert loss.mu * (1 - 1e-6) - 1e-8 <= slopes[wide].min()
    assert slopes[wide].max() <= loss.L * (1 + 1e-6) + 1e-8
    assert loss.alpha == loss.L / loss.mu


@settings(max_examples=80, deadline=None)
@given(losses())
def test_no_smaller_upper_and_no_larger_lower_constant_holds(loss: Loss) -> None:
    b = 1.0
    z = np.concatenate([np.linspace(-3.5, 3.5, 7001), b + np.linspace(-0.01, 0.01, 201), [-1e4, 1e4, 0.0, b]])
    d2 = loss.d2(z, b)
    assert d2.max() >= loss.L * (1 - 1e-3)
    assert d2.min() <= loss.mu * (1 + 1e-3) + 1e-3 * loss.mu


def test_losses_are_finite_far_out() -> None:
    for loss, _, b in CASES:
        z = np.array([-1e8, -750.0, 750.0, 1e8])
        for f in (loss.value, loss.d1, loss.d2):
            assert np.all(np.isfinite(f(z, b)))


def test_arguments_are_broadcast() -> None:
    for loss, _, b in CASES:
        z = np.linspace(-1, 1, 5)[:, None]
        labels = np.full(3, b)
        for f in (loss.value, loss.d1, loss.d2):
            assert f(z, labels).shape == (5, 3)
            assert f(0.5, b).shape == ()


class TestTheTwoCurvatureLoss:
    L, mu, delta = 4.0, 0.5, 0.75

    def test_as_printed_it_falls_at_minus_delta(self) -> None:
        printed = TwoCurvatureAsPrinted(self.L, self.mu, self.delta)
        inside = float(printed.value(-self.delta, 0.0))
        outside = float(printed.value(np.nextafter(-self.delta, -1.0), 0.0))
        assert inside - outside == pytest.approx(2 * (self.L - self.mu) * self.delta**2, rel=1e-12)
        assert outside < 0 < inside

    def test_as_printed_its_slope_rises_to_the_left_of_minus_delta_so_it_is_not_convex(self) -> None:
        printed = TwoCurvatureAsPrinted(self.L, self.mu, self.delta)
        left, right = (float(printed.d1(x, 0.0)) for x in (np.nextafter(-self.delta, -1.0), -self.delta))
        assert left - right == pytest.approx(2 * (self.L - self.mu) * self.delta, rel=1e-12)
        middle, ends = printed.value(-1.0, 0.0), (printed.value(-1.5, 0.0) + printed.value(-0.5, 0.0)) / 2
        assert middle <= ends  # convex on each side alone
        assert float(printed.value(-0.76, 0.0)) < min(float(printed.value(-0.74, 0.0)), 0.0)
        assert not printed.convex

    def test_as_printed_and_corrected_agree_to_the_right_of_minus_delta_only(self) -> None:
        printed = TwoCurvatureAsPrinted(self.L, self.mu, self.delta)
        right = TwoCurvature(self.L, self.mu, self.delta)
        z = np.linspace(-self.delta, 5, 500)
        np.testing.assert_allclose(printed.value(z, 0.0), right.value(z, 0.0), rtol=1e-15)
        np.testing.assert_allclose(printed.d1(z, 0.0), right.d1(z, 0.0), rtol=1e-14, atol=1e-15)
        z = np.linspace(-5, -self.delta - 1e-9, 500)
        assert np.all(printed.value(z, 0.0) < right.value(z, 0.0) - (self.L - self.mu) * self.delta**2)

    @pytest.mark.parametrize("sign", [-1.0, 1.0])
    def test_corrected_it_is_even_and_continuous_with_a_continuous_derivative(self, sign: float) -> None:
        loss = TwoCurvature(self.L, self.mu, self.delta)
        inside, outside = sign * self.delta, np.nextafter(sign * self.delta, 2 * sign)
        assert loss.value(inside, 0.0) == pytest.approx(float(loss.value(outside, 0.0)), rel=1e-14)
        assert loss.d1(inside, 0.0) == pytest.approx(float(loss.d1(outside, 0.0)), rel=1e-14)
        z = np.linspace(0, 5, 300)
        np.testing.assert_array_equal(loss.value(z, 0.0), loss.value(-z, 0.0))

    def test_corrected_it_lies_above_the_quadratic_of_curvature_mu(self) -> None:
        z = np.linspace(-5, 5, 2001)
        assert np.all(TwoCurvature(self.L, self.mu, self.delta).value(z, 0.0) >= self.mu * z**2 / 2)
        assert np.any(TwoCurvatureAsPrinted(self.L, self.mu, self.delta).value(z, 0.0) < self.mu * z**2 / 2)


def test_poisson_is_twice_differentiable_at_the_ends_of_its_range() -> None:
    loss = Poisson(1.5)
    for end in (-1.5, 1.5):
        z = end + np.array([-1e-9, 1e-9])
        for f in (loss.value, loss.d1, loss.d2):
            one, other = f(z, 2.0)
            assert one == pytest.approx(other, rel=1e-7)
