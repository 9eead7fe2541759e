r"""One inner loop of SADA on least squares, argmin E (a.x + e)^2/2, by the compiled kernels of `numerics.optimizers`.

    x = y - eta g,   z = theta y + (1 - theta) z - gamma g,   y = (x + theta z)/(1 + theta),   g = (a.y + e) a,

started at 0. Unlike Algorithm 1 it averages x from row `skip` on, not from half of its T rows: a stage begins near the
optimum, and what it forgets fast it need not leave out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from numerics.designs.checks import Array
from numerics.errors import DivergenceError
from numerics.losses import Squared
from numerics.optimizers import InnerSteps, ProblemInfo
from numerics.optimizers.core import LIMIT, aligned_copy
from numerics.optimizers.jit import kernel
from numerics.optimizers.loss_code import compiled_loss
from numerics.optimizers.presets import inner_steps
from numerics.optimizers.sada_kernels import SLOTS, LossCode, S, four_at_a_time, inner_table, one
from numerics.optimizers.simd import aligned_zeros, padded

CODE = compiled_loss(Squared()).code
SETTLED = 4.0  # theta T of the slowest direction that a loop aims at
SKIP = 8  # the part of T that is not averaged


@kernel
def _advance(
    state: Array, d: int, pad: int, table: Array, loss: LossCode, a: Array, b: Array, n: int, tail: bool
) -> None:
    groups = n // 4
    four_at_a_time(a, b, 0, groups, d, pad, state, table, loss, (1.0, 0.0, 0.0), tail)
    for row in range(4 * groups, n):
        one(a, b, row, d, pad, state, table, loss, (1.0, 0.0, 0.0), tail)


def tuned(info: ProblemInfo, n: int, caution: float) -> InnerSteps:
    """eta = 1/(2 R^2 caution); gamma, theta from mu, no smaller than n rows can resolve (theta n >= SETTLED)."""
    eta, kappa_tilde = 1 / (2 * info.need("r2") * caution), info.need("kappa_tilde")
    least = (3 * SETTLED / n) ** 2 * kappa_tilde / eta
    inner = inner_steps(eta, min(max(info.need("mu"), least), info.need("lambda_max")), kappa_tilde, 1 / 3)
    return replace(inner, theta=min(inner.theta, 0.5))


@dataclass(frozen=True, eq=False)
class Inner:
    """After `seen` of T rows; the sum of the iterates from row `skip` on is part of `vectors`."""

    info: ProblemInfo
    steps: InnerSteps
    T: int
    skip: int
    seen: int
    vectors: Array

    @classmethod
    def begin(cls, info: ProblemInfo, T: int, caution: float) -> Inner:
        vectors = aligned_zeros(SLOTS * padded(info.dim))
        return cls(info, tuned(info, T, caution), T, T // SKIP // 4 * 4, 0, vectors)

    def fed(self, *terms: Array) -> Inner:
        """After the rows of these terms (a, e) too; refused when the iterate leaves every range."""
        a, e = terms
        cut = min(max(self.skip - self.seen, 0), len(e))
        vectors = aligned_copy(self.vectors)
        table = inner_table(self.steps.eta, self.steps.gamma, self.steps.theta)
        for part, tail in ((slice(0, cut), False), (slice(cut, None), True)):
            rows = np.ascontiguousarray(a[part]).reshape(-1)
            _advance(vectors, self.info.dim, padded(self.info.dim), table, CODE, rows, -e[part], len(e[part]), tail)
        seen = self.seen + len(e)
        if not np.max(np.abs(vectors)) < LIMIT:
            eta = self.steps.eta
            raise DivergenceError("the inner loop diverged", parameter="eta", value=eta, samples=seen)
        return replace(self, seen=seen, vectors=vectors)

    @property
    def tail(self) -> int:
        """Rows averaged so far."""
        return max(0, self.seen - self.skip)

    def average(self) -> Array:
        """w; zero before the first row that counts."""
        d, pad = self.info.dim, padded(self.info.dim)
        return np.array(self.vectors[S * pad : S * pad + d]) / max(1, self.tail)
