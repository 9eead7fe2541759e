"""The race at its edges: ties, one seed, one size, curves made by hand whose crossings are known exactly."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

from numerics.problems import DiscreteNoise
from numerics.race import Entrant, acceleration, jackknife
from numerics.race.acceleration import Acceleration, measure, noiseless
from numerics.race.statistics import Interval, band, crossing, fit_terms, reached, slope, usable

SIZES = np.array([16.0, 32.0, 64.0, 128.0])


def test_an_interval_contains_its_own_ends_and_nothing_without_ends() -> None:
    interval = Interval(2.0, 1.0, 3.0)
    assert [interval.contains(x) for x in (0.999, 1.0, 3.0, 3.001)] == [False, True, True, False]
    assert not Interval(2.0, None, 3.0).contains(2.0)
    assert not Interval(2.0, 1.0, None).contains(2.0)


def test_the_jackknife_of_a_mean_is_the_students_t_interval_of_the_text_books() -> None:
    draws = np.array([1.0, 2.0, 4.0, 9.0])
    found = jackknife(draws, lambda mean: float(mean), positive=False)
    low, high = stats.t.interval(0.95, 3, loc=draws.mean(), scale=draws.std(ddof=1) / 2)
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((4.0, low, high))


def test_the_jackknife_of_a_positive_figure_works_on_its_logarithm() -> None:
    found = jackknife(np.array([1.0, 3.0]), lambda mean: float(mean), level=0.9)
    half = (math.log(3) - math.log(1)) / 2 * stats.t.ppf(0.95, 1)  # two seeds: the error is half the range of the logs
    assert found is not None
    assert (found.low, found.high) == pytest.approx((2 * math.exp(-half), 2 * math.exp(half)))


def test_two_seeds_far_apart_have_finite_ends_that_json_can_hold() -> None:
    with np.errstate(all="raise"):
        found = jackknife(np.array([1e-9, 1.0]), lambda mean: float(mean), level=0.9999)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < 1e-200
    assert 1e200 < found.high < math.inf
    assert "Infinity" not in json.dumps(asdict(found), allow_nan=False)


@pytest.mark.parametrize("draws", [[0.0, 2.0, 4.0], [-1.0, 1.0, 3.0], [-1.0, -2.0, -3.0], [-2.0, 0.0, 8.0]])
def test_a_positive_figure_that_is_not_positive_without_some_seed_has_no_interval(draws: list[float]) -> None:
    found = jackknife(np.array(draws) - 1.0, lambda mean: float(mean))  # with 4 left out, 0 and 2 have mean 1
    assert found == Interval(float(np.mean(draws)) - 1.0, None, None)
    assert jackknife(np.array(draws), lambda mean: float(mean), positive=False).low is not None  # type: ignore[union-attr]


def test_a_figure_that_does_not_exist_for_one_seed_has_no_interval_but_a_value() -> None:
    found = jackknife(np.array([1.0, 1.0, 4.0]), lambda mean: None if mean > 2.1 else float(mean))
    assert found == Interval(2.0, None, None)
    assert jackknife(np.array([1.0, 2.0]), lambda mean: None) is None


def test_a_size_is_usable_when_every_seed_has_a_positive_finite_risk() -> None:
    curve = np.array([[1.0, 2.0], [0.0, 1.0], [np.nan, 1.0], [np.inf, 1.0], [3.0, -1.0], [1e-300, 1.0]])
    assert usable(curve).tolist() == [0, 5]
    assert [one is None for one in band(curve)] == [False, True, True, True, True, False]


def test_crossings_are_exact_on_a_power_law_and_ties_count_as_arrived() -> None:
    mean = 1 / SIZES
    assert crossing(SIZES, mean, 1 / 50) == pytest.approx(50.0)
    assert crossing(SIZES, mean, 1 / 64) == pytest.approx(64.0)
    assert crossing(SIZES, mean, 1 / 128) == pytest.approx(128.0)
    assert crossing(SIZES, mean, 1 / 16) is None
    assert crossing(SIZES, mean, 1 / 129) is None


def test_the_target_needs_two_usable_sizes() -> None:
    curve = (1 / SIZES)[:, None] * np.ones(2)
    failed = curve.copy()
    failed[1:] = np.nan
    assert reached(SIZES, failed, 1 / 20) is None
    failed[1] = 1 / 32
    found = reached(SIZES, failed, 1 / 20)
    assert found is not None
    assert found.value == pytest.approx(20.0)


def test_the_slope_takes_the_last_sizes_and_declines_where_the_last_one_failed() -> None:
    bent = np.array([5.0, 1 / 32, 1 / 64, 1 / 128])[:, None] * np.ones(2)
    found = slope(SIZES, bent)
    assert found is not None
    assert found.value == pytest.approx(-1.0)
    assert (found.low, found.high) == pytest.approx((-1.0, -1.0))
    two = slope(SIZES[:2], bent[1:3])
    assert two is not None
    assert two.value == pytest.approx(-1.0)
    assert slope(SIZES[:1], bent[:1]) is None
    bent[-1, 0] = np.nan
    assert slope(SIZES, bent) is None


def test_two_terms_are_found_exactly_from_five_sizes_without_noise() -> None:
    n = np.array([10.0, 40.0, 160.0, 640.0, 2560.0])
    mean = 3 * np.exp(-n / 100) + 2 / n
    terms = fit_terms(n, mean[:, None] * np.ones(2))
    assert terms is not None
    assert (terms.amplitude, terms.tau.value, terms.statistical.value) == pytest.approx((3, 100, 2), rel=1e-5)
    assert terms.misfit == pytest.approx(1.0, abs=1e-5)
    assert fit_terms(n[:4], (mean[:, None] * np.ones(2))[:4]) is None


def test_a_method_has_arrived_when_two_means_in_a_row_are_at_or_below_the_target() -> None:
    high, low, tie = np.array([2.0, 2.0]), np.array([0.5, 1.0]), np.array([0.5, 1.5])
    assert not acceleration._arrived([low], 1.0)
    assert not acceleration._arrived([low, high], 1.0)
    assert not acceleration._arrived([high, low], 1.0)
    assert acceleration._arrived([low, tie], 1.0)
    assert acceleration._arrived([high, tie, low], 1.0)


def test_samples_needed_leave_out_sizes_at_which_a_seed_failed() -> None:
    risks = np.stack([1 / SIZES, 1 / SIZES], axis=1)
    found = acceleration._needed(SIZES, risks, 1 / 50)
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((50.0, 50.0, 50.0))
    risks[:2, 0] = np.nan
    later = acceleration._needed(SIZES, risks, 1 / 100)
    assert later is not None
    assert later.value == pytest.approx(100.0)
    risks[2, 0] = np.nan
    assert acceleration._needed(SIZES, risks, 1 / 100) is None


def _made(factors: list[list[float]]) -> list[tuple[np.ndarray, np.ndarray, float]]:
    """Curves factor / n, one list a kappa, one factor a seed: the crossing is at mean factor / target."""
    sizes = 2.0 ** np.arange(3, 20)
    return [(sizes, np.stack([f / sizes for f in row], axis=1), 1 / 10) for row in factors]


def test_the_exponent_is_the_slope_of_the_logarithms_with_a_jackknife_over_seeds() -> None:
    conditions = np.array([10.0, 100.0])
    found = acceleration._exponent(conditions, _made([[4.0, 4.0], [20.0, 60.0]]))
    assert found is not None
    assert found.value == pytest.approx(1.0)
    slopes = np.log10([5.0, 15.0])  # each of the two seeds alone
    wide = stats.t.ppf(0.975, 1) * (slopes[1] - slopes[0]) / 2
    assert (found.low, found.high) == pytest.approx((1.0 - wide, 1.0 + wide))


def test_the_jackknife_of_the_exponent_leaves_one_seed_out_at_all_kappas() -> None:
    found = acceleration._exponent(np.array([10.0, 100.0]), _made([[4.0, 4.0, 4.0], [20.0, 40.0, 60.0]]))
    left_out = np.log10([50 / 4, 40 / 4, 30 / 4])  # the means of the other two seeds
    wide = stats.t.ppf(0.975, 1) * np.sqrt(2 / 3 * np.sum((left_out - left_out.mean()) ** 2))
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((1.0, 1.0 - wide, 1.0 + wide))


def test_the_scatter_about_the_line_is_part_of_the_interval() -> None:
    conditions = np.array([1.0, 10.0, 100.0, 1000.0])
    logs = np.array([0.0, 1.1, 1.9, 3.0])
    found = acceleration._exponent(conditions, _made([[5 * 10.0**k] * 3 for k in logs]))
    line = stats.linregress(np.log(conditions), np.log(10.0) * logs)
    wide = stats.t.ppf(0.975, 2) * line.stderr
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((line.slope, line.slope - wide, line.slope + wide))
    more = acceleration._exponent(conditions, _made([[5 * 10.0**k] * 2 for k in logs]))
    assert more is not None
    assert more.value - float(more.low or 0) == pytest.approx(stats.t.ppf(0.975, 1) * line.stderr)


def test_an_exponent_needs_two_kappas_a_crossing_at_each_and_two_seeds_for_an_interval() -> None:
    conditions = np.array([10.0, 100.0])
    assert acceleration._exponent(conditions[:1], _made([[4.0, 4.0]])) is None
    assert acceleration._exponent(conditions, _made([[4.0, 4.0], [1e9, 1e9]])) is None
    alone = acceleration._exponent(conditions, _made([[4.0], [40.0]]))
    assert alone is not None
    assert (alone.value, alone.low, alone.high) == (pytest.approx(1.0), None, None)


def test_sizes_grow_by_the_root_of_two_until_two_in_a_row_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = noiseless(4.0, 2)
    asked: list[tuple[tuple[str, ...], int]] = []

    def at_size(kappa: float, entrants: list[Entrant], n: int, *_: object) -> dict[str, np.ndarray]:
        asked.append((tuple(e.label for e in entrants), n))
        return {e.label: np.full(2, (1.0 if e.label == "sada" else 2.0) / n) for e in entrants}

    monkeypatch.setattr(acceleration, "_at_size", at_size)
    target = 1 / 30
    start = 0.5 * float(problem.x_star @ problem.design.sigma @ problem.x_star)
    curves = acceleration._curves(problem, 4.0, [Entrant("sada"), Entrant("sgd")], (0, 1), 2, target / start, 1)
    assert curves["sada"][0].tolist() == [16, 23, 32, 45]
    assert curves["sgd"][0].tolist() == [16, 23, 32, 45, 64, 91]
    assert curves["sgd"][1].tolist() == [[2 / n] * 2 for n in (16, 23, 32, 45, 64, 91)]
    assert asked[-1] == (("sgd",), 91)
    monkeypatch.setattr(acceleration, "LONGEST", 16)
    short = acceleration._curves(problem, 4.0, [Entrant("sgd")], (0, 1), 2, target / start, 1)
    assert short["sgd"][0].tolist() == [16], "the longest size is tried too"


def test_the_exact_engine_is_asked_at_growing_sizes_until_it_crosses(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = noiseless(4.0, 2)
    sizes: list[int] = []

    def engine(_: object, params: object) -> float:
        sizes.append(int(getattr(params, "T")))  # noqa: B009  # the parameters of any method
        return 1.0 / sizes[-1]

    monkeypatch.setattr(acceleration, "expected_excess", engine)
    found = acceleration._exactly(problem, 1 / 40)
    assert sizes == [16, 22, 32, 44, 64]
    assert found == pytest.approx(40.0, rel=0.03)  # plans are even, sizes are not
    monkeypatch.setattr(acceleration, "expected_excess", lambda *_: None)
    assert acceleration._exactly(problem, 1 / 40) is None
    monkeypatch.setattr(acceleration, "expected_excess", lambda *_: 1.0)
    monkeypatch.setattr(acceleration, "LONGEST", 100)
    assert acceleration._exactly(problem, 1 / 40) is None
    sizes.clear()
    monkeypatch.setattr(acceleration, "expected_excess", engine)
    monkeypatch.setattr(acceleration, "LONGEST", 16)
    assert acceleration._exactly(problem, 1 / 40) is None
    assert sizes == [16], "the longest size is tried too"


def test_without_noise_the_labels_are_the_predictor_and_progress_reaches_one() -> None:
    problem = noiseless(4.0, 2)
    assert isinstance(problem.labels.noise, DiscreteNoise)  # type: ignore[attr-defined]
    assert not np.any(problem.Q)
    assert problem.design.condition_number == pytest.approx(4.0)
    seen: list[float] = []
    found: Acceleration = measure([Entrant("asgd")], kappas=(4.0, 8.0), seeds=(0, 1), dim=2, progress=seen.append)
    assert seen == [0.5, 1.0]
    assert found.conditions == tuple(noiseless(kappa, 2).design.kappa for kappa in (4.0, 8.0))
    assert found.exact_exponent is not None
    assert measure([Entrant("asgd")], kappas=(4.0,), seeds=(0,), dim=2).exact_exponent is None


def test_variants_stand_for_every_form_of_sada_once() -> None:
    from numerics.race import VARIANTS, entrants
    from numerics.race.exact import EXACT

    found = entrants("variants, sgd,sada")
    assert [e.label for e in found] == [*VARIANTS, "sgd"]
    assert {e.method for e in found[:-1]} == set(EXACT), "the exact engine knows each of them"
