r"""lem:Pi-infinity: the (2,2) entry of the stationary block Pi_infinity,i in every direction, m_i times a function
of lambda_i.

For every dimension and M: for the limit of Pi_t up to every e > 0, and for every solution of the equation Pi = A Pi A^T
+ J(M) (disp:1195). The paper prints one entry and stars for the others. All four are given here for m = 1, checked by
putting them into the equation of one direction.
"""

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.derivations import comparisons, derived
from theory.papers.sada.inner_loop import _pi_in_directions as limit
from theory.papers.sada.inner_loop import _pi_of_every_size as every
from theory.papers.sada.inner_loop._blocks import A_TRUE, HYPERPARAMETERS, ONE_EIGENVALUE, ONE_EIGENVALUE_EXAMPLE, pi_22
from theory.papers.sada.inner_loop._l_var_of_every_size import ours
from theory.papers.sada.inner_loop._variance_bound import AT_LAM
from theory.papers.sada.inner_loop._variance_bound import P22 as P22_ROW

P22 = pi_22()  # as printed; the other three as derived from the fixed-point equation
ENTRIES = {**{f"Pi{at}": derived(f"Pi_{at}") for at in ("11", "12", "21")}, "Pi22": P22}
PI = {**ENTRIES, "Pi": "[[Pi11, Pi12], [Pi21, Pi22]]"}
NOISE = "[[eta**2, eta*q], [eta*q, q**2]]"

STATEMENT = statement(
    "lem:Pi-infinity",
    printed(
        [f"{every.LOWER_U} <= mi*p + eps", f"mi*p <= {every.LOWER_U} + eps*slack"],
        **limit.ONE_ENTRY,
        given=(*AT_LAM, *limit.DEFINED, limit.FRACTION, "eps >= 0"),
        display="disp:1204",
        proof=lambda claim: [limit.from_above(), limit.from_below()],
        words="p is the printed fraction, m_i = uᵀMu, at every eigenvector u of Σ of length one. Π̃_∞ is the limit of"
        " the growing Π̃_t: it lies above them, and for every ε > 0 some Π̃_t has Π̃_∞ ⪯ Π̃_t + εI. As ε is arbitrary the"
        " two sides are equal.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    ours(
        "pushed",
        "Al @ (W.T @ Pinf @ W) @ Al.T + mi*(vb @ vb.T) - eps*(Al @ Al.T) << W.T @ Pinf @ W",
        "One step of the recursion, at an eigenvector of Σ.",
        **limit.ONE_ENTRY,
        given=limit.DEFINED,
        proof=lambda claim: limit.pushed(),
    ),
    ours(
        "every solution",
        f"{every.LOWER_U} == mi*({P22_ROW})",
        "The same entry for every nonnegative solution of disp:1195.",
        **every.FIXED_BLOCK,
        given=(*AT_LAM, *every.AT),
        proof=lambda claim: every.entry(),
    ),
    ours(
        "block",
        "W.T @ Pinf @ W == Al @ (W.T @ Pinf @ W) @ Al.T + mi*(vb @ vb.T)",
        "The equation of disp:1195 at an eigenvector of Σ.",
        **every.FIXED_BLOCK,
        given=every.AT,
        proof=lambda claim: every.block_fixed(),
    ),
    step(
        "disp:1012",
        1,
        "W.T @ Pi[t+1] @ W == Al @ (W.T @ Pi[t] @ W) @ Al.T + mi*[[step**2, step*q], [step*q, q**2]]",
        **every.BLOCK,
        given=every.EIGEN,
        naturals="t",
        proof=lambda claim: every.block_recursion(),
        words="The 2 × 2 block of Π̃_t at every eigenvector u of Σ; W holds u twice, m_i = uᵀMu.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        f"Pi == A @ Pi @ A.T + {NOISE}",
        part="all entries",
        given=ONE_EIGENVALUE,
        where={**HYPERPARAMETERS, "A": A_TRUE, **PI},
        example=ONE_EIGENVALUE_EXAMPLE,
        display="disp:1195",
        words="All four entries in closed form solve the stationary equation.",
        instance="m_i = 1",
    ),
    step(
        "disp:1195",
        1,
        f"{every.partial('t')} == A @ {every.partial('t-1')} @ A.T + J(M)",
        **every.CORE,
        naturals="t",
        proof=lambda claim: every.series(),
        words="For every partial sum of the series in disp:1188; there are no limits here.",
        faithfulness=Faithfulness.WEAKER,
    ),
    *comparisons("lem:Pi-infinity"),
    summary="The printed entry is right; the three starred ones are supplied.",
)
