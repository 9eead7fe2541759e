"""Checkpoints as files: when they are saved, what they hold, and every parameter and loss as text and back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from numerics import checkpoint
from numerics.errors import CheckpointError, ParameterError
from numerics.losses import Logistic, Poisson, Squared
from numerics.optimizers import ProblemInfo, SgdParams, codec, run
from numerics.streams import ArrayStream

from .optimizers_support import CASES, rows, user_squared


def test_checkpoints_are_saved_at_multiples_and_at_the_end(tmp_path: Path) -> None:
    a, b = rows(Squared(), np.random.default_rng(0), 11, 2)
    saved: list[int] = []
    path, info = tmp_path / "c.npz", ProblemInfo(2, Squared())
    run("sgd", ArrayStream(a, b), info=info, params=SgdParams(0.1, 11), checkpoint=path, every=4, saved=saved.append)
    assert saved == [4, 8, 11]
    kept = codec.load(path)
    assert (kept.goal, kept.state.seen, kept.counts, kept.record) == (11, 11, (), ())
    with pytest.raises(ParameterError, match="every = 0 must be an integer >= 1"):
        run("sgd", ArrayStream(a, b), info=info, params=SgdParams(0.1, 11), checkpoint=path, every=0)
    assert [p.name for p in tmp_path.iterdir()] == ["c.npz"]


def test_a_checkpoint_is_text_and_arrays_of_one_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.npz"
    checkpoint.save(path, {"a": 1}, {"v": np.arange(3)})
    text, arrays = checkpoint.load(path)
    assert text == {"version": 1, "a": 1}
    assert arrays["v"].tolist() == [0, 1, 2]
    with pytest.raises(CheckpointError, match="is a checkpoint of something else than a run"):
        codec.load(path)
    monkeypatch.setattr(checkpoint, "VERSION", 2)
    with pytest.raises(CheckpointError, match="has version 1, this program reads 2"):
        checkpoint.load(path)
    np.savez(path, json=np.zeros(1))
    with pytest.raises(CheckpointError, match=r"is not a checkpoint \(arrays \['json'\]\)"):
        checkpoint.load(path)
    with pytest.raises(CheckpointError, match="no such checkpoint"):
        checkpoint.load(tmp_path / "none.npz")
    with pytest.raises(CheckpointError, match="choose a folder that exists"):
        checkpoint.save(tmp_path / "no" / "c.npz", {}, {})


@pytest.mark.parametrize("name", CASES)
def test_parameters_survive_as_text(name: str) -> None:
    params = CASES[name][1]
    assert codec._decode(json.loads(json.dumps(codec._encode(params)))) == params
    for wrong in ("Path", "fields", "Loss"):
        with pytest.raises(CheckpointError, match=f"parameters of class '{wrong}' are unknown"):
            codec._decode({"class": wrong})


def test_losses_survive_as_text_and_a_users_own_must_be_given() -> None:
    here = Path("c.npz")
    for loss in (Squared(2.5), Logistic(0.1), Poisson(1.5)):
        assert codec._decode_loss(here, codec._encode_loss(loss), None) == loss
        assert codec._decode_loss(here, codec._encode_loss(loss), loss) is loss
    with pytest.raises(CheckpointError, match=r"was made with loss .* pass the same loss"):
        codec._decode_loss(here, codec._encode_loss(Squared(2.5)), Squared(2.0))
    own = user_squared()
    assert codec._decode_loss(here, codec._encode_loss(own), own) is own
    for text in (codec._encode_loss(own), {"class": "kernels", "title": "t"}, {"class": "Path", "title": "t"}):
        with pytest.raises(CheckpointError, match="was made with the user's own loss"):
            codec._decode_loss(here, text, None)
