r"""lem:gradient-bound: |grad F(x)|^2 in the Sigma^-1-norm <= 2 L_l (F(x) - F(x*)).

True, for every distribution, loss and dimension. The upper bound on l'' enters through Taylor's formula at each sample;
F(x), F(x*), F(x - u) and grad F(x) are the means of fy, fs, fu and gy a over the sample.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.papers.sada.inner_loop._noise import EXAMPLE, GAP, GRADIENT, SMOOTH
from theory.papers.sada.inner_loop._noise_of_every_size import AT, ONE_SAMPLE, POINT, gradient
from theory.provers.tactics import have, order, termwise

STEP_DOWN = "mean(w, S[w]) <= mean(w, V[w]-l1[w]*t[w]/Ll+t[w]**2/(2*Ll))"
ADDED_UP = {  # facts: 0 L_l > 0, 3 and 4 the means of t, 5 the minimum, 6 the step
    "kind": "cone",
    "terms": [{"c": "2", "of": [0, 6]}, {"c": "2", "of": [0, 5]}],
    "modulo": [[3, "2"], [4, "-1"]],
}
# any step u, as a vector of its own
ANY_STEP: dict[str, Any] = {
    **ONE_SAMPLE,
    "kinds": {**ONE_SAMPLE["kinds"], "u": "vector(d)"},
    "where": {name: text for name, text in ONE_SAMPLE["where"].items() if name != "u"},
    "example": {**POINT, "u": ["-1"]},
}
MINIMUM: dict[str, Any] = {
    "kinds": {"ell": "real[vector(d), S]", "o": "vector(d)", "x": "vector(d)", "u": "vector(d)", "low": "vector(d)"},
    "where": {"F(v)": "E(w, ell[v, w])"},
    "given": ("forall(v, vector(d), F(o) <= F(v))", "low == x - u"),
    "example": {"d": "1", "p_S": ["1"], "ell": {"1": {"of": "x", "is": "x[1]**2/2"}}, "o": ["0"], "x": ["2"],
                "u": ["1"], "low": ["1"]},
    "scope": "every d, every loss, every distribution; low = x − u",
}  # fmt: skip
TAYLOR = "forall(w, sample(S), fu[w] <= fy[w] - gy[w]*(a[w].T @ u) + Ll/2*(a[w].T @ u)**2)"

STATEMENT = statement(
    "lem:gradient-bound",
    printed(
        "norm2(grad, inv(Sigma)) <= 2*Ll*gap",
        given=AT[:4],
        display="disp:1283",
        proof=lambda claim: gradient(),
        words="True: one step of length 1/L_ℓ along −Σ⁻¹∇F cannot go below the minimum.",
        **ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{GRADIENT} <= 2*Ll*{GAP}",
        part="in numbers",
        given=SMOOTH,
        proof=have(STEP_DOWN, termwise("mean", index="v"), then=ADDED_UP),
        words="The same with sums over eigenvalues and means over finite spaces.",
        naturals="d",
        example=EXAMPLE,
        scope="every dimension, every loss with l'' <= L_l",
        links=("fresh-sample",),
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:1290",
        1,
        "F(o) <= F(low)",
        **MINIMUM,
        proof=lambda claim: order({"of": 0, "at": {"v": "low"}}),
        words="x* minimises F: its value is at most that at x − u.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1290",
        2,
        "E(w, fu[w]) <= E(w, fy[w]) - grad.T @ u + 1/2*norm2(u, Ll*Sigma)",
        given=("Ll > 0", TAYLOR, "Sigma == moment"),
        proof=lambda claim: order({"of": 1, "at": {"w": "v"}, "E": {"v": "S"}}, {"eq": 2, "L": "Ll/2*u.T", "R": "u"}),
        words="Taylor's formula with ℓ″ ≤ L_ℓ at every sample, then the mean; for any step u.",
        **ANY_STEP,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1290",
        3,
        "E(w, fy[w]) - grad.T @ u + 1/2*norm2(u, Ll*Sigma) == E(w, fy[w]) - 1/(2*Ll)*norm2(grad, inv(Sigma))",
        given="Ll > 0",
        proof=lambda claim: order(),
        words="The step u = Σ⁻¹∇F(x)/L_ℓ put in.",
        **ONE_SAMPLE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True for every distribution and loss.",
)
