"""A Dask cluster that falls silent, lacks Dask or lemmalab, or runs another version: one message that names it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from numerics.race import ProblemSpec
from numerics.sweep import Grid, SchedulerError, SchedulerLost, read_grid, store, sweep

LS = ProblemSpec.of("least-squares", {"dim": 3, "kappa": 10})
GRID_TEXT = """
methods = ["sada", "sgd", "erm"]
sizes = [4000, 9000]
seeds = 30
problems = [{name = "least-squares", kappa = [10, 100], dim = 5}]
"""


def test_a_scheduler_that_falls_silent_is_a_lost_one(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped, not ended: its connection stays open and nothing comes."""
    address, processes = cluster
    (tmp_path / "g.toml").write_text(GRID_TEXT)
    grid, path = read_grid(tmp_path / "g.toml"), tmp_path / "s.jsonl"

    def stop_it(done: int, total: int) -> None:
        if done:
            monkeypatch.setattr("numerics.sweep.cluster.SILENCE", 3)
            processes[0].send_signal(signal.SIGSTOP)

    with pytest.raises(SchedulerLost, match="the scheduler went away with"):
        sweep(grid, path, scheduler=address, progress=stop_it)
    assert store.read(path).records


@pytest.fixture
def inside() -> Iterator[str]:
    """A scheduler and a worker in this process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as local:
        yield local.scheduler_address


def test_a_worker_that_joined_late_with_another_version_is_refused_by_name(
    tmp_path: Path, inside: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_thread() -> dict[str, str]:
        here = threading.current_thread() is threading.main_thread()
        return {"numpy": "1.0" if here else "2.0"}

    monkeypatch.setattr("numerics.sweep.cluster.versions", by_thread)
    monkeypatch.setattr("numerics.sweep.cluster._same_versions", lambda client, address: None)
    grid = Grid((LS,), ("sgd",), (50,), (0,))
    with pytest.raises(SchedulerError, match=r"worker inproc://\S+ has numpy 2\.0, here it is 1\.0; install the same"):
        sweep(grid, tmp_path / "s.jsonl", scheduler=inside)
    assert not (tmp_path / "s.jsonl").exists(), "nothing of it is kept as a result"


def no_versions() -> dict[str, str]:
    raise ModuleNotFoundError("No module named 'numerics'", name="numerics")


def test_a_worker_without_lemmalab_is_refused_by_name(
    tmp_path: Path, inside: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numerics.sweep.cluster.versions", no_versions)
    with pytest.raises(SchedulerError, match=r"worker inproc://\S+ cannot say what it runs .*No module named"):
        sweep(Grid((LS,), ("sgd",), (50,), (0,)), tmp_path / "s.jsonl", scheduler=inside)


def test_a_machine_without_dask_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SchedulerError, match=r"needs Dask; pip install 'lemmalab\[cluster\]'"):
        sweep(Grid((LS,), ("sgd",), (50,), (0,)), tmp_path / "s.jsonl", scheduler="tcp://127.0.0.1:9")
