r"""Exact dynamics of the variants of the inner loop: mini-batches, SADA-UD as printed and corrected, SADA-WC.

A step of a variant averages `labelled` = L gradients l'(a.y~, b) a and `size` = n outer products, those L among them,
and may add a ridge to them:

    g = (h/L) sum_{i <= L} l'_i a_i + S^ (y - y~),   S^ = (1/n) sum_{i <= n} a_i a_i^T + ridge I,   S = Sigma + ridge I.

With delta = y~ - x_+^*, N(X) = M(X) - Sigma X Sigma, and R = E eps^2 a a^T, T3(y) = E[eps (a.y) a a^T] of one sample:

    excess of S^:   E (S^ - S) X (S^ - S) = N(X)/n
    noise:          R/L + (1/L - 1/n) (N(delta delta^T) - 2 T3(delta))
    coupling:       E (S^ - S) y zeta^T = T3(y)/n

A mini-batch has L = n = B; SADA-UD has L = 1, n = m + 1 while t <= T_0; SADA-WC has L = n = 1, a ridge, and noise of
its own (`numerics.problems.inner_problem_wc`). So unlabelled samples divide the excess by m + 1 and leave more noise at
a far y~: for least squares with independent noise R + (m/(m+1)) N(delta delta^T). Norms are those of S.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numerics.designs import Design
from numerics.operators import Array, StepSizes

from .frame import Frame, checked_depth, checked_noise, checked_start, frame
from .variants_moments import Law, Moments, Segment, leap

ThirdMoment = Callable[[Array], Array]
Y, V, TAIL = range(3)


@dataclass(frozen=True)
class Phase:
    """`length` steps with these step sizes, each averaging `labelled` gradients and `size` outer products."""

    length: int
    steps: StepSizes
    labelled: int = 1
    size: int = 1

    def __post_init__(self) -> None:
        for name, least in (("length", 0), ("labelled", 1), ("size", self.labelled)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"{name} = {value!r}: must be an integer >= {least}; labelled samples are among all")


@dataclass(frozen=True)
class Variant:
    """An inner loop: its phases one after the other, and the ridge that its metric S = Sigma + ridge I adds."""

    name: str
    phases: tuple[Phase, ...]
    ridge: float = 0.0

    def __post_init__(self) -> None:
        if self.horizon < 2:
            raise ValueError(f"{self.name}: {self.horizon} steps have no tail to average; give at least 2")
        if not (np.isfinite(self.ridge) and self.ridge >= 0):
            raise ValueError(f"{self.name}: ridge = {self.ridge}: must be a finite number >= 0")

    @property
    def horizon(self) -> int:
        """T."""
        return sum(phase.length for phase in self.phases)


def plain(steps: StepSizes, horizon: int) -> Variant:
    """The inner loop of Algorithm 1."""
    return Variant("SADA", (Phase(horizon, steps),))


def mini_batch(steps: StepSizes, horizon: int, batch: int) -> Variant:
    """The mean of `batch` stochastic gradients in every step."""
    return Variant(f"SADA, batches of {batch}", (Phase(horizon, steps, batch, batch),))


def unlabelled_printed(steps: StepSizes, horizon: int, m: int, until: int) -> Variant:
    """SADA-UD as printed: m unlabelled samples in each of the first `until` steps, then none, with the same steps."""
    first = min(until, horizon)
    phases = (Phase(first, steps, 1, m + 1), Phase(horizon - first, steps))
    return Variant("SADA-UD as printed", phases)


def unlabelled_corrected(
    steps: StepSizes, horizon: int, m: int, until: int | None = None, second: StepSizes | None = None
) -> Variant:
    """SADA-UD that stays stable: m unlabelled samples in every step, or step sizes of their own after `until`."""
    if second is None:
        return Variant("SADA-UD, corrected", (Phase(horizon, steps, 1, m + 1),))
    first = horizon if until is None else min(until, horizon)
    return Variant("SADA-UD, corrected", (Phase(first, steps, 1, m + 1), Phase(horizon - first, second)))


def weakly_convex(steps: StepSizes, horizon: int, ridge: float) -> Variant:
    """SADA-WC, whose metric is Sigma + ridge I with ridge = epsilon/(L D^2)."""
    return Variant("SADA-WC", (Phase(horizon, steps),), ridge)


@dataclass(frozen=True, eq=False)
class VariantTruth:
    """What the paper bounds, exactly: norms are those of S, L_var is the risk of the tail average.

    `variance` = E |v|^2_S = L_var of the second moments = the sum of `layers`, which are L_var of the layers 0 .. depth
    and, last, of the remainder. `total` = E |tail average - x_+^*|^2_S = bias + variance + 2 cross. `radii` are the
    spectral radii of the second-moment operators of the phases, see `variant_radii`: above 1, the phase is unstable in
    mean square.
    """

    variance: float
    layers: tuple[float, ...]
    bias: float
    cross: float
    radii: tuple[float, ...]

    @property
    def total(self) -> float:
        return self.bias + self.variance + 2 * self.cross

    @property
    def stable(self) -> bool:
        return max(self.radii) < 1


def variant_truth(
    design: Design,
    variant: Variant,
    noise: ArrayLike,
    *,
    start: ArrayLike | None = None,
    third_moment: ThirdMoment | None = None,
    depth: int = 3,
    method: str = "auto",
) -> VariantTruth:
    """The truth for a variant on a design; `noise` is R of single samples, `start` is delta (zero by default).

    `third_moment` is T3, needed where the residual depends on a (a misspecified model). method="loop" takes the steps
    one by one.
    """
    flow = _Flow.of(design, variant, noise, start, third_moment)
    layers = flow.layer_averages(checked_depth(depth) + 1, by_loop=method == "loop")
    bias, total = (flow.risk(forced=forced, by_loop=method == "loop") for forced in (False, True))
    variance = float(np.sum(layers))
    return VariantTruth(variance, tuple(layers.tolist()), bias, (total - bias - variance) / 2, flow.radii())


def variant_risk(
    design: Design, variant: Variant, noise: ArrayLike, start: ArrayLike, third_moment: ThirdMoment | None = None
) -> float:
    """`variant_truth(...).total` alone: E |tail average - x_+^*|^2_S."""
    return _Flow.of(design, variant, noise, start, third_moment).risk(forced=True, by_loop=False)


@dataclass(frozen=True, eq=False)
class TailMoments:
    """Mean and second moment of (tail average - x_+^*), in the coordinates of the design."""

    mean: Array
    second: Array

    def risk(self, metric: Array, offset: Array) -> float:
        """E |tail average - c|^2 in any metric, for offset = x_+^* - c."""
        cross = np.outer(self.mean, offset)
        return float(np.sum(metric * (self.second + cross + cross.T + np.outer(offset, offset))))


def variant_tail(
    design: Design, variant: Variant, noise: ArrayLike, start: ArrayLike, third_moment: ThirdMoment
) -> TailMoments:
    """For a design with finite support and no pair structure, such as those of `numerics.problems.inner_problem`."""
    return _Flow.of(design, variant, noise, start, third_moment).tail()


def variant_radii(design: Design, variant: Variant) -> tuple[float, ...]:
    """The spectral radius of the second-moment operator of every phase that has steps.

    In doubles: where roots meet, as at gamma mu = theta and theta^2 = eta mu, 1 - radius has four digits only. For the
    plain loop `spectral_radius` encloses it.
    """
    return _Flow.of(design, variant, np.zeros((design.dim, design.dim)), None, None).radii()


def phase_noise(phase: Phase, noise: Array, excess: Array, third: Array) -> Array:
    """R/L + (1/L - 1/n)(N(delta delta^T) - 2 T3(delta))."""
    return noise / phase.labelled + (1 / phase.labelled - 1 / phase.size) * (excess - 2 * third)


def phase_increment(steps: StepSizes, lam: Array, *, tail: bool) -> tuple[Array, Array]:
    """P (d, 3, 3) and u (3,) of (y, v, s) in one step; s collects x after the step when `tail`."""
    out = np.zeros((len(lam), 3, 3))
    out[:, :2, :2] = steps.mean_block_increment(lam)
    direction = np.array([steps.q, steps.rho, 0.0])
    if tail:
        moved = out[:, :2] + np.eye(3)[None, :2]
        out[:, TAIL] = moved[:, Y] - steps.theta * moved[:, V]
        direction[TAIL] = steps.eta
    return out, direction


def change_of_steps(before: StepSizes, after: StepSizes, blocks: int) -> Array:
    """x and z stay: v = (z - x)/(1 + theta), y = x + theta v."""
    out = np.eye(blocks)
    out[V, V] = (1 + before.theta) / (1 + after.theta)
    out[Y, V] = after.theta * out[V, V] - before.theta
    return out


def pieces(variant: Variant) -> list[tuple[Phase, int, bool]]:
    """(phase, steps, whether the tail is summed), cut where a phase ends and where the tail begins."""
    half, begun, found = variant.horizon // 2, 0, []
    for phase in variant.phases:
        before = min(max(half - begun, 0), phase.length)
        found += [(phase, steps, tail) for steps, tail in ((before, False), (phase.length - before, True)) if steps]
        begun += phase.length
    return found


@dataclass(frozen=True, eq=False)
class _Flow:
    """A variant on a design, in the eigenbasis."""

    view: Frame
    variant: Variant
    law: Law
    noise: Array
    start: Array
    third: Array | None  # T3 of the unit vectors, packed: (kept, d)

    @classmethod
    def of(
        cls,
        design: Design,
        variant: Variant,
        noise: ArrayLike,
        start: ArrayLike | None,
        third_moment: ThirdMoment | None,
    ) -> _Flow:
        r, d = checked_noise(noise, design.dim), design.dim
        view = frame(design, variant.phases[0].steps)
        law = Law.of(view)
        delta = view.into_vector(checked_start(np.zeros(d) if start is None else start, d))
        third = None
        if third_moment is not None:
            columns = [law.packed(view.into(_symmetric(third_moment(view.out_vector(e))))) for e in np.eye(d)]
            third = np.array(columns).T
        return cls(view, variant, law, law.packed(view.into(r)), delta, third)

    @property
    def lam(self) -> Array:
        """Eigenvalues of S."""
        return self.view.lam + self.variant.ridge

    def _segments(self, *, forced: bool) -> list[tuple[Segment, StepSizes]]:
        outer = self.law.packed(np.outer(self.start, self.start))
        far = self.law.table @ outer
        third = np.zeros_like(far) if self.third is None else self.third @ self.start
        found = []
        for phase, steps, tail in pieces(self.variant):
            increment, direction = phase_increment(phase.steps, self.lam, tail=tail)
            weight = np.zeros((3, 3))
            weight[Y, Y] = 1 / phase.size
            noise = phase_noise(phase, self.noise, far, third) if forced else np.zeros_like(far)
            coupling = None if self.third is None or not forced else self.third / phase.size
            found.append((Segment(steps, increment, direction, weight, noise, coupling), phase.steps))
        return found

    def radii(self) -> tuple[float, ...]:
        moments, found = Moments(self.law, 2), []
        for phase in self.variant.phases:
            if phase.length:
                increment, direction = phase_increment(phase.steps, self.lam, tail=False)
                weight = np.diag([1 / phase.size, 0.0])
                found.append(
                    moments.radius(Segment(1, increment[:, :2, :2], direction[:2], weight, np.zeros(len(self.noise))))
                )
        return tuple(found)

    def layer_averages(self, layers: int, *, by_loop: bool) -> Array:
        """L_var of every layer and of the remainder."""
        moments = Moments(self.law, 3)
        values, last = np.zeros((layers + 1) * moments.size + 1), None
        values[-1] = 1.0
        for segment, steps in self._segments(forced=True):
            if last not in (None, steps):
                change = change_of_steps(last, steps, 3)
                parts = values[:-1].reshape(layers + 1, -1)
                moved = [moments.transformed(np.append(part, 1.0), change)[:-1] for part in parts]
                values = np.concatenate([*moved, [1.0]])
            values, last = leap(moments.generator(segment, layers), values, segment.steps, by_loop=by_loop), steps
        parts = values[:-1].reshape(layers + 1, -1)
        return np.array([self._risk(moments, part) for part in parts])

    def risk(self, *, forced: bool, by_loop: bool) -> float:
        """Of the tail average from `start`, with the gradient noise or without."""
        moments = Moments(self.law, 3)
        return self._risk(moments, self._final(moments, forced=forced, by_loop=by_loop))

    def tail(self) -> TailMoments:
        moments, d = Moments(self.law, 3), self.view.dim
        values = self._final(moments, forced=True, by_loop=False)
        count = self.variant.horizon - self.variant.horizon // 2
        mean = values[moments.size + TAIL * d : moments.size + (TAIL + 1) * d] / count
        return TailMoments(self.view.out_vector(mean), self.view.out(moments.matrix(values, TAIL, TAIL)) / count**2)

    def _final(self, moments: Moments, *, forced: bool, by_loop: bool) -> Array:
        """The state after all steps."""
        means = forced and self.third is not None
        values, last = moments.state(np.array([self.start, 0 * self.start, 0 * self.start]), means=means), None
        for segment, steps in self._segments(forced=forced):
            if last not in (None, steps):
                values = moments.transformed(values, change_of_steps(last, steps, 3))
            values, last = leap(moments.generator(segment), values, segment.steps, by_loop=by_loop), steps
        return values

    def _risk(self, moments: Moments, values: Array) -> float:
        horizon = self.variant.horizon
        return float(self.lam @ moments.diagonal(values, TAIL, TAIL)) / (horizon - horizon // 2) ** 2


def _symmetric(matrix: Array) -> Array:
    return np.asarray((matrix + np.transpose(matrix)) / 2)
