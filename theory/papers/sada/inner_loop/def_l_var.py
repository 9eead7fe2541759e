r"""def:L-var: L_var({X_t}) = (4/T^2) <diag(Sigma, O), sum_{s,t=T/2+1}^T A^(s-t)+ X_min(s,t) (A^(t-s)+)^T>.

A definition, for even T. Grouped by min(s, t) it is a weighted sum of the X_t (checked for T = 2, 4, 6): the weight
of X_t is not a positive semidefinite matrix unless t = T, which is why lem:L-var-monotone fails.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.inner_loop._lvar import double_sum

LETTERS = {**{f"X{t}": "symmetric" for t in range(2, 7)}, "A": "", "I": "identity"}


def grouped(last: int) -> str:
    """sum_t [X_t + (A + ... + A^(T-t)) X_t + its transpose]."""
    parts = []
    for t in range(last // 2 + 1, last + 1):
        parts.append(f"X{t}")
        parts += [f"A**{k} @ X{t} + X{t} @ (A**{k}).T" for k in range(1, last - t + 1)]
    return " + ".join(parts)


STATEMENT = statement(
    "def:L-var",
    printed(
        [f"{double_sum(last // 2, last)} == {grouped(last)}" for last in (2, 4, 6)],
        letters=LETTERS,
        scope="every dimension; T = 2, 4, 6 written out term by term",
        words="The double sum grouped by min(s, t): each X_t once, and with the powers of A up to T - t on either"
        " side.",
        instance="T = 2, 4, 6",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:888": "definition of L_var"},
    summary="A definition, for even T; linear in the sequence.",
)
