r"""lem:Pi-stationary-bound: <diag(0, Sigma), Pi_inf(M)> <= tr(Sigma^-1 M)/(4 kt) + 4 eta tr M.

Holds in every dimension: the left side is a sum over eigenvalues and each summand obeys the scalar bound. Several
steps of the printed proof do not: 2 eta/(1+theta) is not 2 c eta, lambda^2 loses its square, (3+theta) for (3-theta).
The same certificate closes with 1/16 and 1 in the place of 1/4 and 4.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.kernel import Verdict
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
from theory.papers.sada.inner_loop._variance_bound import AT_LAM, SIGMA
from theory.papers.sada.inner_loop._variance_bound import P22 as P22_ROW
from theory.provers.tactics import Tactic, chain, cite, order, termwise

LEFT = f"sum(i, 1, d, lam[i]*m[i]*({pi_22('lam[i]')}))"
EVERY: dict[str, Any] = {
    "given": EVERY_EIGENVALUE,
    "where": HYPERPARAMETERS,
    "naturals": "d",
    "example": EVERY_EIGENVALUE_EXAMPLE,
    "scope": "every dimension d, every spectrum, every positive semidefinite M",
}
# one direction u of Σ; the display adds them up
DIRECTION: dict[str, Any] = {**every.FIXED_BLOCK, "links": (*every.SERIES, "eigenbasis")}
LOWER = "E2.T @ Pinf @ E2"


def in_a_direction() -> Tactic:
    """u^T Sigma X u = lambda u^T X u."""
    return order({"eq": 1, "T": 1, "R": f"{LOWER} @ u"}, {"eq": 0, "L": "u.T", "R": f"{LOWER} @ u"})


ONE: dict[str, Any] = {"given": ONE_EIGENVALUE, "where": HYPERPARAMETERS, "example": ONE_EIGENVALUE_EXAMPLE}

STATEMENT = statement(
    "lem:Pi-stationary-bound",
    printed(
        "tr(S2 @ Pinf) <= tr(inv(Sigma) @ M)/(4*kt) + 4*step*tr(M)",
        **every.ALL,
        display="disp:1221",
        proof=lambda claim: every.trace("1/4", "4"),
        words="True as printed, for every dimension and every nonnegative solution Π̃_∞ of disp:1195.",
        faithfulness=Faithfulness.AS_PRINTED,
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
        [f"tr(S2 @ Pinf) == tr(Sigma @ ({LOWER}))", f"u.T @ (Sigma @ ({LOWER})) @ u == lam*({every.LOWER_U})"],
        **DIRECTION,
        given=(SIGMA, every.EIGEN),
        proof=lambda claim: [order(), in_a_direction()],
        words="The inner product with diag(O, Σ) is tr(ΣΠ̃_∞,22), and an eigenvector of Σ has λ_i times its entry there"
        " (the print lacks the index i).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1230",
        2,
        f"lam*({every.LOWER_U}) <= lam*(mi*({P22_ROW}))",
        **DIRECTION,
        given=(*AT_LAM, *every.AT),
        proof=lambda claim: cite("lem:Pi-infinity", then=order({"eq": "entry", "k": "-lam"}), called="entry"),
        words="lem:Pi-infinity at every eigenvector of Σ: ≤ is printed, it is an equality.",
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
