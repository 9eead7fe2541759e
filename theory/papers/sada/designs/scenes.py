"""Designs, and one inner loop on each as the claims see it: the numbers behind their names.

Right sides speak of tr(Sigma^-1 Q), tr Q and F(y~) - F(x*) through means over samples. They are linear in them, so
that a space of one sample with l0 = 1, n = tr(Sigma^-1 Q), N = tr Q, V = F(y~) carries them exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from numerics.covariance import layer_averages, stationary_layers
from numerics.designs import (
    LAPLACE,
    RADEMACHER,
    Design,
    Elliptical,
    FiniteSupport,
    Gaussian,
    IndependentCoordinates,
    OneHot,
    StudentT,
    sparse,
)
from numerics.operators import Array
from numerics.parameters import Hyperparameters, as_printed_appendix, constants_of, repaired

ROUNDS = 8
RULES = (("T as printed", as_printed_appendix), ("T repaired", repaired))


@dataclass(frozen=True, eq=False)
class Scene:
    """One inner loop: noise R at y~, Q at x*, F(y~) - F(x*), and y~ minus the minimiser of the inner problem."""

    name: str
    setting: str
    design: Design
    chosen: Hyperparameters
    r: Array
    q: Array
    gap: float
    start: Array

    def turned(self, matrix: Array) -> Array:
        """The diagonal in the eigenbasis of Sigma."""
        return np.asarray(np.diagonal(self.design.eigenvectors.T @ matrix @ self.design.eigenvectors))

    def values(self, **more: Any) -> dict[str, Any]:
        """Numbers for the names of the claims."""
        p, lam = self.chosen, self.design.eigenvalues
        near, far = float(np.sum(self.turned(self.q) / lam)), float(np.trace(self.q))
        return {
            "theta": p.theta, "mu": p.mu, "kt": p.kappa_tilde, "R2": p.r2, "d": len(lam), "lam": lam.tolist(),
            "m": self.turned(self.r).tolist(), "p": p.horizon // 2 - 1, "T": p.horizon, "eta": p.eta,
            "Ll": p.smoothness, "alpha": p.alpha, "L": p.noise_l, "B": p.noise_b, "trSQ": near, "trQ": far,
            "gap": self.gap, "Fs": 0.0, "l0": [1.0], "n": [near], "N": [far], "V": [self.gap], "p_w": [1.0], **more,
        }  # fmt: skip

    def with_horizon(self, horizon: int) -> Scene:
        return replace(self, setting=f"T = {horizon}", chosen=replace(self.chosen, horizon=horizon))


def spread(d: int, condition: float) -> Array:
    return np.diag(np.geomspace(1 / condition, 1.0, d))


@lru_cache(maxsize=4)
def designs(seed: int) -> tuple[tuple[str, Design], ...]:
    """Light and heavy tails, smooth and discrete, well and badly conditioned, and two that a search has found."""
    rng = np.random.default_rng([seed, 1])
    return (
        ("Gaussian, d = 1", Gaussian(np.eye(1))),
        ("Gaussian, d = 8, condition 10", Gaussian(spread(8, 10))),
        ("Gaussian, d = 8, condition 1000", Gaussian(spread(8, 1000))),
        ("Gaussian, d = 32, condition 100", Gaussian(spread(32, 100))),
        ("Student t with 5.5 degrees of freedom, d = 6", StudentT(spread(6, 30), nu=5.5)),
        ("uniform on an ellipsoid, d = 6", Elliptical(spread(6, 30), kurtosis=6 / 8)),
        ("one-hot, d = 8", OneHot(np.arange(1, 9) / 36)),
        ("Laplace coordinates, d = 6", IndependentCoordinates.from_sigma(spread(6, 30), LAPLACE)),
        ("Rademacher coordinates, d = 6", IndependentCoordinates.from_sigma(spread(6, 30), RADEMACHER)),
        ("sparse coordinates, d = 4", IndependentCoordinates(np.diag([1.0, 0.5, 0.25, 0.1]), sparse(0.2))),
        ("12 random atoms, d = 4", FiniteSupport(rng.standard_normal((12, 4)), rng.dirichlet(np.full(12, 4.0)))),
        *_adversarial(seed),
    )


def scenes(seed: int) -> Iterator[Scene]:
    """Least squares with independent label noise on every design, with T by both rules."""
    for name, design in designs(seed):
        for words, rule in RULES:
            yield scene(name, design, rule, words)


def scene(name: str, design: Design, rule: Any = repaired, setting: str = "") -> Scene:
    chosen = rule(**constants_of(design), rounds=ROUNDS)
    return Scene(name, setting, design, chosen, design.sigma, design.sigma, 0.0, np.ones(design.dim))


CANDIDATES = 150


def _adversarial(seed: int) -> Iterator[tuple[str, Design]]:
    """Three atoms in the plane, drawn and then moved, that make the tail variance or the layers large."""
    for words, score in (("the variance", _variance), ("the layers", _layers)):
        rng = np.random.default_rng([seed, 2])
        best: tuple[Array, Array] | None = None
        top = -np.inf
        for turn in range(CANDIDATES):
            near = best if best is not None and turn > CANDIDATES // 3 else None
            candidate = _draw(rng, near)
            value = -np.inf if candidate is None else score(FiniteSupport(*candidate))
            if value > top:
                best, top = candidate, value
        if best is not None:
            yield f"3 atoms, d = 2, found by a search against {words}", FiniteSupport(*best)


def _draw(rng: np.random.Generator, near: tuple[Array, Array] | None) -> tuple[Array, Array] | None:
    if near is None:
        atoms = rng.standard_normal((3, 2)) * 10.0 ** rng.uniform(-1.5, 0, (3, 1))
        weights = rng.dirichlet(np.full(3, 0.5))
    else:
        atoms = near[0] * np.exp(0.2 * rng.standard_normal((3, 2)))
        weights = near[1] * np.exp(0.4 * rng.standard_normal(3))
    weights = np.maximum(weights / weights.sum(), 1e-3)
    weights = weights / weights.sum()
    sigma = (atoms.T * weights) @ atoms
    return (atoms, weights) if np.linalg.cond(sigma) < 1e4 else None


def _variance(design: Design) -> float:
    """T E|v|^2_Sigma over tr(Sigma^-1 R)."""
    one = scene("", design)
    total = float(np.sum(layer_averages(design, one.chosen.steps, one.r, 2000, 1)))
    return 2000 * total / design.dim


def _layers(design: Design) -> float:
    one = scene("", design)
    sigmas = stationary_layers(design, one.chosen.steps, one.r, 1).sigmas
    return sigmas[1] / sigmas[0]
