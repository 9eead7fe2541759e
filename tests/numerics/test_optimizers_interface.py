"""The interface: pure steps, cuts that change nothing, samples that are counted and used once, records on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.losses import Logistic, Squared
from numerics.optimizers import METHODS, PRESETS, SadaParams, SadaUDParams, estimate, find, run, step
from numerics.streams import ArrayStream, Stream
from numerics.streams.base import Block

from .optimizers_support import CASES, Source, fed_in_pieces, horizon, information, reference, rows

D = 5


def prepared(name: str, seed: int = 1) -> tuple:
    rng, loss = np.random.default_rng(seed), Logistic(0.1)
    a, b = rows(loss, rng, horizon(name), D)
    method, params = CASES[name]
    return METHODS[method].init(information(D, loss), rng.standard_normal(D), params), a, b


def test_every_method_has_a_case_and_a_sentence() -> None:
    assert {method for method, _ in CASES.values()} == set(METHODS)
    assert all(method.name == name and method.title for name, method in METHODS.items())
    assert set(PRESETS) <= set(METHODS)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_cutting_the_stream_changes_no_bit(name: str, data: st.DataObject) -> None:
    state, a, b = prepared(name)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(b)), max_size=12)))
    whole, pieces = step(state, a, b), fed_in_pieces(state, a, b, cuts)
    assert estimate(pieces).tobytes() == estimate(whole).tobytes()
    assert (pieces.seen, pieces.labelled) == (whole.seen, whole.labelled)
    assert pieces.vectors.tobytes() == whole.vectors.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_looking_at_the_estimate_after_every_row_changes_no_bit(name: str) -> None:
    state, a, b = prepared(name)
    whole = estimate(step(state, a, b))
    for i in range(len(b)):
        state = step(state, a[i : i + 1], b[i : i + 1])
        assert np.all(np.isfinite(estimate(state)))
    assert estimate(state).tobytes() == whole.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_the_estimate_after_a_prefix_does_not_depend_on_the_cuts(name: str) -> None:
    state, a, b = prepared(name)
    for n in range(0, len(b), 7):
        at_once = estimate(step(state, a[:n], b[:n]))
        one_by_one = estimate(fed_in_pieces(state, a[:n], b[:n], list(range(1, n))))
        assert at_once.tobytes() == one_by_one.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_a_step_leaves_the_old_state_and_the_data_as_they_were(name: str) -> None:
    state, a, b = prepared(name)
    state = step(state, a[:11], b[:11])
    before = (state.vectors.copy(), state.clock.copy(), state.waiting, a.copy(), b.copy())
    first = step(state, a[11:30], b[11:30])
    after = (state.vectors, state.clock, state.waiting, a, b)
    for old, now in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, now)
    assert estimate(first).tobytes() == estimate(step(state, a[11:30], b[11:30])).tobytes()


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("erm", "doubling")])
def test_kernel_and_reference_take_the_same_number_of_samples(name: str) -> None:
    state, a, b = prepared(name)
    source = Source(a, b)
    reference(name, Logistic(0.1), np.zeros(D), source)
    after = step(state, a, b)
    assert source.taken == after.seen == horizon(name)
    assert len(source.labelled) == after.labelled
    assert after.unlabelled == after.seen - len(source.labelled)


@pytest.mark.parametrize(
    "name", ["sada", "sada in runs", "sada in batches", "sada-wc-corrected", "sgd", "asgd", "root-sgd"]
)
def test_every_sample_matters_once(name: str) -> None:
    """Changing any one label changes the output, by the same amount wherever the label was counted once."""
    state, a, b = prepared(name)
    base = estimate(step(state, a, b))
    for i in range(len(b)):
        changed = b.copy()
        changed[i] = -changed[i]
        assert np.any(estimate(step(state, a, changed)) != base), f"row {i} was not used"


@pytest.mark.parametrize("name", ["sada-ud-printed", "sada-ud-corrected", "sada-ud-two-steps"])
def test_labels_of_unlabelled_rows_are_never_read(name: str) -> None:
    state, a, b = prepared(name)
    source = Source(a, b)
    reference(name, Logistic(0.1), np.zeros(D), source)
    hidden = np.full(len(b), np.nan)
    hidden[source.labelled] = b[source.labelled]
    whole = step(state, a, hidden)
    assert estimate(whole).tobytes() == estimate(step(state, a, b)).tobytes()
    pieces = fed_in_pieces(state, a, hidden, list(range(3, len(b), 5)))
    assert estimate(pieces).tobytes() == estimate(whole).tobytes()
    params = CASES[name][1]
    assert isinstance(params, SadaUDParams)
    assert whole.labelled == params.base.horizon


def test_sada_in_threads_gives_the_bits_of_sada_in_one_thread() -> None:
    rng, loss = np.random.default_rng(0), Squared()
    params = SadaParams(0.02, 0.07, 0.1, 240, (0.9, 0.5), (0.2, 0.3), runs=6)
    a, b = rows(loss, rng, params.horizon, D)
    outputs = set()
    for workers in (1, 2, 3):
        state = METHODS["sada"].init(information(D, loss), None, replace(params, workers=workers))
        outputs.add(estimate(step(state, a, b)).tobytes())
        outputs.add(estimate(fed_in_pieces(state, a, b, [7, 47, 130, 131, 300, 400])).tobytes())
    assert len(outputs) == 1


def test_more_samples_than_planned_are_refused() -> None:
    state, a, b = prepared("sgd")
    with pytest.raises(ValueError, match="62 samples offered, planned for 61"):
        step(step(state, a, b), a[:1], b[:1])


class CountingStream(Stream):
    def __init__(self, inner: Stream) -> None:
        self.inner, self.dim, self.length, self.handed = inner, inner.dim, inner.length, 0

    def chunks(self, start: int, size: int) -> Iterator[Block]:
        for a, b in self.inner.chunks(start, size):
            self.handed += len(b)
            yield a, b


@pytest.mark.parametrize("name", CASES)
def test_run_reads_each_row_once_and_records_prefixes(name: str) -> None:
    state, a, b = prepared(name)
    stream = CountingStream(ArrayStream(a, b))
    counts = (0, 1, 10, 17, horizon(name) - 1, horizon(name))
    method, params = CASES[name]
    result = run(method, stream, info=state.info, x0=state.x0, params=params, n=len(b), record=counts, block=8)
    assert stream.handed == result.seen == len(b)
    assert result.counts.tolist() == list(counts)
    for count, x in zip(counts, result.iterates, strict=True):
        assert x.tobytes() == estimate(step(state, a[:count], b[:count])).tobytes()
    assert result.x.tobytes() == result.iterates[-1].tobytes()
    assert result.complete


def test_progress_is_told_the_sample_count() -> None:
    state, a, b = prepared("sgd")
    told: list[int] = []
    run("sgd", ArrayStream(a, b), info=state.info, params=CASES["sgd"][1], block=20, progress=told.append)
    assert told == [20, 40, 60, 61]


def test_the_doubling_trick_restarts_with_twice_the_horizon() -> None:
    state, a, b = prepared("doubling")
    stages = []
    for i in range(len(b)):
        state = step(state, a[i : i + 1], b[i : i + 1])
        stages.append((int(state.clock[0]), state.inner.params.horizon if state.inner else 0))
    assert [stage for stage, _ in stages] == sorted(stage for stage, _ in stages)
    planned = dict(stages)
    assert max(planned) >= 2
    for stage, total in planned.items():
        assert 20 * 2**stage - 20 < total <= 20 * 2**stage


def test_the_doubling_trick_returns_the_output_of_the_last_finished_stage() -> None:
    state, a, b = prepared("doubling")
    assert state.inner is not None
    first = find("sada").horizon(state.inner.params) or 0
    after = step(state, a[: first + 5], b[: first + 5])
    alone = METHODS["sada"].init(state.info, state.x0, state.inner.params)
    assert estimate(after).tobytes() == estimate(step(alone, a[:first], b[:first])).tobytes()


@pytest.mark.parametrize("warm", [True, False])
def test_a_stage_of_the_doubling_trick_starts_at_the_last_output_or_at_the_first_point(warm: bool) -> None:
    """A warm second stage is SADA from the output of the first; a cold one is SADA from x0."""
    state, a, b = prepared("doubling")
    params = replace(CASES["doubling"][1], warm=warm)  # type: ignore[type-var]
    state = METHODS["doubling"].init(state.info, state.x0, params)
    assert state.inner is not None
    first = state.inner.params.horizon
    after = step(state, a[:first], b[:first])
    assert after.inner is not None
    second = after.inner.params.horizon
    start = estimate(after) if warm else state.x0
    alone = METHODS["sada"].init(state.info, start, after.inner.params)
    rest = slice(first, first + second)
    whole = step(after, a[rest], b[rest])
    assert estimate(whole).tobytes() == estimate(step(alone, a[rest], b[rest])).tobytes()
