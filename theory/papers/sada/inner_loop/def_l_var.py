r"""def:L-var: L_var({X_t}) = (4/T^2) <diag(Sigma, O), sum_{s,t=T/2+1}^T A^(s-t)+ X_min(s,t) (A^(t-s)+)^T>.

A definition, for even T = 2n. Its double sum obeys a recursion in T (for symmetric X_t), and is linear in the sequence;
both for every dimension and every T.
"""

from theory.claims.statement import statement
from theory.papers.sada.inner_loop._l_var_of_every_size import CHAIN

STATEMENT = statement(
    "def:L-var",
    *CHAIN,
    accounts={"disp:888": "definition of L_var"},
    summary="A definition, for even T; linear in the sequence.",
)
