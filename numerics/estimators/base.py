"""What SADARegressor, SADAClassifier and SADAGeneralizedLinear share: settings, one pass over rows, files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from numerics.designs.checks import Array
from numerics.errors import CheckpointError
from numerics.losses import Loss

from .checks import check_counts, check_ridge, check_size, check_wish, checked_weights
from .files import Model, load
from .frame import Wish, granted
from .learner import UNIT, Learner, Settings, first_rows
from .scikit import BaseEstimator, check_is_fitted, check_random_state, check_sample_weight, validate_data
from .softmax import Softmax

BLOCK = 8192  # sparse rows are made dense so many at a time
SHARED = """
    fit_intercept: add an intercept. precondition: "full" whitens the columns (O(d^2) a row), "diagonal" scales them,
    None takes them as they are; "auto" whitens up to 64 and scales more. ridge: the penalty ridge |x|^2/2 on the first
    rows, in scaled columns (None: from 0.01 to 100, by leaving one of them out). chunk: number of first rows that are
    solved to the end (None: four a column, at least 256). passes: passes of `fit`. shuffle, random_state: the order of
    the rows in `fit`. `partial_fit` takes rows in the order given, once; how the stream is cut and in which units its
    columns are does not matter (a column that varies by less than 1e-150 counts as still).
