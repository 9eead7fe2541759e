"""Streams at their edges: two columns, one row, empty ends, headers of every version, labels counted from the end."""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from numerics.errors import StreamError
from numerics.streams import (
    ArrayStream,
    CsvStream,
    FreshStream,
    InterleavedStream,
    NpzStream,
    ParquetStream,
    Pattern,
    Reader,
    open_stream,
)
from numerics.streams.files import _position
from numerics.streams.memory import _reach


class Sampler:
    dim = 2

    def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return rng.standard_normal((n, 2)), np.arange(n, dtype=float)


def parquet(path: Path, **columns: object) -> Path:
    pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=2)
    return path


def npz(path: Path, x: np.ndarray, y: np.ndarray, version: tuple[int, int] = (1, 0)) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in (("X", x), ("y", y)):
            member = io.BytesIO()
            np.lib.format.write_array(member, array, version=version)
            archive.writestr(f"{name}.npy", member.getvalue())
    return path


def test_two_columns_are_enough_and_one_is_not(tmp_path: Path) -> None:
    table = ParquetStream(parquet(tmp_path / "two.parquet", x=[1.0, 2.0, 3.0], y=[4, 5, 6]))
    assert (table.dim, table.length, table.label) == (1, 3, 1)
    a, b = Reader(table).take(9)
    assert (a.tolist(), b.tolist()) == ([[1.0], [2.0], [3.0]], [4.0, 5.0, 6.0])
    with pytest.raises(StreamError, match="1 columns; needs data columns and a label column"):
        ParquetStream(parquet(tmp_path / "one.parquet", x=[1.0]))
    file = tmp_path / "two.csv"
    file.write_text("1,2\n")
    lone = CsvStream(file)
    assert (lone.dim, lone.length, lone.header, lone.columns, lone.label) == (1, None, False, 2, 1)
    assert Reader(lone).take(5)[1].tolist() == [2.0]
    single = NpzStream(npz(tmp_path / "one.npz", np.array([[1.0], [2.0]]), np.array([3, 4])))
    assert (single.dim, single.length) == (1, 2)


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
def test_numpy_headers_of_both_versions_are_read(tmp_path: Path, version: tuple[int, int]) -> None:
    x, y = np.arange(6, dtype=np.float32).reshape(3, 2), np.array([True, False, True])
    stream = NpzStream(npz(tmp_path / "v.npz", x, y, version))
    for start in range(4):
        a, b = Reader(stream, start, 2).take(9)
        assert a.tolist() == x[start:].tolist()
        assert b.tolist() == y[start:].astype(float).tolist()


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.zeros(3), np.zeros(3)),
        (np.zeros((3, 0)), np.zeros(3)),
        (np.zeros((3, 2)), np.zeros((3, 1))),
        (np.zeros((3, 2)), np.zeros(2)),
        (np.zeros((3, 2, 1)), np.zeros(3)),
    ],
)
def test_arrays_of_other_shapes_are_refused(tmp_path: Path, x: np.ndarray, y: np.ndarray) -> None:
    with pytest.raises(StreamError, match=r"needs \(n, d\) and \(n,\)"):
        NpzStream(npz(tmp_path / "bad.npz", x, y))


