"""Parameters at the ends of their ranges, and every preset with its numbers recomputed by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from numerics.errors import ParameterError
from numerics.losses import Logistic, Squared
from numerics.optimizers import (
    AsgdParams,
    DoublingParams,
    ErmParams,
    InnerSteps,
    Params,
    ProblemInfo,
    RootParams,
    SadaParams,
    SadaUDParams,
    SadaWCParams,
    SgdParams,
    StepDecayParams,
    SvrgParams,
    preset,
)
from numerics.optimizers.presets import inner_length, sada_from, sada_practical, sada_ud, sada_wc, svrg_theory
from numerics.parameters import as_printed_appendix, repaired

INFO = ProblemInfo(4, Logistic(0.05), mu=0.1, lambda_max=2.0, r2=10.0, kappa_tilde=6.0)  # L = 0.3, alpha = 6
SMOOTH = 0.3 * 10.0
CURVED = 0.05 * 0.1
SADA = SadaParams(0.1, 0.2, 0.1, 10, (0.5,), (0.1,))

GOOD: dict[str, tuple[Params, dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]]]] = {
    # one good value of every class; for every field values at the end of the range, and values just beyond it
    "sada": (
        SADA,
        {
            "eta": ((5e-324, 7), (0, -0.1, math.inf, math.nan, "1", True, None)),
            "gamma": ((1e-300, 1e6), (0, math.inf)),
            "theta": ((1e-9, 1), (0, 1.0000001)),
            "T": ((2, 3), (1, 0, 2.0, True, "4")),
            "runs": ((1, 5), (0, 6, 3)),
            "batch": ((1, 9), (0, 1.5)),
            "workers": ((1, 2), (0, False)),
            "h": (((1e-9,), [7]), ((), (0.0,), (-1.0,), (math.inf,), (math.nan,), (0.5, 0.5))),
            "beta": (((0.0,), (1.0,)), ((-0.001,), (1.001,), (math.nan,), ())),
        },
    ),
    "sada-wc": (
        SadaWCParams(SADA, 0.1, 1.0, 1.0),
        {
            "epsilon": ((1e-9,), (0, math.inf)),
            "D": ((1e-9, math.inf), (0, -1, "1", math.nan)),
            "M": ((1e-9, math.inf), (0, -1, None)),
        },
    ),
    "inner": (
        InnerSteps(0.1, 0.2, 0.3),
        {"eta": ((1e-9,), (0,)), "gamma": ((1e-9,), (0,)), "theta": ((1, 1e-9), (0, 1.1))},
    ),
    "sada-ud": (SadaUDParams(SADA, 1, 1), {"m": ((0,), (-1,)), "T0": ((0, 99), (-1, 0.5))}),
    "sgd": (SgdParams(0.1, 5), {"eta": ((1e-9,), (0,)), "n": ((1,), (0, True))}),
    "decay": (StepDecayParams(0.1, 5, 2), {"eta": ((1e-9,), (0,)), "n": ((1,), (0,)), "phases": ((1,), (0,))}),
    "asgd": (
        AsgdParams(0.5, 0.5, 0.5, 0.5, 5),
        {
            "A": ((1, 1e-9), (0, 1.1)),
            "B": ((1, 1e-9), (0, 1.1)),
            "G": ((1e-9, 9), (0,)),
            "D": ((1e-9, 9), (0,)),
            "n": ((1,), (0,)),
        },
    ),
    "svrg": (
        SvrgParams(0.1, 2, 2, 2.0, 5),
        {
            "step": ((1e-9,), (0,)),
            "growth": ((1, 3.5), (0.999, math.inf, math.nan)),
            "m": ((1,), (0,)),
            "k0": ((1,), (0,)),
            "n": ((1,), (0,)),
            "seed": ((0,), (-1,)),
        },
    ),
    "root": (RootParams(0.1, 2, 5), {"eta": ((1e-9,), (0,)), "burn_in": ((1,), (0,)), "n": ((1,), (0,))}),
    "erm": (
        ErmParams(5),
        {"n": ((1,), (0,)), "tolerance": ((1, 1e-300), (0, 1.1)), "solver": (("lbfgs",), ("gd", None))},
    ),
    "doubling": (DoublingParams("sada", 2), {"first": ((2,), (1, 0, 2.5))}),
}
CHOICES = [(kind, name) for kind, (_, table) in GOOD.items() for name in table]


@pytest.mark.parametrize(("kind", "name"), CHOICES)
def test_the_ends_of_every_range_are_taken_and_what_lies_beyond_is_refused(kind: str, name: str) -> None:
    good, table = GOOD[kind]
    inside, outside = table[name]
    for value in inside:
        kept = getattr(replace(good, **{name: value}), name)
        assert kept == (tuple(value) if isinstance(value, list) else value)
    for value in outside:
        with pytest.raises(ParameterError, match=f"{type(good).__name__}: "):
            replace(good, **{name: value})


def test_numbers_are_stored_as_floats_and_counts_as_integers() -> None:
    params = SadaParams(1, 2, 1, 10, (1,), (0,))  # type: ignore[arg-type]
    assert [type(v) for v in (params.eta, params.gamma, params.theta, params.h[0], params.beta[0])] == [float] * 5
    assert type(SadaWCParams(SADA, 1, 2, 3).D) is float
    assert (params.K, params.horizon) == (1, 10)
    assert SadaParams(0.1, 0.1, 0.1, 6, (1.0, 1.0), (0.0, 0.0), batch=3).horizon == 36
    with pytest.raises(ParameterError, match=r"growth = 0\.5 must be a number at least 1, and finite"):
        SvrgParams(0.1, 2, 2, 0.5, 5)
    with pytest.raises(ParameterError, match=r"theta = 2 must be a number above 0, at most 1, and finite"):
        InnerSteps(0.1, 0.1, 2)
    for change in ({"runs": 2}, {"batch": 2}):
        with pytest.raises(ParameterError, match="SADA-UD takes one labelled sample at a time"):
            SadaUDParams(replace(SADA, **change), 1, 1)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"T = 10 cannot be cut into runs = 10"):
        replace(SADA, runs=10)


def test_simple_presets_by_hand() -> None:
    assert preset("sgd", "theory", INFO, 100) == SgdParams(1 / (2 * SMOOTH), 100)
    assert preset("sgd-decay", "theory", INFO, 100) == StepDecayParams(1 / SMOOTH, 100, 7)
    assert preset("sgd-decay", "theory", INFO, 2).phases == 1  # type: ignore[attr-defined]
    assert preset("erm", "practical", INFO, 100) == ErmParams(100, "newton")
    assert preset("erm", "practical", replace(INFO, dim=2000), 100) == ErmParams(100, "newton")
    assert preset("erm", "practical", replace(INFO, dim=2001), 100) == ErmParams(100, "lbfgs")
    k = math.sqrt(SMOOTH / CURVED * 6 * 6)
    root = 3 * math.sqrt(5)
    asgd = preset("asgd", "practical", INFO, 100)
    assert isinstance(asgd, AsgdParams)
    assert (asgd.A, asgd.B, asgd.G, asgd.D, asgd.n) == pytest.approx(
        (root * k / (1 + root * k), 1 / (9 * k), 1 / (root * CURVED * k), 1 / (5 * SMOOTH), 100)
    )


def test_streaming_svrg_by_hand() -> None:
    kappa = SMOOTH / CURVED  # 600
    theory = svrg_theory(INFO, 1000)
    assert theory.step == pytest.approx(1 / (540 * SMOOTH))
    assert theory.m == pytest.approx(540**2 * kappa, abs=1)
    assert theory.k0 == pytest.approx(400 * kappa**2 * 3.0**7, rel=1e-9)
    assert (theory.growth, theory.n) == (3.0, 1000)
    other = svrg_theory(INFO, 1000, b=2.0, p=1)
    assert other.step == pytest.approx(1 / (80 * SMOOTH))
    assert other.k0 == pytest.approx(400 * kappa**2 * 2.0**5, rel=1e-9)
    long = preset("streaming-svrg", "practical", INFO, 10**6)
    assert isinstance(long, SvrgParams)
    assert long.step == pytest.approx(1 / (4 * SMOOTH))
    assert (long.m, long.k0) == (pytest.approx(2400, abs=1), pytest.approx(600, abs=1))
    assert long.growth == 2.0
    short = preset("streaming-svrg", "practical", INFO, 60)
    assert (short.m, short.k0) == (10, 10)  # type: ignore[attr-defined]
    assert preset("streaming-svrg", "practical", INFO, 3).m == 1  # type: ignore[attr-defined]


def test_root_sgd_by_hand() -> None:
    theory = preset("root-sgd", "theory", INFO, 1000)
    assert isinstance(theory, RootParams)
    assert theory.eta == pytest.approx(1 / (4 * SMOOTH))
    assert theory.burn_in == pytest.approx(24 * 4 * 600, abs=1)
    assert preset("root-sgd", "practical", INFO, 1000).burn_in == 100  # type: ignore[attr-defined]
    assert preset("root-sgd", "practical", INFO, 10**6).burn_in == pytest.approx(4800, abs=1)  # type: ignore[attr-defined]
    assert preset("root-sgd", "practical", INFO, 9).burn_in == 1  # type: ignore[attr-defined]


def test_practical_sada_by_hand() -> None:
    params = sada_practical(INFO, 100_000)
    eta = 1 / 50
    assert params.eta == pytest.approx(eta)
    assert params.gamma == pytest.approx(math.sqrt(eta / 0.6) / 3)
    assert params.theta == pytest.approx(math.sqrt(0.1 * eta / 6) / 3)
    assert math.ceil(2.5 * math.sqrt(6)) == params.K
    s = math.sqrt(1 / 3)
    assert params.beta[0] == pytest.approx((1 - s) / (1 + s))
    assert params.h == pytest.approx((1 / 0.3,) * 7)
    assert params.T == 100_000 // 7 // 2 * 2
    assert math.floor(2 * params.theta * 500) == sada_practical(INFO, 500).K == 6
    assert sada_practical(INFO, 10).K == 1
    almost = ProblemInfo(4, Squared(2.0), mu=0.1, lambda_max=2.0, r2=10.0, kappa_tilde=6.0)
    assert sada_practical(almost, 11, runs=2, workers=3) == SadaParams(
        eta, params.gamma, params.theta, 8, (0.5,), (0.0,), 2, 1, 3
    )
    batch = sada_practical(almost, 99, batch=4)
    assert batch.eta == pytest.approx(1 / (5 * 4.0))  # (10 + 3 * 2)/4
    assert batch.theta == pytest.approx(math.sqrt(0.1 * batch.eta / 2.25) / 3)  # (6 + 3)/4
    assert (batch.T, batch.batch) == (24, 4)


def test_a_loss_that_is_almost_quadratic_takes_one_round() -> None:
    for alpha, rounds in ((1.05, 1), (1.06, math.ceil(2.5 * math.sqrt(1.06)))):
        info = replace(INFO, loss=Logistic(0.25 / (alpha - 1)))
        assert rounds == sada_practical(info, 10**6).K


def test_the_inner_length_fills_whole_even_runs() -> None:
    assert [inner_length(n, 2) for n in (4, 5, 7, 8, 100)] == [2, 2, 2, 4, 50]
    assert inner_length(100, 3, 4) == 32
    for n, K, runs in ((3, 2, 1), (7, 1, 4), (1, 1, 1)):
        with pytest.raises(
            ParameterError, match=f"n = {n} samples cannot fill K = {K} outer iterations of {runs} runs"
        ):
            inner_length(n, K, runs)


def test_weakly_convex_sada_by_hand() -> None:
    params = sada_wc(INFO, 10_000, epsilon=0.08, D=2.0, M=4.0)
    L, mu_l = 0.3 + 0.005, 0.05 + 0.005
    ridge = 0.08 / (L * 4)
    eta = 1 / (5 * (10 + 2 * ridge))
    base, alpha = params.base, L / mu_l
    assert base.eta == pytest.approx(eta)
    assert base.theta == pytest.approx(math.sqrt((0.1 + ridge) * eta / 6) / 3)
    assert base.h[0] == pytest.approx(1 / L)
    s = math.sqrt(2 / alpha)
    assert base.beta[0] == pytest.approx((1 - s) / (1 + s))
    assert base.K == math.ceil(2.5 * math.sqrt(alpha)) == 6
    assert (params.epsilon, params.D, params.M, params.horizon) == (0.08, 2.0, 4.0, base.horizon)
    low = sada_wc(replace(INFO, kappa_tilde=0.5), 10_000, epsilon=0.08, D=2.0, M=4.0).base
    assert low.theta == pytest.approx(math.sqrt((0.1 + ridge) * eta / 2) / 3), "kappa~ is taken as 2 at least"
    few = sada_wc(INFO, 100, epsilon=0.08, D=2.0, M=4.0).base
    assert max(1, math.floor(2 * few.theta * 100)) == few.K
    assert sada_wc(INFO, 10, epsilon=0.08, D=2.0, M=4.0).base.K == 1


def test_sada_with_unlabelled_data_by_hand() -> None:
    params = sada_ud(INFO, 1000, m=3)
    r2, kappa = (10 + 3 * 2) / 4, (6 + 3) / 4
    eta = 1 / (16 * r2)
    base = params.base
    assert base.eta == pytest.approx(eta)
    assert base.gamma == pytest.approx(math.sqrt(eta / (kappa * 0.1)) / 4)
    assert base.theta == pytest.approx(math.sqrt(0.1 * eta / kappa) / 4)
    assert base.K == 7
    assert (params.m, params.T0, base.T) == (3, base.T, 142)
    assert sada_ud(INFO, 1000, m=3, T0=5).T0 == 5
    plain = sada_ud(ProblemInfo(4, Squared(), mu=0.1, lambda_max=2.0, r2=10.0, kappa_tilde=6.0), 100, m=0).base
    assert (plain.K, plain.h, plain.beta) == (3, (1.0,) * 3, (0.0,) * 3)


@pytest.mark.parametrize(("name", "rule"), [("theory", repaired), ("appendix", as_printed_appendix)])
def test_theory_takes_as_many_rounds_as_fit(name: str, rule: Any) -> None:
    constants = {"mu": 0.1, "r2": 10.0, "kappa_tilde": 6.0, "condition_number": 20.0}
    constants |= {"alpha": INFO.loss.alpha, "smoothness": INFO.loss.L}
    shortest = rule(rounds=1, **constants).horizon
    for n in (shortest, shortest + 1, 3_000_000):
        params = preset("sada", name, INFO, n)
        assert isinstance(params, SadaParams)
        assert params == sada_from(rule(rounds=params.K, **constants))
        assert params.horizon <= n < (params.K + 1) * rule(rounds=params.K + 1, **constants).horizon
    with pytest.raises(ParameterError, match=f"one inner loop needs T = {shortest}"):
        preset("sada", name, INFO, shortest - 1)


def test_presets_and_constants_refuse_by_name() -> None:
    for n in (1, 0, True, 2.0, "9"):
        with pytest.raises(ParameterError, match="is not a number of samples; give an integer >= 2"):
            preset("sgd", "theory", INFO, n)  # type: ignore[arg-type]
    assert preset("sgd", "theory", INFO, 2).n == 2  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match="no preset 'practical' for method 'adam'"):
        preset("adam", "practical", INFO, 10)
    for dim in (0, True, 1.0):
        with pytest.raises(ParameterError, match="is not a dimension"):
            replace(INFO, dim=dim)
    for name in ("mu", "lambda_max", "r2", "kappa_tilde"):
        with pytest.raises(ParameterError, match=rf"{name} = 0\.0 must be positive"):
            replace(INFO, **{name: 0.0})
        with pytest.raises(ParameterError, match=f"{name} is unknown: this preset needs"):
            replace(INFO, **{name: None}).need(name)
        assert INFO.need(name) == getattr(INFO, name)
