r"""rem:single-sample: with the estimator a a^T the lemma is the fourth-moment assumption: R_0^2 = R^2, kt_0 = kt."""

from theory.statement import printed, statement

STATEMENT = statement(
    "rem:single-sample",
    printed(
        ("(R2 + m*lmax)/(m+1) == R2", "(kt + m)/(m+1) == kt"),
        given="m == 0",
        example={"m": "0", "R2": "3", "kt": "2", "lmax": "1"},
        words="At m = 0 the constants are those of the assumption.",
    ),
    summary="True: m = 0 gives back the assumption's constants.",
)
