r"""ass:fourth-moment: E |a|^2 a a^T <= R^2 Sigma and E |a|_{Sigma^-1}^2 a a^T <= kt Sigma.

An assumption. Of what the text draws from it, `|a| <= L almost surely allows R = L` holds. `We always have kt <= kappa`
(kappa = R^2/mu) holds for the smallest kt: kappa satisfies the second condition, as line 231 says. Later proofs
(eta <= q, theta*gamma <= eta <= gamma) need it of the kt that sets the step sizes.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada import language
from theory.papers.sada.inner_loop._variance_bound import FOURTH, LOW, SIGMA
from theory.provers.tactics import order

ABOUT: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", "Sigma": "pd(d)"},
    "where": {name: language.TAIL[name] for name in ("P[w]", "moment")},
    "example": {
        "d": "1", "p_S": ["1"], "a": {"1": "1"}, "Sigma": [["1"]], "L": "1", "mu": "1", "R2": "1", "kt": "1",
    },
    "scope": "every d, every distribution whose moments exist",
}  # fmt: skip
PER_MU = {"is": "1/mu", "because": {"kind": "positive"}}

STATEMENT = statement(
    "ass:fourth-moment",
    printed(
        "E(w, (a[w].T @ a[w])*P[w]) << L**2*Sigma", part="bounded data", **ABOUT,
        given=(SIGMA, "forall(w, sample(S), a[w].T @ a[w] <= L**2)"), faithfulness=Faithfulness.AS_PRINTED,
        proof=lambda claim: order(
            {"E": {"v": "S"}, "L": "a[v]", "c": [{"fact": 1, "at": {"w": "v"}}]}, {"eq": 0, "k": "L**2"}
        ),
        words="If ‖a‖ ≤ L almost surely, R = L satisfies the first condition.",
    ),
    printed(
        "E(w, (a[w].T @ inv(Sigma) @ a[w])*P[w]) << R2/mu*Sigma", part="kt at most kappa", **ABOUT,
        given=("mu > 0", SIGMA, LOW, FOURTH), faithfulness=Faithfulness.AS_PRINTED,
        proof=lambda claim: order(
            {"of": 2, "E": {"v": "S"}, "L": "a[v] @ (inv(Sigma) @ a[v]).T"},
            {"E": {"v": "S"}, "L": "a[v] @ (a[v] - mu*(inv(Sigma) @ a[v])).T", "c": [PER_MU]},
            {"of": 3, "c": [PER_MU]},
        ),
        words="Line 231: κ satisfies the second condition, so that the smallest κ̃ is at most κ. The assumption allows"
        " larger ones; κ̃ ≤ κ is required of the κ̃ that sets the step sizes.",
    ),
    accounts={"disp:222": "the assumption itself"},
    summary="An assumption; kt <= kappa holds for the smallest kt and is required of the one that is used.",
)  # fmt: skip
