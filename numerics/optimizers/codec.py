"""A run in progress as text and arrays for a checkpoint file, and back."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from numerics import checkpoint as files
from numerics import losses as loss_module
from numerics.checkpoint import Arrays
from numerics.designs.checks import Array
from numerics.errors import CheckpointError
from numerics.losses import Loss, UserLoss

from . import params as params_module
from .info import ProblemInfo
from .params import Params
from .state import State


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A state in mid-run with its records, its goal and the fingerprint of its stream."""

    state: State
    counts: tuple[int, ...]
    iterates: tuple[Array, ...]
    goal: int
    record: tuple[int, ...]
    stream: str


def save(path: Path, kept: Checkpoint) -> None:
    """Write a run in progress."""
    arrays: Arrays = {
        "counts": np.array(kept.counts, dtype=np.int64),
        "iterates": np.array(kept.iterates).reshape(len(kept.counts), kept.state.info.dim),
    }
    state = _encode_state(kept.state, "", arrays)
    files.save(path, {"state": state, "goal": kept.goal, "record": kept.record, "stream": kept.stream}, arrays)


def load(path: Path, *, loss: Loss | None = None) -> Checkpoint:
    """Read a run in progress; its state has no plan yet."""
    text, arrays = files.load(path)
    if "state" not in text or not {"counts", "iterates"} <= arrays.keys():
        raise CheckpointError(f"{path}: is a checkpoint of something else than a run; check the name")
    state = _decode_state(path, text["state"], "", arrays, loss)
    counts = tuple(int(count) for count in arrays["counts"])
    return Checkpoint(state, counts, tuple(arrays["iterates"]), text["goal"], tuple(text["record"]), text["stream"])


def _encode_state(state: State, prefix: str, arrays: Arrays) -> dict[str, Any]:
    held = state.held or ((np.empty((0, state.info.dim)), np.empty(0)),)
    arrays[f"{prefix}x0"], arrays[f"{prefix}clock"], arrays[f"{prefix}vectors"] = state.x0, state.clock, state.vectors
    arrays[f"{prefix}held_a"] = np.concatenate([a for a, _ in held])
    arrays[f"{prefix}held_b"] = np.concatenate([b for _, b in held])
    constants = {f.name: getattr(state.info, f.name) for f in fields(ProblemInfo) if f.name != "loss"}
    return {
        "method": state.method,
        "seen": state.seen,
        "labelled": state.labelled,
        "params": _encode(state.params),
        "info": constants,
        "loss": _encode_loss(state.info.loss),
        "inner": None if state.inner is None else _encode_state(state.inner, f"{prefix}inner_", arrays),
    }


def _decode_state(path: Path, text: dict[str, Any], prefix: str, arrays: Arrays, loss: Loss | None) -> State:
    held = arrays[f"{prefix}held_a"], arrays[f"{prefix}held_b"]
    info = ProblemInfo(loss=_decode_loss(path, text["loss"], loss), **text["info"])
    inner = text["inner"]
    return State(
        method=text["method"],
        info=info,
        params=_decode(text["params"]),
        x0=arrays[f"{prefix}x0"],
        seen=text["seen"],
        labelled=text["labelled"],
        clock=arrays[f"{prefix}clock"],
        vectors=arrays[f"{prefix}vectors"],
        held=(held,) if len(held[1]) else (),
        inner=None if inner is None else _decode_state(path, inner, f"{prefix}inner_", arrays, loss),
    )


def _encode(value: object) -> Any:
    """Parameters as JSON: dataclasses by class and fields. Floats survive exactly: repr is shortest round-trip."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"class": type(value).__name__, **{f.name: _encode(getattr(value, f.name)) for f in fields(value)}}
    return list(value) if isinstance(value, tuple) else value


def _decode(text: Any) -> Any:
    if isinstance(text, dict):
        kind = getattr(params_module, text["class"], None)
        if not (isinstance(kind, type) and issubclass(kind, Params)):
            raise CheckpointError(f"checkpoint: parameters of class {text['class']!r} are unknown; update this program")
        return kind(**{name: _decode(value) for name, value in text.items() if name != "class"})
    return tuple(text) if isinstance(text, list) else text


def _encode_loss(loss: Loss) -> dict[str, Any]:
    if isinstance(loss, UserLoss):
        return {"class": "UserLoss", "title": loss.title, "L": loss.L, "mu": loss.mu}
    return {"class": type(loss).__name__, **{f.name: getattr(loss, f.name) for f in fields(loss) if f.init}}


def _decode_loss(path: Path, text: dict[str, Any], given: Loss | None) -> Loss:
    if given is not None and _encode_loss(given) != text:
        raise CheckpointError(f"{path}: was made with loss {text}, not {_encode_loss(given)}; pass the same loss")
    if given is not None:
        return given
    kind = getattr(loss_module, text["class"], None)
    if text["class"] == "UserLoss" or not (isinstance(kind, type) and issubclass(kind, Loss)):
        raise CheckpointError(f"{path}: was made with the user's own loss {text.get('title')!r}; pass it as loss=")
    return kind(**{name: value for name, value in text.items() if name != "class"})
