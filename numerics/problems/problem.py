r"""A generalised linear prediction problem: min_x F(x) = E l(a.x, b) for a design, a loss and a label model.

Gives the paper's x*, F, gradient, Hessian, Q = E l'(a.x*, b)^2 a a^T, H = L_l Sigma, alpha, B, L and R(y~). Exact up to
rounding for finite support and for linear least squares; by quadrature with an error estimate for Gaussian designs
and their finite scale mixtures. `problem.estimates` has the same quantities with their error estimates.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs import Design, Elliptical, Empirical, FiniteSupport, Gaussian, ScaleMixture
from numerics.designs.checks import Array, freeze, generator, positive, sample_size, vector_argument
from numerics.designs.mixtures import two_point_squares
from numerics.losses import Loss, Squared

from .constants import NoiseConstants, search_noise_constants
from .discrete_labels import TabulatedLabels
from .engines import Engine, FiniteEngine
from .estimate import Accuracy, Estimate
from .exact import ExactLeastSquares, exact_least_squares
from .gaussian import GaussianEngine
from .labels import LabelModel
from .newton import Minimiser, minimise
from .quantities import Integrated, LeastSquares, Quantities


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """`tolerance` is the largest relative quadrature error that is not refused."""

    design: Design
    loss: Loss
    labels: LabelModel
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        positive(self.tolerance, name="tolerance")
        if not self.loss.convex:
            raise ValueError(
                f"{self.loss.name}: not continuous, so that grad F is not E l'(a.x, b) a; use TwoCurvature"
            )
        _check_labels(self.design, self.loss, self.labels)

    @classmethod
    def from_data(cls, data: Any, labels: Any, loss: Loss) -> Problem:
        """The empirical problem of a data matrix (n, d) with labels (n,)."""
        return cls(Empirical(data), loss, TabulatedLabels(labels))

    @cached_property
    def estimates(self) -> Quantities:
        """The same quantities, each as an Estimate(value, error)."""
        variance, w = self.labels.homoscedastic_variance, self.labels.centre
        if isinstance(self.loss, Squared) and variance is not None and w is not None:
            return LeastSquares(self.design, self.loss, w, variance)
        return Integrated(self.design, self.loss, _engine(self))

    @cached_property
    def minimiser(self) -> Minimiser:
        """x* with a bound of |x - x*|_Sigma; exact when symmetry or least squares gives x* = w."""
        w = self.labels.centre
        if w is not None and (isinstance(self.loss, Squared) or (self.loss.even and self.labels.symmetric)):
            return Minimiser(w, 0.0, 0)
        directions = self.labels.directions
        return minimise(self.estimates, directions[0] if len(directions) else np.zeros(self.dim))

    @property
    def dim(self) -> int:
        return self.design.dim

    @property
    def x_star(self) -> Array:
        return self.minimiser.x

    def F(self, x: ArrayLike) -> float:
        """F(x) = E l(a.x, b)."""
        return self.estimates.F(self._vector(x)).value

    def excess_risk(self, x: ArrayLike) -> float:
        """F(x) - F(x*), without cancellation."""
        return self.estimates.excess(self._vector(x), self.x_star).value

    def gradient(self, x: ArrayLike) -> Array:
        """grad F(x)."""
        return self.estimates.gradient(self._vector(x)).value

    def hessian(self, x: ArrayLike) -> Array:
        """E l''(a.x, b) a a^T."""
        return self.estimates.hessian(self._vector(x)).value

    def x_plus_star(self, y: ArrayLike, h: float = 1.0) -> Array:
        """x_+^* = y - h Sigma^-1 grad F(y), the minimiser of the proximal subproblem."""
        y = self._vector(y)
        return np.asarray(y - positive(h, name="h") * self.design.solve(self.gradient(y)))

    def R(self, y: ArrayLike, h: float = 1.0) -> Array:
        """E eps^2 a a^T with eps = -h l'(a.y, b) + a.(y - x_+^*)."""
        return self.estimates.R(self._vector(y), positive(h, name="h")).value

    @cached_property
    def Q_estimate(self) -> Estimate[Array]:
        """Q with the error of its quadrature and of x* (moving x* by e in |.|_Sigma moves Q as in R)."""
        q = self.estimates.gradient_second_moment(self.x_star)
        e = self.loss.L * self.minimiser.error
        top = max(float(np.linalg.eigvalsh(q.value)[-1]), 0.0)
        moved = 2 * np.sqrt(top * self.design.r2) * e + self.design.r2 * e**2
        return Estimate(freeze(q.value), q.error + float(moved))

    @property
    def Q(self) -> Array:
        """E l'(a.x*, b)^2 a a^T."""
        return self.Q_estimate.value

    @cached_property
    def H(self) -> Array:
        """L_l Sigma."""
        return freeze(self.loss.L * self.design.sigma)

    @property
    def alpha(self) -> float:
        return self.loss.alpha

    @property
    def B(self) -> float:
        """The paper's generic constant alpha R^2 with the tight R^2."""
        return self.alpha * self.design.r2

    @property
    def L(self) -> float:
        """The paper's generic constant alpha kappa~ with the tight kappa~."""
        return self.alpha * self.design.kappa_tilde

    def noise_constants(self, rng: np.random.Generator, *, evaluations: int = 200) -> NoiseConstants:
        """Generic B and L beside the largest ratios that a stated search finds."""
        return search_noise_constants(self.estimates, self.x_star, generator(rng), evaluations=evaluations)

    def exact(self) -> ExactLeastSquares:
        """The problem in rational arithmetic: squared loss, rational finite support, rational labels."""
        return exact_least_squares(self.design, self.loss, self.labels)

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """n independent pairs: a as rows (n, d), b (n,)."""
        n, rng = sample_size(n), generator(rng)
        if isinstance(self.labels, TabulatedLabels) and isinstance(self.design, FiniteSupport):
            chosen = self.design.sample_indices(n, rng)
            return self.design.atoms[chosen], self.labels.values[chosen]
        a = self.design.sample(n, rng)
        return a, self.loss.check_labels(self.labels.sample(a @ self.labels.directions.T, rng))

    def _vector(self, x: ArrayLike) -> Array:
        return vector_argument(x, dim=self.dim, name="x")

    def __repr__(self) -> str:
        return f"Problem({self.design!r}, {self.loss!r}, {type(self.labels).__name__})"

    def _repr_html_(self) -> str:
        rows = {
            "design": repr(self.design),
            "loss": repr(self.loss),
            "labels": type(self.labels).__name__,
            "alpha": f"{self.alpha:.6g}",
            "B = alpha R^2": f"{self.B:.6g}",
            "L = alpha kappa~": f"{self.L:.6g}",
        }
        cells = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in rows.items())
        return f"<table><caption>Problem</caption>{cells}</table>"


