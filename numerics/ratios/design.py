r"""Truth over bound for every inner-loop inequality, for one design and one choice of hyperparameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numerics.covariance.averages import bias_average, core_average, layer_averages
from numerics.covariance.dynamics import bias_covariance
from numerics.covariance.frame import checked_depth, checked_noise, checked_start
from numerics.covariance.stationary import stationary_layers
from numerics.designs import Design
from numerics.operators import Array
from numerics.parameters import Hyperparameters

from . import bounds


@dataclass(frozen=True)
class Ratio:
    """One inequality at one point: truth <= bound holds when ratio <= 1."""

    statement: str
    part: str
    truth: float
    bound: float

    @property
    def ratio(self) -> float:
        return self.truth / self.bound if self.bound > 0 else float("nan")


@dataclass(frozen=True, eq=False)
class NoiseModel:
    """The gradient noise of an inner loop: R at y~, Q at x*, and the excess risk F(y~) - F(x*)."""

    r: Array
    q: Array
    gap: float

    @classmethod
    def well_specified(cls, noise: ArrayLike) -> NoiseModel:
        """Least squares with label noise independent of a: R = Q wherever the inner loop starts."""
        matrix = np.asarray(noise, dtype=np.float64)
        return cls(matrix, matrix, 0.0)


def design_ratios(
    design: Design,
    parameters: Hyperparameters,
    noise: NoiseModel,
    start: ArrayLike,
    *,
    depth: int = 3,
) -> tuple[Ratio, ...]:
    """Every inequality of the inner-loop sections, truth from the exact dynamics; `start` is y~ minus the minimiser."""
    return tuple(_all(design, parameters, noise, checked_start(start, design.dim), checked_depth(depth)))


def ratio_table(
    designs: Iterable[tuple[str, Design]],
    parameters: Callable[[Design], Iterable[tuple[str, Hyperparameters]]],
    noise: Callable[[Design], NoiseModel],
    start: Callable[[Design], ArrayLike],
    *,
    depth: int = 3,
) -> list[dict[str, str | float]]:
    """Tidy rows over a grid of named designs and named hyperparameters."""
    return [
        {
            "design": name,
            "parameters": label,
            "statement": ratio.statement,
            "part": ratio.part,
            "truth": ratio.truth,
            "bound": ratio.bound,
            "ratio": ratio.ratio,
        }
        for name, design in designs
        for label, chosen in parameters(design)
        for ratio in design_ratios(design, chosen, noise(design), start(design), depth=depth)
    ]


def _all(design: Design, p: Hyperparameters, noise: NoiseModel, start: Array, depth: int) -> Iterator[Ratio]:
    r, q = checked_noise(noise.r, design.dim), checked_noise(noise.q, design.dim, name="Q")
    if not noise.gap >= 0:
        raise ValueError(f"gap = {noise.gap}: F(y~) - F(x*) cannot be negative; check y~ and x*")
    r_inv, q_inv = _inverse_trace(design, r), _inverse_trace(design, q)
    yield from _noise_ratios(p, noise, r_inv, float(np.trace(r)), q_inv, float(np.trace(q)))
    yield from _core_ratios(design, p, r, r_inv)
    yield from _layer_ratios(design, p, r, depth)
    yield from _variance_ratios(design, p, r, q_inv, float(np.trace(q)), noise.gap, depth)
    yield from _bias_ratios(design, p, start)


def _inverse_trace(design: Design, matrix: Array) -> float:
    turned = design.eigenvectors.T @ matrix @ design.eigenvectors
    return float(np.sum(np.diagonal(turned) / design.eigenvalues))


def _noise_ratios(
    p: Hyperparameters, noise: NoiseModel, r_inv: float, r: float, q_inv: float, q: float
) -> Iterator[Ratio]:
    inverse = bounds.noise_sigma_inverse(q_inv, noise.gap, p.smoothness, p.noise_l, p.kappa_tilde)
    yield Ratio("lem:noise-bound-Sigma-inverse", "tr(Sigma^-1 R)", r_inv, inverse)
    yield Ratio("lem:noise-bound-2-norm", "tr R", r, bounds.noise_trace(q, noise.gap, p.smoothness, p.noise_b, p.r2))


def _core_ratios(design: Design, p: Hyperparameters, r: Array, r_inv: float) -> Iterator[Ratio]:
    average = core_average(design, p.steps, r, p.horizon)
    yield Ratio("lem:Pi-average-bound", "M = R", average, float(bounds.pi_average(r_inv, p.horizon)))


def _layer_ratios(design: Design, p: Hyperparameters, r: Array, depth: int) -> Iterator[Ratio]:
    limits = stationary_layers(design, p.steps, r, depth)
    for l, (sigma, matrix) in enumerate(zip(limits.sigmas, limits.noises, strict=False)):
        inverse, trace = _inverse_trace(design, matrix), float(np.trace(matrix))
        label = "lem:Pi-stationary-bound" if l == 0 else "lem:var-tilde-C-l-bound"
        yield Ratio(label, f"layer {l}", sigma, float(bounds.pi_stationary(inverse, trace, p.kappa_tilde, p.eta)))
        if l:
            before = limits.sigmas[l - 1]
            yield Ratio("lem:var-fourth-moment", f"tr R^({l})", trace, p.r2 * before)
            yield Ratio("lem:var-fourth-moment", f"tr(Sigma^-1 R^({l}))", inverse, p.kappa_tilde * before)
            yield Ratio("lem:var-sigma-l-recursion", f"sigma^({l})", sigma, before / 2)


def _variance_ratios(
    design: Design, p: Hyperparameters, r: Array, q_inv: float, q: float, gap: float, depth: int
) -> Iterator[Ratio]:
    averages = layer_averages(design, p.steps, r, p.horizon, depth)
    limits = stationary_layers(design, p.steps, r, depth)
    common = {"kappa_tilde": p.kappa_tilde, "noise_b": p.noise_b, "noise_l": p.noise_l}
    zero = bounds.layer_zero_average(q_inv, gap, p.noise_l, p.kappa_tilde, p.horizon)
    yield Ratio("lem:L-var-C-tilde", "layer 0", float(averages[0]), zero)
    sigma = bounds.layer_zero_stationary(q_inv, q, gap, p.eta, r2=p.r2, **common)
    yield Ratio("lem:var-tilde-C-bound", "sigma^(0)", limits.sigmas[0], sigma)
    proved = bounds.layer_zero_stationary(q_inv, q, gap, p.eta, r2=p.r2, smoothness=p.smoothness, **common)
    for l in range(1, depth + 1):
        inner = core_average(design, p.steps, limits.noises[l], p.horizon)
        outer = float(bounds.pi_average(_inverse_trace(design, limits.noises[l]), p.horizon))
        yield Ratio("lem:L-var-l-bound", f"layer {l} against Pi(R^({l}))", float(averages[l]), inner)
        yield Ratio("lem:L-var-l-bound", f"Pi(R^({l}))", inner, outer)
        limit = bounds.layer_average(l, proved, p.kappa_tilde, p.horizon)
        yield Ratio("lem:L-var-bound-C-l", f"layer {l}", float(averages[l]), limit)
    shared = {"smoothness": p.smoothness, "horizon": p.horizon, **common}
    summed = bounds.summed_layers(q_inv, q, gap, p.eta, r2=p.r2, **shared)
    yield Ratio("lem:C-1-bound", "all layers from 1", float(np.sum(averages[1:])), summed)
    total = bounds.variance(q_inv, q, gap, p.eta, **shared)
    yield Ratio("lem:v-bound", "E|v|^2_Sigma", float(np.sum(averages)), total)


def _bias_ratios(design: Design, p: Hyperparameters, start: Array) -> Iterator[Ratio]:
    turned = design.eigenvectors.T @ start
    plain, inverse = float(turned @ turned), float(np.sum(turned**2 / design.eigenvalues))
    final = bias_covariance(design, p.steps, start, p.horizon)
    c = p.steps
    # z = y + (y - x)/theta, so z z^T = ((1 + theta) y - x)((1 + theta) y - x)^T / theta^2
    cross = (1 + c.theta) * (final.c12 + final.c12.T)
    zz = ((1 + c.theta) ** 2 * final.c22 - cross + final.c11) / c.theta**2
    for weight, part in ((0.5, "weight theta/(2 gamma), as printed"), (1.0, "weight theta/gamma, as proved")):
        truth = float(np.trace(final.c11)) + weight * c.theta / c.gamma * _inverse_trace(design, zz)
        bound = float(bounds.bias_energy(plain, inverse, c.theta, c.gamma, p.horizon, weight))
        yield Ratio("lem:bias-bound", part, truth, bound)
    gradient = float(np.sum(design.eigenvalues * turned**2))  # |grad F|^2_{Sigma^-1} = |y~ - x~*|^2_Sigma
    average = bias_average(design, p.steps, start, p.horizon)
    yield Ratio("lem:r-bound", "E|r|^2_Sigma", average, float(bounds.bias(gradient, p.smoothness, p.alpha)))
