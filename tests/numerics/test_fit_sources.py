"""Tables for `fit`: every format gives the same rows from any position; marks, quotes, blanks and bad rows by name."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from numerics.errors import CheckpointError, StreamError
from numerics.losses import Squared
from numerics.optimizers import ProblemInfo, SgdParams, resume, run
from numerics.streams import CsvStream, Reader, open_stream
from numerics.streams.binary import as_text, open_source
from numerics.streams.source import Source, Wanted
from numerics.streams.text import CsvSource

TABLE = np.random.default_rng(1).standard_normal((500, 4))
NAMES = ["a", "b", "c", "y"]


def text_of(header: bool = True, delimiter: str = ",", end: str = "\n") -> str:
    lines = [delimiter.join(repr(float(x)) for x in row) for row in TABLE]
    return end.join([*([delimiter.join(NAMES)] if header else []), *lines, ""])


def sources(folder: Path) -> list[Source]:
    plain, bare = folder / "t.csv", folder / "bare.csv"
    plain.write_text(text_of())
    bare.write_text(text_of(header=False))
    (folder / "t.csv.gz").write_bytes(gzip.compress(plain.read_bytes()))
    (folder / "t.tsv").write_text(text_of(delimiter="\t", end="\r\n"))
    pyarrow.parquet.write_table(
        pyarrow.table(dict(zip(NAMES, TABLE.T, strict=True))), folder / "t.parquet", row_group_size=90
    )
    np.save(folder / "t.npy", TABLE)
    np.savez(folder / "t.npz", X=TABLE[:, :3], y=TABLE[:, 3])
    files = [plain, bare, *(folder / name for name in ("t.csv.gz", "t.tsv", "t.parquet", "t.npy", "t.npz"))]
    return [open_source(path) for path in files]


def everything(source: Source, position: int = 0, wanted: Wanted | None = None) -> np.ndarray:
    return np.concatenate([b.rows for b in source.blocks(position, wanted or Wanted())] or [np.empty((0, 4))])


def test_every_format_gives_the_same_rows_from_any_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numerics.streams.text.READ", 3000)
    monkeypatch.setattr("numerics.streams.binary.ROWS", 70)
    for source in sources(tmp_path):
        done, blocks = 0, list(source.blocks(0, Wanted()))
        assert len(blocks) > 4
        assert blocks[-1].done == pytest.approx(1.0, abs=0.05)
        for block in blocks:
            assert np.array_equal(block.rows, TABLE[done : done + len(block.rows)])
            done += len(block.rows)
            assert np.array_equal(everything(source, block.position), TABLE[done:])
        assert done == 500


def test_a_pipe_is_read_like_a_file_and_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numerics.streams.text.READ", 3000)
    content = text_of().encode()
    first = CsvSource(None, handle=io.BytesIO(content))
    assert first.names == NAMES
    block = next(iter(first.blocks(0, Wanted())))
    again = CsvSource(None, handle=io.BytesIO(content))
    assert np.array_equal(everything(again, block.position), TABLE[len(block.rows) :])
    assert again.skipped == block.prefix
    other = CsvSource(None, handle=io.BytesIO(content.replace(b"1", b"2", 1)))
    everything(other, block.position)
    assert other.skipped != block.prefix
    short = CsvSource(None, handle=io.BytesIO(content[:1000]))
    with pytest.raises(StreamError, match="standard input: ends before the position"):
        everything(short, block.position)


@pytest.mark.parametrize("header", [True, False])
def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path, header: bool) -> None:
    """Red on release 0.1, which took the first row of numbers for a header."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbf" + text_of(header=header).encode())
    source = CsvSource(path)
    assert source.names == (NAMES if header else ["0", "1", "2", "3"])
    assert np.array_equal(everything(source), TABLE)
    stream = CsvStream(path)
    assert np.array_equal(np.column_stack(Reader(stream).take(999)), TABLE)
    (tmp_path / "u.csv").write_bytes(text_of().encode("utf-16"))
    with pytest.raises(StreamError, match="is UTF-16; convert it to UTF-8 first"):
        CsvSource(tmp_path / "u.csv")


def test_quotes_blank_lines_and_spaces_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('\n"a, b",c\n\n"1.5","2"\n 3 ,-4e2\n\n5,6')
    source = CsvSource(path)
    assert source.names == ["a, b", "c"]
    assert everything(source).tolist() == [[1.5, 2.0], [3.0, -400.0], [5.0, 6.0]]


BAD = [
    ("1,2", "2 fields, expected 3"),
    ("1,2,3,4", "4 fields, expected 3"),
    ("1,x,3", "column 'b' is 'x', not a number"),
    ("1,,3", "column 'b' is empty"),
    ("1,nan,3", "column 'b' is nan"),
    ("1,-inf,3", "column 'b' is -inf"),
    ("1,1e200,3", r"column 'b' is 1e\+200, beyond 1e\+100: its square overflows"),
    ("1,1e999,3", "column 'b' is inf"),
    ("1,1_0,3", "column 'b' is"),
]


@pytest.mark.parametrize(("line", "words"), BAD)
def test_a_bad_row_is_named_with_its_line_or_skipped_and_counted(tmp_path: Path, line: str, words: str) -> None:
    good = [f"{k},{k + 1},{k + 2}" for k in range(200)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["a,b,y", *good[:77], "", line, *good[77:150], line, *good[150:]]))
    source = CsvSource(path)
    with pytest.raises(StreamError, match=rf"t\.csv: line 80: {words}.*--skip-bad-rows"):
        everything(source)
    blocks = list(source.blocks(0, Wanted(skip=True)))
    assert np.concatenate([b.rows for b in blocks])[:, 0].tolist() == list(range(200))
    assert [bad.place for b in blocks for bad in b.bad] == ["line 80", "line 154"]