def _check_labels(design: Design, loss: Loss, labels: LabelModel) -> None:
    if isinstance(labels, TabulatedLabels):
        if not isinstance(design, FiniteSupport):
            raise ValueError(f"tabulated labels need a finite support, the design is {type(design).__name__}")
        if len(labels.values) != len(design.atoms):
            raise ValueError(f"labels: {len(labels.values)} for {len(design.atoms)} atoms; give one label an atom")
        loss.check_labels(labels.values)
    elif labels.directions.shape[1] != design.dim:
        raise ValueError(
            f"{type(labels).__name__}: w has {labels.directions.shape[1]} entries, the design has dimension "
            f"{design.dim}; make them equal"
        )


def _engine(problem: Problem) -> Engine:
    design, loss, labels = problem.design, problem.loss, problem.labels
    accuracy = Accuracy(tolerance=problem.tolerance)
    support = design.finite_support()
    if support is not None:
        return FiniteEngine(design, loss, labels, accuracy, support)
    scales: tuple[Array, Array]
    if isinstance(design, Gaussian):
        scales = np.ones(1), np.ones(1)
    elif isinstance(design, ScaleMixture):
        scales = design.scales, design.weights
    elif isinstance(design, Elliptical) and design.kurtosis >= 1:
        squares, masses = two_point_squares(design.kurtosis)
        scales = np.sqrt(squares), masses
    else:
        raise ValueError(
            f"{type(design).__name__} with {loss.name} loss and {type(labels).__name__}: no exact integration is "
            "known; use Squared() with LinearLabels, a Gaussian or ScaleMixture design, or Empirical data"
        )
    return GaussianEngine(
        design, loss, labels, accuracy, tuple(float(s) for s in scales[0]), tuple(float(m) for m in scales[1])
    )
