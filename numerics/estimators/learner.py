r"""SADA with steps chosen from estimated constants, for a known number of rows or for a stream without end.

eta = 1/(2 R^2 c) with c = 1; whenever the run diverges or ends worse than it began, the rows that did it raise R^2 and
kappa~ to what they ask for, c is multiplied by 4, and the run begins again. gamma and theta are as in the practical
preset, from mu no smaller than (3 s K / n)^2 kappa~ / eta: a smaller direction cannot be resolved with n rows
(theta T >= s), and aiming at it would cost the others. Without a known end, horizons double and the last output is the
next start.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from numerics.designs.checks import Array
from numerics.errors import DivergenceError
from numerics.losses import Loss
from numerics.optimizers import METHODS, ProblemInfo, SadaParams, State, estimate, step
from numerics.optimizers.presets import inner_length, inner_steps, practical_momentum

from .frame import constants

SADA = METHODS["sada"]
FEW, ROUNDS_FEW, ROUNDS = 100, 16, 8  # outer iterations of a loss that is not quadratic; more below FEW rows a column
SETTLED = 4.0  # s
CAUTION, MOST_CAUTION = 4.0, 4.0**12
WORSE = 1.5  # times the loss of the start: no result


def tuned(info: ProblemInfo, n: int, caution: float) -> SadaParams:
    """The parameters for n rows."""
    r2, kappa_tilde, top = info.need("r2"), info.need("kappa_tilde"), info.need("lambda_max")
    rounds = 1 if info.loss.alpha <= 1.05 else ROUNDS_FEW if n < FEW * info.dim else ROUNDS
    K = max(1, min(rounds, n // 4))
    eta = 1 / (2 * r2 * caution)
    least = (3 * SETTLED * K / n) ** 2 * kappa_tilde / eta
    inner = inner_steps(eta, min(max(info.need("mu"), least), top), kappa_tilde, 1 / 3)
    momentum = practical_momentum(info.loss.alpha) if K > 1 else 0.0
    theta = min(inner.theta, 0.5)
    return SadaParams(eta, inner.gamma, theta, inner_length(n, K), (1 / info.loss.L,) * K, (momentum,) * K)


def mean_loss(loss: Loss, x: Array, rows: Array, labels: Array) -> float:
    return float(np.mean(loss.value(rows @ x, labels)))


def learn(
    info: ProblemInfo, x0: Array, rows: Array, labels: Array, order: Iterator[Array], passes: int
) -> Array | None:
    """The estimate after `passes` passes, None when no step size helps; `order` gives the order of each pass."""
    n, orders = len(labels) * passes, [next(order) for _ in range(passes)]
    start, caution = mean_loss(info.loss, x0, rows, labels), 1.0
    while caution <= MOST_CAUTION:
        state = SADA.init(info, x0, tuned(info, n, caution))
        try:
            for one in orders:
                state = _fed(state, rows[one], labels[one])
            x = estimate(state)
            if mean_loss(info.loss, x, rows, labels) <= WORSE * start:
                return x
        except DivergenceError:
            pass
        info, caution = _wiser(info, rows), caution * CAUTION
    return None


def _wiser(info: ProblemInfo, rows: Array) -> ProblemInfo:
    """The constants raised to what these rows ask for."""
    seen = constants(rows, info.loss)
    top, r2, kappa_tilde = (max(info.need(name), seen.need(name)) for name in ("lambda_max", "r2", "kappa_tilde"))
    return replace(info, lambda_max=top, r2=r2, kappa_tilde=kappa_tilde)


def _fed(state: State, rows: Array, labels: Array) -> State:
    """As many rows as the horizon has room for."""
    assert isinstance(state.params, SadaParams)
    room = max(0, state.params.horizon - state.seen)
    return step(state, rows[:room], labels[:room])


@dataclass(frozen=True, eq=False)
class Endless:
    """SADA on a stream without end, as a value; its state has no plan while it waits, so that it can be stored."""

    state: State
    start: Array  # of the stage
    horizon: int
    caution: float

    @classmethod
    def begin(cls, info: ProblemInfo, x0: Array, first: int, caution: float = 1.0) -> Endless:
        state = SADA.init(info, x0, tuned(info, first, caution))
        return cls(replace(state, plan=None), x0, first, caution)

    @property
    def x(self) -> Array:
        return estimate(SADA.renew(self.state))

    def fed(self, rows: Array, labels: Array) -> Endless:
        now, done = self, 0
        while done < len(labels):
            params = now.state.params
            assert isinstance(params, SadaParams)
            end = min(len(labels), done + params.horizon - now.state.seen)
            now, done = now._stepped(rows[done:end], labels[done:end]), end
        return now

    def _stepped(self, rows: Array, labels: Array) -> Endless:
        info = self.state.info
        try:
            state = step(SADA.renew(self.state), rows, labels)
            x = estimate(state)
            bad = mean_loss(info.loss, x, rows, labels) > 4 * WORSE * self._tolerated(rows, labels)
        except DivergenceError:
            state, x, bad = self.state, self.start, True
        if bad:
            caution = min(self.caution * CAUTION, MOST_CAUTION)
            return Endless.begin(_wiser(info, rows), self.start, self.horizon, caution)
        assert isinstance(state.params, SadaParams)
        if state.seen >= state.params.horizon:
            return Endless.begin(info, x, 2 * self.horizon, self.caution)
        return replace(self, state=replace(state, plan=None))

    def _tolerated(self, rows: Array, labels: Array) -> float:
        """The loss of the stage's start or of predicting zero, whichever is larger."""
        loss = self.state.info.loss
        zero = mean_loss(loss, np.zeros_like(self.start), rows, labels)
        return max(mean_loss(loss, self.start, rows, labels), zero, math.ulp(0.0))
