"""The race: fair (one stream for all), reproducible, in agreement with the exact engine, honest about failures."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from numerics.errors import DataError, ParameterError
from numerics.optimizers import ProblemInfo, SgdParams, preset, run
from numerics.race import (
    CONSTANTS,
    READY,
    RIVALS,
    Entrant,
    ProblemSpec,
    RacePlan,
    RaceResult,
    bound,
    expected_excess,
    geometric_sizes,
    measure,
    race,
    risk_of,
    run_stream,
    statistical_trace,
    summarise,
    table_problem,
    theorem_params,
)
from numerics.race.bounds import most_rounds, proved_rule, setting_of
from numerics.race.lanes import Outcome
from numerics.race.summary import exact_points
from numerics.streams import FreshStream, Reader

ALL = tuple(Entrant(name) for name in (*RIVALS, "doubling"))
SMALL = {"dim": 4, "kappa": 10}


def plan(name: str = "least-squares", sizes: tuple[int, ...] = (64, 200, 640), seeds: int = 3, **o: float) -> RacePlan:
    return RacePlan(ProblemSpec.of(name, {**SMALL, **o}), ALL, sizes, tuple(range(seeds)))


@pytest.mark.parametrize("name", READY)
def test_every_method_runs_on_every_ready_problem_and_learns(name: str) -> None:
    result = race(plan(name, sizes=(64, 4000), seeds=2))
    assert result.errors == ()
    assert np.all(result.excess >= 0)
    assert np.all(result.excess[:, -1].mean(axis=1) < 0.2 * result.start)


def test_the_risk_of_the_race_is_the_risk_of_the_problem() -> None:
    for name in READY:
        problem = ProblemSpec.of(name, SMALL).build()
        x = problem.x_star + 0.1
        assert risk_of(problem)(x) == pytest.approx(problem.F(x) - problem.F(problem.x_star), rel=1e-3)


def test_a_lane_ends_where_the_method_alone_ends() -> None:
    """Bit for bit: the same stream through `run`, one method and one size at a time."""
    chosen = plan()
    problem = chosen.problem.build()
    result, risk, info = race(chosen), risk_of(problem), ProblemInfo.of(problem)
    for entrant in ALL:
        for i, n in enumerate(chosen.sizes):
            alone = run(entrant.method, FreshStream(problem, 2), info=info, n=n, params=entrant.params(info, n))
            if entrant.method == "erm":
                assert result.curve(entrant.label)[i, 2] == pytest.approx(risk(alone.x), rel=1e-9)
            else:
                assert result.curve(entrant.label)[i, 2] == risk(alone.x)


def test_nobody_sees_more_samples_than_the_size_says() -> None:
    result = race(plan())
    sizes = np.array(result.plan.sizes)[None, :, None]
    assert np.all(result.used <= sizes)
    assert np.all(result.used > 0.9 * sizes - 8)


def test_the_result_depends_on_the_seed_alone() -> None:
    once, again, parallel = race(plan()), race(plan()), race(plan(), jobs=2)
    assert once.excess.tobytes() == again.excess.tobytes() == parallel.excess.tobytes()
    fewer = race(replace(plan(), entrants=ALL[2:4], sizes=(200,), seeds=(2,)))
    assert fewer.excess[:, 0, 0].tolist() == once.excess[2:4, 1, 2].tolist()
    assert race(replace(plan(), seeds=(0, 1, 3))).excess[0, 0, 2] != once.excess[0, 0, 2]


def test_erm_is_least_squares_on_the_rows_so_far() -> None:
    chosen = plan()
    problem = chosen.problem.build()
    a, b = Reader(FreshStream(problem, 1)).take(200)
    gap = np.linalg.lstsq(a, b, rcond=None)[0] - problem.x_star
    assert race(chosen).curve("erm")[1, 1] == pytest.approx(0.5 * gap @ problem.design.sigma @ gap, rel=1e-8)


@pytest.mark.parametrize("name", ["least-squares", "heavy-tails", "one-hot"])
def test_monte_carlo_agrees_with_the_exact_engine(name: str) -> None:
    chosen = RacePlan(ProblemSpec.of(name, SMALL), (Entrant("sada"),), (50, 400, 3000), tuple(range(200)))
    result = race(chosen)
    problem = chosen.problem.build()
    points = exact_points(problem, result)
    assert [p.n for p in points] == [50, 400, 3000]
    assert all(p.agrees for p in points)
    for factor in (0.5, 2.0):
        wrong = [replace(p, exact=factor * p.exact) for p in points]
        assert not any(p.agrees for p in wrong), "the intervals are narrow enough to tell a factor of two"


def test_the_exact_engine_declines_what_it_does_not_cover() -> None:
    for name in ("misspecified", "logistic", "two-curvature"):
        problem = ProblemSpec.of(name, SMALL).build()
        assert expected_excess(problem, preset("sada", "practical", ProblemInfo.of(problem), 500)) is None  # type: ignore[arg-type]


def test_momentum_takes_the_root_of_the_condition_number() -> None:
    found = measure([Entrant("sada"), Entrant("asgd"), Entrant("sgd")], kappas=(1e1, 1e2, 1e3, 1e4), seeds=range(4))
    exponents = {n.entrant: n.exponent for n in found.needed}
    for name in ("sada", "asgd"):
        assert exponents[name].value == pytest.approx(0.5, abs=0.07)  # type: ignore[union-attr]
    assert exponents["sgd"].value == pytest.approx(1.0, abs=0.07)  # type: ignore[union-attr]
    assert found.exact_exponent == pytest.approx(0.5, abs=0.07)
    for measured, exact in zip(found.needed[0].samples, found.exact, strict=True):
        assert measured.value == pytest.approx(exact, rel=0.15)  # type: ignore[union-attr]


def test_divergence_is_recorded_with_its_parameter_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Entrant.params

    def wild(self: Entrant, info: ProblemInfo, n: int) -> object:
        return SgdParams(1e3, n) if self.method == "sgd" else honest(self, info, n)

    calm = race(plan())
    monkeypatch.setattr(Entrant, "params", wild)
    result = race(plan())
    assert {o.entrant for o in result.errors} == {"sgd"}
    assert all("eta = 1000 exceeds" in str(o.error) for o in result.errors)
    assert result.curve("sada").tobytes() == calm.curve("sada").tobytes()
    found = summarise(result)
    row = next(r for r in found.rows if r.method == "sgd")
    assert (row.final, row.slope, row.reached, row.terms) == (None, None, None, None)
    assert row.failures == 9
    assert "nan" not in str(found.record()).lower()


def test_a_preset_that_needs_more_samples_says_so() -> None:
    outcomes = run_stream(ProblemSpec.of("least-squares").build(), [Entrant("sada", "theory")], [500], 0)
    assert outcomes[0].excess is None
    assert "too few for the theory's constants" in str(outcomes[0].error)


def test_one_failed_seed_leaves_no_mean() -> None:
    result = race(plan())
    excess = result.excess.copy()
    excess[0, 1, 2] = math.nan
    failed = RaceResult(result.plan, excess, result.used, (Outcome("sada", 200, 2, 9, None, "why"),), result.start)
    curve = summarise(failed).curves["sada"]
    assert [p is None for p in curve] == [False, True, False]


def test_the_printed_bound_is_the_printed_formula() -> None:
    """By hand for one problem: K, T and L_eff from the appendix's rule, the rest as printed."""
    problem = ProblemSpec.of("least-squares", SMALL).build()
    b = bound(problem, 10**6, 0.5, "printed")
    eta, kt = 1 / (16 * problem.design.r2), problem.design.kappa_tilde
    l_eff = 160 * (6 * kt + kt * (7 + 16 * eta * problem.design.r2))
    assert b.optimization == pytest.approx(5 / 3 * 0.5 * math.exp(b.K / (8 * 3**0.5 + 24 * 2**0.5 * l_eff / b.T)))
    assert b.statistical == pytest.approx(46080 * 4 * 0.01 / (b.K * b.T))
    assert b.misspecification == pytest.approx(122880 * eta * kt * 0.01 * np.trace(problem.design.sigma) / (b.K * b.T))
    assert statistical_trace(problem) == pytest.approx(4 * 0.01)


