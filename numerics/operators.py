r"""The inner loop as a linear map and its second-moment operators, applied and never materialised.

The three-line recursion with gradient g_t = a_t a_t^T y_{t-1} - eps_t a_t (everything relative to the minimiser)

    x_t = y_{t-1} - eta g_t,    z_t = theta y_{t-1} + (1 - theta) z_{t-1} - gamma g_t,
    y_t = (x_t + theta z_t) / (1 + theta)

gives, on eta_t = (x_t, y_t), the mean matrix with blocks

    A(lambda) = [[0, 1 - eta lambda], [-c, 1 + c - q lambda]],
    c = (1 - theta)/(1 + theta),    q = (eta + theta gamma)/(1 + theta).

The lower-left sign is minus c; the paper prints +c at two places. On a symmetric 2d x 2d matrix C with blocks 11, 12,
22

    B~(C) = A C A^T,    (B - B~)(C) = [[eta^2, eta q], [eta q, q^2]] (x) N(C_22),    N(X) = M(X) - Sigma X Sigma.

N(X) = E[(a a^T - Sigma) X (a a^T - Sigma)], so N keeps positive semidefinite matrices positive semidefinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.designs import Design

Array = NDArray[np.float64]


@dataclass(frozen=True)
class StepSizes:
    """The three numbers of the inner loop: step sizes eta (of x) and gamma (of z), momentum theta in (0, 1)."""

    eta: float
    theta: float
    gamma: float

    def __post_init__(self) -> None:
        for name in ("eta", "theta", "gamma"):
            value = getattr(self, name)
            if not isfinite(value) or value <= 0:
                raise ValueError(f"{name} = {value}: must be a positive finite number; choose {name} > 0")
            object.__setattr__(self, name, float(value))
        if self.theta >= 1:
            raise ValueError(f"theta = {self.theta}: must lie strictly between 0 and 1; lower theta")

    @property
    def c(self) -> float:
        return (1 - self.theta) / (1 + self.theta)

    @property
    def q(self) -> float:
        return (self.eta + self.theta * self.gamma) / (1 + self.theta)

    @property
    def rho(self) -> float:
        """How hard a gradient pushes v = z - y: (gamma - eta)/(1 + theta)."""
        return (self.gamma - self.eta) / (1 + self.theta)

    def mean_block(self, lam: ArrayLike) -> Array:
        """A(lambda) in the paper's (x, y), shape (..., 2, 2)."""
        lam = np.asarray(lam, dtype=np.float64)
        block = np.zeros((*lam.shape, 2, 2))
        block[..., 0, 1] = 1 - self.eta * lam
        block[..., 1, 0] = -self.c
        block[..., 1, 1] = 1 + self.c - self.q * lam
        return block

    def mean_block_increment(self, lam: ArrayLike) -> Array:
        """S(lambda) - I in the coordinates (y, v = z - y), every entry to full relative accuracy."""
        lam = np.asarray(lam, dtype=np.float64)
        block = np.empty((*lam.shape, 2, 2))
        block[..., 0, 0] = -self.q * lam
        block[..., 0, 1] = self.c * self.theta
        block[..., 1, 0] = -self.rho * lam
        block[..., 1, 1] = -2 * self.theta / (1 + self.theta)
        return block

    def mean_gap(self, lam: ArrayLike) -> Array:
        """1 - radius(A(lambda)), from the characteristic polynomial of S - I: accurate even when tiny.

        (1 + theta)^2 times the discriminant is (lambda (eta - theta gamma))^2 - 4 theta (gamma lambda - theta)(1 - eta
        lambda): no cancellation at gamma lambda = theta, where the paper puts lambda = mu. Where the two terms meet,
        the gap is right to 1e-8 of eta lambda; `stability` encloses it.
        """
        lam = np.asarray(lam, dtype=np.float64)
        trace = -self.q * lam - 2 * self.theta / (1 + self.theta)
        determinant = self.theta * lam * (2 * self.q / (1 + self.theta) + self.c * self.rho)
        apart = lam * -_product_less(self.theta, np.float64(self.gamma), self.eta)
        pull = _product_less(self.gamma, lam, self.theta) * (1 - self.eta * lam)
        discriminant = (apart**2 - 4 * self.theta * pull) / (1 + self.theta) ** 2
        outer = (trace - np.sqrt(np.maximum(discriminant, 0))) / 2  # the root further from 0, negative
        inner = determinant / outer
        real = np.minimum(np.minimum(-inner, 2 + inner), np.minimum(-outer, 2 + outer))
        squared = np.maximum(trace + determinant, -1 + 1e-16)  # |root|^2 - 1 of a complex pair
        return np.asarray(np.where(discriminant < 0, -np.expm1(np.log1p(squared) / 2), real))


def _product_less(a: float, b: Array | np.float64, c: float) -> Array:
    """a b - c with the rounding error of the product added back (Dekker)."""
    product = np.asarray(a * b)
    high_a, high_b = _leading(np.float64(a)), _leading(b)
    low_a, low_b = a - high_a, b - high_b
    error = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return np.asarray((product - c) + error)


