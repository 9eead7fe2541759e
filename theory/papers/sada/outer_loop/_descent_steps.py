"""The first half of the proof of lem:outer-one-step (lines 1684 to 1745): what one step does to F, in vectors."""

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.kernel import Verdict
from theory.papers.sada.outer_loop._at_a_past import (
    BIAS,
    BIAS_PRINTED,
    CENTRED,
    CHOICE,
    CHOSEN,
    EVERY,
    KINDS,
    NOISE,
    NOISE_PRINTED,
    SMOOTH,
    STEP,
    at,
    mean_square,
    weight,
)
from theory.provers.tactics import Tactic, chain, cite, order

KEY = "lem:outer-one-step/disp:"
PAIR = ("Ll > 0", "h > 0")
STEPPED = (*PAIR, CENTRED)
SPREAD: dict[str, Any] = {"probabilities": ["1/10", "9/10"], "r": ["0", "0"], "v": ["-9", "1"]}
POINT = at("Ll=1 h=1/8 Fy=1/2 x=1 y=1 o=0 grad=1", **SPREAD, F=["1/32", "1/2"])
ONE: dict[str, Any] = {"kinds": KINDS, "where": STEP, "given": STEPPED, "example": POINT, "scope": EVERY}
AT_N: dict[str, Any] = {"kinds": {**KINDS, "n": "sample(S)"}}
FIRST = "Fy - (3 - 2*Ll*h)/(4*Ll*h)*MOVE + 3*h/(2*Ll)*(R2 + V2) - h/2*GR - Ll*h/4*G2"
THIRD = "(1 + 3*LEFF*Ll*h/2)*(Fy - Fs) + 3*h*sig2/2 - (3 - 2*Ll*h)/(4*Ll*h)*MOVE - Ll*h/8*G2"
TERMS = "3*h/(2*Ll)*(R2 + V2) - h/2*GR - Ll*h/4*G2"
BOUND = "-Ll*h/8*G2 + 3*h*sig2/2 + 3*LEFF*Ll*h*(Fy - Fs)/2"
INNER = "-1/(Ll*h)*E(w, (H @ move[w]).T @ move[w]) + 1/Ll*E(w, (H @ (r[w] + v[w])).T @ move[w])"
LATE: dict[str, Any] = {
    "kinds": KINDS,
    "where": {**CHOICE, **STEP},
    "example": at("Ll=1 alpha=1 th=1/4 T=1 Leff=0 sig2=9 Fy=1/2 Fs=0 x=1 y=1 o=0 grad=1", **SPREAD, F=["1/32", "1/2"]),
    "scope": EVERY,
}
BIASED = at("Ll=1/10 alpha=1 th=1/4 T=1 Leff=0 sig2=0 Fy=1/2 Fs=0 x=1 y=1 o=0 grad=1", r=["-1/8"], v=["0"], F=["0"])
WHOLE = (*CHOSEN, CENTRED, SMOOTH, BIAS, NOISE)
SAMPLE: dict[str, Any] = {
    "kinds": {"a": "vector(d)[B]", "l": "real[B]", "s": "real[B]", "new": "real[B]", "y": "vector(d)", "u": "vector(d)",
              "H": "pd(d)"},
    "where": {"grad": "E(b, s[b]*a[b])"},
    "scope": "every d, every distribution whose moments exist, any two points; u is x_k, (a, b) a sample of F,"
    " l, new the loss at y and u, s its derivative at y",
}  # fmt: skip
COVARIANCE = "H == Ll*E(b, a[b] @ a[b].T)"


def filled(text: str, move: str = "M2", leff: str = "(Leff/T)") -> str:
    return text.replace("MOVE", move).replace("LEFF", leff)


def averaged(position: int, equation: int, factor: str) -> Tactic:
    """A quadratic bound of the loss at each sample, in the mean; the equation puts H for L_l E a a^T."""
    apart = "(u - y)"
    return order(
        {"of": position, "at": {"b": "c"}, "E": {"c": "B"}},
        {"eq": equation, "L": f"{apart}.T", "R": apart, "k": factor},
    )


def _descent() -> Tactic:
    """2|r|^2 + 2|v|^2 - |r + v|^2 = |r - v|^2, with weight 3h/(4 L_l)."""
    return order(
        {"of": 3, "at": {"w": "s"}, "E": {"s": "S"}},
        mean_square("r[s] - v[s]", weight("3*h/(4*Ll)")),
        {"eq": 2, "L": "grad.T", "k": "h/2"},
    )