def test_members_that_are_no_arrays_and_labels_by_columns(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("X.npy", b"not an array at all")
        archive.writestr("y.npy", b"")
    with pytest.raises(StreamError, match="X is not a numpy array"):
        NpzStream(tmp_path / "x.npz")
    flat = NpzStream(npz(tmp_path / "f.npz", np.ones((2, 2)), np.asfortranarray(np.ones(2))))
    assert flat.length == 2, "one axis has no order"
    with pytest.raises(StreamError, match="no array 'labels'; there are: X, y"):
        NpzStream(tmp_path / "f.npz", labels="labels")


def test_label_columns_by_name_and_by_index_from_either_end() -> None:
    names, path = ["a", "b", "c"], Path("t.csv")
    assert [_position(k, names, path) for k in (-3, -1, 0, 2, "b")] == [0, 2, 0, 2, 1]
    for wrong in (-4, 3):
        with pytest.raises(StreamError, match=f"column {wrong} of 3"):
            _position(wrong, names, path)
    with pytest.raises(StreamError, match="no column 'z'; there are: none with a name"):
        _position("z", [], path)
    many = [f"c{k}" for k in range(30)]
    with pytest.raises(StreamError, match=r"c19$"):
        _position("z", many, path)


def test_the_suffix_chooses_the_stream_and_the_label_the_column(tmp_path: Path) -> None:
    for suffix, delimiter in ((".csv", ","), (".txt", ","), (".TSV", "\t")):
        file = tmp_path / f"t{suffix}"
        file.write_text(delimiter.join("123") + "\n")
        assert Reader(open_stream(file)).take(1)[1].tolist() == [3.0]
        assert Reader(open_stream(file, label=0)).take(1)[1].tolist() == [1.0]
    file = parquet(tmp_path / "t.parquet", x=[1.0], y=[2.0])
    assert Reader(open_stream(file)).take(1)[1].tolist() == [2.0]
    assert Reader(open_stream(file, label="x")).take(1)[1].tolist() == [1.0]


def test_headers_are_found_and_numbered_columns_have_names(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(' x ,"y"\n1,2\n3,4\n')
    stream = CsvStream(file, label="x")
    assert stream.header
    assert [Reader(stream, start).take(9)[1].tolist() for start in (0, 1, 2)] == [[1.0, 3.0], [3.0], []]
    file.write_text("1,2\n3,4\n")
    assert Reader(CsvStream(file, label="0"), 1).take(9)[1].tolist() == [3.0]
    file.write_text("1,2\n3,4,5\n")
    with pytest.raises(StreamError, match="sample 1 has 3 fields, expected 2"):
        Reader(CsvStream(file)).take(9)
    file.write_text("h,i\n1,2\n3,x\n")
    with pytest.raises(StreamError, match="sample 1, column 1 is 'x', not a number"):
        Reader(CsvStream(file), 1).take(9)


def test_parquet_is_skipped_by_whole_batches_and_by_rows(tmp_path: Path) -> None:
    stream = ParquetStream(parquet(tmp_path / "t.parquet", x=list(range(7)), y=[k * k for k in range(7)]))
    for start in range(9):
        for size in (1, 2, 3, 10):
            assert Reader(stream, start, size).take(9)[1].tolist() == [float(k * k) for k in range(start, 7)]


def test_without_pyarrow_a_parquet_stream_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = parquet(tmp_path / "t.parquet", x=[1.0], y=[2.0])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(StreamError, match="reading Parquet needs pyarrow"):
        ParquetStream(path)


def test_a_reader_gives_what_is_asked_for_until_the_end() -> None:
    stream = ArrayStream(np.arange(5.0)[:, None], np.arange(5.0))
    reader = Reader(stream, 1, 2)
    assert [reader.take(n)[1].tolist() for n in (0, 1, 2, 9, 1)] == [[], [1.0], [2.0, 3.0], [4.0], []]
    assert Reader(stream, 5).take(3)[0].shape == (0, 1)


def test_a_fingerprint_changes_with_any_number_of_the_arrays() -> None:
    a, b = np.arange(160.0).reshape(80, 2), np.arange(80.0)
    content = repr((2, 80)).encode() + a.tobytes() + b.tobytes()
    assert ArrayStream(a, b).fingerprint() == hashlib.sha256(content).hexdigest()
    for row in (0, 63, 64, 79):
        changed = b.copy()
        changed[row] = -1.0
        assert ArrayStream(a, changed).fingerprint() != ArrayStream(a, b).fingerprint()


def test_fresh_rows_end_exactly_where_they_should() -> None:
    for length in (1, 1023, 1024, 1025, 2048):
        stream = FreshStream(Sampler(), 0, length)
        for start in (0, 1, 1023, 1024, 2047):
            blocks = [len(b) for _, b in stream.chunks(start, 7)]
            assert sum(blocks) == max(0, length - start)
            assert 0 not in blocks
    first = next(FreshStream(Sampler(), 0).chunks(5, 1))[1]
    assert first.tolist() == [float(k) for k in range(5, 1024)]
    second = np.random.default_rng(np.random.SeedSequence(3, spawn_key=(1,))).standard_normal((1024, 2))
    assert np.array_equal(next(FreshStream(Sampler(), 3).chunks(1024, 1))[0], second)


def test_labelled_rows_reach_as_far_as_they_last() -> None:
    mask = np.array([True, False, True, True, False])
    assert [_reach(mask, n) for n in range(5)] == [0, 2, 3, 5, 5]
    assert [_reach(~mask, n) for n in range(4)] == [1, 4, 5, 5]


def test_a_pattern_of_no_unlabelled_rows_is_the_labelled_stream() -> None:
    labelled = ArrayStream(np.arange(6.0)[:, None], np.arange(6.0))
    unlabelled = ArrayStream(-np.ones((9, 1)), np.zeros(9))
    plain = InterleavedStream(labelled, unlabelled, Pattern(3, 0, 3))
    assert Reader(plain).take(99)[1].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    mixed = InterleavedStream(labelled, unlabelled, Pattern(3, 2, 1))
    found = Reader(mixed, 1, 4).take(99)[1]
    assert np.isnan(found).tolist() == [True, True, False, False, False, True, True, False, False]
