r"""ass:regularity: Sigma = E a a^T exists, is finite and positive definite; mu = lambda_min(Sigma) > 0.

An assumption. The text draws from it and from ass:l-condition that F is L_l lambda_max(Sigma)-smooth and
mu_l mu-strongly convex: k[w] is l'' somewhere between a.x and a.y,
so that <grad F(x) - grad F(y), x - y> = E k (a.(x - y))^2; top is a number with Sigma << top I.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement
from theory.provers.tactics import order

ABOUT: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", "k": "real[S]", "x": "vector(d)", "y": "vector(d)"},
    "where": {"Sigma": "E(w, a[w] @ a[w].T)", "curved": "E(w, k[w]*(a[w].T @ (x - y))**2)"},
    "example": {
        "d": "1", "p_S": ["1"], "a": {"1": "1"}, "k": {"1": "1"}, "x": ["1"], "y": ["0"], "mul": "1", "Ll": "2",
        "mu": "1", "top": "1",
    },
    "scope": "every d, every loss, every distribution whose moments exist",
}  # fmt: skip
CURVATURE = {"E": {"v": "S"}, "L": "(x - y).T @ a[v]", "c": [{"fact": 1, "at": {"w": "v"}}]}
SPECTRUM = {"of": 2, "L": "(x - y).T", "c": [{"fact": 0}]}

STATEMENT = statement(
    "ass:regularity",
    printed(
        "curved <= Ll*top*norm2(x - y)", part="smooth", **ABOUT, faithfulness=Faithfulness.AS_PRINTED,
        given=("Ll > 0", "forall(w, sample(S), k[w] <= Ll)", "Sigma << top*I(d)"),
        proof=lambda claim: order(CURVATURE, SPECTRUM), words="⟨∇F(x) − ∇F(y), x − y⟩ ≤ L_ℓ λ_max ‖x − y‖².",
    ),
    printed(
        "curved >= mul*mu*norm2(x - y)", part="strongly convex", **ABOUT, faithfulness=Faithfulness.AS_PRINTED,
        given=("mul > 0", "forall(w, sample(S), k[w] >= mul)", "mu*I(d) << Sigma"),
        proof=lambda claim: order(CURVATURE, SPECTRUM), words="⟨∇F(x) − ∇F(y), x − y⟩ ≥ μ_ℓ μ ‖x − y‖².",
    ),
    summary="An assumption; F is L_l lambda_max-smooth and mu_l mu-strongly convex, as the text says.",
)  # fmt: skip
