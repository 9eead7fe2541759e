r"""ass:gradient-noise: E (l'(a.x, b) - l'(a.x*, b))^2 |a|_{Sigma^-1}^2 <= 2 L_l L (F(x) - F(x*)) for all x.

An assumption; lem:gradient-noise shows that it holds with L = alpha kt. For the quadratic loss it holds with L = kt.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.setup._noise import cone

STATEMENT = statement(
    "ass:gradient-noise",
    printed(
        "mean(w, (Ll*t[w])**2*n[w]) <= 2*Ll*kt*(Ll/2*mean(w, t[w]**2))",
        part="quadratic loss",
        given=("Ll > 0", "mean(w, t[w]**2*n[w]) <= kt*mean(w, t[w]**2)"),
        example={"Ll": "1", "kt": "4", "p_w": ["1/2", "1/2"], "t": ["1", "2"], "n": ["1", "4"]},
        proof=cone({"c": "1", "of": [1], "sq": "Ll"}),
        scope="every distribution; l(u, b) = L_l (u - b)^2/2, t = a.(x - x*), n = |a|_{Sigma^-1}^2",
        words="For the quadratic loss the assumption is the fourth-moment condition, with L = kt.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:505": "the assumption itself; lem:gradient-noise derives it"},
    summary="An assumption that lem:gradient-noise derives from the first three.",
)
