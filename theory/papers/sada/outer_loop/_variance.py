"""The inner loop's variance as the sharper theorem uses it: (2/T)(1 + 2/(T theta)) with T theta >= 8, and weights for
the three parts of the noise of which x is near 1. With y = z = 1/180 the part that L_eff multiplies is still not larger
than the printed L_eff.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theory.kernel.lang import parse, substitute, text
from theory.papers.sada.inner_loop import _variance as inner
from theory.papers.sada.inner_loop._facts import PLAIN, added, at, at_a_sample
from theory.papers.sada.inner_loop._hyperparameters import CHOSEN
from theory.papers.sada.inner_loop._noise import FOURTH, FOURTH_I, GAP, TR_Q, TR_R, TR_SIGMA_Q, TR_SIGMA_R
from theory.provers.tactics import Tactic, chain, cite, termwise

ANY_WEIGHTS = "lem:v-bound/sharper#2/T, any weights"
X, Y, Z = Fraction(89, 90), Fraction(1, 180), Fraction(1, 180)
RATE = Fraction(5, 2)  # T times (2/T)(1 + 2/(T theta)) where T theta = 8
WHOLE, PART = Fraction(29, 28), Fraction(4, 7)
NEAR, FAR = RATE * WHOLE / X, RATE * PART / X
L_EFF = f"{2 * RATE}*({WHOLE}*(L/({Y})+kt/({Z}))+{PART}*eta*kt*(B/({Y})+R2/({Z})))"
T = inner.T
SAYS = f"{inner.VARIANCE} <= ({NEAR}*{TR_SIGMA_Q}+{FAR}*eta*kt*{TR_Q})/{T}+Ll*({L_EFF})*{GAP}/{T}"
GIVEN = (*inner.GIVEN, inner.LONG)
EVERY: dict[str, Any] = {
    "given": GIVEN,
    **{name: value for name, value in inner.EVERY.items() if name != "display"},
    "example": inner.LONG_POINT,
}


def proof() -> Tactic:
    """(p+1)^2 theta times the goal: the cited bound, and (T theta - 8)/8 times what the rate multiplies."""
    known, noise, noise_i, trace, trace_i, half, speed, multiplied = (len(GIVEN) + i for i in range(8))
    theta, long = at(GIVEN, "theta > 0"), at(GIVEN, inner.LONG)
    weights = {"x": str(X), "y": str(Y), "z": str(Z)}
    last = added(("1", [half, half, theta, known], ""), ("1/8", [long, multiplied], ""), multiplier=[half, half, theta])
    parts = added(
        (f"{WHOLE}", [noise], ""),
        (f"{WHOLE}", [trace], ""),
        (f"{PART}", [speed, noise_i], ""),
        (f"{PART}", [speed, trace_i], ""),
    )
    squares, squares_i = (added(("1", [at_a_sample(GIVEN, fact[0])], "t_v-l1_v")) for fact in (FOURTH, FOURTH_I))
    facts = chain(
        (f"{TR_SIGMA_R} >= 0", termwise("mean", squares, index="v")),
        (f"{TR_R} >= 0", termwise("mean", squares_i, index="v")),
        ("p+1 > 0", PLAIN),
        (f"{CHOSEN['eta']}*kt > 0", PLAIN),
        (f"{_multiplied()} >= 0", parts),
        then=last,
    )
    noises = cite("lem:noise-bound-2-norm/sharper", weights, then=facts)
    return cite(ANY_WEIGHTS, weights, then=cite("lem:noise-bound-Sigma-inverse/sharper", weights, then=noises))


def _multiplied() -> str:
    """What the rate multiplies in the cited bound, with the hyperparameters put in."""
    names = (f"({X})", f"({Y})", f"({Z})")
    formula = f"{WHOLE}*{inner.near(*names)}+{PART}*eta*kt*{inner.far(*names)}"
    return text(substitute(parse(formula), {"eta": parse(CHOSEN["eta"])}))
