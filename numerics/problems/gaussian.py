r"""Expectations under a ~ s Sigma^{1/2} g with Gaussian g and finitely many scales s (s = 1 for the Gaussian design).

The integrand sees a only through the predictors a.x, a.w, ..., that is through the part u = U^T g of g in the span of
their whitened vectors, of dimension k <= 4 whatever d is. The rest of g is independent of the integrand, so

    E[f gg^T] = U (E[f u u^T] - E[f] I) U^T + E[f] I,

and likewise for the other tensors: only k-dimensional integrals remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numerics.designs.checks import Array

from . import quadrature
from .engines import Engine, Integrand, Weight
from .estimate import Estimate, Pass, refined
from .labels import LabelModel
from .quadrature import Kink

_ROWS = 1 << 12
_DEPENDENT = 1e-13


@dataclass(frozen=True, eq=False)
class GaussianEngine(Engine):
    """`scales` and `masses`: the law of s."""

    scales: tuple[float, ...]
    masses: tuple[float, ...]

    def expect(
        self, f: Integrand, xs: Sequence[Array], weight: Weight, *, what: str, aligned: Sequence[Array] = ()
    ) -> Estimate[Array]:
        labels, w = self.labels, self.labels.centre
        if self.loss.residual and w is not None:  # f sees residuals only: move the origin to w, one dimension less
            labels, xs = labels.centred(), [x - w for x in xs]
        whitened = [self._whiten(x) for x in (*xs, *aligned)]
        directions = [self._whiten(v) for v in labels.directions]
        basis = orthonormal_basis([*whitened[: len(xs)], *directions], self.design.dim)
        coordinates = [basis.T @ c for c in whitened]
        job = _Job(self, labels, f, basis, coordinates, [basis.T @ c for c in directions], len(xs), weight)
        return refined(job.evaluate, what=what, accuracy=self.accuracy)

    def _whiten(self, x: Array) -> Array:
        """Sigma^{1/2} x in the eigenbasis, so that a.x = g . Sigma^{1/2} x."""
        return np.asarray(np.sqrt(self.design.eigenvalues) * (self.design.eigenvectors.T @ x))


def orthonormal_basis(vectors: Sequence[Array], dim: int) -> Array:
    """Gram-Schmidt (twice) in the given order, dropping vectors that depend on those before."""
    columns = np.zeros((dim, 0))
    for v in vectors:
        rest = v - columns @ (columns.T @ v)
        rest = rest - columns @ (columns.T @ rest)
        if np.linalg.norm(rest) > _DEPENDENT * np.linalg.norm(v):
            columns = np.column_stack([columns, rest / np.linalg.norm(rest)])
    return columns


@dataclass(frozen=True, eq=False)
class _Job:
    engine: GaussianEngine
    labels: LabelModel
    f: Integrand
    basis: Array
    predictions: Sequence[Array]
    label_predictors: Sequence[Array]
    kinked: int
    weight: Weight

    def evaluate(self, level: int) -> Pass:
        parts = [self._at_scale(s, m, level) for s, m in zip(self.engine.scales, self.engine.masses, strict=True)]
        return Pass(np.asarray(sum(p.value for p in parts)), sum(p.size for p in parts))

    def _at_scale(self, scale: float, mass: float, level: int) -> Pass:
        most = self.engine.accuracy.evaluations
        nodes, weights = quadrature.grid(self.basis.shape[1], self._kinks(scale), level, most_nodes=most)
        p = self._metric()
        metric = self.basis.T @ (p[:, None] * self.basis)
        total = _Moments.zero(self.basis.shape[1])
        for start in range(0, len(nodes), _ROWS):
            u, w = nodes[start : start + _ROWS], weights[start : start + _ROWS]
            terms = self._conditional_terms(scale * u, level, total=len(nodes)) * w[:, None]
            total += _Moments.of(u, terms, metric)
        return self._assembled(total, metric, scale, mass)

    def _conditional_terms(self, u: Array, level: int, *, total: int) -> Array:
        z = [u @ c for c in self.predictions]
        t = np.stack([u @ c for c in self.label_predictors], axis=1) if self.label_predictors else u[:, :0]
        b, w = self.engine.label_nodes(self.labels, t, z[: self.kinked], level)
        if total * b.shape[1] > self.engine.accuracy.evaluations:
            raise OverflowError(f"{total * b.shape[1]} evaluations")
        return self.f([zi[:, None] for zi in z], b) * w

    def _kinks(self, scale: float) -> tuple[Kink, ...]:
        """Where the integrand, after the sum over labels, is not smooth or varies fast compared with u."""
        loss, labels = self.engine.loss, self.labels
        kinks: list[Kink] = []
        for c in self.predictions[: self.kinked]:
            kinks += [_kink(scale * c, at) for at in loss.kinks_in_prediction]
            kinks += _fast(scale * c, 0.0, loss.width_in_prediction)
            if labels.centre is not None:
                kinks += self._residual_kinks(scale * (c - self.label_predictors[0]))
        if self.label_predictors:
            t = scale * self.label_predictors[0]
            kinks += [_kink(t, at) for at in labels.predictor_kinks()] + _fast(t, 0.0, labels.width)
        return tuple(dict.fromkeys(kinks))

    def _residual_kinks(self, c: Array) -> list[Kink]:
        """Of functions of c.u - e: hard kinks stay when e is discrete, continuous noise smooths them to its spread."""
        loss, spread = self.engine.loss, self.labels.spread
        shifts = self.labels.affine_shifts() or (0.0,)
        kinks = []
        if spread == 0.0:
            kinks += [_kink(c, at + e) for at in loss.kinks_in_residual for e in shifts]
        elif np.isfinite(spread):
            kinks += [k for at in loss.kinks_in_residual for k in _fast(c, at, spread)]
        if loss.width_in_residual is not None and np.isfinite(spread):
            kinks += [k for e in shifts for k in _fast(c, e, loss.width_in_residual + spread)]
        return kinks

    def _metric(self) -> Array:
        """P with the wanted norm a^T P' a = s^2 g^T P g: its diagonal in the eigenbasis."""
        if self.weight in (Weight.NORM, Weight.NORM_MATRIX):
            return self.engine.design.eigenvalues
        return np.ones(self.engine.design.dim)

    def _assembled(self, m: _Moments, metric: Array, scale: float, mass: float) -> Pass:
        design, p = self.engine.design, self._metric()
        root, top = np.sqrt(design.eigenvalues), float(design.eigenvalues[-1])
        match self.weight:
            case Weight.ONE:
                return Pass(np.asarray(mass * m.f), mass * m.size)
            case Weight.VECTOR:
                vector = design.eigenvectors @ (root * (self.basis @ m.fu))
                return Pass(np.asarray(mass * scale * vector), mass * scale * m.size * float(np.sqrt(top)))
            case Weight.NORM | Weight.STATISTICAL_NORM:
                norm = m.form + (float(p.sum()) - float(np.trace(metric))) * m.f
                return Pass(np.asarray(mass * scale**2 * norm), mass * scale**2 * m.size * float(p.sum()))
            case Weight.MATRIX:
                inner, factor = second_moment(self.basis, m), mass * scale**2
            case _:
                inner, factor = fourth_moment(self.basis, p, m), mass * scale**4
        half = design.eigenvectors * root
        matrix = half @ inner @ half.T
        return Pass(np.asarray(factor * (matrix + matrix.T) / 2), factor * m.size * top)


