"""Checkpoints: killed runs resume to the same bits; damaged or foreign files are refused."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from numerics import checkpoint
from numerics.errors import CheckpointError
from numerics.losses import Logistic, Squared
from numerics.optimizers import METHODS, ProblemInfo, Result, SadaParams, codec, resume, run
from numerics.problems import LogisticLabels, Problem
from numerics.streams import ArrayStream, FreshStream

from .optimizers_support import CASES, gaussian, horizon, information, rows, user_squared

D = 4


class Killed(Exception):
    """Stands for a kill inside this process."""


def same(one: Result, two: Result) -> bool:
    pairs = (
        (one.x, two.x),
        (one.iterates, two.iterates),
        (one.counts, two.counts),
        (one.state.vectors, two.state.vectors),
    )
    return all(a.tobytes() == b.tobytes() for a, b in pairs) and one.seen == two.seen and one.labelled == two.labelled


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("stop", [8, 23, 41])
def test_a_run_stopped_anywhere_resumes_to_the_same_bits(name: str, stop: int, tmp_path: Path) -> None:
    method, params = CASES[name]
    a, b = rows(Logistic(0.1), np.random.default_rng(4), horizon(name), D)
    stream, info, path = ArrayStream(a, b), information(D, Logistic(0.1)), tmp_path / "run.npz"
    settings = {"info": info, "x0": np.ones(D), "params": params, "n": len(b), "record": (3, 10, 30, len(b))}
    whole = run(method, stream, **settings)  # type: ignore[arg-type]

    def kill(seen: int) -> None:
        if seen >= stop:
            raise Killed

    with pytest.raises(Killed):
        run(method, stream, **settings, checkpoint=path, every=7, block=5, progress=kill)  # type: ignore[arg-type]
    assert same(resume(path, stream, every=11, block=6), whole)
    assert same(resume(path, stream), whole), "a finished run resumes to itself"


CHILD = """
import sys
from pathlib import Path
from numerics.optimizers import ProblemInfo, resume, run
from numerics.streams import FreshStream
from tests.numerics.test_checkpoint_resume import PROBLEM, PARAMS, RECORD
path, stream = Path(sys.argv[1]), FreshStream(PROBLEM, 5)
often = {"every": 500, "block": 300, "saved": lambda seen: print(seen, flush=True)}
if path.exists():
    resume(path, stream, **often)
else:
    run("sada", stream, info=ProblemInfo.of(PROBLEM), params=PARAMS, record=RECORD, checkpoint=path, **often)
"""
PROBLEM = Problem(gaussian(6, 20.0), Logistic(0.1), LogisticLabels(np.ones(6)))
PARAMS = SadaParams(0.01, 0.05, 0.02, 50_002, (1.0, 0.7, 0.5), (0.1, 0.2, 0.3))
RECORD = tuple(range(0, PARAMS.horizon, 9_999))


def killed_run(path: Path, lines: int, delay: float) -> int:
    """Start or resume the run in a process of its own, kill it after that many checkpoints; returns the last count."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", CHILD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root, env=environment) as child:
        assert child.stdout is not None
        last = [int(child.stdout.readline()) for _ in range(lines)][-1]
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    return last


def test_a_run_killed_twice_by_sigkill_resumes_to_the_same_bits(tmp_path: Path) -> None:
    path, draw = tmp_path / "run.npz", random.Random(8)
    seen = 0
    for _ in range(2):
        last = killed_run(path, draw.randint(3, 30), draw.uniform(0, 0.002))
        assert seen < last <= codec.load(path).state.seen < PARAMS.horizon
        seen = last
    whole = run("sada", FreshStream(PROBLEM, 5), info=ProblemInfo.of(PROBLEM), params=PARAMS, record=RECORD)
    assert same(resume(path, FreshStream(PROBLEM, 5)), whole)


def finished(path: Path) -> ArrayStream:
    a, b = rows(Squared(), np.random.default_rng(6), horizon("sada"), D)
    stream = ArrayStream(a, b)
    run("sada", stream, info=information(D, Squared()), params=CASES["sada"][1], checkpoint=path, every=10)
    return stream


