"""Sweeps at their edges: stores line by line, grids entry by entry, batches at their limits, tables with a zero."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
from pathlib import Path

import pytest

from numerics.errors import DataError
from numerics.race import ProblemSpec
from numerics.race.statistics import Interval
from numerics.sweep import Cell, Grid, GridError, StoreError, cells, read_grid, store, summarise, sweep, to_csv
from numerics.sweep import local as local_module
from numerics.sweep.cells import batches, code_digest, run_cells
from numerics.sweep.cluster import versions
from numerics.sweep.local import run_local
from numerics.sweep.run import Sweep, missing
from numerics.sweep.summary import Row, to_json, to_parquet

LS = ProblemSpec.of("least-squares", {"dim": 2, "kappa": 4})
CELL = Cell(LS, "sgd", 20, 0)


def record(key: str, **more: object) -> dict[str, object]:
    return {"key": key, "status": "done", "excess": 1.0, "seed": 0, **more}


def test_a_line_holds_the_record_and_the_first_sixteen_digits_of_its_digest() -> None:
    body = json.dumps(record("a"), sort_keys=True)
    line = store.encode(record("a"))
    assert line.endswith(b"\n")
    assert json.loads(line) == {"record": record("a"), "sha256": hashlib.sha256(body.encode()).hexdigest()[:16]}
    with pytest.raises(ValueError, match="Out of range float values"):
        store.encode(record("a", excess=float("nan")))


def test_a_line_that_is_no_record_is_not_believed() -> None:
    good = store.encode(record("a"))
    assert store._decode(good) == record("a")
    for bad in (b"[]", b"{}", b"3", b"x", b'{"record": 1, "sha256": "x"}', good.replace(b"1.0", b"2.0")):
        assert store._decode(bad) is None
    assert store._decode(store.encode({"key": 3})) is None, "a key is a text"


def test_the_last_record_of_a_key_counts_and_damage_is_numbered(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    lines = [store.encode(record("a")), b"torn\n", store.encode(record("a", excess=2.0)), b"half"]
    path.write_bytes(b"".join(lines))
    found = store.read(path)
    assert found.records == {"a": record("a", excess=2.0)}
    assert found.damaged == (2,)
    assert found.sound == sum(len(line) for line in lines[:3])
    assert store.read(tmp_path / "none") == store.Contents({}, (), 0)
    with pytest.raises(StoreError, match="cannot be read"):
        store.read(tmp_path)


def test_a_store_is_opened_whole_and_left_whole(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with store.writing(path) as writer:
        writer.append([record("a"), record("b")])
    whole = path.read_bytes()
    assert (path.stat().st_mode & 0o777) & ~0o022 == 0o644 & ~0o022
    path.write_bytes(whole + b"torn")
    with store.writing(path) as writer:
        assert path.read_bytes() == whole
        writer.append([record("c")])
    assert list(store.read(path).records) == ["a", "b", "c"]
    with store.writing(tmp_path / "empty.jsonl"):
        pass
    assert not (tmp_path / "empty.jsonl").exists()


def test_a_write_that_fails_is_undone_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "s.jsonl"
    with store.writing(path) as writer:
        writer.append([record("a")])
        before = path.read_bytes()
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match=r"cannot be written \(No space left on device\)"):
            writer.append([record("b")])
        assert path.read_bytes() == before


def test_batches_end_at_fifty_units_or_two_hundred_thousand_samples() -> None:
    def sizes(n: int, seeds: int, methods: tuple[str, ...] = ("sgd",)) -> list[int]:
        return [len(batch) for batch in batches(Grid((LS,), methods, (n,), tuple(range(seeds))).cells())]

    assert sizes(10, 50) == [50]
    assert sizes(10, 51) == [50, 1]
    assert sizes(100_000, 4) == [2, 2]
    assert sizes(100_001, 2) == [1, 1]
    assert sizes(50_000, 4, ("sgd", "sada")) == [4, 4]
    assert sizes(10**7, 2) == [1, 1]
    assert list(batches([])) == []


def test_the_code_of_a_cell_is_told_with_everything_that_it_imports() -> None:
    """Else a change there, such as in the rule for T, would leave old results in the store standing."""
    home = Path(cells.__file__).parents[1]
    places = [home / name for name in cells.SOURCES]
    told = {source for place in places for source in (place.rglob("*.py") if place.is_dir() else [place])}
    asked = {module for source in told for module in imported(source, home)}
    assert asked - told <= {home / "__init__.py"}


def imported(source: Path, home: Path) -> set[Path]:
    """The files of `numerics` that a file imports, anywhere in it."""
    package, found = ("numerics", *source.relative_to(home).parent.parts), set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join((*above, *([node.module] if node.module else [])))
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    places = [home.joinpath(*name.split(".")[1:]) for name in found if name.split(".")[0] == "numerics"]
    files = {file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")}
    return {file for file in files if file.is_file()}


def test_the_key_has_thirty_two_digits_and_the_code_sixteen() -> None:
    assert (len(CELL.key), len(code_digest())) == (32, 16)
    content = {"schema": 1, "code": code_digest(), **CELL.content()}
    assert hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32] == CELL.key
    assert versions()["lemmalab's code"] == code_digest()
    assert versions()["python"] == ".".join(str(part) for part in sys.version_info[:3])
    with pytest.raises(DataError, match=r"none\.csv: cannot be read \(No such file or directory\)"):
        _ = Cell(ProblemSpec("none.csv"), "sgd", 20, 0).key


def test_a_changed_table_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n1,2\n3,4\n4,4\n")
    cell = Cell(ProblemSpec.of(str(path)), "sgd", 20, 0)
    assert cell.content()["data"] == hashlib.sha256(path.read_bytes()).hexdigest()[:32]
    first = run_cells([cell])[0]
    path.write_text("x,y\n1,2\n3,4\n4,5\n5,7\n")
    second = run_cells([cell])[0]
    assert first["excess"] != second["excess"]
    assert first["key"] != second["key"]


def test_what_is_missing_is_what_the_store_lacks_and_on_request_what_failed() -> None:
    done, lost = Cell(LS, "sgd", 20, 0), Cell(LS, "sgd", 20, 1)
    found = store.Contents({done.key: record(done.key), lost.key: record(lost.key, status="failed")}, (), 0)
    new = Cell(LS, "sgd", 20, 2)
    assert missing([done, lost, new], found) == [new]
    assert missing([done, lost, new], found, retry_failed=True) == [lost, new]


def test_progress_counts_what_was_there_and_what_came(tmp_path: Path) -> None:
    grid, seen = Grid((LS,), ("sgd",), (100_000,), (0, 1, 2)), []
    sweep(Grid((LS,), ("sgd",), (100_000,), (1,)), tmp_path / "s.jsonl")
    found = sweep(grid, tmp_path / "s.jsonl", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (3, 3)]
    assert found.failures == ()
    assert [r["seed"] for r in found.records] == [0, 1, 2]
    sweep(grid, tmp_path / "s.jsonl", progress=lambda done, total: seen.append((done, total)))
    assert seen[2:] == [(3, 3)]


def test_one_job_runs_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    here: list[int] = []
    monkeypatch.setattr(
        local_module, "run_cells", lambda batch: [record(cell.key) for cell in batch if not here.append(1)]
    )
    assert [[r["key"] for r in batch] for batch in run_local([[CELL], [CELL]], 1)] == [[CELL.key], [CELL.key]]
    assert here == [1, 1]


def swept(*excess: float) -> Sweep:
    grid = Grid((LS,), ("sgd",), (20,), tuple(range(len(excess))))
    every = tuple({**record(c.key), "excess": e, "seed": c.seed} for c, e in zip(grid.cells(), excess, strict=True))
    return Sweep(grid, every, 0, ())


def test_a_risk_of_exactly_zero_has_a_mean_but_no_interval() -> None:
    row = summarise(swept(0.0, 1.0))[0]
    assert row.mean == Interval(0.5, None, None)
    assert (row.seeds, row.failed, row.samples) == (2, 0, 20)
    assert row.cells()[5:] == (0.5, None, None, None)
    assert to_csv([row]).splitlines()[1].endswith(",sgd,20,2,0,0.5,,,")
    assert to_json([row])[0]["mean"] == {"value": 0.5, "low": None, "high": None}
    both = summarise(swept(1.0, 2.0, 3.0))[0].mean
    assert both is not None
    assert both.value == 2.0
    assert both.low is not None


def test_a_failed_row_has_no_numbers() -> None:
    row = Row("p", "m", 20, 3, 1, None, "why")
    assert to_csv([row]).splitlines() == [
        "problem,method,samples,seeds,failed,excess_risk,low,high,error",
        "p,m,20,3,1,,,,why",
    ]


def test_parquet_turns_mixed_options_into_text_and_leaves_no_part(tmp_path: Path) -> None:
    import pyarrow.parquet

    found = swept(1.0, 2.0)
    mixed = tuple(
        {**r, "options": o} for r, o in zip(found.records, ({"mu": 1.0, "label": "y"}, {"mu": 2.0}), strict=True)
    )
    to_parquet(Sweep(found.grid, mixed, 0, ()), tmp_path / "s.parquet")
    back = pyarrow.parquet.read_table(tmp_path / "s.parquet").to_pylist()
    assert [row["option_label"] for row in back] == ["y", None]
    assert [row["option_mu"] for row in back] == [1.0, 2.0]
    assert [p.name for p in tmp_path.iterdir()] == ["s.parquet"]
    with pytest.raises(StoreError, match="cannot be written"):
        to_parquet(Sweep(found.grid, mixed, 0, ()), tmp_path / "no" / "s.parquet")


HEAD = "methods = ['sada']\nsizes = [2]\nproblems = ['logistic']\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "seeds = 0", "seeds = 0; give at least one"),
        (HEAD + "seeds = true", "seeds holds True, must be integers >= 1"),
        (HEAD + "seeds = -1", "seeds holds -1, must be integers >= 1"),
        (HEAD + "seeds = [0.5]", r"seeds holds 0\.5, must be integers >= 0"),
        (HEAD + "seeds = [true]", "seeds holds True, must be integers >= 0"),
        (HEAD + "seeds = [1, 1]", "seeds holds 1 twice"),
        (HEAD.replace("[2]", "[2, 2]") + "seeds = 1", "sizes holds 2 twice"),
        (HEAD.replace("['logistic']", "['logistic', 'logistic']") + "seeds = 1", "problems holds 'logistic .*' twice"),
        (HEAD.replace("['logistic']", "[{kappa = 3}]") + "seeds = 1", "give a name, or a table with a name"),
        (HEAD.replace("['sada']", "'sada'") + "seeds = 1", "methods = 'sada' must be a list"),
        (HEAD.replace("sizes = [2]\n", "") + "seeds = 1", "sizes = None; give at least one"),
    ],
)
def test_every_entry_of_a_grid_is_checked(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "g.toml").write_text(text)
    with pytest.raises(GridError, match=message):
        read_grid(tmp_path / "g.toml")


def test_a_grid_reads_seeds_tables_beside_it_and_normal_names(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,y\n1,2\n3,4\n")
    (tmp_path / "g.toml").write_text(
        HEAD.replace("'logistic'", "'logistic', 't.csv'").replace("'sada'", "' sada '") + "seeds = 3"
    )
    grid = read_grid(tmp_path / "g.toml")
    assert grid.seeds == (0, 1, 2)
    assert grid.methods == ("sada",)
    assert [spec.name for spec in grid.problems] == ["logistic", str(tmp_path / "t.csv")]
    assert [(c.problem.name == "logistic", c.n, c.seed) for c in grid.cells()[:4]] == [
        (True, 2, 0),
        (True, 2, 1),
        (True, 2, 2),
        (False, 2, 0),
    ]
    with pytest.raises(GridError, match="no such file"):
        read_grid(tmp_path / "none.toml")


def test_a_cell_that_raises_is_recorded_with_the_kind_of_error() -> None:
    found = run_cells([Cell(LS, "adam", 20, 0), Cell(LS, "sgd", 20, 0)])
    assert [r["status"] for r in found] == ["failed", "failed"], "they share one stream"
    assert str(found[0]["error"]).startswith("ParameterError: no method 'adam'")
    apart = run_cells([Cell(LS, "adam", 20, 1), Cell(LS, "sgd", 20, 0)])
    assert [r["status"] for r in apart] == ["failed", "done"]
    assert apart[1]["used"] == 20
    assert cells.SCHEMA == 1
