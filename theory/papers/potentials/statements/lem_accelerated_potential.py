r"""lem:accelerated-potential (lemma, potentials.tex:95): Potential of the accelerated method.

\begin{lemma}[Potential of the accelerated method]\label{lem:accelerated-potential}
Under Assumption~\ref{ass:smooth}, if $a^2 \leq A + a$, then
\begin{equation}\label{eq:accelerated-potential}
  (A + a)\left(f(x^+) - \fs\right) + \frac{L}{2}\norm{z^+ - \xs}^2
  \leq A\left(f(x) - \fs\right) + \frac{L}{2}\norm{z - \xs}^2.
\end{equation}
\end{lemma}
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.potentials.statements._vectors import (
    AT_REST,
    MINIMUM,
    SMOOTH,
    STRONG,
    convex,
    kinds,
    square,
    weighted,
)
from theory.provers.tactics import cite, order

STATEMENT = statement(
    "lem:accelerated-potential",
    printed(
        "(A + a)*(f[x_plus] - f_star) + L/2*norm2(z_plus - x_star) <= A*(f[x] - f_star) + L/2*norm2(z - x_star)",
        given=(
            *("L > 0", "mu >= 0", "A >= 0", "a > 0", "a**2 <= A + a", SMOOTH, STRONG),
            *("y == (A*x + a*z)/(A + a)", "x_plus == y - g/L"),
        ),
        where={"g": "grad_f[y]", "z_plus": "z - a/L*g"} | MINIMUM,
        kinds=kinds("x", "y", "z", "x_plus", "x_star"),
        example={**AT_REST, "mu": "1", "A": "2", "a": "1", "y": "0", "z": "0"},
        display="eq:accelerated-potential",
        proof=cite(
            "lem:descent",
            letters={"x": {"is": "y"}},
            then=order(
                weighted({"of": "f[x_plus]"}, "A + a"),
                *(convex("y", "x_star", "a"), square("y - x_star", "a*mu/2")),
                *(convex("y", "x", "A"), square("y - x", "A*mu/2")),
                square("g", "(A + a - a**2)/(2*L)"),
                ops=[{"use": "x_plus"}, {"use": "y"}],
            ),
        ),
        scope="every dimension, every smooth and convex function",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Weights A + a, a and A; what is left over is (A + a - a^2) |g|^2/(2L).",
)
