"""Designs and step sizes to compare spectral radii at: the paper's choice, far from it, and where roots meet."""

from __future__ import annotations

import numpy as np

from numerics.designs import (
    RADEMACHER,
    Design,
    Elliptical,
    Empirical,
    FiniteSupport,
    IndependentCoordinates,
    OneHot,
    with_kurtosis,
)
from numerics.operators import StepSizes

from .dynamics_support import KINDS, random_design

MORE = ("empirical", "nearly constant", "diagonal elliptical", "signs in one direction", "two atoms")


def draw(rng: np.random.Generator, most: int = 3) -> tuple[str, Design, StepSizes]:
    """One case: its name, a design and step sizes."""
    kind = str(rng.choice([*KINDS, *MORE]))
    d = int(rng.integers(1, most + 1))
    design = drawn_design(kind, d, rng)
    rule, steps = drawn_steps(design, rng)
    return f"{kind}, d = {design.dim}, {rule}", design, steps


def drawn_design(kind: str, d: int, rng: np.random.Generator) -> Design:
    match kind:
        case "empirical":
            return Empirical(rng.standard_normal((int(rng.integers(d + 1, 12)), d)) * 10.0 ** rng.uniform(-1, 1))
        case "nearly constant":
            return FiniteSupport(np.array([[1.0], [1.0 + 10.0 ** -rng.uniform(1, 8)]]))
        case "diagonal elliptical":
            return Elliptical(np.diag(10.0 ** rng.uniform(-3, 1, d)), kurtosis=float(rng.uniform(1, 6)))
        case "signs in one direction":
            law = RADEMACHER if rng.random() < 0.5 else with_kurtosis(1 + 10.0 ** -rng.uniform(2, 12))
            return IndependentCoordinates([[float(2.0 ** rng.integers(-3, 3))]], law)
        case "two atoms":
            return OneHot(rng.dirichlet(np.full(2, 2.0)), [1.0, 1.0]).rotated(_turn(rng))
        case _:
            return random_design(kind, d, rng)


def _turn(rng: np.random.Generator) -> np.ndarray:
    return np.linalg.qr(rng.standard_normal((2, 2)))[0]


def drawn_steps(design: Design, rng: np.random.Generator) -> tuple[str, StepSizes]:
    """The paper's rule with its factor 1/4 raised, larger eta up to and past the border, or anything at all."""
    rule = str(rng.choice(["paper", "large eta", "double root", "anything"]))
    r2, mu, kt = design.r2, design.mu, design.kappa_tilde
    if rule == "anything":
        eta, theta = 10.0 ** rng.uniform(-4, 0.5) / r2, 10.0 ** rng.uniform(-4, -0.01)
        return rule, StepSizes(eta, theta, 10.0 ** rng.uniform(-2, 3) * eta)
    scale = float(rng.uniform(2, 40)) if rule == "large eta" else 1.0
    eta = scale / (16 * r2) * (1.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-4, 0))
    if rule == "double root":  # gamma mu = theta and theta^2 = eta mu: A(mu) is a Jordan block, but for rounding
        root = float(np.sqrt(eta * mu))
        return rule, StepSizes(eta, root, root / mu)
    factor = float(rng.choice([0.25, 0.5, 1.0])) * float(np.sqrt(eta / kt))
    theta = min(factor * float(np.sqrt(mu)), 0.999)
    return f"{rule}, scale {scale:.3g}", StepSizes(eta, theta, theta / mu)
