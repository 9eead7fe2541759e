r"""alg:sada: the two-loop algorithm. Inner loop, with fresh samples (a_t, b_t):

y_{t-1} = (x_{t-1} + theta z_{t-1})/(1+theta),  g_t = h_k l'(a_t.y~, b_t) a_t + [a_t.(y_{t-1} - y~)] a_t,
x_t = y_{t-1} - eta g_t,  z_t = theta y_{t-1} + (1-theta) z_{t-1} - gamma g_t,  x~_k = (2/T) sum_{t=T/2+1}^T x_t.

T is even, since T/2+1 is an index. The step direction is an
unbiased gradient of the subproblem, whose minimiser is y~ - h Sigma^{-1} grad F(y~).
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.language import weight
from theory.provers.tactics import count, order

STATEMENT = statement(
    "alg:sada",
    printed(
        "sum(t, n+1, 2*n, 1) == n",
        part="tail average",
        naturals="n",
        example={"n": "1"},
        proof=count("t"),
        words="For T = 2n the sum over t = T/2+1, ..., T has n = T/2 terms, so the weights 2/T add up to one.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "E(w, h*gy[w]*a[w] + (a[w].T @ (y - yt))*a[w]) == h*E(w, gy[w]*a[w]) + E(w, a[w] @ a[w].T) @ (y - yt)",
        part="unbiased",
        kinds={"a": "vector(d)[S]", "gy": "real[S]", "y": "vector(d)", "yt": "vector(d)"},
        example={"h": "1", "d": "1", "p_S": ["1"], "a": {"1": "1"}, "gy": {"1": "1"}, "y": ["1"], "yt": ["0"]},
        proof=lambda claim: order(),
        scope="every d, every distribution whose moments exist; gy = l'(a.y~, b)",
        words="The step direction is an unbiased gradient of the subproblem, h grad F(y~) + Sigma (y - y~).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        ["1/(1 + theta)*y + theta/(1 + theta)*y == y", "y + beta*(y - y) == y"],
        part="start",
        kinds={"y": "vector(d)"},
        given=("theta >= 0",),
        example={"theta": "1/16", "d": "1", "y": ["1"], "beta": "1/2"},
        proof=lambda claim: [order(), order()],
        scope="every d",
        words="From x_0 = z_0 = y~ the first extrapolation gives y_0 = y~, and x~_{-1} = x~_0 gives y~_0 = x~_0.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        [
            "h*grad.T @ (best - y) + 1/2*norm2(best - y, Sigma) <= h*grad.T @ (x - y) + 1/2*norm2(x - y, Sigma)",
            "E(w, h*gy[w]*(a[w].T @ (x - y))) == h*grad.T @ (x - y)",
        ],
        part="minimiser",
        kinds={"a": "vector(d)[S]", "gy": "real[S]", "x": "vector(d)", "y": "vector(d)", "Sigma": "pd(d)"},
        where={"grad": "E(w, gy[w]*a[w])", "best": "y - h*(inv(Sigma) @ grad)"},
        example={
            "Sigma": [["1"]],
            "h": "1",
            "x": ["1"],
            "y": ["0"],
            "d": "1",
            "p_S": ["1"],
            "a": {"1": "1"},
            "gy": {"1": "1"},
        },
        proof=lambda claim: [order({"psd": "Sigma", "L": "(x - best).T", "c": [weight("1/2")]}), order()],
        display="disp:284",
        scope="every d, every x, every distribution whose moments exist; gy = l'(a.y~, b)",
        words="The subproblem is minimised by y~ - h Sigma^{-1} grad F(y~): no x has a smaller objective.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "h*slope + square/2 == h*(slope + square/(2*h))",
        part="two objectives",
        given=("h > 0",),
        example={"h": "1", "slope": "1", "square": "1"},
        display="disp:581",
        words="The objective of the appendix (disp:581) is that of the main text (disp:284) divided by h_k: the same"
        " minimiser.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={
        "disp:200": "restates the problem GLP of disp:130",
        "disp:242": "definition of Q, the second moment of the stochastic gradient at x*",
        "disp:284": "definition of the subproblem; its minimiser is checked in alg:sada#minimiser",
    },
    summary="T is even; the inner step is an unbiased gradient step on the subproblem.",
)
