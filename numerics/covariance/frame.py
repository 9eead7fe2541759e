r"""Coordinates in which the dynamics are computed: the eigenbasis of Sigma, and (y, v = z - y) instead of (x, y).

In (x, y) double precision loses digits as theta shrinks; in (y, v) the mean map is I plus a small increment whose
entries are known to full relative accuracy,

    y' = y + c theta v - q g,    v' = c v - rho g,    x = y - theta v.

A `State` holds p = E y y^T, u = E y v^T, w = E v v^T in the eigenbasis. Where the excess N(X) = M(X) - Sigma X Sigma
acts on every off-diagonal entry alone and couples diagonal entries only through tr(Sigma X) (`PairExcess`), pairs of
eigendirections decouple: Gaussian and every elliptical design, independent coordinates, one-hot designs.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from math import log10

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.designs import Design, Elliptical, Gaussian, IndependentCoordinates, OneHot, ScaleMixture, StudentT
from numerics.operators import Array, Blocks, StepSizes, excess

ENOUGH_DIGITS = 10


class ConditioningWarning(UserWarning):
    """The eigenvectors of a dense Sigma cost digits; the message says how many are left."""


@dataclass(frozen=True, eq=False)
class PairExcess:
    """N(X)_ij = pair lam_i lam_j X_ij off the diagonal, N(X)_ii = diagonal_i X_ii + trace lam_i tr(Sigma X) on it."""

    pair: float
    diagonal: Array
    trace: float


@dataclass(frozen=True, eq=False)
class State:
    """Second moments in the eigenbasis: p = E y y^T and w = E v v^T (symmetric), u = E y v^T."""

    p: Array
    u: Array
    w: Array

    @classmethod
    def zeros(cls, d: int) -> State:
        return cls(np.zeros((d, d)), np.zeros((d, d)), np.zeros((d, d)))

    def diagonal(self) -> Array:
        """The (3, d) array of p_ii, u_ii, w_ii."""
        return np.stack([np.diagonal(self.p), np.diagonal(self.u), np.diagonal(self.w)])


@dataclass(frozen=True, eq=False)
class Frame:
    """A design and step sizes seen from the eigenbasis of Sigma."""

    design: Design
    steps: StepSizes
    lam: Array
    vectors: Array | None  # None: Sigma is diagonal
    order: NDArray[np.intp] | None  # of a diagonal Sigma: the permutation that sorts it, None when it is sorted
    excess: PairExcess | None  # None: apply N through `general_excess`

    @property
    def dim(self) -> int:
        return len(self.lam)

    @cached_property
    def rotated(self) -> Design:
        """The design in the eigenbasis."""
        sorted_already = self.vectors is None and self.order is None
        return self.design if sorted_already else self.design.in_eigenbasis()

    def general_excess(self, p: Array) -> Array:
        """N(p) in the eigenbasis for any design, O(d^2) memory."""
        if self.excess is None:
            return excess(self.rotated, p)
        off = self.excess.pair * np.outer(self.lam, self.lam) * p
        diagonal = np.diagonal(p)
        energy = float(self.lam @ diagonal)
        np.fill_diagonal(off, self.excess.diagonal * diagonal + self.excess.trace * energy * self.lam)
        return off

    def excess_matrix(self) -> Array:
        """N on packed symmetric matrices in the eigenbasis (upper triangle by rows), d(d+1)/2 square."""
        return self.design.eigenbasis_excess_matrix

    def into_vector(self, vector: Array) -> Array:
        """V^T vector."""
        if self.vectors is None:
            return vector if self.order is None else vector[self.order]
        return np.asarray(self.vectors.T @ vector)

    def out_vector(self, vector: Array) -> Array:
        """V vector: back to the given coordinates."""
        if self.vectors is None:
            return vector if self.order is None else vector[np.argsort(self.order)]
        return np.asarray(self.vectors @ vector)

    def into(self, matrix: Array) -> Array:
        """V^T matrix V, mirrored from one triangle."""
        if self.vectors is None:
            return matrix if self.order is None else np.ascontiguousarray(matrix[np.ix_(self.order, self.order)])
        turned = self.vectors.T @ matrix @ self.vectors
        return np.asarray(np.triu(turned) + np.triu(turned, 1).T)

    def blocks(self, state: State) -> Blocks:
        """The state in the paper's (x, y) and in the coordinates that the design was given in."""
        theta = self.steps.theta
        scaled = theta * state.u
        c11 = state.p - (scaled + scaled.T) + theta**2 * state.w
        return Blocks(self.out(c11), self.out(state.p - scaled.T, symmetric=False), self.out(state.p))

    def out(self, matrix: Array, *, symmetric: bool = True) -> Array:
        """V matrix V^T: back to the given coordinates."""
        if self.vectors is None:
            if self.order is None:
                return matrix
            back = np.argsort(self.order)
            return np.ascontiguousarray(matrix[np.ix_(back, back)])
        turned = self.vectors @ matrix @ self.vectors.T
        return np.asarray((turned + turned.T) / 2 if symmetric else turned)


