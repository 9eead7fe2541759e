r"""ass:fourth-moment: E |a|^2 a a^T <= R^2 Sigma and E |a|_{Sigma^-1}^2 a a^T <= kt Sigma.

An assumption. Of what the text draws from it, `|a| <= L almost surely allows R = L` holds. `We always have kt <= kappa`
(kappa = R^2/mu) is false for a constant kt that merely satisfies the assumption; true is that kt = kappa is always
allowed, so that it holds for the smallest kt. Later proofs (eta <= q, theta*gamma <= eta <= gamma) need kt <= kappa.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, statement
from theory.kernel import Verdict
from theory.papers.sada import language
from theory.papers.sada.inner_loop._variance_bound import FOURTH, FOURTH_KAPPA, LOW, SIGMA
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
        "kt <= R2/mu", part="kt at most kappa", **ABOUT,
        given=("mu > 0", "R2 > 0", "kt > 0", SIGMA, LOW, FOURTH, FOURTH_KAPPA), faithfulness=Faithfulness.AS_PRINTED,
        witness={**ABOUT["example"], "kt": "2"}, expect=Verdict.REFUTED,
        words="κ̃ ≤ κ does not follow from the assumption: a = 1 in one dimension allows R² = μ = 1 and κ̃ = 2.",
    ),
    repaired(
        "E(w, (a[w].T @ inv(Sigma) @ a[w])*P[w]) << R2/mu*Sigma", part="kt at most kappa", **ABOUT,
        given=("mu > 0", SIGMA, LOW, FOURTH), faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        proof=lambda claim: order(
            {"of": 2, "E": {"v": "S"}, "L": "a[v] @ (inv(Sigma) @ a[v]).T"},
            {"E": {"v": "S"}, "L": "a[v] @ (a[v] - mu*(inv(Sigma) @ a[v])).T", "c": [PER_MU]},
            {"of": 3, "c": [PER_MU]},
        ),
        words="κ̃ = κ always satisfies the second condition: the smallest κ̃ is at most κ, so κ̃ ≤ κ is no restriction,"
        " but it must be required of the κ̃ that sets the step sizes.",
    ),
    accounts={"disp:222": "the assumption itself"},
    summary="An assumption; kt <= kappa must be required of kt, it does not follow.",
)  # fmt: skip
