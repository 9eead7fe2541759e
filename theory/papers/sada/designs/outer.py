"""One outer step on its worst quadratics."""

from __future__ import annotations

import math
from collections.abc import Iterator

from numerics.outer import (
    HALF_STEP,
    PRINTED,
    REPAIRED_ENERGY,
    Rule,
    momentum,
    one_step,
    worst_quadratic,
)
from theory.ratios import Observation

ONE_STEP = {
    "lem:outer-one-step": PRINTED,
    "lem:outer-one-step/repaired": REPAIRED_ENERGY,
    "lem:outer-one-step/sharper": HALF_STEP,
}
ALPHAS = (1.5, 4.0, 16.0, 100.0, 1e4, 1e6)


def one_outer_step(seed: int) -> Iterator[Observation]:
    """E_k on the quadratic and the state that make E_k/E_{k-1} largest, with and without bias."""
    for key, rule in ONE_STEP.items():
        for alpha in ALPHAS:
            top = math.sqrt(1 / (12 * alpha))
            for share in (1.0, 0.1):
                yield _worst_step(key, rule, alpha, share * top)


def _worst_step(key: str, rule: Rule, alpha: float, theta: float) -> Observation:
    found = worst_quadratic(rule, alpha, theta, theta, grid=120)
    q, x, gap = found.curvature, found.x, found.gap
    _, after = one_step(rule, alpha, theta, theta, q, x, gap, 0.0)
    y = x + momentum(rule, theta, theta) * gap
    old = x + (1 / theta - 1) * gap
    values = {
        "F(x)": q * x**2 / 2, "F(o)": 0.0, "normH(z - o)": old**2,
        "alpha": alpha, "th": theta, "tp": theta, "tn": theta, "Ll": 1.0, "T": 1e9, "Leff": 1.0, "kt": 1.0, "sig2": 0.0,
        "d": 1, "q": [q], "x": [x], "p": [x - gap], "o": [0.0], "y": [y], "g": [q * y],
    }  # fmt: skip
    share = theta * math.sqrt(12 * alpha)
    setting = f"θ = {share:.2g}/√(12α), curvature {q:.3g}"
    curve = key if share > 0.5 else ""
    return Observation(
        key, f"worst quadratic, α = {alpha:g}", after, values, setting=setting, curve=curve, at=("α", alpha)
    )
