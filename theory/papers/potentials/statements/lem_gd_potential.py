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
    DESCENT,
    POINT,
    STEP,
    cone,
    convex,
    gradient_is_long,
    inner,
    norm2,
)
from theory.provers.tactics import cite, identity

BEFORE, AFTER = norm2("x[i] - x_star[i]"), norm2(f"{STEP} - x_star[i]")

STATEMENT = statement(
    "lem:gd-potential",
    printed(
        f"(k + 1)*(f_plus - f_star) + L/2*{AFTER} <= k*(f_x - f_star) + L/2*{BEFORE}",
        given=("L > 0", "k >= 0", DESCENT, convex("f_star", "f_x", "x_star[i] - x[i]")),
        naturals="d",
        example={**POINT, "k": "1", "f_x": "1/2", "f_plus": "0", "f_star": "0"},
        display="eq:gd-potential",
        proof=cite(
            "lem:descent",
            then=gradient_is_long(
                cone(("1", [0, 1, 4]), ("1", [0, 4]), ("1", [0, 3]), ("1/2", [1, 5]), multiplier=(0,))
            ),
        ),
        scope="every dimension, every real k >= 0",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "eq:square",
        1,
        f"L/2*{AFTER} == L/2*{BEFORE} - {inner('g[i]', 'x[i] - x_star[i]')} + 1/(2*L)*{norm2('g[i]')}",
        given="L > 0",
        naturals="d",
        example=POINT,
        proof=identity(),
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="k + 1 times the descent lemma and once convexity; what is left over is k |g|^2/(2L).",
)
