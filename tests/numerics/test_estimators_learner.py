"""The learner below the estimators: pages and stages by hand, any cut of the stream, wrong constants, no divergence."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.designs import Gaussian
from numerics.errors import DivergenceError
from numerics.estimators.constants import condition_of_loss, constants
from numerics.estimators.frame import Frame, Moments
from numerics.estimators.inner import Inner, tuned
from numerics.estimators.learner import Learner, Settings, first_rows
from numerics.estimators.start import RIDGES, PenalisedRisk, residual_scale, solved
from numerics.estimators.track import Track, View, _better
from numerics.losses import Logistic, Loss, Poisson, Squared, huber
from numerics.optimizers import ProblemInfo
from numerics.optimizers.references import sada

INFO = ProblemInfo(2, Squared(), mu=0.5, lambda_max=2.0, r2=8.0, kappa_tilde=4.0)


def drawn(n: int, d: int = 3, seed: int = 0, noise: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d)) + 2
    return x, (x @ np.arange(1.0, d + 1) - 1 + noise * rng.standard_normal(n))[:, None]


def learnt(x: np.ndarray, y: np.ndarray, plan: Settings, cuts: list[int] | None = None) -> Learner:
    learner, ends = Learner.begin(plan), sorted({0, len(x), *(cuts or [])})
    for low, high in pairwise(ends):
        learner = learner.fed(x[low:high], y[low:high], np.ones(high - low))
    return learner


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3000), max_size=30), st.sampled_from(["squared", "logistic", "poisson"]))
def test_any_cut_of_the_stream_gives_the_same_bits(cuts: list[int], name: str) -> None:
    x, y = drawn(3000)
    loss = {"squared": Squared(), "logistic": Logistic(1e-3), "poisson": Poisson(20.0)}[name]
    labels = {"squared": y, "logistic": np.sign(y), "poisson": np.abs(np.round(y))}[name]
    whole, cut = (learnt(x, labels, Settings(loss, 3), c) for c in (None, cuts))
    assert np.array_equal(whole.coefficients, cut.coefficients)
    assert (whole.seen, len(whole.pending)) == (cut.seen, len(cut.pending))


@pytest.mark.parametrize("precondition", ["diagonal", "full"])
def test_the_units_of_the_columns_do_not_matter(precondition: str) -> None:
    x, y = drawn(5000)
    scale = np.array([2.0**40, 1.0, 2.0**-40])
    plan = Settings(Squared(), 3, precondition=precondition)  # type: ignore[arg-type]
    plain, scaled = learnt(x, y, plan).coefficients[0], learnt(x * scale, y, plan).coefficients[0]
    assert scaled[:3] * scale == pytest.approx(plain[:3], rel=1e-9)
    assert scaled[3] == pytest.approx(plain[3], rel=1e-9)


def test_pages_and_stages_end_where_their_number_says() -> None:
    x, y = drawn(20_000)
    learner, seen = Learner.begin(Settings(Squared(), 3)), []
    for k in range(0, 20_000, 8):
        learner = learner.fed(x[k : k + 8], y[k : k + 8], np.ones(8))
        seen.append((learner.begun, learner.length))
    assert list(dict.fromkeys(s for s in seen if s[1])) == [(n, n) for n in (256, 512, 1024, 2048, 4096, 8192, 16384)]
    assert first_rows(3) == 256
    assert first_rows(100) == 400
    assert first_rows(10**6) == 64


def test_a_known_end_makes_the_last_stage_take_all_that_is_left() -> None:
    x, y = drawn(1500)
    learner = learnt(x, y, Settings(Squared(), 3, total=1500))
    assert (learner.begun, learner.length, learner.seen) == (512, 984, 1496)
    short = learnt(x[:500], y[:500], Settings(Squared(), 3, total=500))
    assert (short.begun, short.length) == (256, 240)
    assert learnt(x[:260], y[:260], Settings(Squared(), 3, total=260)).tracks[0].stage is None


def test_the_inner_loop_is_that_of_algorithm_one_except_for_its_tail() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((64, 2)), rng.standard_normal(64)
    inner = replace(Inner.begin(INFO, 64, 1.0), skip=32).fed(a, -b)
    steps = inner.steps
    rows = zip(a, b, strict=True)
    expected = sada(lambda: next(rows), Squared(), np.zeros(2), (1.0,), (0.0,), steps.eta, steps.gamma, steps.theta, 64)
    assert inner.average() == pytest.approx(expected, rel=1e-10)
    assert Inner.begin(INFO, 64, 1.0).skip == 8
    assert Inner.begin(INFO, 64, 1.0).fed(a[:8], b[:8]).average().tolist() == [0.0, 0.0]
    parts = Inner.begin(INFO, 64, 1.0).fed(a[:20], b[:20]).fed(a[20:], b[20:])
    assert np.array_equal(parts.vectors, Inner.begin(INFO, 64, 1.0).fed(a, b).vectors)


@pytest.mark.parametrize("caution", [1.0, 16.0])
def test_steps_by_hand(caution: float) -> None:
    eta = 1 / (16 * caution)
    mu = max(0.5, (12 / 1000) ** 2 * 4 / eta)
    found = tuned(INFO, 1000, caution)
    assert (found.eta, found.gamma) == pytest.approx((eta, math.sqrt(eta / (4 * mu)) / 3))
    assert found.theta == pytest.approx(math.sqrt(mu * eta / 4) / 3)
    blind = tuned(replace(INFO, mu=1e-9), 100, 1.0)
    assert blind.theta == pytest.approx(math.sqrt((12 / 100) ** 2 * 4 * 16 / 16 / 4) / 3), (
        "no slower than 100 rows allow"
    )
    assert tuned(replace(INFO, mu=1e-9), 10, 1.0).theta == pytest.approx(math.sqrt(2.0 / 16 / 4) / 3), (
        "nor above the top"
    )


def test_an_inner_loop_that_diverges_says_so() -> None:
    rows = 1e6 * np.random.default_rng(1).standard_normal((400, 2))
    with pytest.raises(DivergenceError):
        Inner.begin(INFO, 400, 1.0).fed(rows, rows[:, 0])


STREAMS = {
    "larger and larger": lambda x, rng: x * np.geomspace(1, 1e6, len(x))[:, None],
    "smaller and smaller": lambda x, rng: x * np.geomspace(1, 1e-6, len(x))[:, None],
    "a sudden jump": lambda x, rng: x * np.where(np.arange(len(x)) > len(x) / 3, 1e8, 1.0)[:, None],
    "heavy tails": lambda x, rng: rng.standard_t(2.1, x.shape),
    "no second moment": lambda x, rng: rng.standard_cauchy(x.shape),
    "rare giants": lambda x, rng: x * np.where(rng.random(len(x)) < 1e-3, 1e5, 1.0)[:, None],
    "one column wakes": lambda x, rng: np.column_stack([x[:, 0] * (np.arange(len(x)) > len(x) / 2), x[:, 1:]]),
    "one column is constant": lambda x, rng: np.column_stack([np.full(len(x), 5.0), x[:, 1:]]),
    "two columns are the same": lambda x, rng: np.column_stack([x[:, 1], x[:, 1:]]),
    "far from zero": lambda x, rng: x + 1e6,
    "nearly dependent": lambda x, rng: np.column_stack([x[:, 1] + 1e-4 * x[:, 0], x[:, 1:]]),
    "all zero": lambda x, rng: 0 * x,
}


@pytest.mark.parametrize("precondition", ["diagonal", "full", None])
@pytest.mark.parametrize("name", STREAMS)
def test_no_stream_makes_it_diverge(name: str, precondition: str | None) -> None:
    """At no moment worse, on the rows that come next, than twice the worse of a constant and least squares so far."""
    rng = np.random.default_rng(4)
    x = STREAMS[name](rng.standard_normal((12_000, 4)), rng)
    y = (x @ np.ones(4) + np.linalg.norm(x, axis=1) * rng.standard_normal(12_000))[:, None]
    learner = Learner.begin(Settings(Squared(), 4, precondition=precondition))  # type: ignore[arg-type]
    for k in range(0, 11_000, 1000):
        learner = learner.fed(x[k : k + 1000], y[k : k + 1000], np.ones(1000))
        found, ahead = learner.coefficients[0], slice(k + 1000, k + 2000)
        assert np.all(np.isfinite(found))
        design = np.column_stack([x, np.ones(len(x))])
        least = np.linalg.lstsq(design[: k + 1000], y[: k + 1000, 0])[0]
        ours, squares, constant = (
            np.mean((y[ahead, 0] - design[ahead] @ w) ** 2)
            for w in (found, least, [0, 0, 0, 0, np.mean(y[: k + 1000])])
        )
        assert ours <= 2 * max(squares, constant) + 1e-9


def test_a_stream_that_grows_restarts_and_still_learns() -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((20_000, 4)) * np.geomspace(1, 1000, 20_000)[:, None]
    y = (x @ np.ones(4) + rng.standard_normal(20_000))[:, None]
    learner = learnt(x, y, Settings(Squared(), 4))
    assert 2 <= learner.restarts <= 12
    assert learner.coefficients[0, :4] == pytest.approx(np.ones(4), abs=1e-3)


def test_constants_that_are_wrong_are_noticed_by_size_and_by_failure() -> None:
    rng = np.random.default_rng(6)
    x = rng.standard_normal((512, 2))
    y = x @ [1.0, 2.0]
    frame = Frame.of(
        Moments.of(x, np.ones(512), full=False), Moments.of(x, np.ones(512), full=False), "diagonal", False
    )
    view = View(Squared(), x, frame.rows(x), y, np.ones(512))
    track = Track(np.zeros(3), 1.0).calibrated(frame, view, 512, 512)
    assert track.stepped(frame, view).wrong is None
    large = View(Squared(), 3 * x, frame.rows(3 * x), 3 * y, np.ones(512))
    assert track.stepped(frame, large).wrong == "size"
    assert track.stage is not None
    wild = Inner.begin(replace(track.stage.inner.info, r2=0.05, mu=0.01), 512, 1.0)
    failed = replace(track, stage=replace(track.stage, inner=wild)).stepped(frame, view)
    assert failed.wrong == "steps"
    again = failed.restarting(frame)
    assert (again.caution, again.restarts, again.wrong, again.output) == (4.0, 1, None, None)
    kept = replace(track.stepped(frame, view), wrong="size").restarting(frame)
    assert (kept.caution, kept.restarts) == (1.0, 1)
    assert kept.output is not None, "what was averaged is kept where only the size was wrong"


def test_best_and_output_are_joined_by_their_rows_unless_one_is_clearly_better() -> None:
    x = np.random.default_rng(7).standard_normal((400, 1))
    view = View(Squared(), x, x, x[:, 0], np.ones(400))
    track = Track(np.array([0.9, 0.0]), 300.0, np.array([1.1, 0.0]), 100.0)
    assert track.chosen()[0] == pytest.approx([0.95, 0.0])
    assert track.chosen()[1] == 400.0
    assert replace(track, best=np.array([0.0, 0.0])).settled(view).best.tolist() == [1.1, 0.0]
    worse = replace(track, output=np.array([9.0, 0.0]), caution=16.0).settled(view)
    assert (worse.best.tolist(), worse.weight, worse.caution) == ([0.9, 0.0], 300.0, 16.0)
    assert replace(track, caution=16.0).settled(view).caution == 4.0, "success makes bolder"
    assert _better(np.zeros(4), np.array([1.0, np.inf, 1.0, 1.0]))
    assert not _better(np.full(4, np.nan), np.array([1.0, np.inf, 1.0, 1.0]))


def test_moments_of_parts_are_moments_of_the_whole() -> None:
    rng = np.random.default_rng(8)
    x, w = rng.standard_normal((90, 3)) + 1e6, rng.uniform(0.5, 2, 90)
    whole = Moments.of(x, w, full=True)
    parts = Moments.of(x[:30], w[:30], full=True).merged(Moments.of(x[30:], w[30:], full=True))
    assert whole.mean == pytest.approx(np.average(x, axis=0, weights=w), rel=1e-12)
    assert whole.square / whole.weight == pytest.approx(np.diag(np.cov(x.T, aweights=w, ddof=0)), rel=1e-6)
    for name in ("weight", "mean", "square", "cross"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), rel=1e-8)


@pytest.mark.parametrize("precondition", ["diagonal", "full", None])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_frame_and_its_inverse_predict_the_same(precondition: str | None, intercept: bool) -> None:
    x, _ = drawn(300)
    moments = Moments.of(x, np.ones(300), full=True)
    frame = Frame.of(moments, moments, precondition, intercept)  # type: ignore[arg-type]
    w = np.arange(1.0, frame.dim + 1)
    raw = frame.raw(w)
    assert x @ raw[:3] + raw[3] == pytest.approx(frame.rows(x) @ w, rel=1e-9)
    assert frame.inside(raw) == pytest.approx(w)
    if precondition == "full":
        rows = frame.rows(x)[:, :3]
        assert rows.T @ rows / 300 == pytest.approx(np.eye(3), abs=1e-3)


def test_a_column_without_a_scale_sleeps_until_it_varies() -> None:
    x = np.column_stack([np.ones(50), np.arange(50.0)])
    moments = Moments.of(x, np.ones(50), full=False)
    frame = Frame.of(moments, moments, "diagonal", True)
    assert frame.asleep.tolist() == [True, False]
    assert frame.rows(x)[:, 0].tolist() == [0.0] * 50
    other = Moments.of(x + np.array([3.0, 0.0]), np.ones(50), full=False)
    awake = Frame.of(moments, moments.merged(other), "diagonal", True)
    assert awake.asleep.tolist() == [False, False], "a spread from elsewhere serves"


def test_the_constants_of_a_gaussian_page_are_near_the_true_ones() -> None:
    design = Gaussian(np.diag([0.2, 1.0, 3.0]))
    info = constants(design.sample(20_000, np.random.default_rng(0)))
    for name, true in (("mu", design.mu), ("lambda_max", 3.0), ("r2", design.r2), ("kappa_tilde", design.kappa_tilde)):
        assert getattr(info, name) == pytest.approx(true, rel=0.08)


@pytest.mark.parametrize("rows", [np.ones((1, 3)), np.zeros((5, 2)), np.eye(4), np.ones((50, 3)), np.ones((2, 9))])
def test_the_constants_of_a_degenerate_page_are_positive(rows: np.ndarray) -> None:
    info = constants(rows)
    assert 0 < info.need("mu") <= info.need("lambda_max") * 1.1
    assert info.need("r2") >= info.need("lambda_max")
    assert info.need("kappa_tilde") >= rows.shape[1]
    assert condition_of_loss(rows, np.ones(len(rows))) >= 1.0


def test_alpha_is_the_condition_number_of_the_hessian_in_the_metric_sigma() -> None:
    rng = np.random.default_rng(9)
    rows = rng.standard_normal((50_000, 2)) @ np.diag([10.0, 0.1])
    bent = np.where(np.abs(rows[:, 0]) > 10, 4.0, 1.0)
    u = rows / [10.0, 0.1]
    values = np.linalg.eigvalsh((u * bent[:, None]).T @ u / 50_000)
    assert condition_of_loss(rows, bent) == pytest.approx(values[1] / values[0], rel=0.02)


@pytest.mark.parametrize("loss", [Squared(), Logistic(1e-2), huber(0.5)], ids=repr)
def test_the_start_is_the_minimiser_also_with_more_columns_than_rows(loss: Squared) -> None:
    rng = np.random.default_rng(10)
    for n, d in ((40, 3), (5, 12)):
        rows = np.column_stack([rng.standard_normal((n, d)), np.ones(n)])
        labels, weights = np.sign(rng.standard_normal(n)), rng.uniform(1, 3, n)
        x = solved(rows, labels, weights, loss, 1.0, True)
        penalty = np.append(np.full(d, 1.0), 1e-8) / weights.sum()
        gradient = PenalisedRisk(loss, rows, labels, weights / weights.sum(), penalty).gradient(x)
        assert np.linalg.norm(gradient) < 1e-9


def few_rows(seed: int = 0, d: int = 6, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d))
    return np.column_stack([x, np.ones(n)]), x[:, 0] + 2 * rng.standard_normal(n) + 3


def without(a: np.ndarray, b: np.ndarray, loss: Loss, ridge: float) -> float:
    """The mean loss of each row under the minimiser of the others, solved anew for each."""
    kept = [np.arange(len(b)) != i for i in range(len(b))]
    found = [solved(a[k], b[k], np.ones(len(b) - 1), loss, ridge, True) for k in kept]
    return float(np.mean([loss.value(a[i] @ x, b[i]) for i, x in enumerate(found)]))


@pytest.mark.parametrize(("loss", "near"), [(Squared(), 1e-6), (huber(1.0), 5e-2), (Logistic(1e-3), 2e-2)])
def test_leaving_one_row_out_needs_no_second_solution(loss: Loss, near: float) -> None:
    a, b = few_rows()
    b = np.sign(b - 3) if isinstance(loss, Logistic) else b
    for ridge in (1.0, 30.0):
        penalty = np.append(np.full(6, ridge / 40), 1e-8 * ridge / 40)
        risk = PenalisedRisk(loss, a, b, np.full(40, 1 / 40), penalty)
        found = risk.left_out(solved(a, b, np.ones(40), loss, ridge, True), 1 / 40)
        assert found == pytest.approx(without(a, b, loss, ridge), rel=near)


def test_the_ridge_that_is_chosen_leaves_the_smallest_loss_on_the_row_left_out() -> None:
    chosen = set()
    for seed, noise in ((0, 1.0), (1, 0.001), (2, 1.0), (3, 1.0)):
        a, b = few_rows(seed)
        b = b if noise == 1 else a @ np.arange(7.0) + noise * b
        best = min(RIDGES, key=lambda ridge: without(a, b, Squared(), ridge))
        x = solved(a, b, np.ones(40), Squared(), None, True)
        assert x == pytest.approx(solved(a, b, np.ones(40), Squared(), best, True), abs=1e-9)
        chosen.add(best)
    assert len(chosen) > 1, "the rows decide"


def test_a_weight_of_two_is_a_row_twice_when_the_ridge_is_chosen() -> None:
    a, b = few_rows(5)
    twice, weights = np.repeat(np.arange(40), np.arange(40) % 3 + 1), np.arange(40) % 3 + 1.0
    one = solved(a, b, weights, huber(1.0), None, True)
    assert one == pytest.approx(solved(a[twice], b[twice], np.ones(len(twice)), huber(1.0), None, True), abs=1e-9)


def test_a_single_row_and_a_loss_that_overflows_still_give_a_start() -> None:
    assert np.isfinite(solved(np.ones((1, 2)), np.array([3.0]), np.ones(1), Squared(), None, True)).all()
    steep = PenalisedRisk(Squared(), np.eye(2), np.array([1e200, 1.0]), np.full(2, 0.5), np.full(2, 1e-9))
    with np.errstate(over="ignore"):
        assert steep.left_out(np.zeros(2), 0.5) == math.inf


def test_the_spread_of_residuals_is_robust_and_never_zero() -> None:
    rng = np.random.default_rng(11)
    rows = np.column_stack([rng.standard_normal(500), np.ones(500)])
    labels = rows[:, 0] + 0.1 * rng.standard_normal(500)
    labels[:5] = 1e3
    weights = np.ones(500)
    assert 0.05 < residual_scale(rows, labels, weights, 1e-6, True) < 20
    assert residual_scale(rows, np.full(500, 3.0), weights, 1.0, True) == pytest.approx(0.03)
    assert residual_scale(rows, np.zeros(500), weights, 1.0, True) == 1.0
