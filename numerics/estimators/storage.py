"""A learner as text and arrays, for a file without pickle, and back with the same bits."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from numerics import losses
from numerics.checkpoint import Arrays
from numerics.errors import CheckpointError
from numerics.losses import Loss, UserLoss
from numerics.optimizers import InnerSteps, ProblemInfo

from .counts import Counts
from .frame import Frame, Moments
from .guard import Guard
from .inner import Inner
from .joint import JointInner
from .learner import Known, Learner, Rows, Settings
from .softmax import Softmax
from .track import Stage, Track

PARTS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Learner,
        Settings,
        Rows,
        Known,
        Moments,
        Frame,
        Track,
        Stage,
        Inner,
        InnerSteps,
        ProblemInfo,
        JointInner,
        Guard,
        Counts,
        Softmax,
    )
}


def encoded(value: Any, arrays: Arrays, name: str = "learner") -> Any:
    """JSON for `value`; its arrays go into `arrays`, named by their place."""
    if isinstance(value, np.ndarray):
        arrays[name] = value
        return {"array": name}
    if isinstance(value, UserLoss):
        return {"own": value.title, "L": value.L, "mu": value.mu}
    if is_dataclass(value) and not isinstance(value, type):
        inside = {f.name: encoded(getattr(value, f.name), arrays, f"{name}.{f.name}") for f in fields(value) if f.init}
        return {"class": type(value).__name__, "fields": inside}
    if isinstance(value, tuple):
        return {"tuple": [encoded(one, arrays, f"{name}.{i}") for i, one in enumerate(value)]}
    return value.item() if isinstance(value, np.generic) else value


def decoded(text: Any, arrays: Arrays, loss: Loss | None = None) -> Any:
    """The value; `loss` is needed for a user's own, which no file can hold."""
    if not isinstance(text, dict):
        return text
    if "array" in text:
        return arrays[text["array"]]
    if "own" in text:
        if not isinstance(loss, UserLoss) or (loss.title, loss.L, loss.mu) != (text["own"], text["L"], text["mu"]):
            raise CheckpointError(f"the model was made with the user's own loss {text['own']!r}; pass it as loss=")
        return loss
    if "tuple" in text:
        return tuple(decoded(one, arrays, loss) for one in text["tuple"])
    kind = PARTS.get(text["class"], getattr(losses, text["class"], None))
    if not (isinstance(kind, type) and is_dataclass(kind)):
        raise CheckpointError(f"the model holds a {text['class']!r}, which this program does not know; update it")
    return kind(**{name: decoded(one, arrays, loss) for name, one in text["fields"].items()})
