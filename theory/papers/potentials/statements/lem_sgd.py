r"""lem:sgd (lemma, potentials.tex:141): One stochastic step.

\begin{lemma}[One stochastic step]\label{lem:sgd}
For a convex $f$ and every $\eta > 0$,
\begin{equation}\label{eq:sgd}
  \E\norm{x - \eta G - \xs}^2 \leq \norm{x - \xs}^2 - 2\eta\left(f(x) - \fs\right) + \eta^2\sigma^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import convex, norm2

SECOND_MOMENT = "sum(i, 1, d, mean(w, G[i,w]**2))"

STATEMENT = statement(
    "lem:sgd",
    printed(
        "sum(i, 1, d, mean(w, (x[i] - eta*G[i,w] - x_star[i])**2))"
        f" <= {norm2('x[i] - x_star[i]')} - 2*eta*(f_x - f_star) + eta**2*sigma**2",
        given=(
            "eta > 0",
            convex("f_star", "f_x", "x_star[i] - x[i]", gradient="mean(w, G[i,w])"),
            f"{SECOND_MOMENT} <= sigma**2",
        ),
        naturals="d",
        example={
            "d": "1",
            "eta": "1",
            "sigma": "1",
            "x": ["1"],
            "x_star": ["0"],
            "G": [["1"]],
            "p_w": ["1"],
            "f_x": "1/2",
            "f_star": "0",
        },
        display="eq:sgd",
        proof={"kind": "cone", "terms": [{"c": "2", "of": [0, 1]}, {"c": "1", "of": [2], "sq": "eta"}]},
        scope="every dimension, every distribution on finitely many points; the gradient is the mean of G",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The square expands; twice eta times convexity and eta^2 times the second moment.",
)
