r"""lem:sigma0-lower: sigma_0^2 = L_0^2 d/L_l >= |H^-1/2 Q H^-1/2| d >= tr(H^-1 Q).

True; the proof writes L_0 for L_0^2 (and l for l'), with which it would be false. |H^-1/2 Q H^-1/2| is the least number
top with Q << top H; gs[w] is l'(a.x*, b).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, statement, step
from theory.kernel import Verdict
from theory.papers.sada import language
from theory.provers.tactics import order

BOUNDED = "forall(w, sample(S), gs[w]**2 <= L0**2)"
GIVEN = ("L0 > 0", "Ll > 0", BOUNDED, "H == Ll*Sigma")
POINT: dict[str, Any] = {
    "d": "1", "p_S": ["1"], "a": {"1": "1"}, "gs": {"1": "1"}, "L0": "1", "Ll": "1", "H": [["1"]], "top": "1",
    "u": ["1"],
}  # fmt: skip
ABOUT: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", "gs": "real[S]", "H": "pd(d)"},
    "where": {**{name: language.NOTIONS[name] for name in ("P[w]", "Sigma")}, "Q": "E(w, gs[w]**2*P[w])"},
    "given": GIVEN,
    "example": POINT,
    "scope": "every d, every distribution whose moments exist",
}
SQUARES = {"E": {"v": "S"}, "L": "a[v]", "c": [{"fact": 2, "at": {"w": "v"}}]}
AS_PRINTED = Faithfulness.AS_PRINTED

STATEMENT = statement(
    "lem:sigma0-lower",
    printed(
        "Q << L0**2/Ll*H", part="norm", **ABOUT, faithfulness=AS_PRINTED,
        proof=lambda claim: order(SQUARES, {"eq": 3, "k": "L0**2/Ll"}),
        words="Q ⪯ (L₀²/L_ℓ) H, that is ‖H^(−1/2) Q H^(−1/2)‖ ≤ L₀²/L_ℓ = σ₀²/d.",
    ),
    printed(
        "tr(inv(H) @ Q) <= top*d", part="trace", **{**ABOUT, "given": ("Q << top*H",)}, faithfulness=AS_PRINTED,
        proof=lambda claim: order({"tr": [{"of": 0}, {"psd": "inv(H)"}]}),
        words="The trace is at most d times the norm: Q ⪯ top·H for top = ‖H^(−1/2) Q H^(−1/2)‖.",
    ),
    step(
        "disp:1940", 1, "u.T @ Q @ u == E(w, (gs[w]*(a[w].T @ u))**2)", proof=lambda claim: order(),
        **{**ABOUT, "kinds": {**ABOUT["kinds"], "u": "vector(d)"}, "given": ()}, faithfulness=AS_PRINTED,
        words="The definition of Q, in every direction u.",
    ),
    step(
        "disp:1940", 2, "Q << L0*Sigma", **ABOUT, witness={**POINT, "L0": "2", "gs": {"1": "2"}},
        expect=Verdict.REFUTED, faithfulness=AS_PRINTED,
        words="L₀ is printed for L₀²: where ℓ′ and L₀ are 2, the left side is 4 and the right one 2.",
    ),
    step(
        "disp:1940", "2/repaired", "Q << L0**2*Sigma", **ABOUT, proof=lambda claim: order(SQUARES),
        faithfulness=Faithfulness.TYPO, repairs="lem:sigma0-lower/disp:1940.2", words="With the square it holds.",
    ),
    step(
        "disp:1940", 3, "L0*Sigma == L0/Ll*H", **ABOUT, proof=lambda claim: order({"eq": 3, "k": "-L0/Ll"}),
        words="H = L_ℓ Σ.", faithfulness=AS_PRINTED,
    ),
    summary="True; its proof prints L_0 for L_0^2 twice.",
)  # fmt: skip
