"""Bad input and divergence: what is wrong, where, what to do; and what was computed before is kept."""

from __future__ import annotations

import math

import numpy as np
import pytest

from numerics.errors import DataError, DivergenceError, HorizonError, OptimizerError, ParameterError, StreamError
from numerics.losses import Logistic, Squared
from numerics.optimizers import (
    METHODS,
    AsgdParams,
    DoublingParams,
    ErmParams,
    ProblemInfo,
    RootParams,
    SadaParams,
    SadaUDParams,
    SadaWCParams,
    SgdParams,
    SvrgParams,
    find,
    run,
    step,
)
from numerics.streams import ArrayStream, FreshStream

from .optimizers_support import CASES, SMALL, fed_in_pieces, horizon, information, rows

D = 4


def prepared(name: str, loss: Squared | Logistic) -> tuple:
    a, b = rows(loss, np.random.default_rng(1), horizon(name), D)
    method, params = CASES[name]
    return METHODS[method].init(information(D, loss), None, params), a, b


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("row", [0, 13, 37])
def test_a_bad_entry_of_the_data_is_found_by_row_and_column(name: str, bad: float, row: int) -> None:
    state, a, b = prepared(name, Squared())
    a[row, 2] = bad
    with pytest.raises(DataError, match=rf"row {row}, column 2 is {bad}"):
        step(state, a, b)


@pytest.mark.parametrize("name", ["sada", "sada in batches", "sada-ud-printed"])
@pytest.mark.parametrize("row", range(12))
def test_a_bad_entry_is_found_at_once_even_while_its_row_waits(name: str, row: int) -> None:
    state, a, b = prepared(name, Squared())
    a[row, 1] = math.nan
    state = fed_in_pieces(state, a[:row], b[:row], list(range(1, row)))
    with pytest.raises(DataError, match=rf"row {row}, column 1 is nan"):
        step(state, a[row : row + 1], b[row : row + 1])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("loss", "bad"), [(Squared(), math.nan), (Squared(), math.inf), (Logistic(0.1), 0.5)])
def test_a_bad_label_is_refused_with_its_value(name: str, loss: Squared | Logistic, bad: float) -> None:
    state, a, b = prepared(name, loss)
    b[0] = bad
    with pytest.raises(DataError, match=rf"label 0 is {bad:g}"):
        step(state, a, b)


def test_a_bad_label_is_refused_while_its_row_waits() -> None:
    state, a, b = prepared("sada", Squared())
    b[1] = math.nan
    with pytest.raises(DataError, match="label 1 is nan"):
        step(state, a[:3], b[:3])


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (np.zeros((5, 3)), np.zeros(5), "3 columns, the problem has dimension 4"),
        (np.zeros((5, 4)), np.zeros(6), r"data of shape \(5, 4\) and labels of shape \(6,\)"),
        (np.zeros(4), np.zeros(1), r"data of shape \(4,\)"),
        ([["x"] * 4], [1.0], "not an array of numbers"),
    ],
)
@pytest.mark.parametrize("name", ["sada", "erm", "doubling"])
def test_blocks_of_the_wrong_shape_are_refused(name: str, a: object, b: object, message: str) -> None:
    state, _, _ = prepared(name, Squared())
    with pytest.raises(DataError, match=message):
        step(state, a, b)  # type: ignore[arg-type]


def test_a_starting_point_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(DataError, match=r"x0 has shape \(3,\), the problem has dimension 4"):
        METHODS["sada"].init(information(D, Squared()), np.zeros(3), SMALL)
    with pytest.raises(DataError, match="x0: entry 1 is not finite"):
        METHODS["sada"].init(information(D, Squared()), [0, math.nan, 0, 0], SMALL)


@pytest.mark.parametrize("name", METHODS)
def test_parameters_of_another_method_are_refused(name: str) -> None:
    wrong = SgdParams(0.1, 10) if name != "sgd" else ErmParams(10)
    with pytest.raises(ParameterError, match=f"{name}: parameters are a"):
        METHODS[name].init(information(D, Squared()), None, wrong)


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ParameterError, match="no method 'adam'; there are: sada, "):
        find("adam")
    with pytest.raises(ParameterError, match="cannot double itself"):
        METHODS["doubling"].init(information(D, Squared()), None, DoublingParams("doubling", 10))


WILD = 60.0
DIVERGENT = {
    "sada": (SadaParams(WILD, 0.1, 0.1, 1000, (1.0,), (0.0,)), "eta", WILD),
    "sada-wc-printed": (SadaWCParams(SadaParams(WILD, 0.1, 0.1, 1000, (1.0,), (0.0,)), 1.0, 1.0, 1.0), "eta", WILD),
    "sada-ud-corrected": (SadaUDParams(SadaParams(WILD, 0.1, 0.1, 500, (1.0,), (0.0,)), 1, 0), "eta", WILD),
    "sgd": (SgdParams(WILD, 1000), "eta", WILD),
    "asgd": (AsgdParams(0.9, 0.1, 0.1, WILD, 1000), "D", WILD),
    "streaming-svrg": (SvrgParams(WILD, 900, 10, 2.0, 1000), "step", WILD),
    "root-sgd": (RootParams(WILD, 10, 1000), "eta", WILD),
}


