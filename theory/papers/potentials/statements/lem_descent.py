r"""lem:descent (lemma, potentials.tex:38): Descent.

\begin{lemma}[Descent]\label{lem:descent}
Under Assumption~\ref{ass:smooth},
\begin{equation}\label{eq:descent}
  f(x^+) \leq f(x) - \frac{1}{2L}\norm{g}^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import AT_REST, GRADIENT, SMOOTH, STEP, kinds
from theory.provers.tactics import order

STATEMENT = statement(
    "lem:descent",
    printed(
        "f[x_plus] <= f[x] - norm2(g)/(2*L)",
        given=("L > 0", SMOOTH, STEP),
        where=GRADIENT,
        kinds=kinds("x", "x_plus"),
        example=AT_REST,
        display="eq:descent",
        proof=order({"of": "f[v]", "at": {"u": "x", "v": "x_plus"}}, ops=[{"use": "x_plus"}]),
        scope="every dimension, every smooth function",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Smoothness from x to the new point, with x^+ - x = -g/L put in; convexity is not used.",
)
