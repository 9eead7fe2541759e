"""What the outer loop takes over from the inner loop (lines 1689 to 1704): bounds on r and v, conditions on h."""

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._variance_bound import WHOLE as VARIANCE
from theory.papers.sada.inner_loop._variance_bound import V
from theory.papers.sada.language import OPTIMAL
from theory.papers.sada.outer_loop._model import H, cone, point
from theory.provers.tactics import auto, chain, cite, order

KEY = "lem:outer-one-step/disp:"
SCALED = ("Ll > 0", "h > 0", "alpha >= 1", "c > 0", "R2 >= 0")
SCALED_POINT = point("Ll=1 h=1 alpha=1 c=1 R2=1/8 G2=1")
BRACKET = "(6*L + kt*(7+16*eta*B))"
QUANTITIES = ("Ll > 0", "T > 0", "eta > 0", "kt >= 1", "L > 0", "B > 0", "trHQ >= 0", "trQ >= 0", "Fy >= Fs")
POINT = point("Ll=1 T=1 eta=1/16 kt=1 L=1 B=1 trHQ=1 trQ=1 Fs=0 Fy=1")
TWICE = {**POINT, "T": "2", "Fy": "2"}
SIGMA = "320*(3*Ll*trHQ + 8*eta*kt*trQ)/T"
NOISE = f"320*Ll*(3*Ll*trHQ + 8*eta*kt*trQ)/T + 160*Ll**2*{BRACKET}*(Fy-Fs)/T"
QUANTITY: dict[str, Any] = {"given": QUANTITIES, "example": POINT}
PHASE = ("Ll > 0", "alpha >= 1", "th > 0", "12*alpha*th**2 <= 1", "T > 0", "Leff > 0")
PHASE_POINT = point("Ll=1 alpha=1 th=1/4 T=24 Leff=1")

STEPS = (
    step(
        "disp:1689",
        1,
        "c**3*R2 <= Ll*h/(8*alpha)*(c*G2)",
        given=(*SCALED, "R2 <= Ll*h/(8*alpha)*G2"),
        example=SCALED_POINT,
        expect=Verdict.REFUTED,
        scope="loss times c: L_l, H times c, h divided by c; |r|_H^2 times c^3 and |grad F|_{H^-1}^2 times c",
        words="The bound on r lacks L_l^2 here and in disp:592: it does not survive scaling the loss.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1689",
        "1/repaired",
        "c**3*R2 <= (c*Ll)**2*(Ll*h/(8*alpha))*(c*G2)",
        given=(*SCALED, "R2 <= Ll**2*(Ll*h/(8*alpha))*G2"),
        example=SCALED_POINT,
        proof=cone(([5, 3], "c")),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1689.1",
        scope="loss times c: L_l, H times c, h divided by c; |r|_H^2 times c^3 and |grad F|_{H^-1}^2 times c",
        words="With L_l^2 on the right it does; so the proof of the lemma uses it (line 1773).",
    ),
    step(
        "disp:1689",
        2,
        f"E(h, {V}) == 0",
        **{**VARIANCE, "given": (OPTIMAL, "n >= 1"), "naturals": "n"},
        proof=lambda claim: cite("lem:v-bound#mean of v", then=order({"eq": "mean"}), called="mean"),
        words="E v = 0 as in disp:592, for the v of the inner loop.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1689",
        3,
        f"{NOISE} == Ll*({SIGMA}) + Leff*Ll**2*(Fy-Fs)",
        **QUANTITY,
        where={"Leff": f"160*{BRACKET}*(Fy-Fs)/T"},
        witness=TWICE,
        expect=Verdict.REFUTED,
        words="With L_eff as disp:1696 prints it, F(y) - F(x*) stands there twice.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1689",
        "3/repaired",
        f"{NOISE} == Ll*({SIGMA}) + Ll**2*(Leff/T)*(Fy-Fs)",
        **QUANTITY,
        where={"Leff": f"160*{BRACKET}"},
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1689.3",
        words="With L_eff of line 558 the coefficient is L_eff/T; the lemma is meant for this L_eff.",
    ),
    step(
        "disp:1696",
        1,
        f"{SIGMA} == (960*Ll*trHQ + 2560*eta*kt*trQ)/T",
        words="sigma^2 is the one of disp:1871.",
        **QUANTITY,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1696",
        2,
        f"Leff == 160*{BRACKET}*(Fy-Fs)/T",
        **QUANTITY,
        where={"Leff": f"160*{BRACKET}"},
        witness=TWICE | {"Fy": "1"},
        expect=Verdict.REFUTED,
        words="The second equation, with L_eff as line 558 defines it, for which the cap on theta is chosen: (F -"
        " F*)/T is"
        " too much.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1702",
        1,
        "288*alpha*Ll*Leff**2*h <= T**2",
        given=(*PHASE, "288*alpha**2*Leff**2*th**2 <= T**2"),
        where={"h": H},
        example=PHASE_POINT,
        expect=Verdict.REFUTED,
        words="theta_max of line 559 violates the condition on h_k: T/(12 sqrt(2) alpha L_eff) allows twice the step.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1702",
        "1/repaired",
        "288*alpha*Ll*Leff**2*h <= T**2",
        given=(*PHASE, "24*alpha*Leff*th <= T"),
        where={"h": H},
        example=PHASE_POINT,
        proof=chain(
            ("T + 24*alpha*Leff*th > 0", auto()),
            then=cone(([6, 7], "")),
        ),
        faithfulness=Faithfulness.CONSTANT,
        repairs=f"{KEY}1702.1",
        words="theta_k <= T/(24 alpha L_eff) is what it says (the sharper readings live with line 559 as it is).",
    ),
    step(
        "disp:1702",
        2,
        "6*Ll*h <= 1",
        given=PHASE,
        where={"h": H},
        example=PHASE_POINT,
        words="theta_k <= sqrt(1/(12 alpha)) is h_k <= 1/(6 L_l).",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
