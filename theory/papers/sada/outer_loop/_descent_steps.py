"""The first half of the proof of lem:outer-one-step (lines 1684 to 1745): what one step does to F.

Equations are stated for one coordinate, in which H is the identity (y, g, r, v are then numbers); they add up.
"""

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.kernel import Verdict
from theory.papers.sada.outer_loop._energy import cone
from theory.papers.sada.outer_loop._model import (
    BIAS,
    BIAS_PRINTED,
    CENTRED,
    NOISE,
    NOISE_PRINTED,
    H,
    expected,
    point,
    total,
)
from theory.provers.tactics import Tactic, auto, chain, cite, termwise

KEY = "lem:outer-one-step/disp:"
STEP = "(-Ll*h*g + h*(r[w]+v[w]))"
PAIR = ("Ll > 0", "h > 0")
ONE: dict[str, Any] = {
    "given": (*PAIR, "mean(w, v[w]) == 0"),
    "example": {"Ll": "1", "h": "1/8", "g": "1", "p_w": ["1/2", "1/2"], "r": ["1", "0"], "v": ["1", "-1"]},
    "scope": "each coordinate of a basis in which H is the identity, every distribution of r and v",
}
TWO = {**ONE["example"], "r": ["0", "0"]}
MOVE = "(-Ll*h*g[i] + h*(r[i,w]+v[i,w]))"
MEAN, ONE_SAMPLE = expected(f"{MOVE}**2"), total(f"{MOVE}**2").replace("[i,w]", "[i,n]")
R2, V2, G2, GR = expected("r[i,w]**2"), expected("v[i,w]**2"), total("g[i]**2"), expected("g[i]*r[i,w]")
FIRST = f"Fy - (3-2*Ll*h)/(4*Ll*h)*MOVE + 3*h/(2*Ll)*({R2} + {V2}) - h/2*{GR} - Ll*h/4*{G2}"
THIRD = f"(1+3*LEFF*Ll*h/2)*(Fy-Fs) + 3*h*sig2/2 - (3-2*Ll*h)/(4*Ll*h)*MOVE - Ll*h/8*{G2}"
DESCENT = f"Fn <= Fy + {expected(f'g[i]*{MOVE} + {MOVE}**2/2')}"
SPREAD = {"p_w": ["1/10", "9/10"], "r": [["0", "0"]], "v": [["-9", "1"]], "g": ["1"], "d": "1"}
POINT: dict[str, Any] = {"Ll": "1", "h": "1/8", "Fy": "1/2", **SPREAD}
VECTOR: dict[str, Any] = {"naturals": "d", "scope": "every dimension, every F, every distribution of r and v"}
CHOSEN = ("Ll > 0", "alpha >= 1", "th > 0", "12*alpha*th**2 <= 1", "T > 0", "Leff >= 0", "sig2 >= 0", "Fy >= Fs")
CHOSEN_POINT = {**point("Ll=1 alpha=1 th=1/4 T=1 Leff=0 sig2=9 Fy=1/2 Fs=0"), **SPREAD}
TERMS = "3*h/(2*Ll)*(R2 + V2) - h/2*GR - Ll*h/4*G2".replace("R2", R2).replace("V2", V2).replace("GR", GR)
BOUND = "- Ll*h/8*G2 + 3*h*sig2/2 + 3*LEFF*Ll*h*(Fy-Fs)/2".replace("G2", G2)
WHOLE = (*CHOSEN, CENTRED, DESCENT, BIAS, NOISE)
BIAS_LARGE = {**CHOSEN_POINT, "Ll": "1/10", "sig2": "0", "p_w": ["1"], "r": [["-1/8"]], "v": [["0"]]}


def filled(text: str, move: str = MEAN, leff: str = "(Leff/T)") -> str:
    return text.replace("MOVE", move).replace("LEFF", leff).replace("G2", G2)


def _young(square: str, then: Tactic) -> Tactic:
    """At coordinate i: the mean of a square, then the combination (its mean is the fact after the range of i)."""
    by_sample = termwise("mean", index="w1", each=cone(([], square.replace("[i,w]", "[i,w1]"))))
    return termwise("sum", index="i", each=chain((f"mean(w, ({square})**2) >= 0", by_sample), then=then))


def _descent_proof() -> Tactic:
    """2|r|^2 + 2|v|^2 - |r + v|^2 = |r - v|^2, with weight 3h/(4 L_l)."""
    match = {
        **cone(multiplier=(0,), modulo=(2, "Ll*h/2*g_i")),
        "terms": [{"c": "3/4", "of": [6, 1]}],
    }
    left = f"{expected(f'g[i]*{MOVE} + {MOVE}**2/2')} <= {filled(FIRST)} - Fy"
    return chain((left, _young("r[i,w]-v[i,w]", match)), then=cone(([3], ""), ([4], "")))


