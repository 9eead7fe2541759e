r"""Any design: whether z exceeds the spectral radius of B, by the cone of positive semidefinite matrices.

B = E[A_t (x) A_t] keeps the cone. Let Q = z X - B(X) be positive definite.

    X positive definite                 =>  radius(B) < z    (B(X) < z X)
    X not positive semidefinite         =>  radius(B) >= z   (else X = sum_k B^k(Q) / z^(k+1) would be)

Floats propose X = (z - B)^{-1}(Q_0) for some Q_0 in the eigenbasis of Sigma, in any way and with any error; balls
evaluate Q exactly from the atoms, weights and step sizes as they were given and look at the pivots of Q and X.
Where doubles do not suffice (a double root of A that the excess hardly splits) the proposal is solved again with 256
bits, as long as the half-vectorised operator has at most `MOST_UNKNOWNS` rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx

from numerics.designs import Design, IndependentCoordinates
from numerics.operators import StepSizes

from .ball_sigma import balls_of, scaled_rows, sigma_balls
from .frame import Frame
from .resolvent import Resolvent

BITS = 256
MOST_UNKNOWNS = 300  # d(2d + 1) of the proposal in balls: d <= 12, a third of a second a solve
Moments = tuple[Any, Any, Any]  # p, u, w as ball matrices


class BallMoments:
    """One step of (p, u, w) = (E y y^T, E y v^T, E v v^T) in balls, in the coordinates that the design was given in."""

    def __init__(self, design: Design, steps: StepSizes) -> None:
        self._dim = design.dim
        eta, theta, gamma = arb(steps.eta), arb(steps.theta), arb(steps.gamma)
        self._c = (1 - theta) / (1 + theta)
        self._b = self._c * theta
        self._q, self._rho = (eta + theta * gamma) / (1 + theta), (gamma - eta) / (1 + theta)
        self._sigma = sigma_balls(design)
        self.fourth_moment = _fourth_moment(design)

    def step(self, x: Moments) -> Moments:
        """B(X)."""
        p, u, w = x
        b, c, q, rho = self._b, self._c, self._q, self._rho
        pull, drag = self._sigma * (p + u * b), self._sigma * u  # E g (y + b v)^T and E g v^T
        fourth = self.fourth_moment(p)
        out = q * (pull + pull.transpose())
        return (
            p + b * (u + u.transpose()) + b * b * w - out + q * q * fourth,
            c * (u + b * w) - rho * pull.transpose() - q * c * drag + q * rho * fourth,
            c * c * w - rho * c * (drag + drag.transpose()) + rho * rho * fourth,
        )

    def matrix(self) -> Any:
        """B on packed symmetric matrices, d(2d + 1) square."""
        d = self._dim
        size = d * (2 * d + 1)
        columns = [_packed(self.step(_unpacked([arb(int(k == m)) for k in range(size)], d))) for m in range(size)]
        return arb_mat(size, size, [columns[j][i] for i in range(size) for j in range(size)])


def _fourth_moment(design: Design) -> Callable[[Any], Any]:
    """M in balls, from atoms and weights or from the mixing matrix and its laws."""
    if isinstance(design, IndependentCoordinates):
        return _of_coordinates(balls_of(design.mixing), [arb(law.kurtosis) for law in design.coordinates])
    finite = design.finite_support()
    if finite is None:
        raise ValueError(
            f"the fourth moments of {type(design).__name__} are known in doubles only, so nothing can be decided "
            "about its spectral radius; give atoms and weights (finite_support)"
        )
    return _of_atoms(balls_of(finite.atoms), [arb(float(w)) for w in finite.weights])


def _of_coordinates(mixing: Any, laws: list[Any]) -> Callable[[Any], Any]:
    size, across = len(laws), mixing.transpose()

    def moment(p: Any) -> Any:
        y = across * p * mixing
        trace = y.trace()
        extra = [trace + (laws[i] - 3) * y[i, i] if i == j else 0 for i in range(size) for j in range(size)]
        return mixing * (y + y.transpose() + arb_mat(size, size, extra)) * across

    return moment


def _of_atoms(atoms: Any, weights: list[Any]) -> Callable[[Any], Any]:
    across, right, d = atoms.transpose(), atoms.entries(), atoms.ncols()

    def moment(p: Any) -> Any:
        left = (atoms * p).entries()
        forms = [w * sum((left[d * k + i] * right[d * k + i] for i in range(d)), arb(0)) for k, w in enumerate(weights)]
        return across * scaled_rows(atoms, forms)

    return moment


class Cone:
    """Decides on which side of the radius of B a number lies, for one frame."""

    def __init__(self, view: Frame) -> None:
        self._view = view
        self.resolvent = Resolvent(view)
        with ctx.workprec(BITS):
            self._moments = BallMoments(view.design, view.steps)

    @cached_property
    def _operator(self) -> Any | None:
        """B as a matrix of balls, None where it would be too large."""
        d = self._view.dim
        return self._moments.matrix() if d * (2 * d + 1) <= MOST_UNKNOWNS else None

    def proposed_in_doubles(self, gap: float) -> int:
        """1 when z = 1 - gap exceeds the radius of B, -1 when not, 0 when the proposal in doubles is too poor."""
        with ctx.workprec(BITS):
            return self._judged(self._in_doubles(gap), 1 - arb(gap))

    def exceeds_radius(self, gap: float) -> int:
        """The same with a second proposal in balls where the first is too poor."""
        with ctx.workprec(BITS):
            return self.proposed_in_doubles(gap) or self._judged(self._in_balls(1 - arb(gap)), 1 - arb(gap))

    def _judged(self, x: Moments | None, z: Any) -> int:
        if x is None:
            return 0
        image = self._moments.step(x)
        q = tuple(z * before - after for before, after in zip(x, image, strict=True))
        return definiteness(_full(x)) if definiteness(_full(q)) == 1 else 0

    def _in_doubles(self, gap: float) -> Moments | None:
        state = self.resolvent.solve(gap)
        if state is None:
            return None
        out = self._view.out
        p, u, w = out(state.p), out(state.u, symmetric=False), out(state.w)
        return (balls_of(p), balls_of(u), balls_of(w)) if np.all(np.isfinite([p, u, w])) else None

    def _in_balls(self, z: Any) -> Moments | None:
        operator = self._operator
        if operator is None:
            return None
        d, size = self._view.dim, operator.nrows()
        weights = [arb(float(v)) for v in self.resolvent.target_weights]
        zero = arb_mat(d, d)
        target = _packed((_identity(d, weights[0]), zero, _identity(d, weights[1])))
        solution = (_identity(size, z) - operator).solve(arb_mat(size, 1, target), nonstop=True, algorithm="approx")
        values = [v.mid() for v in solution.entries()]
        return _unpacked(values, d) if all(v.is_finite() for v in values) else None


def definiteness(matrix: Any) -> int:
    """1: positive definite; -1: a direction with a negative value exists; 0: the balls cannot tell. By pivots."""
    n = matrix.nrows()
    rows = [[matrix[i, j] for j in range(i, n)] for i in range(n)]  # upper triangle
    for k in range(n):
        pivot = rows[k][0]
        if pivot < 0:
            return -1
        if not pivot > 0:
            return 0
        for i in range(k + 1, n):
            factor = rows[k][i - k] / pivot
            for j in range(i, n):
                rows[i][j - i] -= factor * rows[k][j - k]
    return 1


def _identity(n: int, value: Any) -> Any:
    return arb_mat(n, n, [value if k % (n + 1) == 0 else 0 for k in range(n * n)])


def _full(x: Moments) -> Any:
    p, u, w = (m.tolist() for m in x)
    across = [list(column) for column in zip(*u, strict=True)]
    return arb_mat([a + b for a, b in zip(p, u, strict=True)] + [a + b for a, b in zip(across, w, strict=True)])


def _packed(x: Moments) -> list[Any]:
    d = x[0].nrows()
    upper = [(i, j) for i in range(d) for j in range(i, d)]
    return [*(x[0][k] for k in upper), *x[1].entries(), *(x[2][k] for k in upper)]


def _unpacked(values: list[Any], d: int) -> Moments:
    half = d * (d + 1) // 2
    at = {(i, j): k for k, (i, j) in enumerate((i, j) for i in range(d) for j in range(i, d))}

    def symmetric(start: int) -> Any:
        return arb_mat(d, d, [values[start + at[min(i, j), max(i, j)]] for i in range(d) for j in range(d)])

    return symmetric(0), arb_mat(d, d, values[half : half + d * d]), symmetric(half + d * d)
