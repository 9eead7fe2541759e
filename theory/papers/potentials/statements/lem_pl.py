r"""lem:pl (lemma, potentials.tex:73): Gradient domination.

\begin{lemma}[Gradient domination]\label{lem:pl}
Let $f$ satisfy~\eqref{eq:smooth} and, instead of convexity, $\norm{g}^2 \geq 2\mu(f(x) - \fs)$. Then
\begin{equation}\label{eq:pl}
  f(x^+) - \fs \leq \left(1 - \frac{\mu}{L}\right)\left(f(x) - \fs\right).
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import DESCENT, POINT, cone, norm2
from theory.provers.tactics import cite

STATEMENT = statement(
    "lem:pl",
    printed(
        "f_plus - f_star <= (1 - mu/L)*(f_x - f_star)",
        given=("L > 0", DESCENT, f"{norm2('g[i]')} >= 2*mu*(f_x - f_star)"),
        naturals="d",
        example={**POINT, "mu": "1", "f_x": "1/2", "f_plus": "0", "f_star": "0"},
        display="eq:pl",
        proof=cite("lem:descent", then=cone(("1", [0, 3]), ("1/2", [2]), multiplier=(0,))),
        scope="every dimension, every real mu",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The descent lemma with the domination put in; convexity is not used.",
)
