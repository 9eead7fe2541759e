"""SADARegressor, SADAClassifier and SADAGeneralizedLinear: scikit-learn estimators that learn in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets, unique_labels
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(f"numerics.estimators needs scikit-learn ({error}); pip install 'lemmalab[sklearn]'") from None

from numerics.designs.checks import Array
from numerics.errors import CheckpointError
from numerics.losses import Logistic, Loss, Poisson

from .files import Model, load, probabilities
from .frame import WISHES, Wish, granted
from .learner import Learner, Settings, first_rows
from .named import MU, Chosen, chosen, expected

BLOCK = 8192  # sparse rows are made dense so many at a time
HUGE = 1e100  # squares of larger numbers overflow
SHARED = """
    fit_intercept: add an intercept. precondition: "full" whitens the columns (O(d^2) a row), "diagonal" scales them,
    None takes them as they are; "auto" whitens up to 64 and scales more. ridge: the penalty ridge |x|^2/2 on the first
    rows, in scaled columns. chunk: number of first rows that are solved to the end (None: four a column, at least 256).
    passes: passes of `fit`. shuffle, random_state: the order of the rows in `fit`. `partial_fit` takes rows in the
    order given, once; how the stream is cut and in which units its columns are does not matter.
"""


class _SADA(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """What the estimators share; subclasses say what the loss and the targets are."""

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        precondition: Wish = "auto",
        ridge: float = 0.1,
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
        for name, value in (("chunk", 1 if self.chunk is None else self.chunk), ("passes", self.passes)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise ValueError(f"{name} = {value!r} must be an integer >= 1")
        if self.precondition not in WISHES:
            raise ValueError(
                f"precondition = {self.precondition!r} is unknown; choose 'auto', 'diagonal', 'full' or None"
            )
        if isinstance(self.ridge, bool) or not isinstance(self.ridge, (int, float, np.number)) or not self.ridge > 0:
            raise ValueError(f"ridge = {self.ridge!r} must be a positive number; 1e-6 is nearly none")

    def _chosen(self) -> Chosen:
        raise TypeError("use SADARegressor, SADAClassifier or SADAGeneralizedLinear")

    def _begin(self, dim: int, outputs: int, total: int | None) -> Learner:
        first = first_rows(dim) if self.chunk is None else -(-int(self.chunk) // 8) * 8
        loss = self._chosen()
        return Learner.begin(
            Settings(
                loss.loss,
                dim,
                outputs,
                bool(self.fit_intercept),
                granted(self.precondition, dim),
                float(self.ridge),
                first,
                total,
                loss.own_units,
            )
        )

    def _checked(self, X: Any, y: Any, *, reset: bool, least: int = 1, **more: Any) -> tuple[Any, Any]:
        x, targets = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset, ensure_min_samples=least, **more
        )
        largest = np.abs(x.data if sparse.issparse(x) else x)
        if largest.size and largest.max() > HUGE:
            raise ValueError(
                f"X holds {largest.max():.3g}: numbers beyond {HUGE:g} overflow when squared; rescale them"
            )
        return x, targets

    def _weights(self, sample_weight: Any, x: Any) -> Array:
        found = _check_sample_weight(sample_weight, x, dtype=np.float64, ensure_non_negative=True)
        return np.asarray(found, dtype=np.float64)

    def _fit(self, x: Any, targets: Array, weights: Array) -> None:
        """`targets` (n, outputs)."""
        self._chosen().loss.check_labels(targets)
        kept = int(np.count_nonzero(weights))
        if not kept:
            raise ValueError("sample_weight is zero everywhere; give at least one row a positive weight")
        learner = self._begin(x.shape[1], targets.shape[1], kept * int(self.passes))
        rng = check_random_state(self.random_state)
        for _ in range(int(self.passes)):
            order = rng.permutation(x.shape[0]) if self.shuffle else np.arange(x.shape[0])
            for rows in _blocks(order):
                learner = learner.fed(_dense(x[rows]), targets[rows], weights[rows])
        self._set(learner)

    def _partial_fit(self, x: Any, targets: Array, weights: Array, *, begin: bool) -> None:
        learner = self._begin(x.shape[1], targets.shape[1], None) if begin else self._learner
        if learner is None:
            raise ValueError("this model was read from JSON, which holds no state; fit anew, or load the .npz to go on")
        self._chosen().loss.check_labels(targets)
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
            self._chosen().loss,
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
        return model


class SADARegressor(RegressorMixin, _SADA):  # type: ignore[misc]
    __doc__ = f"""Linear regression by SADA in a single pass over the rows; y may have several columns.
{SHARED}"""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.positive_only = isinstance(self._safe_loss(), Poisson)
        return tags

    def _safe_loss(self) -> Loss | None:
        try:
            return self._chosen().loss
        except ValueError:
            return None

    def _chosen(self) -> Chosen:
        return chosen("squared")

    def _flat(self) -> bool:
        return bool(self._one_output)

    def _targets(self, y: Any) -> Array:
        targets = np.asarray(y, dtype=np.float64)
        self._one_output = targets.ndim == 1
        return targets[:, None] if targets.ndim == 1 else targets

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        self._check_settings()
        x, y = self._checked(X, y, reset=True, least=2, y_numeric=True, multi_output=True)
        self._read = None
        self._fit(x, self._targets(y), self._weights(sample_weight, x))
        return self

    def partial_fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        self._check_settings()
        begin = not hasattr(self, "n_samples_seen_")
        x, y = self._checked(X, y, reset=begin, y_numeric=True, multi_output=True)
        outputs = None if begin or self._learner is None else self._learner.settings.outputs
        targets = self._targets(y)
        if outputs is not None and targets.shape[1] != outputs:
            raise ValueError(f"y has {targets.shape[1]} outputs, the first call had {outputs}; give as many")
        self._partial_fit(x, targets, self._weights(sample_weight, x), begin=begin)
        return self

    def predict(self, X: ArrayLike) -> Array:
        found = expected(self._chosen().loss, self._linear(X))
        return found[:, 0] if self._flat() else found


class SADAGeneralizedLinear(SADARegressor):
    __doc__ = f"""Any loss l(a.x, b) by SADA in a single pass: regression, counts, robust fits, quantiles.

    loss: squared, logistic (labels -1 and 1), poisson, huber, pseudo-huber, quantile, or an object of numerics.losses.
    The widths of huber, pseudo-huber and quantile are in units of the spread of the residuals of the first rows; an
    object is taken as it is. quantile: which one, for loss="quantile". `predict` gives the expected label (exp of the
    linear predictor for Poisson); `score` is the part of the loss of the best constant that is explained.
{SHARED}"""

    def __init__(
        self,
        *,
        loss: str | Loss = "squared",
        quantile: float = 0.5,
        fit_intercept: bool = True,
        precondition: Wish = "auto",
        ridge: float = 0.1,
        chunk: int | None = None,
        passes: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            fit_intercept=fit_intercept,
            precondition=precondition,
            ridge=ridge,
            chunk=chunk,
            passes=passes,
            shuffle=shuffle,
            random_state=random_state,
        )
        self.loss = loss
        self.quantile = quantile

    def _chosen(self) -> Chosen:
        return chosen(self.loss, self.quantile)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """1 - (loss - best)/(loss of the best constant - best), best = the smallest loss that any predictor has."""
        from .score import explained

        z = self._linear(X)
        targets = np.asarray(y, dtype=np.float64).reshape(len(z), -1)
        weights = self._weights(sample_weight, z)
        unit = np.ones(targets.shape[1]) if self._learner is None else np.array(self._learner.units)
        return explained(self._chosen().loss, z / unit, targets / unit, weights)


class SADAClassifier(ClassifierMixin, _SADA):  # type: ignore[misc]
    __doc__ = f"""Logistic regression by SADA in a single pass over the rows; several classes one against the rest.

    mu: the loss is log(1 + exp(-b z)) + mu z^2/2, so that predictions z are held back by mu. `partial_fit` needs
    `classes` at its first call.
{SHARED}"""

    def __init__(
        self,
        *,
        mu: float = MU,
        fit_intercept: bool = True,
        precondition: Wish = "auto",
        ridge: float = 0.1,
        chunk: int | None = None,
        passes: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            fit_intercept=fit_intercept,
            precondition=precondition,
            ridge=ridge,
            chunk=chunk,
            passes=passes,
            shuffle=shuffle,
            random_state=random_state,
        )
        self.mu = mu

    def _chosen(self) -> Chosen:
        return Chosen(Logistic(self.mu), own_units=False)

    def _targets(self, y: NDArray[Any]) -> Array:
        """-1 and +1, one column for two classes, else one a class."""
        classes = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        return np.where(np.asarray(y)[:, None] == classes[None, :], 1.0, -1.0)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        self._check_settings()
        x, labels = self._checked(X, y, reset=True, least=2)
        check_classification_targets(labels)
        self.classes_ = _two_or_more(unique_labels(labels))
        self._read = None
        self._fit(x, self._targets(labels), self._weights(sample_weight, x))
        return self

    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        self._check_settings()
        begin = not hasattr(self, "n_samples_seen_")
        x, labels = self._checked(X, y, reset=begin)
        check_classification_targets(labels)
        if begin:
            if classes is None:
                raise ValueError("classes must be given at the first call of partial_fit: all that will ever come")
            self.classes_ = _two_or_more(unique_labels(np.asarray(classes)))
        elif classes is not None and not np.array_equal(unique_labels(np.asarray(classes)), self.classes_):
            raise ValueError(f"classes = {classes!r} differ from those of the first call, {self.classes_!r}")
        alien = np.setdiff1d(labels, self.classes_)
        if alien.size:
            raise ValueError(f"label {alien[0]!r} is none of the classes {self.classes_!r}; give all of them at first")
        self._partial_fit(x, self._targets(labels), self._weights(sample_weight, x), begin=begin)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        z = self._linear(X)
        return z[:, 0] if z.shape[1] == 1 else z

    def predict_proba(self, X: ArrayLike) -> Array:
        return probabilities(self._linear(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        z = self.decision_function(X)
        best = (z > 0).astype(np.intp) if z.ndim == 1 else np.argmax(z, axis=1)
        return np.asarray(self.classes_[best])


def _two_or_more(classes: NDArray[Any]) -> NDArray[Any]:
    if len(classes) < 2:
        raise ValueError(f"the labels hold one class only, {classes[0]!r}; a classifier needs two classes")
    return classes


def _plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, type(None)))


def _plain_class(value: Any) -> Any:
    return value if _plain(value) else str(value)


def _blocks(order: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    for start in range(0, len(order), BLOCK):
        yield order[start : start + BLOCK]


def _dense(x: Any) -> Array:
    return np.ascontiguousarray(x.toarray() if sparse.issparse(x) else x)
