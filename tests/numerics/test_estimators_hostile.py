"""Streams made to lead the estimators astray: one extreme row at any place, sorted rows, jumps and turns in mid-stream.

Many of these failed before stages could begin anew from a page and before a page could outvote one of its rows; the
other places and sizes of an extreme row stand beside them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from numerics.designs.checks import Array
from numerics.estimators import SADAClassifier, SADAGeneralizedLinear, SADARegressor
from numerics.estimators.counts import Counts
from numerics.estimators.order import SortedRowsWarning
from numerics.estimators.score import best_constant

from .hostile_streams import STREAMS, stream

ROWS, COLUMNS = 5000, 2


def drawn(seed: int, n: int = ROWS, d: int = COLUMNS) -> tuple[Array, Array, Array]:
    """Rows, coefficients, noise."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), np.ones(d), rng.standard_normal(n)


def least_squares(x: Array, y: Array) -> float:
    rows = np.column_stack([x, np.ones(len(x))])
    return float(np.mean((y - rows @ np.linalg.lstsq(rows, y, rcond=None)[0]) ** 2))


@pytest.mark.parametrize("precondition", ["auto", "diagonal", None])
@pytest.mark.parametrize("place", [0, 255, 256, 2500, ROWS - 1])
@pytest.mark.parametrize("size", [1e3, 1e6, 1e12])
def test_one_extreme_row_does_not_spoil_the_others(precondition: str | None, place: int, size: float) -> None:
    x, w, e = drawn(1)
    y, broken = x @ w + e, x.copy()
    broken[place] *= size
    model = SADARegressor(precondition=precondition, shuffle=False).fit(broken, y)
    others = np.arange(ROWS) != place
    assert np.mean((model.predict(x) - y)[others] ** 2) < 1.1


def test_an_extreme_label_does_not_spoil_the_other_rows() -> None:
    x, w, e = drawn(2)
    y = x @ w + e
    y[-1] = 1e12
    assert np.mean((SADARegressor(shuffle=False).fit(x, y).predict(x) - y)[:-1] ** 2) < 1.1


@pytest.mark.parametrize("key", ["label", "column"])
def test_a_sorted_stream_is_learnt_nearly_as_well_as_a_shuffled_one(key: str) -> None:
    x, w, e = drawn(3, 40_000)
    y = x @ w + e
    order = np.argsort(x @ w if key == "label" else x[:, 0])
    x, y = x[order], y[order]
    model = SADARegressor(shuffle=False).fit(x, y)
    assert np.mean((model.predict(x) - y) ** 2) < 1.1 * least_squares(x, y)


