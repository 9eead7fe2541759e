r"""lem:var-tilde-C-l-bound, with <., .> for the inner product of matrices:

    <diag(0, Sigma), C~_t^(l)> <= <diag(0, Sigma), C~_inf^(l)> <= tr(Sigma^-1 R^(l))/(4 kt) + 4 eta tr R^(l).

True in the standing context (lines 549-570). The first
holds because C~_t^(l) is driven by noise N_j <= R^(l): it stays below Pi_t(R^(l)), and that below Pi_inf(R^(l)).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement
from theory.kernel.lang import parse, substitute, text
from theory.papers.sada.inner_loop import _pi as pi
from theory.papers.sada.inner_loop._blocks import (
    EVERY_EIGENVALUE,
    EVERY_EIGENVALUE_EXAMPLE,
    HYPERPARAMETERS,
    ONE_EIGENVALUE,
    ONE_EIGENVALUE_EXAMPLE,
    pi_22,
)
from theory.papers.sada.inner_loop._facts import added
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN, chosen
from theory.papers.sada.inner_loop._layers import TR_R, TR_SIGMA_R
from theory.papers.sada.inner_loop.lem_l_var_monotone import FORWARD
from theory.papers.sada.inner_loop.lem_pi_stationary_bound import LEFT
from theory.provers.tactics import Tactic, cite

ID = "lem:var-tilde-C-l-bound"
BLOCK = {"u": "1-eta*lam", "b": "1+c-q*lam", "n": "t"}
# the block of m Pi_t - C~_t^(l) in one direction: driven by m - (N_j)_ii = w[j]**2 >= 0
DEFICIT = text(substitute(parse(FORWARD), {name: parse(formula) for name, formula in BLOCK.items()}))
GIVEN = (*ONE_EIGENVALUE, "m >= 0")
EVERY: dict[str, Any] = {
    "given": EVERY_EIGENVALUE,
    "where": HYPERPARAMETERS,
    "naturals": "d",
    "example": EVERY_EIGENVALUE_EXAMPLE,
    "display": "disp:1400",
    "scope": "every dimension, every spectrum, every R^(l)",
}


def below_both() -> Tactic:
    """m Pi_inf - C~_t = m (Pi_inf - Pi_t) + (m Pi_t - C~_t), both nonnegative."""
    names = {name: chosen(formula) for name, formula in BLOCK.items()} | CHOSEN
    below, deficit = len(GIVEN), len(GIVEN) + 2
    last = added(("1", [len(GIVEN) - 1, below], ""), ("1", [deficit], ""))
    driven = cite("lem:L-var-monotone/disp:905.driven blocks", names, then=last)
    return cite("lem:Pi-increasing/sharper#below Pi_infinity", then=driven)


STATEMENT = statement(
    ID,
    printed(
        f"m*{pi.block('t')}[3]-{DEFICIT}[3] <= m*{pi_22()}",
        part="first",
        given=GIVEN,
        where=HYPERPARAMETERS,
        naturals="t",
        example={**ONE_EIGENVALUE_EXAMPLE, "m": "1", "t": "1", "w": ["1/2", "1/2"]},
        display="disp:1400",
        proof=below_both(),
        scope="every t, every eigen-direction, every sequence of noise N_j <= R^(l); the sum over directions follows",
        words="True: what the noise lacks drives a positive semidefinite difference, and Pi_t <= Pi_infinity.",
        instance="one eigenvalue of Σ",
        links=("matrix-order",),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{LEFT} <= {TR_SIGMA_R}/(4*kt)+4*eta*{TR_R}",
        part="second",
        proof=cite("lem:Pi-stationary-bound"),
        words="With the step size of line 551: the stationary bound with M = R^(l).",
        **EVERY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        f"{LEFT} <= {TR_SIGMA_R}/(16*kt)+eta*{TR_R}",
        part="second",
        proof=cite("lem:Pi-stationary-bound/sharper"),
        words="1/16 and 1 for 1/4 and 4.",
        **EVERY,
    ),
    accounts={"disp:1414": "definition of sigma^(l)"},
    summary="True in the standing context (lines 549-570); the second inequality uses the step size of line 551.",
)
