r"""lem:contraction (lemma, potentials.tex:63): Contraction.

\begin{lemma}[Contraction]\label{lem:contraction}
Under Assumption~\ref{ass:smooth} with $0 < \mu \leq L$,
\begin{equation}\label{eq:contraction}
  \norm{x^+ - \xs}^2 \leq \left(1 - \frac{\mu}{L}\right)\norm{x - \xs}^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import DESCENT, POINT, STEP, cone, convex, norm2
from theory.provers.tactics import cite

STATEMENT = statement(
    "lem:contraction",
    printed(
        f"{norm2(f'{STEP} - x_star[i]')} <= (1 - mu/L)*{norm2('x[i] - x_star[i]')}",
        given=(
            *("L > 0", "mu > 0", "mu <= L", DESCENT, "f_plus >= f_star"),
            convex("f_star", "f_x", "x_star[i] - x[i]", mu="mu"),
        ),
        naturals="d",
        example={**POINT, "mu": "1", "f_x": "1/2", "f_plus": "0", "f_star": "0"},
        display="eq:contraction",
        proof=cite("lem:descent", then=cone(("2", [4]), ("2", [5]), ("2", [6]), multiplier=(0,))),
        scope="every dimension",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Twice the sum of descent, minimality and strong convexity, divided by L.",
)
