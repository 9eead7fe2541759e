r"""ass:fourth-moment: E |a|^2 a a^T <= R^2 Sigma and E |a|_{Sigma^-1}^2 a a^T <= kt Sigma.

An assumption. Of what the text draws from it, `|a| <= L almost surely allows R = L` holds. `We always have kt <= kappa`
(kappa = R^2/mu) is false for a constant kt that merely satisfies the assumption; true is that kt = kappa is always
allowed, so that it holds for the smallest kt. Later proofs (eta <= q, theta*gamma <= eta <= gamma) need kt <= kappa.
"""

from theory.claims.statement import Faithfulness, printed, repaired, statement
from theory.kernel import Verdict
from theory.papers.sada.setup._noise import cone
from theory.provers.tactics import chain, termwise

ATOMS = {"p_w": ["1/2", "1/2"], "t": ["1", "1"], "n": ["1", "1"]}
SCOPE = "every distribution, every direction: t = a.u, n = |a|^2, s = |a|_{Sigma^-1}^2"

STATEMENT = statement(
    "ass:fourth-moment",
    printed(
        "mean(w, n[w]*t[w]**2) <= L**2*mean(w, t[w]**2)",
        part="bounded data",
        given=("L > 0", "forall(w, Omega, Omega, n[w] <= L**2)"),
        example={**ATOMS, "L": "1"},
        proof=termwise("mean", index="v"),
        scope=SCOPE,
        words="If |a| <= L almost surely, R = L satisfies the first condition.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "kt <= R2/mu",
        part="kt at most kappa",
        given=(
            *("mu > 0", "R2 > 0", "kt > 0", "forall(w, Omega, Omega, s[w] <= n[w]/mu)"),
            "mean(w, t[w]**2) >= mu",
            "mean(w, n[w]*t[w]**2) <= R2*mean(w, t[w]**2)",
            "mean(w, s[w]*t[w]**2) <= kt*mean(w, t[w]**2)",
        ),
        example={**ATOMS, "s": ["1", "1"], "mu": "1", "R2": "1", "kt": "1"},
        witness={**ATOMS, "s": ["1", "1"], "mu": "1", "R2": "1", "kt": "2"},
        expect=Verdict.REFUTED,
        scope=SCOPE,
        words="kt <= kappa does not follow from the assumption: a = 1 in one dimension allows R^2 = mu = 1 and kt = 2.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        "mean(w, s[w]*t[w]**2) <= (R2/mu)*mean(w, t[w]**2)",
        part="kt at most kappa",
        faithfulness=Faithfulness.EXTRA_HYPOTHESIS,
        given=(
            "mu > 0",
            "forall(w, Omega, Omega, s[w] <= n[w]/mu)",
            "mean(w, n[w]*t[w]**2) <= R2*mean(w, t[w]**2)",
        ),
        example={**ATOMS, "s": ["1", "1"], "mu": "1", "R2": "1"},
        proof=chain(
            ("mean(w, s[w]*t[w]**2) <= mean(w, n[w]*t[w]**2)/mu", termwise("mean", index="v")),
            then=cone({"c": "1", "of": [0, 3]}, {"c": "1", "of": [2]}, multiplier=(0,)),
        ),
        scope=SCOPE,
        words="kt = kappa always satisfies the second condition: the smallest kt is at most kappa, so kt <= kappa is no"
        " restriction, but it must be required of the kt that sets the step sizes.",
    ),
    accounts={"disp:222": "the assumption itself"},
    summary="An assumption; kt <= kappa must be required of kt, it does not follow.",
)
