r"""ass:gradient-noise-I: E (l'(a.x, b) - l'(a.x*, b))^2 |a|^2 <= 2 L_l B (F(x) - F(x*)) for all x.

An assumption; lem:gradient-noise-I shows that it holds with B = alpha R^2. For the quadratic loss it holds with B =
R^2.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.setup._noise import NORMS, NOTIONS, about
from theory.provers.tactics import order

STATEMENT = statement(
    "ass:gradient-noise-I",
    printed(
        f"E(w, (Ll*t[w])**2*{NORMS['R2']}) <= 2*Ll*R2*(Ll/2*E(w, t[w]**2))",
        part="quadratic loss",
        kinds={"a": "vector(d)[S]", "Sigma": "pd(d)", "x": "vector(d)", "o": "vector(d)"},
        where={name: NOTIONS[name] for name in ("P[w]", "moment", "t[w]")},
        given=("Ll > 0", f"E(w, {NORMS['R2']}*P[w]) << R2*Sigma", "Sigma == moment"),
        example={key: about("R2")["example"][key] for key in ("d", "p_S", "a", "Sigma", "x", "o", "Ll", "R2")},
        proof=lambda claim: order(
            {"of": 1, "L": "(x - o).T", "c": [{"sq": "Ll"}]},
            {"eq": 2, "L": "(x - o).T", "R": "(x - o)", "k": "-Ll**2*R2"},
        ),
        scope="every d, every x, every distribution; ℓ(u, b) = L_ℓ(u − b)²/2",
        words="For the quadratic loss the assumption is the fourth-moment condition, with B = R².",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:498": "the assumption itself; lem:gradient-noise-I derives it"},
    summary="An assumption that lem:gradient-noise-I derives from the first three.",
)
