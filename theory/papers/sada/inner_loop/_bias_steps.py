"""The printed proof of lem:bias-bound, display by display, up to the contraction (disp:1562 to disp:1619).

Vectors are deviations from x~_+*, as `_bias` explains. The paper's x_t, y_t, z_t are deviations already (disp:1556),
and yet it subtracts x~_+* again.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, step
from theory.kernel import Verdict
from theory.papers.sada.inner_loop._bias import (
    EXAMPLE,
    FOURTH_I,
    GIVEN,
    INVERSE_NORM,
    NEW_X,
    NEW_Z,
    NORM,
    OLD_X,
    OLD_Z,
    SECOND,
    SIGMA_NORM,
    T,
    W,
    X,
)
from theory.papers.sada.inner_loop._facts import added
from theory.provers.tactics import Tactic, chain, termwise

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
PLAIN: dict[str, Any] = {
    "given": ("theta > 0", "theta < 1"),
    "naturals": "d",
    "example": {"theta": "1/16", "d": "1", "y": ["1"], "z": ["1"]},
    "scope": "every dimension",
}
STATE: dict[str, Any] = {"naturals": "d", "example": EXAMPLE, "scope": "every dimension, every distribution"}
AT_ZERO = {**EXAMPLE, "y": ["0"], "gam": "1/16"}
LINE_1 = f"{NORM}/2+sum(i, 1, d, mean(w, y[i]*(-eta*a[w, i]*{T})))+sum(i, 1, d, mean(w, (eta*a[w, i]*{T})**2))/2"
SQUARED = f"sum(i, 1, d, mean(w, a[w, i]**2*{T}**2))"
MIXED = f"(1-theta)*{OLD_X}/2+sum(i, 1, d, y[i]*(y[i]-(1-theta)*{X}))-theta/2*{NORM}"
WRONG_LEFT = f"sum(i, 1, d, (y[i]-{X})**2)/2"


def projected(new_z: str) -> str:
    """theta/gamma <w - new_z, w> in the Sigma^-1-norm, with the terms around it."""
    return f"(1-theta)*{OLD_X}/2+theta/gam*sum(i, 1, d, mean(w, ({W}-{new_z})*{W})/lam[i])-theta/2*{NORM}"


NEXT_Z = f"({W}-gam*a[w, i]*{T})"
POLARISED = (
    f"(1-theta)*{OLD_X}/2-theta/2*{NORM}+theta/(2*gam)*(sum(i, 1, d, {W}**2/lam[i])"
    f"+sum(i, 1, d, mean(w, ({NEXT_Z}-{W})**2)/lam[i])-{NEW_Z})"
)
BOUND = (
    f"(1-theta)*{OLD_X}/2+kt*theta*gam/2*{SIGMA_NORM}-theta*(mu*gam-theta)/(2*mu*gam)*{NORM}"
    f"+theta/(2*gam)*((1-theta)*{OLD_Z}-{NEW_Z})"
)
COMBINED = (
    f"(1-theta)*{OLD_X}/2+theta/(2*gam)*((1-theta)*{OLD_Z}-{NEW_Z})"
    f"-(eta-kt*theta*gam)/2*{SIGMA_NORM}-theta*(gam*mu-theta)/(2*mu*gam)*{NORM}"
)


def both(cofactor: str, position: int) -> Tactic:
    """An equation of sums, direction by direction, modulo the second moment at `position`."""
    more = termwise("sum", added(modulo=[(position, cofactor)]), index="k")
    less = termwise("sum", added(modulo=[(position, f"-({cofactor})")]), index="k")
    return {"kind": "both", "<=": more, ">=": less}


# in one direction, times 2 gamma mu lam_k; facts as in _bias: 10 is the second moment
DRIFT = "mu*theta*2*gam*(theta*y_k+(1-theta)*z_k)"
IN_EACH = added(
    ("1", [1, 2, 9, 7], "theta*(y_k-z_k)"),
    ("1", [1, 7], "theta*(y_k-z_k)"),
    ("1", [8], "theta*y_k"),
    multiplier=[7, 9],
    modulo=[(10, DRIFT)],
)
PRINTED_IN_EACH = added(
    ("1", [7, 13], "theta*(y_k-z_k)"),
    ("1", [8], "theta*y_k"),
    ("1", [2, 7, 9], "y_k"),
    multiplier=[7, 9],
    modulo=[(10, DRIFT)],
)
DECREASE_IN_EACH = {**IN_EACH, "modulo": [[10, f"{DRIFT}+2*gam*mu*eta*lam_k*y_k"]]}
LEFT_OVER = (
    f"gam*mu*(1-theta)*{X}**2+theta*mu*(1-theta)*z[i]**2/lam[i]-theta*(mu*gam-theta)*y[i]**2-gam*mu*y[i]**2"
    f"-theta*mu*({W}**2-2*gam*{W}*mean(w, a[w, i]*{T}))/lam[i]"
)
NONNEGATIVE = (f"sum(i, 1, d, {LEFT_OVER})/mu >= 0", termwise("sum", IN_EACH, index="k"))

STEPS = (
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
        "disp:1576",
        1,
        f"sum(i, 1, d, mean(w, u[w, i]**2))/2 == {NORM}/2+sum(i, 1, d, mean(w, y[i]*(u[w, i]-y[i])))"
        "+sum(i, 1, d, mean(w, (u[w, i]-y[i])**2))/2",
        naturals="d",
        example={"d": "1", "y": ["1"], "p_w": ["1"], "u": [["1"]]},
        words="The square expanded, for any random vector u = x_t.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1576",
        2,
        f"{LINE_1} == {NORM}/2-{SIGMA_NORM}+eta**2/2*{SQUARED}",
        given=("eta > 0", SECOND),
        witness=EXAMPLE,
        expect=Verdict.REFUTED,
        words="The second term lacks its factor eta.",
        **STATE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1576",
        "2/repaired",
        f"{LINE_1} == {NORM}/2-eta*{SIGMA_NORM}+eta**2/2*{SQUARED}",
        given=("eta > 0", SECOND),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1576.2",
        proof=both("eta*y_k", 1),
        words="With eta: E a (a.y) = Sigma y.",
        **STATE,
    ),
    step(
        "disp:1576",
        3,
        f"{NORM}/2-{SIGMA_NORM}+eta**2/2*{SQUARED} <= {NORM}/2-(eta-eta**2*R2/2)*{SIGMA_NORM}",
        given=("eta > 0", "16*eta*R2 <= 1", FOURTH_I),
        witness={**EXAMPLE, "eta": "2", "R2": "1/36", "lam": ["1/36"], "a": [["1/6"]]},
        expect=Verdict.REFUTED,
        words="Without the eta that is missing before, (a) needs eta <= 1, which small data do not give.",
        **STATE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1576",
        "3/repaired",
        f"{NORM}/2-eta*{SIGMA_NORM}+eta**2/2*{SQUARED} <= {NORM}/2-(eta-eta**2*R2/2)*{SIGMA_NORM}",
        given=("eta > 0", "16*eta*R2 <= 1", FOURTH_I),
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1576.3",
        proof=added(("1/2", [2], "eta")),
        words="(a), with the factor eta: Assumption fourth-moment at y.",
        **STATE,
    ),
    step(
        "disp:1576",
        4,
        f"{NORM}/2-(eta-eta**2*R2/2)*{SIGMA_NORM} <= {NORM}/2-eta/2*{SIGMA_NORM}",
        given=("eta > 0", "eta*R2 <= 1", "forall(i, 1, d, lam[i] > 0)"),
        proof=chain(
            (f"{SIGMA_NORM} >= 0", termwise("sum", added(("1", [2], "y_k")), index="k")),
            then=added(("1/2", [0, 1, 3], "")),
        ),
        words="(b): eta <= 1/R^2.",
        **STATE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1584",
        1,
        f"{NORM}/2 <= {NORM}-{NORM}/2",
        words="An equality.",
        **PLAIN,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1584",
        2,
        f"{NORM}/2 <= {OLD_X}/2+sum(i, 1, d, y[i]*(y[i]-{X}))",
        proof=termwise("sum", added(("1/2", [], "theta*(y_k-z_k)")), index="k"),
        words="Half the square of y - x.",
        **PLAIN,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1589",
        1,
        f"{WRONG_LEFT} <= {MIXED}",
        witness={"theta": "1/16", "d": "1", "y": ["0"], "z": ["1"]},
        expect=Verdict.REFUTED,
        words="The left side is |y - x~_+*|^2/2, not |y - x_(t-1)|^2/2; at y = x~_+* the printed one is too large.",
        **PLAIN,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1589",
        "1/repaired",
        f"{NORM}/2 <= {MIXED}",
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1589.1",
        proof=termwise("sum", added(("1/2", [1], "theta*(y_k-z_k)")), index="k"),
        words="theta times the first plus 1 - theta times the second.",
        **PLAIN,
    ),
    step(
        "disp:1593",
        1,
        "mean(w, -eta*a[w]*t[w]) == -eta*(lam*y)",
        given=("mean(w, a[w]*t[w]) == lam*y",),
        example={"eta": "1/16", "lam": "1", "y": "1", "p_w": ["1"], "a": ["1"], "t": ["1"]},
        proof={"kind": "identity", "modulo": [[0, "-eta"]]},
        scope="each coordinate; t = a.y",
        words="E a (a.y) = Sigma y.",
        faithfulness=Faithfulness.AS_PRINTED,
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
        "(y-eta*g)-y == eta/gam*((v-gam*g)-v)",
        given=("gam > 0",),
        example={"y": "1", "eta": "1/16", "gam": "1/16", "g": "1", "v": "1"},
        scope="each coordinate; g is the gradient, v = w_(t-1)",
        words="Both steps go along the same gradient.",
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1601",
        1,
        f"{WRONG_LEFT} <= {projected('z[i]')}",
        given=GIVEN,
        witness=AT_ZERO,
        expect=Verdict.REFUTED,
        words="Besides the left side, z_(t-1) stands for z_t in the inner product.",
        **STATE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1601",
        "1/repaired",
        f"{NORM}/2 <= {projected(NEXT_Z)}",
        given=GIVEN,
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1601.1",
        proof=termwise(
            "sum",
            added(
                ("1/2", [1, 9], "theta*(y_k-z_k)"),
                multiplier=[9],
                modulo=[(10, "theta*(theta*y_k+(1-theta)*z_k)")],
            ),
            index="k",
        ),
        words="E(w - z_t) = gamma Sigma y, and theta w = y - (1-theta) x.",
        **STATE,
    ),
    step(
        "disp:1601",
        2,
        f"{projected('z[i]')} == {POLARISED}",
        given=GIVEN,
        witness=EXAMPLE,
        expect=Verdict.REFUTED,
        words="The same z_(t-1) for z_t: it is the new z that is expanded.",
        **STATE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1601",
        "2/repaired",
        f"{projected(NEXT_Z)} == {POLARISED}",
        given=GIVEN,
        faithfulness=Faithfulness.TYPO,
        repairs=f"{ID}/disp:1601.2",
        words="2 <w - z, w> = |w|^2 + |z - w|^2 - |z|^2.",
        **STATE,
    ),
    step(
        "disp:1601",
        3,
        f"theta/(2*gam)*sum(i, 1, d, {W}**2/lam[i]) <= theta**2/(2*gam)*{INVERSE_NORM}+theta/(2*gam)*(1-theta)*{OLD_Z}",
        given=("theta > 0", "theta < 1", "gam > 0", "forall(i, 1, d, lam[i] > 0)"),
        proof=termwise("sum", added(("1/2", [0, 0, 1], "y_k-z_k"), multiplier=[2, 3]), index="k"),
        words="(a): the square is convex, and w is between y and z.",
        **STATE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1612",
        1,
        f"{WRONG_LEFT} <= {BOUND}",
        given=(*GIVEN, "forall(i, 1, d, theta*gam*lam[i] <= 1-theta)"),
        proof=chain(
            (
                f"sum(i, 1, d, {LEFT_OVER}+gam*mu*y[i]**2-gam*mu*(y[i]-{X})**2)/mu >= 0",
                termwise("sum", PRINTED_IN_EACH, index="k"),
            ),
            then=added(("1/2", [14], ""), ("1/2", [0, 2, 2, 12], ""), multiplier=[2]),
        ),
        scope="every dimension and distribution; theta gamma lambda <= 1/256 by the choice of hyperparameters",
        words="True even with the wrong left side, but of no use: the next display needs |y - x~_+*|^2/2.",
        **{name: value for name, value in STATE.items() if name != "scope"},
        faithfulness=Faithfulness.AS_PRINTED,
    ),
    step(
        "disp:1612",
        "meant",
        f"{NORM}/2 <= {BOUND}",
        given=GIVEN,
        proof=chain(NONNEGATIVE, then=added(("1/2", [13], ""), ("1/2", [0, 2, 2, 12], ""), multiplier=[2])),
        words="What the next display uses: fourth moments in the Sigma^-1-norm, and lambda >= mu.",
        **STATE,
        faithfulness=Faithfulness.OURS,
    ),
    step(
        "disp:1619",
        1,
        f"{NEW_X}/2 <= {COMBINED}",
        given=(*GIVEN, "eta*R2 <= 1"),
        proof=chain(
            (
                f"sum(i, 1, d, {LEFT_OVER}+2*gam*mu*eta*(y[i]*mean(w, a[w, i]*{T})-lam[i]*y[i]**2))/mu >= 0",
                termwise("sum", DECREASE_IN_EACH, index="k"),
            ),
            (f"{SIGMA_NORM} >= 0", termwise("sum", added(("1", [9], "y_k")), index="k")),
            then=added(
                ("1/2", [14], ""),
                ("1/2", [0, 2, 2, 12], ""),
                ("1/2", [2, 11], "eta"),
                ("1/2", [2, 3, 13, 15], ""),
                multiplier=[2],
            ),
        ),
        words="True: disp:1612 as meant and disp:1576 with its eta, added up.",
        **STATE,
        faithfulness=Faithfulness.AS_PRINTED,
    ),
)