def test_the_repaired_bound_falls_where_the_printed_one_grows() -> None:
    problem = ProblemSpec.of("least-squares", SMALL).build()
    terms = {r: [bound(problem, n, 0.5, r).optimization for n in (10**6, 10**8)] for r in CONSTANTS}
    assert terms["repaired"][1] < terms["repaired"][0] < terms["printed"][0] < terms["printed"][1]  # type: ignore[operator]
    totals = {r: bound(problem, 10**8, 0.5, r).total for r in CONSTANTS}
    assert 2 * totals["sharpened"] < totals["repaired"] < totals["printed"]  # type: ignore[operator]
    assert bound(problem, 10, 0.5, "repaired").total is None
    assert "two inner loops of this reading need" in str(bound(problem, 10, 0.5, "repaired").why)
    with pytest.raises(ParameterError, match="there are printed, repaired, sharpened"):
        bound(problem, 10, 0.5, "proved")


def test_the_shortest_inner_loop_satisfies_the_rule_and_a_shorter_one_does_not() -> None:
    s = setting_of(ProblemSpec.of("least-squares", SMALL).build())
    for K in (2, 10, 1000):
        chosen = proved_rule(s, K)
        assert chosen.T % 2 == 0
        holds = []
        for T in (chosen.T, chosen.T - 2):
            last = 4 / (4 / min((1 / 12) ** 0.5, T / (12 * 2**0.5 * chosen.l_eff)) + K / 2)
            holds.append(6 * s.condition_number * math.exp(-s.theta * T / 2) <= last**2)
        assert holds == [True, False]


