r"""lem:gradient-bound: |grad F(x)|^2 in the Sigma^-1-norm <= 2 L_l (F(x) - F(x*)).

True, for every distribution, loss and dimension. The upper bound on l'' enters through Taylor's formula at each sample;
expectations and eigenvalue sums do the rest.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.papers.sada.inner_loop._noise import EXAMPLE, GAP, GRADIENT, SMOOTH
from theory.provers.tactics import have, termwise

STEP_DOWN = "mean(w, S[w]) <= mean(w, V[w]-l1[w]*t[w]/Ll+t[w]**2/(2*Ll))"
ADDED_UP = {  # facts: 0 L_l > 0, 3 and 4 the means of t, 5 the minimum, 6 the step
    "kind": "cone",
    "terms": [{"c": "2", "of": [0, 6]}, {"c": "2", "of": [0, 5]}],
    "modulo": [[3, "2"], [4, "-1"]],
}
ALL: dict[str, Any] = {
    "naturals": "d",
    "example": EXAMPLE,
    "scope": "every dimension, every distribution, every loss with l'' <= L_l",
}
COORDINATES: dict[str, Any] = {
    "given": ("Ll > 0", "forall(i, 1, d, lam[i] > 0)"),
    "naturals": "d",
    "example": {"Ll": "2", "Fx": "1", "d": "2", "lam": ["1", "2"], "g": ["1", "3"]},
}

STATEMENT = statement(
    "lem:gradient-bound",
    printed(
        f"{GRADIENT} <= 2*Ll*{GAP}",
        given=SMOOTH,
        display="disp:1283",
        proof=have(STEP_DOWN, termwise("mean", index="v"), then=ADDED_UP),
        words="True: one step of length 1/L_l along -Sigma^-1 grad F cannot go below the minimum.",
        **ALL,
        links=("fresh-sample",),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1290",
        1,
        "Fs <= mean(w, S[w])",
        given=SMOOTH[-1:],
        example={"p_w": ["1"], "Fs": "1", "S": ["2"]},
        words="The definition of x*: it minimises F, also against x - u.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1290",
        2,
        "mean(w, S[w]) <= mean(w, V[w])-gu+uu/2",
        given=(
            "Ll > 0",
            "forall(w, Omega, Omega, S[w] <= V[w]-l1[w]*s[w]+Ll*s[w]**2/2)",
            "gu == mean(w, l1[w]*s[w])",
            "uu == Ll*mean(w, s[w]**2)",
        ),
        example={"p_w": ["1"], "S": ["0"], "V": ["1"], "l1": ["1"], "s": ["1"], "Ll": "2", "gu": "1", "uu": "2"},
        words="Taylor's formula with l'' <= L_l at every sample, then the mean; s = a.u for any step u.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1290",
        3,
        "Fx-sum(i, 1, d, g[i]*(g[i]/(Ll*lam[i])))+sum(i, 1, d, Ll*lam[i]*(g[i]/(Ll*lam[i]))**2)/2"
        f" == Fx-{GRADIENT}/(2*Ll)",
        words="The step u = Sigma^-1 grad F/L_l put in, in the eigenbasis of Sigma.",
        **COORDINATES,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True for every distribution and loss.",
)
