"""Losses by name, as the estimators and `lemmalab fit` take them, and what a prediction is under each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from numerics.designs.checks import Array
from numerics.losses import Logistic, Loss, Poisson, PseudoHuber, SmoothQuantile, Squared, huber

from .counts import Counts, reached
from .softmax import Softmax

NAMES = ("squared", "logistic", "poisson", "huber", "pseudo-huber", "quantile")
REGULARISATION = 1e-3
MU = 1e-4  # of logistic classification


@dataclass(frozen=True)
class Chosen:
    """A loss; `own_units`: its width is in units of the spread of the first residuals."""

    loss: Loss
    own_units: bool


def chosen(loss: str | Loss, quantile: float = 0.5) -> Chosen:
    """A name, or an object of `numerics.losses`, which is taken as it is."""
    if isinstance(loss, Loss):
        return Chosen(loss, own_units=False)
    if loss not in NAMES:
        raise ValueError(f"loss = {loss!r} is unknown; choose {', '.join(NAMES)} or an object of numerics.losses")
    if not 0 < quantile < 1:
        raise ValueError(f"quantile = {quantile!r} is none; choose a number between 0 and 1")
    made: dict[str, Loss] = {
        "squared": Squared(),
        "logistic": Logistic(REGULARISATION),
        "poisson": Counts(),
        "huber": huber(1.35, REGULARISATION),
        "pseudo-huber": PseudoHuber(REGULARISATION, 1.0, 1.35),
        "quantile": SmoothQuantile(REGULARISATION, quantile, 0.05),
    }
    return Chosen(made[loss], own_units=made[loss].residual and loss != "squared")


def of_classes(count: int, mu: float = MU) -> Logistic | Softmax:
    """The loss of classification: one prediction for two classes, one a class for more."""
    return Logistic(mu) if count == 2 else Softmax(mu)


def indicators(labels: NDArray[Any], classes: NDArray[Any]) -> Array:
    """+1 at the class and -1 elsewhere: one column for two classes (that of the second), else one a class."""
    shown = classes[1:] if len(classes) == 2 else classes
    return np.where(labels[:, None] == shown[None, :], 1.0, -1.0)


def expected(loss: Loss | Softmax, z: Array) -> Array:
    """The prediction of the label at z = a.x: exp z for Poisson, 2/(1 + exp(-z)) - 1 for labels -1 and 1, else z."""
    if isinstance(loss, Poisson):
        return np.asarray(np.exp(np.minimum(reached(loss, z), 700.0)))
    return np.asarray(2 * expit(z) - 1) if isinstance(loss, Logistic) else z
