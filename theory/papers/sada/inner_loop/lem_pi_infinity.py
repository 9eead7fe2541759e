r"""lem:Pi-infinity: the (2,2) entry of the stationary block Pi_infinity(lambda) for a unit diagonal element m.

The paper prints one entry and stars for the others. All four are given here, each checked by putting them into the
fixed-point equation Pi = A Pi A^T + (eta, q)^T (eta, q), whose solution is unique when the block is stable.
"""

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.derivations import comparisons, derived
from theory.papers.sada.inner_loop._blocks import A_TRUE, HYPERPARAMETERS, ONE_EIGENVALUE, ONE_EIGENVALUE_EXAMPLE, pi_22

P22 = pi_22()  # as printed; the other three as derived from the fixed-point equation
PI = f"[[{derived('Pi_11')}, {derived('Pi_12')}], [{derived('Pi_21')}, {P22}]]"
NOISE = "[[eta**2, eta*q], [eta*q, q**2]]"

STATEMENT = statement(
    "lem:Pi-infinity",
    printed(
        f"({PI})[2, 2] == (A @ ({PI}) @ A.T + {NOISE})[2, 2]",
        given=ONE_EIGENVALUE,
        where={**HYPERPARAMETERS, "A": A_TRUE},
        example=ONE_EIGENVALUE_EXAMPLE,
        display="disp:1204",
        words="The printed entry solves the fixed-point equation together with the three entries that are not printed.",
        instance="m_i = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        f"{PI} == A @ ({PI}) @ A.T + {NOISE}",
        part="all entries",
        given=ONE_EIGENVALUE,
        where={**HYPERPARAMETERS, "A": A_TRUE},
        example=ONE_EIGENVALUE_EXAMPLE,
        display="disp:1195",
        words="All four entries in closed form solve the stationary equation.",
        instance="m_i = 1",
    ),
    step(
        "disp:1195",
        1,
        f"{PI} == A @ ({PI}) @ A.T + {NOISE}",
        given=ONE_EIGENVALUE,
        where={**HYPERPARAMETERS, "A": A_TRUE},
        example=ONE_EIGENVALUE_EXAMPLE,
        words="The stationary block in closed form solves the printed equation (m = 1, one eigen-direction).",
        instance="one eigenvalue of Σ, m_i = 1",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *comparisons("lem:Pi-infinity"),
    summary="The printed entry is right; the three starred ones are supplied.",
)
