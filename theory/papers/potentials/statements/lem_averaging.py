r"""lem:averaging (lemma, potentials.tex:176): Averaging.

\begin{lemma}[Averaging]\label{lem:averaging}
Let $f$ be convex and $0 \leq t \leq 1$. Then
\begin{equation}\label{eq:averaging}
  f(t x + (1-t) y) \leq t f(x) + (1-t) f(y).
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import convex

MIX = "(t*x[i] + (1 - t)*y[i])"

STATEMENT = statement(
    "lem:averaging",
    printed(
        "f_mix <= t*f_x + (1 - t)*f_y",
        given=(
            *("0 <= t", "t <= 1"),
            *(convex("f_x", "f_mix", f"x[i] - {MIX}"), convex("f_y", "f_mix", f"y[i] - {MIX}")),
        ),
        naturals="d",
        example={"d": "1", "t": "1/2", "x": ["1"], "y": ["0"], "g": ["0"], "f_x": "0", "f_y": "0", "f_mix": "0"},
        display="eq:averaging",
        proof={"kind": "cone", "terms": [{"c": "1", "of": [0, 2]}, {"c": "1", "of": [1, 3]}]},
        scope="every dimension; g is the gradient at t x + (1-t) y",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Convexity from the mean to both points, weighted.",
)
