r"""lem:R2-kappa-lower: under Assumption fourth-moment R^2 >= tr Sigma and kt >= d.

True in every dimension for every distribution: the trace of the assumption, then Jensen. These are lower bounds: they
do not give kt <= R^2/mu, which gamma >= eta needs and which ass:fourth-moment refutes for constants that are not tight.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.papers.sada.inner_loop._facts import PLAIN, added
from theory.provers.tactics import Tactic, chain, count, termwise

ID = "lem:R2-kappa-lower"
# N = |a|^2 (in the Euclidean or in the Sigma^-1-norm); f[i], s[i]: the diagonals of E N a a^T and of Sigma, both in the
# basis that makes their traces E N^2 and E N; in the Sigma^-1-norm s[i] = 1, so that the trace is d
MOMENTS = ("mean(w, N[w]**2) == sum(i, 1, d, f[i])", "mean(w, N[w]) == sum(i, 1, d, s[i])")
TRACE = "sum(i, 1, d, s[i])"
EUCLIDEAN: dict[str, Any] = {
    "given": (*MOMENTS, "forall(i, 1, d, f[i] <= R2*s[i])", f"{TRACE} > 0"),
    "naturals": "d",
    "example": {"p_w": ["1/2", "1/2"], "N": ["1", "3"], "d": "2", "f": ["1", "4"], "s": ["1/2", "3/2"], "R2": "3"},
    "scope": "every dimension, every distribution; Sigma is not zero",
}
WHITENED: dict[str, Any] = {
    "given": (MOMENTS[0], "mean(w, N[w]) == d", "forall(i, 1, d, f[i] <= kt)", "d >= 1"),
    "naturals": "d",
    "example": {"p_w": ["1/2", "1/2"], "N": ["1", "3"], "d": "2", "f": ["2", "3"], "kt": "3"},
    "scope": "every dimension, every distribution; N = |a|^2 in the Sigma^-1-norm, so that E N = tr I = d",
}
JENSEN = "mean(w, N[w])**2 <= mean(w, N[w]**2)"
TRACED = f"sum(i, 1, d, f[i]) <= R2*{TRACE}"
WHITE_TRACED = "sum(i, 1, d, f[i]) <= kt*sum(i, 1, d, 1)"


def squared(trace: str) -> Tactic:
    return {"kind": "identity", "modulo": [[1, f"-mean(w, N[w])-{trace}"]]}


def jensen(centre: str, facts: int) -> Tactic:
    """The mean square of N - centre is nonnegative; `facts` are known before, and fact 1 says that E N = centre."""
    spread = (f"mean(w, (N[w]-{centre})**2) >= 0", termwise("mean", index="v"))
    return chain(spread, then=added(("1", [facts], ""), modulo=[(1, f"{centre}-mean(w, N[w])")]))


TERMS = ("sum(i, 1, d, 1) == d", count())

STATEMENT = statement(
    ID,
    printed(
        f"R2 >= {TRACE}",
        part="R^2",
        proof=chain(
            (JENSEN, jensen(TRACE, 4)),
            (TRACED, termwise("sum", index="k")),
            then=added(
                ("1", [4], ""), ("1", [5], ""), multiplier=[3], modulo=[(0, "-1"), (1, f"mean(w, N[w])+{TRACE}")]
            ),
        ),
        words="The trace of the first condition, and E|a|^4 >= (E|a|^2)^2.",
        **EUCLIDEAN,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "kt >= d",
        part="kt",
        proof=chain(
            (JENSEN, jensen("d", 4)),
            (WHITE_TRACED, termwise("sum", index="k")),
            ("d > 0", PLAIN),
            TERMS,
            then=added(
                ("1", [4], ""), ("1", [5], ""), multiplier=[6], modulo=[(0, "-1"), (1, "mean(w, N[w])+d"), (7, "-kt")]
            ),
        ),
        words="The trace of the second condition in whitened coordinates, and E|a|^4 >= (E|a|^2)^2 = d^2.",
        **WHITENED,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1662",
        1,
        f"{TRACE}**2 == mean(w, N[w])**2",
        proof=squared(TRACE),
        words="tr Sigma = E|a|^2.",
        **EUCLIDEAN,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1662",
        2,
        JENSEN,
        proof=jensen(TRACE, 4),
        words="Jensen's inequality.",
        **EUCLIDEAN,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1662",
        3,
        f"mean(w, N[w]**2) <= R2*{TRACE}",
        proof=chain((TRACED, termwise("sum", index="k")), then=added(("1", [4], ""), modulo=[(0, "-1")])),
        words="The trace of Assumption fourth-moment.",
        **EUCLIDEAN,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1666",
        1,
        "d**2 == mean(w, N[w])**2",
        proof=squared("d"),
        words="E|a|^2 in the Sigma^-1-norm is the trace of I.",
        **WHITENED,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1666",
        2,
        JENSEN,
        proof=jensen("d", 4),
        words="Jensen's inequality.",
        **WHITENED,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1666",
        3,
        "mean(w, N[w]**2) <= kt*d",
        proof=chain(
            (WHITE_TRACED, termwise("sum", index="k")),
            TERMS,
            then=added(("1", [4], ""), modulo=[(0, "-1"), (5, "-kt")]),
        ),
        words="The trace of the second condition, in whitened coordinates.",
        **WHITENED,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True as printed; it bounds kt from below only, not by R^2/mu from above.",
)
