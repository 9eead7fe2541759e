r"""def:layer-l: C~_t^(l) = A C~_{t-1}^(l) A^T + (B - B~) C~_{t-1}^(l-1), C~_0^(l) = O.

A definition. B - B~ is a positive map, so that every layer is PSD and grows with the layer below.
"""

from theory.claims.statement import Faithfulness, printed, statement
from theory.papers.sada.inner_loop._layers_bound import ON_LAYERS
from theory.papers.sada.language import POINT, about
from theory.provers.tactics import order

STATEMENT = statement(
    "def:layer-l",
    printed(
        "calB(X) - calBt(X) == E(w, (Ahat[w] - A) @ X @ (Ahat[w] - A).T)",
        **about(kinds={"X": "matrix(2*d, 2*d)"}, naturals=(), example={**POINT, "X": [["1", "2"], ["3", "5"]]}),
        proof=lambda claim: order(),
        words="(B − B̃) X = E (Â − A) X (Â − A)ᵀ: a positive map, so that all layers are PSD.",
        faithfulness=Faithfulness.OURS,
    ),
    *ON_LAYERS,
    accounts={"disp:969": "definition of C~_t^(l)"},
    summary="A definition; every layer is PSD.",
)
