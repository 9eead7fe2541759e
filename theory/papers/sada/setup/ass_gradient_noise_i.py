r"""ass:gradient-noise-I: E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2 <= 2 L_l B (F(x) - F(x*)) for all x.

An assumption; lem:gradient-noise-I shows that it holds with B = alpha R^2. For the quadratic loss it holds with B =
R^2.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.setup._noise import cone

STATEMENT = statement(
    "ass:gradient-noise-I",
    printed(
        "mean(w, (Ll*t[w])**2*n[w]) <= 2*Ll*R2*(Ll/2*mean(w, t[w]**2))",
        part="quadratic loss",
        given=("Ll > 0", "mean(w, t[w]**2*n[w]) <= R2*mean(w, t[w]**2)"),
        example={"Ll": "1", "R2": "4", "p_w": ["1/2", "1/2"], "t": ["1", "2"], "n": ["1", "4"]},
        proof=cone({"c": "1", "of": [1], "sq": "Ll"}),
        scope="every distribution; l(u, b) = L_l (u - b)^2/2, t = a.(x - x*), n = |a|^2",
        words="For the quadratic loss the assumption is the fourth-moment condition, with B = R^2.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:498": "the assumption itself; lem:gradient-noise-I derives it"},
    summary="An assumption that lem:gradient-noise-I derives from the first three.",
)
