"""What the exact dynamics of the inner loop say about its variance: C_t, layers, Pi_t and their limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from numerics.covariance import core_average, core_covariance, layer_averages, stationary_core, stationary_layers
from numerics.designs import FiniteSupport, Gaussian
from numerics.operators import Array, StepSizes
from theory.papers.sada.designs.losses import loss_scenes
from theory.papers.sada.designs.scenes import Scene, scene, scenes, spread
from theory.ratios import Observation

DEPTH = 2
HORIZONS = (2, 6, 20, 60, 200, 600, 2_000, 6_000, 20_000, 60_000, 200_000)
Truth = Callable[[Scene], Iterator[tuple[str, float, dict[str, Any]]]]


def core(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """L_var of Pi_t(R)."""
    yield "", core_average(one.design, one.chosen.steps, one.r, one.chosen.horizon), one.values()


def core_of_layers(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """L_var of Pi_t(R^(l))."""
    for l, noise in list(enumerate(_limits(one).noises))[1 : DEPTH + 1]:
        truth = core_average(one.design, one.chosen.steps, noise, one.chosen.horizon)
        yield f"layer {l}", truth, one.values(m=one.turned(noise).tolist())


def stationary(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """<diag(O, Sigma), Pi_inf(R)>."""
    limit = stationary_core(one.design, one.chosen.steps, one.r)
    yield "", float(np.sum(one.design.sigma * limit.c22)), one.values()


def layer_limits(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """sigma^(l), against the noise that drives it."""
    limits = _limits(one)
    for l in range(1, DEPTH + 1):
        yield f"layer {l}", limits.sigmas[l], one.values(m=one.turned(limits.noises[l]).tolist())


def layer_shares(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """sigma^(l), against sigma^(l-1)."""
    limits = _limits(one)
    for l in range(1, DEPTH + 1):
        noise = one.turned(limits.noises[l]).tolist()
        yield f"layer {l}", limits.sigmas[l], one.values(sig=limits.sigmas[l - 1], m=noise)


def layer_traces(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """tr R^(l), against sigma^(l-1)."""
    yield from _layer_noises(one, np.ones_like(one.design.eigenvalues))


def layer_inverse_traces(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """tr(Sigma^-1 R^(l)), against sigma^(l-1)."""
    yield from _layer_noises(one, 1 / one.design.eigenvalues)


def _layer_noises(one: Scene, weights: Array) -> Iterator[tuple[str, float, dict[str, Any]]]:
    limits = _limits(one)
    for l in range(1, DEPTH + 1):
        noise = one.turned(limits.noises[l])
        values = one.values(sig=limits.sigmas[l - 1], m=noise.tolist())
        yield f"layer {l}", float(noise @ weights), values


def layer_zero(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    yield "", float(_averages(one)[0]), one.values()


def layer_zero_limit(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    yield "", _limits(one).sigmas[0], one.values()


def each_layer(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """L_var of layer l = k + 1."""
    for l in range(1, DEPTH + 1):
        yield f"layer {l}", float(_averages(one)[l]), one.values(k=l - 1)


def upper_layers(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    yield "", float(np.sum(_averages(one)[1:])), one.values()


def variance(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """E|v|^2_Sigma."""
    yield "", float(np.sum(_averages(one))), one.values()


def variance_h(one: Scene) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """E|v|^2_H = L_l E|v|^2_Sigma."""
    yield "", one.chosen.smoothness * float(np.sum(_averages(one))), one.values()


@lru_cache(maxsize=256)
def _limits(one: Scene) -> Any:
    return stationary_layers(one.design, one.chosen.steps, one.r, DEPTH)


@lru_cache(maxsize=256)
def _averages(one: Scene) -> Array:
    return layer_averages(one.design, one.chosen.steps, one.r, one.chosen.horizon, DEPTH)


def over_designs(truth: Truth, keys: tuple[str, ...], goal: int = 0) -> Callable[[int], Iterator[Observation]]:
    """One truth on every scene, divided by the bound of each of these checks."""

    def observe(seed: int) -> Iterator[Observation]:
        for one in kept_scenes(seed):
            for part, value, values in truth(one):
                setting = ", ".join(filter(None, (one.setting, part)))
                yield from (Observation(key, one.name, value, values, goal, setting) for key in keys)

    return observe


def along_t(truth: Truth, keys: tuple[str, ...]) -> Callable[[int], Iterator[Observation]]:
    """One truth along the length of the inner loop."""

    def observe(seed: int) -> Iterator[Observation]:
        base = scene("Gaussian, d = 8, condition 100", Gaussian(spread(8, 100)))
        for horizon in HORIZONS:
            one = base.with_horizon(horizon)
            for part, value, values in truth(one):
                if part in ("", "layer 1"):
                    for key in keys:
                        where = ("T", float(horizon))
                        yield Observation(key, one.name, value, values, setting=one.setting, curve=key, at=where)

    return observe


@lru_cache(maxsize=4)
def kept_scenes(seed: int) -> tuple[Scene, ...]:
    return (*scenes(seed), *loss_scenes(seed))


def random_curvature(limit: bool, key: str) -> Callable[[int], Iterator[Observation]]:
    """a = 1, quadratic losses of curvature mu_l or L_l: the setting in which a printed bound without L_l is stated."""

    def observe(seed: int) -> Iterator[Observation]:
        design = FiniteSupport(np.ones((1, 1)), np.ones(1))
        for top in np.geomspace(0.01, 1e6, 9).tolist():
            for share in (0.01, 0.5):
                k, theta, half = np.array([top / 10, top]), 1 / 64, 500
                weights = np.array([1 - share, share])
                noise = float(weights @ (k - weights @ k) ** 2) * np.eye(1)
                steps = StepSizes(16 * theta**2, theta, theta)
                at = (
                    stationary_core(design, steps, noise).c22 if limit else core_average(design, steps, noise, 2 * half)
                )
                values = {
                    "theta": theta, "mul": top / 10, "Ll": top, "k": k.tolist(), "p_w": weights.tolist(), "p": half - 1,
                }  # fmt: skip
                name = f"a = 1, curvature L_ℓ with probability {share}, else L_ℓ/10"
                curve = key if share == 0.01 else ""
                yield Observation(
                    key, name, float(np.sum(at)), values, setting=f"L_ℓ = {top:.3g}", curve=curve, at=("L_ℓ", top)
                )

    return observe


def below_the_limit(seed: int) -> Iterator[Observation]:
    """Entry (2, 2) of Pi_t in one direction, against its limit."""
    key = "lem:Pi-increasing/sharper#below Pi_infinity"
    for condition in (1.0, 10.0, 100.0):
        one = scene("", Gaussian(spread(2, condition)))
        values = one.values()
        for lam in dict.fromkeys((one.chosen.mu, 1.0)):
            scaled = Gaussian(np.array([[lam]]))
            for t in (1, 3, 10, 30, 100, 300, 1000):
                truth = float(core_covariance(scaled, one.chosen.steps, np.eye(1), t).c22[0, 0])
                name = f"Gaussian, condition {condition:g}, eigenvalue {lam:.3g}"
                at = {**values, "lam": lam, "t": t}
                curve = f"condition {condition:g}, smallest eigenvalue" if lam == one.chosen.mu else ""
                yield Observation(key, name, truth, at, setting=f"t = {t}", curve=curve, at=("t", float(t)))
