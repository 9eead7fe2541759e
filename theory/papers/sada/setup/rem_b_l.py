r"""rem:B-L: Assumptions gradient-noise-I and gradient-noise hold with B = alpha R^2 and L = alpha kt.

True: these are the two verification lemmas.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.setup._noise import GAP, LEFT, example, given
from theory.provers.tactics import cite

SCOPE = "every distribution, every loss, every x"

STATEMENT = statement(
    "rem:B-L",
    printed(
        f"{LEFT} <= 2*Ll*B*{GAP}",
        part="B",
        given=given("R2"),
        where={"B": "(Ll/mul)*R2"},
        example=example("R2"),
        proof=cite("lem:gradient-noise-I"),
        scope=SCOPE,
        words="B = alpha R^2, by lem:gradient-noise-I (n = |a|^2).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"{LEFT} <= 2*Ll*L*{GAP}",
        part="L",
        given=given("kt"),
        where={"L": "(Ll/mul)*kt"},
        example=example("kt"),
        proof=cite("lem:gradient-noise"),
        scope=SCOPE,
        words="L = alpha kt, by lem:gradient-noise (n = |a|_{Sigma^-1}^2).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True: it repeats the two verification lemmas.",
)
