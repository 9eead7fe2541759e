"""Sweeps: the same table from any number of processes and after any kind of end; failed cells are results too."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from numerics.race import Entrant, ProblemSpec, run_stream
from numerics.sweep import (
    Cell,
    Grid,
    GridError,
    SchedulerError,
    SchedulerLost,
    StoreError,
    cells,
    read_grid,
    store,
    summarise,
    sweep,
    to_csv,
    to_parquet,
)
from numerics.sweep import local as local_module
from numerics.sweep.cells import batches, run_cells
from numerics.sweep.local import DIED, run_local

LS = ProblemSpec.of("least-squares", {"dim": 3, "kappa": 10})
GRID = Grid((LS, ProblemSpec.of("logistic", {"dim": 2, "kappa": 2})), ("sada", "sgd", "erm"), (50, 300), (0, 1, 2))


def table(grid: Grid, path: Path, **how: object) -> str:
    return to_csv(summarise(sweep(grid, path, **how)))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    return table(GRID, tmp_path_factory.mktemp("serial") / "s.jsonl")


def test_a_cell_is_what_the_method_gives_on_its_stream(tmp_path: Path) -> None:
    found = sweep(GRID, tmp_path / "s.jsonl")
    assert len(found.records) == found.computed == 36
    for cell, record in zip(GRID.cells(), found.records, strict=True):
        alone = run_stream(cell.problem.build(), [Entrant.parse(cell.method)], (cell.n,), cell.seed)[0]
        assert record["excess"] == alone.excess
        assert record["used"] == alone.used


def test_the_table_does_not_depend_on_the_number_of_processes(tmp_path: Path, expected: str) -> None:
    assert table(GRID, tmp_path / "two.jsonl", jobs=2) == expected
    rows = expected.splitlines()
    assert len(rows) == 1 + 2 * 3 * 2
    assert rows[1].startswith('"least-squares (dim = 3, kappa = 10, noise = 0.1)",sada,50,3,0,')


def test_what_is_stored_is_not_computed_again(tmp_path: Path, expected: str) -> None:
    path = tmp_path / "s.jsonl"
    first = Grid(GRID.problems, GRID.methods, GRID.sizes, (1,))
    assert sweep(first, path).computed == 12
    before = path.read_bytes()
    again = sweep(GRID, path)
    assert again.computed == 24
    assert path.read_bytes().startswith(before)
    assert to_csv(summarise(again)) == expected
    assert sweep(GRID, path).computed == 0


def test_the_key_changes_with_everything_that_decides_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell(LS, "sada", 50, 0)
    others = [
        Cell(ProblemSpec.of("least-squares", {"dim": 3, "kappa": 11}), "sada", 50, 0),
        Cell(LS, "sada/theory", 50, 0),
        Cell(LS, "sada", 51, 0),
        Cell(LS, "sada", 50, 1),
    ]
    before = cell.key
    assert len({before, *(other.key for other in others)}) == 5
    monkeypatch.setattr(cells, "code_digest", lambda: "other code")
    assert cell.key != before


def test_the_key_follows_the_content_of_a_table_not_its_place(tmp_path: Path) -> None:
    keys = []
    for folder, extra in (("a", ""), ("b", ""), ("c", "5,6\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.csv").write_text("x,y\n1,2\n3,4\n4,4\n" + extra)
        keys.append(Cell(ProblemSpec.of(str(tmp_path / folder / "t.csv")), "sada", 50, 0).key)
    assert keys[0] == keys[1] != keys[2]


def test_failed_cells_are_recorded_with_their_error_and_do_not_stop_the_rest(tmp_path: Path) -> None:
    grid = Grid((LS, ProblemSpec("none.csv")), ("sada", "sada/theory"), (50,), (0, 1))
    missing = tmp_path / "none.csv"
    missing.write_text("x,y\n1,nan\n")
    grid = Grid((LS, ProblemSpec.of(str(missing))), grid.methods, grid.sizes, grid.seeds)
    found = sweep(grid, tmp_path / "s.jsonl", jobs=2)
    errors = [record.get("error") for record in found.records]
    assert [error is None for error in errors] == [True, False, True, False, False, False, False, False]
    assert "too few for the theory's constants" in str(errors[1])
    assert "row 0, column 'y' is nan" in str(errors[4])
    rows = summarise(found)
    assert [(row.failed, row.mean is None) for row in rows] == [(0, False), (2, True), (2, True), (2, True)]
    assert "nan" not in to_csv(rows).replace("is nan", "")
    assert sweep(grid, tmp_path / "s.jsonl").computed == 0, "a failure is a result"
    assert sweep(grid, tmp_path / "s.jsonl", retry_failed=True).computed == 6


def test_one_failed_seed_leaves_no_mean_in_the_table(tmp_path: Path) -> None:
    found = sweep(Grid((LS,), ("sgd",), (50,), (0, 1, 2)), tmp_path / "s.jsonl")
    failed = {**found.records[1], "status": "failed", "error": "why"}
    row = summarise(replace(found, records=(found.records[0], failed, found.records[2])))[0]
    assert (row.mean, row.failed, row.seeds, row.error) == (None, 1, 3, "why")


def die_on_seed_one(batch: list[Cell]) -> list[dict]:  # type: ignore[type-arg]
    if any(cell.seed == 1 for cell in batch):
        os.kill(os.getpid(), signal.SIGKILL)
    return run_cells(batch)


def test_a_cell_that_kills_its_process_is_the_only_one_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_module, "run_cells", die_on_seed_one)
    small = Grid((LS,), ("sada",), (50, 60), (0, 1))
    work = [[cell] for cell in small.cells()]
    records = {(r["n"], r["seed"]): r for batch in run_local(work, 2) for r in batch}
    assert {key: record["status"] for key, record in records.items()} == {
        (50, 0): "done",
        (50, 1): "failed",
        (60, 0): "done",
        (60, 1): "failed",
    }
    assert records[50, 1]["error"] == DIED


GRID_TEXT = """
methods = ["sada", "sgd", "erm"]
sizes = [4000, 9000]
seeds = 30
problems = [{name = "least-squares", kappa = [10, 100], dim = 5}]
"""


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_sweep_killed_at_any_moment_goes_on_and_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(GRID_TEXT)
    whole = table(read_grid(tmp_path / "g.toml"), tmp_path / "whole.jsonl", jobs=1)
    path = tmp_path / "g.jsonl"
    command = [sys.executable, "-c", "from reports.cli import main; main()", "sweep", "g.toml", "--jobs", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        while lines(path) == 0 and process.poll() is None:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    kept = lines(path)
    assert 0 < kept < 360, "killed in the middle"
    before = path.read_bytes()
    found = sweep(read_grid(tmp_path / "g.toml"), path)
    assert found.computed == 360 - kept
    assert path.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert to_csv(summarise(found)) == whole


def test_a_torn_last_line_is_cut_off_wherever_it_is_torn(tmp_path: Path, expected: str) -> None:
    path = tmp_path / "s.jsonl"
    sweep(Grid(GRID.problems[:1], ("sgd",), (50,), (0, 1)), path)
    content = path.read_bytes()
    first = content.index(b"\n") + 1
    for cut in range(first, len(content), 23):
        path.write_bytes(content[:cut])
        assert set(store.read(path).records) == {Cell(LS, "sgd", 50, 0).key}
    path.write_bytes(content[: first + 40])
    assert table(GRID, path) == expected
    assert store.read(path).damaged == ()


def test_a_damaged_line_is_reported_and_computed_again(tmp_path: Path, expected: str) -> None:
    path = tmp_path / "s.jsonl"
    sweep(GRID, path)
    damaged = bytearray(path.read_bytes())
    place = damaged.index(b"excess") + 12
    damaged[place] = ord("8") if damaged[place] != ord("8") else ord("7")
    path.write_bytes(bytes(damaged))
    found = sweep(GRID, path)
    assert found.damaged == (1,)
    assert found.computed == 1
    assert to_csv(summarise(found)) == expected


def test_a_full_disk_leaves_the_store_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.jsonl"
    sweep(Grid((LS,), ("sgd",), (50,), (0,)), path)
    before, write = path.read_bytes(), os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[: len(data) // 2]))
    with pytest.raises(StoreError, match="make room and run again, earlier results are kept"):
        sweep(GRID, path)
    assert path.read_bytes() == before


def test_two_sweeps_do_not_write_to_one_store(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with store.writing(path), pytest.raises(StoreError, match="another sweep is writing"):
        sweep(GRID, path)
    assert not path.exists(), "no empty file is left behind"


def test_something_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n")
    with pytest.raises(StoreError, match="is not a store of results"):
        sweep(GRID, path)
    assert path.read_text() == "my notes\n"
    with pytest.raises(StoreError, match="cannot be written"):
        sweep(GRID, tmp_path / "no" / "such" / "folder.jsonl")


def test_batches_hold_every_cell_once_and_whole_units() -> None:
    many = Grid((LS,), ("sada", "sgd"), (10, 300_000), tuple(range(120))).cells()
    work = list(batches(many))
    assert [cell for batch in work for cell in batch] == list(many)
    assert len(work) == 3 + 120
    for batch in work:
        units = {(c.problem, c.n, c.seed) for c in batch}
        assert len(batch) == 2 * len(units)


def test_parquet_holds_every_cell(tmp_path: Path) -> None:
    import pyarrow.parquet

    grid = Grid(GRID.problems, ("sada", "sada/theory"), (50,), (0,))
    to_parquet(sweep(grid, tmp_path / "s.jsonl"), tmp_path / "s.parquet")
    back = pyarrow.parquet.read_table(tmp_path / "s.parquet").to_pylist()
    assert [row["status"] for row in back] == ["done", "failed", "done", "failed"]
    assert back[0]["option_dim"] == 3
    assert back[0]["option_alpha"] is None
    assert back[0]["excess"] == store.read(tmp_path / "s.jsonl").records[back[0]["key"]]["excess"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("methods = ['sada'", "is not a TOML file"),
        ("methods = ['sada']\nsizes = [10]\nseeds = 1\nproblems = ['logistic']\nmore = 1", "has no key 'more'"),
        ("methods = ['sada']\nsizes = []\nseeds = 1\nproblems = ['logistic']", r"sizes = \[\]; give at least one"),
        ("methods = ['sada']\nsizes = [1]\nseeds = 1\nproblems = ['logistic']", "sizes holds 1, must be integers >= 2"),
        ("methods = ['sada']\nsizes = 10\nseeds = 1\nproblems = ['logistic']", "sizes = 10 must be a list"),
        ("methods = ['adam']\nsizes = [10]\nseeds = 1\nproblems = ['logistic']", "no method 'adam'"),
        ("methods = ['sada']\nsizes = [10]\nseeds = [-1]\nproblems = ['logistic']", "seeds holds -1"),
        ("methods = ['sada', 'sada']\nsizes = [10]\nseeds = 1\nproblems = ['logistic']", "methods holds 'sada' twice"),
        ("methods = ['sada']\nsizes = [10]\nseeds = 1\nproblems = ['x']", "no problem 'x'"),
        ("methods = ['sada']\nsizes = [10]\nseeds = 1\nproblems = [3]", "problems holds 3"),
        ("methods = ['sada']\nsizes = [10]\nseeds = 1\nproblems = [{name = 'logistic', kapa = 3}]", "option 'kapa'"),
    ],
)
def test_a_wrong_grid_is_refused_whole(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "g.toml").write_text(text)
    with pytest.raises(GridError, match=message):
        read_grid(tmp_path / "g.toml")


def test_lists_in_a_problem_multiply(tmp_path: Path) -> None:
    problem = "[[problems]]\nname = 'least-squares'\nkappa = [1, 2]\ndim = [1, 2, 3]"
    (tmp_path / "g.toml").write_text(f"methods = ['sada']\nsizes = [10]\nseeds = [4, 2]\n{problem}")
    grid = read_grid(tmp_path / "g.toml")
    assert len(grid.problems) == 6
    assert grid.seeds == (4, 2)


def test_a_dask_cluster_that_loses_a_worker_gives_the_same_table(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    address, processes = cluster
    (tmp_path / "g.toml").write_text(GRID_TEXT)
    grid = read_grid(tmp_path / "g.toml")
    with Client(address, timeout=30) as client:
        client.wait_for_workers(2, timeout=60)
    with monkeypatch.context() as other:
        other.setattr("numerics.sweep.cluster.code_digest", lambda: "mine")
        with pytest.raises(SchedulerError, match=r"worker tcp://\S+ has lemmalab's code \w+, here it is mine"):
            sweep(grid, tmp_path / "refused.jsonl", scheduler=address)
    killed: list[int] = []

    def kill_one(done: int, total: int) -> None:
        if done and not killed:
            killed.append(done)
            time.sleep(0.7)  # it finishes more batches, whose results die with it
            processes[1].kill()
            processes[1].wait()

    found = table(grid, tmp_path / "cluster.jsonl", scheduler=address, progress=kill_one)
    assert 0 < killed[0] < 360, "the worker died in the middle"
    assert found == table(grid, tmp_path / "here.jsonl", jobs=1)


def test_a_scheduler_that_goes_away_leaves_what_was_finished(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]], capfd: pytest.CaptureFixture[str]
) -> None:
    address, processes = cluster
    (tmp_path / "g.toml").write_text(GRID_TEXT)
    grid, path = read_grid(tmp_path / "g.toml"), tmp_path / "s.jsonl"

    def kill_it(done: int, total: int) -> None:
        if done:
            processes[0].kill()

    with pytest.raises(SchedulerLost, match="the results so far are in the store: start it and run again"):
        sweep(grid, path, scheduler=address, progress=kill_it)
    assert capfd.readouterr().err == "", "one message, and no pages of Dask's"
    kept = len(store.read(path).records)
    assert 0 < kept < 360
    assert sweep(grid, path).computed == 360 - kept


def test_an_unreachable_scheduler_is_one_message_and_keeps_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from reports.cli import main

    monkeypatch.setattr("numerics.sweep.cluster.PATIENCE", 1)
    path = tmp_path / "g.jsonl"
    (tmp_path / "g.toml").write_text(GRID_TEXT)
    sweep(Grid((LS,), ("sgd",), (50,), (0,)), path)
    before = path.read_bytes()
    done = CliRunner().invoke(main, ["sweep", str(tmp_path / "g.toml"), "--scheduler", "tcp://127.0.0.1:9"])
    assert done.exit_code == 2
    assert "no scheduler answers" in done.stderr
    assert "dask scheduler" in done.stderr
    assert path.read_bytes() == before


def test_the_command_prints_the_table_and_its_exit_code_tells_failures(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from reports.cli import main

    text = "methods = ['sada']\nsizes = [50]\nseeds = 3\nproblems = ['least-squares']"
    (tmp_path / "g.toml").write_text(text)
    done = CliRunner().invoke(
        main, ["sweep", str(tmp_path / "g.toml"), "--jobs", "1", "--csv", str(tmp_path / "c.csv")]
    )
    assert done.exit_code == 0, done.output
    assert "3 cells, 3 computed now, 0 failed" in done.stdout
    assert (tmp_path / "c.csv").read_text().startswith("problem,method")
    (tmp_path / "g.toml").write_text(text.replace("'sada'", "'sada', 'sada/theory'"))
    done = CliRunner().invoke(main, ["sweep", str(tmp_path / "g.toml"), "--jobs", "1", "--json"])
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert (found["cells"], found["failed"]) == (6, 3)
    assert np.isfinite(found["rows"][0]["mean"]["value"])
    done = CliRunner().invoke(main, ["sweep", str(tmp_path / "none.toml")])
    assert done.exit_code == 2
    assert "no such file" in done.stderr
