r"""def:layer-0: C~_t = A C~_{t-1} A^T + [[eta^2 R, eta q R], [eta q R, q^2 R]], C~_0 = O.

A definition. Solved, C~_t is the sum of A^k N (A^k)^T over k < t, so it is PSD and grows with t; C~_t = Pi_t(R).
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.inner_loop.lem_layer_peeled_decomposition import EVERY, MEAN, RANDOM, layer

STATEMENT = statement(
    "def:layer-0",
    printed(
        [
            f"{layer(0, t)} == N + {MEAN} @ N @ {MEAN}.T"
            + "".join(f" + {MEAN}**{k} @ N @ ({MEAN}**{k}).T" for k in range(2, t))
            for t in (2, 3, 4)
        ],
        letters=RANDOM,
        scope=f"{EVERY}; t = 2, 3, 4 written out (every t per eigenvalue: lem:L-var/disp:1131.1)",
        words="Solved: the noise of the last t steps, carried along by A.",
        instance="t = 2, 3, 4",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:960": "definition of C~_t"},
    summary="A definition.",
)