def _absorb() -> Tactic:
    """-<g, r> <= (L th/4)|g|^2 + |r|^2/(L th), then 3 th^2 + 2 th <= 1 because th <= 1/3."""
    root = {"kind": "cone", "terms": [{"c": "1/12", "of": [3]}, {"c": "1", "of": [1], "sq": "th"}]}
    third = {"kind": "cone", "terms": [{"c": "1", "of": [11]}, {"c": "1/36"}], "multiplier": [12]}
    s = "2*alpha*th**2"
    return chain(
        ("th**2 <= 1/12", root),
        ("th + 1/3 > 0", auto()),
        ("th <= 1/3", third),
        (f"{expected('(Ll*th*g[i] + 2*r[i,w])**2')} >= 0", termwise("sum", index="i", each=_mean_square())),
        (f"{s}/(8*th*Ll**2) >= 0", auto()),
        (f"3*{s}/(2*Ll**2) + {s}/(2*th*Ll**2) >= 0", auto()),
        (f"3*{s}/(2*Ll**2) >= 0", auto()),
        (f"{s}*(1/8 - 3*th**2/8 - th/4) >= 0", auto()),
        (f"{G2} >= 0", termwise("sum", index="i", each=cone(([], "g_i")))),
        then=cone(([14, 15], ""), ([16, 9], ""), ([17, 10], ""), ([18, 19], "")),
    )


def _mean_square(sign: str = "+") -> Tactic:
    return termwise("mean", index="w1", each=cone(([], f"Ll*th*g_i {sign} 2*r[i,w1]")))


def _inner_product(sign: str) -> Tactic:
    """4 L th <g, r> <= L^2 th^2 |g|^2 + 4 |r|^2 <= 2 L^2 th^2 |g|^2, and th <= 1/3."""
    root = {"kind": "cone", "terms": [{"c": "1/12", "of": [3]}, {"c": "1", "of": [1], "sq": "th"}]}
    third = {"kind": "cone", "terms": [{"c": "1", "of": [10]}, {"c": "1/36"}], "multiplier": [11]}
    square = termwise("sum", index="i", each=_mean_square(sign))
    return chain(
        ("th**2 <= 1/12", root),
        ("th + 1/3 > 0", auto()),
        ("th <= 1/3", third),
        (f"{expected(f'(Ll*th*g[i] {sign} 2*r[i,w])**2')} >= 0", square),
        ("1/(4*Ll*th) >= 0", auto()),
        ("1/(Ll*th) >= 0", auto()),
        ("Ll/4 - Ll*th/2 >= 0", auto()),
        (f"{G2} >= 0", termwise("sum", index="i", each=cone(([], "g_i")))),
        then=cone(([13, 14], ""), ([9, 15], ""), ([16, 17], "")),
    )


