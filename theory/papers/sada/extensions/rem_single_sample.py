r"""rem:single-sample: with the estimator a a^T the lemma is the fourth-moment assumption: R_0^2 = R^2, kt_0 = kt.

Here also what line 458 says of batches of B: the maximal batch size prints kappa_B for kt_B, and T = n/K forgets the B
samples of a step. The sample sizes of lines 447 and 458 are read with the corollary (complexity/_extensions.py).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel import Verdict

RM, KTM = "(R2 + m*lmax)/(m+1)", "(kt + m)/(m+1)"
BATCH: dict[str, Any] = {
    "given": ("n > 0", "alpha > 0", "mueta > 0", "kt > 0", "kap > 0", "B > 0", "B**2*alpha*kt <= n**2*mueta"),
    "example": {"n": "4", "alpha": "1", "mueta": "1", "kt": "1", "kap": "1", "B": "1"},
}
STEPS = "B*K*T == N"  # K outer rounds of T inner steps with B samples each use all N samples

STATEMENT = statement(
    "rem:single-sample",
    printed(
        (f"{RM} == R2", f"{KTM} == kt"),
        given="m == 0",
        example={"m": "0", "R2": "3", "kt": "2", "lmax": "1"},
        words="At m = 0 the constants are those of the assumption.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:458",
        "B_max",
        "B**2 <= n**2*mueta/(alpha*kap)",
        witness={"n": "4", "alpha": "1", "mueta": "1", "kt": "1", "kap": "16", "B": "4"},
        expect=Verdict.REFUTED,
        words="B_max is printed with kappa_B: n >= B K T_0 with K = sqrt(alpha), T_0 = sqrt(kt_B/(mu eta)) allows it.",
        **BATCH,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:458",
        "B_max/repaired",
        "B**2 <= n**2*mueta/(alpha*kt)",
        faithfulness=Faithfulness.TYPO,
        repairs="rem:single-sample/disp:458.B_max",
        words="With kt_B in the place of kappa_B it is the largest batch that leaves T_0 steps.",
        **BATCH,
    ),
    step(
        "disp:458",
        "steps",
        STEPS,
        given=("B >= 1", "K >= 1", "N > 0", "T == N/K"),
        example={"B": "1", "K": "2", "N": "4", "T": "2"},
        witness={"B": "2", "K": "2", "N": "4", "T": "2"},
        expect=Verdict.REFUTED,
        words="With T = n/K of line 463 batches of B use B times the n samples that there are.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:458",
        "steps/repaired",
        STEPS,
        given=("B >= 1", "K >= 1", "N > 0", "T == N/(B*K)"),
        example={"B": "2", "K": "2", "N": "4", "T": "1"},
        faithfulness=Faithfulness.TYPO,
        repairs="rem:single-sample/disp:458.steps",
        words="T = n/(B K) steps of B samples in each of K rounds use n samples.",
    ),
    summary="True: m = 0 gives back the assumption's constants. The maximal batch size prints kappa_B for kt_B.",
)