def third(then: Tactic) -> Tactic:
    """theta <= 1/3."""
    return chain("12*th**2 <= 1", "th + 1/3 > 0", "th <= 1/3", then=then)


def _absorb() -> Tactic:
    """-<g, r> <= (L th/4)|g|^2 + |r|^2/(L th), then 3 th^2 + 2 th <= 1 because th <= 1/3."""
    bias, noise = len(CHOSEN) + 1, len(CHOSEN) + 2
    h = CHOICE["h"]
    return order(
        {"of": noise, "c": [weight(f"3*({h})/(2*Ll)")]},
        mean_square("Ll*th*(inv(H) @ grad) + 2*r[s]", weight(f"({h})/(8*Ll*th)")),
        {"of": bias, "c": [weight(f"3*({h})/(2*Ll) + ({h})/(2*Ll*th)")]},
        {"psd": "inv(H)", "L": "grad.T", "c": [weight(f"Ll*({h})*(1/8 - 3*th**2/8 - th/4)")]},
    )


def _inner_product(sign: str) -> Tactic:
    """4 L th <g, r> <= L^2 th^2 |g|^2 + 4 |r|^2 <= 2 L^2 th^2 |g|^2, and th <= 1/3."""
    return order(
        mean_square(f"Ll*th*(inv(H) @ grad) {sign} 2*r[s]", weight("1/(4*Ll*th)")),
        {"of": len(CHOSEN) + 1, "c": [weight("1/(Ll*th)")]},
        {"psd": "inv(H)", "L": "grad.T", "c": [weight("Ll/4 - Ll*th/2")]},
    )


