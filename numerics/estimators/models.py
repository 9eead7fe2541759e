"""SADARegressor and SADAClassifier: scikit-learn estimators that learn in one pass."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets, unique_labels
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(f"numerics.estimators needs scikit-learn ({error}); pip install 'lemmalab[sklearn]'") from None

from numerics.designs.checks import Array
from numerics.losses import Logistic, Loss, Squared

from .frame import PRECONDITIONS, Frame, Precondition, constants
from .learner import Endless, learn

FIRST_STAGE = 64


class _SADA(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """What both estimators share; subclasses say what the loss and the targets are."""

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        precondition: Precondition = "diagonal",
        chunk: int = 1000,
        passes: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.precondition = precondition
        self.chunk = chunk
        self.passes = passes
        self.shuffle = shuffle
        self.random_state = random_state

    def _check_settings(self) -> None:
        for name in ("chunk", "passes"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise ValueError(f"{name} = {value!r} must be an integer >= 1")
        if self.precondition not in PRECONDITIONS:
            raise ValueError(f"precondition = {self.precondition!r} is unknown; choose 'diagonal', 'full' or None")

    def _loss(self) -> Loss:
        raise TypeError("use SADARegressor or SADAClassifier")

    def _fit(self, x: Array, targets: Array) -> None:
        """`targets` (n, outputs)."""
        order = self._orders(len(x))
        first = next(order)
        x, targets = x[first], targets[first]
        self._set_frame(x[: self.chunk], targets[: self.chunk])
        rows = self._frame.rows(x)
        within = self._passes(order, len(x))
        weights = []
        for k in range(targets.shape[1]):
            found = learn(self._info, self._starts[k], rows, targets[:, k], within(), int(self.passes))
            if found is None:
                warnings.warn(
                    "SADA made no progress with any step size; the start is returned. Scale the data, or use "
                    "precondition='full'",
                    ConvergenceWarning,
                    stacklevel=3,
                )
            weights.append(self._starts[k] if found is None else found)
        self._endless: list[Endless] | None = None
        self.n_samples_seen_ = len(x) * int(self.passes)
        self._set_weights(weights)

    def _orders(self, n: int) -> Iterator[NDArray[np.intp]]:
        rng = check_random_state(self.random_state)
        while True:
            yield rng.permutation(n) if self.shuffle else np.arange(n)

    def _passes(self, order: Iterator[NDArray[np.intp]], n: int) -> Any:
        """The same orders for every output: the first pass as the rows are, the others shuffled anew."""
        orders = [np.arange(n), *(next(order) for _ in range(int(self.passes) - 1))]
        return lambda: iter(orders)

    def _set_frame(self, x: Array, targets: Array) -> None:
        self._frame = Frame.of(x, self.precondition, bool(self.fit_intercept))
        self._info = constants(self._frame.rows(x), self._loss())
        self._starts = [self._start(targets[:, k]) for k in range(targets.shape[1])]

    def _start(self, targets: Array) -> Array:
        return np.zeros(self._frame.dim)

    def _partial_fit(self, x: Array, targets: Array, *, begin: bool) -> None:
        if begin:
            self._set_frame(x, targets)
            first = max(FIRST_STAGE, 2 * len(x))
            self._endless = [Endless.begin(self._info, start, first) for start in self._starts]
            self.n_samples_seen_ = 0
        if self._endless is None:  # after fit: go on from its weights
            first = max(FIRST_STAGE, self.n_samples_seen_)
            self._endless = [Endless.begin(self._info, w, first) for w in self._weights]
        rows = self._frame.rows(x)
        self._endless = [one.fed(rows, targets[:, k]) for k, one in enumerate(self._endless)]
        self.n_samples_seen_ += len(x)
        self._set_weights([one.x for one in self._endless])

    def _set_weights(self, weights: list[Array]) -> None:
        self._weights = weights
        raw = [self._frame.raw(w) for w in weights]
        self._set_coefficients(np.array([c for c, _ in raw]), np.array([b for _, b in raw]))

    def _set_coefficients(self, coefficients: Array, intercepts: Array) -> None:
        self.coef_: Array = coefficients
        self.intercept_: Array | float = intercepts

    @property
    def constants_(self) -> dict[str, float]:
        """mu, lambda_max, R^2 and kappa~ as estimated from the first chunk, in the preconditioned coordinates."""
        check_is_fitted(self)
        names = ("mu", "lambda_max", "r2", "kappa_tilde")
        return {name: float(getattr(self._info, name)) for name in names}


class SADARegressor(RegressorMixin, _SADA):  # type: ignore[misc]
    """Linear regression by SADA in a single pass over the rows.

    fit_intercept: add an intercept. precondition: "diagonal" scales columns, "full" whitens them (O(d^2) a row), None
    takes them as they are. chunk: rows from which scales, mu, R^2 and kappa~ are estimated. passes: passes of `fit`.
    shuffle, random_state: the order of the rows in `fit`. `partial_fit` takes rows in the order given, once.
    """

    def _loss(self) -> Loss:
        return Squared()

    def _start(self, targets: Array) -> Array:
        """The mean of the first targets as intercept."""
        start = np.zeros(self._frame.dim)
        if self._frame.intercept:
            start[-1] = float(targets.mean())
        return start

    def _set_coefficients(self, coefficients: Array, intercepts: Array) -> None:
        self.coef_, self.intercept_ = coefficients[0], float(intercepts[0])

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        self._check_settings()
        x, targets = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        self._fit(x, np.asarray(targets, dtype=np.float64)[:, None])
        return self

    def partial_fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        self._check_settings()
        begin = not hasattr(self, "coef_")
        x, targets = validate_data(self, X, y, dtype=np.float64, y_numeric=True, reset=begin)
        self._partial_fit(x, np.asarray(targets, dtype=np.float64)[:, None], begin=begin)
        return self

    def predict(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        x = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(x @ self.coef_ + self.intercept_)


class SADAClassifier(ClassifierMixin, _SADA):  # type: ignore[misc]
    """Logistic regression by SADA in a single pass over the rows; several classes one against the rest.

    mu: the loss is log(1 + exp(-b z)) + mu z^2/2, so that predictions z are held back by mu. The other parameters are
    those of SADARegressor. `partial_fit` needs `classes` at its first call.
    """

    def __init__(
        self,
        *,
        mu: float = 1e-3,
        fit_intercept: bool = True,
        precondition: Precondition = "diagonal",
        chunk: int = 1000,
        passes: int = 1,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            fit_intercept=fit_intercept,
            precondition=precondition,
            chunk=chunk,
            passes=passes,
            shuffle=shuffle,
            random_state=random_state,
        )
        self.mu = mu

    def _loss(self) -> Loss:
        return Logistic(self.mu)

    def _targets(self, y: NDArray[Any]) -> Array:
        """-1 and +1, one column for two classes, else one a class."""
        classes = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        return np.where(np.asarray(y)[:, None] == classes[None, :], 1.0, -1.0)

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        self._check_settings()
        x, labels = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(labels)
        self.classes_ = _two_or_more(unique_labels(labels))
        self._fit(x, self._targets(labels))
        return self

    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        self._check_settings()
        begin = not hasattr(self, "coef_")
        x, labels = validate_data(self, X, y, dtype=np.float64, reset=begin)
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
        self._partial_fit(x, self._targets(labels), begin=begin)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        x = validate_data(self, X, dtype=np.float64, reset=False)
        z = np.asarray(x @ self.coef_.T + self.intercept_)
        return z[:, 0] if z.shape[1] == 1 else z

    def predict_proba(self, X: ArrayLike) -> Array:
        z = self.decision_function(X)
        p = expit(z)
        if p.ndim == 1:
            return np.column_stack([1 - p, p])
        p = np.maximum(p, 1e-300)
        return np.asarray(p / p.sum(axis=1, keepdims=True))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        z = self.decision_function(X)
        chosen = (z > 0).astype(np.intp) if z.ndim == 1 else np.argmax(z, axis=1)
        return np.asarray(self.classes_[chosen])


def _two_or_more(classes: NDArray[Any]) -> NDArray[Any]:
    if len(classes) < 2:
        raise ValueError(f"the labels hold one class only, {classes[0]!r}; a classifier needs two classes")
    return classes
