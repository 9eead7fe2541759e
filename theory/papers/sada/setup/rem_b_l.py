r"""rem:B-L: Assumptions gradient-noise-I and gradient-noise hold with B = alpha R^2 and L = alpha kt.

True: these are the two verification lemmas.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.setup._noise import about, left, repeated

STATEMENT = statement(
    "rem:B-L",
    printed(
        f"{left('R2')} <= 2*Ll*(alpha*R2)*gap", part="B", proof=lambda claim: repeated("lem:gradient-noise-I"),
        words="B is αR², by lem:gradient-noise-I.", **about("R2"), faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{left('kt')} <= 2*Ll*(alpha*kt)*gap", part="L", proof=lambda claim: repeated("lem:gradient-noise"),
        words="L is ακ̃, by lem:gradient-noise.", **about("kt"), faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True: it repeats the two verification lemmas.",
)  # fmt: skip
