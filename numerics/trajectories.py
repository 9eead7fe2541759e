r"""Risk curves of the inner loop: exact E |x_t - x*|^2_Sigma over time and of tail averages over horizons, as tidy
tables.

The iterate is bias plus variance. Its risk is

    E |x_t|^2_Sigma = bias_t + variance_t + 2 cross_t,    cross_t = E <x_t^bias, x_t^var>_Sigma,

and the cross term vanishes when E[eps a a^T (a.y)] = 0, as for label noise that is independent of a and centred. For
a misspecified model it does not, and R alone does not determine it: pass `third_moment`, the map y -> E[eps (a.y) a
a^T]. Its recursion is X_t = B(X_{t-1}) - [[eta^2, eta q], [eta q, q^2]] (x) T3(E y_{t-1}^bias) on second moments of
(x, y).
"""

from __future__ import annotations

import csv
import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.covariance.averages import bias_average, layer_averages, variance_average
from numerics.covariance.diagonal import Diagonal, layered_loop, loop_arguments
from numerics.covariance.dynamics import initial_state
from numerics.covariance.frame import (
    Frame,
    State,
    checked_depth,
    checked_horizon,
    checked_noise,
    checked_start,
    frame,
)
from numerics.covariance.general import TailSums, evolve_general
from numerics.covariance.half_vector import doubling_wins
from numerics.designs import Design
from numerics.operators import Array, StepSizes

ThirdMoment = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Curves:
    """Named risks over t (or over horizons T), in the order bias, variance, layers, remainder, cross, total."""

    axis: str  # "t" or "T"
    times: NDArray[np.int64]
    parts: dict[str, Array]

    def __getitem__(self, part: str) -> Array:
        if part not in self.parts:
            raise KeyError(f"no part {part!r}; choose one of {', '.join(self.parts)}")
        return self.parts[part]

    def table(self) -> list[dict[str, float | str]]:
        """Tidy rows: one a time and part."""
        return [
            {self.axis: int(t), "part": name, "risk": float(values[k])}
            for name, values in self.parts.items()
            for k, t in enumerate(self.times)
        ]

    def write_csv(self, path: str | Path) -> Path:
        """The tidy table as CSV, every risk with all its digits."""
        target = Path(path)
        with target.open("w", newline="") as stream:
            writer = csv.DictWriter(stream, fieldnames=[self.axis, "part", "risk"], lineterminator="\n")
            writer.writeheader()
            writer.writerows({**row, "risk": repr(row["risk"])} for row in self.table())
        return target

    def svg(self, parts: Sequence[str] | None = None, *, width: int = 640, height: int = 400) -> str:
        """The curves on a logarithmic risk axis as a self-contained SVG; `parts` chooses and orders them."""
        chosen = {name: self[name] for name in (self.parts if parts is None else parts)}
        shown = {name: values for name, values in chosen.items() if np.any(values > 0)}
        if not shown:
            raise ValueError("nothing to draw: every chosen part is zero; choose others or a longer horizon")
        return _drawn(self.axis, self.times, shown, width, height)

    def _repr_svg_(self) -> str:
        return self.svg()


def risk_curves(
    design: Design,
    steps: StepSizes,
    noise: ArrayLike,
    start: ArrayLike,
    horizon: int,
    *,
    depth: int = 0,
    third_moment: ThirdMoment | None = None,
) -> Curves:
    """E |x_t|^2_Sigma for t = 0..T with its bias, variance, layers 0..depth, remainder and cross term."""
    r, x0 = checked_noise(noise, design.dim), checked_start(start, design.dim)
    horizon, layers = checked_horizon(horizon), checked_depth(depth) + 1
    view = frame(design, steps)
    zero = np.zeros_like(r)
    bias = _recorded(view, zero, initial_state(view, x0), 0, horizon)[:, 0]
    split = _recorded(view, view.into(r), None, layers, horizon)
    variance = split.sum(axis=1)
    cross = np.zeros(horizon + 1)
    if third_moment is not None:
        cross = _cross(view, x0, third_moment, horizon)
    parts = {"bias": bias, "variance": variance}
    parts |= {f"layer {l}": split[:, l] for l in range(layers)}
    parts |= {"remainder": split[:, layers], "cross": cross, "total": bias + variance + 2 * cross}
    return Curves("t", np.arange(horizon + 1), parts)


