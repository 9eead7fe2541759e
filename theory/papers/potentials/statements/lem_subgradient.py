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
from theory.papers.potentials.statements._vectors import AT_REST, FUNCTION, MINIMUM, weighted
from theory.provers.tactics import have, order

STATEMENT = statement(
    "lem:subgradient",
    printed(
        "norm2(x_plus - x_star) <= norm2(x - x_star) - 2*eta*(f[x] - f_star) + eta**2*sigma**2",
        given=(
            *("eta > 0", "norm(x_plus - x_star) <= norm(x - eta*g - x_star)"),
            *("f_star >= f[x] + g.T @ (x_star - x)", "norm2(g) <= sigma**2"),
        ),
        where=MINIMUM,
        kinds={"f": FUNCTION["f"]} | dict.fromkeys(("x", "x_plus", "x_star", "g"), "vector(d)"),
        example={**AT_REST, "eta": "1", "sigma": "1", "g": "0"},
        display="eq:subgradient",
        proof=have(
            "norm2(x_plus - x_star) <= norm2(x - eta*g - x_star)",
            then=order(
                {"of": "norm2(x_plus - x_star)"},
                weighted({"of": "f_star"}, "2*eta"),
                {"of": "norm2(g)", "c": [{"sq": "eta"}]},
            ),
        ),
        scope="every dimension, every function; g is any subgradient at x",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="As for stochastic gradients, with the projection as one more fact.",
)
