r"""lem:averaging (lemma, potentials.tex:176): Averaging.

\begin{lemma}[Averaging]\label{lem:averaging}
Let $f$ be convex and $0 \leq t \leq 1$. Then
\begin{equation}\label{eq:averaging}
  f(t x + (1-t) y) \leq t f(x) + (1-t) f(y).
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import AT_REST, CONVEX, convex, kinds
from theory.provers.tactics import order

STATEMENT = statement(
    "lem:averaging",
    printed(
        "f[m] <= t*f[x] + (1 - t)*f[y]",
        given=("0 <= t", "t <= 1", CONVEX, "m == t*x + (1 - t)*y"),
        kinds=kinds("x", "y", "m"),
        example={**AT_REST, "t": "1/2", "y": "0", "m": "0"},
        display="eq:averaging",
        proof=order(convex("m", "x", "t"), convex("m", "y", "1 - t"), ops=[{"use": "m"}]),
        scope="every dimension, every convex function; m is the mean of the two points",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Convexity from the mean to both points, weighted.",
)