def test_no_measured_risk_exceeds_the_sharpened_bound() -> None:
    """SADA with the hyperparameters of the theorem, where the bound says something at all."""
    problem = ProblemSpec.of("least-squares", {"dim": 1, "kappa": 1, "noise": 0.5}).build()
    n, start = 2_000_000, risk_of(problem)(np.zeros(1))
    chosen = most_rounds(setting_of(problem), n, proved_rule)
    assert not isinstance(chosen, str)
    total = bound(problem, n, start, "sharpened").total
    for seed in range(3):
        done = run(
            "sada", FreshStream(problem, seed), info=ProblemInfo.of(problem), params=theorem_params(problem, chosen)
        )
        assert risk_of(problem)(done.x) < total < start  # type: ignore[operator]


PROVED = {"name": "two-curvature", "options": {"dim": 3, "kappa": 5, "alpha": 3, "noise": 0.7}}


def names_of_the_theorem(K: int) -> dict[str, object]:
    """What the letters of the proved theorem stand for in the race, with a chosen K."""
    problem = ProblemSpec.of(**PROVED).build()  # type: ignore[arg-type]
    s = setting_of(problem)
    chosen = proved_rule(s, K)
    steps = theorem_params(problem, chosen)
    th = np.sqrt(np.array(steps.h) * problem.loss.L / (2 * s.alpha))
    return {
        "problem": problem, "chosen": chosen, "m": K // 2, "n": chosen.T // 2, "Ll": problem.loss.L, "Q": problem.Q,
        "mu": s.mu, "R2": s.r2, "kt": s.kappa_tilde, "kS": s.condition_number, "alpha": s.alpha,
        "Sigma": problem.design.sigma, "L": s.alpha * s.kappa_tilde, "B": s.alpha * s.r2,
        "step": steps.eta, "theta": steps.theta, "gam": steps.gamma,
        "top": chosen.theta_max, "b": 4 / chosen.theta_max, "th": [chosen.theta_max, *th], "beta": [0.0, *steps.beta],
        "exp": math.exp, "tr": np.trace, "inv": np.linalg.inv, "o": 0, "x0": 1, "F": lambda x: 0.5 * x,
    }  # fmt: skip


def holds(text: str, names: dict[str, object]) -> bool:
    """A hypothesis on numbers, with equalities up to rounding."""
    quantified = re.fullmatch(r"forall\(k, (.+?), (.+?), (.+)\)", text)
    if quantified:
        low, high, inner = quantified.groups()
        return all(holds(inner, {**names, "k": k}) for k in range(eval(low, names), eval(high, names) + 1))
    left, relation, right = re.split(r" (==|<=|>=|>) ", text)
    if relation == "==":
        return bool(eval(left, names) == pytest.approx(eval(right, names), rel=1e-12))
    return bool(eval(text, names))


