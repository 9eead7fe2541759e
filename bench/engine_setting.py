"""The problem that the engine is timed on."""

from __future__ import annotations

import numpy as np

from numerics.designs import Gaussian
from numerics.operators import Array, StepSizes


def setting(d: int, seed: int = 0) -> tuple[Gaussian, StepSizes, Array, Array]:
    """Eigenvalues 1/d..1 (ascending), the paper's step sizes, a non-commuting R."""
    lam = 1 / np.arange(d, 0, -1.0)
    design = Gaussian(np.diag(lam))
    eta = 1 / (16 * design.r2)
    root = np.sqrt(eta / design.kappa_tilde) / 4
    factor = np.random.default_rng(seed).standard_normal((d, d))
    steps = StepSizes(eta, float(root * np.sqrt(design.mu)), float(root / np.sqrt(design.mu)))
    return design, steps, lam, factor @ factor.T / d