def frame(design: Design, steps: StepSizes) -> Frame:
    """The design in its eigenbasis, with the pair structure of its fourth moments where it has one."""
    if not isinstance(design, Design):
        raise TypeError(f"design is a {type(design).__name__}; give a numerics.designs.Design")
    if not isinstance(steps, StepSizes):
        raise TypeError(f"steps is a {type(steps).__name__}; give numerics.operators.StepSizes(eta, theta, gamma)")
    _warn_of_lost_digits(design)
    if isinstance(design, IndependentCoordinates):
        aligned = _independent_frame(design, steps)
        if aligned is not None:
            return aligned
    excess = pair_excess(design)
    if design.is_diagonal:
        lam, order = _sorted_diagonal(np.diagonal(design.sigma))
        return Frame(design, steps, lam, None, order, excess)
    return Frame(design, steps, np.ascontiguousarray(design.eigenvalues), design.eigenvectors, None, excess)


def _warn_of_lost_digits(design: Design) -> None:
    """Turning a dense Sigma, R or the data into its eigenbasis costs the condition number: say what that leaves."""
    doubt = design.dim * float(np.finfo(np.float64).eps) * design.condition_number
    digits = max(int(-log10(doubt)), 0)
    if digits < ENOUGH_DIGITS and not design.is_diagonal:
        warnings.warn(
            f"Sigma of {type(design).__name__} is dense with condition number {design.condition_number:.1e}: what "
            f"depends on its smallest eigenvalue has about {digits} right digits; work with design.in_eigenbasis() and "
            "give R and the start in that basis to keep them",
            ConditioningWarning,
            stacklevel=4,
        )


def pair_excess(design: Design) -> PairExcess | None:
    """The pair structure of N in the eigenbasis for designs that have it by construction, None otherwise."""
    lam = design.eigenvalues
    if isinstance(design, Gaussian | StudentT | ScaleMixture | Elliptical):
        k = design.kurtosis
        if design.dim == 1:
            return PairExcess(0.0, max(3 * k - 1, 0.0) * lam**2, 0.0)
        return PairExcess(pair=2 * k - 1, diagonal=(2 * k - 1) * lam**2, trace=k)
    if isinstance(design, OneHot):
        p = design.in_eigenbasis().probabilities
        return PairExcess(pair=-1.0, diagonal=lam**2 * ((1 - p) / p), trace=0.0)
    return None


def _sorted_diagonal(diagonal: Array) -> tuple[Array, NDArray[np.intp] | None]:
    order = np.argsort(diagonal, kind="stable")
    return diagonal[order], None if np.array_equal(order, np.arange(len(order))) else order


