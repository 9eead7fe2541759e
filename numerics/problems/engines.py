r"""Expectations E[f(a.x_1, ..., a.x_p, b) T(a)] where T(a) is 1, a, a a^T, |a|^2, ... : the only place that integrates.

Finite support: sums over atoms and labels. See `gaussian.py` for Gaussian designs and their scale mixtures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from numerics.designs import Design, FiniteSupport
from numerics.designs.checks import Array
from numerics.losses import Loss

from .discrete_labels import TabulatedLabels
from .estimate import ROUNDING, Accuracy, Estimate, Pass, refined
from .labels import LabelModel
from .quadrature import SHARP, graded_edges

Integrand = Callable[[Sequence[Array], Array], Array]


class Weight(Enum):
    """T(a), the tensor that multiplies the scalar integrand."""

    ONE = "1"
    VECTOR = "a"
    MATRIX = "a a^T"
    NORM = "|a|^2"
    STATISTICAL_NORM = "|a|^2_{Sigma^-1}"
    NORM_MATRIX = "|a|^2 a a^T"
    STATISTICAL_NORM_MATRIX = "|a|^2_{Sigma^-1} a a^T"


@dataclass(frozen=True, eq=False)
class Engine(ABC):
    """Integrates for one design, loss and label model."""

    design: Design
    loss: Loss
    labels: LabelModel
    accuracy: Accuracy

    @abstractmethod
    def expect(
        self, f: Integrand, xs: Sequence[Array], weight: Weight, *, what: str, aligned: Sequence[Array] = ()
    ) -> Estimate[Array]:
        """E[f((a.x for x in xs + aligned), b) T(a)]. `aligned` vectors lie in the span of the others up to rounding."""

    def label_nodes(self, labels: LabelModel, t: Array, z: Sequence[Array], level: int) -> tuple[Array, Array]:
        """Labels and weights given the predictors, split at the kinks of the loss; labels are checked."""
        places = [zi[:, None] - self.residual_edges for zi in z]
        b, w = labels.conditional(t, np.concatenate(places, axis=1), level)
        return self.loss.check_labels(b), w

    @cached_property
    def residual_edges(self) -> Array:
        """Residuals at which an integral over continuous label noise is split."""
        edges, width = list(self.loss.kinks_in_residual), self.loss.width_in_residual
        if width is not None and self.labels.spread > SHARP * width:
            edges += graded_edges(0.0, width, min(self.labels.spread, 32 * width) * 8)
        return np.array(edges)


@dataclass(frozen=True, eq=False)
class FiniteEngine(Engine):
    """Sums over the atoms of `support`, which has the law of `design`."""

    support: FiniteSupport

    def expect(
        self, f: Integrand, xs: Sequence[Array], weight: Weight, *, what: str, aligned: Sequence[Array] = ()
    ) -> Estimate[Array]:
        every = [*xs, *aligned]
        if not self.labels.exact_sum:
            return refined(lambda level: self._pass(f, xs, every, weight, level), what=what, accuracy=self.accuracy)
        once = self._pass(f, xs, every, weight, 0)
        return Estimate(once.value, ROUNDING * once.size)

    def _pass(self, f: Integrand, xs: Sequence[Array], every: Sequence[Array], weight: Weight, level: int) -> Pass:
        atoms = self.support.atoms
        z = [atoms @ x for x in every]
        b, w = self.label_nodes(self.labels, self._predictors(), z[: len(xs)], level)
        terms = f([zi[:, None] for zi in z], b) * w
        mass = self.support.weights
        value = self._weighted(mass * terms.sum(axis=1), weight)
        size = self._weighted(mass * np.abs(terms).sum(axis=1), weight)
        return Pass(value, float(np.max(np.abs(size))))

    def _predictors(self) -> Array:
        atoms = self.support.atoms
        return (
            np.empty((len(atoms), 0)) if isinstance(self.labels, TabulatedLabels) else atoms @ self.labels.directions.T
        )

    def _weighted(self, c: Array, weight: Weight) -> Array:
        atoms = self.support.atoms
        norms = np.sum(atoms**2, axis=1)
        match weight:
            case Weight.ONE:
                return np.asarray(c.sum())
            case Weight.VECTOR:
                return np.asarray(atoms.T @ c)
            case Weight.MATRIX:
                return _gram(atoms, c)
            case Weight.NORM:
                return np.asarray(c @ norms)
            case Weight.STATISTICAL_NORM:
                return np.asarray(c @ self.support.leverages)
            case Weight.NORM_MATRIX:
                return _gram(atoms, c * norms)
            case Weight.STATISTICAL_NORM_MATRIX:
                return _gram(atoms, c * self.support.leverages)


def _gram(atoms: Array, c: Array) -> Array:
    gram = atoms.T @ (atoms * c[:, None])
    return np.asarray((gram + gram.T) / 2)
