r"""lem:pl (lemma, potentials.tex:73): Gradient domination.

\begin{lemma}[Gradient domination]\label{lem:pl}
Let $f$ satisfy~\eqref{eq:smooth} and, instead of convexity, $\norm{g}^2 \geq 2\mu(f(x) - \fs)$. Then
\begin{equation}\label{eq:pl}
  f(x^+) - \fs \leq \left(1 - \frac{\mu}{L}\right)\left(f(x) - \fs\right).
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import (
    AT_REST,
    GRADIENT,
    MINIMUM,
    SMOOTH,
    STEP,
    kinds,
    weighted,
)
from theory.provers.tactics import cite, order

STATEMENT = statement(
    "lem:pl",
    printed(
        "f[x_plus] - f_star <= (1 - mu/L)*(f[x] - f_star)",
        given=("L > 0", SMOOTH, STEP, "norm2(g) >= 2*mu*(f[x] - f_star)"),
        where=GRADIENT | MINIMUM,
        kinds=kinds("x", "x_plus", "x_star"),
        example={**AT_REST, "mu": "1"},
        display="eq:pl",
        proof=cite("lem:descent", then=order({"of": "f[x_plus]"}, weighted({"of": "norm2(g)"}, "1/(2*L)"))),
        scope="every dimension, every smooth function, every real mu",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The descent lemma with the domination put in; convexity is not used.",
)