def _leading(x: Array | np.float64) -> Array:
    """The leading half of the bits."""
    scaled = np.asarray(134217729.0 * x)
    return np.asarray(scaled - (scaled - x))


@dataclass(frozen=True, eq=False)
class Blocks:
    """A symmetric 2d x 2d matrix [[c11, c12], [c12^T, c22]] in the paper's (x, y); c11 and c22 are symmetric."""

    c11: Array
    c12: Array
    c22: Array

    def __post_init__(self) -> None:
        for name in ("c11", "c12", "c22"):
            block = np.asarray(getattr(self, name), dtype=np.float64)
            if block.ndim != 2 or block.shape[0] != block.shape[1] or block.shape != np.shape(self.c11):
                raise ValueError(f"{name} has shape {block.shape}; the three blocks must be square and of one size")
            if not np.all(np.isfinite(block)):
                raise ValueError(f"{name} has an entry that is not finite; the iteration that made it has diverged")
            object.__setattr__(self, name, block)

    @classmethod
    def zeros(cls, d: int) -> Blocks:
        return cls(np.zeros((d, d)), np.zeros((d, d)), np.zeros((d, d)))

    @classmethod
    def from_full(cls, matrix: ArrayLike) -> Blocks:
        """From a 2d x 2d array; only its upper triangle is read."""
        full = np.asarray(matrix, dtype=np.float64)
        if full.ndim != 2 or full.shape[0] != full.shape[1] or full.shape[0] % 2:
            raise ValueError(f"matrix has shape {full.shape}; give a square array of even size 2d")
        d = full.shape[0] // 2
        return cls(_mirrored(full[:d, :d]), full[:d, d:].copy(), _mirrored(full[d:, d:]))

    @property
    def dim(self) -> int:
        return int(self.c11.shape[0])

    def full(self) -> Array:
        return np.block([[self.c11, self.c12], [self.c12.T, self.c22]])

    def __add__(self, other: Blocks) -> Blocks:
        return Blocks(self.c11 + other.c11, self.c12 + other.c12, self.c22 + other.c22)

    def __sub__(self, other: Blocks) -> Blocks:
        return Blocks(self.c11 - other.c11, self.c12 - other.c12, self.c22 - other.c22)

    def __mul__(self, factor: float) -> Blocks:
        return Blocks(factor * self.c11, factor * self.c12, factor * self.c22)

    __rmul__ = __mul__

    def x_energy(self, sigma: Array) -> float:
        """<diag(Sigma, O), C> = E |x|^2_Sigma when C is the second moment of (x, y)."""
        return float(np.sum(sigma * self.c11))

    def y_energy(self, sigma: Array) -> float:
        """<diag(O, Sigma), C> = E |y|^2_Sigma: the paper's sigma^(l) at a stationary layer."""
        return float(np.sum(sigma * self.c22))


def noise_blocks(steps: StepSizes, noise: Array) -> Blocks:
    """[[eta^2, eta q], [eta q, q^2]] (x) noise: what one step of gradient noise adds to the second moment."""
    return Blocks(steps.eta**2 * noise, steps.eta * steps.q * noise, steps.q**2 * noise)


def excess(design: Design, x: Array) -> Array:
    """N(X) = M(X) - Sigma X Sigma for a symmetric X; exactly symmetric."""
    return design.excess(x)


def apply_mean(design: Design, steps: StepSizes, c: Blocks) -> Blocks:
    """B~(C) = A C A^T by blocks."""
    _check_dims(design, c)
    sigma, keep = design.sigma, steps.c
    identity = np.eye(design.dim)
    top = identity - steps.eta * sigma
    bottom = (1 + keep) * identity - steps.q * sigma
    cross = bottom @ c.c12.T
    c22 = keep**2 * c.c11 - keep * (cross + cross.T) + bottom @ c.c22 @ bottom
    return Blocks(_mirrored(top @ c.c22 @ top), top @ (c.c22 @ bottom - keep * c.c12.T), _mirrored(c22))


def apply_excess(design: Design, steps: StepSizes, c: Blocks) -> Blocks:
    """(B - B~)(C): the effect of a a^T differing from Sigma."""
    _check_dims(design, c)
    return noise_blocks(steps, excess(design, c.c22))


def apply_second_moment(design: Design, steps: StepSizes, c: Blocks) -> Blocks:
    """B(C) = E[A_t C A_t^T]."""
    return apply_mean(design, steps, c) + apply_excess(design, steps, c)


def _mirrored(matrix: Array) -> Array:
    """The upper triangle, mirrored: one triangle is kept so that rounding cannot feed an antisymmetric part."""
    upper = np.triu(matrix)
    return np.asarray(upper + np.triu(matrix, 1).T)


def _check_dims(design: Design, c: Blocks) -> None:
    if c.dim != design.dim:
        raise ValueError(f"C has {c.dim}-dimensional blocks, the design has dimension {design.dim}; use one dimension")
