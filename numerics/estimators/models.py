"""SADARegressor, SADAClassifier and SADAGeneralizedLinear: scikit-learn estimators that learn in one pass."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.designs.checks import Array
from numerics.losses import Loss, Poisson

from .base import SADA, SHARED
from .checks import HUGE_LABEL, check_size, two_or_more
from .counts import reached
from .frame import Wish
from .joint import probabilities
from .named import MU, Chosen, chosen, expected, indicators, of_classes
from .scikit import ClassifierMixin, RegressorMixin, check_classification_targets
from .score import explained
from .softmax import Softmax


class SADARegressor(RegressorMixin, SADA):  # type: ignore[misc]
    __doc__ = f"""Linear regression by SADA in a single pass over the rows; y may have several columns.
{SHARED}"""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.positive_only = isinstance(self._safe_loss(), Poisson)
        return tags

    def _safe_loss(self) -> Loss | None:
        try:
            return self._loss()
        except ValueError:
            return None

    def _chosen(self) -> Chosen:
        return chosen("squared")

    def _loss(self) -> Loss:
        return self._chosen().loss

    def _learnt_loss(self) -> Loss:
        """With what was seen of the labels."""
        loss = self._model_loss()
        assert isinstance(loss, Loss)
        return loss

    def _own_units(self) -> bool:
        return self._chosen().own_units

    def _flat(self) -> bool:
        return bool(self._one_output)

    def _targets(self, y: Any) -> Array:
        targets = np.asarray(y, dtype=np.float64)
        check_size("y", targets, HUGE_LABEL)
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
        found = expected(self._learnt_loss(), self._linear(X))
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
        ridge: float | None = None,
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
        z = self._linear(X)
        targets = np.asarray(y, dtype=np.float64).reshape(len(z), -1)
        weights = self._weights(sample_weight, z)
        unit = np.ones(targets.shape[1]) if self._learner is None else np.array(self._learner.units)
        loss = self._learnt_loss()
        return explained(loss, reached(loss, z) / unit, targets / unit, weights)


class SADAClassifier(ClassifierMixin, SADA):  # type: ignore[misc]
    __doc__ = f"""Logistic regression by SADA in a single pass over the rows; several classes at once (softmax).

    mu: the loss is log(1 + exp(-b z)) + mu z^2/2, or log sum_k exp(z_k) - z_b + mu |z|^2/2 for several classes, so that
    predictions z are held back by mu. `partial_fit` needs `classes` at its first call.
{SHARED}"""

    def __init__(
        self,
        *,
        mu: float = MU,
        fit_intercept: bool = True,
        precondition: Wish = "auto",
        ridge: float | None = None,
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

    def _loss(self) -> Loss | Softmax:
        return of_classes(len(self.classes_), self.mu)

    def _targets(self, y: NDArray[Any]) -> Array:
        return indicators(np.asarray(y), self.classes_)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        self._check_settings()
        x, labels = self._checked(X, y, reset=True, least=2)
        self.classes_ = two_or_more(labels)
        check_classification_targets(labels)
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
            self.classes_ = two_or_more(classes)
        elif classes is not None and not np.array_equal(np.unique(np.asarray(classes)), self.classes_):
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
