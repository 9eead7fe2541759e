r"""ass:gradient-noise: E (l'(a.x, b) - l'(a.x*, b))^2 |a|_{Sigma^-1}^2 <= 2 L_l L (F(x) - F(x*)) for all x.

An assumption; lem:gradient-noise shows that it holds with L = alpha kt. For the quadratic loss it holds with L = kt.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.setup._noise import NORMS, NOTIONS, about
from theory.provers.tactics import order

STATEMENT = statement(
    "ass:gradient-noise",
    printed(
        f"E(w, (Ll*t[w])**2*{NORMS['kt']}) <= 2*Ll*kt*(Ll/2*E(w, t[w]**2))",
        part="quadratic loss",
        kinds={"a": "vector(d)[S]", "Sigma": "pd(d)", "x": "vector(d)", "o": "vector(d)"},
        where={name: NOTIONS[name] for name in ("P[w]", "moment", "t[w]")},
        given=("Ll > 0", f"E(w, {NORMS['kt']}*P[w]) << kt*Sigma", "Sigma == moment"),
        example={key: about("kt")["example"][key] for key in ("d", "p_S", "a", "Sigma", "x", "o", "Ll", "kt")},
        proof=lambda claim: order(
            {"of": 1, "L": "(x - o).T", "c": [{"sq": "Ll"}]},
            {"eq": 2, "L": "(x - o).T", "R": "(x - o)", "k": "-Ll**2*kt"},
        ),
        scope="every d, every x, every distribution; ℓ(u, b) = L_ℓ(u − b)²/2",
        words="For the quadratic loss the assumption is the fourth-moment condition, with L = κ̃.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:505": "the assumption itself; lem:gradient-noise derives it"},
    summary="An assumption that lem:gradient-noise derives from the first three.",
)
