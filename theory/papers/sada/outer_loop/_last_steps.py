"""The last display of the proof of lem:outer-one-step (line 1784) and what the text around it says.

R2 = E|r|_H^2, G2 = |grad F(y)|_{H^-1}^2, M2 = E|x_k - y|_H^2 (K2 in the H^{-1}-norm), Z0 = |z_{k-1} - x*|_H^2,
Z1 = E|z_k - x*|_H^2; the two facts that are combined are disp:1740 and disp:1774, with all units right.
"""

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.kernel import Verdict
from theory.papers.sada.outer_loop._energy import cone
from theory.papers.sada.outer_loop._model import H, point
from theory.provers.tactics import Tactic, auto, chain

KEY = "lem:outer-one-step/disp:"
SIZES = ("Ll > 0", "alpha >= 1", "th > 0", "12*alpha*th**2 <= 1", "T > 0", "Leff >= 0")
FINAL = (*SIZES, "24*alpha*Leff*th <= T", "sig2 >= 0")
NONNEGATIVE = ("R2 >= 0", "G2 >= 0", "M2 >= 0", "Z0 >= 0", "Z1 >= 0", "Fy >= Fs", "Fx >= Fs", "Fn >= Fs", "K2 >= 0")
EFF = "(1+3/2*(Leff/T)*Ll*h)"
DESCENT = f"Fn - Fs <= {EFF}*(Fy-Fs) + 3/2*h*sig2 - (3-2*Ll*h)/(4*Ll*h)*M2 - Ll*h/8*G2"
CONVEXITY = "Fy - Fs <= (1-th)*(Fx-Fs) + alpha/Ll**2*R2 + th**2/(2*Ll*h)*((1-th)*Z0 + M2/th**2 - Z1)"
LAST: dict[str, Any] = {"given": (*FINAL, *NONNEGATIVE, DESCENT, CONVEXITY), "where": {"h": H}}
LAST_POINT = point("Ll=1 alpha=1 th=1/4 T=8 Leff=1 sig2=0 R2=0 G2=0 M2=0 K2=0 Z0=0 Z1=0 Fy=0 Fx=0 Fs=0 Fn=0")
# F(x) = x^2/2 (H = 1), alpha = 10^4, theta = 1/1000, h = 1/50, no noise, y = 1, x_{k-1} = 13/10: the energy grows
GROWING = point(
    "Ll=1 alpha=10000 th=1/1000 T=240 Leff=1 sig2=0 R2=0 G2=1 M2=1/2500 K2=1/2500 Z0=89401 Z1=10156969/100"
    " Fy=1/2 Fx=169/200 Fs=0 Fn=2401/5000"
)
PRINTED_LAST = "(1-th/2)*(OLD-Fs) + 3/2*h*sig2 + 4*alpha/3*R2 + 2*th**2/(3*Ll*h)*((1-th)*Z0 - Z1)"
SQUARE: Tactic = {"kind": "cone", "terms": [{"c": "1/12", "of": [3]}, {"c": "1", "of": [1], "sq": "th"}]}
THIRD_ROOT: Tactic = {"kind": "cone", "terms": [{"c": "1", "of": [8]}, {"c": "1/36"}], "multiplier": [9]}


def _last() -> Tactic:
    """disp:1740 plus f times disp:1774; f - 1 <= theta/8."""
    first, s = len(LAST["given"]), "(2*alpha*th**2)"
    eff = f"(1+3/2*(Leff/T)*{s})"
    return chain(
        ("th/(8*T) >= 0", auto()),
        (f"{eff} - 1 <= th/8", cone(([6, first], ""))),
        ("th**2 <= 1/12", SQUARE),
        ("th + 1/3 > 0", auto()),
        (
            "th <= 1/3",
            {**THIRD_ROOT, "terms": [{"c": "1", "of": [first + 2]}, {"c": "1/36"}], "multiplier": [first + 3]},
        ),
        (f"{eff} >= 0", auto()),
        ("1-th >= 0", auto()),
        (
            f"(1-th/2) - {eff}*(1-th) >= 0",
            {
                "kind": "cone",
                "terms": [
                    {"c": "1", "of": [first + 1, first + 6]},
                    {"c": "3/8", "of": [2]},
                    {"c": "1/8", "sq": "th"},
                ],
            },
        ),
        (f"1/{s} >= 0", auto()),
        (f"2/3 - {eff}/2 >= 0", auto()),
        then=cone(
            *(([first - 2], ""), ([first + 5, first - 1], ""), ([first + 7, 14], ""), ([first + 8, first + 9, 10], ""))
        ),
    )


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
        proof=[
            chain(("th/(4*T) >= 0", auto()), then=cone(([6, 8], ""))),
            chain(("th**2 <= 1/12", SQUARE), ("th + 1/3 > 0", auto()), ("th <= 1/3", THIRD_ROOT), then=auto()),
        ],
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1784.cap",
        words="With L_eff of line 558, divided by T, it is what the cap on h says: 24 alpha L_eff theta <= T.",
    ),
    step(
        "disp:1784",
        1,
        f"Fn - Fs <= {PRINTED_LAST.replace('OLD', 'Fn')} - (1-6*Ll*h)/(12*Ll*h)*K2 - h/8*G2",
        **{**LAST, "example": LAST_POINT},
        witness=GROWING,
        expect=Verdict.REFUTED,
        scope="K2 is E|x_k - y|^2 in the H^{-1}-norm, as printed",
        words="As printed, with F(x_k) on the right and several units wrong, it fails for F = x^2/2 without noise.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1784",
        "1/bracket",
        f"Fn - Fs <= {PRINTED_LAST.replace('OLD', 'Fx')} - (1-6*Ll*h)/(12*Ll*h)*M2 - Ll*h/8*G2",
        **{**LAST, "example": LAST_POINT},
        witness=GROWING,
        expect=Verdict.REFUTED,
        words="With F(x_{k-1}) and all units right it still fails: f theta^2/(2 L_l h), f = 1 + 3 L_eff L_l h/(2T), may"
        " not be replaced by 2 theta^2/(3 L_l h) when the bracket is negative.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1784",
        "1/repaired",
        f"Fn - Fs <= (1-th/2)*(Fx-Fs) + 3/2*h*sig2 + {EFF}*(alpha/Ll**2*R2 + th**2/(2*Ll*h)*((1-th)*Z0 - Z1))"
        " - (1-6*Ll*h)/(12*Ll*h)*M2 - Ll*h/8*G2",
        **{**LAST, "example": LAST_POINT},
        proof=_last(),
        faithfulness=Faithfulness.CONSTANT,
        repairs=f"{KEY}1784.1",
        words="The factor f belongs to the whole bracket: the energy's weight is f/(4 alpha), not 1/(3 alpha).",
    ),
    step(
        "disp:1784",
        "rest",
        "4*alpha/3*R2/Ll**2 <= Ll*h/8*G2",
        given=(
            "Ll > 0",
            "alpha >= 1",
            "th > 0",
            "12*alpha*th**2 <= 1",
            "G2 >= 0",
            "R2 >= 0",
            "R2 <= Ll**2*(Ll*h/(8*alpha))*G2",
        ),
        where={"h": H},
        example={"Ll": "1", "alpha": "1", "th": "1/4", "G2": "1", "R2": "0"},
        expect=Verdict.REFUTED,
        words="Arranging the terms does not complete the proof: 4/3 of L_l h/8 is more than the L_l h/8 that is left.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
