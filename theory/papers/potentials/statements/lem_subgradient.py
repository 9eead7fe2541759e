r"""lem:subgradient (lemma, potentials.tex:148): One projected subgradient step.

\begin{lemma}[One projected subgradient step]\label{lem:subgradient}
Let $x^+$ be a point with $\norm{x^+ - \xs} \leq \norm{x - \eta g - \xs}$, such as a projection of $x - \eta g$ onto a
convex set that contains $\xs$, where $\fs \geq f(x) + \inner{g}{\xs - x}$ and $\norm{g}^2 \leq \sigma^2$. Then
\begin{equation}\label{eq:subgradient}
  \norm{x^+ - \xs}^2 \leq \norm{x - \xs}^2 - 2\eta\left(f(x) - \fs\right) + \eta^2\sigma^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import POINT, convex, norm2

STATEMENT = statement(
    "lem:subgradient",
    printed(
        f"{norm2('x_plus[i] - x_star[i]')} <= {norm2('x[i] - x_star[i]')} - 2*eta*(f_x - f_star) + eta**2*sigma**2",
        given=(
            "eta > 0",
            f"{norm2('x_plus[i] - x_star[i]')} <= {norm2('x[i] - eta*g[i] - x_star[i]')}",
            convex("f_star", "f_x", "x_star[i] - x[i]"),
            f"{norm2('g[i]')} <= sigma**2",
        ),
        naturals="d",
        example={
            **{key: value for key, value in POINT.items() if key != "L"},
            "eta": "1",
            "sigma": "1",
            "x_plus": ["0"],
            "f_x": "1/2",
            "f_star": "0",
        },
        display="eq:subgradient",
        proof={
            "kind": "cone",
            "terms": [{"c": "1", "of": [1]}, {"c": "2", "of": [0, 2]}, {"c": "1", "of": [3], "sq": "eta"}],
        },
        scope="every dimension; the hypothesis on the norms is stated with their squares",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="As for stochastic gradients, with the projection as one more fact.",
)
