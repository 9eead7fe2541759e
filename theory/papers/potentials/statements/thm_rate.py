r"""thm:rate (theorem, potentials.tex:125): Rate of a potential.

\begin{theorem}[Rate of a potential]\label{thm:rate}
Let $P_{k+1} \leq P_k$ for $k = 1, \dots, K$, let $P_1 \leq L D/2$, and let $A e \leq P_{K+1}$ with $A > 0$. Then
\begin{equation}\label{eq:rate}
  e \leq \frac{L D}{2A}.
\end{equation}
\end{theorem}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.provers.tactics import chain, cite, termwise

STATEMENT = statement(
    "thm:rate",
    printed(
        "e <= L*D/(2*A)",
        given=("forall(k, 1, K, P[k + 1] <= P[k])", "P[1] <= L*D/2", "A*e <= P[K + 1]", "A > 0"),
        naturals="K",
        example={"K": "2", "P": ["3", "2", "1"], "L": "2", "D": "3", "A": "1", "e": "1"},
        display="eq:rate",
        proof=chain(
            ("sum(k, 1, K, P[k] - P[k + 1]) >= 0", termwise("sum", index="k")),
            then=cite(
                "lem:telescope",
                then=chain("P[K + 1] <= P[1]"),
            ),
        ),
        scope="every number of steps, every sequence",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The potential has not grown, so that its last value is at most the first.",
)
