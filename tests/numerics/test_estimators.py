"""The scikit-learn estimators: the common contract, one pass, weights, sparse rows, several outputs, clear refusals."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import HuberRegressor, LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.utils.estimator_checks import check_estimator

from numerics.estimators import SADAClassifier, SADAGeneralizedLinear, SADARegressor
from numerics.estimators.learner import Learner
from numerics.losses import Logistic, SoftplusQuadratic, UserLoss, huber

BOTH = [SADARegressor, SADAClassifier]
ALL = [
    SADARegressor(),
    SADARegressor(precondition="diagonal"),
    SADAClassifier(),
    *(SADAGeneralizedLinear(loss=name) for name in ("squared", "poisson", "huber", "pseudo-huber", "quantile")),
    SADAGeneralizedLinear(loss=SoftplusQuadratic(0.5)),
]


def drawn(n: int, d: int = 4, noise: float = 0.1, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d)) * np.geomspace(1, 30, d) + 7
    return x, x @ np.linspace(1, 2, d) - 3 + noise * rng.standard_normal(n)


def classes_of(y: np.ndarray) -> np.ndarray:
    return np.where(y > np.mean(y), "yes", "no")


@pytest.mark.parametrize("model", ALL, ids=str)
def test_scikit_learn_finds_nothing_to_object_to(model: Any) -> None:
    counts = getattr(model, "loss", None) == "poisson"
    expected = {"check_regressor_multioutput": "gives counts below zero"} if counts else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(model, on_fail=None, on_skip=None, expected_failed_checks=expected)
    assert {r["check_name"]: str(r["exception"]) for r in results if r["status"] == "failed"} == {}
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert len(results) - len(skipped) > 55
    assert all(any(part in name for part in ("array_api", "not_an_array", "pandas")) for name in skipped)


@pytest.mark.parametrize("precondition", ["diagonal", "full"])
def test_regression_in_one_pass_finds_the_coefficients(precondition: str) -> None:
    x, y = drawn(20_000)
    model = SADARegressor(precondition=precondition, random_state=0).fit(x, y)  # type: ignore[arg-type]
    assert model.coef_ == pytest.approx(np.linspace(1, 2, 4), abs=0.01)
    assert model.intercept_ == pytest.approx(-3, abs=0.1)
    assert model.score(x, y) > 0.9999


def test_classification_in_one_pass_finds_the_probabilities() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((40_000, 3)) * [1, 5, 0.2] + 2
    z = (x - 2) @ [1.0, -0.2, 2.0] + 0.5
    y = np.where(rng.random(len(z)) < 1 / (1 + np.exp(-z)), "yes", "no")
    model = SADAClassifier(random_state=0).fit(x, y)
    exact = np.column_stack([1 / (1 + np.exp(z)), 1 / (1 + np.exp(-z))])
    assert list(model.classes_) == ["no", "yes"]
    assert np.mean(np.abs(model.predict_proba(x) - exact)) < 0.01
    assert model.predict_proba(x).sum(axis=1) == pytest.approx(1)
    assert np.array_equal(model.predict(x), model.classes_[np.argmax(model.predict_proba(x), axis=1)])


def excess(model: Any, rival: Any, x: np.ndarray, y: np.ndarray) -> float:
    """The largest difference of coefficients, in standard deviations of the columns."""
    gap = model.fit(x, y).coef_ - rival.fit(x, y).coef_
    return float(np.max(np.abs(gap * x.std(axis=0))))


def test_counts_and_outliers_in_one_pass_come_near_the_solvers_of_scikit_learn() -> None:
    rng = np.random.default_rng(2)
    x = rng.standard_normal((20_000, 3)) * [1, 10, 0.1] + 1
    z = (x - 1) @ [0.3, -0.05, 4.0]
    counts = rng.poisson(np.exp(1 + z)).astype(float)
    model = SADAGeneralizedLinear(loss="poisson", random_state=0)
    assert excess(model, PoissonRegressor(alpha=0, max_iter=1000), x, counts) < 0.01
    assert model.predict(x).mean() == pytest.approx(counts.mean(), rel=0.02)
    assert 0.2 < model.score(x, counts) < 1
    wild = 5 + z + rng.standard_t(1.5, len(z))
    assert excess(SADAGeneralizedLinear(loss="huber", random_state=0), HuberRegressor(), x, wild) < 0.05


def test_quantiles_are_met() -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((20_000, 2))
    y = 1000 * (x @ [1.0, 2.0] + rng.exponential(1, 20_000))
    for q in (0.1, 0.5, 0.9):
        below = y < SADAGeneralizedLinear(loss="quantile", quantile=q, random_state=0).fit(x, y).predict(x)
        assert np.mean(below) == pytest.approx(q, abs=0.02)


def test_a_loss_of_the_users_own_is_learnt() -> None:
    own = UserLoss(
        2.0,
        0.5,
        l=lambda z, b: 0.5 * (z - b) ** 2 + 0.25 * np.cos(z - b),
        dl=lambda z, b: (z - b) - 0.25 * np.sin(z - b),
        ddl=lambda z, b: 1 - 0.25 * np.cos(z - b),
    )
    x, y = drawn(4000)
    assert SADAGeneralizedLinear(loss=own).fit(x, y).coef_ == pytest.approx(np.linspace(1, 2, 4), abs=0.03)


def test_the_first_call_of_partial_fit_has_learnt() -> None:
    """Red on release 0.1, whose first call returned the mean."""
    x, y = drawn(200)
    assert SADARegressor().partial_fit(x[:100], y[:100]).score(x[100:], y[100:]) > 0.99
    labels = classes_of(y)
    model = SADAClassifier().partial_fit(x[:100], labels[:100], classes=["no", "yes"])
    assert model.score(x[100:], labels[100:]) > 0.9


@pytest.mark.parametrize("kind", BOTH)
def test_one_row_at_a_time_is_the_same_as_all_at_once_in_any_units(kind: type) -> None:
    """Red on release 0.1, where one-row calls depended on the scale of the columns."""
    x, y = drawn(700)
    y = y if kind is SADARegressor else classes_of(y)
    more = {} if kind is SADARegressor else {"classes": ["no", "yes"]}
    scale = np.array([2.0**-20, 1.0, 2.0**30, 0.25])
    whole, single = kind().partial_fit(x, y, **more), kind()
    for k in range(700):
        single.partial_fit(x[k : k + 1] * scale, y[k : k + 1], **more)
    assert np.array_equal(single.coef_ * scale, whole.coef_)
    assert np.array_equal(single.intercept_, whole.intercept_)
    assert single.n_samples_seen_ == 700


@pytest.mark.parametrize("precondition", ["full", "diagonal", None])
@pytest.mark.parametrize("size", [2.0**-1070, 2.0**-530, 2.0**-520, 2.0**-510])
def test_a_column_whose_square_underflows_counts_as_still_and_spoils_nothing(
    size: float, precondition: Literal["full", "diagonal"] | None
) -> None:
    x, y = drawn(600)
    tiny = x * np.array([size, 1.0, 1.0, 1.0])
    still = x * np.array([0.0, 1.0, 1.0, 1.0])
    model = SADARegressor(precondition=precondition, shuffle=False).fit(tiny, y)
    without = SADARegressor(precondition=precondition, shuffle=False).fit(still, y)
    assert np.array_equal(model.predict(tiny), without.predict(still))


@pytest.mark.parametrize("kind", BOTH)
def test_partial_fit_goes_on_learning_also_after_fit(kind: type) -> None:
    x, y = drawn(6_000, noise=30.0)
    more = {} if kind is SADARegressor else {"classes": ["no", "yes"]}
    labels = y if kind is SADARegressor else classes_of(y)
    model, scores = kind(), []
    for start in range(0, 6_000, 50):
        model.partial_fit(x[start : start + 50], labels[start : start + 50], **more)
        scores.append(model.score(x, labels))
    full = kind(random_state=0).fit(x, labels)
    assert np.mean(scores[-20:]) > np.mean(scores[:2])
    assert np.mean(scores[-20:]) > full.score(x, labels) - 0.01
    before = full.score(x, labels)
    for _ in range(3):
        full.partial_fit(x, labels, **more)
    assert full.n_samples_seen_ == 24_000
    assert full.score(x, labels) > before - 0.01


@pytest.mark.parametrize("kind", BOTH)
def test_one_pass_gives_every_row_to_the_learner_once(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[np.ndarray] = []
    honest = Learner.fed
    monkeypatch.setattr(Learner, "fed", lambda self, x, y, w: (read.append(x), honest(self, x, y, w))[1])
    x, y = drawn(999)
    kind(random_state=0).fit(x, y if kind is SADARegressor else classes_of(y))
    assert np.array_equal(np.unique(np.concatenate(read), axis=0), np.unique(x, axis=0))
    assert sum(map(len, read)) == 999


@pytest.mark.parametrize("model", [SADARegressor(), SADAClassifier(), SADAGeneralizedLinear(loss="huber")], ids=str)
def test_a_row_of_weight_zero_is_no_row_and_weights_have_no_unit(model: Any) -> None:
    x, y = drawn(3000)
    y = classes_of(y) if isinstance(model, SADAClassifier) else y
    weights = np.random.default_rng(5).integers(0, 3, 3000).astype(float)
    kept = weights > 0
    model = clone(model).set_params(shuffle=False)
    with_zeros = model.fit(x, y, sample_weight=weights).coef_
    without = clone(model).fit(x[kept], y[kept], sample_weight=weights[kept]).coef_
    assert np.array_equal(with_zeros, without)
    bare = clone(model).set_params(ridge=1e-9).fit(x, y, sample_weight=weights).coef_
    scaled = clone(model).set_params(ridge=64e-9).fit(x, y, sample_weight=64 * weights).coef_
    assert scaled == pytest.approx(bare, rel=1e-6)


def test_heavier_rows_count_more() -> None:
    rng = np.random.default_rng(6)
    x = rng.standard_normal((4000, 1))
    y = np.where(np.arange(4000) % 2, x[:, 0], -x[:, 0])
    weights = np.where(np.arange(4000) % 2, 3.0, 1.0)
    assert SADARegressor(random_state=0).fit(x, y, sample_weight=weights).coef_ == pytest.approx([0.5], abs=0.08)
    model = SADARegressor().partial_fit(x, y, sample_weight=weights)
    assert model.coef_ == pytest.approx([0.5], abs=0.08)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix])
def test_sparse_rows_give_what_dense_ones_give(form: type) -> None:
    rng = np.random.default_rng(7)
    x = rng.standard_normal((3000, 20)) * (rng.random((3000, 20)) < 0.1)
    y = x @ np.arange(20.0) + rng.standard_normal(3000)
    for model, labels in ((SADARegressor(random_state=0), y), (SADAClassifier(random_state=0), y > 0)):
        dense = model.fit(x, labels).coef_
        assert np.array_equal(model.fit(form(x), labels).coef_, dense)
        assert model.predict(form(x[:5])).shape == (5,)


def test_several_outputs_are_learnt_at_once() -> None:
    x, y = drawn(3000)
    both = np.column_stack([y, -2 * y + 1])
    for model in (SADARegressor(random_state=0), SADAGeneralizedLinear(loss="huber", random_state=0)):
        model.fit(x, both)
        assert (model.coef_.shape, model.intercept_.shape, model.predict(x).shape) == ((2, 4), (2,), (3000, 2))
        alone = clone(model).fit(x, both[:, 1])
        assert model.predict(x)[:, 1] == pytest.approx(alone.predict(x), rel=1e-9, abs=1e-9)
        assert model.score(x, both) > 0.99
    with pytest.raises(ValueError, match="y has 1 outputs, the first call had 2"):
        SADARegressor().partial_fit(x, both).partial_fit(x, y)


@pytest.mark.parametrize(("kind", "rival"), [(SADARegressor, LinearRegression), (SADAClassifier, LogisticRegression)])
def test_few_rows_are_solved_to_the_end(kind: type, rival: type) -> None:
    x, y = drawn(200, noise=60.0)
    y = y if kind is SADARegressor else classes_of(y)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    model = kind(ridge=1e-6).fit(z, y) if kind is SADARegressor else kind(mu=1e-9, ridge=1.0).fit(z, y)
    solver = rival() if kind is SADARegressor else rival(C=1.0, tol=1e-10, max_iter=1000)
    assert model.coef_.ravel() == pytest.approx(solver.fit(z, y).coef_.ravel(), rel=1e-4, abs=1e-4)


def test_the_constants_and_the_restarts_can_be_seen() -> None:
    x, y = drawn(4000)
    model = SADARegressor(random_state=0).fit(x, y)
    assert set(model.constants_) == {"mu", "lambda_max", "r2", "kappa_tilde", "alpha"}
    assert 0 < model.constants_["mu"] <= 1.2 < model.constants_["r2"]
    assert model.restarts_ == 0
    assert SADARegressor().fit(x[:50], y[:50]).constants_ == {}
    model = SADAClassifier(random_state=0).fit(x, classes_of(y))
    assert 1 < model.constants_["alpha"] < (Logistic(1e-4).L / 1e-4)


def test_settings_are_those_that_the_documentation_names() -> None:
    shared = {"fit_intercept": True, "precondition": "auto", "ridge": None, "chunk": None, "passes": 1}
    shared |= {"shuffle": True, "random_state": None}
    assert SADARegressor().get_params() == shared
    assert SADAClassifier().get_params() == {**shared, "mu": 1e-4}
    assert SADAGeneralizedLinear().get_params() == {**shared, "loss": "squared", "quantile": 0.5}
    for model in (SADARegressor, SADAClassifier, SADAGeneralizedLinear):
        assert all(
            f"{name}:" in str(model.__doc__) or f"{name}," in str(model.__doc__) for name in model().get_params()
        )


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"chunk": 0}, "chunk = 0 must be an integer >= 1"),
        ({"chunk": True}, "chunk = True must be an integer"),
        ({"passes": 1.5}, r"passes = 1\.5 must be an integer"),
        ({"precondition": "yes"}, "precondition = 'yes' is unknown; choose"),
        ({"ridge": 0}, "ridge = 0 must be a positive finite number"),
        ({"ridge": np.inf}, "ridge = inf must be a positive finite number"),
    ],
)
def test_wrong_settings_are_named(kind: type, settings: dict[str, Any], words: str) -> None:
    x, y = drawn(20)
    for fit in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=words):
            getattr(kind(**settings), fit)(x, y > y.mean())


@pytest.mark.parametrize("kind", BOTH)
def test_wrong_data_are_named(kind: type) -> None:
    x, y = drawn(20)
    labels = y > y.mean()
    for bad, words in ((np.nan, "NaN"), (np.inf, "infinity"), (1e200, r"X holds 1e\+200.*rescale")):
        broken = x.copy()
        broken[3, 1] = bad
        with pytest.raises(ValueError, match=words):
            kind().fit(broken, labels)
    with pytest.raises(ValueError, match="expecting 4 features"):
        kind().fit(x, labels).predict(x[:, :3])
    with pytest.raises(NotFittedError):
        kind().predict(x)
    with pytest.raises(AttributeError, match="has learnt nothing yet"):
        _ = kind().coef_
    with pytest.raises(ValueError, match="minimum of 2"):
        kind().fit(x[:1], labels[:1])
    with pytest.raises(ValueError, match=r"zero everywhere|[Ss]ample.weight"):
        kind().fit(x, labels, sample_weight=np.zeros(20))
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        kind().fit(x, labels, sample_weight=np.full(20, -1.0))
    for weight in (1e-300, 1e300):
        with pytest.raises(ValueError, match="divide them by their mean"):
            kind().fit(x, labels, sample_weight=np.full(20, weight))
    with pytest.warns(UserWarning, match="20 rows count as 1 and the ridge outweighs them"):
        kind().fit(x, labels, sample_weight=np.full(20, 0.05))


def test_wrong_losses_and_labels_are_named() -> None:
    x, y = drawn(20)
    for settings, labels, words in (
        ({"loss": "cubic"}, y, "loss = 'cubic' is unknown; choose squared, logistic"),
        ({"loss": "quantile", "quantile": 1}, y, "quantile = 1 is none"),
        ({"loss": "poisson"}, y - 1e3, "labels are counts or rates"),
        ({"loss": "logistic"}, y, "map labels 0 and 1 by 2 b - 1"),
    ):
        with pytest.raises(ValueError, match=words):
            SADAGeneralizedLinear(**settings).fit(x, labels)
    signs = np.sign(y - np.median(y))
    assert np.abs(SADAGeneralizedLinear(loss="logistic").fit(x, signs).predict(x)).max() <= 1


def test_labels_whose_powers_overflow_are_named() -> None:
    x, y = drawn(20)
    for call in (SADARegressor().fit, SADAGeneralizedLinear(loss="huber").partial_fit):
        with pytest.raises(ValueError, match=r"y holds .*e\+90: powers of numbers beyond 1e\+60 overflow; rescale"):
            call(x, y / np.abs(y).max() * 1e90)


@pytest.mark.parametrize("offset", [1e9, 1e12])
def test_a_small_spread_around_a_large_mean_is_learnt(offset: float) -> None:
    rng = np.random.default_rng(8)
    x = rng.standard_normal((2000, 3))
    y = x @ [1.0, -2.0, 3.0]
    moved = np.column_stack([x + offset, np.full(2000, offset / 3)])
    model = SADARegressor(random_state=0).fit(moved, y)
    assert model.coef_ == pytest.approx([1, -2, 3, 0], abs=0.01)
    assert model.score(moved, y) > 0.999


def test_wrong_classes_are_named() -> None:
    x, y = drawn(20)
    with pytest.raises(ValueError, match="the labels mix int and str, which have no order; use one type"):
        SADAClassifier().fit(x, np.array(["a", 1] * 10, dtype=object))
    labels = np.where(y > y.mean(), "b", "a")
    with pytest.raises(ValueError, match=r"one class only, .*'a'.*needs two classes"):
        SADAClassifier().fit(x, np.full(20, "a"))
    with pytest.raises(ValueError, match="classes must be given at the first call"):
        SADAClassifier().partial_fit(x, labels)
    model = SADAClassifier().partial_fit(x, labels, classes=["a", "b"])
    with pytest.raises(ValueError, match=r"label .*'c'.* is none of the classes"):
        model.partial_fit(x, np.full(20, "c"))
    with pytest.raises(ValueError, match="differ from those of the first call"):
        model.partial_fit(x, labels, classes=["a", "c"])
    with pytest.raises(ValueError, match="mu = -1"):
        SADAClassifier(mu=-1).fit(x, labels)


def test_an_object_is_taken_as_it_is_and_a_name_in_the_units_of_the_residuals() -> None:
    x, y = drawn(3000, noise=1.0)
    for factor in (1.0, 2.0**12):
        named = SADAGeneralizedLinear(loss="huber", random_state=0).fit(x, factor * y)
        assert named.coef_ / factor == pytest.approx(np.linspace(1, 2, 4), abs=0.02)
    one = SADAGeneralizedLinear(loss="huber", random_state=0).fit(x, y).coef_
    assert np.array_equal(SADAGeneralizedLinear(loss="huber", random_state=0).fit(x, 1024 * y).coef_, 1024 * one)
    assert SADAGeneralizedLinear(loss=huber(1.35), random_state=0).fit(x, y)._learner.units == (1.0,)
