"""Several classes at once: the loss, its start, its compiled loop, and one pass against the multinomial solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from numerics.designs.checks import Array
from numerics.estimators import SADAClassifier
from numerics.estimators.joint import BLEND, JointInner, joint_constants
from numerics.estimators.learner import Learner
from numerics.estimators.softmax import Softmax, inverse_root
from numerics.losses import Squared
from numerics.optimizers import ProblemInfo


def drawn(n: int, d: int = 6, classes: int = 4, seed: int = 0, size: float = 1.0) -> tuple[Array, Array, Array]:
    """Rows in columns of many scales, labels, and the true probabilities."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d))
    p = softmax(size * x @ rng.standard_normal((d, classes)), axis=1)
    labels = np.array([rng.choice(classes, p=one) for one in p])
    return x * np.geomspace(1e-3, 1e3, d) + 1, labels, p


def indicators(labels: Array, classes: int) -> Array:
    return np.where(labels[:, None] == np.arange(classes), 1.0, -1.0)


def test_slope_and_curvature_are_the_derivatives_of_the_loss() -> None:
    loss, rng, h = Softmax(0.1), np.random.default_rng(0), 1e-5
    z, b = 2 * rng.standard_normal((1, 4)), indicators(np.array([2]), 4)
    for k, step in enumerate(h * np.eye(4)):
        assert (loss.value(z + step, b) - loss.value(z - step, b)) / (2 * h) == pytest.approx(loss.slope(z, b)[:, k])
        change = (loss.slope(z + step, b) - loss.slope(z - step, b))[0] / (2 * h)
        assert loss.mean_curvature(softmax(z, axis=1), np.ones(1))[k] == pytest.approx(change, abs=1e-8)
    assert np.isfinite(loss.value(1e4 * z, b)).all()
    with pytest.raises(ValueError, match="a label must be 1 at its class and -1 at every other"):
        loss.check_labels(np.ones((2, 3)))


def test_the_mean_curvature_turns_into_the_identity_on_predictions_that_sum_to_zero() -> None:
    p = softmax(np.random.default_rng(1).standard_normal((50, 5)), axis=1)
    v = Softmax(1e-3).mean_curvature(p, np.ones(50))
    root, centred = inverse_root(v), np.eye(5) - 1 / 5
    assert root @ v @ root == pytest.approx(centred, abs=1e-12)
    assert root @ np.ones(5) == pytest.approx(np.zeros(5), abs=1e-12)


def test_few_rows_are_solved_as_the_multinomial_solver_does() -> None:
    x, labels, _ = drawn(200)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    ours = SADAClassifier(mu=1e-9, ridge=1.0).fit(z, labels)
    theirs = LogisticRegression(C=1.0, tol=1e-10, max_iter=2000).fit(z, labels)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-4, abs=1e-4)
    assert ours.coef_.sum(axis=0) == pytest.approx(np.zeros(6), abs=1e-9)


def test_more_columns_than_rows_are_solved_within_their_span() -> None:
    x, labels, _ = drawn(40, d=90, classes=3)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    ours = SADAClassifier(mu=1e-9, ridge=1.0).fit(z, labels)
    theirs = LogisticRegression(C=1.0, tol=1e-10, max_iter=2000).fit(z, labels)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("precondition", ["diagonal", "full"])
def test_one_pass_reaches_the_multinomial_solver_where_classes_against_the_rest_do_not(precondition: str) -> None:
    x, labels, p = drawn(20_000)
    model = SADAClassifier(precondition=precondition, random_state=0).fit(x, labels)  # type: ignore[arg-type]
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    best = log_loss(labels, LogisticRegression(C=1e4, max_iter=2000).fit(z, labels).predict_proba(z))
    assert log_loss(labels, model.predict_proba(x)) < best + 0.001
    assert np.max(np.abs(model.predict_proba(x) - p)) < 0.1
    alone = [SADAClassifier(random_state=0).fit(x, labels == k).predict_proba(x)[:, 1] for k in range(4)]
    rest = np.column_stack(alone)
    assert log_loss(labels, rest / rest.sum(axis=1, keepdims=True)) > best + 0.02


def test_scores_and_probabilities_belong_together() -> None:
    x, labels, _ = drawn(600)
    model = SADAClassifier(random_state=0).fit(x, np.array(["a", "b", "c", "d"])[labels])
    z = x @ model.coef_.T + model.intercept_
    assert model.decision_function(x) == pytest.approx(z)
    assert model.predict_proba(x) == pytest.approx(softmax(z, axis=1))
    assert model.predict(x).tolist() == np.array(["a", "b", "c", "d"])[np.argmax(z, axis=1)].tolist()
    assert 1 < model.constants_["alpha"] < 1e4


