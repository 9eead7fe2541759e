r"""The minimiser of the empirical risk (1/n) sum l(a_i.x, b_i) of all samples so far: the yardstick, not streaming.

Keeps every row. Newton's method with backtracking, or L-BFGS through scipy; the sums run over the rows in fixed chunks,
so that the result does not depend on how the stream was cut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, optimize

from numerics.designs.checks import Array
from numerics.errors import HorizonError, OptimizerError
from numerics.losses import Loss

from .core import check_block, check_labels, check_params, refuse_non_finite_rows, starting_point
from .info import ProblemInfo
from .params import ErmParams
from .state import Method, State

CHUNK = 8192
ITERATIONS = 200
SLACK = 1e-14  # of a value: rounding


@dataclass(frozen=True, eq=False)
class EmpiricalRisk:
    """F_n, its gradient and its Hessian."""

    loss: Loss
    a: Array
    b: Array

    def _chunks(self) -> list[slice]:
        return [slice(i, min(i + CHUNK, len(self.b))) for i in range(0, len(self.b), CHUNK)]

    def value(self, x: Array) -> float:
        return sum(float(np.sum(self.loss.value(self.a[c] @ x, self.b[c]))) for c in self._chunks()) / len(self.b)

    def gradient(self, x: Array) -> Array:
        total = np.zeros_like(x)
        for c in self._chunks():
            total += self.a[c].T @ self.loss.d1(self.a[c] @ x, self.b[c])
        return total / len(self.b)

    def hessian(self, x: Array) -> Array:
        total = np.zeros((x.size, x.size))
        for c in self._chunks():
            total += (self.a[c] * self.loss.d2(self.a[c] @ x, self.b[c])[:, None]).T @ self.a[c]
        return total / len(self.b)

    def gradient_scale(self, x: Array) -> float:
        """The size of the terms that cancel in the gradient, l' and L_l z: what rounding is measured against."""
        total = np.zeros_like(x)
        for c in self._chunks():
            z = self.a[c] @ x
            total += np.abs(self.a[c]).T @ (np.abs(self.loss.d1(z, self.b[c])) + self.loss.L * np.abs(z))
        return float(np.linalg.norm(total)) / len(self.b) + float(np.finfo(float).tiny)


def newton(risk: EmpiricalRisk, x: Array, tolerance: float, *, strict: bool = True) -> Array:
    """Damped Newton steps until |grad F_n| is `tolerance` times the size of its terms, or rounding allows no more; not
    `strict`, what 200 steps lead to is enough."""
    last, value = np.inf, risk.value(x)
    for _ in range(ITERATIONS):
        g = risk.gradient(x)
        size = float(np.linalg.norm(g))
        if size <= tolerance * risk.gradient_scale(x):
            return x
        new = _backtrack(risk, x, value, g, _solve(risk.hessian(x), g))
        before, value = value, risk.value(new)
        if np.array_equal(new, x) or (before - value <= SLACK * abs(before) and size > last / 2):
            return new
        x, last = new, size
    if not strict:
        return x
    raise OptimizerError(
        f"erm: |gradient| = {float(np.linalg.norm(risk.gradient(x))):.3g} after {ITERATIONS} Newton steps on "
        f"{len(risk.b)} samples; loosen tolerance = {tolerance:g} or use solver 'lbfgs'"
    )


def _solve(hessian: Array, g: Array) -> Array:
    """The Newton direction; the shortest one where the data do not determine it."""
    try:
        return np.asarray(linalg.cho_solve(linalg.cho_factor(hessian), g))
    except linalg.LinAlgError:
        return np.asarray(linalg.lstsq(hessian, g)[0])


def _backtrack(risk: EmpiricalRisk, x: Array, start: float, g: Array, direction: Array) -> Array:
    """The first of x - direction, x - direction/2, … with a smaller value, up to rounding; x where there is none."""
    slope, step = float(g @ direction), 1.0
    while step > 1e-12:
        candidate = np.asarray(x - step * direction)
        if risk.value(candidate) <= start - 1e-4 * step * slope + SLACK * abs(start):
            return candidate
        step /= 2
    return x


def lbfgs(risk: EmpiricalRisk, x: Array, tolerance: float) -> Array:
    options = {"maxiter": 20_000, "maxfun": 40_000, "ftol": 0.0, "gtol": tolerance * risk.gradient_scale(x)}
    found = optimize.minimize(risk.value, x, jac=risk.gradient, method="L-BFGS-B", options=options)
    return np.asarray(found.x)


def _init(info: ProblemInfo, x0: ArrayLike | None, params: ErmParams) -> State:
    check_params("erm", ErmParams, params)
    return State("erm", info, params, starting_point(info, x0), 0, 0, np.zeros(1, dtype=np.int64), np.zeros(0))


def _step(state: State, a_block: ArrayLike, b_block: ArrayLike) -> State:
    a, b = check_block(state.info, a_block, b_block, state.seen)
    limit, seen = _horizon(state.params), state.seen + len(b)  # type: ignore[arg-type]  # checked by init
    if seen > limit:
        raise HorizonError(f"erm: {seen} samples offered, planned for {limit}; plan for more")
    check_labels(state.info, b, None, state.seen)
    refuse_non_finite_rows(a, state.seen)
    held = (*state.held, (a.copy(), b.copy())) if len(b) else state.held
    return replace(state, seen=seen, labelled=seen, held=held)


def _estimate(state: State) -> Array:
    params = state.params
    if not state.held or not isinstance(params, ErmParams):
        return state.x0.copy()
    a, b = (np.concatenate(parts) for parts in zip(*state.held, strict=True))
    solve = partial(newton if params.solver == "newton" else lbfgs, EmpiricalRisk(state.info.loss, a, b))
    return solve(state.x0, params.tolerance)


def _horizon(params: ErmParams) -> int:
    return params.n


ERM = Method("erm", "empirical risk minimiser", ErmParams, _init, _step, _estimate, _horizon, None, lambda state: state)
