r"""lem:v-L-var: E|v|_Sigma^2 = L_var({C_t}), with C_t = E eta_t^var (eta_t^var)^T.

True, for every dimension, every T = 2n and every distribution with the moments; v is the first half of the mean of the
states from T/2 + 1 to T, and s_t is their running sum. The proof prints E(eta_s eta_t) without the transpose. In the
text before, psi_t is said to lie in R^{2d x 2d} (R^{2d} is meant).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop import _tail_of_the_variance as every
from theory.papers.sada.inner_loop._l_var_of_every_size import ours
from theory.papers.sada.inner_loop._tail_of_the_variance import ALL_PAIRS, CENTRED, LOOP, PSI, TAIL_SQUARED, pair
from theory.provers.tactics import order

# two vectors as matrices with a second column of zeros
COLUMNS = {"e": "[[e1, 0], [e2, 0]]", "h": "[[h1, 0], [h2, 0]]"}
COLUMNS_POINT = {"e1": "1", "e2": "1", "h1": "1", "h2": "0"}
AT_T: dict[str, Any] = {**LOOP, "given": (CENTRED, "n >= 1"), "naturals": "n"}
PAIR: dict[str, Any] = {**LOOP, "given": CENTRED, "naturals": ("t", "k")}

STATEMENT = statement(
    "lem:v-L-var",
    printed(
        "E(h, norm2(v[h], Sigma)) == LvarC",
        display="disp:913",
        **AT_T,
        proof=lambda claim: every.variance(),
        words="True for every T = 2n: E of the tail sum squared obeys the recursion of L_var.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    ours(
        "later state",
        f"{pair('t+k', 't')} == Pw[k] @ C[t]",
        "E η_s η_tᵀ = A^(s−t) C_t, by induction over s = t + k.",
        **PAIR,
        proof=lambda claim: every.later_state(),
    ),
    *every.PAIRS,
    step(
        "disp:919",
        1,
        f"E(h, norm2(v[h], Sigma)) == {TAIL_SQUARED}",
        **{**LOOP, "given": "n >= 1", "naturals": "n"},
        proof=lambda claim: order(),
        words="The Σ-norm as an inner product with diag(Σ, O).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:919",
        2,
        "(e + h) @ (e + h).T == e @ e + e @ h + h @ e + h @ h",
        where=COLUMNS,
        example=COLUMNS_POINT,
        witness=COLUMNS_POINT,
        expect=Verdict.REFUTED,
        scope="two vectors of length 2, written as matrices with a column of zeros",
        words="E(eta_s eta_t) lacks the transpose: a product of two columns is not defined, and padding with"
        " zeros does not make it right.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:919",
        "2/repaired",
        f"{TAIL_SQUARED} == {ALL_PAIRS}",
        faithfulness=Faithfulness.TYPO,
        repairs="lem:v-L-var/disp:919.2",
        **AT_T,
        proof=lambda claim: every.square_expanded(),
        words="With the transpose: the square of the tail sum, term by term.",
    ),
    step(
        "disp:919",
        3,
        f"{ALL_PAIRS} == LvarC",
        **AT_T,
        proof=lambda claim: every.pairs_in_l_var(),
        words="(a): every E η_s η_tᵀ is A^(s−t) C_t, or the transpose of that.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:936",
        "fresh sample",
        "E(w, Ahat[w] @ x + zeta[w]) == A @ x",
        **{
            **LOOP,
            "kinds": {**LOOP["kinds"], "x": "vector(2*d)"},
            "given": CENTRED,
            "example": {**every.POINT, "x": ["1", "2"]},
        },
        proof=lambda claim: order({"eq": 0, "L": "V"}),
        words="The mean over a fresh sample, at any past: A times the state.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:936",
        1,
        [
            f"{pair('t+k', 't')} == E(h, (Pw[k] @ eta[t, h]) @ eta[t, h].T)",
            "E(h, (Pw[k] @ eta[t, h]) @ eta[t, h].T) == Pw[k] @ E(h, eta[t, h] @ eta[t, h].T)",
            f"{pair('t+k', 't')} == Pw[k] @ C[t]",
        ],
        **PAIR,
        proof=lambda claim: [every.later(), order(), every.later()],
        words="s = t + k. First the mean over the samples after t, which makes A^k η_t of η_s; then over the past.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:948",
        1,
        f"Lvar == {TAIL_SQUARED}",
        **{**PSI, "given": ("E(w, xi[w]) == 0", "n >= 1"), "naturals": "n"},
        proof=lambda claim: every.auxiliary(),
        words="The same for ψ_t, with X_t = E ψ_t ψ_tᵀ; the noise ξ has mean zero and need not be Gaussian.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={
        "disp:706": "definition of R",
        "disp:729": "definition of C_t",
        "disp:942": "definition of psi_t, a vector of R^{2d} (R^{2d x 2d} is printed)",
    },
    summary="True for every T, dimension and distribution; a transpose is missing in its proof.",
)