def tail_risk_curves(
    design: Design,
    steps: StepSizes,
    noise: ArrayLike,
    start: ArrayLike,
    horizons: Sequence[int],
    *,
    depth: int = 0,
) -> Curves:
    """The Sigma-risk of (2/T) sum_{t > T/2} x_t for every horizon, split like `risk_curves` (no cross term)."""
    r, x0 = checked_noise(noise, design.dim), checked_start(start, design.dim)
    ends = [checked_horizon(t, even=True) for t in horizons]
    if not ends:
        raise ValueError("horizons is empty; give at least one even T")
    depth = checked_depth(depth)
    view = frame(design, steps)
    if view.excess is None and not doubling_wins(view, depth + 1, depth + 2, max(ends), tail=True):
        bias, split = _general_tails(view, r, x0, ends, depth + 1)
    else:
        bias = np.array([bias_average(design, steps, x0, t) for t in ends])
        split = np.array([layer_averages(design, steps, r, t, depth) for t in ends])
    variance = split.sum(axis=1)
    parts = {"bias": bias, "variance": variance}
    parts |= {f"layer {l}": split[:, l] for l in range(depth + 1)}
    parts |= {"remainder": split[:, depth + 1], "total": bias + variance}
    return Curves("T", np.array(ends), parts)


def excess_of_average(design: Design, steps: StepSizes, noise: ArrayLike, start: ArrayLike, horizon: int) -> float:
    """E |(2/T) sum_{t > T/2} x_t|^2_Sigma when the cross term vanishes: E |r|^2_Sigma + E |v|^2_Sigma."""
    return bias_average(design, steps, start, horizon) + variance_average(design, steps, noise, horizon)


def _x_risk(view: Frame, diagonal: Array) -> float:
    p, u, w = diagonal
    theta = view.steps.theta
    return float(view.lam @ (p - theta * (2 * u - theta * w)))


def _recorded(view: Frame, forcing: Array, initial: State | None, layers: int, horizon: int) -> Array:
    """Risks (T + 1, layers + 1) of the layers and the remainder, t = 0 first."""
    first = State.zeros(view.dim) if initial is None else initial
    risks = np.zeros((horizon + 1, layers + 1))
    risks[0, 0] = _x_risk(view, first.diagonal())
    if view.excess is not None:
        state = np.zeros((layers + 1, 3, view.dim))
        state[0] = first.diagonal()
        flow = Diagonal.of(view, view.excess)
        arguments = loop_arguments(flow, np.diagonal(forcing).copy())
        layered_loop(*arguments, state, layers, horizon, risks[1:], np.empty((0, 0, 0)), flow.theta)
        return risks

    def watch(t: int, states: list[State]) -> None:
        risks[t] = [_x_risk(view, s.diagonal()) for s in states]

    evolve_general(view, forcing, [first] + [State.zeros(view.dim)] * layers, layers, horizon, watch)
    return risks


def _general_tails(view: Frame, noise: Array, start: Array, ends: list[int], layers: int) -> tuple[Array, Array]:
    """Tail averages for all horizons in one pass: every horizon keeps O(d) sums while it is in its second half."""

    def averages(forcing: Array, initial: State | None, count: int) -> Array:
        sums = [TailSums(view, count + 1) for _ in ends]

        def watch(t: int, states: list[State]) -> None:
            for end, total in zip(ends, sums, strict=True):
                if end // 2 < t <= end:
                    total.see(states)

        first = State.zeros(view.dim) if initial is None else initial
        evolve_general(view, forcing, [first] + [State.zeros(view.dim)] * count, count, max(ends), watch)
        return np.array([4 * total.energies() / end**2 for total, end in zip(sums, ends, strict=True)])

    bias = averages(np.zeros_like(noise), initial_state(view, start), 0)[:, 0]
    return bias, averages(view.into(noise), None, layers)


