"""The theorem's bound from numbers set by hand; the plan, the problems and the lanes of a race at their edges."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from numerics.errors import DataError, ParameterError
from numerics.losses import Logistic, TwoCurvature
from numerics.optimizers import ProblemInfo, SadaParams
from numerics.race import Entrant, ProblemSpec, RacePlan, asymptotic_constant, expected_excess, geometric_sizes, race
from numerics.race import lanes as lanes_module
from numerics.race import run as run_module
from numerics.race.bounds import CONSTANTS, Bound, Choice, Setting, bound, most_rounds, proved_rule, setting_of
from numerics.race.lanes import Outcome, _measured, run_stream
from numerics.race.problems import table_problem
from numerics.race.run import RaceResult
from numerics.race.summary import exact_points, summarise
from numerics.race.theorem import distinct

SMALL = {"dim": 2, "kappa": 4}
SETTING = Setting(mu=0.25, r2=1.0, kappa_tilde=4.0, condition_number=8.0, alpha=2.0)
SPEC = ProblemSpec.of("least-squares", SMALL)


def test_eta_and_theta_of_a_setting_are_the_printed_ones() -> None:
    assert SETTING.eta == 1 / 16
    assert SETTING.theta == 1 / 64
    assert setting_of(SPEC.build()).alpha == 1.0


def test_the_first_term_of_a_reading_falls_with_half_the_rounds_or_grows_as_printed() -> None:
    choice = Choice(K=6, T=2, theta_max=0.5, l_eff=3.0)
    assert CONSTANTS["repaired"].start(choice, 1.0) == pytest.approx(5 / 3 * math.exp(-0.75))
    assert CONSTANTS["sharpened"].start(choice, 1.0) == pytest.approx((3 / 2 + 1 / 48) * (13 / 24) ** 3)
    printed = 6 / (8 * math.sqrt(6) + 24 * math.sqrt(2) * 2 * 3 / 2)
    assert CONSTANTS["printed"].start(choice, 2.0) == pytest.approx(5 / 3 * math.exp(printed))
    assert CONSTANTS["printed"].start(Choice(10**9, 10**9, 0.5, 1.0), 1.0) == 5 / 3 * math.exp(700)


def test_the_largest_outer_momentum_is_the_smaller_of_its_two_caps() -> None:
    l_eff = 160 * (6 * 2 * 4.0 + 4.0 * (7 + 16 / 16 * 2))
    short = proved_rule(SETTING, 2)
    assert short.l_eff == l_eff
    assert short.theta_max == short.T / (12 * math.sqrt(2) * 2 * l_eff) < math.sqrt(1 / 24)
    slow = proved_rule(replace(SETTING, mu=1e-8), 2)
    assert slow.theta_max == math.sqrt(1 / 24) < slow.T / (12 * math.sqrt(2) * 2 * slow.l_eff)


def test_the_shortest_inner_loop_must_exist() -> None:
    assert proved_rule(replace(SETTING, mu=1e-20), 2).T % 2 == 0
    with pytest.raises(ParameterError, match=r"no T below 2\^62 satisfies the theorem's rule"):
        proved_rule(replace(SETTING, mu=1e-40), 2)


def test_as_many_pairs_of_rounds_are_taken_as_the_samples_hold() -> None:
    def rule(_: Setting, K: int) -> Choice:
        return Choice(K, 10, 0.5, 1.0)

    for n, rounds in ((20, 2), (39, 2), (40, 4), (59, 4), (60, 6), (1000, 100)):
        chosen = most_rounds(SETTING, n, rule)
        assert not isinstance(chosen, str)
        assert rounds == chosen.K
    assert most_rounds(SETTING, 19, rule) == "two inner loops of this reading need 20 samples"


def test_a_bound_is_the_sum_of_its_three_terms_or_nothing() -> None:
    assert Bound("r", 1, 2, 2, 1.0, 2.0, 4.0).total == 7.0
    for parts in ((None, 2.0, 4.0), (1.0, None, 4.0), (1.0, 2.0, None)):
        assert Bound("r", 1, 2, 2, *parts).total is None
    missing = bound(SPEC.build(), 10, 0.5, "printed")
    assert (missing.K, missing.T, missing.optimization) == (0, 0, None)


def test_the_risk_of_the_empirical_minimiser_tends_to_half_the_trace() -> None:
    assert asymptotic_constant(SPEC.build()) == pytest.approx(0.5 * 2 * 0.1**2)  # Q = sigma^2 Sigma for least squares


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"entrants": ()}, r"entrants = \[\] must be non-empty"),
        ({"sizes": ()}, r"sizes = \[\] must be non-empty"),
        ({"seeds": ()}, r"seeds = \[\] must be non-empty"),
        ({"seeds": (1, 1)}, r"seeds = \[1, 1\] must be non-empty and without repetition"),
        ({"seeds": (1, -1)}, "seed -1 is negative"),
        ({"sizes": (4, 1)}, "sizes begin at 1"),
    ],
)
def test_a_plan_that_cannot_be_raced_is_refused(fields: dict[str, tuple[int, ...]], message: str) -> None:
    good = {"entrants": (Entrant("sgd"),), "sizes": (2,), "seeds": (0,)}
    RacePlan(SPEC, **good)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=message):
        RacePlan(SPEC, **{**good, **fields})  # type: ignore[arg-type]


def test_sizes_are_geometric_and_begin_at_two() -> None:
    assert geometric_sizes(2) == (2,)
    assert geometric_sizes(1000, 10, 1) == (10, 100, 1000)
    assert geometric_sizes(100, 1, 1) == (2, 10, 100)
    with pytest.raises(ParameterError, match="samples = 1: a race needs at least 2"):
        geometric_sizes(1)


def test_progress_is_the_share_of_samples_and_seeds() -> None:
    seen: list[float] = []
    race(RacePlan(SPEC, (Entrant("sgd"),), (10, 40), (3, 4)), progress=seen.append)
    assert seen == [0.5, 0.5, 1.0, 1.0]
    half = run_module._fraction(RacePlan(SPEC, (Entrant("sgd"),), (10, 40), (3, 4)), 1, seen.append)
    assert half is not None
    half(10)
    half(400)
    assert seen[-2:] == [0.625, 1.0]
    assert run_module._fraction(RacePlan(SPEC, (Entrant("sgd"),), (10, 40), (3, 4)), 1, None) is None


def test_a_stream_longer_than_a_block_gives_the_same_risks(monkeypatch: pytest.MonkeyPatch) -> None:
    entrants = [Entrant("sgd"), Entrant("sada"), Entrant("erm"), Entrant("doubling")]
    whole = run_stream(SPEC.build(), entrants, (30, 75), 5)
    seen: list[int] = []
    monkeypatch.setattr(lanes_module, "BLOCK", 16)
    parts = run_stream(SPEC.build(), entrants, (30, 75), 5, progress=seen.append)
    assert seen == [16, 32, 48, 64, 75]
    assert [(o.entrant, o.n, o.seed) for o in parts] == [(e.label, n, 5) for e in entrants for n in (30, 75)]
    for one, other in zip(whole, parts, strict=True):
        assert one.excess == pytest.approx(other.excess, rel=1e-9)
        assert one.used == other.used


def test_entrants_are_written_method_or_method_and_preset() -> None:
    assert Entrant.parse(" sada ") == Entrant("sada", "practical")
    assert Entrant.parse("doubling/theory").preset == "theory"
    assert Entrant.parse("sada/theory").label == "sada/theory"
    assert (Entrant("sada").label, Entrant.parse("doubling").label) == ("sada", "doubling")


def test_erm_refuses_more_numbers_than_it_may_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    info = ProblemInfo.of(SPEC.build())
    monkeypatch.setattr(lanes_module, "MOST_NUMBERS", 100)
    Entrant("erm").params(info, 50)
    with pytest.raises(ParameterError, match="erm: 51 rows of 2 numbers do not fit"):
        Entrant("erm").params(info, 51)
    assert Entrant("sgd").params(info, 51) is not None


def test_a_risk_that_is_not_finite_is_an_error_with_its_value() -> None:
    assert _measured("sgd", 9, 1, 8, 0.0) == Outcome("sgd", 9, 1, 8, 0.0, None)
    assert _measured("sgd", 9, 1, 8, math.inf).error == "sgd: the excess risk is inf after 8 samples"
    assert _measured("sgd", 9, 1, 8, math.nan).excess is None


def test_on_a_table_the_exact_engine_wants_one_round_one_run_and_h_one_over_l(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.savetxt(tmp_path / "t.csv", rng.standard_normal((30, 3)), delimiter=",", header="p,q,y", comments="")
    problem = table_problem(str(tmp_path / "t.csv"))
    good = SadaParams(0.05, 0.2, 0.1, 10, (1.0,), (0.0,))
    assert expected_excess(problem, good) is not None
    assert expected_excess(problem, replace(good, batch=2)) is not None
    assert expected_excess(problem, replace(good, h=(1.0, 1.0), beta=(0.0, 0.0))) is None
    assert expected_excess(problem, replace(good, h=(0.5,))) is None
    assert expected_excess(problem, replace(good, runs=2)) is None
    plan = RacePlan(ProblemSpec.of(str(tmp_path / "t.csv")), (Entrant("sada"),), (60, 600), tuple(range(60)))
    points = exact_points(problem, race(plan))
    assert [p.agrees for p in points] == [True, True]
    assert not any(replace(p, exact=2 * p.exact).agrees for p in points)


def test_ready_problems_are_what_their_options_say() -> None:
    logistic = ProblemSpec.of("logistic", {**SMALL, "alpha": 6}).build()
    assert isinstance(logistic.loss, Logistic)
    assert logistic.alpha == pytest.approx(6.0)
    curved = ProblemSpec.of("two-curvature", {**SMALL, "alpha": 4, "delta": 0.5}).build().loss
    assert isinstance(curved, TwoCurvature)
    assert (curved.L, curved.mu) == (1.0, 0.25)
    hot = ProblemSpec.of("one-hot", SMALL).build()
    assert np.diagonal(hot.design.sigma) == pytest.approx([0.2, 0.8])
    for name, share in (("least-squares", 1.0), ("one-hot", 1.0), ("heavy-tails", 1.0)):
        problem = ProblemSpec.of(name, SMALL).build()
        assert problem.x_star @ problem.design.sigma @ problem.x_star == pytest.approx(share)
        assert np.ptp(problem.x_star**2 * np.diagonal(problem.design.sigma)) < 1e-12
    flat = ProblemSpec.of("least-squares", {"dim": 1, "kappa": 50}).build()
    assert flat.design.sigma.tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("logistic", {"alpha": 1}, r"alpha = 1 \+ 1/\(4 mu\) exceeds 1; raise alpha"),
        ("least-squares", {"dim": True}, "dim = True must be an integer >= 1"),
        ("least-squares", {"dim": 0}, "dim = 0 must be an integer >= 1"),
        ("least-squares", {"noise": -1}, "noise = -1 must be a finite number > 0"),
        ("two-curvature", {"alpha": 0.5}, "alpha = 0.5 must be a finite number >= 1"),
        ("two-curvature", {"delta": math.inf}, "delta = inf must be a finite number > 0"),
        ("rows.csv", {"columns": "a"}, "option columns = 'a' is unknown; a table has label, loss, mu, raw"),
        ("rows.csv", {"label": 0.5}, "option label = 0.5 is unknown"),
        ("rows.txt", {}, "no problem 'rows.txt'"),
    ],
)
def test_options_out_of_range_are_refused_by_name(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ProblemSpec.of(name, options).build()
    assert dict(ProblemSpec.of("least-squares", {"kappa": 1, "dim": 1}).options)["kappa"] == 1.0


def test_a_table_may_be_raw_logistic_and_labelled_by_name(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("y,p,q\n3,1,0\n7,0,1\n7,1,1\n3,2,1\n")
    raw = table_problem(str(file), label="y", raw=True)
    assert raw.design.sigma.tolist() == [[1.5, 0.75], [0.75, 0.75]]
    scaled = table_problem(str(file), label="y", loss="logistic", mu=0.5)
    assert scaled.dim == 3
    assert np.diagonal(scaled.design.sigma) == pytest.approx([1.0, 1.0, 1.0])
    assert scaled.design.sigma[:2, 2] == pytest.approx([0.0, 0.0])
    assert scaled.loss.mu == 0.5
    with pytest.raises(ParameterError, match="loss = 'hinge' is unknown; choose squared or logistic"):
        table_problem(str(file), loss="hinge")
    assert ProblemSpec.of(str(file), {"label": "y", "raw": True}).label == f"{file} (label = y, raw = True)"
    file.write_text("p,q,y\n1,2,1\n2,4,0\n3,6,1\n")
    with pytest.raises(DataError, match="do not span"):
        table_problem(str(file), raw=True)


def test_a_summary_has_a_hundredth_of_the_start_as_its_target_and_exact_points_need_two_seeds() -> None:
    plan = RacePlan(SPEC, (Entrant("sada"), Entrant("erm")), (50, 100, 200, 400, 800), (0, 1, 2))
    result = race(plan)
    found = summarise(result)
    assert found.target == result.start / 100
    assert summarise(result, target=0.25).target == 0.25
    assert found.optimum == pytest.approx(0.01)
    assert [(b.reading, b.n) for b in found.bounds[:5]] == [("printed", n) for n in plan.sizes]
    assert next(row for row in found.rows if row.method == "erm").terms is None
    assert [p.n for p in found.exact] == list(plan.sizes)
    assert found.csv().splitlines()[0] == "method,samples,excess_risk,low,high"
    assert found.csv().splitlines()[1].startswith("sada,50,")
    lone = RaceResult(RacePlan(SPEC, plan.entrants, plan.sizes, (0,)), result.excess[:, :, :1], result.used, (), 1.0)
    assert exact_points(SPEC.build(), lone) == ()
    even = np.ones((2, 5, 2))
    two = RaceResult(RacePlan(SPEC, plan.entrants, plan.sizes, (0, 1)), even, result.used, (), 1.0)
    assert len(exact_points(SPEC.build(), two)) == 5


def test_readings_of_one_algorithm_have_one_curve_of_its_truth() -> None:
    """Drawn twice, the second covered the first."""
    curves = {"printed": [(1.0, 3.0)], "repaired": [(1.0, 2.0)], "sharpened": [(1.0, 2.0)], "none": []}
    assert distinct(curves) == {"printed": [(1.0, 3.0)], "repaired and sharpened": [(1.0, 2.0)]}
