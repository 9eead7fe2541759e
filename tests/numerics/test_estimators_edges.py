"""Frames, constants, tuning and stages of the estimators by hand; classes, passes and settings at their edges."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from numerics.estimators import SADAClassifier, SADARegressor, learner
from numerics.estimators.frame import Frame, constants
from numerics.estimators.learner import Endless, learn, tuned
from numerics.losses import Logistic, Squared
from numerics.optimizers import ProblemInfo

INFO = ProblemInfo(2, Squared(), mu=0.5, lambda_max=2.0, r2=8.0, kappa_tilde=4.0)


def drawn(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    return x, x @ [1.0, -2.0] + 0.5 + 0.1 * rng.standard_normal(n)


def test_a_diagonal_frame_shifts_by_the_mean_and_divides_by_the_spread() -> None:
    chunk = np.array([[1.0, 5.0], [5.0, 5.0]])
    frame = Frame.of(chunk, "diagonal", True)
    assert frame.shift.tolist() == [3.0, 5.0]
    assert frame.matrix.tolist() == [[0.5, 0.0], [0.0, 1.0]], "a constant column keeps its scale"
    assert frame.rows(chunk).tolist() == [[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
    assert frame.dim == 3
    assert frame.raw(np.array([4.0, 1.0, 7.0]))[0].tolist() == [2.0, 1.0]
    assert frame.raw(np.array([4.0, 1.0, 7.0]))[1] == 7.0 - 6.0 - 5.0


def test_without_an_intercept_nothing_is_shifted_and_none_comes_back() -> None:
    chunk = np.array([[3.0, 0.0], [4.0, 2.0]])
    frame = Frame.of(chunk, "diagonal", False)
    assert frame.shift.tolist() == [0.0, 0.0]
    assert np.diagonal(frame.matrix) == pytest.approx([1 / math.sqrt(12.5), 1 / math.sqrt(2.0)])
    assert frame.dim == 2
    assert frame.rows(chunk).shape == (2, 2)
    assert frame.raw(np.ones(2))[1] == 0.0
    bare = Frame.of(chunk, None, True)
    assert bare.matrix.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert bare.shift.tolist() == [3.5, 1.0]


def test_a_full_frame_whitens_up_to_its_ridge() -> None:
    rng = np.random.default_rng(0)
    chunk = rng.standard_normal((400, 2)) @ np.array([[2.0, 1.0], [0.0, 3.0]]) + 5
    rows = Frame.of(chunk, "full", True).rows(chunk)[:, :2]
    scaled = (chunk - chunk.mean(axis=0)) / chunk.std(axis=0)
    values = np.linalg.eigvalsh(scaled.T @ scaled / 400)
    ridge = values[-1] * 0.02 * 2 / 400
    assert np.linalg.eigvalsh(rows.T @ rows / 400) == pytest.approx(values / (values + ridge))
    assert rows.T @ rows / 400 == pytest.approx(np.diag(values / (values + ridge)), abs=1e-12)


def test_the_constants_of_two_numbers_by_hand() -> None:
    info = constants(np.array([[1.0], [3.0]]), Squared())
    ridge = 5 * 0.01 / 2
    assert info.mu == pytest.approx(5 + ridge)
    assert info.lambda_max == 5.0
    assert info.r2 == pytest.approx(41 / (5 + ridge))
    assert info.kappa_tilde == pytest.approx(41 / (5 + ridge) ** 2)
    assert info.dim == 1
    flat = constants(np.array([[1.0], [1.0]]), Squared())
    assert (flat.r2, flat.kappa_tilde) == (1.0, 1.0), "never below lambda_max and the dimension"


def test_the_ridge_of_many_rows_and_of_few_rows_is_capped() -> None:
    many = constants(np.ones((2_000_000, 1)), Squared())
    assert many.mu == pytest.approx(1 + 1e-8, rel=1e-12)
    few = constants(np.ones((1, 3)), Squared())
    assert few.mu == pytest.approx(3 * 1e-2)


@pytest.mark.parametrize("caution", [1.0, 16.0])
def test_steps_for_a_quadratic_loss_by_hand(caution: float) -> None:
    params = tuned(INFO, 1000, caution)
    eta = 1 / (16 * caution)
    least = (12 / 1000) ** 2 * 4 / eta
    mu = max(0.5, least)
    assert params.eta == pytest.approx(eta)
    assert params.gamma == pytest.approx(math.sqrt(eta / (4 * mu)) / 3)
    assert params.theta == pytest.approx(math.sqrt(mu * eta / 4) / 3)
    assert (params.T, params.h, params.beta) == (1000, (1.0,), (0.0,))


def test_a_small_eigenvalue_that_the_rows_cannot_resolve_is_raised() -> None:
    blind = replace(INFO, mu=1e-9)
    least = (12 / 100) ** 2 * 4 * 16
    assert tuned(blind, 100, 1.0).theta == pytest.approx(math.sqrt(least / 16 / 4) / 3)
    assert tuned(blind, 10, 1.0).theta == pytest.approx(math.sqrt(2.0 / 16 / 4) / 3), "but not above lambda_max"


def test_outer_rounds_depend_on_the_loss_and_on_the_rows_for_each_column() -> None:
    bent = replace(INFO, loss=Logistic(0.01))
    assert [tuned(bent, n, 1.0).K for n in (2, 8, 11, 12, 63, 64, 199, 200)] == [1, 2, 2, 3, 15, 16, 16, 8]
    assert tuned(replace(INFO, loss=Squared(2.0)), 199, 1.0).h == (0.5,)
    params = tuned(bent, 200, 1.0)
    s = math.sqrt(2 / 26)  # alpha = (0.25 + 0.01)/0.01
    assert params.beta == pytest.approx((((1 - s) / (1 + s)),) * 8)
    assert params.h == pytest.approx((1 / 0.26,) * 8)
    assert tuned(bent, 2, 1.0).beta == (0.0,)
    assert params.T == 24


def test_learning_gives_up_after_the_last_caution_and_takes_a_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels = np.eye(2), np.zeros(2)
    order = iter([np.arange(2)] * 100)
    assert learn(INFO, np.zeros(2), rows, labels, order, 1) is not None, "no loss at the start and at the end"
    seen: list[float] = []
    honest = learner.tuned
    monkeypatch.setattr(learner, "tuned", lambda info, n, c: (seen.append(c), honest(info, n, c))[1])
    monkeypatch.setattr(learner, "WORSE", 0.0)
    assert learn(INFO, np.zeros(2), rows, np.ones(2), order, 1) is None
    assert seen == [4.0**k for k in range(13)]


def test_wiser_constants_never_fall() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 3.0]])
    wiser = learner._wiser(INFO, rows)
    seen = constants(rows, Squared())
    assert wiser.lambda_max == seen.lambda_max == 4.5
    assert wiser.r2 == max(8.0, float(seen.r2 or 0))
    assert wiser.kappa_tilde == 4.0
    assert wiser.mu == 0.5


def test_stages_double_and_begin_where_the_last_one_ended() -> None:
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((14, 2)) / 4
    labels = rows @ [1.0, 2.0]
    one = Endless.begin(INFO, np.zeros(2), 4)
    assert (one.horizon, one.caution, one.state.plan) == (4, 1.0, None)
    part = one.fed(rows[:3], labels[:3])
    assert (part.horizon, part.state.seen) == (4, 3)
    full = one.fed(rows[:4], labels[:4])
    assert (full.horizon, full.state.seen) == (8, 0)
    assert full.start == pytest.approx(part.fed(rows[3:4], labels[3:4]).start)
    assert np.any(full.start != 0)
    more = one.fed(rows, labels)
    assert (more.horizon, more.state.seen) == (16, 2)
    assert one.fed(rows[:0], labels[:0]) is one


def test_a_divergent_stage_begins_again_with_more_caution() -> None:
    wild = Endless.begin(replace(INFO, mu=1e-3, lambda_max=1e-3, r2=1e-3), np.zeros(2), 200)
    rng = np.random.default_rng(1)
    rows = 100 * rng.standard_normal((50, 2))
    after = wild.fed(rows, rows @ [1.0, 2.0])
    assert after.caution >= 4.0
    assert after.horizon == 200
    assert float(after.state.info.r2 or 0) > 1e3
    tolerated = wild._tolerated(np.eye(2), np.array([2.0, 0.0]))
    assert tolerated == 1.0  # half of the mean of 4 and 0, at the start and at zero
    assert wild._tolerated(np.eye(2), np.zeros(2)) == math.ulp(0.0)


def test_the_first_stage_is_twice_the_first_rows_and_at_least_64() -> None:
    x, y = drawn(100)
    for rows, horizon in ((10, 64), (32, 64), (33, 66), (100, 200)):
        model = SADARegressor().partial_fit(x[:rows], y[:rows])
        assert model._endless is not None
        assert model._endless[0].horizon == horizon
        assert model.n_samples_seen_ == rows
    fitted = SADARegressor(passes=3).fit(x, y)
    assert fitted.n_samples_seen_ == 300
    fitted.partial_fit(x[:1], y[:1])
    assert fitted._endless[0].horizon == 300  # type: ignore[index]
    assert fitted.n_samples_seen_ == 301


def test_the_regression_starts_at_the_mean_of_the_first_targets() -> None:
    model = SADARegressor()
    model._set_frame(np.array([[1.0], [2.0]]), np.array([[3.0], [7.0]]))
    assert model._starts[0].tolist() == [0.0, 5.0]
    bare = SADARegressor(fit_intercept=False)
    bare._set_frame(np.array([[1.0], [2.0]]), np.array([[3.0], [7.0]]))
    assert bare._starts[0].tolist() == [0.0]
    assert bare.fit(*drawn(50)).intercept_ == 0.0


def test_the_chunk_the_order_and_the_passes_are_what_was_asked_for() -> None:
    x, y = drawn(60)
    plain = SADARegressor(shuffle=False, chunk=10).fit(x, y)
    assert plain._frame.shift == pytest.approx(x[:10].mean(axis=0))
    orders = SADARegressor(shuffle=True, random_state=3)._orders(5)
    reference = np.random.RandomState(3)
    assert [next(orders).tolist() for _ in range(2)] == [reference.permutation(5).tolist() for _ in range(2)]
    passes = SADARegressor(passes=3)._passes(iter([np.array([1, 0]), np.array([0, 1])]), 2)
    assert [one.tolist() for one in passes()] == [[0, 1], [1, 0], [0, 1]]
    assert [one.tolist() for one in passes()] == [[0, 1], [1, 0], [0, 1]], "the same for every output"
    assert set(plain.constants_) == {"mu", "lambda_max", "r2", "kappa_tilde"}


@pytest.mark.parametrize("value", [0, -1, True, "3", 2.0, None])
@pytest.mark.parametrize("name", ["chunk", "passes"])
def test_counts_that_are_none_are_refused_by_both_kinds_of_fit(name: str, value: object) -> None:
    x, y = drawn(6)
    for fit in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=f"{name} = .* must be an integer >= 1"):
            getattr(SADARegressor(**{name: value}), fit)(x, y)
    SADARegressor(**{name: np.int64(1)}).fit(x, y)  # type: ignore[arg-type]


def test_several_classes_are_scored_one_against_the_rest() -> None:
    rng = np.random.default_rng(2)
    x = rng.standard_normal((600, 2))
    labels = np.where(x[:, 0] > 0.5, "c", np.where(x[:, 1] > 0, "b", "a"))
    model = SADAClassifier(random_state=0).fit(x, labels)
    z = x @ model.coef_.T + model.intercept_
    assert model.decision_function(x) == pytest.approx(z)
    assert model.predict_proba(x) == pytest.approx(expit(z) / expit(z).sum(axis=1, keepdims=True))
    assert model.predict(x).tolist() == np.array(["a", "b", "c"])[np.argmax(z, axis=1)].tolist()
    model.coef_, model.intercept_ = np.zeros((3, 2)), np.full(3, -1e4)
    assert model.predict_proba(x[:1]) == pytest.approx(np.full((1, 3), 1 / 3))


def test_two_classes_have_one_score_and_zero_is_the_first_class() -> None:
    x, y = drawn(200)
    model = SADAClassifier(random_state=0).fit(x, y > 0)
    z = model.decision_function(x)
    assert z.shape == (200,)
    assert model.predict_proba(x) == pytest.approx(np.column_stack([1 - expit(z), expit(z)]))
    assert model.predict(x).tolist() == (z > 0).tolist()
    model.coef_, model.intercept_ = np.zeros((1, 2)), np.zeros(1)
    assert model.predict(x[:1]).tolist() == [False]
    assert model._targets(np.array([True, False])).tolist() == [[1.0], [-1.0]]
    model.partial_fit(x, y > 0, classes=[False, True])
    model.partial_fit(x, y > 0)


def test_settings_are_those_that_the_documentation_names() -> None:
    shared = {"fit_intercept": True, "precondition": "diagonal", "chunk": 1000, "passes": 1, "shuffle": True}
    assert SADARegressor().get_params() == {**shared, "random_state": None}
    assert SADAClassifier().get_params() == {**shared, "random_state": None, "mu": 1e-3}
    changed = {"fit_intercept": False, "precondition": None, "chunk": 5, "passes": 2, "shuffle": False}
    assert SADAClassifier(mu=0.5, **changed).get_params() == {**changed, "random_state": None, "mu": 0.5}  # type: ignore[arg-type]
