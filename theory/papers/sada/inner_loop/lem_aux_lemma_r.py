r"""lem:aux-lemma-r: x^k (1 + k (1-x)) <= 1 for all k >= 0 and x in [0, 1].

True. The printed proof differentiates: f'(x) = k (k+1) x^(k-1) (1-x), so f increases to f(1) = 1. The kernel's proof is
an induction over k that needs no derivative, f_k - f_(k+1) = (k+1) x^k (1-x)^2 >= 0; for real k the
tangents of exp and ln.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement
from theory.papers.sada.inner_loop._facts import added
from theory.provers.tactics import induction

ID = "lem:aux-lemma-r"
ON_THE_INTERVAL: dict[str, Any] = {
    "given": ("x >= 0", "x <= 1"),
    "naturals": "k",
    "example": {"x": "1/2", "k": "2"},
    "scope": "every natural k, every x in [0, 1]",
}
F_K = "x**k*(1+k*(1-x))"
# facts: 0-1 the interval, 2 the bound at k, 3 the power is nonnegative, 4 k >= 0
ONE_MORE = added(("1", [2], ""), ("1", [3], "1-x"), ("1", [3, 4], "1-x"))

STATEMENT = statement(
    ID,
    printed(
        f"{F_K} <= 1",
        proof=induction(
            "k", {"p": "x**k"}, ["p*(1+k*(1-x)) <= 1", "p >= 0"], step=[ONE_MORE, added(("1", [0, 3], ""))]
        ),
        words="For natural k, by induction over k, x = 0 included.",
        **ON_THE_INTERVAL,
        instance="k natural",
        faithfulness=Faithfulness.OURS,
    ),
    printed(
        "exp(k*log(x))*(1+k*(1-x)) <= 1",
        part="every k",
        given=("k >= 0", "x > 0", "x <= 1"),
        example={"x": "1", "k": "2"},
        scope="every real k >= 0, x^k = exp(k ln x); at x = 0 the left side is 0, or 1 for k = 0",
        words="x^k ≤ exp(−k(1 − x)) ≤ 1/(1 + k(1 − x)).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "(k+1)*p*(1+(k+1)*(1-x))-(k+1)*(p*x) == (k+1)*(k+2)*p*(1-x)",
        part="derivative",
        example={"x": "1/2", "p": "1/4", "k": "2"},
        scope="exponent k + 1, p = x^k, every real k: the left side is the product rule",
        words="The derivative in the printed proof is right.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        f"{F_K}-x*x**k*(1+(k+1)*(1-x)) == (k+1)*x**k*(1-x)**2",
        part="decreasing in k",
        naturals="k",
        example={"x": "1/2", "k": "2"},
        scope="every natural k, every real x",
        words="For fixed x the expression even decreases in k, by exactly this much.",
    ),
    summary="True as printed.",
)
