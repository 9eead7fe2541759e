r"""lem:weights (lemma, potentials.tex:107): Weights.

\begin{lemma}[Weights]\label{lem:weights}
The weights $a_{k+1} = (k+2)/2$ are steps of $A_k = k(k+3)/4$, and they are admissible:
\begin{equation}\label{eq:weights}
  \frac{k(k+3)}{4} + \frac{k+2}{2} = \frac{(k+1)(k+4)}{4}, \qquad
  \left(\frac{k+2}{2}\right)^2 \leq \frac{(k+1)(k+4)}{4}, \qquad
  \frac{k^2}{4} \leq \frac{k(k+3)}{4}.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement

STATEMENT = statement(
    "lem:weights",
    printed(
        (
            "k*(k + 3)/4 + (k + 2)/2 == (k + 1)*(k + 4)/4",
            "((k + 2)/2)**2 <= (k + 1)*(k + 4)/4",
            "k**2/4 <= k*(k + 3)/4",
        ),
        naturals="k",
        example={"k": "1"},
        display="eq:weights",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The middle inequality is tight at k = 0.",
)
