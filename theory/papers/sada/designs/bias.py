"""The bias of the inner loop, powers of its block, and the lower bounds on the constants of a design."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from numerics.covariance import bias_average, bias_covariance
from numerics.designs import Design, FiniteSupport, Gaussian
from numerics.operators import Array, StepSizes
from theory.papers.sada.designs.inner import HORIZONS, kept_scenes
from theory.papers.sada.designs.scenes import Scene, designs, scene, spread
from theory.ratios import Observation

POINT = FiniteSupport(np.ones((1, 1)), np.ones(1))  # a = 1


def _starting(one: Scene) -> dict[str, object]:
    """The gradient Sigma (y~ - minimiser) in the eigenbasis, and what the repaired rule for T speaks of."""
    p, lam = one.chosen, one.design.eigenvalues
    turned = one.design.eigenvectors.T @ one.start
    last = float(p.outer_theta[-1])
    return one.values(
        g=(lam * turned).tolist(), n=p.horizon // 2, kS=p.condition_number, thk=last, thK=last, alpha=p.alpha
    )


def tail_bias(keys: tuple[str, ...], scale: bool = False) -> Callable[[int], Iterator[Observation]]:
    """E|r|^2_Sigma, or E|r|^2_H when it is scaled by L_l."""

    def observe(seed: int) -> Iterator[Observation]:
        for one in kept_scenes(seed):
            yield from _tail(one, keys, scale)
        base = scene("Gaussian, d = 8, condition 100", Gaussian(spread(8, 100)))
        for horizon in HORIZONS:
            yield from _tail(base.with_horizon(horizon), keys, scale, float(horizon))

    return observe


def _tail(one: Scene, keys: tuple[str, ...], scale: bool, at: float | None = None) -> Iterator[Observation]:
    truth = bias_average(one.design, one.chosen.steps, one.start, one.chosen.horizon)
    truth *= one.chosen.smoothness if scale else 1.0
    for key in keys:
        where = None if at is None else ("T", at)
        yield Observation(
            key, one.name, truth, _starting(one), setting=one.setting, curve=key if where else "", at=where
        )


def short_loop(seed: int) -> Iterator[Observation]:
    """kappa(Sigma) = 1, so that the printed rule for T asks for nothing: T = 2."""
    for theta in (1 / 16, 1 / 64, 1 / 256):
        truth = bias_average(POINT, StepSizes(16 * theta**2, theta, theta), np.ones(1), 2)
        for alpha in (1.0, 4.0, 16.0, 64.0):
            thk = math.sqrt(1 / (12 * alpha))
            values = {"theta": theta, "alpha": alpha, "thk": thk, "G": 1.0}
            setting = f"T = 2, θ = 1/{1 / theta:.0f}, α = {alpha:g}"
            curve = "lem:r-bound" if theta == 1 / 64 else ""
            yield Observation("lem:r-bound", "a = 1", truth, values, setting=setting, curve=curve, at=("α", alpha))


def long_loop(seed: int) -> Iterator[Observation]:
    """a = 1 and T = 2n as long as the repaired rule asks: r against the bound that has lost a factor."""
    for theta in (1 / 16, 1 / 64):
        for alpha, smoothness in ((1.0, 1.0), (4.0, 1.0), (4.0, 1e3), (4.0, 1e6), (4.0, 1e9)):
            thk = math.sqrt(1 / (12 * alpha))
            n = math.ceil(math.log(6 / thk**2) / -math.log1p(-theta))
            truth = smoothness * bias_average(POINT, StepSizes(16 * theta**2, theta, theta), np.ones(1), 2 * n)
            values = {"theta": theta, "alpha": alpha, "thk": thk, "G": 1.0, "Ll": smoothness, "n": n}
            setting = f"θ = 1/{1 / theta:.0f}, α = {alpha:g}, L_ℓ = {smoothness:g}, T = {2 * n}"
            curve = "lem:inner-loop#r" if theta == 1 / 16 and alpha == 4.0 else ""
            yield Observation(
                "lem:inner-loop#r", "a = 1", truth, values, setting=setting, curve=curve, at=("L_ℓ", smoothness)
            )


def bias_energy(seed: int) -> Iterator[Observation]:
    """E|x_T|^2 + weight E|z_T|^2_{Sigma^-1} after T steps; weight theta/gamma is that of the repaired lemma."""
    key = "lem:bias-bound/repaired"
    for one in kept_scenes(seed):
        for horizon in (1, 10, 100, 1000):
            yield _energy(key, one, horizon, curve="")
    base = scene("Gaussian, d = 8, condition 100", Gaussian(spread(8, 100)))
    yield from (_energy(key, base, horizon, curve=key) for horizon in HORIZONS if horizon <= 6_000)
    for theta in (1 / 16, 1 / 32, 1 / 64):
        steps = StepSizes(16 * theta**2, theta, theta)
        for horizon in (1, 2, 4, 8, 16, 32, 64):
            truth = _weighted(POINT, steps, np.ones(1), horizon, 0.5)
            values = {"theta": theta, "T": horizon}
            curve = "lem:bias-bound" if theta == 1 / 16 else ""
            name, setting = "a = 1", f"θ = 1/{1 / theta:.0f}, T = {horizon}"
            at = ("T", float(horizon))
            yield Observation("lem:bias-bound", name, truth, values, setting=setting, curve=curve, at=at)


def _energy(key: str, one: Scene, horizon: int, curve: str) -> Observation:
    steps, design = one.chosen.steps, one.design
    truth = _weighted(design, steps, one.start, horizon, 1.0)
    values = one.values(T=horizon, x0=(design.eigenvectors.T @ one.start).tolist())
    setting = ", ".join(filter(None, (one.setting, f"after {horizon} steps")))
    return Observation(key, one.name, truth, values, 1, setting, curve=curve, at=("T", float(horizon)))


def _weighted(design: Design, steps: StepSizes, start: Array, horizon: int, weight: float) -> float:
    """z = y + (y - x)/theta, so z z^T = ((1 + theta) y - x)((1 + theta) y - x)^T / theta^2."""
    final = bias_covariance(design, steps, start, horizon)
    cross = (1 + steps.theta) * (final.c12 + final.c12.T)
    zz = ((1 + steps.theta) ** 2 * final.c22 - cross + final.c11) / steps.theta**2
    vectors = design.eigenvectors
    inverse = float(np.sum(np.diagonal(vectors.T @ zz @ vectors) / design.eigenvalues))
    return float(np.trace(final.c11)) + weight * steps.theta / steps.gamma * inverse


def powers(seed: int) -> Iterator[Observation]:
    """max over k of |(A^k (1, 1))_1|, by multiplying: with the paper's step sizes and with others that print allows."""
    keys = ("lem:A-power-bound", "lem:A-power-bound/repaired", "lem:A-power-bound/sharper#hyperparameters")
    for condition in (1.0, 10.0, 100.0, 1000.0):
        one = scene("", Gaussian(spread(2, condition)))
        for lam in np.geomspace(one.chosen.mu, 1.0, 3 if condition > 1 else 1).tolist():
            values = one.values(lam=lam)
            name = f"Gaussian, condition {condition:g}, eigenvalue {lam:.3g}"
            for key in keys:
                yield _power(key, name, one.chosen.steps, lam, values)
    for growth in np.geomspace(1, 100, 9).tolist():
        steps = StepSizes(0.5, 0.1, 0.5 * growth)
        name = f"ηλ = 1/2, θ = 0.1, γ/η = {growth:.3g}"
        yield _power("lem:A-power-bound", name, steps, 1.0, {"lam": 1.0}, ("γ/η", growth))


def _power(
    key: str, name: str, steps: StepSizes, lam: float, values: dict[str, object], at: tuple[str, float] | None = None
) -> Observation:
    block, state, sizes = steps.mean_block(lam), np.ones(2), []
    for _ in range(30):
        sizes.append(abs(float(state[0])))
        state = np.clip(block @ state, -1e150, 1e150)
    worst = int(np.argmax(sizes[1:])) + 1
    own = {**values, "eta": steps.eta, "c": steps.c, "q": steps.q, "k": worst}
    return Observation(key, name, sizes[worst], own, setting=f"k = {worst}", curve=key if at else "", at=at)


def lower_bounds(seed: int) -> Iterator[Observation]:
    """R^2 and kappa~ of each design, tight, against tr Sigma and d."""
    for name, design in designs(seed):
        values = {"trace": float(np.sum(design.eigenvalues)), "R2": design.r2}
        yield Observation("lem:R2-kappa-lower#R^2", name, design.r2, values)
        yield Observation(
            "lem:R2-kappa-lower#kt", name, design.kappa_tilde, {"d": design.dim, "kt": design.kappa_tilde}
        )
