r"""ass:smooth (assumption, potentials.tex:25): Smoothness and convexity.

\begin{assumption}[Smoothness and convexity]\label{ass:smooth}
There is a constant $L > 0$ such that for all $x$ and $y$
\begin{equation}\label{eq:smooth}
  f(y) \leq f(x) + \inner{\nabla f(x)}{y - x} + \frac{L}{2}\norm{y - x}^2,
\end{equation}
and there is a constant $\mu \geq 0$ such that for all $x$ and $y$
\begin{equation}\label{eq:convex}
  f(y) \geq f(x) + \inner{\nabla f(x)}{y - x} + \frac{\mu}{2}\norm{y - x}^2.
\end{equation}
\end{assumption}
"""

from theory.claims.statement import statement

STATEMENT = statement(
    "ass:smooth",
    # `L > 0` is not read as a hypothesis: the words do not tell whether it is assumed or claimed
    # `\mu \geq 0` is not read as a hypothesis: the words do not tell whether it is assumed or claimed
    accounts={
        "ass:smooth": "an assumption, used as a hypothesis",
        "eq:smooth": "an assumption, used as a hypothesis",
        "eq:convex": "an assumption, used as a hypothesis",
    },
)
