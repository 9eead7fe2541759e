r"""lem:inner-loop, with H = L_l Sigma and gap = F(y) - F(x*):

    E|r|_H^2 <= L_l h_k/(8 alpha) |grad F(y)|_{H^-1}^2,   E v = 0,
    E|v|_H^2 <= 320 L_l (3 L_l tr(H^-1 Q) + 8 eta kt tr Q)/T + 160 L_l^2 (6 L + kt (7 + 16 eta B)) gap/T.

The first lacks a factor L_l^2 (both norms change when Sigma becomes H) and needs the repaired rule for T; the second is
true; the third is true in the standing context (lines 549-570).
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, repaired, sharper, statement
from theory.kernel import Verdict
from theory.papers.sada.inner_loop import _variance as variance
from theory.papers.sada.inner_loop._bias_steps import SMALL
from theory.papers.sada.inner_loop._facts import added
from theory.papers.sada.inner_loop._noise_of_every_size import ASSUMED, LARGE, LOOP
from theory.papers.sada.inner_loop._tail import l_var_of
from theory.papers.sada.inner_loop._variance_bound import WHOLE, V
from theory.papers.sada.inner_loop._variance_of_every_size import OPTIMAL
from theory.papers.sada.inner_loop.lem_c_1_bound import every, given
from theory.papers.sada.inner_loop.lem_r_bound import ALONE, CHOICE, GIVEN, LONG, MODEL
from theory.papers.sada.outer_loop._inner_run import RUN
from theory.provers.tactics import Tactic, cite, order

ID = "lem:inner-loop"
H_NORM = "sum(i, 1, d, g[i]**2/(Ll*lam[i]))"
TR_H_Q = {"trHQ": "trSQ/Ll"}


def about(constant: int, ratio: int) -> dict[str, Any]:
    every_size = every(constant, ratio)
    return {**every_size, "where": {**every_size["where"], **TR_H_Q, **l_var_of("m")}, "display": "disp:592"}


def times_l(key: str, known: tuple[str, ...]) -> Tactic:
    """L_l times a bound of lem:v-bound."""
    return cite(key, then=added(("1", [known.index("Ll > 0"), len(known)], "")))


V_AT_G = V.replace(", h]", ", g]")
IN_H: dict[str, Any] = {
    **LOOP,
    "kinds": {**LOOP["kinds"], "Hm": "pd(d)"},
    "example": {**LOOP["example"], "Hm": LOOP["example"]["Sigma"]},
    "given": (*ASSUMED, "Hm == Ll*Sigma"),
}


def in_the_norm_of_h() -> Tactic:
    """H = L_l Sigma, so that L_l H^-1 = Sigma^-1."""
    norm = len(ASSUMED)
    outer = {"E": {"g": "H"}, "L": f"({V_AT_G}).T", "R": V_AT_G}
    large = {"fact": ASSUMED.index(LARGE)}
    inverse = {"eq": norm, "L": "inv(Hm)", "R": "inv(Sigma) @ Q", "tr": 1, "k": "-960*Ll/(2*n)"}
    last = order({"of": "r", "c": [large]}, {"eq": norm, **outer, "k": "-1"}, inverse)
    return cite("lem:v-bound/repaired#every distribution", then=last, called="r")


STATEMENT = statement(
    ID,
    printed(
        "Ll*(tail/n)**2*G <= Ll*h/(8*alpha)*(G/Ll)",
        part="r",
        given=(
            *("theta > 0", "256*theta**2 <= 1", "alpha >= 1", "thk > 0", "12*alpha*thk**2 <= 1"),
            *("Ll > 0", "G >= 0", "n >= 1", "6*(1-theta)**n <= thk**2"),
        ),
        where={**SMALL["where"], **ALONE, "h": "2*alpha*thk**2/Ll"},
        naturals="n",
        example={"theta": "1/16", "alpha": "1", "thk": "1/4", "Ll": "1", "G": "0", "n": "73"},
        display="disp:592",
        expect=Verdict.REFUTED,
        witness={"theta": "1/16", "alpha": "1", "thk": "1/4", "Ll": "1000000", "G": "1", "n": "73"},
        scope="d = 1, a = 1, T = 2n so long that the repaired rule for T holds, too",
        words="L_l^2 is missing: E|r|_H^2 grows like L_l, the printed right side shrinks like 1/L_l.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    repaired(
        f"Ll*r2 <= Ll**2*(Ll*h/(8*alpha))*{H_NORM}",
        part="r",
        given=(*GIVEN, *CHOICE, "Ll > 0"),
        where={"h": "2*alpha*thk**2/Ll"},
        naturals=("n", "d"),
        example={**LONG, "Ll": "1"},
        display="disp:592",
        faithfulness=Faithfulness.TYPO,
        proof=cite(
            "lem:r-bound/repaired", then=added(("1", [len(GIVEN) + len(CHOICE), len(GIVEN) + len(CHOICE) + 1], ""))
        ),
        scope=MODEL,
        words="With L_l^2, and T >= 8 sqrt(kt/(mu eta)) ln(6 kappa(Sigma)/theta_K^2).",
        links=("tail-bias",),
    ),
    printed(
        f"E(h, {V}) == 0",
        part="mean of v",
        **{**WHOLE, "given": (OPTIMAL, "n >= 1"), "naturals": "n"},
        display="disp:592",
        proof=lambda claim: cite("lem:v-bound#mean of v", then=order({"eq": "r"}), called="r"),
        words="E v = 0, from lem:v-bound.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        f"E(h, norm2({V}, Hm)) <= 320*Ll*(3*Ll*tr(inv(Hm) @ Q) + 8*step*kt*tr(Q))/(2*n)"
        " + 160*Ll**2*(6*L + kt*(7 + 16*step*B))*gap/(2*n)",
        part="v",
        **IN_H,
        display="disp:592",
        proof=lambda claim: in_the_norm_of_h(),
        words="For every dimension, T = 2n, distribution and loss, H = L_ℓ Σ; here tr Q has no stray L_ℓ, unlike"
        " in lem:v-bound.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    printed(
        "Ll*(Lvar+others) <= 320*Ll*(3*Ll*trHQ+8*eta*kt*trQ)/T+160*Ll**2*(6*L+kt*(7+16*eta*B))*gap/T",
        part="v, in numbers",
        proof=times_l("lem:v-bound/repaired", given(64, 2)),
        words="The same for sums over eigenvalues.",
        **{name: value for name, value in about(64, 2).items() if name != "display"},
        links=("layer-share", "sum-of-layers", "v-L-var", "matrix-order"),
        faithfulness=Faithfulness.OURS,
    ),
    sharper(
        "Ll*(Lvar+others) <= 640/7*Ll*(15/16*Ll*trHQ+eta*kt*trQ)/T+40/7*Ll**2*(15*L+kt*(16+16*eta*B))*gap/T",
        part="v",
        proof=times_l("lem:v-bound/sharper", given(16, 8)),
        words="From the sharper variance bound: about a tenth of tr(H^-1 Q) and of L_eff, a 28th of tr Q.",
        **about(16, 8),
        links=("layer-share", "sum-of-layers", "v-L-var", "matrix-order"),
    ),
    sharper(
        "Ll*(Lvar+others) <= 25/56*Ll*(29*Ll*trHQ+16*eta*kt*trQ)/T+25/56*Ll**2*(29*L+kt*(30+16*eta*B))*gap/T",
        part="v, T theta >= 8",
        given=(*variance.GIVEN, variance.LONG),
        example=variance.LONG_POINT,
        proof=times_l("lem:v-bound/sharper#T theta >= 8", (*variance.GIVEN, variance.LONG)),
        words="Under the repaired rule for T: 13 tr(H^-1 Q) for 960, 7.2 tr Q for 2560, and a 74th of L_eff.",
        **{**variance.EVERY, "where": {**variance.EVERY["where"], **TR_H_Q}, "display": "disp:592"},
    ),
    *RUN,
    summary="The bound on r lacks L_l^2 and a sufficient rule for T; the rest is right in the standing context.",
)
