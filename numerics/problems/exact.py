r"""Least squares on a rational finite support in exact arithmetic: the referee of every float in this package.

Everything is a sum over outcomes (weight, atom, label): x* = Sigma^-1 E[b a], Q = s^2 E[r*^2 aa^T], and R(y) from its
definition with eps = -h s (a.y - b) + a.(y - x_+^*).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import fmpq, fmpq_mat

from numerics.designs import Design, ExactMoments
from numerics.designs.exact import as_fmpq
from numerics.losses import Loss, Squared

from .discrete_labels import TabulatedLabels
from .labels import LabelModel, LinearLabels
from .noise import DiscreteNoise


@dataclass(frozen=True, eq=False)
class ExactLeastSquares:
    """`outcomes` lists (probability, index of the atom, label); `scale` is the s of s (z - b)^2 / 2."""

    moments: ExactMoments
    outcomes: tuple[tuple[fmpq, int, fmpq], ...]
    scale: fmpq

    @cached_property
    def x_star(self) -> fmpq_mat:
        return self.moments.sigma_inverse * self._vector(lambda k, b: b)

    @property
    def H(self) -> fmpq_mat:
        return self.scale * self.moments.sigma

    @cached_property
    def Q(self) -> fmpq_mat:
        predictions = self.moments.atoms * self.x_star
        return self._matrix(lambda k, b: self.scale**2 * (predictions[k, 0] - b) ** 2)

    def F(self, x: fmpq_mat) -> fmpq:
        z = self.moments.atoms * x
        return sum((p * self.scale * (z[k, 0] - b) ** 2 / 2 for p, k, b in self.outcomes), fmpq(0))

    def gradient(self, x: fmpq_mat) -> fmpq_mat:
        z = self.moments.atoms * x
        return self._vector(lambda k, b: self.scale * (z[k, 0] - b))

    def x_plus_star(self, y: fmpq_mat, h: fmpq | int = 1) -> fmpq_mat:
        return y - fmpq(h) * (self.moments.sigma_inverse * self.gradient(y))

    def R(self, y: fmpq_mat, h: fmpq | int = 1) -> fmpq_mat:
        z = self.moments.atoms * y
        step = self.moments.atoms * (y - self.x_plus_star(y, h))
        return self._matrix(lambda k, b: (step[k, 0] - fmpq(h) * self.scale * (z[k, 0] - b)) ** 2)

    def _atom_weights(self, f: Callable[[int, fmpq], fmpq]) -> list[fmpq]:
        weights = [fmpq(0)] * self.moments.atoms.nrows()
        for p, k, b in self.outcomes:
            weights[k] += p * f(k, b)
        return weights

    def _matrix(self, f: Callable[[int, fmpq], fmpq]) -> fmpq_mat:
        return self.moments.weighted_gram(self._atom_weights(f))

    def _vector(self, f: Callable[[int, fmpq], fmpq]) -> fmpq_mat:
        weights = self._atom_weights(f)
        return self.moments.atoms.transpose() * fmpq_mat(len(weights), 1, weights)


def column(values: Any) -> fmpq_mat:
    """A rational column vector from Fractions or integers."""
    entries = [as_fmpq(v) for v in values]
    if None in entries:
        raise ValueError("column: an entry is not rational; give Fractions or integers")
    return fmpq_mat(len(entries), 1, entries)


def exact_least_squares(design: Design, loss: Loss, labels: LabelModel) -> ExactLeastSquares:
    """Refused unless loss, design and labels are all rational."""
    if not isinstance(loss, Squared):
        raise ValueError(f"exact(): the {loss.name} loss has no rational moments; use Squared()")
    support = design.finite_support()
    if support is None:
        raise ValueError(f"exact(): {type(design).__name__} has no finite support; use FiniteSupport or OneHot")
    moments = support.exact()
    numerator, denominator = loss.scale.as_integer_ratio()
    return ExactLeastSquares(moments, _outcomes(moments, labels), fmpq(numerator, denominator))


def _outcomes(moments: ExactMoments, labels: LabelModel) -> tuple[tuple[fmpq, int, fmpq], ...]:
    atoms = enumerate(moments.weights)
    if isinstance(labels, TabulatedLabels) and labels.rational_values is not None:
        return tuple((p, k, labels.rational_values[k]) for k, p in atoms)
    if isinstance(labels, LinearLabels) and labels.rational_w is not None and isinstance(labels.noise, DiscreteNoise):
        noise, means = labels.noise.rational, moments.atoms * column(labels.rational_w)
        if noise is not None:
            return tuple((p * q, k, means[k, 0] + e) for k, p in atoms for e, q in noise)
    raise ValueError(
        f"exact(): {type(labels).__name__} is not rational; use TabulatedLabels, or LinearLabels with DiscreteNoise, "
        "given as Fractions or integers"
    )