@pytest.mark.parametrize("name", DIVERGENT)
def test_a_divergent_step_size_is_named_and_the_records_before_it_are_kept(name: str) -> None:
    params, parameter, value = DIVERGENT[name]
    a, b = rows(Squared(), np.random.default_rng(2), 1000, D)
    a *= 2.0
    with pytest.raises(DivergenceError, match=rf"{parameter} = {value:g} exceeds .* = .*; lower {parameter}") as caught:
        run(name, ArrayStream(a, b), info=information(D, Squared()), params=params, record=range(0, 1000, 5), block=50)
    error = caught.value
    assert (error.parameter, error.value) == (parameter, value)
    assert error.partial is not None
    assert not error.partial.complete
    assert 0 < len(error.partial.counts) < 200
    assert np.all(np.isfinite(error.partial.iterates))
    assert np.max(np.abs(error.partial.iterates)) < 1e101
    assert np.all(np.isfinite(error.partial.x))


def test_divergence_names_the_step_size_when_no_constant_is_known() -> None:
    a, b = rows(Squared(), np.random.default_rng(2), 1000, D)
    with pytest.raises(DivergenceError, match="first suspect eta = 60"):
        step(METHODS["sgd"].init(ProblemInfo(D, Squared()), None, SgdParams(WILD, 1000)), a * 2, b)


def test_divergence_within_the_limits_blames_the_constants() -> None:
    """The user says R^2 = 1e-6: no step size exceeds its limit, and yet the iterate explodes."""
    a, b = rows(Squared(), np.random.default_rng(2), 1000, D)
    info = ProblemInfo(D, Squared(), r2=1e-6)
    with pytest.raises(DivergenceError, match=r"no step size exceeds its limit .* raise R"):
        step(METHODS["sgd"].init(info, None, SgdParams(WILD, 1000)), a * 2, b)


def test_a_bad_row_in_mid_run_keeps_the_records_before_it() -> None:
    a, b = rows(Squared(), np.random.default_rng(3), 61, D)
    a[50, 0] = math.nan
    with pytest.raises(DataError, match="row 50, column 0 is nan") as caught:
        run("sgd", ArrayStream(a, b), info=information(D, Squared()), params=SgdParams(0.02, 61), record=(10, 20, 60))
    assert caught.value.partial.counts.tolist() == [10, 20]
    assert caught.value.partial.seen == 20


def test_a_stream_that_ends_early_keeps_the_records_before() -> None:
    class Short(FreshStream):
        def chunks(self, start, size):  # type: ignore[no-untyped-def]
            yield np.ones((30, D)), np.ones(30)

    class Sampler:
        dim = D

        def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
            return np.ones((n, D)), np.ones(n)

    with pytest.raises(StreamError, match="ended after 30 samples, sgd needs 61") as caught:
        run("sgd", Short(Sampler(), 0), info=information(D, Squared()), params=SgdParams(0.02, 61), record=(10, 60))
    assert caught.value.partial.counts.tolist() == [10]


def test_run_refuses_what_cannot_work_before_it_reads() -> None:
    a, b = rows(Squared(), np.random.default_rng(3), 50, D)
    stream, info = ArrayStream(a, b), information(D, Squared())
    with pytest.raises(StreamError, match="has 50 samples, the method is planned for 61"):
        run("sgd", stream, info=info, params=SgdParams(0.02, 61))
    with pytest.raises(DataError, match="the stream has dimension 4, the problem 5"):
        run("sgd", stream, info=ProblemInfo(5, Squared()), params=SgdParams(0.02, 50))
    with pytest.raises(ParameterError, match=r"counts from 5 to 70 are not within 0 … 50"):
        run("sgd", stream, info=info, params=SgdParams(0.02, 50), record=(5, 70))
    with pytest.raises(ParameterError, match="block = 0 must be an integer >= 1"):
        run("sgd", stream, info=info, params=SgdParams(0.02, 50), block=0)


def test_a_stream_without_end_needs_a_plan() -> None:
    class Sampler:
        dim = D

        def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
            return rng.standard_normal((n, D)), rng.standard_normal(n)

    with pytest.raises(ParameterError, match="no known length: give n"):
        run("sgd", FreshStream(Sampler(), 0), info=information(D, Squared()))


def test_every_error_is_an_optimizer_error_and_a_built_in_one() -> None:
    for kind, built_in in ((DataError, ValueError), (StreamError, ValueError), (HorizonError, ValueError)):
        assert issubclass(kind, OptimizerError)
        assert issubclass(kind, built_in)
    assert issubclass(DivergenceError, ArithmeticError)