@pytest.mark.parametrize("K", [2, 8, 3000])
def test_the_race_meets_every_hypothesis_that_the_proved_theorem_states(K: int) -> None:
    from theory.papers.sada.outer_loop._end_to_end import WHOLE

    numbers = [one for one in WHOLE if not re.search(r"<<|moment|grad|sample\(S\)|E\(w", one)]
    assert len(numbers) == len(WHOLE) - 10, "the others are about Sigma, its moments and the loss"
    names = names_of_the_theorem(K)
    assert [one for one in numbers if not holds(one, names)] == []
    half = names | {"n": names["n"] // 2, "beta": [0.0] * (K + 1)}  # type: ignore[operator]
    assert sum(not holds(one, half) for one in numbers) >= 2, "a shorter loop and another momentum are seen"


@pytest.mark.parametrize("K", [2, 8, 3000])
def test_the_bounds_are_those_that_theory_proves(K: int) -> None:
    """The right sides as the statements have them, at the numbers of one problem."""
    from theory.papers.sada.outer_loop import _end_to_end as proved

    printed = f"{proved.EXPONENTIAL}*(F(x0) - F(o)) + {proved.noise_terms(*proved.PRINTED_CONSTANTS)}"
    names = names_of_the_theorem(K)
    problem, n = names["problem"], K * names["chosen"].T  # type: ignore[attr-defined]
    for reading, text in (("repaired", printed), ("sharpened", proved.bound(proved.OURS))):
        found = bound(problem, n, 0.5, reading)  # type: ignore[arg-type]
        assert (found.K, found.T) == (K, names["chosen"].T)  # type: ignore[attr-defined]
        assert found.total == pytest.approx(eval(text, names), rel=1e-13)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("least-square", {}, "no problem 'least-square'; there are least-squares"),
        ("least-squares", {"alpha": 2}, "has no option 'alpha'; it has kappa, dim, noise"),
        ("least-squares", {"kappa": 0.5}, "kappa = 0.5 must be a finite number >= 1"),
        ("least-squares", {"kappa": math.nan}, "kappa = nan"),
        ("least-squares", {"dim": 2.5}, "dim = 2.5 must be an integer >= 1"),
        ("least-squares", {"noise": 0}, "noise = 0 must be a finite number > 0"),
        ("heavy-tails", {"nu": 4}, "nu = 4 must be a finite number > 4"),
    ],
)
def test_a_wrong_problem_is_refused_by_name(name: str, options: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ProblemSpec.of(name, options)


def test_wrong_plans_are_refused() -> None:
    with pytest.raises(ParameterError, match="no method 'sagd' to race"):
        Entrant.parse("sagd")
    with pytest.raises(ParameterError, match="sada: has no preset 'best'; it has practical"):
        Entrant.parse("sada/best")
    with pytest.raises(ParameterError, match="sizes begin at 1"):
        plan(sizes=(1, 5))
    with pytest.raises(ParameterError, match="without repetition"):
        plan(sizes=(5, 5))
    assert geometric_sizes(10**6) == (100, 316, 1000, 3162, 10000, 31623, 100000, 316228, 10**6)
    assert geometric_sizes(50) == (50,)


def test_a_table_is_a_population_of_its_rows(tmp_path) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    a = rng.standard_normal((60, 3)) * [1, 10, 0.1] + 5
    b = a @ [1.0, -0.2, 3.0] + 0.3 * rng.standard_normal(60)
    file = tmp_path / "t.csv"
    file.write_text("p,q,r,y\n" + "\n".join(",".join(map(repr, map(float, row))) for row in np.column_stack([a, b])))
    problem = table_problem(str(file))
    fitted = np.linalg.lstsq(np.column_stack([a, np.ones(60)]), b, rcond=None)[0]
    assert problem.x_star[:3] / a.std(axis=0) == pytest.approx(fitted[:3], rel=1e-6)
    result = race(RacePlan(ProblemSpec.of(str(file)), ALL, (4000,), (0,)))
    assert np.all(result.excess < 0.2 * result.start)
    with pytest.raises(DataError, match="'z' is not in the table"):
        table_problem(str(file), label="z")
    with pytest.raises(DataError, match="the label has 60 values, logistic loss needs two"):
        table_problem(str(file), loss="logistic")
    with pytest.raises(DataError, match="no such file"):
        table_problem(str(tmp_path / "none.csv"))
    file.write_text("p,y\n1,2\n1,3\n")
    with pytest.raises(DataError, match="column 'p' is constant"):
        table_problem(str(file))
