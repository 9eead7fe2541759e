r"""ass:erm: Lipschitz on [-1, 1], strong convexity, sub-Gaussian data. The first two bound each other.

An assumption; mu_l-strong convexity on [-1, 1] forces L_0 >= mu_l, and a loss that is strongly convex on the whole line
is Lipschitz on no unbounded set: the restriction to [-1, 1] is needed, but the proof uses L_0 beyond it (scale A X).
"""

from theory.claims.statement import Faithfulness, printed, statement

STATEMENT = statement(
    "ass:erm",
    printed(
        "L0 >= mul",
        part="consistent",
        display="disp:1907",
        given=(*("mul > 0", "up - lo >= 2*mul", "up <= L0", "-lo <= L0"),),
        example={"mul": "1", "L0": "1", "up": "1", "lo": "-1"},
        scope="lo, up: the slopes of the loss at -1 and 1",
        words="The slopes at -1 and 1 differ by at least 2 mu_l and are at most L_0 in size, so L_0 >= mu_l.",
        faithfulness=Faithfulness.OURS,
    ),
    accounts={"disp:1907": "an assumption: the Lipschitz constant L_0 of the loss"},
    summary="An assumption; it forces L_0 >= mu_l.",
)
