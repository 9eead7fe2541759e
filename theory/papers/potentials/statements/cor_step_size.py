r"""cor:step-size (corollary, potentials.tex:168): Step size.

\begin{corollary}[Step size]\label{cor:step-size}
Let $R > 0$, $\sigma > 0$, $s > 0$ and $\eta > 0$. No step size makes the bound on the mean gap, with $s^2$ for $K$ and
$R^2$ for $D_1$, smaller than the step $R/(\sigma s)$ does:
\begin{equation}\label{eq:step-size}
  \frac{R\sigma}{s} \leq \frac{R^2}{2\eta s^2} + \frac{\eta\sigma^2}{2}.
\end{equation}
\end{corollary}
"""

from theory.claims.statement import Faithfulness, printed, statement

STATEMENT = statement(
    "cor:step-size",
    printed(
        "R*sigma/s <= R**2/(2*eta*s**2) + eta*sigma**2/2",
        given=("R > 0", "sigma > 0", "s > 0", "eta > 0"),
        example={"R": "1", "sigma": "1", "s": "1", "eta": "1"},
        display="eq:step-size",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "R**2/(2*eta*s**2) + eta*sigma**2/2 == R*sigma/s",
        part="attained",
        given=("R > 0", "sigma > 0", "s > 0", "eta == R/(sigma*s)"),
        example={"R": "1", "sigma": "1", "s": "1", "eta": "1"},
        words="The step R/(sigma s) attains the bound, as the words of the corollary say.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="Half the square of R/(s sqrt(eta)) - sigma sqrt(eta) is nonnegative.",
)