def _cross(view: Frame, start: Array, third_moment: ThirdMoment, horizon: int) -> Array:
    """E <x_t^bias, x_t^var>_Sigma for t = 0..T, for any design."""
    y, v = view.into_vector(start).copy(), np.zeros(view.dim)
    steps, state = view.steps, State.zeros(view.dim)
    risks = np.zeros(horizon + 1)
    for t in range(1, horizon + 1):
        push = -view.into(_symmetric(third_moment(view.out_vector(y)), view.dim))
        state = evolve_general(view, push, [state], 0, 1)[0]
        force = view.lam * y
        y, v = y + steps.c * steps.theta * v - steps.q * force, steps.c * v - steps.rho * force
        risks[t] = _x_risk(view, state.diagonal())
    return risks


def _symmetric(matrix: ArrayLike, dim: int) -> Array:
    given = np.asarray(matrix, dtype=np.float64)
    if given.shape != (dim, dim):
        raise ValueError(f"third_moment returned shape {given.shape}; it must map a vector to a ({dim}, {dim}) matrix")
    if not np.allclose(given, given.T, rtol=1e-10, atol=0 if not given.any() else 1e-14 * float(np.abs(given).max())):
        raise ValueError("third_moment returned a matrix that is not symmetric; E[eps (a.y) a a^T] is symmetric")
    return (given + given.T) / 2


_COLOURS = ("#1b6ca8", "#c44536", "#2a7f62", "#8d5a97", "#b8860b", "#444444", "#d1495b", "#00798c")


def _thinned(order: NDArray[np.intp], most: int = 500) -> NDArray[np.intp]:
    """At most `most` of the points, first and last included: more than a screen shows."""
    return order[np.unique(np.linspace(0, len(order) - 1, min(most, len(order))).round().astype(np.intp))]


def _drawn(axis: str, times: NDArray[np.int64], parts: dict[str, Array], width: int, height: int) -> str:
    positive = np.concatenate([v[v > 0] for v in parts.values()])
    high = int(np.ceil(np.log10(positive.max())))
    low = max(int(np.floor(np.log10(positive.min()))), high - 20)  # twenty decades are enough to read
    high = max(high, low + 1)
    left, top, right, bottom = 60, 20, width - 150, height - 40
    first, last = float(times.min()), float(max(times.max(), times.min() + 1))

    def x(t: float) -> float:
        return left + (t - first) / (last - first) * (right - left)

    def y(decade: float) -> float:
        return top + (high - decade) / (high - low) * (bottom - top)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">']
    out.append(f'<style>text{{font:12px sans-serif}}</style><rect width="{width}" height="{height}" fill="white"/>')
    for decade in range(low, high + 1, max(1, (high - low) // 8)):
        out.append(f'<line x1="{left}" x2="{right}" y1="{y(decade):.1f}" y2="{y(decade):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{y(decade) + 4:.1f}" text-anchor="end">1e{decade}</text>')
    for t in (first, last):
        out.append(f'<text x="{x(t):.1f}" y="{bottom + 18}" text-anchor="middle">{axis} = {int(t)}</text>')
    for k, (name, values) in enumerate(parts.items()):
        colour = _COLOURS[k % len(_COLOURS)]
        order = [i for i in _thinned(np.argsort(times, kind="stable")) if values[i] >= 10.0**low]
        line = " ".join(f"{x(float(times[i])):.1f},{y(float(np.log10(values[i]))):.1f}" for i in order)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{right + 10}" y="{top + 14 + 16 * k}" fill="{colour}">{html.escape(name)}</text>')
    return "".join([*out, "</svg>"])
