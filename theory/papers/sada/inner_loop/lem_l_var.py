r"""lem:L-var: L_var({Pi_t(M)}) as a sum over eigenvalues. With w = (I - A_i)^{-1} (eta, q)^T the i-th summand is

(4 lambda_i m_i/T^2) [sum_{k=0}^{T/2} (A_i^k (I - A_i^{T/2}) w)_1^2 + sum_{k=1}^{T/2} ((I - A_i^{T/2-k}) w)_1^2].

True for every T and dimension, in every orthonormal basis u_1, ..., u_d of eigenvectors of Sigma (line 599), with m_i =
u_i^T M u_i. T/2 is n = p + 1. In the proof (disp:1109) the index k is bound twice, in the sum and inside its upper end.
"""

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.papers.sada.derivations import comparisons
from theory.papers.sada.inner_loop import _basis as basis
from theory.papers.sada.inner_loop import _directions as every
from theory.papers.sada.inner_loop import _matrix_form as form
from theory.papers.sada.inner_loop import _pi_of_every_size as pi
from theory.papers.sada.inner_loop._basis import EARLY, LATE, SUMS
from theory.papers.sada.inner_loop._l_var_of_every_size import double
from theory.provers.tactics import cite, order

STATEMENT = statement(
    "lem:L-var",
    printed(
        f"LvarPi == 4/(2*n)**2*{EARLY} + 4/(2*n)**2*{LATE}",
        **SUMS,
        display="disp:1096",
        proof=lambda claim: basis.whole(),
        words="True for every dimension and every T = 2n, in every orthonormal basis u_1, …, u_d of eigenvectors of Σ"
        " (line 599); m_i = u_iᵀMu_i, and w_i solves (I − A_i)w_i = (η, q)ᵀ.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *basis.CHAIN,
    *every.CHAIN,
    step(
        "disp:1109",
        1,
        f"tr(S1 @ G(p) @ Pi[n+1] @ G(p).T) + Bm(p) == tr(S1 @ {double('Pi[{}]', '2*n', '2*n')})",
        **form.AT_HALF,
        proof=lambda claim: cite(
            f"{form.ID}/disp:1042.1", {"n": "p+1", "r": "p"}, then=order({"eq": "form", "k": "-1"}), called="form"
        ),
        words="A_m and B_m at m = T/2: the powers up to T/2 − 1, and Π̃_{T/2+1}.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1109",
        2,
        "Bm(p) == sum(e, 1, n, tr(S1 @ G(p-e) @ J(M) @ G(p-e).T))",
        **form.AT_HALF,
        proof=lambda claim: every.other_index(),
        words="The sum over s = T/2 − k; the new term k = T/2 is empty. (The printed formula binds k twice.)",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1125",
        1,
        f"Bm(p) == {LATE}",
        **SUMS,
        proof=lambda claim: basis.late(),
        words="B_{T/2} as a sum over an eigenbasis of Σ: the sum of powers is (I − A^s)(I − A)⁻¹.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1131",
        1,
        f"Pi[n+1] == {pi.partial('n')}",
        **{**pi.CORE, "example": {**pi.POINT, "n": "1"}},
        naturals="n",
        proof=lambda claim: pi.by_expansion("n + 1", then=order({"eq": "sum 0"})),
        words="Π̃_{T/2+1} is the sum of A^k J(M) (A^k)ᵀ: the recursion solved, in every dimension.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1138",
        1,
        f"{form.A_HALF} == {EARLY}",
        **SUMS,
        proof=lambda claim: basis.early(),
        words="A_{T/2} as a sum over an eigenbasis of Σ.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *comparisons("lem:L-var"),
    accounts={
        "disp:1005": "definition of Pi_t(M); its footnote makes Pi_{t,i} a submatrix of itself, where Pi_t is meant",
    },
    summary="True for every T; only an index is bound twice in the proof.",
)
