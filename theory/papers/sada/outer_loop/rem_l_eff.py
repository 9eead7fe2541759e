r"""rem:L-eff: under the three assumptions L_eff <~ alpha kt, so that thm:full-glm implies thm:glm.

The first part is true: with L = alpha kt and B = alpha R^2 (rem:B-L), L_eff = 160 (6 L + kt (7 + 16 eta B)) is at most
2240 alpha kt. The second is not, as printed: exp(+K/D) does not imply exp(-c_0 K/D'). With the minus sign it does, and
c_0 = 1/(48 sqrt(2) 2240) serves; in the exponent 24 sqrt(2) should be 48 sqrt(2).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, sharper, statement
from theory.kernel import Verdict
from theory.provers.tactics import chain, cite

ID = "rem:L-eff"
SIZES = ("alpha >= 1", "kt >= 1", "eta > 0", "R2 > 0", "16*eta*R2 <= 1")
POINT: dict[str, Any] = {"alpha": "1", "kt": "1", "eta": "1/16", "R2": "1"}
LENGTHS = ("T > 0", "K > 0", "sa > 0", "sa**2 == alpha", "s2 > 1", "2*s2 <= 3", "s3 > 1", "s3 <= 2")
FULL = "(8*s3*sa+48*s2*alpha*Leff/T)"
SHORT = "(sa+alpha**2*kt/T)"
SCALED = f"(48*2240*s2*{SHORT})"
DECAY = chain(
    *("alpha > 0", f"{FULL} <= {SCALED}", f"{FULL} > 0", f"{SCALED} > 0"),
    then=cite("law:exp-monotone", {"s": f"-K/{FULL}", "t": f"-K/{SCALED}"}),
)

STATEMENT = statement(
    ID,
    printed(
        "160*(6*L+kt*(7+16*eta*B)) <= 2240*alpha*kt",
        part="order",
        given=(*SIZES, "L == alpha*kt", "B == alpha*R2"),
        example={**POINT, "L": "1", "B": "1"},
        words="L_eff is at most 2240 alpha kt.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        "160*(6*L+kt*(7+16*eta*B)) >= 960*alpha*kt",
        part="not smaller",
        given=(*SIZES, "L == alpha*kt", "B == alpha*R2"),
        example={**POINT, "L": "1", "B": "1"},
        words="And at least 960 alpha kt: the order is exact.",
    ),
    printed(
        "exp(K/D) <= 10**6*exp(-K/(10**6*D))",
        part="implies",
        given=("K > 0", "D > 0"),
        example={"K": "1", "D": "1"},
        witness={"K": "100", "D": "1"},
        expect=Verdict.REFUTED,
        scope="the exponential terms of thm:full-glm (printed without the minus) and thm:glm, constants up to 10^6",
        words="The full theorem prints exp(K/D), which grows: it implies no decay, whatever the constants.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        [f"{FULL} <= {SCALED}", f"exp(-K/{FULL}) <= exp(-K/{SCALED})"],
        part="implies",
        given=(*SIZES, *LENGTHS, "Leff >= 0", "Leff <= 2240*alpha*kt"),
        example={**POINT, "T": "1", "K": "1", "sa": "1", "s2": "3/2", "s3": "3/2", "Leff": "0"},
        faithfulness=Faithfulness.TYPO,
        proof=[chain("alpha > 0"), DECAY],
        scope="sa = sqrt(alpha), s2 = sqrt(2), s3 = sqrt(3); of the last two only the sizes are used",
        words="With the minus sign: D = 8 sqrt(3 alpha) + 48 sqrt(2) alpha L_eff/T is at most a constant times"
        " sqrt(alpha) + alpha^2 kt/T, so thm:glm follows with c_0 = 1/(48 sqrt(2) 2240).",
    ),
    summary="L_eff is of the order alpha kt; the implication needs the minus sign that the full theorem has lost.",
)
