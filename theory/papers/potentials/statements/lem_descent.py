r"""lem:descent (lemma, potentials.tex:38): Descent.

\begin{lemma}[Descent]\label{lem:descent}
Under Assumption~\ref{ass:smooth},
\begin{equation}\label{eq:descent}
  f(x^+) \leq f(x) - \frac{1}{2L}\norm{g}^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import DESCENT, POINT, norm2

STATEMENT = statement(
    "lem:descent",
    printed(
        f"f_plus <= f_x - {norm2('g[i]')}/(2*L)",
        given=("L > 0", DESCENT),
        naturals="d",
        example={**POINT, "f_x": "1", "f_plus": "1/2"},
        display="eq:descent",
        scope="every dimension; f enters through its values and its gradient, bound by eq:smooth between x and x^+",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Smoothness at the new point, with x^+ - x = -g/L put in.",
)
