r"""lem:L-var-linearity: L_var({alpha X_t + beta Y_t}) = alpha L_var({X_t}) + beta L_var({Y_t}).

True for every T, every dimension and all sequences. The lemma names the second sequence {T_t} and then writes Y_t.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.inner_loop._l_var_of_every_size import POINT, SIZE, WITH_X, linearity, notions

STATEMENT = statement(
    "lem:L-var-linearity",
    printed(
        "LvarMix == alpha*LvarX + beta*LvarY",
        **{
            **WITH_X,
            "kinds": {**WITH_X["kinds"], "Y": f"{SIZE}[nat]"},
            "where": notions(X="X[{}]", Y="Y[{}]", Mix="(alpha*X[{}] + beta*Y[{}])"),
            "example": {**POINT, "Y": POINT["W"]},
        },
        given=("n >= 1",),
        naturals="n",
        display="disp:899",
        proof=lambda claim: linearity(),
        words="True for every T, nonnegative or not; the second sequence is called {T_t} in the statement.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="True; the second sequence is misnamed.",
)
