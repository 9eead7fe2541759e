"""CSV, .npy, .npz and Parquet files give the same design; bad files are refused with the place and a remedy."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from numerics.designs import Empirical, read_table

DATA = np.random.default_rng(1).standard_normal((12, 3))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def written(folder: Path, suffix: str) -> Path:
    path = folder / f"data{suffix}"
    match suffix:
        case ".csv":
            rows = [",".join(repr(float(v)) for v in row) for row in DATA]
            write(path, "\n".join(["first,second,third", *rows]))
        case ".npy":
            np.save(path, DATA)
        case ".npz":
            np.savez(path, data=DATA)
        case _:
            pq.write_table(pa.table({n: DATA[:, j] for j, n in enumerate(["first", "second", "third"])}), path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".npz", ".parquet", ".pq"])
def test_every_format_gives_the_same_design(tmp_path: Path, suffix: str) -> None:
    assert Empirical.from_file(written(tmp_path, suffix)) == Empirical(DATA)


def test_columns_can_be_selected_and_dropped_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, ".csv")
    assert Empirical.from_file(path, drop=["second"]) == Empirical(DATA[:, [0, 2]])
    assert Empirical.from_file(path, columns=["third", "first"]) == Empirical(DATA[:, [2, 0]])
    features, label = read_table(path).split("third")
    assert features.names == ("first", "second")
    np.testing.assert_array_equal(label, DATA[:, 2])
    with pytest.raises(ValueError, match="column 'fourth' is not in the table; choose from first, second, third"):
        Empirical.from_file(path, drop=["fourth"])


def test_a_csv_file_may_lack_a_header_and_carry_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_bytes(b"\xef\xbb\xbf1,2\r\n\r\n3,4\r\n")
    table = read_table(path)
    assert table.names == ("x0", "x1")
    assert table.values.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3\n", "line 3 has 1 fields, the first line has 2; make all rows equal"),
        ("a,b\n1,2\n3,4,5\n", "line 3 has 3 fields"),
        ("a,b\n1,2\n3,\n", "row 1, column 'b' is nan"),
        ("a,b\n1,2\nnan,4\n", "row 1, column 'a' is nan"),
        ("a,b\n1,inf\n", "row 0, column 'b' is inf"),
        ("a,b\n1,red\n", "line 2, field 2 is 'red', not a number; encode or drop it"),
        ("a,a\n1,2\n", "two columns have the same name"),
        ("a,b\n", "needs rows and columns"),
        ("", "is empty"),
    ],
)
def test_bad_csv_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_table(write(tmp_path / "bad.csv", text))


def test_csv_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ValueError, match="not UTF-8 text"):
        read_table(path)
    path.write_text("a,b\n1," + "9" * 200_000 + "\n")
    with pytest.raises(ValueError, match="is not CSV"):
        read_table(path)


def test_truncated_and_foreign_binary_files_are_refused(tmp_path: Path) -> None:
    for suffix, message in (
        (".npy", "not a readable .npy array"),
        (".npz", "not a readable .npz archive"),
        (".parquet", "not a readable Parquet file"),
    ):
        whole = written(tmp_path, suffix).read_bytes()
        cut = tmp_path / f"cut{suffix}"
        cut.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(ValueError, match=message):
            read_table(cut)


def test_arrays_of_objects_are_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "objects.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"not a readable \.npy array"):
        read_table(tmp_path / "objects.npy")


def test_arrays_that_are_not_tables_of_real_numbers_are_refused(tmp_path: Path) -> None:
    for array, message in (
        (np.ones(3), "needs rows and columns; reshape"),
        (np.ones((2, 2), dtype=complex), "entries have type complex128, need real numbers"),
        (np.array([["a"]]), "need real numbers"),
        (np.array([[1.0, np.nan]]), "row 0, column 'x1' is nan"),
    ):
        np.save(tmp_path / "bad.npy", array)
        with pytest.raises(ValueError, match=message):
            read_table(tmp_path / "bad.npy")


def test_an_archive_of_several_arrays_needs_a_key(tmp_path: Path) -> None:
    path = tmp_path / "two.npz"
    np.savez(path, a=DATA, b=2 * DATA)
    with pytest.raises(ValueError, match="holds arrays a, b; choose one with key="):
        Empirical.from_file(path)
    with pytest.raises(ValueError, match="has no array 'c'; choose from a, b"):
        Empirical.from_file(path, key="c")
    assert Empirical.from_file(path, key="b") == Empirical(2 * DATA)


def test_parquet_with_missing_or_textual_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    pq.write_table(pa.table({"a": [1.0, None], "b": [1, 2]}), path)
    with pytest.raises(ValueError, match="row 1, column 'a' is nan"):
        read_table(path)
    pq.write_table(pa.table({"a": ["x", "y"]}), path)
    with pytest.raises(ValueError, match="column 'a' has type string, not numbers; encode or drop it"):
        read_table(path)
    pq.write_table(pa.table({}), path)
    with pytest.raises(ValueError, match="has no columns"):
        read_table(path)


def test_without_pyarrow_parquet_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, ".parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        ImportError, match=r"reading Parquet needs pyarrow; install it with pip install 'lemmalab\[parquet\]'"
    ):
        read_table(path)


def test_a_missing_file_and_an_unknown_suffix_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file; check the path"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(ValueError, match=r"suffix '\.txt' is not known; use \.csv, \.npy, \.npz or \.parquet"):
        read_table(write(tmp_path / "data.txt", "1,2"))
