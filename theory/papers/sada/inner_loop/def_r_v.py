r"""def:r-v: r = (2/(h_k T)) (sum_{t=T/2+1}^T eta_t^bias)_1,  v = (2/(h_k T)) (sum_{t=T/2+1}^T eta_t^var)_1.

A definition, for even T. It gives x~_+ = x~_+^* + h_k r + h_k v (disp:586), because eta_t is the sum of both parts.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement
from theory.provers.tactics import chain, count

WHERE = {
    "T": "2*n",
    "output": "2/T*sum(t, n+1, 2*n, s + bias[t] + var[t])",
    "r": "2/(h*T)*sum(t, n+1, 2*n, bias[t])",
    "v": "2/(h*T)*sum(t, n+1, 2*n, var[t])",
}
ABOUT: dict[str, Any] = {"given": ("n >= 1", "h > 0"), "where": WHERE, "naturals": "n"}
EXAMPLE = {"n": "1", "h": "2", "s": "1", "bias": ["0", "1"], "var": ["0", "-1"]}

STATEMENT = statement(
    "def:r-v",
    printed(
        "T*output == T*(s + h*r + h*v)",
        example=EXAMPLE,
        proof=chain(("sum(t, n+1, 2*n, 1) == n", count("t")), then={"kind": "identity", "modulo": [[2, "2*s"]]}),
        scope="each coordinate; every T = 2n, every h_k; s = x~_+^*, x_t = s + bias_t + var_t",
        words="The tail average splits into the minimiser, the bias and the variance part; T must be even."
        " For Algorithm 1 itself: lem:inner-loop#output.",
        **ABOUT,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    accounts={"disp:698": "definition of r and v"},
    summary="A definition; with T even it gives the decomposition of the output.",
)
