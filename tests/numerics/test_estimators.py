"""The scikit-learn estimators: the common contract, one pass, sound constants, fallbacks, clear refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier, SGDRegressor
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from numerics.designs import Gaussian
from numerics.estimators import SADAClassifier, SADARegressor, learner
from numerics.estimators.frame import Frame, constants
from numerics.losses import Squared

BOTH = [SADARegressor, SADAClassifier]


def drawn(n: int, d: int = 4, noise: float = 0.1, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d)) * np.geomspace(1, 30, d) + 7
    return x, x @ np.linspace(1, 2, d) - 3 + noise * rng.standard_normal(n)


@pytest.mark.parametrize("kind", BOTH)
def test_scikit_learn_finds_nothing_to_object_to(kind: type) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(kind(), on_fail=None, on_skip=None)
    assert {r["check_name"]: str(r["exception"]) for r in results if r["status"] == "failed"} == {}
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    assert len(results) - len(skipped) > 45
    assert all("array_api" in name or "not_an_array" in name for name in skipped), "only what needs other libraries"


def test_regression_in_one_pass_finds_the_coefficients() -> None:
    x, y = drawn(20_000)
    for precondition in ("diagonal", "full"):
        model = SADARegressor(precondition=precondition, random_state=0).fit(x, y)
        assert model.coef_ == pytest.approx(np.linspace(1, 2, 4), abs=0.02)
        assert model.intercept_ == pytest.approx(-3, abs=0.2)
        assert model.score(x, y) > 0.999


def test_classification_in_one_pass_finds_the_probabilities() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((40_000, 3)) * [1, 5, 0.2] + 2
    z = (x - 2) @ [1.0, -0.2, 2.0] + 0.5
    y = np.where(rng.random(len(z)) < 1 / (1 + np.exp(-z)), "yes", "no")
    model = SADAClassifier(random_state=0).fit(x, y)
    exact = np.column_stack([1 / (1 + np.exp(z)), 1 / (1 + np.exp(-z))])
    assert list(model.classes_) == ["no", "yes"]
    assert np.mean(np.abs(model.predict_proba(x) - exact)) < 0.02
    assert model.predict_proba(x).sum(axis=1) == pytest.approx(1)
    assert np.array_equal(model.predict(x), model.classes_[np.argmax(model.predict_proba(x), axis=1)])


@pytest.mark.parametrize("kind", BOTH)
def test_one_pass_reads_every_row_at_most_once(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[np.ndarray] = []
    honest = learner.step
    monkeypatch.setattr(learner, "step", lambda state, a, b: (read.append(a), honest(state, a, b))[1])
    x, y = drawn(999)
    kind(random_state=0, precondition=None, fit_intercept=False).fit(
        x - 7, y > y.mean() if kind is SADAClassifier else y
    )
    rows = np.concatenate(read)
    assert 0.95 * 999 < len(rows) <= 999
    assert len(np.unique(rows, axis=0)) == len(rows)


def test_partial_fit_does_not_depend_on_how_the_stream_is_cut() -> None:
    x, y = drawn(3000)
    models = [SADARegressor().partial_fit(x[:200], y[:200]) for _ in range(2)]
    for start in range(200, 3000, 700):
        models[0].partial_fit(x[start : start + 700], y[start : start + 700])
    for start in range(200, 3000, 100):
        models[1].partial_fit(x[start : start + 100], y[start : start + 100])
    assert models[0].coef_ == pytest.approx(models[1].coef_, rel=1e-9)
    assert models[0].n_samples_seen_ == models[1].n_samples_seen_ == 3000


@pytest.mark.parametrize("kind", BOTH)
def test_partial_fit_goes_on_learning(kind: type) -> None:
    x, y = drawn(12_000, noise=30.0)
    more = {} if kind is SADARegressor else {"classes": [False, True]}
    labels = y if kind is SADARegressor else y > y.mean()
    model, scores = kind(), []
    for start in range(0, 12_000, 50):
        model.partial_fit(x[start : start + 50], labels[start : start + 50], **more)
        scores.append(model.score(x, labels))
    full = kind(random_state=0).fit(x, labels)
    assert np.mean(scores[-20:]) > np.mean(scores[:5])
    assert np.mean(scores[-20:]) > full.score(x, labels) - 0.02
    full.partial_fit(x[:50], labels[:50], **more)
    assert full.n_samples_seen_ == 12_050
    assert full.score(x, labels) > np.mean(scores[:5]), "partial_fit after fit keeps what was learnt"


def test_rows_one_at_a_time_are_enough() -> None:
    x, y = drawn(800)
    model = SADARegressor()
    for k in range(800):
        model.partial_fit(x[k : k + 1], y[k : k + 1])
    assert np.all(np.isfinite(model.coef_))
    assert model.score(x, y) > 0.5


def test_the_constants_of_a_gaussian_chunk_are_near_the_true_ones() -> None:
    design = Gaussian(np.diag([0.2, 1.0, 3.0]))
    info = constants(design.sample(20_000, np.random.default_rng(0)), Squared())
    for name, true in (("mu", design.mu), ("lambda_max", 3.0), ("r2", design.r2), ("kappa_tilde", design.kappa_tilde)):
        assert getattr(info, name) == pytest.approx(true, rel=0.08)


@pytest.mark.parametrize("rows", [np.ones((1, 3)), np.zeros((5, 2)), np.eye(4), np.ones((50, 3))])
def test_the_constants_of_a_degenerate_chunk_are_positive(rows: np.ndarray) -> None:
    info = constants(rows, Squared())
    assert 0 < info.need("mu") <= info.need("lambda_max") * 1.1
    assert info.need("r2") >= info.need("lambda_max")
    assert info.need("kappa_tilde") >= rows.shape[1]


def test_predictions_are_the_same_in_raw_and_in_preconditioned_columns() -> None:
    x, _ = drawn(300)
    w = np.array([1.0, -2.0, 0.5, 0.1, 4.0])
    for precondition in ("diagonal", "full", None):
        frame = Frame.of(x[:100], precondition, True)
        coefficients, intercept = frame.raw(w)
        assert x @ coefficients + intercept == pytest.approx(frame.rows(x) @ w, rel=1e-9)


@pytest.mark.parametrize("how", ["fit", "partial_fit"])
def test_a_chunk_that_hides_the_scale_does_not_break_the_run(how: str) -> None:
    """The first rows are a thousand times smaller than the others: the estimated R^2 is a million times too small."""
    x, y = drawn(4000)
    x[:100] = 7 + (x[:100] - 7) / 1000
    model = SADARegressor(chunk=100, shuffle=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if how == "fit":
            model.fit(x, y)
        else:
            for start in range(0, 4000, 100):
                model.partial_fit(x[start : start + 100], y[start : start + 100])
    assert np.all(np.isfinite(model.coef_))
    assert model.score(x[100:], y[100:]) > 0.95


def test_no_progress_is_a_warning_not_a_silent_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "WORSE", 0.0)
    x, y = drawn(100)
    with pytest.warns(ConvergenceWarning, match="no progress with any step size"):
        SADARegressor().fit(x, y)


def one_pass(sada: object, sgd: object, solver: object, x: np.ndarray, y: np.ndarray, judge) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Held-out losses of SADA, averaged SGD (one pass each) and the solver that goes to the end; five splits."""
    found = []
    for seed in range(5):
        train, test, known, asked = train_test_split(x, y, test_size=0.25, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seeded = [model.set_params(random_state=seed) for model in (sada, sgd)]  # type: ignore[attr-defined]
            fitted = [make_pipeline(StandardScaler(), model).fit(train, known) for model in (*seeded, solver)]
            found.append([judge(asked, model, test) for model in fitted])
    return np.mean(found, axis=0)


def test_on_diabetes_one_pass_reaches_least_squares() -> None:
    x, y = load_diabetes(return_X_y=True)
    sgd = SGDRegressor(average=True, max_iter=1, tol=None)
    judge = lambda asked, model, test: mean_squared_error(asked, model.predict(test))  # noqa: E731
    sada, averaged, solver = one_pass(SADARegressor(), sgd, LinearRegression(), x, y, judge)
    assert sada < 1.05 * solver
    assert sada < averaged


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_digits])
def test_on_bundled_classes_one_pass_beats_one_pass_of_averaged_sgd(load) -> None:  # type: ignore[no-untyped-def]
    x, y = load(return_X_y=True)
    sgd = SGDClassifier(loss="log_loss", average=True, max_iter=1, tol=None)
    judge = lambda asked, model, test: log_loss(asked, model.predict_proba(test), labels=np.unique(y))  # noqa: E731
    sada, averaged, solver = one_pass(SADAClassifier(), sgd, LogisticRegression(max_iter=2000), x, y, judge)
    assert solver < sada < averaged, "honest in both directions: the README says that the solver is not reached"


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_rows_are_refused_with_the_remedy(kind: type, form: type) -> None:
    with pytest.raises(TypeError, match=r"Sparse data was passed.*dense data is required.*toarray"):
        kind().fit(form(np.eye(4)), [0, 1, 0, 1])


@pytest.mark.parametrize("kind", BOTH)
def test_wrong_settings_and_data_are_named(kind: type) -> None:
    x, y = drawn(20)
    labels = y > y.mean()
    with pytest.raises(ValueError, match="chunk = 0 must be an integer >= 1"):
        kind(chunk=0).fit(x, labels)
    with pytest.raises(ValueError, match=r"passes = 1\.5 must be an integer"):
        kind(passes=1.5).fit(x, labels)
    with pytest.raises(ValueError, match="precondition = 'yes' is unknown; choose"):
        kind(precondition="yes").fit(x, labels)
    for bad in (np.nan, np.inf):
        broken = x.copy()
        broken[3, 1] = bad
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            kind().fit(broken, labels)
    with pytest.raises(ValueError, match="expecting 4 features"):
        kind().fit(x, labels).predict(x[:, :3])
    with pytest.raises(NotFittedError):
        kind().predict(x)
    with pytest.raises(ValueError, match="minimum of 2"):
        kind().fit(x[:1], labels[:1])


def test_wrong_classes_are_named() -> None:
    x, y = drawn(20)
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
