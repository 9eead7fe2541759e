r"""lem:telescope (lemma, potentials.tex:118): Telescope.

\begin{lemma}[Telescope]\label{lem:telescope}
Let $P_1, \dots, P_{K+1}$ be numbers. Then
\begin{equation}\label{eq:telescope}
  \sum_{k=1}^{K} (P_k - P_{k+1}) = P_1 - P_{K+1}.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.provers.tactics import identity, telescope

STATEMENT = statement(
    "lem:telescope",
    printed(
        "sum(k, 1, K, P[k] - P[k + 1]) == P[1] - P[K + 1]",
        naturals="K",
        example={"K": "2", "P": ["3", "2", "1"]},
        display="eq:telescope",
        proof=telescope("-P[k]", each=identity(), ends=identity()),
        scope="every number of terms, every sequence",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
