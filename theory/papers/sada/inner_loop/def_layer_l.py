r"""def:layer-l: C~_t^(l) = A C~_{t-1}^(l) A^T + (B - B~) C~_{t-1}^(l-1), C~_0^(l) = O.

A definition. B - B~ is a positive map, so that every layer is PSD and grows with the layer below.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.inner_loop.lem_layer_peeled_decomposition import EVERY, MEAN, RANDOM, excess

STATEMENT = statement(
    "def:layer-l",
    printed(
        f"{excess('N')} == mean(w, (H[w] - {MEAN}) @ N @ (H[w] - {MEAN}).T)",
        letters=RANDOM,
        scope=EVERY,
        words="(B - B~) X = E (A^ - A) X (A^ - A)^T: a positive map, so that all layers are PSD.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:969": "definition of C~_t^(l)"},
    summary="A definition; every layer is PSD.",
)
