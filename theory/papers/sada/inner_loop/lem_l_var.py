r"""lem:L-var: L_var({Pi_t(M)}) as a sum over eigenvalues. With w = (I - A_i)^{-1} (eta, q)^T the i-th summand is

(4 lambda_i m_i/T^2) [sum_{k=0}^{T/2} (A_i^k (I - A_i^{T/2}) w)_1^2 + sum_{k=1}^{T/2} ((I - A_i^{T/2-k}) w)_1^2].

True for every T, in every direction: at each eigenvector u of Sigma, with m_i = u^T M u. The trace of
lem:L-var-matrix-form is the sum of the directions of an eigenbasis, in which the paper works. T/2 is n = p + 1. In
the proof (disp:1109) the index k is bound twice, in the sum and inside its upper limit.
"""

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.papers.sada.derivations import comparisons
from theory.papers.sada.inner_loop import _directions as every
from theory.papers.sada.inner_loop import _matrix_form as form
from theory.papers.sada.inner_loop import _pi_of_every_size as pi
from theory.papers.sada.inner_loop._directions import A_HALF, B_HALF, CHAIN, EARLIER, IN_HALVES, LATER, WHOLE
from theory.papers.sada.inner_loop._l_var_of_every_size import double
from theory.provers.tactics import cite, order

STATEMENT = statement(
    "lem:L-var",
    printed(
        f"4/(2*n)**2*lam*({WHOLE}) == 4/(2*n)**2*lam*({EARLIER}) + 4/(2*n)**2*lam*({LATER})",
        **IN_HALVES,
        display="disp:1096",
        proof=lambda claim: every.in_directions("4/(2*(p+1))**2*lam"),
        links=("eigenbasis",),
        words="The summand of every direction: on the left the double sum of L_var between (uᵀ, 0) and its"
        " transpose. Added up"
        " over an eigenbasis of Σ, the left side is L_var.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *CHAIN,
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
        f"{B_HALF} == {LATER}",
        **IN_HALVES,
        proof=lambda claim: every.b_half(),
        links=("eigenbasis",),
        words="B_{T/2} in every direction, without the factor λ_i of both sides: the sum of powers is (I − A^s)(I"
        " − A)⁻¹.",
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
        f"{A_HALF} == {EARLIER}",
        **IN_HALVES,
        proof=lambda claim: every.a_half(),
        links=("eigenbasis",),
        words="A_{T/2} in every direction, without the factor λ_i of both sides.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *comparisons("lem:L-var"),
    accounts={
        "disp:1005": "definition of Pi_t(M); its footnote makes Pi_{t,i} a submatrix of itself, where Pi_t is meant",
    },
    summary="True for every T; only an index is bound twice in the proof.",
)
