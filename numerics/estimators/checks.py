"""What the estimators refuse, each with the value and the remedy."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.designs.checks import Array

from .frame import WISHES

HUGE, HUGE_LABEL = 1e100, 1e60  # squares of larger numbers overflow, and fourth powers of residuals
LEAST_WEIGHT, MOST_WEIGHT = 1e-60, 1e60
LIGHT = 0.1  # a mean weight below this leaves the rows to the ridge


def check_counts(**counts: Any) -> None:
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
            raise ValueError(f"{name} = {value!r} must be an integer >= 1")


def check_wish(wish: Any) -> None:
    if wish not in WISHES:
        raise ValueError(f"precondition = {wish!r} is unknown; choose 'auto', 'diagonal', 'full' or None")


def check_ridge(ridge: Any) -> None:
    if ridge is None:
        return
    number = isinstance(ridge, (int, float, np.number)) and not isinstance(ridge, bool)
    if not number or not 0 < ridge < np.inf:
        raise ValueError(f"ridge = {ridge!r} must be a positive finite number; 1e-6 is nearly none, None chooses")


def check_size(name: str, values: Array, most: float = HUGE) -> None:
    largest = float(np.max(np.abs(values), initial=0.0))
    if largest > most:
        raise ValueError(f"{name} holds {largest:.3g}: powers of numbers beyond {most:g} overflow; rescale them")


def allowed_weights(weights: Array) -> NDArray[np.bool_]:
    return np.asarray((weights == 0) | ((weights >= LEAST_WEIGHT) & (weights <= MOST_WEIGHT)))


def checked_weights(weights: Array) -> Array:
    """Weights as they are: a weight of 2 is a row twice, so that they are meant to be about 1."""
    positive = weights[weights > 0]
    alien = weights[~allowed_weights(weights)]
    if alien.size:
        raise ValueError(
            f"sample_weight holds {alien[0]:.3g}: weights are 0 or between {LEAST_WEIGHT:g} and {MOST_WEIGHT:g}; "
            "divide them by their mean"
        )
    if positive.size and positive.mean() < LIGHT:
        warnings.warn(
            f"sample_weight has mean {positive.mean():.3g}: a weight counts rows, so {positive.size} rows count as "
            f"{positive.sum():.3g} and the ridge outweighs them; divide the weights by their mean",
            stacklevel=4,
        )
    return weights


def two_or_more(labels: Any) -> NDArray[Any]:
    """The classes, sorted."""
    try:
        classes = np.unique(np.asarray(labels))
    except TypeError:
        kinds = sorted({type(one).__name__ for one in np.asarray(labels, dtype=object).ravel()})
        raise ValueError(f"the labels mix {' and '.join(kinds)}, which have no order; use one type") from None
    if len(classes) < 2:
        raise ValueError(f"the labels hold one class only, {classes.tolist()[0]!r}; a classifier needs two classes")
    return classes