@dataclass(frozen=True, eq=False)
class _Moments:
    """E f, E f u, E f u u^T, E f q and E f q u u^T with the form q = u^T P11 u, and E |f|."""

    f: float
    fu: Array
    fuu: Array
    form: float
    form_uu: Array
    size: float

    @classmethod
    def zero(cls, k: int) -> _Moments:
        return cls(0.0, np.zeros(k), np.zeros((k, k)), 0.0, np.zeros((k, k)), 0.0)

    @classmethod
    def of(cls, u: Array, terms: Array, metric: Array) -> _Moments:
        c = terms.sum(axis=1)
        cq = c * np.sum((u @ metric) * u, axis=1)
        size = float(np.abs(terms).sum())
        return cls(float(c.sum()), u.T @ c, u.T @ (u * c[:, None]), float(cq.sum()), u.T @ (u * cq[:, None]), size)

    def __add__(self, other: _Moments) -> _Moments:
        return _Moments(
            self.f + other.f,
            self.fu + other.fu,
            self.fuu + other.fuu,
            self.form + other.form,
            self.form_uu + other.form_uu,
            self.size + other.size,
        )


def second_moment(u: Array, m: _Moments) -> Array:
    """E[f g g^T] for g = U u + rest."""
    return np.asarray(u @ (m.fuu - m.f * np.eye(u.shape[1])) @ u.T + m.f * np.eye(u.shape[0]))


def fourth_moment(u: Array, p: Array, m: _Moments) -> Array:
    """E[f (g^T P g) g g^T] for P = diag(p) and g = U u + rest: Wick's rule on the rest."""
    rest = np.eye(u.shape[0]) - u @ u.T
    p_rest = rest @ (p[:, None] * rest)
    tau = float(np.trace(p_rest))
    inner = u @ (m.form_uu + tau * m.fuu) @ u.T
    cross = u @ m.fuu @ u.T @ (p[:, None] * rest)
    return np.asarray(inner + 2 * (cross + cross.T) + (m.form + tau * m.f) * rest + 2 * m.f * p_rest)


def _fast(coefficients: Array, centre: float, width: float | None) -> list[Kink]:
    """Panels around coefficients . u = centre when a function of that scale is sharp against a Gaussian u."""
    size = float(np.linalg.norm(coefficients))
    if width is None or size <= quadrature.SHARP * width:
        return []
    return [_kink(coefficients, at) for at in quadrature.graded_edges(centre, width, 8 * size)]


def _kink(coefficients: Array, offset: float) -> Kink:
    return Kink(tuple(float(c) for c in coefficients), float(offset))
