r"""lem:sgd (lemma, potentials.tex:141): One stochastic step.

\begin{lemma}[One stochastic step]\label{lem:sgd}
For a convex $f$ and every $\eta > 0$,
\begin{equation}\label{eq:sgd}
  \E\norm{x - \eta G - \xs}^2 \leq \norm{x - \xs}^2 - 2\eta\left(f(x) - \fs\right) + \eta^2\sigma^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import AT_REST, CONVEX, MINIMUM, convex, kinds
from theory.provers.tactics import order

STATEMENT = statement(
    "lem:sgd",
    printed(
        "E(w, norm2(x - eta*G[w] - x_star)) <= norm2(x - x_star) - 2*eta*(f[x] - f_star) + eta**2*sigma**2",
        given=("eta > 0", CONVEX, "E(w, G[w]) == grad_f[x]", "E(w, norm2(G[w])) <= sigma**2"),
        where=MINIMUM,
        kinds=kinds("x", "x_star") | {"G": "vector(d)[S]"},
        example={**AT_REST, "eta": "1", "sigma": "1", "p_S": ["1"], "G": {"1": "0"}},
        display="eq:sgd",
        proof=order(
            convex("x", "x_star", "2*eta"),
            {"eq": "E(w, G[w])", "L": "2*eta*(x - x_star).T"},
            {"of": "E(w, norm2(G[w]))", "c": [{"sq": "eta"}]},
        ),
        scope="every dimension, every convex function, every distribution whose second moments exist",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The square expands; twice eta times convexity and eta^2 times the second moment.",
)
