"""Files as streams: every format gives the rows of the arrays; damaged files are refused by name and place."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from numerics.errors import DataError, StreamError
from numerics.losses import Squared
from numerics.optimizers import ProblemInfo, SgdParams, run
from numerics.streams import ArrayStream, CsvStream, NpzStream, ParquetStream, open_stream

from .test_streams_memory import everything

RNG = np.random.default_rng(11)
A, B = RNG.standard_normal((700, 4)), RNG.standard_normal(700)
TABLE = np.column_stack([A, B])


def write_csv(path: Path, header: bool = True, delimiter: str = ",") -> Path:
    names = delimiter.join(["a", "b", "c", "d", "target"]) + "\n"
    lines = [delimiter.join(repr(float(x)) for x in row) + "\n" for row in TABLE]
    path.write_text((names if header else "") + "".join(lines))
    return path


def write_parquet(path: Path) -> Path:
    columns = dict(zip("abcd", A.T, strict=True)) | {"target": B}
    pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=150)
    return path


def write_npz(path: Path, compressed: bool = False) -> Path:
    (np.savez_compressed if compressed else np.savez)(path, X=A, y=B)
    return path


def every_format(folder: Path) -> list[object]:
    return [
        CsvStream(write_csv(folder / "header.csv"), label="target"),
        CsvStream(write_csv(folder / "plain.csv", header=False)),
        open_stream(write_csv(folder / "tabs.tsv", delimiter="\t")),
        ParquetStream(write_parquet(folder / "rows.parquet"), label="target"),
        open_stream(write_parquet(folder / "rows.pq")),
        open_stream(write_npz(folder / "plain.npz")),
        NpzStream(write_npz(folder / "small.npz", compressed=True)),
    ]


def test_every_format_gives_the_same_rows_from_any_start(tmp_path: Path) -> None:
    for stream in every_format(tmp_path):
        assert stream.dim == 4  # type: ignore[attr-defined]
        for start, size in ((0, 1000), (0, 1), (123, 77), (699, 5), (700, 5)):
            np.testing.assert_array_equal(everything(stream, start, (size,)), TABLE[start:])  # type: ignore[arg-type]


def test_every_format_gives_the_same_result_as_the_arrays(tmp_path: Path) -> None:
    info, params = ProblemInfo(4, Squared()), SgdParams(0.01, 700)
    expected = run("sgd", ArrayStream(A, B), info=info, params=params).x
    for stream in every_format(tmp_path):
        assert run("sgd", stream, info=info, params=params, block=64).x.tobytes() == expected.tobytes()  # type: ignore[arg-type]


def test_the_label_may_be_any_column(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv")
    _, b = next(CsvStream(path, label="b").chunks(0, 700))
    np.testing.assert_array_equal(b, A[:, 1])
    _, b = next(CsvStream(path, label=0).chunks(0, 700))
    np.testing.assert_array_equal(b, A[:, 0])


@pytest.mark.parametrize("kind", ["csv", "parquet", "npz"])
def test_a_large_file_is_not_read_as_a_whole(tmp_path: Path, kind: str) -> None:
    n, path = 40_000, tmp_path / f"big.{kind}"
    data = np.tile(np.round(RNG.standard_normal((n, 5)), 2), (1, 1))
    if kind == "csv":
        np.savetxt(path, data, delimiter=",", fmt="%.2f")
    elif kind == "parquet":
        table = pyarrow.table({str(i): column for i, column in enumerate(data.T)})
        pyarrow.parquet.write_table(table, path, row_group_size=2000)
    else:
        np.savez_compressed(path, X=data[:, :4], y=data[:, 4])
    stream = open_stream(path)
    tracemalloc.start()
    rows = sum(len(b) for _, b in stream.chunks(0, 500))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert rows == n
    assert peak < n * 5 * 8 / 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for name in ("x.csv", "x.parquet", "x.npz"):
        with pytest.raises(StreamError, match=rf"{name}: no such file"):
            open_stream(tmp_path / name)
    with pytest.raises(StreamError, match=r"suffix '\.xls' is not known"):
        open_stream(tmp_path / "x.xls")


@pytest.mark.parametrize("kind", ["parquet", "npz"])
@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_truncated_binary_file_is_refused(tmp_path: Path, kind: str, keep: float) -> None:
    path = (write_parquet if kind == "parquet" else write_npz)(tmp_path / f"x.{kind}")
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(StreamError, match="may be truncated"):
        open_stream(path)


def test_a_damaged_archive_is_refused_while_it_is_read(tmp_path: Path) -> None:
    path = write_npz(tmp_path / "x.npz", compressed=True)
    content = bytearray(path.read_bytes())
    content[4000:4100] = bytes(100)
    path.write_bytes(bytes(content))
    with pytest.raises(StreamError, match="cannot be read"):
        everything(NpzStream(path))


def test_an_archive_whose_array_is_too_short_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.save(buffer, A)
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("X.npy", buffer.getvalue()[:-100])
        labels = io.BytesIO()
        np.save(labels, B)
        archive.writestr("y.npy", labels.getvalue())
    with pytest.raises(StreamError, match=r"ends within sample 600; the file is truncated"):
        everything(NpzStream(tmp_path / "x.npz"), sizes=(100,))


def test_a_truncated_line_of_a_csv_is_found_and_earlier_records_are_kept(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv")
    path.write_text("\n".join(path.read_text().splitlines()[:500]) + "\n0.5,0.25")
    with pytest.raises(StreamError, match="sample 499 has 2 fields, expected 5; the file may be truncated") as caught:
        run(
            "sgd", CsvStream(path), info=ProblemInfo(4, Squared()), params=SgdParams(0.01, 700), record=(100,), block=50
        )
    assert caught.value.partial.counts.tolist() == [100]


def test_a_word_among_the_numbers_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1,2,3\n4,five,6\n")
    with pytest.raises(StreamError, match="sample 1, column 1 is 'five', not a number"):
        everything(CsvStream(path))


def test_missing_values_are_refused_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1,2,3\n4,nan,6\n")
    with pytest.raises(DataError, match="row 1, column 1 is nan"):
        run("sgd", CsvStream(path), info=ProblemInfo(2, Squared()), params=SgdParams(0.01, 2))
    path.write_text("1,2,3\n4,,6\n")
    with pytest.raises(StreamError, match="sample 1, column 1 is '', not a number"):
        everything(CsvStream(path))


def test_blank_lines_are_no_samples(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("\nx,y\n\n1,2\n\n3,4\n\n")
    np.testing.assert_array_equal(everything(CsvStream(path)), [[1, 2], [3, 4]])
    np.testing.assert_array_equal(everything(CsvStream(path), 1), [[3, 4]])


def test_columns_that_do_not_exist_are_refused_with_those_that_do(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "x.csv")
    with pytest.raises(StreamError, match="no column 'price'; there are: a, b, c, d, target"):
        CsvStream(path, label="price")
    with pytest.raises(StreamError, match="column 9 of 5"):
        CsvStream(path, label=9)
    np.savez(tmp_path / "y.npz", data=A)
    with pytest.raises(StreamError, match="no array 'X'; there are: data"):
        NpzStream(tmp_path / "y.npz")


def test_an_empty_or_one_column_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("")
    with pytest.raises(StreamError, match="0 columns in the first line"):
        CsvStream(path)
    path.write_text("1\n2\n")
    with pytest.raises(StreamError, match="1 columns in the first line"):
        CsvStream(path)


def test_arrays_that_cannot_be_streamed_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, X=np.asfortranarray(A), y=B)
    with pytest.raises(StreamError, match="stored by columns"):
        NpzStream(path)
    np.savez(path, X=np.array([["a", "b"]]), y=np.array([1.0]))
    with pytest.raises(StreamError, match="never unpickled"):
        NpzStream(path)
    np.savez(path, X=A, y=B[:5])
    with pytest.raises(StreamError, match=r"X has shape \(700, 4\), y \(5,\)"):
        NpzStream(path)


def test_a_text_column_of_a_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"a": [1.0], "city": ["Bonn"], "y": [2.0]}), path)
    with pytest.raises(StreamError, match="column 'city' has type string"):
        ParquetStream(path)
