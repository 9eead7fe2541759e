r"""lem:aux-lemma-r: x^k (1 + k (1-x)) <= 1 for all k >= 0 and x in [0, 1].

True. The printed proof differentiates: f'(x) = k (k+1) x^(k-1) (1-x), so f increases to f(1) = 1. The kernel's proof is
an induction over k that needs no derivative: f_k - f_(k+1) = (k+1) x^k (1-x)^2 >= 0.
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
        words="True, by induction over k.",
        **ON_THE_INTERVAL,
        instance="k natural",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "(k+1)*p*(1+(k+1)*(1-x))-(k+1)*(p*x) == (k+1)*(k+2)*p*(1-x)",
        part="derivative",
        naturals="k",
        example={"x": "1/2", "p": "1/4", "k": "2"},
        scope="exponent k + 1, p = x^k: the left side is the product rule written out",
        words="The derivative in the printed proof is right.",
        instance="k natural",
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
