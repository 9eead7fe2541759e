r"""lem:contraction (lemma, potentials.tex:63): Contraction.

\begin{lemma}[Contraction]\label{lem:contraction}
Under Assumption~\ref{ass:smooth} with $0 < \mu \leq L$,
\begin{equation}\label{eq:contraction}
  \norm{x^+ - \xs}^2 \leq \left(1 - \frac{\mu}{L}\right)\norm{x - \xs}^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import (
    AT_REST,
    GRADIENT,
    LEAST,
    MINIMUM,
    SMOOTH,
    STEP,
    STRONG,
    convex,
    kinds,
    weighted,
)
from theory.provers.tactics import cite, have, order

STATEMENT = statement(
    "lem:contraction",
    printed(
        "norm2(x_plus - x_star) <= (1 - mu/L)*norm2(x - x_star)",
        given=("0 < mu", "mu <= L", SMOOTH, STRONG, LEAST, STEP),
        where=GRADIENT | MINIMUM,
        kinds=kinds("x", "x_plus", "x_star"),
        example={**AT_REST, "mu": "1"},
        display="eq:contraction",
        proof=have(
            "L > 0",
            then=cite(
                "lem:descent",
                then=order(
                    weighted({"of": "f[x_plus]"}, "2/L"),
                    weighted({"of": "f_star", "at": {"u": "x_plus"}}, "2/L"),
                    convex("x", "x_star", "2/L"),
                    ops=[{"use": "x_plus"}],
                ),
            ),
        ),
        scope="every dimension, every smooth and strongly convex function",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Twice the sum of descent, minimality and strong convexity, divided by L.",
)
