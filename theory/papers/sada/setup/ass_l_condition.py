r"""ass:l-condition: mu_l <= l''(a.x, b) <= L_l with mu_l, L_l > 0; alpha = L_l/mu_l.

An assumption. What the text draws from it (l is L_l-smooth and mu_l-strongly convex, alpha >= 1) is checked:
l'(u) - l'(v) = k (u - v) with k the mean of l'' between v and u.
"""

from theory.claims.statement import Faithfulness, printed, statement

GIVEN = ("mul > 0", "k >= mul", "k <= Ll")
EXAMPLE = {"mul": "1", "k": "3/2", "Ll": "2", "t": "1"}

STATEMENT = statement(
    "ass:l-condition",
    printed(
        ["(k*t)*t <= Ll*t**2", "(k*t)*t >= mul*t**2"],
        given=GIVEN,
        example=EXAMPLE,
        words="The loss is L_l-smooth and mu_l-strongly convex in its first argument.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "alpha >= 1",
        part="alpha",
        given=GIVEN,
        where={"alpha": "Ll/mul"},
        example=EXAMPLE,
        words="The condition number of the loss is at least one, which later proofs use without saying so.",
        faithfulness=Faithfulness.OURS,
    ),
    summary="An assumption; its two consequences in the text hold.",
)