def test_a_column_of_text_beside_dropped_ones(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('name,x,kind\n"B, C",1,yes\nD,2, no \n')
    source = CsvSource(path)
    block = next(iter(source.blocks(0, Wanted(text=2, drop=frozenset({0})))))
    assert block.text is not None
    assert (block.rows[:, 1].tolist(), block.text.tolist()) == ([1.0, 2.0], ["yes", "no"])
    path.write_text("name,x,kind\nB,1,\n")
    with pytest.raises(StreamError, match="line 2: column 'kind' is empty"):
        list(CsvSource(path).blocks(0, Wanted(text=2, drop=frozenset({0}))))


@pytest.mark.parametrize("suffix", ["parquet", "npy", "npz"])
def test_bad_numbers_of_binary_tables_are_named_too(tmp_path: Path, suffix: str) -> None:
    broken = TABLE.copy()
    broken[123, 1] = np.inf
    path = tmp_path / f"t.{suffix}"
    if suffix == "parquet":
        pyarrow.parquet.write_table(pyarrow.table(dict(zip("0123", broken.T, strict=True))), path)
    elif suffix == "npy":
        np.save(path, broken)
    else:
        np.savez(path, X=broken[:, :3], y=broken[:, 3])
    with pytest.raises(StreamError, match="row 123: column '1' is inf"):
        everything(open_source(path))
    assert len(everything(open_source(path), 0, Wanted(skip=True))) == 499
    assert len(everything(open_source(path), 400, Wanted())) == 100


def test_labels_become_text_that_does_not_depend_on_the_format() -> None:
    for values in (np.array([1.0, 2.0]), np.array([1, 2]), np.array(["1", " 2 "])):
        assert as_text(values).tolist() == ["1", "2"]
    assert as_text(np.array([0.5, 1.0])).tolist() == ["0.5", "1"], "the name of a class depends on no other row"


def test_a_missing_class_of_a_parquet_table_is_no_class(tmp_path: Path) -> None:
    """It was the class "None", and whole numbers beside it were called 1.0."""
    for values, names in ((["u", None, "v"], ["u", "v"]), ([1, None, 2], ["1", "2"])):
        path = tmp_path / "t.parquet"
        pyarrow.parquet.write_table(pyarrow.table({"a": [1.0, 2.0, 3.0], "k": values}), path)
        with pytest.raises(StreamError, match="row 1: column 'k' is empty"):
            list(open_source(path).blocks(0, Wanted(text=1)))
        (block,) = open_source(path).blocks(0, Wanted(text=1, skip=True))
        assert block.text is not None
        assert (block.text.tolist(), block.rows[:, 0].tolist()) == (names, [1.0, 3.0])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.csv", None, "no such file"),
        ("t.xls", b"1,2\n", r"suffix '\.xls' is not known; use \.csv"),
        ("empty.csv", b"", "is empty; give a file with a first line"),
        ("mac.csv", b"a,b\r1,2\r3,4\r", "has lines that end in .r alone; convert it with tr"),
        ("wide.csv", b"a" * 200_000 + b",b\n1,2\n", "the first line cannot be split into fields"),
        ("twice.csv", b"a,a\n1,2\n", "two columns are called 'a'"),
        ("latin.csv", "a,ä\n1,2\n".encode("latin-1"), "is not UTF-8"),
        ("cut.csv.gz", gzip.compress(text_of().encode())[:2000], "may be truncated"),
        ("t.npy", b"nothing", "no array of numbers|cannot be read"),
        ("t.npz", b"nothing", "cannot be read"),
        ("t.parquet", b"nothing", "cannot be read"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(StreamError, match=words):
        everything(open_source(tmp_path / name))


def test_columns_are_found_by_name_and_number_and_others_are_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text_of())
    source = open_source(tmp_path / "t.csv")
    assert [source.position(name) for name in ("a", "y", "0", "-1")] == [0, 3, 0, 3]
    with pytest.raises(StreamError, match="no column 'z'; there are: a, b, c, y"):
        source.position("z")
    pyarrow.parquet.write_table(pyarrow.table({"a": [1.0], "city": ["Bonn"], "y": [2.0]}), tmp_path / "c.parquet")
    with pytest.raises(StreamError, match="column 'city' has type string; convert it to numbers or --drop it"):
        everything(open_source(tmp_path / "c.parquet"))


def test_a_run_is_not_resumed_on_a_file_that_differs_after_its_first_rows(tmp_path: Path) -> None:
    """Red on release 0.1, which looked at 64 rows."""
    info, params = ProblemInfo(3, Squared()), SgdParams(0.01, 500)
    sources(tmp_path)
    for name in ("t.csv", "t.parquet", "t.npz"):
        path, kept = tmp_path / name, tmp_path / f"{name}.kept"
        run("sgd", open_stream(path), info=info, params=params, checkpoint=kept, every=100)
        resume(kept, open_stream(path))
        content = path.read_bytes()
        place = content.rindex(repr(float(TABLE[300, 2])).encode() if name == "t.csv" else TABLE[300, 2].tobytes()) + 4
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(CheckpointError, match="was made from another stream"):
            resume(kept, open_stream(path))
