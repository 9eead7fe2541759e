r"""lem:inner-matrix-form: the inner update as one recursion of the pair (x_t - x~*, y_t - x~*).

Its matrix is [[O, I - eta a a^T], [-c I, (1+c) I - q a a^T]] and its noise eps_t (eta a, q a), with c =
(1-theta)/(1+theta),
q = (eta + theta gamma)/(1+theta) and eps_t = -l'(a_t.y~, b_t) + a_t.(y~ - x~*).

True. The section sets h_k = 1; in general eps_t = -h_k l' + a_t.(y~ - x~*), and everything scales with h_k.
Eliminating z
gives -c in the lower left corner; the block A_i of disp:742 prints +c.
"""

from typing import Any

from theory.claims.statement import Faithfulness, printed, sharper, statement, step
from theory.papers.sada.derivations import comparisons
from theory.provers.tactics import order

SCALARS = {"theta": "1/16", "eta": "1/16", "gam": "1/4"}
MOMENTUM = {"c": "(1-theta)/(1+theta)", "q": "(eta+theta*gam)/(1+theta)"}
LAST_LINES = {
    "y": "1/(1+theta)*x + theta/(1+theta)*z",
    "xx": "y - eta*g",
    "zz": "theta*y + (1-theta)*z - gam*g",
    "yy": "1/(1+theta)*xx + theta/(1+theta)*zz",
}
A_HAT = "[[O(d, d), I(d) - eta*(a @ a.T)], [-c*I(d), (1+c)*I(d) - q*(a @ a.T)]]"
# lp = l'(a.y~, b), y = y_{t-1}, yt = y~, s = x~*
GRADIENT: dict[str, Any] = {
    "kinds": dict.fromkeys(("a", "y", "yt", "s"), "vector(d)"),
    "example": {"d": "1", "lp": "1", "a": ["2"], "y": ["3"], "yt": ["5"], "s": ["7"], "h": "1"},
    "proof": lambda claim: order(),
    "scope": "every d, every sample",
}
ONE_STEP: dict[str, Any] = {
    "kinds": dict.fromkeys(("x", "z", "g"), "vector(d)"),
    "given": ("theta >= 0",),
    "example": {**SCALARS, "d": "1", "x": ["2"], "z": ["3"], "g": ["5"]},
    "proof": lambda claim: order(),
}
# lp = l'(a.y~, b) at h = 1, s = x~*
UPDATE: dict[str, Any] = {
    **ONE_STEP,
    "kinds": dict.fromkeys(("a", "x", "z", "s", "yt"), "vector(d)"),
    "where": {
        **MOMENTUM,
        "y": LAST_LINES["y"],
        "eps": "(-lp + a.T @ (yt - s))",
        "g": "lp*a + (a.T @ (y - yt))*a",
        **{name: line for name, line in LAST_LINES.items() if name != "y"},
    },
    "example": {**SCALARS, "d": "1", "lp": "1", "a": ["2"], "x": ["3"], "z": ["5"], "s": ["7"], "yt": ["11"]},
}
BIAS_VARIANCE: dict[str, Any] = {
    "kinds": {"A": "matrix(m, m)", **dict.fromkeys(("bias", "var", "zeta"), "vector(m)")},
    "example": {"m": "1", "A": [["2"]], "bias": ["3"], "var": ["5"], "zeta": ["7"]},
    "proof": lambda claim: [order(), order()],
}

STATEMENT = statement(
    "lem:inner-matrix-form",
    printed(
        f"[xx - s, yy - s] == {A_HAT} @ [x - s, y - s] + [eta*eps*a, q*eps*a]",
        **UPDATE,
        display="disp:606",
        scope="every dimension, every sample, every theta >= 0, eta and gamma",
        words="From the three-line recursion, z eliminated, in any dimension.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    sharper(
        "h*lp*a + (a.T @ (y - yt))*a == (a.T @ (y - s))*a - eps*a",
        part="any h",
        where={"eps": "(-h*lp + a.T @ (yt - s))"},
        **GRADIENT,
        display="disp:623",
        words="With eps = -h l'(a.y~, b) + a.(y~ - x~*) the form holds for every h_k, not only for h_k = 1.",
    ),
    sharper(
        "h*lp*a + (a.T @ (h*y))*a == h*(lp*a + (a.T @ y)*a)",
        part="h = 1 is no restriction",
        **{**GRADIENT, "scope": "every d; h y is the deviation from y~"},
        words="Deviations from y~ scale with h_k: the run with h_k is h_k times the run with 1.",
    ),
    step(
        "disp:637",
        1,
        "h*lp*a + (a.T @ (y - yt))*a == lp*a + (a @ a.T) @ (y - yt)",
        given=("h == 1",),
        **{**GRADIENT, "proof": lambda claim: order({"eq": 0, "k": "lp*a"})},
        words="The gradient of alg:sada at h_k = 1, as the section assumes; alg:sada has h_k in front of ℓ′.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:641",
        1,
        "[xx, yy] == [[O(d, d), I(d)], [-c*I(d), (1+c)*I(d)]] @ [x, y] - [eta*g, q*g]",
        where={**MOMENTUM, **LAST_LINES},
        **ONE_STEP,
        scope="every dimension, every gradient g; theta = 0 included",
        words="Eliminating z_t and z_{t-1}.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:658",
        1,
        "lp*a + (a @ a.T) @ (y - yt) == (a @ a.T) @ (y - s) - eps*a",
        where={"eps": "(-lp + a.T @ (yt - s))"},
        **GRADIENT,
        words="The gradient through ε_t.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:678",
        1,
        [
            f"[xx - s, yy - s] == {A_HAT} @ [x - s, y - s] + [eta*eps*a, q*eps*a]",
            "1/(1+theta)*yt + theta/(1+theta)*yt - s == yt - s",
        ],
        **{**UPDATE, "proof": lambda claim: [order(), order()]},
        scope="every dimension",
        words="The recursion again, and y_0 - x~* = y~ - x~* because x_0 = z_0 = y~.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:372",
        1,
        ["A @ bias + (A @ var + zeta) == A @ (bias + var) + zeta", "bias + O(m, 1) == bias"],
        **BIAS_VARIANCE,
        scope="every dimension",
        words="Bias and variance add up to the whole, at the start and in every step.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:372",
        2,
        ["-(1-theta)/(1+theta) == -c", "2/(1+theta) == 1 + c", "(eta+theta*gam)/(1+theta) == q"],
        given=("theta >= 0",),
        where=MOMENTUM,
        example=SCALARS,
        words="The entries of A^_t in the sketch are -c, 1 + c and q.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    *comparisons("lem:inner-matrix-form"),
    accounts={
        "disp:631": "the three lines of alg:sada again, y_t taken at the end of the step",
        "disp:623": "definition of c, q and eps_t",
        "disp:665": "definition of eta_t, A^_t and zeta_t",
        "disp:685": "definition of the bias and variance iterates; they add up by disp:372",
    },
    summary="True; the sign of c is right here and wrong in the block A(lambda) of lines 742 and 749.",
)