@pytest.mark.parametrize("keep", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_checkpoint_is_refused(keep: float, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    stream = finished(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(keep * len(content))])
    with pytest.raises(CheckpointError, match="is truncated or not a checkpoint"):
        resume(path, stream)


@pytest.mark.parametrize("member", ["vectors", "clock", "x0", "counts", "json"])
def test_an_altered_checkpoint_is_refused(member: str, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    stream = finished(path)
    with np.load(path) as archive:
        arrays = {name: archive[name].copy() for name in archive.files}
    if member == "json":
        arrays["json"] = np.frombuffer(arrays["json"].tobytes().replace(b'"goal": 54', b'"goal": 53'), dtype=np.uint8)
    elif member == "counts":
        arrays["counts"] = np.array([1], dtype=np.int64)
    else:
        arrays[member].reshape(-1).view(np.uint8)[0] ^= 1
    np.savez(path, **arrays)
    with pytest.raises(CheckpointError, match="does not match its digest"):
        resume(path, stream)


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    """A flip in the archive's own bookkeeping may be harmless: then the content is what it was."""
    path = tmp_path / "run.npz"
    finished(path)
    content, before = path.read_bytes(), codec.load(path)
    noticed = 0
    for position in range(0, len(content), 97):
        damaged = bytearray(content)
        damaged[position] ^= 0x10
        path.write_bytes(bytes(damaged))
        try:
            after = codec.load(path)
        except CheckpointError:
            noticed += 1
            continue
        assert after.state.vectors.tobytes() == before.state.vectors.tobytes()
        assert after.state.clock.tobytes() == before.state.clock.tobytes()
        assert (after.goal, after.stream) == (before.goal, before.stream)
    assert noticed > len(content) / 97 / 2


def test_a_checkpoint_of_another_stream_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    finished(path)
    a, b = rows(Squared(), np.random.default_rng(99), horizon("sada"), D)
    with pytest.raises(CheckpointError, match="was made from another stream"):
        resume(path, ArrayStream(a, b))


def test_a_missing_checkpoint_and_another_file_are_refused(tmp_path: Path) -> None:
    stream = finished(tmp_path / "run.npz")
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        resume(tmp_path / "none.npz", stream)
    np.savez(tmp_path / "other.npz", X=np.ones(3))
    with pytest.raises(CheckpointError, match="is not a checkpoint"):
        resume(tmp_path / "other.npz", stream)
    checkpoint.save(tmp_path / "other.npz", {"about": "something else"}, {"X": np.ones(3)})
    with pytest.raises(CheckpointError, match="something else than a run"):
        resume(tmp_path / "other.npz", stream)


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.npz"
    stream = finished(path)
    monkeypatch.setattr(checkpoint, "VERSION", 2)
    with pytest.raises(CheckpointError, match="has version 1, this program reads 2"):
        resume(path, stream)


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"cannot be written .* choose a folder that exists"):
        finished(tmp_path / "none" / "run.npz")


def test_nothing_but_the_checkpoint_is_left_in_its_folder(tmp_path: Path) -> None:
    finished(tmp_path / "run.npz")
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.npz"]


def test_a_failed_write_leaves_the_old_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.npz"
    checkpoint.save(path, {"number": 1}, {"X": np.ones(3)})
    monkeypatch.setattr(checkpoint.os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        checkpoint.save(path, {"number": 2}, {"X": np.ones(3)})
    assert checkpoint.load(path)[0]["number"] == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.npz"]


def test_a_checkpoint_holds_no_pickle(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    finished(path)
    with np.load(path, allow_pickle=False) as archive:
        assert all(archive[name].dtype.kind in "iuf" for name in archive.files)
        text = json.loads(archive["json"].tobytes())
    assert text["state"]["params"]["class"] == "SadaParams"


def test_a_users_own_loss_must_be_passed_again(tmp_path: Path) -> None:
    path, loss = tmp_path / "run.npz", user_squared()
    a, b = rows(loss, np.random.default_rng(6), horizon("sada"), D)
    stream = ArrayStream(a, b)
    whole = run("sada", stream, info=information(D, loss), params=CASES["sada"][1], checkpoint=path, every=10)
    with pytest.raises(CheckpointError, match="was made with the user's own loss 'user-defined'; pass it as loss="):
        resume(path, stream)
    assert same(resume(path, stream, loss=loss), whole)
    with pytest.raises(CheckpointError, match="pass the same loss"):
        resume(path, stream, loss=user_squared(2.0))


@pytest.mark.parametrize("name", CASES)
def test_parameters_survive_exactly(name: str, tmp_path: Path) -> None:
    method, params = CASES[name]
    state = METHODS[method].init(information(D, Logistic(0.1)), np.full(D, 1 / 3), params)
    codec.save(tmp_path / "x.npz", codec.Checkpoint(state, (), (), 10, (1, 2), "stream"))
    back = codec.load(tmp_path / "x.npz").state
    assert back.params == params
    assert back.info == state.info
    assert back.x0.tobytes() == state.x0.tobytes()
