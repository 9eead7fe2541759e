r"""cor:steps (corollary, potentials.tex:83): Number of steps.

\begin{corollary}[Number of steps]\label{cor:steps}
Let $0 \leq \theta \leq 1$. After $k$ contractions by the factor $1 - \theta$ there is left at most
\begin{equation}\label{eq:steps}
  (1 - \theta)^k \leq \exp(-\theta k).
\end{equation}
\end{corollary}
"""

from theory.claims.statement import Faithfulness, printed, statement

STATEMENT = statement(
    "cor:steps",
    printed(
        "(1 - theta)**k <= exp(-theta*k)",
        given=("0 <= theta", "theta <= 1"),
        naturals="k",
        example={"theta": "1/2", "k": "3"},
        display="eq:steps",
        scope="every number of steps",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="1 - theta <= exp(-theta), multiplied k times.",
)
