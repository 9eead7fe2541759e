"""The gradient noise l'(a.x, b) - l'(a.x*, b) under Assumptions l-condition and fourth-moment, modelled exactly.

Random scalars over an abstract probability space w: t = a.(x - x*), k with l'(a.x) - l'(a.x*) = k t, n a squared norm
of a, l = l'(a.x*, b), g = loss at x minus loss at x*.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, Statement, printed, statement, step
from theory.provers.tactics import Tactic, auto, chain, have, termwise

GAP = "mean(w, g[w])"
LEFT = "mean(w, (k[w]*t[w])**2*n[w])"
CURVATURE = (
    "mul > 0",
    "Ll >= mul",
    "forall(w, Omega, Omega, k[w] >= mul)",
    "forall(w, Omega, Omega, k[w] <= Ll)",
    "forall(w, Omega, Omega, n[w] >= 0)",
)
CONVEXITY = ("forall(w, Omega, Omega, g[w] >= l[w]*t[w] + mul/2*t[w]**2)", "mean(w, l[w]*t[w]) == 0")
STRONG = f"{GAP} >= mul/2*mean(w, t[w]**2)"
# positions of the facts: 0-4 curvature, 5 the constant is positive, 6 fourth moment, 7-8 convexity
FOURTH, OPTIMAL = 6, 8


def cone(*terms: dict[str, Any], multiplier: tuple[int, ...] = (), modulo: tuple[tuple[int, str], ...] = ()) -> Tactic:
    """A certificate that is written out: the difference is this combination of facts and squares."""
    return {"kind": "cone", "terms": list(terms), "multiplier": list(multiplier), "modulo": [list(m) for m in modulo]}


def given(constant: str) -> tuple[str, ...]:
    """The hypotheses, with the fourth-moment condition in the norm whose constant is named."""
    return (*CURVATURE, f"{constant} > 0", f"mean(w, t[w]**2*n[w]) <= {constant}*mean(w, t[w]**2)", *CONVEXITY)


def example(constant: str) -> dict[str, Any]:
    """Two atoms: x - x* = 1, a = 1 and a = 2 in one dimension with a quadratic loss of curvature 1 and l'(a.x*) = 0."""
    point: dict[str, Any] = {"mul": "1", "Ll": "2", "p_w": ["1/2", "1/2"], "t": ["1", "2"], "n": ["1", "4"]}
    return {**point, "k": ["1", "1"], "l": ["0", "0"], "g": ["1/2", "2"], constant: "4"}


def strong_convexity(facts: int) -> tuple[str, Tactic]:
    """The loss lies above its tangent, and the tangent has mean zero; `facts` are known before."""
    tangent = f"{GAP} - mean(w, l[w]*t[w]) >= mul/2*mean(w, t[w]**2)"
    return STRONG, have(
        tangent, termwise("mean", index="v"), then=cone({"c": "1", "of": [facts]}, modulo=((OPTIMAL, "1"),))
    )


def verification(id_: str, constant: str, statement_display: str, proof_display: str, norm: str) -> Statement:
    """Both verification lemmas: n is the squared norm of a that is meant, `constant` its fourth-moment constant."""
    scope = "every distribution, every loss, every x"
    about: dict[str, Any] = {"given": given(constant), "example": example(constant), "scope": scope}
    first = f"{LEFT} <= Ll**2*mean(w, t[w]**2*n[w])"
    second = f"Ll**2*mean(w, t[w]**2*n[w]) <= Ll**2*{constant}*mean(w, t[w]**2)"
    third = f"Ll**2*{constant}*mean(w, t[w]**2) <= 2*Ll*(Ll/mul)*{constant}*{GAP}"
    pointwise = termwise("mean", index="v", each=chain("n_v*t_v**2*(Ll - k_v)*(Ll + k_v) >= 0", then=auto()))
    moment = cone({"c": "1", "of": [FOURTH], "sq": "Ll"})

    def convex(facts: int) -> Tactic:
        return chain(strong_convexity(facts), then=cone({"c": "2", "of": [5, facts], "sq": "Ll"}, multiplier=(0,)))

    whole = chain(
        (first, pointwise),
        (second, moment),
        (third, convex(11)),
        then=cone(*({"c": "1", "of": [i]} for i in (9, 10, 11))),
    )
    return statement(
        id_,
        printed(
            f"{LEFT} <= 2*Ll*alpha*{constant}*{GAP}",
            where={"alpha": "Ll/mul"},
            display=statement_display,
            proof=whole,
            words="True: smoothness pointwise, then the fourth moment, then strong convexity.",
            **about,
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        step(
            proof_display,
            1,
            first,
            proof=pointwise,
            words="|l'(a.x) - l'(a.x*)| <= L_l |t|, pointwise.",
            **about,
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        step(
            proof_display,
            2,
            second,
            proof=moment,
            words=f"Assumption fourth-moment at x - x*, {norm}.",
            **about,
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        step(
            proof_display,
            3,
            third,
            proof=convex(9),
            words="F is mu_l-strongly convex in the Sigma-norm and grad F(x*) = 0; alpha = L_l/mu_l.",
            **about,
            faithfulness=Faithfulness.AS_PRINTED,
        ),
        summary="True as printed, for every distribution and every loss.",
    )
