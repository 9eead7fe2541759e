"""Exact dynamics of the variants beside the bound that is stated for the inner loop itself: shown, not counted."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from numerics.covariance.variants import (
    Variant,
    mini_batch,
    unlabelled_corrected,
    unlabelled_printed,
    variant_truth,
    weakly_convex,
)
from numerics.designs import Gaussian
from numerics.optimizers.presets import averaged_constants, inner_steps
from theory.papers.sada.designs.inner import HORIZONS
from theory.papers.sada.designs.scenes import Scene, scene, spread
from theory.ratios import Observation

KEY = "lem:v-bound/repaired"
EXTRA = 8  # samples beside the labelled one
LARGEST = 1e200


def beside_the_bound(seed: int) -> Iterator[Observation]:
    """E|v|^2 of each variant over the repaired bound, along T, for least squares from the minimiser."""
    base = scene("Gaussian, d = 4, condition 30", Gaussian(spread(4, 30)))
    for horizon in HORIZONS:
        one = base.with_horizon(horizon)
        for words, variant in _variants(one):
            truth = variant_truth(one.design, variant, one.r, depth=1).variance
            if math.isfinite(truth) and truth < LARGEST:
                at = ("T", float(horizon))
                yield Observation(KEY, one.name, truth, one.values(), setting=words, curve=words, at=at, counts=False)


def _variants(one: Scene) -> Iterator[tuple[str, Variant]]:
    p, horizon = one.chosen, one.chosen.horizon
    steps = p.steps
    top = float(np.max(one.design.eigenvalues))
    r2, kt = averaged_constants(p.r2, p.kappa_tilde, top, EXTRA + 1)
    long = inner_steps(1 / (16 * r2), p.mu, kt)
    averaged = type(steps)(long.eta, long.theta, long.gamma)
    until = min(horizon, math.ceil(1 / averaged.theta))
    yield f"batches of {EXTRA}", mini_batch(steps, horizon, EXTRA)
    yield "SADA-UD as printed", unlabelled_printed(averaged, horizon, EXTRA, until)
    yield "SADA-UD corrected", unlabelled_corrected(averaged, horizon, EXTRA)
    yield "SADA-WC", weakly_convex(steps, horizon, p.mu / 10)