def _independent_frame(design: IndependentCoordinates, steps: StepSizes) -> Frame | None:
    """The frame of the independent coordinates themselves when their directions are orthogonal, else None."""
    mixing, laws = design.mixing, np.array([law.kurtosis for law in design.coordinates])
    if np.all(laws == 3) and design.dim > 1:
        lam, vectors = design.eigenvalues, design.eigenvectors
        return Frame(design, steps, np.ascontiguousarray(lam), vectors, None, PairExcess(1.0, lam**2, 1.0))
    if mixing.shape[0] != mixing.shape[1]:
        return None
    gram = mixing.T @ mixing
    lam = np.diagonal(gram).copy()
    strays = np.abs(gram - np.diag(lam)) / np.sqrt(np.outer(lam, lam))
    if strays.max() > 8 * design.dim * np.finfo(float).eps:
        return None
    order = np.argsort(lam, kind="stable")
    lam, laws, vectors = lam[order], laws[order], (mixing / np.sqrt(lam))[:, order]
    if design.dim == 1:
        return Frame(design, steps, lam, vectors, None, PairExcess(0.0, lam**2 * (laws - 1), 0.0))
    return Frame(design, steps, lam, vectors, None, PairExcess(1.0, lam**2 * (laws - 2), 1.0))


def checked_horizon(horizon: int, *, even: bool = False) -> int:
    if isinstance(horizon, bool) or int(horizon) != horizon:
        raise ValueError(f"horizon T = {horizon}: must be an integer; round it")
    if even and (horizon < 2 or horizon % 2):
        raise ValueError(f"horizon T = {horizon}: the tail average starts at T/2 + 1; T must be even and at least 2")
    if horizon < 0:
        raise ValueError(f"horizon T = {horizon}: must not be negative")
    return int(horizon)


def checked_noise(matrix: ArrayLike, dim: int, *, name: str = "R") -> Array:
    """A symmetric positive semidefinite (d, d) matrix; symmetric to rounding is mirrored, worse is refused."""
    given = np.asarray(matrix, dtype=np.float64)
    if given.shape != (dim, dim):
        raise ValueError(
            f"{name} has shape {given.shape}, the design has dimension {dim}; give a ({dim}, {dim}) matrix"
        )
    if not np.all(np.isfinite(given)):
        raise ValueError(f"{name} has an entry that is not finite; remove it")
    scale = float(np.max(np.abs(given), initial=0.0))
    skew = float(np.max(np.abs(given - given.T), initial=0.0))
    if skew > 1e-12 * scale:
        raise ValueError(f"{name} is not symmetric: entries differ by {skew:.3g}; pass ({name} + {name}^T)/2")
    given = (given + given.T) / 2
    allowance = 1e-12 * dim * scale
    if not _is_semidefinite(given, allowance):
        lowest = float(np.linalg.eigvalsh(given)[0])
        raise ValueError(f"{name} is not positive semidefinite: smallest eigenvalue {lowest:.3g}; correct {name}")
    return given


def checked_start(start: ArrayLike, dim: int) -> Array:
    given = np.asarray(start, dtype=np.float64)
    if given.shape != (dim,):
        raise ValueError(
            f"start has shape {given.shape}, the design has dimension {dim}; give a vector of length {dim}"
        )
    if not np.all(np.isfinite(given)):
        raise ValueError("start has an entry that is not finite; remove it")
    return given


def checked_depth(depth: int) -> int:
    if isinstance(depth, bool) or int(depth) != depth or depth < 0:
        raise ValueError(f"depth = {depth}: the deepest layer must be an integer >= 0")
    return int(depth)


def _is_semidefinite(matrix: Array, allowance: float) -> bool:
    """Whether every eigenvalue is at least -allowance, by a Cholesky factorisation of the shifted matrix."""
    diagonal = np.diagonal(matrix)
    if not np.any(matrix - np.diag(diagonal)):
        return float(diagonal.min()) >= -allowance
    try:
        np.linalg.cholesky(matrix + allowance * np.eye(len(matrix)))
    except np.linalg.LinAlgError:
        return False
    return True
