"""Intervals that cover, fits that find what was put in, targets by interpolation."""

from __future__ import annotations

import numpy as np
import pytest

from numerics.race import band, fit_terms, jackknife, reached, slope

SIZES = np.geomspace(100, 1e6, 13)


def noisy(mean: np.ndarray, spread: float, seeds: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return mean[:, None] * rng.gamma(1 / spread**2, spread**2, size=(len(mean), seeds))


def test_the_intervals_cover_as_often_as_they_say() -> None:
    hits, trials = 0, 400
    for k in range(trials):
        interval = band(noisy(np.array([2.0]), 0.8, 12, seed=k))[0]
        assert interval is not None
        hits += interval.contains(2.0)
    assert 0.88 < hits / trials < 0.99


def test_one_seed_has_no_interval() -> None:
    interval = jackknife(np.array([3.0]), lambda mean: float(mean))
    assert interval is not None
    assert (interval.value, interval.low, interval.high) == (3.0, None, None)
    assert not interval.contains(3.0)


def test_the_fit_finds_both_terms() -> None:
    mean = 0.4 * np.exp(-SIZES / 5e3) + 7 / SIZES
    terms = fit_terms(SIZES, noisy(mean, 0.1, 10))
    assert terms is not None
    assert terms.tau.contains(5e3)
    assert terms.statistical.contains(7)
    assert terms.tau.value == pytest.approx(5e3, rel=0.05)
    assert terms.misfit < 1.2


def test_the_fit_declines_a_curve_with_one_term_only() -> None:
    assert fit_terms(SIZES, noisy(np.exp(-SIZES / 1e6), 0.05, 6)) is None
    assert fit_terms(SIZES, noisy(3 / SIZES, 0.05, 6)) is None
    assert fit_terms(SIZES[:4], noisy(3 / SIZES[:4], 0.05, 6)) is None


def test_a_wrong_form_shows_as_misfit() -> None:
    mean = 0.4 * np.exp(-((SIZES / 5e3) ** 3)) + 7 / SIZES
    terms = fit_terms(SIZES, noisy(mean, 0.02, 10))
    assert terms is None or terms.misfit > 1.4


def test_the_slope_of_a_power_law_is_its_power() -> None:
    found = slope(SIZES, noisy(5 / SIZES**0.7, 0.02, 8))
    assert found is not None
    assert found.contains(-0.7)
    assert not found.contains(-1.0)


def test_the_target_is_found_between_the_sizes() -> None:
    found = reached(SIZES, noisy(2 / SIZES, 0.01, 8), 1e-4)
    assert found is not None
    assert found.value == pytest.approx(2e4, rel=0.02)
    assert found.contains(2e4)


def test_a_target_beyond_either_end_is_not_invented() -> None:
    curve = noisy(2 / SIZES, 0.01, 8)
    assert reached(SIZES, curve, 1e-9) is None
    assert reached(SIZES, curve, 1.0) is None


def test_a_dip_is_not_an_arrival() -> None:
    mean = np.array([1.0, 1e-6, 1.0, 1e-2, 1e-6])
    found = reached(np.array([10.0, 20, 40, 80, 160]), mean[:, None] * np.ones(3), 1e-3)
    assert found is not None
    assert found.value > 80
