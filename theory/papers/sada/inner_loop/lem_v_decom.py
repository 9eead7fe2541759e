r"""lem:v-decom: E|v_k|_H^2 = L_var({C~_t}) + sum_{l>=1} L_var({C~_t^(l)}).

The H-norm is a slip for the Sigma-norm: H = L_l Sigma, so the left side is L_l times too large. With the Sigma-norm it
is the layer-peeled decomposition put into L_var, which is linear. Layers from T on vanish up to time T, so that the
infinite sum is that over the layers up to T + k, T = 2n, for every k.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, statement, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._tail_of_the_variance import BY_LAYERS, CENTRED, IN_LAYERS, all_layers
from theory.papers.sada.language import OPTIMAL, POINT, about
from theory.provers.tactics import cite, order

ID = "lem:v-decom"
# d = 1, T = 2: v = x_2; a^2 has mean lam and second moment s4, the noise has the second moment m
KICK = "m*((1-eta*lam)**2*q**2+eta**2)"
LAYER_1 = "m*eta**2*(s4-lam**2)*q**2"
WHOLE = "m*((1-2*eta*lam+eta**2*s4)*q**2+eta**2)"
TINY: dict[str, Any] = {
    "given": ("lam > 0", "s4 >= lam**2", "m > 0", "eta > 0", "q > 0"),
    "example": {"lam": "1", "s4": "2", "m": "1", "eta": "1/16", "q": "1/16", "Ll": "1"},
    "scope": "d = 1, T = 2, every distribution of a^2 with these two moments; H = L_l Sigma",
}
BY_LAYER = "E(h, norm2(v[h], Sigma)) == Lvar(0) + sum(l, 1, 2*n + k, Lvar(l))"

STATEMENT = statement(
    ID,
    printed(
        f"Ll*lam*{WHOLE} == lam*{KICK}+lam*{LAYER_1}",
        display="disp:1366",
        expect=Verdict.REFUTED,
        witness={"lam": "1", "s4": "2", "m": "1", "eta": "1/16", "q": "1/16", "Ll": "2"},
        words="The H-norm is L_l times the Sigma-norm, and L_var is written for the Sigma-norm.",
        **TINY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *BY_LAYERS,
    repaired(
        BY_LAYER,
        display="disp:1366",
        faithfulness=Faithfulness.TYPO,
        **IN_LAYERS,
        given=(CENTRED, "n >= 1"),
        naturals=("n", "k"),
        proof=lambda claim: all_layers(),
        words="With the Σ-norm. For T layers and for every larger number T + k of them: those from T on vanish up to"
        " time"
        " T, so that this is the infinite sum.",
    ),
    step(
        "disp:1372",
        1,
        "C[t] == Ct[0, t] + sum(l, 1, t, Ct[l, t])",
        **about(layers=True, given=OPTIMAL, example=POINT),
        proof=lambda claim: cite("lem:layer-peeled-decomposition", then=order({"eq": "r"}), called="r"),
        words="lem:layer-peeled-decomposition again, as printed there.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    summary="The H-norm should be the Sigma-norm; then it is linearity of L_var.",
)
