r"""lem:var-tilde-C-l-bound, with <., .> for the inner product of matrices:

    <diag(0, Sigma), C~_t^(l)> <= <diag(0, Sigma), C~_inf^(l)> <= tr(Sigma^-1 R^(l))/(4 kt) + 4 eta tr R^(l).

True in the standing context (lines 549-570), for every dimension, t and layer. C~_inf^(l) is the
limit of the growing Pi_t(R^(l)): above each of them, and for every e > 0 below one of them plus e I.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement
from theory.papers.sada.inner_loop import _stationary as every
from theory.papers.sada.inner_loop._blocks import EVERY_EIGENVALUE, EVERY_EIGENVALUE_EXAMPLE, HYPERPARAMETERS
from theory.papers.sada.inner_loop._layers import TR_R, TR_SIGMA_R
from theory.papers.sada.inner_loop._stationary import BESIDE, HERE, NEXT, NEXT_NEAR, above
from theory.papers.sada.inner_loop._variance_bound import SETTING
from theory.papers.sada.inner_loop.lem_pi_stationary_bound import LEFT
from theory.provers.tactics import cite

ID = "lem:var-tilde-C-l-bound"
EVERY: dict[str, Any] = {
    "given": EVERY_EIGENVALUE,
    "where": HYPERPARAMETERS,
    "naturals": "d",
    "example": EVERY_EIGENVALUE_EXAMPLE,
    "scope": "every dimension, every spectrum, every R^(l)",
}

STATEMENT = statement(
    ID,
    printed(
        "tr(S2 @ Ct[l, t]) <= tr(S2 @ Cinf[l])",
        part="first",
        **BESIDE,
        given=above("l", "t"),
        naturals=("l", "t"),
        display="disp:1400",
        proof=lambda claim: every.traces(),
        words="True: C̃_t^(ℓ) ⪯ C̃_∞^(ℓ), layer by layer, since C̃_∞^(ℓ), the limit of the growing Π̃_t(R^(ℓ)), lies above"
        " them.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "tr(S2 @ Cinf[l+1]) <= tr(inv(Sigma) @ Rl[l+1])/(4*kt) + 4*step*tr(Rl[l+1]) + e*tr(Sigma)",
        part="second",
        **BESIDE,
        given=(*SETTING, HERE, NEXT, NEXT_NEAR),
        naturals=("l", "s"),
        display="disp:1400",
        proof=lambda claim: every.stationary(),
        words="ℓ + 1 is the printed ℓ: the stationary bound with M = R^(ℓ), with the step size of line 551. For every"
        " ε > 0 some Π̃_s(R^(ℓ)) has C̃_∞^(ℓ) ⪯ Π̃_s(R^(ℓ)) + εI.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{LEFT} <= {TR_SIGMA_R}/(4*kt)+4*eta*{TR_R}",
        part="second, in numbers",
        proof=cite("lem:Pi-stationary-bound#in numbers"),
        words="The same for the sum over eigenvalues of the closed form.",
        **EVERY,
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        f"{LEFT} <= {TR_SIGMA_R}/(16*kt)+eta*{TR_R}",
        part="second",
        display="disp:1400",
        proof=cite("lem:Pi-stationary-bound/sharper"),
        words="1/16 and 1 for 1/4 and 4.",
        **EVERY,
    ),
    accounts={"disp:1414": "definition of sigma^(l)"},
    summary="True in the standing context (lines 549-570); the second inequality uses the step size of line 551.",
)
