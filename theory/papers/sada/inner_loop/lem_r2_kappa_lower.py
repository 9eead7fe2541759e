r"""lem:R2-kappa-lower: under Assumption fourth-moment R^2 >= tr Sigma and kt >= d.

True in every dimension for every distribution: the trace of the assumption, then Jensen. These are lower bounds: they
do not give kt <= R^2/mu, which gamma >= eta needs and which ass:fourth-moment refutes for constants that are not tight.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.papers.sada import language
from theory.papers.sada.inner_loop._variance_bound import FOURTH, FOURTH_KAPPA, SIGMA
from theory.provers.tactics import Tactic, order

ID = "lem:R2-kappa-lower"
PLAIN = "(a[w].T @ a[w])"
WHITE = "(a[w].T @ inv(Sigma) @ a[w])"
SAMPLE: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", "Sigma": "pd(d)"},
    "where": {name: language.TAIL[name] for name in ("P[w]", "moment")} | {"trace": "tr(Sigma)"},
    "example": {"d": "1", "p_S": ["1/2", "1/2"], "a": {"1": "1", "2": "-1"}, "Sigma": [["1"]], "R2": "1", "kt": "1"},
    "scope": "every d, every distribution with fourth moments",
}
EUCLIDEAN: dict[str, Any] = {**SAMPLE, "given": (SIGMA, FOURTH, "trace > 0")}
WHITENED: dict[str, Any] = {**SAMPLE, "given": (SIGMA, FOURTH_KAPPA, "d >= 1")}
AS_PRINTED = Faithfulness.AS_PRINTED
TRACE = {"tr": [{"of": 1}, {"L": "I(d)"}]}
WHITE_TRACE = {"tr": [{"of": 1}, {"psd": "inv(Sigma)"}]}


def jensen(norm: str) -> dict[str, Any]:
    """The mean square of |a|^2 less its mean."""
    return {"E": {"v": "S"}, "L": f"{norm.replace('w', 'v')} - E(w, {norm})"}


def moment(trace: str, norm: str, sign: str = "", left: str = "I(d)") -> dict[str, Any]:
    """(tr)^2 - (E|a|^2)^2, by the definition of Sigma."""
    return {"eq": 0, "L": left, "tr": 1, "k": f"{sign}({trace} + E(w, {norm}))"}


def cancelled(trace: str, norm: str, bound: dict[str, Any], left: str) -> Tactic:
    """tr times the difference, and tr is positive."""
    return order(bound, jensen(norm), moment(trace, norm, "-", left), multiplier=[2])


STATEMENT = statement(
    ID,
    printed(
        "R2 >= trace", part="R^2", proof=lambda claim: cancelled("trace", PLAIN, TRACE, "I(d)"),
        words="The trace of the first condition, and E‖a‖⁴ ≥ (E‖a‖²)²; Σ is not 0.",
        **EUCLIDEAN, faithfulness=AS_PRINTED,
    ),
    printed(
        "kt >= d", part="kt", proof=lambda claim: cancelled("d", WHITE, WHITE_TRACE, "inv(Sigma)"),
        words="The second condition against Σ⁻¹, and E‖a‖⁴ ≥ (E‖a‖²)², which is d² in the norm of Σ⁻¹.",
        **{**WHITENED, "given": (SIGMA, FOURTH_KAPPA, "d > 0")}, faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1662", 1, f"trace**2 == E(w, {PLAIN})**2", proof=lambda claim: order(moment("trace", PLAIN)),
        words="tr Σ = E‖a‖².", **EUCLIDEAN, faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1662", 2, f"E(w, {PLAIN})**2 <= E(w, {PLAIN}**2)", proof=lambda claim: order(jensen(PLAIN)),
        words="Jensen's inequality.", **EUCLIDEAN, faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1662", 3, f"E(w, {PLAIN}**2) <= R2*trace", proof=lambda claim: order(TRACE),
        words="The trace of Assumption fourth-moment.", **EUCLIDEAN, faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1666", 1, f"d**2 == E(w, {WHITE})**2", proof=lambda claim: order(moment("d", WHITE, "", "inv(Sigma)")),
        words="E‖a‖² in the norm of Σ⁻¹ is tr I = d.", **WHITENED, faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1666", 2, f"E(w, {WHITE})**2 <= E(w, {WHITE}**2)", proof=lambda claim: order(jensen(WHITE)),
        words="Jensen's inequality.", **WHITENED, faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1666", 3, f"E(w, {WHITE}**2) <= kt*d", proof=lambda claim: order(WHITE_TRACE),
        words="The second condition against Σ⁻¹.", **WHITENED, faithfulness=AS_PRINTED,
    ),
    summary="True as printed; it bounds kt from below only, not by R^2/mu from above.",
)  # fmt: skip
