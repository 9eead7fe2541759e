r"""lem:gd-potential (lemma, potentials.tex:48): Potential of gradient descent.

\begin{lemma}[Potential of gradient descent]\label{lem:gd-potential}
Under Assumption~\ref{ass:smooth}, for every $k \geq 0$,
\begin{equation}\label{eq:gd-potential}
  (k+1)\left(f(x^+) - \fs\right) + \frac{L}{2}\norm{x^+ - \xs}^2
  \leq k\left(f(x) - \fs\right) + \frac{L}{2}\norm{x - \xs}^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.papers.potentials.statements._vectors import (
    AT_REST,
    GRADIENT,
    MINIMUM,
    SMOOTH,
    STEP,
    STRONG,
    convex,
    kinds,
    square,
    weighted,
)
from theory.provers.tactics import cite, order

STATEMENT = statement(
    "lem:gd-potential",
    printed(
        "(k + 1)*(f[x_plus] - f_star) + L/2*norm2(x_plus - x_star) <= k*(f[x] - f_star) + L/2*norm2(x - x_star)",
        given=("L > 0", "mu >= 0", "k >= 0", SMOOTH, STRONG, STEP),
        where=GRADIENT | MINIMUM,
        kinds=kinds("x", "x_plus", "x_star"),
        example={**AT_REST, "mu": "1", "k": "1"},
        display="eq:gd-potential",
        proof=cite(
            "lem:descent",
            then=order(
                weighted({"of": "f[x_plus]"}, "k + 1"),
                convex("x", "x_star"),
                square("x - x_star", "mu/2"),
                square("g", "k/(2*L)"),
                ops=[{"use": "x_plus"}],
            ),
        ),
        scope="every dimension, every smooth and convex function, every real k >= 0",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "eq:square",
        1,
        "L/2*norm2(x_plus - x_star) == L/2*norm2(x - x_star) - g.T @ (x - x_star) + 1/(2*L)*norm2(g)",
        given=("L > 0", STEP),
        where=GRADIENT,
        kinds=kinds("x", "x_plus", "x_star"),
        example=AT_REST,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="k + 1 times the descent lemma and once convexity; what is left over is k |g|^2/(2L).",
)
