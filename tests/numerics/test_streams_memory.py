"""Streams without files: the same rows whatever the block size, from any starting row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.errors import StreamError
from numerics.losses import Squared
from numerics.problems import GaussianNoise, LinearLabels, Problem
from numerics.streams import ArrayStream, FreshStream, InterleavedStream, Pattern, Reader, Stream

from .optimizers_support import gaussian

PROBLEM = Problem(gaussian(3, 5.0), Squared(), LinearLabels(np.ones(3), GaussianNoise(0.5)))


def everything(stream: Stream, start: int = 0, sizes: tuple[int, ...] = (1000,), n: int = 3000) -> np.ndarray:
    """The rows from `start` on, labels last, taken in pieces of the given sizes."""
    reader, parts, i = Reader(stream, start, sizes[0]), [], 0
    while sum(len(part) for part in parts) < n:
        a, b = reader.take(sizes[i % len(sizes)])
        if not len(b):
            break
        parts.append(np.column_stack([a, b]))
        i += 1
    return np.concatenate(parts) if parts else np.empty((0, stream.dim + 1))


@settings(max_examples=15, deadline=None)
@given(sizes=st.lists(st.integers(1, 1500), min_size=1, max_size=4), start=st.integers(0, 2500))
def test_fresh_samples_depend_on_the_seed_alone(sizes: list[int], start: int) -> None:
    stream = FreshStream(PROBLEM, 7, length=2600)
    whole = everything(stream)
    assert whole.shape == (2600, 4)
    np.testing.assert_array_equal(everything(stream, start, tuple(sizes)), whole[start:])


def test_other_seeds_give_other_samples_and_no_chunk_repeats() -> None:
    one, two = everything(FreshStream(PROBLEM, 1), n=2048)[:2048], everything(FreshStream(PROBLEM, 2), n=2048)[:2048]
    assert not np.any(np.all(one == two, axis=1))
    assert len(np.unique(one, axis=0)) == 2048


def test_fresh_samples_follow_the_problem() -> None:
    rows = everything(FreshStream(PROBLEM, 3), n=60_000)[:60_000]
    np.testing.assert_allclose(rows[:, :3].T @ rows[:, :3] / len(rows), PROBLEM.design.sigma, atol=0.03)
    np.testing.assert_allclose(np.std(rows[:, 3] - rows[:, :3] @ np.ones(3)), 0.5, rtol=0.02)


def test_arrays_of_any_number_type_are_read_in_order() -> None:
    a, b = np.arange(24, dtype=np.int32).reshape(8, 3), np.arange(8) > 3
    stream = ArrayStream(a, b)  # type: ignore[arg-type]
    np.testing.assert_array_equal(everything(stream, 2, (3,)), np.column_stack([a, b])[2:].astype(float))
    assert (stream.dim, stream.length) == (3, 8)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (np.zeros((3, 2)), np.zeros(4), r"data of shape \(3, 2\) and labels of shape \(4,\)"),
        (np.zeros(3), np.zeros(3), r"data of shape \(3,\)"),
        (np.zeros((3, 0)), np.zeros(3), "d >= 1"),
        (np.zeros((3, 2)), np.array(["x", "y", "z"]), "labels have type"),
    ],
)
def test_arrays_that_are_no_data_are_refused(a: np.ndarray, b: np.ndarray, message: str) -> None:
    with pytest.raises(StreamError, match=message):
        ArrayStream(a, b)


@settings(max_examples=25, deadline=None)
@given(
    T=st.integers(1, 9),
    m=st.integers(0, 4),
    until=st.integers(0, 12),
    start=st.integers(0, 60),
    size=st.integers(1, 40),
)
def test_interleaving_follows_the_pattern_from_any_row(T: int, m: int, until: int, start: int, size: int) -> None:
    labelled = ArrayStream(np.arange(1.0, 41.0)[:, None], np.arange(1.0, 41.0))
    unlabelled = ArrayStream(-np.arange(1.0, 81.0)[:, None], np.zeros(80))
    expected: list[float] = []
    with_label, without = iter(range(1, 41)), iter(range(-1, -81, -1))
    while True:
        for t in range(1, T + 1):
            wanted = [next(with_label, None), *(next(without, None) for _ in range(m if t <= until else 0))]
            complete = [row for row in wanted if row is not None]
            expected += complete if len(complete) == len(wanted) else wanted[: wanted.index(None)]
            if len(complete) < len(wanted):
                break
        else:
            continue
        break
    found = everything(InterleavedStream(labelled, unlabelled, Pattern(T, m, until)), start, (size,))
    np.testing.assert_array_equal(found[:, 0], expected[start:])
    positive = found[:, 0] > 0
    np.testing.assert_array_equal(found[positive, 1], found[positive, 0])
    assert np.all(np.isnan(found[~positive, 1]))


def test_interleaved_streams_must_have_the_same_dimension() -> None:
    with pytest.raises(StreamError, match="dimension 1, unlabelled ones 2"):
        InterleavedStream(
            ArrayStream(np.ones((2, 1)), np.ones(2)), ArrayStream(np.ones((2, 2)), np.ones(2)), Pattern(1, 1, 1)
        )


def test_fingerprints_tell_streams_apart() -> None:
    prints = {
        FreshStream(PROBLEM, 1).fingerprint(),
        FreshStream(PROBLEM, 2).fingerprint(),
        ArrayStream(np.ones((3, 3)), np.ones(3)).fingerprint(),
        ArrayStream(np.ones((4, 3)), np.ones(4)).fingerprint(),
    }
    assert len(prints) == 4
    assert FreshStream(PROBLEM, 1).fingerprint() == FreshStream(PROBLEM, 1, length=500).fingerprint()


@pytest.mark.parametrize("seed", [-1, 1.5, True])
def test_a_seed_must_be_a_whole_number(seed: int) -> None:
    with pytest.raises(StreamError, match="is not a seed"):
        FreshStream(PROBLEM, seed)
