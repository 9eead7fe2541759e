"""The printed proof of lem:bias-bound, display by display, up to the contraction (disp:1562 to disp:1619).

Vectors are deviations from x~_+*. The paper's x_t, y_t, z_t are deviations already (disp:1556), and yet it subtracts
x~_+* again. One step from any state at a given past: y and z are free, x = (1 + theta) y - theta z, `mid` is w_{t-1},
new_x and new_z are x_t and z_t.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed, step
from theory.kernel import Verdict
from theory.papers.sada import language
from theory.papers.sada.inner_loop._bias_of_every_size import CHOSEN, POINT, WIDE, from_the_choice
from theory.papers.sada.inner_loop._variance_bound import FOURTH, SIGMA
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, chain, cite, order

ID = "lem:bias-bound"
# d = 1, a = 1: mu = kt = R^2 = 1, so gamma = theta and eta = 16 theta^2; from x_0 = z_0 = 1
MIDDLE = "((s[1]+theta*s[2])/(1+theta))"
SMALL: dict[str, Any] = {
    "given": ("theta > 0", "256*theta**2 <= 1"),
    "where": {"eta": "16*theta**2", "gam": "theta"},
    "orbit": f"iterate(s, T, [1, 1], [(1-eta)*{MIDDLE}, (1-theta)*s[2]+(theta-gam)*{MIDDLE}])",
}
ONE: dict[str, Any] = {
    "given": ("theta > 0", "theta < 1"),
    "where": {"x": "(1+theta)*y-theta*z", "c": "(1-theta)/(1+theta)", "q": "(eta+theta*gam)/(1+theta)"},
    "example": {"y": "1", "z": "1", "P": "1", "theta": "1/3", "eta": "1/2", "gam": "1/2", "s": "0"},
    "scope": "P = |a|^2 is how a a^T acts along a (across it acts as 0); s is the coordinate of x~_+*",
}
AWAY = {**ONE["example"], "s": "1"}
UP_Y = "(-c*x+(1+c-q*P)*y)"
UP_X = "((1-eta*P)*y)"
PAST: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", "Sigma": "pd(d)", "y": "vector(d)", "z": "vector(d)"},
    "where": {
        **{name: language.TAIL[name] for name in ("P[w]", "moment")},
        "x": "(1 + theta)*y - theta*z",
        "mid": "theta*y + (1 - theta)*z",
        "new_x[w]": "y - step*(P[w] @ y)",
        "new_z[w]": "mid - gam*(P[w] @ y)",
        "white(u)": "norm2(u, inv(Sigma))",
        "moved": "E(w, white(new_z[w]))",
    },
    "example": {**POINT, "theta": "1/16", "gam": "1/16", "step": "1/16", "y": ["1"], "z": ["1"]},
    "scope": "every d, every distribution whose moments exist, every state",
}  # fmt: skip
BETWEEN = ("theta > 0", "theta <= 1")
STATE: dict[str, Any] = {**PAST, "given": WIDE}
AT_ZERO = {**PAST["example"], "y": ["0"]}
SMALL_DATA = {**PAST["example"], "step": "2", "R2": "1/36", "Sigma": [["1/36"]], "a": {"1": "1/6", "2": "-1/6"}}
LINE_1 = "norm2(y)/2 + E(w, y.T @ (new_x[w] - y)) + E(w, norm2(new_x[w] - y))/2"
SQUARED = "E(w, norm2(P[w] @ y))"
MIXED = "(1 - theta)*norm2(x)/2 + y.T @ (y - (1 - theta)*x) - theta/2*norm2(y)"
PROJECTED = "(1 - theta)*norm2(x)/2 + theta/gam*E(w, (mid - Z).T @ inv(Sigma) @ mid) - theta/2*norm2(y)"
POLARISED = (
    "(1 - theta)*norm2(x)/2 - theta/2*norm2(y) + theta/(2*gam)*(white(mid) + E(w, white(new_z[w] - mid)) - moved)"
)
BOUND = (
    "(1 - theta)*norm2(x)/2 + kt*theta*gam/2*norm2(y, Sigma) - theta*(mu*gam - theta)/(2*mu*gam)*norm2(y)"
    " + theta/(2*gam)*((1 - theta)*white(z) - moved)"
)
COMBINED = (
    "(1 - theta)*norm2(x)/2 + theta/(2*gam)*((1 - theta)*white(z) - moved)"
    " - (step - kt*theta*gam)/2*norm2(y, Sigma) - theta*(gam*mu - theta)/(2*mu*gam)*norm2(y)"
)
OLD_Z, NEW_Z = PROJECTED.replace("Z", "z").replace("E(w, (mid - z)", "((mid - z)"), PROJECTED.replace("Z", "new_z[w]")
HALF = weight("1/2")
LOWER: tuple[Tactic, ...] = (
    {"of": 3, "L": "y.T", "c": [weight("theta*gam/2")]},
    {"of": 1, "L": "(inv(Sigma) @ y).T", "c": [weight("theta**2/(2*gam)")]},
    {"L": "(y - mu*(inv(Sigma) @ y)).T", "c": [weight("theta**2/(2*gam*mu)")]},
    {"eq": 0, "L": "mid.T @ inv(Sigma)", "R": "y", "k": "-theta"},
)  # fourth moments in the norm of Sigma^-1, and Sigma >= mu
MEANT: tuple[Tactic, ...] = (
    *LOWER,
    {"L": "(x - y).T", "c": [{"fact": 5}, HALF]},
    {"psd": "inv(Sigma)", "L": "(y - z).T", "c": [{"fact": 5}, weight("theta**2/(2*gam)")]},
)
WIDER: tuple[Tactic, ...] = (
    *LOWER,
    {"L": "y.T", "c": [HALF]},
    {"of": "below", "L": "(y - z).T", "c": [weight("theta**3/2")]},
    {"psd": "inv(Sigma)", "L": "(y - z).T", "c": [{"fact": "room"}, weight("theta**2/(2*gam)")]},
)


def below() -> Tactic:
    """Sigma^-1 (R^2 Sigma - Sigma^2) Sigma^-1, and E P P >= Sigma^2."""
    return order(
        {"of": 1, "L": "inv(Sigma)"},
        {"E": {"v": "S"}, "L": "inv(Sigma) @ (P[v] - Sigma)"},
        {"eq": 0, "L": "inv(Sigma)", "k": "-1"},
        {"eq": 0, "R": "inv(Sigma)", "k": "-1"},
    )


def with_the_wrong_left() -> Tactic:
    """theta gamma R^2 <= eta R^2/16 <= 1/256, because theta gamma kt = eta/16."""
    room = {**chain("theta*gam*R2 <= 1 - theta", then=order(*WIDER)), "called": "room"}
    facts = chain("theta*gam*kt == step/16", "theta*gam <= step/16", "16*theta*gam*R2 <= step*R2", then=room)
    return cite(f"{ID}#below R^2", called="below", then=from_the_choice(facts))


AS_PRINTED, TYPO = Faithfulness.AS_PRINTED, Faithfulness.TYPO
STEPS = (
    printed(
        "I(d) << R2*inv(Sigma)", part="below R^2", **{**PAST, "given": (SIGMA, FOURTH)}, proof=lambda claim: below(),
        words="Σ ⪯ R² I: the fourth moment is at least the square of the second.", faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:1562",
        1,
        "y == 1/(1+theta)*x+theta/(1+theta)*z",
        words="This defines z from x and y.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1562",
        2,
        f"{UP_X} == y-eta*P*(y-s)",
        witness=AWAY,
        expect=Verdict.REFUTED,
        words="x and y are deviations from x~_+* already (disp:1556); x~_+* is subtracted once too often.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1562",
        "2/repaired",
        f"{UP_X} == y-eta*P*y",
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1562.2",
        words="Without x~_+*.",
        **ONE,
    ),
    step(
        "disp:1562",
        3,
        f"((1+theta)*{UP_Y}-{UP_X})/theta == theta*y+(1-theta)*z-gam*P*(y-s)",
        witness=AWAY,
        expect=Verdict.REFUTED,
        words="The same slip in the third line.",
        **ONE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1562",
        "3/repaired",
        f"((1+theta)*{UP_Y}-{UP_X})/theta == theta*y+(1-theta)*z-gam*P*y",
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1562.3",
        words="The z that belongs to (x_t, y_t) = A^_t (x_(t-1), y_(t-1)) obeys the third line, without x~_+*.",
        **ONE,
    ),
    step(
        "disp:1576", 1, f"E(w, norm2(new_x[w]))/2 == {LINE_1}", **{**PAST, "given": ()}, proof=lambda claim: order(),
        words="The square expanded.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1576", 2, f"{LINE_1} == norm2(y)/2 - norm2(y, Sigma) + step**2/2*{SQUARED}",
        **{**PAST, "given": ("step > 0", SIGMA)}, witness=PAST["example"], expect=Verdict.REFUTED,
        words="The second term lacks its factor η.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1576", "2/repaired", f"{LINE_1} == norm2(y)/2 - step*norm2(y, Sigma) + step**2/2*{SQUARED}",
        **{**PAST, "given": ("step > 0", SIGMA)}, faithfulness=TYPO, repairs=f"{ID}/disp:1576.2",
        proof=lambda claim: order({"eq": 1, "L": "y.T", "R": "y", "k": "step"}), words="With η.",
    ),
    step(
        "disp:1576", 3,
        f"norm2(y)/2 - norm2(y, Sigma) + step**2/2*{SQUARED} <= norm2(y)/2 - (step - step**2*R2/2)*norm2(y, Sigma)",
        **{**PAST, "given": ("step > 0", "16*step*R2 <= 1", SIGMA, FOURTH)}, witness=SMALL_DATA,
        expect=Verdict.REFUTED,
        words="Without the η that is missing before, (a) needs η ≤ 1, which small data do not give.",
        faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1576", "3/repaired",
        f"norm2(y)/2 - step*norm2(y, Sigma) + step**2/2*{SQUARED}"
        " <= norm2(y)/2 - (step - step**2*R2/2)*norm2(y, Sigma)",
        **{**PAST, "given": ("step > 0", "16*step*R2 <= 1", SIGMA, FOURTH)}, faithfulness=TYPO,
        repairs=f"{ID}/disp:1576.3", proof=lambda claim: order({"of": 3, "L": "y.T", "c": [{"sq": "step"}, HALF]}),
        words="(a), with the factor η: Assumption fourth-moment at y.",
    ),
    step(
        "disp:1576", 4, "norm2(y)/2 - (step - step**2*R2/2)*norm2(y, Sigma) <= norm2(y)/2 - step/2*norm2(y, Sigma)",
        **{**PAST, "given": ("step > 0", "step*R2 <= 1")},
        proof=lambda claim: order({"psd": "Sigma", "L": "y.T", "c": [{"fact": 0}, {"fact": 1}, HALF]}),
        words="(b): η ≤ 1/R².", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1584", 1, "norm2(y)/2 <= y.T @ y - norm2(y)/2", **{**PAST, "given": BETWEEN},
        proof=lambda claim: order(), words="An equality.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1584", 2, "norm2(y)/2 <= norm2(x)/2 + y.T @ (y - x)", **{**PAST, "given": BETWEEN},
        proof=lambda claim: order({"L": "(y - x).T", "c": [HALF]}), words="Half the square of y − x.",
        faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1589", 1, f"norm2(y - x)/2 <= {MIXED}", **{**PAST, "given": BETWEEN}, witness=AT_ZERO,
        expect=Verdict.REFUTED, faithfulness=AS_PRINTED,
        words="The left side is ‖y − x̃₊*‖²/2, not ‖y − x_{t−1}‖²/2; at y = x̃₊* the printed one is too large.",
    ),
    step(
        "disp:1589", "1/repaired", f"norm2(y)/2 <= {MIXED}", **{**PAST, "given": BETWEEN}, faithfulness=TYPO,
        repairs=f"{ID}/disp:1589.1", proof=lambda claim: order({"L": "(y - x).T", "c": [{"fact": 1}, HALF]}),
        words="θ times the first plus 1 − θ times the second.",
    ),
    step(
        "disp:1593", 1, "E(w, new_x[w] - y) == -step*(Sigma @ y)", **{**PAST, "given": (SIGMA,)},
        proof=lambda claim: order({"eq": 0, "R": "y", "k": "step"}), words="By Σ.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1596",
        1,
        "y-(1-theta)*x == theta*wk",
        witness={**ONE["example"], "wk": "2"},
        expect=Verdict.REFUTED,
        words="w_k is printed; k counts outer iterations, so it is free here.",
        **{**ONE, "example": {**ONE["example"], "wk": "1"}},
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1596",
        "1/repaired",
        "y-(1-theta)*x == theta*(theta*y+(1-theta)*z)",
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1596.1",
        words="w_(t-1) is meant.",
        **ONE,
    ),
    step(
        "disp:1596",
        2,
        "new_x[n] - y == step/gam*(new_z[n] - mid)",
        **{**PAST, "kinds": {**PAST["kinds"], "n": "sample(S)"}, "given": ("gam > 0",)},
        proof=lambda claim: order(),
        words="Both steps go along the same gradient, at every sample.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1601", 1, f"norm2(y - x)/2 <= {OLD_Z}", **STATE, witness=AT_ZERO, expect=Verdict.REFUTED,
        words="Besides the left side, z_{t−1} stands for z_t in the inner product.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1601", "1/repaired", f"norm2(y)/2 <= {NEW_Z}", **STATE, faithfulness=TYPO, repairs=f"{ID}/disp:1601.1",
        proof=lambda claim: order(
            {"L": "(y - x).T", "c": [{"fact": 5}, HALF]},
            {"eq": 0, "L": "y.T", "R": "inv(Sigma) @ mid", "k": "-theta"},
        ),
        words="E(w − z_t) = γΣy, and θw = y − (1 − θ)x.",
    ),
    step(
        "disp:1601", 2, f"{OLD_Z} == {POLARISED}", **STATE, witness=PAST["example"], expect=Verdict.REFUTED,
        words="The same z_{t−1} for z_t: it is the new z that is expanded.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1601", "2/repaired", f"{NEW_Z} == {POLARISED}", **STATE, faithfulness=TYPO, repairs=f"{ID}/disp:1601.2",
        proof=lambda claim: order(), words="2⟨w − z, w⟩ = ‖w‖² + ‖z − w‖² − ‖z‖².",
    ),
    step(
        "disp:1601", 3,
        "theta/(2*gam)*white(mid) <= theta**2/(2*gam)*white(y) + theta/(2*gam)*(1 - theta)*white(z)",
        **{**PAST, "given": (*BETWEEN, "gam > 0")},
        proof=lambda claim: order(
            {"psd": "inv(Sigma)", "L": "(y - z).T", "c": [{"fact": 1}, weight("theta**2/(2*gam)")]}
        ),
        words="(a): the square is convex, and w is between y and z.", faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1612", 1, f"norm2(y - x)/2 <= {BOUND}", **{**PAST, "given": CHOSEN},
        proof=lambda claim: with_the_wrong_left(),
        words="True even with the wrong left side, but of no use: the next display needs ‖y − x̃₊*‖²/2.",
        faithfulness=AS_PRINTED,
    ),
    step(
        "disp:1612", "meant", f"norm2(y)/2 <= {BOUND}", **STATE, proof=lambda claim: order(*MEANT),
        words="What the next display uses: fourth moments in the Σ⁻¹-norm, and Σ ⪰ μI.",
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:1619", 1, f"E(w, norm2(new_x[w]))/2 <= {COMBINED}",
        **{**PAST, "given": (*WIDE, "step > 0", "step*R2 <= 1")},
        proof=lambda claim: order(
            *MEANT,
            {"of": 2, "L": "y.T", "c": [{"sq": "step"}, HALF]},
            {"psd": "Sigma", "L": "y.T", "c": [{"fact": len(WIDE)}, {"fact": len(WIDE) + 1}, HALF]},
            {"eq": 0, "L": "y.T", "R": "y", "k": "-step"},
        ),
        words="True: disp:1612 as meant and disp:1576 with its η, added up.", faithfulness=AS_PRINTED,
    ),
)  # fmt: skip
