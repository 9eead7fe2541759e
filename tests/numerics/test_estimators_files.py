"""Models as files: nothing is lost, nothing is unpickled, what is damaged or foreign is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numerics.errors import CheckpointError
from numerics.estimators import SADAClassifier, SADAGeneralizedLinear, SADARegressor
from numerics.estimators.files import FORMAT
from numerics.losses import SoftplusQuadratic, UserLoss

from .test_estimators import classes_of, drawn

X, Y = drawn(3000)
OWN = UserLoss(1.0, 1.0, l=lambda z, b: (z - b) ** 2 / 2, dl=lambda z, b: z - b, ddl=lambda z, b: 0 * z + 1.0)
MODELS = [
    (SADARegressor(precondition="full"), Y),
    (SADARegressor(), np.column_stack([Y, -Y])),
    (SADAClassifier(mu=0.01), classes_of(Y)),
    (SADAClassifier(), np.digitize(Y, np.quantile(Y, [0.3, 0.6]))),
    (SADAGeneralizedLinear(loss="huber"), Y),
    (SADAGeneralizedLinear(loss=SoftplusQuadratic(0.5)), Y),
]


def begun(model: Any, y: np.ndarray, rows: int) -> Any:
    more = {"classes": np.unique(y)} if isinstance(model, SADAClassifier) else {}
    return type(model)(**model.get_params()).partial_fit(X[:rows], y[:rows], **more)


@pytest.mark.parametrize(("model", "y"), MODELS)
@pytest.mark.parametrize("rows", [100, 1700])
def test_a_model_read_back_predicts_the_same_and_goes_on_with_the_same_bits(
    model: Any, y: np.ndarray, rows: int, tmp_path: Path
) -> None:
    fitted = begun(model, y, rows)
    for name in ("m.npz", "m.json"):
        fitted.save(tmp_path / name)
        again = type(model).load(tmp_path / name)
        assert np.array_equal(again.predict(X), fitted.predict(X))
        assert again.n_samples_seen_ == rows
    whole = type(model).load(tmp_path / "m.npz").partial_fit(X[rows:], y[rows:])
    assert np.array_equal(whole.coef_, begun(model, y, 3000).coef_)
    with pytest.raises(ValueError, match=r"read from JSON, which holds no state; fit anew, or load the \.npz"):
        type(model).load(tmp_path / "m.json").partial_fit(X, y)


def test_the_same_model_is_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz", "a.json", "b.json"):
        begun(*MODELS[0], 1000).save(tmp_path / name)
    for suffix in ("npz", "json"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_a_loss_of_the_users_own_must_be_given_again(tmp_path: Path) -> None:
    model = SADAGeneralizedLinear(loss=OWN).fit(X, Y)
    model.save(tmp_path / "m.npz")
    with pytest.raises(CheckpointError, match=r"user's own loss 'user-defined'; pass it as loss="):
        SADAGeneralizedLinear.load(tmp_path / "m.npz")
    again = SADAGeneralizedLinear.load(tmp_path / "m.npz", loss=OWN)
    assert np.array_equal(again.predict(X), model.predict(X))


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    model = SADARegressor().fit(X, Y)
    with pytest.raises(CheckpointError, match=r"suffix '\.pkl' is not known; use \.npz"):
        model.save(tmp_path / "m.pkl")
    model.save(tmp_path / "m.npz")
    with pytest.raises(CheckpointError, match="holds a SADARegressor, not a SADAClassifier"):
        SADAClassifier.load(tmp_path / "m.npz")
    content = bytearray((tmp_path / "m.npz").read_bytes())
    content[content.find(model.coef_.tobytes())] ^= 1
    (tmp_path / "m.npz").write_bytes(bytes(content))
    with pytest.raises(CheckpointError, match=r"digest|truncated"):
        SADARegressor.load(tmp_path / "m.npz")
    (tmp_path / "x.json").write_text("[1, 2")
    with pytest.raises(CheckpointError, match="cannot be read as JSON"):
        SADARegressor.load(tmp_path / "x.json")
    (tmp_path / "x.json").write_text("[1, 2]")
    with pytest.raises(CheckpointError, match="is no model of this program"):
        SADARegressor.load(tmp_path / "x.json")
    with pytest.raises(CheckpointError, match="no such model"):
        SADARegressor.load(tmp_path / "none.json")
    alien = json.dumps({"class": "os.system", "fields": {}})
    model.save(tmp_path / "m.json")
    text = json.loads((tmp_path / "m.json").read_text()) | {"loss": json.loads(alien)}
    (tmp_path / "m.json").write_text(json.dumps(text))
    with pytest.raises(CheckpointError, match=r"holds a 'os\.system', which this program does not know"):
        SADARegressor.load(tmp_path / "m.json")


@pytest.mark.parametrize("version", ["lemmalab model 1", "lemmalab model 2"])
def test_a_model_of_an_older_version_is_told_from_a_foreign_file(tmp_path: Path, version: str) -> None:
    """The classes of one were learnt one against the rest; the other did not keep the range of its labels."""
    path = tmp_path / "m.json"
    begun(*MODELS[3], 300).save(path)
    path.write_text(path.read_text().replace(FORMAT, version))
    with pytest.raises(CheckpointError, match="older version, which kept less of what it had seen; fit again"):
        SADAClassifier.load(path)
