"""Empirical risks by hand, cuts at every row, suspects of a divergence, goals and counts of a run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from numerics.errors import DataError, HorizonError, OptimizerError, ParameterError, StreamError
from numerics.losses import Logistic, Poisson, Squared
from numerics.optimizers import (
    METHODS,
    ErmParams,
    ProblemInfo,
    SadaParams,
    SadaUDParams,
    SadaWCParams,
    SgdParams,
    estimate,
    rivals,
    run,
    sada,
    step,
)
from numerics.optimizers import erm as erm_module
from numerics.optimizers.core import diverged, labels_checked_late, refuse_non_finite_rows, starting_point
from numerics.optimizers.erm import EmpiricalRisk, newton
from numerics.optimizers.references_rivals import anchor_size, drawn_iterate
from numerics.optimizers.run import _counts, _goal, _planned
from numerics.optimizers.sada_kernels import inner_table
from numerics.optimizers.simd import aligned_zeros, padded
from numerics.optimizers.state import Suspect
from numerics.streams import ArrayStream

from .optimizers_support import CASES, SMALL, Source, fed_in_pieces, information, rows, user_squared

A = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
B = np.array([1.0, 3.0, -2.0])


def test_the_empirical_risk_and_its_derivatives_by_hand() -> None:
    risk, x = EmpiricalRisk(Squared(2.0), A, B), np.array([1.0, -1.0])
    residuals = np.array([0.0, -3.0, 0.0])
    assert risk.value(x) == pytest.approx(np.sum(residuals**2) / 3)
    assert risk.gradient(x) == pytest.approx(2 * A.T @ residuals / 3)
    assert risk.hessian(x) == pytest.approx(2 * A.T @ A / 3)
    z = np.array([1.0, 0.0, -2.0])
    terms = np.abs(A).T @ (2 * np.abs(residuals) + 2 * np.abs(z))
    assert risk.gradient_scale(x) == pytest.approx(np.linalg.norm(terms) / 3)


def test_the_risk_of_many_rows_is_summed_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, x = EmpiricalRisk(Logistic(0.1), A, np.sign(B)), np.array([0.3, -0.2])
    expected = (whole.value(x), whole.gradient(x), whole.hessian(x), whole.gradient_scale(x))
    for chunk in (1, 2, 3, 4):
        monkeypatch.setattr(erm_module, "CHUNK", chunk)
        assert [len(B[c]) for c in whole._chunks()] == {1: [1, 1, 1], 2: [2, 1], 3: [3], 4: [3]}[chunk]
        found = (whole.value(x), whole.gradient(x), whole.hessian(x), whole.gradient_scale(x))
        for one, other in zip(found, expected, strict=True):
            assert one == pytest.approx(other)


def test_newton_ends_at_its_tolerance_or_where_it_moves_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((40, 3)), np.where(rng.random(40) < 0.5, -1.0, 1.0)
    risk = EmpiricalRisk(Logistic(0.1), a, b)
    x = newton(risk, np.zeros(3), 1e-10)
    assert np.linalg.norm(risk.gradient(x)) <= 1e-10 * risk.gradient_scale(x)
    assert newton(risk, x, 1e-8) is x, "no step is taken where the gradient is small enough"
    far = np.full(3, 5.0)
    with monkeypatch.context() as stuck:
        stuck.setattr(erm_module, "_backtrack", lambda risk, x, value, g, direction: x)
        assert newton(risk, far, 1e-10) is far
    monkeypatch.setattr(erm_module, "ITERATIONS", 1)
    with pytest.raises(OptimizerError, match=r"erm: \|gradient\| = .* after 1 Newton steps on 40 samples; loosen"):
        newton(risk, far, 1e-10)


def test_steps_that_do_not_lower_the_risk_are_halved() -> None:
    risk = EmpiricalRisk(Squared(), np.array([[1.0]]), np.array([0.0]))
    x = np.array([1.0])
    g, value = risk.gradient(x), risk.value(x)
    assert erm_module._backtrack(risk, x, value, g, g) == pytest.approx([0.0])
    assert erm_module._backtrack(risk, x, value, g, 8 * g) == pytest.approx([1 - 8 / 8]), "1, -7, -3, -1, then 0"
    assert erm_module._backtrack(risk, x, value, g, -g) is x


def test_newton_ends_where_rounding_allows_no_more() -> None:
    rng = np.random.default_rng(3)
    a = rng.standard_normal((256, 4))
    a[0] *= 1e12
    risk = EmpiricalRisk(Squared(), a, rng.standard_normal(256))
    x = newton(risk, np.zeros(4), 1e-16)
    assert risk.value(x) < risk.value(np.zeros(4))


def test_an_undetermined_direction_is_the_shortest_one() -> None:
    assert erm_module._solve(np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([4.0, 0.0])) == pytest.approx([2.0, 0.0])
    assert erm_module._solve(np.diag([2.0, 4.0]), np.array([4.0, 4.0])) == pytest.approx([2.0, 1.0])


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_erm_keeps_its_rows_and_refuses_one_too_many(solver: str) -> None:
    method, info = METHODS["erm"], ProblemInfo(2, Squared())
    state = method.init(info, [5.0, 5.0], ErmParams(3, solver))
    assert estimate(state).tolist() == [5.0, 5.0]
    assert step(state, A[:0], B[:0]).held == ()
    full = fed_in_pieces(state, A, B, [1])
    assert (full.seen, full.labelled, full.waiting) == (3, 3, 3)
    assert estimate(full) == pytest.approx(np.linalg.lstsq(A, B, rcond=None)[0], rel=1e-7)
    with pytest.raises(HorizonError, match="erm: 4 samples offered, planned for 3"):
        step(full, A[:1], B[:1])
    assert estimate(step(state, A[:1], B[:1]))[0] == pytest.approx(1.0), "one row determines one direction"


def test_threads_and_cuts_change_nothing_for_runs_of_odd_length() -> None:
    rng = np.random.default_rng(1)
    params = SadaParams(0.02, 0.07, 0.1, 15, (0.9, 0.5), (0.2, 0.3), runs=3)
    a, b = rows(Squared(), rng, params.horizon, 3)
    info = information(3, Squared())
    plain = step(METHODS["sada"].init(info, None, params), a, b)
    threaded = METHODS["sada"].init(info, None, replace(params, workers=2))
    for cut in range(len(b) + 1):
        after = step(threaded, a[:cut], b[:cut])
        alone = step(METHODS["sada"].init(info, None, params), a[:cut], b[:cut])
        assert after.waiting == alone.waiting < 4
        assert after.clock.tolist() == alone.clock.tolist()
        assert estimate(after) == pytest.approx(estimate(alone), rel=1e-13)
        whole = step(after, a[cut:], b[cut:])
        assert estimate(whole) == pytest.approx(estimate(plain), rel=1e-13)
        assert whole.clock.tolist() == [2, 0, 0]


def test_a_ridge_that_stops_y_at_once_is_not_taken_four_steps_at_a_time() -> None:
    """q lam = 1 makes the coefficient of w vanish: nothing can be divided by it."""
    base, d = SadaParams(0.125, 0.5, 0.5, 16, (0.9, 0.4), (0.1, 0.2)), 3
    assert inner_table(base.eta, base.gamma, base.theta, 4.0)[[27, 31]].tolist() == [0.0, 0.0]
    assert inner_table(base.eta, base.gamma, base.theta, 0.1)[31] == 1.0
    a, b = rows(Squared(), np.random.default_rng(2), base.horizon, d)
    method = METHODS["sada-wc-printed"]
    assert method.reference is not None
    inner = (base.h, base.beta, base.eta, base.gamma, base.theta, base.T)
    expected = method.reference(Source(a, b).sample, Squared(), np.ones(d), *inner, 4.0, 1.0, 1.0)
    state = method.init(information(d, Squared()), np.ones(d), SadaWCParams(base, 4.0, 1.0, 1.0))
    assert estimate(step(state, a, b)) == pytest.approx(expected, rel=1e-12)


def test_units_and_rows_of_sada_by_hand() -> None:
    info = ProblemInfo(3, Squared())
    single, clock = sada.plan_first(info, SMALL), np.zeros(3, dtype=np.int64)
    assert (sada._unit(single, clock), sada.rows_of_outer(single)) == (4, 18)
    batched = sada.plan_first(info, replace(SMALL, batch=5))
    assert (sada._unit(batched, clock), sada.rows_of_outer(batched)) == (5, 90)
    assert sada._reads_label(batched, clock, 0, 7) is None
    mixed = sada._ud_printed(info, SadaUDParams(SMALL, 3, 7))
    assert sada.rows_of_outer(mixed) == 18 + 21
    assert [sada._unit(mixed, np.array([0, 0, t])) for t in (0, 6, 7, 17)] == [4, 4, 1, 1]
    read = sada._reads_label(mixed, clock, 0, 45)
    assert read is not None
    assert np.flatnonzero(read).tolist() == [*range(0, 28, 4), *range(28, 40), 43]
    later = sada._reads_label(mixed, np.array([0, 0, 2]), 1, 8)
    assert later is not None
    assert np.flatnonzero(later).tolist() == [3, 7]
    past = sada._reads_label(mixed, np.array([0, 0, 8]), 0, 12)
    assert past is not None
    assert np.flatnonzero(past).tolist() == [*range(11)]
    throughout = SadaUDParams(SMALL, 3, 7)
    assert sada._horizon_ud(throughout, throughout=False) == 3 * (18 + 21)
    assert sada._horizon_ud(throughout, throughout=True) == 3 * (18 + 54)
    assert sada._horizon_ud(SadaUDParams(SMALL, 3, 99), throughout=False) == 3 * (18 + 54)


def test_suspects_have_the_limits_of_the_theory() -> None:
    info = information(3, Squared(2.0))  # mu 0.5, r2 12, kappa~ 6
    found = {s.parameter: (s.value, s.limit) for s in sada.suspects_first(info, SMALL)}
    assert found["eta"] == (0.02, 1 / 192)
    assert found["gamma"] == (0.07, pytest.approx((0.02 / 3) ** 0.5 / 4))
    assert found["h"] == (0.9, 0.5)
    bare = {s.parameter: s.limit for s in sada.suspects_first(ProblemInfo(3, Squared()), SMALL)}
    assert bare == {"eta": None, "gamma": None, "h": 1.0}
    half = {s.parameter: s.limit for s in sada.suspects_first(ProblemInfo(3, Squared(), mu=1.0), SMALL)}
    assert half["gamma"] is None
    late = sada._ud_suspects(info, SadaUDParams(SMALL, 3, 7), throughout=False)
    assert [(s.parameter, s.limit) for s in late] == [("eta", 1 / 192)]
    assert len(sada._ud_suspects(info, SadaUDParams(SMALL, 3, 18), throughout=False)) == 3
    assert len(sada._ud_suspects(info, SadaUDParams(SMALL, 3, 7), throughout=True)) == 3
    (plain,) = rivals._suspects("eta")(info, SgdParams(0.1, 5))
    assert plain.limit == 1 / 24
    (slow,) = rivals._suspects("D", 0.2, "1/(5 L_l R^2)")(info, CASES["asgd"][1])
    assert slow.limit == pytest.approx(1 / 120)


def test_the_suspect_furthest_beyond_its_limit_is_named() -> None:
    near, far = Suspect("eta", 2.0, 1.0, "rule"), Suspect("gamma", 30.0, 10.0, "law")
    error = diverged("m", 7, (near, far))
    assert (error.parameter, error.value, error.samples) == ("gamma", 30.0, 7)
    assert "gamma = 30 exceeds law = 10; lower gamma" in str(error)
    assert "within 7 samples" in str(error)
    tie = diverged("m", 7, (Suspect("eta", 1.0 + 1e-13, 1.0, "rule"), replace(far, value=10.0)))
    assert "no step size exceeds its limit (eta = 1, rule 1)" in str(tie)
    unknown = diverged("m", 7, (Suspect("eta", 2.0, None, "rule"), Suspect("h", 0.5, 1.0, "law")))
    assert "first suspect eta = 2 (rule is unknown); lower eta" in str(unknown)


def test_starts_rows_and_labels_are_checked() -> None:
    info = ProblemInfo(2, Squared())
    start = starting_point(info, None)
    assert start.tolist() == [0.0, 0.0]
    assert not start.flags.writeable
    given = np.ones(2)
    kept = starting_point(info, given)
    given[0] = 7.0
    assert kept.tolist() == [1.0, 1.0]
    with pytest.raises(DataError, match=r"row 12, column 1 is inf \(2 rows of this block are not finite\)"):
        refuse_non_finite_rows(np.array([[0.0, 0.0], [1.0, 1.0], [0.0, np.inf], [np.nan, np.nan]]), 10)
    assert labels_checked_late(Squared())
    assert not labels_checked_late(Logistic(0.1))
    assert not labels_checked_late(Poisson(1.0))
    assert not labels_checked_late(user_squared())
    assert [padded(d) for d in (1, 8, 9, 16)] == [8, 8, 16, 16]
    for n in (1, 8, 24):
        zeros = aligned_zeros(n)
        assert zeros.shape == (n,)
        assert zeros.ctypes.data % 64 == 0
        assert not zeros.any()


def test_anchors_grow_and_the_drawn_iterate_is_uniform() -> None:
    assert [anchor_size(5, 1.5, s) for s in range(4)] == [5, 8, 12, 17]
    assert anchor_size(5, 10.0, 100) == 2**62
    drawn = [drawn_iterate(3, stage, 4) for stage in range(400)]
    assert set(drawn) == {1, 2, 3, 4}
    assert drawn[:5] == [drawn_iterate(3, stage, 4) for stage in range(5)]


def test_an_iterate_beyond_the_limit_has_diverged_and_one_below_it_has_not() -> None:
    info, params = ProblemInfo(1, Squared()), SgdParams(1.0, 4)
    near = METHODS["sgd"].init(info, [1e99], params)
    assert np.isfinite(estimate(step(near, [[0.0]], [0.0]))[0])
    far = METHODS["sgd"].init(info, [1e100], params)
    with pytest.raises(OptimizerError, match="the iterate left every range within 1 samples"):
        step(far, [[0.0]], [0.0])


def test_goals_plans_and_counts_of_a_run() -> None:
    stream = ArrayStream(A, B)
    assert (_planned(stream, None), _planned(stream, 2)) == (3, 2)
    assert (_goal(3, None, stream), _goal(None, 2, stream), _goal(None, None, stream)) == (3, 2, 3)
    with pytest.raises(StreamError, match="the stream has 3 samples, the method is planned for 4"):
        _goal(4, None, stream)
    assert _counts((3, 0, 3, 1), 3) == (0, 1, 3)
    assert _counts((), 3) == ()
    for wrong in ((-1,), (4,), (0, 4)):
        with pytest.raises(ParameterError, match="are not within 0 … 3 samples"):
            _counts(wrong, 3)
    for block in (0, True, 1.5):
        with pytest.raises(ParameterError, match=r"block = .* must be an integer >= 1"):
            run("sgd", stream, info=ProblemInfo(2, Squared()), params=SgdParams(0.1, 3), block=block)  # type: ignore[arg-type]
    done = run("sgd", stream, info=ProblemInfo(2, Squared()), params=SgdParams(0.1, 3), block=1)
    assert (done.seen, done.labelled, done.unlabelled, done.complete, done.counts.tolist()) == (3, 3, 0, True, [])
    assert done.iterates.shape == (0, 2)
