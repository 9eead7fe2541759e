r"""def:problem-class: Gaussian data, labels N(a.x*, sigma^2). Asserts nothing; x* is stationary for F_delta."""

from theory.claims.statement import Faithfulness, printed, statement
from theory.provers.tactics import order

STATEMENT = statement(
    "def:problem-class",
    printed(
        "E(w, l[w]*a[w]) == 0",
        kinds={"a": "vector(d)[S]", "l": "real[S]"},
        given=("E(w, l[w]*a[w]) == E(w, l[w])*E(w, a[w])", "E(w, a[w]) == 0"),
        example={"d": "1", "p_S": ["1/2", "1/2"], "l": {"1": "1", "2": "1"}, "a": {"1": "1", "2": "-1"}},
        proof=lambda claim: order({"eq": 0}, {"eq": 1, "k": "E(w, l[w])"}),
        scope="every d; l = l'_delta(epsilon) is independent of a, which has mean zero",
        words="x* is stationary for F_delta in every member of the class, so that F_delta(x*) is the minimum.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:1996": "definition of the statistical model"},
    summary="A definition; x* is the minimiser of F_delta as the text takes for granted.",
)
