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
    variant_risk,
    weakly_convex,
)
from numerics.designs import FiniteSupport
from numerics.optimizers.presets import averaged_constants, inner_steps
from theory.papers.sada.designs.inner import HORIZONS
from theory.papers.sada.designs.scenes import Scene, scene
from theory.ratios import Observation

KEY = "lem:v-bound/repaired"
BATCH, EXTRA = 8, 128  # samples of a batch; unlabelled ones beside each labelled one
LARGEST = 1e200


def beside_the_bound(seed: int) -> Iterator[Observation]:
    """E|v|^2 of each variant over the repaired bound, along T, for least squares from the minimiser."""
    base = scene("a = 8 with probability 1/64, else 0", FiniteSupport(np.array([[8.0], [0.0]]), [1 / 64, 63 / 64]))
    for horizon in HORIZONS[:8]:
        one = base.with_horizon(horizon)
        for words, variant in _variants(one):
            truth = variant_risk(one.design, variant, one.r, np.zeros(one.design.dim))  # from the minimiser: no bias
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
    yield f"batches of {BATCH}", mini_batch(steps, horizon, BATCH)
    yield "SADA-UD as printed", unlabelled_printed(averaged, horizon, EXTRA, until)
    yield "SADA-UD corrected", unlabelled_corrected(averaged, horizon, EXTRA)
    yield "SADA-WC", weakly_convex(steps, horizon, p.mu / 10)
