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
from theory.papers.potentials.statements._vectors import cone, convex, gradient_is_long, norm2, smooth
from theory.provers.tactics import have

Y = "((A*x[i] + a*z[i])/(A + a))"
MOVED = "z[i] - a/L*g[i]"
EXAMPLE = {"d": "1", "L": "1", "A": "2", "a": "1", "x": ["0"], "z": ["0"], "x_star": ["0"], "g": ["0"]}

STATEMENT = statement(
    "lem:accelerated-potential",
    printed(
        f"(A + a)*(f_plus - f_star) + L/2*{norm2(f'{MOVED} - x_star[i]')}"
        f" <= A*(f_x - f_star) + L/2*{norm2('z[i] - x_star[i]')}",
        given=(
            *("L > 0", "A >= 0", "a > 0", "a**2 <= A + a", smooth("f_plus", "f_y", "-g[i]/L")),
            *(convex("f_star", "f_y", f"x_star[i] - {Y}"), convex("f_x", "f_y", f"x[i] - {Y}")),
        ),
        naturals="d",
        example={**EXAMPLE, "f_x": "0", "f_y": "0", "f_plus": "0", "f_star": "0"},
        display="eq:accelerated-potential",
        proof=have(
            "A + a > 0",
            then=gradient_is_long(
                cone(("1", [0, 7, 4]), ("1", [0, 2, 5]), ("1", [0, 1, 6]), ("1/2", [3, 8]), multiplier=(0,))
            ),
        ),
        scope="every dimension",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Weights A + a, a and A; what is left over is (A + a - a^2) |g|^2/(2L).",
)
