r"""Several classes at once: l(z, b) = log sum_k exp z_k - z_b + mu |z|^2/2 of K predictions z = X a, X one row a class.

Its Hessian in z is W = diag p - p p^T + mu, p the probabilities: mu <= W <= 1/2 + mu. A stage anchored at Y~ solves the
least squares problem whose gradient at Y~ + X is  w (l'(Y~ a, b) + (9 W + V)/10 X a) a^T,  V the average of W on the
first page of the stage, as one output does with l''; its steps are taken in the metric V (`joint`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array, positive
from numerics.optimizers import ProblemInfo

from .joint import JointInner, joint_constants, probabilities_and_losses, shares, softmax, within
from .track import Plan, View

FLOOR = 1e-4  # of the largest eigenvalue of V: rare classes are not stretched further


@dataclass(frozen=True)
class Softmax:
    """The loss; labels are rows that are 1 at their class and -1 at the others."""

    mu: float

    def __post_init__(self) -> None:
        positive(self.mu, name="softmax: mu")

    def check_labels(self, b: Array) -> Array:
        if not np.all((np.abs(b) == 1) & (np.sum(b > 0, axis=1, keepdims=True) == 1)):
            raise ValueError("softmax: a label must be 1 at its class and -1 at every other")
        return b

    def value(self, z: Array, b: Array) -> Array:
        """Row by row."""
        return probabilities_and_losses(z, b, self.mu)[1]

    def slope(self, z: Array, b: Array) -> Array:
        return np.asarray(softmax(z) - (b > 0) + self.mu * z)

    def mean_curvature(self, p: Array, weights: Array) -> Array:
        """The weighted mean of W."""
        share = weights / weights.sum()
        return np.asarray(np.diag(share @ p + self.mu) - (p * share[:, None]).T @ p)


@dataclass(frozen=True, eq=False)
class SoftmaxView(View):
    """A page with all of its classes: b is (n, classes), predictors are (classes, columns)."""

    loss: Softmax  # type: ignore[assignment]  # takes the place of the loss of one output

    def losses(self, raw: Array) -> Array:
        return np.asarray(self.w * self.loss.value(self.x @ raw[:, :-1].T + raw[:, -1], self.b))

    def at(self, inside: Array) -> Array:
        return self.loss.value(self.rows @ inside.T, self.b)

    def first_constant(self) -> tuple[Array, Array]:
        return self.next_constant(np.zeros(0), np.full(self.b.shape[1], 0.5))

    def next_constant(self, before: Array, mass: Array) -> tuple[Array, Array]:
        mass = mass + self.w @ (self.b > 0)
        return within(np.log(mass)), mass

    def problem(self, anchor: Array, curvature: Array) -> tuple[tuple[Array, ...], float]:
        z, root = self.rows @ anchor.T, inverse_root(curvature)
        p = softmax(z)
        size = shares(p, self.w, root) * np.sum(self.rows**2, axis=1)
        terms = (self.rows, p, self.loss.slope(z, self.b), self.w, root @ root, np.array(self.loss.mu))
        return terms, float(size @ size / max(float(size.sum()), 1e-300))

    def planned(self, anchor: Array, few: int) -> Plan:
        p = softmax(self.rows @ anchor.T)
        curvature = self.loss.mean_curvature(p, self.w)
        whole, part = (view.problem(anchor, curvature)[1] for view in (self, self.first(few)))
        metric = (curvature, inverse_root(curvature), self.loss.mu)
        info, alpha = joint_constants(self.rows[:few], p[:few], self.w[:few], *metric)
        return Plan(info, whole, part, curvature, alpha)

    def begun(self, info: ProblemInfo, length: int, caution: float) -> JointInner:
        return JointInner.begin(info, length, caution, self.b.shape[1])


def inverse_root(curvature: Array) -> Array:
    """V^(-1/2) on predictions that sum to zero over the classes, 0 on those that are alike for all."""
    values, vectors = np.linalg.eigh(within(within(curvature).T))
    kept = vectors[:, 1:] / np.sqrt(np.maximum(values[1:], FLOOR * values[-1]))
    return np.asarray(kept @ vectors[:, 1:].T)