STEPS = (
    step(
        "disp:1684",
        1,
        "x + beta*(x - p) == 1/(1 + th)*(x + th*(x + (1 - th)/th*(x - p)))",
        given=("th > 0",),
        kinds={"x": "vector(d)", "p": "vector(d)"},
        where={"beta": "(1 - th)/(1 + th)"},
        example={"th": "1/4", "x": ["1"], "p": ["0"], "d": "1"},
        scope="every d",
        proof=lambda claim: order(),
        words="With β_k (β is printed) the extrapolation is y = (x + θz)/(1 + θ), as in the inner loop.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1684",
        2,
        "y - h*(inv(Sigma) @ grad) == y - Ll*h*(inv(H) @ grad)",
        given=("Ll > 0", "H == Ll*Sigma"),
        kinds={"y": "vector(d)", "grad": "vector(d)", "H": "pd(d)", "Sigma": "pd(d)"},
        example={"Ll": "2", "H": [["2"]], "Sigma": [["1"]], "y": ["1"], "h": "1", "grad": ["1"], "d": "1"},
        scope="every d; H = L_l Sigma",
        proof=lambda claim: order({"eq": 1, "L": "h*inv(H)", "R": "inv(Sigma) @ grad", "k": "-1"}),
        words="The minimiser y − hΣ⁻¹∇F of disp:586 is y − L_ℓ h H⁻¹∇F.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1715",
        1,
        "E(b, new[b]) <= E(b, l[b]) + grad.T @ (u - y) + 1/2*norm2(u - y, H)",
        given=("forall(b, sample(B), new[b] <= l[b] + s[b]*(a[b].T @ (u - y)) + Ll/2*(a[b].T @ (u - y))**2)",
               COVARIANCE),
        example={"p_B": ["1"], "new": {"1": "1"}, "l": {"1": "0"}, "s": {"1": "0"}, "a": {"1": "1"}, "Ll": "2",
                 "H": [["2"]], "u": ["1"], "y": ["0"], "d": "1"},
        proof=lambda claim: averaged(0, 1, "1/2"),
        words="Smoothness of the loss at each sample, averaged: F is E ℓ, ∇F is E ℓ′a and H is L_ℓ E aaᵀ.",
        faithfulness=Faithfulness.AS_PRINTED,
        **SAMPLE,
    ),
    step(
        "disp:1719",
        1,
        f"E(w, grad.T @ move[w]) == {INNER}",
        proof=lambda claim: order(),
        words="The gradient is expressed by the step.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1719",
        2,
        f"{INNER} == -1/(Ll*h)*M2 - h*GR + h/Ll*E(w, norm2(r[w] + v[w], H))",
        proof=lambda claim: order({"eq": 2, "L": "h*grad.T", "k": "-1"}),
        words="Once more, with E v = 0.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1727",
        1,
        "E(w, grad.T @ move[w]) == -Ll*h*G2 + h*(grad.T @ r[n])",
        **{**ONE, **AT_N, "example": {**POINT, "n": "1"}},
        witness={**POINT, "r": {"1": "1", "2": "0"}, "n": "1"},
        expect=Verdict.REFUTED,
        words="E is missing: the right side is random as printed.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1727",
        "1/repaired",
        "E(w, grad.T @ move[w]) == -Ll*h*G2 + h*GR",
        proof=lambda claim: order({"eq": 2, "L": "h*grad.T"}),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1727.1",
        words="With E in front of ⟨∇F, r_k⟩ it holds.",
        **ONE,
    ),
    step(
        "disp:1731",
        1,
        f"E(w, F[w]) <= {filled(FIRST, 'norm2(move[n], H)')}",
        **{**ONE, **AT_N, "given": (*STEPPED, SMOOTH), "example": {**POINT, "n": "1"}},
        witness={**POINT, "n": "1"},
        expect=Verdict.REFUTED,
        words="E is missing before ‖x_k − y‖²: for F = ‖x‖²/2 and a noise of −9 (probability 1/10) or 1 it fails.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1731",
        "1/repaired",
        f"E(w, F[w]) <= {filled(FIRST)}",
        **{**ONE, "given": (*STEPPED, SMOOTH), "example": POINT},
        proof=lambda claim: _descent(),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1731.1",
        words="With E it is 3/4 of the first formula plus 1/4 of the second, and ‖r + v‖² ≤ 2‖r‖² + 2‖v‖².",
    ),
    step(
        "disp:1731",
        2,
        f"{TERMS} <= {filled(BOUND, leff='Leff')}",
        **{**LATE, "given": (*CHOSEN, CENTRED, BIAS_PRINTED, NOISE_PRINTED)},
        witness=BIASED,
        expect=Verdict.REFUTED,
        words="(a) fails for L_ℓ = 1/10, because the bound on r lacks L_ℓ².",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1731",
        "2/repaired",
        f"{TERMS} <= {filled(BOUND)}",
        **{**LATE, "given": (*CHOSEN, CENTRED, BIAS, NOISE)},
        proof=lambda claim: third(_absorb()),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1731.2",
        words="(a) holds with L_ℓ² in the bound on r and L_eff/T in that on v: 3θ² + 2θ ≤ 1 pays for both terms in r,"
        " of which the paper forgets (3h/(2L_ℓ)) E‖r‖².",
    ),
    step(
        "disp:1731",
        "reason",
        ["GR <= Ll/4*G2", "-GR <= Ll/4*G2"],
        **{**LATE, "given": (*CHOSEN, CENTRED, BIAS)},
        proof=lambda claim: [third(_inner_product(sign)) for sign in "-+"],
        words="The text after (a) bounds E⟨∇F, r⟩ from above where −E⟨∇F, r⟩ is needed; both bounds hold.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1740",
        1,
        f"E(w, F[w]) - Fs <= {filled(THIRD, 'norm2(move[n], H)')}",
        **{**LATE, **AT_N, "given": WHOLE, "example": {**LATE["example"], "n": "1"}},
        witness={**LATE["example"], "n": "1"},
        expect=Verdict.REFUTED,
        words="E is missing before ‖x_k − y‖² here, too: the instance of disp:1731.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1740",
        "1/repaired",
        f"E(w, F[w]) - Fs <= {filled(THIRD)}",
        **{**LATE, "given": WHOLE, "example": LATE["example"]},
        proof=lambda claim: cite(
            f"{KEY}1731.1/repaired",
            {"h": CHOICE["h"]},
            called="descent",
            then=cite(f"{KEY}1731.2/repaired", called="absorbed", then=order({"of": "descent"}, {"of": "absorbed"})),
        ),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1740.1",
        words="With E, with L_ℓ² in the bound on r and L_eff/T in that on v it holds.",
    ),
)  # fmt: skip
