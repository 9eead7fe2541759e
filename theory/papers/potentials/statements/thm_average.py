r"""thm:average (theorem, potentials.tex:156): Sum of the gaps.

\begin{theorem}[Sum of the gaps]\label{thm:average}
Let $\eta > 0$, let $D_1, \dots, D_{K+1}$ be nonnegative and $2\eta e_k \leq D_k - D_{k+1} + \eta^2\sigma^2$ for
$k = 1, \dots, K$. Then
\begin{equation}\label{eq:average}
  \sum_{k=1}^{K} e_k \leq \frac{D_1}{2\eta} + \frac{\eta K\sigma^2}{2}.
\end{equation}
\end{theorem}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.provers.tactics import chain, cite, count, termwise

EACH = "(D_seq[k] - D_seq[k + 1]) + eta**2*sigma**2 - 2*eta*e_seq[k]"

STATEMENT = statement(
    "thm:average",
    printed(
        "sum(k, 1, K, e_seq[k]) <= D_seq[1]/(2*eta) + eta*K*sigma**2/2",
        given=(
            *("eta > 0", "D_seq[K + 1] >= 0"),
            "forall(k, 1, K, 2*eta*e_seq[k] <= D_seq[k] - D_seq[k + 1] + eta**2*sigma**2)",
        ),
        naturals="K",
        example={"K": "1", "eta": "1", "sigma": "1", "D_seq": ["1", "1"], "e_seq": ["1/2"]},
        display="eq:average",
        proof=chain(
            (f"sum(k, 1, K, {EACH}) >= 0", termwise("sum", index="k")),
            ("sum(k, 1, K, 1) == K", count("k")),
            then=cite("lem:telescope", {"P": "D_seq"}),
        ),
        scope="every number of steps, every sequence",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The hypothesis, summed; the distances telescope.",
)
