r"""def:problem-class: Gaussian data, labels N(a.x*, sigma^2). Asserts nothing; x* is stationary for F_delta."""

from theory.claims.statement import Faithfulness, printed, statement

STATEMENT = statement(
    "def:problem-class",
    printed(
        "mean(w, l[w]*t[w]) == 0",
        given=("mean(w, l[w]*t[w]) == mean(w, l[w])*mean(w, t[w])", "mean(w, t[w]) == 0"),
        example={"p_w": ["1/2", "1/2"], "l": ["1", "1"], "t": ["1", "-1"]},
        proof={"kind": "identity", "modulo": [[0, "1"], [1, "mean(w, l[w])"]]},
        scope="l = l'_delta(epsilon) is independent of t = a.u, and a has mean zero",
        words="x* is stationary for F_delta in every member of the class, so that F_delta(x*) is the minimum.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:1996": "definition of the statistical model"},
    summary="A definition; x* is the minimiser of F_delta as the text takes for granted.",
)