"""


class SADA(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """What the estimators share; subclasses say what the loss and the targets are."""

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        precondition: Wish = "auto",
        ridge: float | None = None,
        chunk: int | None = None,
        passes: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.precondition = precondition
        self.ridge = ridge
        self.chunk = chunk
        self.passes = passes
        self.shuffle = shuffle
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _check_settings(self) -> None:
        check_counts(chunk=1 if self.chunk is None else self.chunk, passes=self.passes)
        check_wish(self.precondition)
        check_ridge(self.ridge)

    def _loss(self) -> Loss | Softmax:
        raise TypeError("use SADARegressor, SADAClassifier or SADAGeneralizedLinear")

    def _model_loss(self) -> Loss | Softmax:
        """The loss with what was seen of the labels."""
        learner: Learner | None = getattr(self, "_learner", None)
        if learner is not None:
            return learner.loss
        return getattr(self, "_read_loss", None) or self._loss()

    def _own_units(self) -> bool:
        return False

    def _begin(self, dim: int, outputs: int, total: int | None, rows: int | None = None) -> Learner:
        """`rows`: how many different ones there are; none is solved to the end beside itself, for the ridge is chosen
        by leaving one out."""
        first = first_rows(dim) if self.chunk is None else -(-int(self.chunk) // UNIT) * UNIT
        if rows is not None:
            first = min(first, max(UNIT, rows // UNIT * UNIT))
        return Learner.begin(
            Settings(
                self._loss(),
                dim,
                outputs,
                bool(self.fit_intercept),
                granted(self.precondition, dim),
                None if self.ridge is None else float(self.ridge),
                first,
                total,
                self._own_units(),
            )
        )

    def _checked(self, X: Any, y: Any, *, reset: bool, least: int = 1, **more: Any) -> tuple[Any, Any]:
        x, targets = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset, ensure_min_samples=least, **more
        )
        check_size("X", x.data if sparse.issparse(x) else x)
        return x, targets

    def _weights(self, sample_weight: Any, x: Any) -> Array:
        found = check_sample_weight(sample_weight, x, dtype=np.float64, ensure_non_negative=True)
        return checked_weights(np.asarray(found, dtype=np.float64))

    def _fit(self, x: Any, targets: Array, weights: Array) -> None:
        """`targets` (n, outputs)."""
        self._loss().check_labels(targets)
        kept = int(np.count_nonzero(weights))
        if not kept:
            raise ValueError("sample_weight is zero everywhere; give at least one row a positive weight")
        passes = int(self.passes)
        learner = self._begin(x.shape[1], targets.shape[1], kept * passes, kept if passes > 1 else None)
        rng = check_random_state(self.random_state)
        for _ in range(passes):
            order = rng.permutation(x.shape[0]) if self.shuffle else np.arange(x.shape[0])
            for rows in _blocks(order):
                learner = learner.fed(_dense(x[rows]), targets[rows], weights[rows])
        self._set(learner)

    def _partial_fit(self, x: Any, targets: Array, weights: Array, *, begin: bool) -> None:
        learner = self._begin(x.shape[1], targets.shape[1], None) if begin else self._learner
        if learner is None:
            raise ValueError("this model was read from JSON, which holds no state; fit anew, or load the .npz to go on")
        self._loss().check_labels(targets)
        if learner.settings.total is not None:  # after fit: from here on without a known end
            learner = replace(learner, settings=replace(learner.settings, total=None))
        for rows in _blocks(np.arange(x.shape[0])):
            learner = learner.fed(_dense(x[rows]), targets[rows], weights[rows])
        self._set(learner)

    def _set(self, learner: Learner) -> None:
        self._learner: Learner | None = learner
        self.n_samples_seen_ = learner.rows

    def _raw(self) -> Array:
        """(outputs, columns + 1): coefficients and intercepts."""
        if getattr(self, "_read", None) is not None:
            return np.asarray(self._read)
        learner: Learner | None = getattr(self, "_learner", None)
        if learner is None:
            raise AttributeError(f"this {type(self).__name__} has learnt nothing yet; call fit or partial_fit")
        return learner.coefficients

    def _flat(self) -> bool:
        """Whether one output is given back as a vector."""
        return False

    @property
    def coef_(self) -> Array:
        raw = self._raw()
        return raw[0, :-1] if self._flat() else raw[:, :-1]

    @property
    def intercept_(self) -> Any:
        raw = self._raw()
        return float(raw[0, -1]) if self._flat() else raw[:, -1]

    @property
    def constants_(self) -> dict[str, float]:
        """mu, lambda_max, R^2, kappa~ and alpha as estimated last, in the coordinates of the first output's loop."""
        check_is_fitted(self)
        return {} if self._learner is None else self._learner.constants

    @property
    def restarts_(self) -> int:
        """How often an estimate was wrong and a stage began again."""
        check_is_fitted(self)
        return 0 if self._learner is None else self._learner.restarts

    def _linear(self, X: Any) -> Array:
        check_is_fitted(self)
        x = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        raw = self._raw()
        return np.asarray(x @ raw[:, :-1].T + raw[:, -1])

    def save(self, path: str | Path) -> None:
        """Write the model without pickle: .npz with all of its state, or .json to be read by people."""
        check_is_fitted(self)
        names, classes = getattr(self, "feature_names_in_", None), getattr(self, "classes_", None)
        settings = {name: value for name, value in self.get_params(deep=False).items() if _plain(value)}
        Model(
            type(self).__name__,
            self._model_loss(),
            self._raw(),
            int(self.n_samples_seen_),
            settings,
            None if names is None else [str(name) for name in names],
            None if classes is None else [_plain_class(one) for one in classes.tolist()],
            bool(getattr(self, "_one_output", False)),
            self._learner,
        ).save(Path(path))

    @classmethod
    def load(cls, path: str | Path, *, loss: Loss | None = None) -> Self:
        """What `save` or `lemmalab fit` wrote; `loss` for a user's own. From JSON it predicts, from .npz it goes on."""
        kept = load(Path(path), loss)
        if kept.estimator != cls.__name__:
            raise CheckpointError(f"{path}: holds a {kept.estimator}, not a {cls.__name__}; load it as that")
        model = cls(**kept.settings)
        if "loss" in model.get_params() and "loss" not in kept.settings:
            model.set_params(loss=kept.loss)
        model.n_samples_seen_, model.n_features_in_ = kept.rows, kept.raw.shape[1] - 1
        if kept.features is not None:
            model.feature_names_in_ = np.array(kept.features, dtype=object)
        if kept.classes is not None:
            model.classes_ = np.array(kept.classes)
        model._one_output, model._learner = kept.one_output, kept.learner
        model._read = None if kept.learner is not None else kept.raw
        model._read_loss = kept.loss
        return model


def _plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, type(None)))


def _plain_class(value: Any) -> Any:
    return value if _plain(value) else str(value)


def _blocks(order: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    for start in range(0, len(order), BLOCK):
        yield order[start : start + BLOCK]


def _dense(x: Any) -> Array:
    return np.ascontiguousarray(x.toarray() if sparse.issparse(x) else x)