STEPS = (
    step(
        "disp:1684",
        1,
        "x + beta*(x-p) == (x + th*(x + (1-th)/th*(x-p)))/(1+th)",
        given=("th > 0",),
        where={"beta": "(1-th)/(1+th)"},
        example={"th": "1/4", "x": "1", "p": "0"},
        words="With beta_k (beta is printed) the extrapolation is y = (x + theta z)/(1 + theta), as in the inner loop.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1684",
        2,
        "y - h*G/sg == y - Ll*h*G/(Ll*sg)",
        given=("Ll > 0", "sg > 0"),
        example={"Ll": "2", "sg": "1", "y": "1", "h": "1", "G": "1"},
        scope="each coordinate in the eigenbasis of Sigma; H = L_l Sigma",
        words="The minimiser y - h Sigma^{-1} grad F of disp:586 is y - L_l h H^{-1} grad F.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1715",
        1,
        "mean(w, new[w]) <= mean(w, l[w]) + mean(w, s[w]*t[w]) + 1/2*(Ll*mean(w, t[w]**2))",
        given=("forall(w, Omega, Omega, new[w] <= l[w] + s[w]*t[w] + Ll/2*t[w]**2)",),
        example={"p_w": ["1"], "new": ["1"], "l": ["0"], "s": ["0"], "t": ["1"], "Ll": "2"},
        scope="every distribution, every loss with l'' <= L_l; t = a.(x - y), l = l(a.y, b), s = l'(a.y, b)",
        words="Smoothness of the loss, averaged: |x - y|_H^2 is L_l E(a.(x - y))^2.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1719",
        1,
        f"mean(w, g*{STEP}) == -1/(Ll*h)*mean(w, {STEP}*{STEP}) + 1/Ll*mean(w, (r[w]+v[w])*{STEP})",
        words="The gradient is expressed by the step.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1719",
        2,
        f"-1/(Ll*h)*mean(w, {STEP}*{STEP}) + 1/Ll*mean(w, (r[w]+v[w])*{STEP})"
        f" == -1/(Ll*h)*mean(w, {STEP}**2) - h*mean(w, g*r[w]) + h/Ll*mean(w, (r[w]+v[w])**2)",
        proof={"kind": "identity", "modulo": [[2, "-h*g"]]},
        words="Once more, with E v = 0.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1727",
        1,
        f"mean(w, g*{STEP}) == -Ll*h*g**2 + h*g*r[n]",
        **{**ONE, "given": (*ONE["given"], "n >= 1", "n <= 2"), "naturals": "n", "example": {**TWO, "n": "1"}},
        witness={**TWO, "r": ["1", "0"], "n": "1"},
        expect=Verdict.REFUTED,
        words="E is missing: the right side is random as printed.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1727",
        "1/repaired",
        f"mean(w, g*{STEP}) == -Ll*h*g**2 + h*mean(w, g*r[w])",
        proof={"kind": "identity", "modulo": [[2, "h*g"]]},
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1727.1",
        words="With E in front of <grad F, r_k> it holds.",
        **ONE,
    ),
    step(
        "disp:1731",
        1,
        f"Fn <= {filled(FIRST, ONE_SAMPLE)}",
        given=(*PAIR, CENTRED, DESCENT, "n >= 1", "n <= 2"),
        **{**VECTOR, "naturals": ("d", "n")},
        example={**POINT, "Fn": "-100", "n": "1"},
        witness={**POINT, "Fn": "29/64", "n": "1"},
        expect=Verdict.REFUTED,
        words="E is missing before |x_k - y|^2: for F = |x|^2/2 and a noise of -9 (probability 1/10) or 1 it fails.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1731",
        "1/repaired",
        f"Fn <= {filled(FIRST)}",
        given=(*PAIR, CENTRED, DESCENT),
        example={**POINT, "Fn": "29/64"},
        proof=_descent_proof(),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1731.1",
        words="With E it is 3/4 of the first formula plus 1/4 of the second, and |r + v|^2 <= 2|r|^2 + 2|v|^2.",
        **VECTOR,
    ),
    step(
        "disp:1731",
        2,
        f"{filled(TERMS)} <= {filled(BOUND, leff='Leff')}",
        given=(*CHOSEN, CENTRED, BIAS_PRINTED, NOISE_PRINTED),
        where={"h": H},
        example=CHOSEN_POINT,
        witness=BIAS_LARGE,
        expect=Verdict.REFUTED,
        words="(a) fails for L_l = 1/10, because the bound on r lacks L_l^2.",
        **VECTOR,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1731",
        "2/repaired",
        f"{filled(TERMS)} <= {filled(BOUND)}",
        given=(*CHOSEN, CENTRED, BIAS, NOISE),
        where={"h": H},
        example=CHOSEN_POINT,
        proof=_absorb(),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1731.2",
        words="(a) holds with L_l^2 in the bound on r and L_eff/T in that on v: 3 theta^2 + 2 theta <= 1 pays for both"
        " terms in r, of which the paper forgets (3h/(2 L_l)) E|r|^2.",
        **VECTOR,
    ),
    step(
        "disp:1731",
        "reason",
        [f"{GR} <= Ll/4*{G2}", f"-{GR} <= Ll/4*{G2}"],
        given=(*CHOSEN, CENTRED, BIAS),
        where={"h": H},
        example=CHOSEN_POINT,
        proof=[_inner_product("-"), _inner_product("+")],
        words="The text after (a) bounds E<grad F, r> from above where -E<grad F, r> is needed; both bounds hold.",
        **VECTOR,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1740",
        1,
        f"Fn - Fs <= {filled(THIRD, ONE_SAMPLE)}",
        given=(*WHOLE, "n >= 1", "n <= 2"),
        where={"h": H},
        **{**VECTOR, "naturals": ("d", "n")},
        example={**CHOSEN_POINT, "Fn": "-100", "n": "1"},
        witness={**CHOSEN_POINT, "Fn": "29/64", "n": "1"},
        expect=Verdict.REFUTED,
        words="E is missing before |x_k - y|^2 here, too: the instance of disp:1731.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1740",
        "1/repaired",
        f"Fn - Fs <= {filled(THIRD)}",
        given=WHOLE,
        where={"h": H},
        example={**CHOSEN_POINT, "Fn": "29/64"},
        proof=cite(
            f"{KEY}1731.1/repaired",
            {"h": H},
            then=cite(f"{KEY}1731.2/repaired", then=cone(([len(WHOLE)], ""), ([len(WHOLE) + 1], ""))),
        ),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{KEY}1740.1",
        words="With E, with L_l^2 in the bound on r and L_eff/T in that on v it holds.",
        **VECTOR,
    ),
)