@pytest.mark.parametrize("seed", range(3))
def test_counts_survive_a_jump_of_the_scale_of_the_columns(seed: int) -> None:
    x, w, _ = drawn(seed)
    grown = np.where(np.arange(ROWS) < ROWS // 2, 1e-5, 1.0)[:, None]
    x, counts = 1e5 * grown * x, np.random.default_rng(seed).poisson(np.exp((grown * x) @ w)).astype(float)
    model = SADAGeneralizedLinear(loss="poisson", shuffle=False).fit(x, counts)
    late = slice(ROWS // 2, None)
    assert model.score(x[late], counts[late]) > 0.3


@pytest.mark.parametrize("loss", ["squared", "huber", "quantile"])
def test_what_turned_in_mid_stream_is_learnt_anew(loss: str) -> None:
    x, w, e = drawn(4, 20_000)
    late = np.arange(len(x)) >= len(x) // 2
    y = np.where(late, -1, 1) * (x @ w) + 0.1 * e
    model = SADAGeneralizedLinear(loss=loss, shuffle=False).fit(x, y)
    assert np.median(np.abs(model.predict(x) - y)[late]) < 0.3


def test_the_classifier_forgets_margins_that_became_absurd() -> None:
    x, w, e = drawn(5)
    grown = np.where(np.arange(ROWS) < ROWS // 2, 1.0, 1e5)[:, None] * x
    labels = (x @ w + e > 0).astype(int)
    model = SADAClassifier(shuffle=False).fit(grown, labels)
    late = slice(ROWS // 2, None)
    z = np.where(labels == 1, -1, 1) * model.decision_function(grown)
    assert np.mean(np.logaddexp(0, z[late])) < 0.6


def test_a_few_small_rows_do_not_replace_what_many_large_ones_taught() -> None:
    x, w, e = drawn(7, 300)
    grown = np.where(np.arange(300) < 256, 1e8, 1.0)[:, None] * x
    y = x @ w + e
    assert np.mean((SADARegressor(shuffle=False).fit(grown, y).predict(grown) - y) ** 2) < 3


def test_a_quantile_recovers_from_an_extreme_first_row() -> None:
    x, w, e = drawn(6)
    x[3] *= 1e12
    y = x @ w + e
    model = SADAGeneralizedLinear(loss="quantile", shuffle=False).fit(x, y)
    assert np.median(np.abs(model.predict(x) - y)) < 1.0


def classified(classes: int) -> tuple[Array, Array]:
    x, w, e = drawn(8)
    return x, np.digitize(x @ w + e, np.linspace(-1, 1, classes + 1)[1:-1])


@pytest.mark.parametrize("classes", [2, 3])
def test_rows_sorted_by_class_are_called_so(classes: int) -> None:
    x, labels = classified(classes)
    order = np.argsort(labels)
    with pytest.warns(SortedRowsWarning, match="sorted by class, and are learnt badly so; shuffle them first"):
        SADAClassifier(shuffle=False).fit(x[order], labels[order])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("order", ["shuffled", "as drawn", "by a column", "one class is rare"])
def test_other_orders_are_not_called_sorted(order: str) -> None:
    x, labels = classified(3)
    if order == "by a column":
        x, labels = x[np.argsort(x[:, 0])], labels[np.argsort(x[:, 0])]
    if order == "one class is rare":
        labels = (np.arange(ROWS) % 1000 == 17).astype(int)
    SADAClassifier(shuffle=order == "shuffled", random_state=0).fit(x, labels)


@pytest.mark.parametrize("constant", [7.0, -1e-9, 1e9])
def test_the_quantile_of_a_constant_is_that_constant(constant: float) -> None:
    x, _, _ = drawn(9, 600)
    model = SADAGeneralizedLinear(loss="quantile", quantile=0.9).fit(x, np.full(600, constant))
    assert model.predict(x) == pytest.approx(np.full(600, constant), rel=0.002)


def poisson_loss(rate: Array, counts: Array) -> Array:
    return np.asarray(rate - counts * np.log(rate))


def losses_beside_the_constant(loss: str, x: Array, y: Array) -> tuple[Array, Array]:
    """Of odd rows, learnt from even ones in order; and of the best constant for the even ones."""
    learn, asked = slice(0, None, 2), slice(1, None, 2)
    if loss.endswith("classes"):
        model = SADAClassifier(shuffle=False).fit(x[learn], y[learn])
        own = y[asked][:, None] == model.classes_
        probabilities = np.maximum(model.predict_proba(x[asked])[own], 1e-300)
        return -np.log(probabilities), -np.log((own * (y[learn][:, None] == model.classes_).mean(axis=0)).sum(axis=1))
    model = SADAGeneralizedLinear(loss=loss, shuffle=False).fit(x[learn], y[learn])
    predicted = model.predict(x[asked])
    assert np.all(np.isfinite(predicted))
    if loss == "poisson":
        return poisson_loss(predicted, y[asked]), poisson_loss(np.full(len(predicted), y[learn].mean()), y[asked])
    z, formula = x[asked] @ model.coef_ + model.intercept_, model._learnt_loss()
    unit = model._learner.units[0] if model._own_units() else 1.0
    constant = best_constant(formula, y[learn] / unit, np.ones(len(y[learn])))
    return formula.value(z / unit, y[asked] / unit), formula.value(np.full(len(z), constant), y[asked] / unit)


@pytest.mark.filterwarnings("ignore::numerics.estimators.order.SortedRowsWarning")
@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize(
    "loss",
    ["squared", "huber", "pseudo-huber", "quantile", "poisson", "logistic", "two classes", "three classes"],
)
def test_late_rows_are_predicted_no_worse_than_by_a_constant(name: str, loss: str) -> None:
    for truth in ("columns", "hidden", "nothing"):
        x, y = stream(name, loss, truth, 6000)
        model, constant = (one[-600:] for one in losses_beside_the_constant(loss, x, y))
        gap = np.sort(model - constant)
        if loss != "poisson":  # of rows unlike any before, the loss of a line has no bound
            gap = gap[:-6]
        assert gap.mean() <= 0.05 * np.abs(constant).mean() + 4 * constant.std() / len(gap) ** 0.5, truth


def test_counts_under_cauchy_tails_are_learnt() -> None:
    x, y = stream("Cauchy", "poisson", "columns", 10_000)
    model, constant = losses_beside_the_constant("poisson", x, y)
    assert model.mean() < constant.mean() - 1


def test_a_column_that_is_still_for_as_long_as_the_others_is_no_obstacle() -> None:
    x = np.zeros((2000, 3))
    x[[1300, 1400, 1700], [0, 1, 2]] = 1.0
    x[5] = 1.0
    y = np.random.default_rng(0).standard_normal(2000)
    assert np.all(np.isfinite(SADARegressor(shuffle=False).fit(x, y).predict(x)))


def test_no_rate_beyond_the_labels_is_predicted_and_files_know_the_range(tmp_path: Path) -> None:
    x, y = stream("normal", "poisson", "columns", 2000)
    model = SADAGeneralizedLinear(loss="poisson", shuffle=False).fit(x, y)
    far = model.predict(1e6 * x)
    assert far.max() == pytest.approx(y.max())
    assert far.min() == pytest.approx(y.mean() / len(y))
    for suffix in (".json", ".npz"):
        model.save(tmp_path / f"model{suffix}")
        assert np.array_equal(SADAGeneralizedLinear.load(tmp_path / f"model{suffix}").predict(1e6 * x), far)


@pytest.mark.parametrize("loss", [Counts(), Counts().seen(np.array([0.0, 1.0, 7.0]))])
def test_the_loss_of_counts_is_poissons_within_its_range_and_a_tangent_outside(loss: Counts) -> None:
    low, high = loss.range
    z, step = np.linspace(low - 2, high + 2, 2001) + 1e-7, 1e-4
    inside = (z > low + 0.01) & (z < high - 0.01)
    assert loss.value(z, 3.0)[inside] == pytest.approx(np.exp(z[inside]) - 3 * z[inside])
    slope = (loss.value(z + step, 3.0) - loss.value(z - step, 3.0)) / (2 * step)
    assert slope == pytest.approx(loss.d1(z, 3.0), rel=1e-3, abs=1e-3)
    assert np.all(loss.d2(z, 3.0)[(z < low) | (z > high)] == 0)
    assert np.all(loss.d2(z, 3.0)[inside] == np.exp(z[inside]))


def test_counts_that_are_all_zero_are_predicted_to_be_next_to_none() -> None:
    x, _, _ = drawn(10, 600)
    assert SADAGeneralizedLinear(loss="poisson").fit(x, np.zeros(600)).predict(x).max() < 1e-6