def test_the_compiled_loop_follows_its_lines() -> None:
    rng = np.random.default_rng(3)
    n, d, classes, mu = 60, 5, 3, 0.01
    a, w = rng.standard_normal((n, d)), rng.uniform(0.5, 2, n)
    p = softmax(rng.standard_normal((n, classes)), axis=1)
    slope = rng.standard_normal((n, classes))
    v = Softmax(mu).mean_curvature(p, w)
    root = inverse_root(v)
    slope -= slope.mean(axis=1, keepdims=True)
    info = ProblemInfo(classes * d, Squared(), mu=0.5, lambda_max=2.0, r2=20.0, kappa_tilde=15.0)
    inner = JointInner.begin(info, n, 1.0, classes)
    s = inner.steps
    for part in (slice(0, 13), slice(13, n)):
        inner = inner.fed(a[part], p[part], slope[part], w[part], root @ root, np.array(mu))
    y = z = total = np.zeros((classes, d))
    for i in range(n):
        own = np.diag(p[i] + mu) - np.outer(p[i], p[i])
        g = w[i] * np.outer(root @ root @ (slope[i] + ((1 - BLEND) * own + BLEND * v) @ y @ a[i]), a[i])
        x = y - s.eta * g
        z = s.theta * y + (1 - s.theta) * z - s.gamma * g
        y = (x + s.theta * z) / (1 + s.theta)
        total = total + (x if i >= inner.skip else 0)
    assert inner.average() == pytest.approx(total / (n - inner.skip), rel=1e-10, abs=1e-12)


def test_the_size_of_the_rows_is_found_without_their_matrix() -> None:
    rng = np.random.default_rng(4)
    n, d, classes, mu = 300, 3, 3, 1e-3
    a, w = rng.standard_normal((n, d)), rng.uniform(0.5, 2, n)
    p = softmax(rng.standard_normal((n, classes)), axis=1)
    v = Softmax(mu).mean_curvature(p, w)
    root = inverse_root(v)
    info, _ = joint_constants(a, p, w, v, root, mu)
    own = [np.diag(one + mu) - np.outer(one, one) for one in p]
    rows = [
        np.kron(t * root @ ((1 - BLEND) * u + BLEND * v) @ root, np.outer(x, x))
        for t, u, x in zip(w, own, a, strict=True)
    ]
    first, second = np.mean(rows, axis=0), np.mean([m @ m for m in rows], axis=0)
    values, vectors = np.linalg.eigh(first)
    kept = vectors[:, values > 1e-9] / np.sqrt(values[values > 1e-9])
    assert info.need("lambda_max") == pytest.approx(values[-1], rel=0.05)
    assert info.need("r2") == pytest.approx(np.linalg.eigvalsh(kept.T @ second @ kept)[-1], rel=0.05)


def test_neither_the_cut_of_the_stream_nor_the_units_of_the_columns_matter() -> None:
    x, labels, _ = drawn(3000)
    whole = SADAClassifier().partial_fit(x, labels, classes=range(4))
    parts = SADAClassifier()
    for start in range(0, 3000, 77):
        parts.partial_fit(x[start : start + 77], labels[start : start + 77], classes=range(4))
    assert np.array_equal(whole.coef_, parts.coef_)
    scale = np.geomspace(1e4, 1e-5, 6)
    other = SADAClassifier().partial_fit(x * scale, labels, classes=range(4))
    assert other.predict_proba(x * scale) == pytest.approx(whole.predict_proba(x), abs=1e-8)


@pytest.mark.parametrize("stream", ["sorted", "jump", "extreme", "drift"])
def test_hostile_streams_of_several_classes_stay_better_than_no_prediction(stream: str) -> None:
    x, labels, _ = drawn(6000, seed=5)
    if stream == "sorted":
        order = np.argsort(x[:, 0])
        x, labels = x[order], labels[order]
    elif stream == "jump":
        x[3000:] *= 1e3
    elif stream == "extreme":
        x[[10, 300, 4000]] *= 1e9
    else:
        x *= np.geomspace(1, 1e6, 6000)[:, None]
    model = SADAClassifier(shuffle=False).fit(x, labels)
    part = slice(5000, 6000) if stream in ("jump", "drift") else slice(0, 6000)
    assert np.isfinite(model.coef_).all()
    assert log_loss(labels[part], model.predict_proba(x[part]), labels=range(4)) < np.log(4)


def test_many_classes_of_which_some_are_rare_are_learnt() -> None:
    x, labels, _ = drawn(12_000, d=10, classes=30, size=2.0)
    labels = np.where((labels > 25) & (np.arange(12_000) % 40 > 0), 0, labels)
    model = SADAClassifier(random_state=0).fit(x, labels)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    best = log_loss(labels, LogisticRegression(C=100, max_iter=500).fit(z, labels).predict_proba(z))
    assert log_loss(labels, model.predict_proba(x)) < 1.2 * best


def test_no_row_is_solved_to_the_end_beside_itself() -> None:
    """Leaving out a row that is there twice leaves nothing out: with five passes over few rows the ridge was chosen far
    too small."""
    x, labels, _ = drawn(100, d=20, classes=3, size=0.3)
    for passes, first in ((1, 256), (5, 96)):
        learner = SADAClassifier(passes=passes, random_state=0).fit(x, labels)._learner
        assert isinstance(learner, Learner)
        assert learner.settings.first == first
