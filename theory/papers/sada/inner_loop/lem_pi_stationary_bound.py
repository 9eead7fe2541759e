r"""lem:Pi-stationary-bound: <diag(0, Sigma), Pi_inf(M)> <= tr(Sigma^-1 M)/(4 kt) + 4 eta tr M.

Holds in every dimension: the left side is a sum over eigenvalues and each summand obeys the scalar bound. Several
steps of the printed proof do not: 2 eta/(1+theta) is not 2 c eta, lambda^2 loses its square, (3+theta) for (3-theta).
The same certificate closes with 1/16 and 1 in the place of 1/4 and 4.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop import _pi_in_directions as sums
from theory.papers.sada.inner_loop import _pi_of_every_size as every
from theory.papers.sada.inner_loop._blocks import (
    CHOICE,
    EVERY_EIGENVALUE,
    EVERY_EIGENVALUE_EXAMPLE,
    HYPERPARAMETERS,
    ONE_EIGENVALUE,
    ONE_EIGENVALUE_EXAMPLE,
    pi_22,
)
from theory.papers.sada.inner_loop._l_var_of_every_size import ours
from theory.papers.sada.inner_loop._variance_bound import SETTING
from theory.provers.tactics import chain, termwise

BOUND = "tr(inv(Sigma) @ M)/(4*kt) + 4*step*tr(M)"
LEFT = f"sum(i, 1, d, lam[i]*m[i]*({pi_22('lam[i]')}))"
EVERY: dict[str, Any] = {
    "given": EVERY_EIGENVALUE,
    "where": HYPERPARAMETERS,
    "naturals": "d",
    "example": EVERY_EIGENVALUE_EXAMPLE,
    "scope": "every dimension d, every spectrum, every positive semidefinite M",
}
ONE: dict[str, Any] = {"given": ONE_EIGENVALUE, "where": HYPERPARAMETERS, "example": ONE_EIGENVALUE_EXAMPLE}

STATEMENT = statement(
    "lem:Pi-stationary-bound",
    printed(
        [f"tr(S2 @ Pi[t]) <= {BOUND}", f"tr(S2 @ Pinf) <= {BOUND} + e*tr(Sigma)"],
        **every.ALL,
        display="disp:1221",
        proof=lambda claim: every.traces(),
        words="True as printed, for every dimension: for every t, and for Π̃_∞, which is the limit of the growing Π̃_t:"
        " for every ε > 0 some Π̃_t has Π̃_∞ ⪯ Π̃_t + εI, and ε is arbitrary.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    ours(
        "at every time",
        "tr(S2 @ Pi[t]) <= tr(inv(Sigma) @ M)/(16*kt) + step*tr(M)",
        "With 1/16 and 1, for every t. So the growing Π̃_t is bounded (its other blocks are made of this one, a step"
        " before), and the series of disp:1188 converges.",
        **{**every.CORE, "given": SETTING, "example": every.FIXED_POINT},
        naturals="t",
        proof=lambda claim: every.at_every_time(),
    ),
    printed(
        f"{LEFT} <= sum(i, 1, d, m[i]/lam[i])/(4*kt) + 4*eta*sum(i, 1, d, m[i])",
        part="in numbers",
        proof=termwise("sum"),
        words="The same for the sum over eigenvalues of the closed form.",
        **EVERY,
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        f"{LEFT} <= sum(i, 1, d, m[i]/lam[i])/(16*kt) + eta*sum(i, 1, d, m[i])",
        display="disp:1221",
        proof=termwise("sum"),
        words="The constants 1/4 and 4 can be 1/16 and 1.",
        **EVERY,
    ),
    sharper(
        f"{LEFT} <= sum(i, 1, d, m[i]/lam[i])/(30*kt) + 8/15*eta*sum(i, 1, d, m[i])",
        part="2/15 of it",
        display="disp:1221",
        proof=termwise("sum"),
        words="Even 1/30 and 8/15; by search 1/31 is the limit of the first one.",
        **EVERY,
    ),
    step(
        "disp:1240",
        0,
        "Q == (eta+theta*gam)/(1+theta)",
        given=(*ONE_EIGENVALUE, "(1+theta)*Q == eta+theta*gam"),
        where=HYPERPARAMETERS,
        example={**ONE_EIGENVALUE_EXAMPLE, "Q": "17/520"},
        words="q as defined with the update: (1+theta) q collects eta from x and theta gamma from z.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1240",
        1,
        "(eta+theta*gam)/(1+theta) <= 2*eta/(1+theta)",
        words="Uses eta >= theta*gamma.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1240",
        2,
        "2*eta/(1+theta) == 2*c*eta",
        expect=Verdict.REFUTED,
        words="2 eta/(1+theta) is (1+c) eta, which is larger than 2 c eta.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1240",
        "2/repaired",
        "2*eta/(1+theta) == (1+c)*eta",
        faithfulness=Faithfulness.TYPO,
        repairs="lem:Pi-stationary-bound/disp:1240.2",
        words="(1+c) eta is meant; the next line needs only q <= 2 eta.",
        **ONE,
    ),
    step(
        "disp:1244",
        1,
        "2+2*c-(q+c*eta)*lam >= 2+2*c-(2+c)*eta*lam",
        words="From q <= 2 eta.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1244",
        2,
        "2+2*c-(2+c)*eta*lam >= 1",
        words="From eta*lam <= 1/16.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1248",
        1,
        "(1+c)*(q-c*eta)/((1-c+c*eta*lam)*lam) == (1+c)/((1-c+c*eta*lam)*lam)*(q-(1+c)*eta/2+(1-c)*eta/2)",
        words="Splitting q - c eta.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1248",
        2,
        "(1+c)/((1-c+c*eta*lam)*lam)*(q-(1+c)*eta/2+(1-c)*eta/2)"
        " <= (1+c)/(c*eta*lam**2)*(q-(1+c)*eta/2) + (1+c)*eta/(2*lam)",
        words="Each part keeps one of the two terms of the denominator.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1248",
        3,
        "(1+c)/(c*eta*lam**2)*(q-(1+c)*eta/2) + (1+c)*eta/(2*lam)"
        " == 2*theta*gam/((1-theta**2)*eta*lam**2) + eta/((1+theta)*lam)",
        words="Inserting c and q.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1248",
        4,
        "2*theta*gam/((1-theta**2)*eta*lam**2) + eta/((1+theta)*lam)"
        " == 1/(8*(1-theta**2)*kt*lam**2) + eta/((1+theta)*lam)",
        words="eta = 16 kt theta gamma.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1248",
        "theta",
        "16*theta <= 1",
        given=CHOICE,
        where=HYPERPARAMETERS,
        example=ONE_EIGENVALUE_EXAMPLE,
        proof=chain("R2 >= mu", "256*theta**2*R2 <= mu", "256*theta**2 <= 1", "1+16*theta > 0"),
        words="The choice of eta and theta makes theta at most 1/16, so that 1 - theta^2 >= 1/2.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:1248",
        5,
        "1/(8*(1-theta**2)*kt*lam**2) + eta/((1+theta)*lam) <= 1/(4*kt*lam) + eta/lam",
        expect=Verdict.REFUTED,
        words="One factor lambda is lost: the printed right side has 1/(4 kt lambda), which is smaller for lambda < 1.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1248",
        "5/repaired",
        "1/(8*(1-theta**2)*kt*lam**2) + eta/((1+theta)*lam) <= 1/(4*kt*lam**2) + eta/lam",
        faithfulness=Faithfulness.TYPO,
        repairs="lem:Pi-stationary-bound/disp:1248.5",
        words="With lambda squared it holds, and the conclusion of the proof is the same.",
        **ONE,
    ),
    step(
        "disp:1257",
        1,
        "c*eta*(q+c*eta)*lam/((1-c+c*eta*lam)*lam) <= (q+c*eta)/lam",
        words="Drop 1 - c.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1257",
        2,
        "(q+c*eta)/lam == (3+theta)*eta/((1+theta)*lam)",
        expect=Verdict.REFUTED,
        words="q + c eta is (2 - theta + 1/(16 kt)) eta/(1+theta), not (3+theta) eta/(1+theta).",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1257",
        "2/repaired",
        "(q+c*eta)/lam <= (3-theta)*eta/((1+theta)*lam)",
        faithfulness=Faithfulness.TYPO,
        repairs="lem:Pi-stationary-bound/disp:1257.2",
        words="At most (3 - theta) eta/(1 + theta), since theta*gamma <= eta.",
        **ONE,
    ),
    step(
        "disp:1257",
        3,
        "(3+theta)*eta/((1+theta)*lam) <= 3*eta/lam",
        words="True, and so is the repaired form.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1230",
        1,
        f"tr(S2 @ Pinf) == {sums.IN_DIRECTIONS}",
        **sums.OF_A_MATRIX,
        proof=lambda claim: sums.trace_in_directions(),
        words="In every orthonormal basis u_1, …, u_d of eigenvectors of Σ (line 599): the inner product with"
        " diag(O, Σ) is tr(ΣΠ̃_∞,22). ≤ is printed, it is an equality (and the print lacks the index i).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sums.ENTRY,
    step(
        "disp:1230",
        2,
        f"{sums.IN_DIRECTIONS} <= {sums.WITH_ENTRIES}",
        **sums.OF_THE_LIMIT,
        proof=lambda claim: sums.entry_by_entry(),
        words="p_i is the printed fraction, m_i = u_iᵀMu_i. For every ε > 0 some Π̃_t has Π̃_∞ ⪯ Π̃_t + εI, and ε is"
        " arbitrary.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1263",
        1,
        f"{LEFT} <= sum(i, 1, d, m[i]/(4*kt*lam[i]) + 4*eta*m[i])",
        proof=termwise("sum"),
        words="The two bounds added up.",
        **EVERY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1263",
        2,
        "sum(i, 1, d, m[i]/(4*kt*lam[i]) + 4*eta*m[i]) == sum(i, 1, d, m[i]/lam[i])/(4*kt) + 4*eta*sum(i, 1, d, m[i])",
        words="The traces in the eigenbasis of Sigma.",
        **EVERY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True as printed in every dimension, although four steps of its proof are wrong; 1/16 and 1 suffice.",
)
