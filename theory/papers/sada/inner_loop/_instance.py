"""A one-dimensional instance that needs no assumption beyond the printed ones: its numbers are exact.

a = 1 for every sample; the loss is l(z, b) = k z^2/2 with a random curvature k between mu_l and L_l; x* = 0 and y = 1.
Then Sigma = mu = R^2 = kt = 1 and kappa(Sigma) = 1, F(y) - F(x*) = E k/2, Q = 0, and R is the variance of k.
L = B = alpha = L_l/mu_l by rem:B-L. With kappa(Sigma) = 1 the printed rule for T asks for nothing.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop._blocks import HYPERPARAMETERS

MEAN = "mean(w, k[w])"
INSTANCE: dict[str, Any] = {
    "given": (
        "theta > 0",
        "256*theta**2 <= 1",
        "mul > 0",
        "forall(w, Omega, Omega, k[w] >= mul)",
        "forall(w, Omega, Omega, k[w] <= Ll)",
    ),
    "where": {
        "mu": "1",
        "kt": "1",
        "R2": "1",
        "lam": "1",
        **HYPERPARAMETERS,
        "alpha": "Ll/mul",
        "gap": f"{MEAN}/2",
        "R": f"mean(w, (k[w]-{MEAN})**2)",
    },
    "scope": "d = 1, a = 1, quadratic losses with random curvature",
}
EXAMPLE: dict[str, Any] = {"theta": "1/16", "p_w": ["1/2", "1/2"], "k": ["1", "2"], "mul": "1", "Ll": "2"}


def steep(curvature: str, half: str) -> dict[str, Any]:
    """The instance with curvatures L_l/2 and L_l, equally likely."""
    return {**EXAMPLE, "k": [half, curvature], "mul": half, "Ll": curvature}
