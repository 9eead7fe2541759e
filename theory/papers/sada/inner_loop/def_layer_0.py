r"""def:layer-0: C~_t = A C~_{t-1} A^T + [[eta^2 R, eta q R], [eta q R, q^2 R]], C~_0 = O.

A definition. Solved, C~_t is the sum of A^k N (A^k)^T over k < t, so it is PSD and grows with t; C~_t = Pi_t(R).
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.inner_loop._layers_bound import LAYERS, layer_zero_is_pi
from theory.provers.tactics import order

STATEMENT = statement(
    "def:layer-0",
    printed(
        "Ct[0, K] == sum(k, 0, K-1, Pw[k] @ J(R) @ Pw[k].T)",
        **LAYERS,
        naturals="K",
        proof=lambda claim: layer_zero_is_pi("K", order({"eq": "sum"})),
        words="Solved: the noise of the last t steps, carried along by A.",
        faithfulness=Faithfulness.OURS,
    ),
    accounts={"disp:960": "definition of C~_t"},
    summary="A definition.",
)
