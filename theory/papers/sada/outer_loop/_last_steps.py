"""The last display of the proof of lem:outer-one-step (line 1784) and what the text around it says.

The two facts that are combined are disp:1740 and disp:1774, with all units right; z_k - w_{k-1} is (x_k - y)/theta.
"""

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._facts import added
from theory.papers.sada.outer_loop._at_a_past import BIAS, KINDS, at, mean_square, weight
from theory.papers.sada.outer_loop._descent_steps import THIRD, filled, third
from theory.papers.sada.outer_loop._energy_steps import CONSTANT, ENERGY
from theory.papers.sada.outer_loop._model import H
from theory.provers.tactics import Tactic, auto, chain, order

KEY = "lem:outer-one-step/disp:"
SIZES = ("Ll > 0", "alpha >= 1", "th > 0", "12*alpha*th**2 <= 1", "T > 0", "Leff >= 0")
FINAL = (*SIZES, "24*alpha*Leff*th <= T", "sig2 >= 0")
VALUES = ("Fy >= Fs", "Fx >= Fs", "E(w, F[w]) >= Fs")
EFF = "(1 + 3/2*(Leff/T)*Ll*h)"
DESCENT = f"E(w, F[w]) - Fs <= {filled(THIRD)}"
CONVEXITY = "Fy - Fs <= (1 - th)*(Fx - Fs) + alpha/Ll**2*R2 + th**2/(2*Ll*h)*((1 - th)*Z0 + M2/th**2 - Z1)"
NAMES = {"Z0": "norm2(zp(th) - o, H)", "Z1": "E(w, norm2(zk[w] - o, H))", "K2": "E(w, norm2(move[w], inv(H)))"}
PAST: dict[str, Any] = {"kinds": KINDS, "where": {**ENERGY, **NAMES}, "scope": CONSTANT}
REST = at("Ll=1 alpha=1 th=1/4 T=8 Leff=1 sig2=0 Fy=0 Fx=0 Fs=0 x=0 y=0 o=0 grad=0", r=["0"], v=["0"], F=["0"])
LAST: dict[str, Any] = {**PAST, "given": (*FINAL, *VALUES, DESCENT, CONVEXITY), "example": REST}
# F(x) = x^2/2 (H = 1), alpha = 10^4, theta = 1/1000, h = 1/50, no noise, y = 1, x_{k-1} = 13/10: the energy grows
GROWING = at(
    "Ll=1 alpha=10000 th=1/1000 T=240 Leff=1 sig2=0 Fy=1/2 Fx=169/200 Fs=0 x=13/10 y=1 o=0 grad=1",
    r=["0"], v=["0"], F=["2401/5000"],
)  # fmt: skip
PRINTED_LAST = "(1 - th/2)*(OLD - Fs) + 3/2*h*sig2 + 4*alpha/3*R2 + 2*th**2/(3*Ll*h)*((1 - th)*Z0 - Z1)"


def _last() -> Tactic:
    """disp:1740 plus f times disp:1774; f - 1 <= theta/8."""
    descent = len(FINAL) + len(VALUES)
    eff = EFF.replace("Ll*h", "(2*alpha*th**2)")
    spare = f"(1 - th/2) - {eff}*(1 - th)"
    whole = order(
        {"of": descent},
        {"of": descent + 1, "c": [weight(eff)]},
        {"of": len(FINAL) + 1, "c": [weight(spare)]},
        mean_square("move[s]", weight(f"1/(2*alpha*th**2)*(2/3 - {eff}/2)")),
    )
    facts = ("th/(8*T) >= 0", f"{eff} - 1 <= th/8", f"{eff} >= 0", "1 - th >= 0", f"{spare} >= 0")
    return third(chain(*facts, then=whole))


STEPS = (
    step(
        "disp:1784",
        "cap",
        ["3*Leff*Ll*h <= th/4", "th/4 <= 1/3"],
        given=(*SIZES, "288*alpha*Ll*Leff**2*h <= T**2"),
        where={"h": H},
        example={"Ll": "1", "alpha": "1", "th": "1/4", "T": "24", "Leff": "0"},
        expect=Verdict.REFUTED,
        words="Used in the text; it does not follow when L_eff is the coefficient of disp:1689, which has 1/T in it.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1784",
        "cap/repaired",
        ["3*(Leff/T)*Ll*h <= th/4", "th/4 <= 1/3"],
        given=FINAL,
        where={"h": H},
        example={"Ll": "1", "alpha": "1", "th": "1/4", "T": "8", "Leff": "1", "sig2": "0"},
        proof=lambda claim: [chain("th/(4*T) >= 0", then=added(("1", [6, 8], ""))), third(auto())],
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1784.cap",
        words="With L_eff of line 558, divided by T, it is what the cap on h says: 24 alpha L_eff theta <= T.",
    ),
    step(
        "disp:1784",
        1,
        f"E(w, F[w]) - Fs <= {PRINTED_LAST.replace('OLD', 'E(w, F[w])')} - (1 - 6*Ll*h)/(12*Ll*h)*K2 - h/8*G2",
        **LAST,
        witness=GROWING,
        expect=Verdict.REFUTED,
        words="As printed, with F(x_k) on the right and several units wrong, it fails for F = x^2/2 without noise and"
        " with a"
        " constant theta.",
        faithfulness=Faithfulness.CASE,
    ),
    step(
        "disp:1784",
        "1/bracket",
        f"E(w, F[w]) - Fs <= {PRINTED_LAST.replace('OLD', 'Fx')} - (1 - 6*Ll*h)/(12*Ll*h)*M2 - Ll*h/8*G2",
        **LAST,
        witness=GROWING,
        expect=Verdict.REFUTED,
        words="With F(x_{k-1}) and all units right it still fails: f theta^2/(2 L_l h), f = 1 + 3 L_eff L_l h/(2T), may"
        " not be replaced by 2 theta^2/(3 L_l h) when the bracket is negative.",
        faithfulness=Faithfulness.TYPO,
    ),
    step(
        "disp:1784",
        "1/repaired",
        f"E(w, F[w]) - Fs <= (1 - th/2)*(Fx - Fs) + 3/2*h*sig2 + {EFF}*(alpha/Ll**2*R2"
        " + th**2/(2*Ll*h)*((1 - th)*Z0 - Z1)) - (1 - 6*Ll*h)/(12*Ll*h)*M2 - Ll*h/8*G2",
        **LAST,
        proof=lambda claim: _last(),
        faithfulness=Faithfulness.CONSTANT,
        repairs=f"{KEY}1784.1",
        words="The factor f belongs to the whole bracket: the energy's weight is f/(4 alpha), not 1/(3 alpha).",
    ),
    step(
        "disp:1784",
        "rest",
        "4*alpha/3*(R2/Ll**2) <= Ll*h/8*G2",
        **{**PAST, "given": (*SIZES[:4], BIAS), "example": REST},
        witness={**REST, "grad": ["1"], "r": {"1": "1/8"}},
        expect=Verdict.REFUTED,
        words="Arranging the terms does not complete the proof: 4/3 of L_l h/8 is more than the L_l h/8 that is left.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
