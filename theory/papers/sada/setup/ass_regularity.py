r"""ass:regularity: Sigma = E a a^T exists, is finite and positive definite; mu = lambda_min(Sigma) > 0.

An assumption. The text draws from it and from ass:l-condition that F is L_l lambda_max(Sigma)-smooth and
mu_l mu-strongly convex: with u = x - y in the eigenbasis of Sigma, E (a.u)^2 = sum_i lambda_i u_i^2.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.setup._noise import cone
from theory.provers.tactics import auto, chain, termwise

GIVEN = (
    "mul > 0",
    "Ll >= mul",
    "forall(w, Omega, Omega, k[w] >= mul)",
    "forall(w, Omega, Omega, k[w] <= Ll)",
    "mean(w, t[w]**2) == sum(i, 1, d, lam[i]*u[i]**2)",
    "forall(i, 1, d, lam[i] >= mu)",
    "forall(i, 1, d, lam[i] <= top)",
)
EXAMPLE = {
    "mul": "1",
    "Ll": "2",
    "k": ["1", "2"],
    "p_w": ["1/2", "1/2"],
    "t": ["1", "1"],
    "d": "2",
    "lam": ["1", "2"],
    "u": ["1", "0"],
    "mu": "1",
    "top": "2",
}
ABOUT: dict[str, Any] = {
    "given": GIVEN,
    "naturals": "d",
    "example": EXAMPLE,
    "scope": "every dimension, every distribution, every loss",
}
CURVED = "mean(w, k[w]*t[w]**2)"
NORM = "sum(i, 1, d, u[i]**2)"

STATEMENT = statement(
    "ass:regularity",
    printed(
        f"{CURVED} <= Ll*top*{NORM}",
        part="smooth",
        proof=chain(
            (f"{CURVED} <= Ll*mean(w, t[w]**2)", termwise("mean", index="v")),
            (f"sum(i, 1, d, lam[i]*u[i]**2) <= top*{NORM}", termwise("sum", index="j")),
            ("Ll > 0", auto()),
            then=cone({"c": "1", "of": [7]}, {"c": "1", "of": [8, 9]}, modulo=((4, "-Ll"),)),
        ),
        words="<grad F(x) - grad F(y), x - y> <= L_l lambda_max |x - y|^2.",
        **ABOUT,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{CURVED} >= mul*mu*{NORM}",
        part="strongly convex",
        proof=chain(
            (f"{CURVED} >= mul*mean(w, t[w]**2)", termwise("mean", index="v")),
            (f"sum(i, 1, d, lam[i]*u[i]**2) >= mu*{NORM}", termwise("sum", index="j")),
            then=cone({"c": "1", "of": [7]}, {"c": "1", "of": [0, 8]}, modulo=((4, "mul"),)),
        ),
        words="<grad F(x) - grad F(y), x - y> >= mu_l mu |x - y|^2.",
        **ABOUT,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="An assumption; F is L_l lambda_max-smooth and mu_l mu-strongly convex, as the text says.",
)
