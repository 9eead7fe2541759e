"""Models as files without pickle: .npz (all of the state, with a digest) and .json (coefficients, for people)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from numerics import checkpoint
from numerics.designs.checks import Array
from numerics.errors import CheckpointError
from numerics.losses import Loss

from .learner import Learner
from .named import expected
from .softmax import Softmax
from .storage import decoded, encoded

FORMAT = "lemmalab model 3"
OLDER = ("lemmalab model 1", "lemmalab model 2")


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted predictor; `raw` (outputs, columns + 1) are coefficients and intercepts, `learner` all of the state."""

    estimator: str
    loss: Loss | Softmax
    raw: Array
    rows: int
    settings: dict[str, Any] = field(default_factory=dict)
    features: list[str] | None = None
    classes: list[Any] | None = None
    one_output: bool = False
    learner: Learner | None = None

    def linear(self, x: Array) -> Array:
        """z = a.x of every row and output."""
        return np.asarray(x @ self.raw[:, :-1].T + self.raw[:, -1])

    def predict(self, x: Array) -> Array:
        """Expected labels (n, outputs), or the classes (n,)."""
        z = self.linear(x)
        if self.classes is None:
            return expected(self.loss, z)
        best = (z[:, 0] > 0).astype(np.intp) if len(self.classes) == 2 else np.argmax(z, axis=1)
        return np.asarray(np.array(self.classes)[best])

    def summary(self) -> dict[str, Any]:
        """What the JSON holds."""
        learner = self.learner
        return {
            **self._head(),
            "coefficients": self.raw[:, :-1].tolist(),
            "intercepts": self.raw[:, -1].tolist(),
            "constants": {} if learner is None else learner.constants,
            "restarts": 0 if learner is None else learner.restarts,
        }

    def _head(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "estimator": self.estimator,
            "loss": encoded(self.loss, {}),
            "settings": self.settings,
            "rows": self.rows,
            "columns": self.raw.shape[1] - 1,
            "features": self.features,
            "classes": self.classes,
            "one_output": self.one_output,
        }

    def save(self, path: Path) -> None:
        """Written at once or not at all; the suffix says which of the two."""
        if path.suffix == ".json":
            checkpoint.replace_file(path, (json.dumps(self.summary(), indent=1) + "\n").encode())
        elif path.suffix == ".npz":
            arrays: checkpoint.Arrays = {"raw": self.raw}
            checkpoint.save(path, {**self._head(), "learner": encoded(self.learner, arrays)}, arrays)
        else:
            raise CheckpointError(f"{path}: suffix {path.suffix!r} is not known; use .npz (all of the state) or .json")


def load(path: Path, loss: Loss | None = None) -> Model:
    """The model; refused when the file is damaged. `loss` for a user's own, which no file can hold."""
    text, arrays = _read(path)
    if text.get("format") in OLDER:
        raise CheckpointError(f"{path}: is of an older version, which kept less of what it had seen; fit again")
    if text.get("format") != FORMAT:
        raise CheckpointError(f"{path}: is no model of this program; write one with `save` or `lemmalab fit`")
    raw = np.column_stack([text["coefficients"], text["intercepts"]]) if arrays is None else arrays["raw"]
    learner = None if arrays is None else decoded(text["learner"], arrays, loss)
    same = ("estimator", "rows", "settings", "features", "classes", "one_output")
    return Model(loss=decoded(text["loss"], {}, loss), raw=raw, learner=learner, **{name: text[name] for name in same})


def _read(path: Path) -> tuple[dict[str, Any], checkpoint.Arrays | None]:
    if path.suffix == ".npz":
        return checkpoint.load(path)
    try:
        text = json.loads(path.read_text())
    except FileNotFoundError:
        raise CheckpointError(f"{path}: no such model; check the name") from None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path}: cannot be read as JSON ({error}); load the .npz or fit again") from None
    return (text if isinstance(text, dict) else {}), None
