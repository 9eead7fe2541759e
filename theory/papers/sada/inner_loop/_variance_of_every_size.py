"""E|v|_Sigma^2 for every dimension and distribution, without layers, limits or double sums.

With N_t = R + (M - M~) C_t,22 the covariance is driven: C_(t+1) = A C_t A^T + V N_t V^T, V = (eta, q)^T, and N_t grows
with t. At an eigenvector u of Sigma, alpha = (u^T, 0) and the row kappa = (1, 0) (I - A)^-1 A along u give

    (alpha + kappa) A = kappa,     (alpha + kappa) V = u^T/lambda:

each step adds u^T N_t u/lambda^2 to E (alpha s_t + kappa eta_t)^2, s_t the sum of the tail. So E (alpha s)^2 is at most
8 n u^T N u/lambda^2 for a tail of n steps after n, N the last drive; and C_t stays below the stationary block.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada import language
from theory.papers.sada.inner_loop._tail_rows import COLUMNS as COLUMN_STEPS
from theory.papers.sada.inner_loop._tail_rows import GAIN, ID, KINDS, RECIPROCALS, ROW, SIZES, ours
from theory.papers.sada.inner_loop._tail_rows import POINT as NUMBERS_POINT
from theory.papers.sada.inner_loop._tail_rows import ROWS as ROW_STEPS
from theory.provers.tactics import Tactic, cite, induct, instance, order

PEELED = "lem:layer-peeled-decomposition"
OPTIMAL = language.OPTIMAL
EIGEN = "moment @ u == lam*u"
LOOP: dict[str, Any] = {"kinds": language.TAIL_KINDS, "where": language.TAIL, "steps": language.TAIL_STEPS}
SCOPE = {"scope": language.EVERY_SIZE}
POINT: dict[str, Any] = {
    **NUMBERS_POINT, "d": "1", "t": "1", "n": "1", "m": "0", "K": "2", "k": "0", "l": "0", "a": {"1": "1", "2": "-1"},
    "eps": {"1": "1", "2": "1"}, "p_S": ["1/2", "1/2"], "u": ["1"], "M": [["1"]], "al": [["1", "0"]],
}  # fmt: skip
ALPHA = "(E1 @ u).T"
U_M_U = "(u.T @ M @ u)"
WITHIN = order({"of": "t + 1"}, {"L": "1"})


def cited(part: str, then: Tactic, where: dict[str, str] | None = None, **more: Any) -> Tactic:
    return cite(f"{ID}#{part}", where, then=then, called=part, **more)


def row(k: str) -> str:
    return f"[[x[{k}]*u.T, y[{k}]*u.T]]"


def tail(m: str, h: str = "h") -> str:
    return f"(s[n+{m}, {h}] - s[n, {h}])"


def driven(last: str) -> str:
    """The drive stays below M up to this time."""
    return f"forall(l, 0, {last}, N[l] << M)"


def grows() -> Tactic:
    """C_1 - C_0 is the covariance of zeta, and B keeps the order."""
    first = order({"E": {"v": "S"}, "L": "eps[v]*(V @ a[v])"}, {"eq": "r"}, ops=[{"use": "eta[0, h]"}])
    first = cite(f"{PEELED}/disp:733.1", {"t": "0"}, then=first, called="r")
    later = order({"of": "past", "E": {"v": "S"}, "L": "Ahat[v]"}, {"eq": "next"}, {"eq": "this", "k": "-1"})
    later = cite(f"{PEELED}/disp:733.1", {"t": "t"}, then=later, called="this")
    later = cite(f"{PEELED}/disp:733.1", {"t": "t+1"}, then=later, called="next")
    return induct("t", base=first, step=instance("IH", later, called="past", m="t"))


def grows_far() -> Tactic:
    step = cited("covariance grows", order({"of": "past"}, {"of": "covariance grows"}), {"t": "t+k"})
    return induct("k", base=order(), step=instance("IH", step, called="past", m="k"))


def drive_below() -> Tactic:
    step = cited("drive grows", order({"of": "past"}, {"of": "drive grows"}), {"t": "K", "k": "1"})
    return induct(
        "K", start="l", base=order(), step=instance("IH", step, called="past", m="K"), long=order({"of": "l"})
    )


RHO = "(al + ka)"


def tail_step() -> Tactic:
    """A fresh sample: E zeta = 0 against the past, E eta = 0 against the sample, (al + ka) A = ka."""
    inner = tail("m", "g")
    whole = order(
        {"eq": 1, "E": {"g": "H"}, "k": f"2*(al @ {inner})", "R": "eta[n+m, g]"},
        {"eq": 1, "E": {"g": "H"}, "R": f"eta[n+m, g] @ eta[n+m, g].T @ ({RHO} @ A + ka).T"},
        {"eq": 0, "E": {"g": "H"}, "k": f"2*(al @ {inner})", "L": f"{RHO} @ V"},
        {"eq": "centred", "E": {"v": "S"}, "k": f"2*({RHO} @ zeta[v])", "L": f"{RHO} @ Ahat[v]"},
        ops=["advance"],
    )
    return cite(f"{PEELED}/disp:733.mean zero", {"t": "n+m"}, then=whole, called="centred")


def past_is_bounded() -> Tactic:
    """By induction over t, for all rows kappa A^k at once."""
    whole = order(
        {"of": "past"},
        {"c": [{"fact": "gain bound"}], "psd": "M", "L": "u.T"},
        {"of": "below", "c": [{"sq": GAIN}], "L": "u.T"},
        {"eq": "drive", "L": row("k"), "R": f"{row('k')}.T", "k": "-1"},
        {"eq": "row step", "R": f"C[t] @ ({row('k')} @ A + {row('k+1')}).T", "k": "-1"},
    )
    step = cited("drive", cited("gain bound", cited("row step", whole)))
    step = {**instance(len(AT) + 1, step, called="below", l="t"), "within": {"t <= K": WITHIN}}
    step = instance("IH", step, called="past", m="t", k="k+1")
    return induct("t", general=["k"], base=order(ops=[{"use": "eta[0, h]"}]), step=step)


def tail_is_bounded() -> Tactic:
    whole = order(
        {"of": "past"},
        {"of": "below", "c": [{"sq": "j"}], "L": "u.T"},
        {"eq": "tail step", "k": "-1"},
        {"eq": "row gain", "R": f"N[n+m] @ (({ALPHA} + {row('0')}) @ V + j*u.T).T", "k": "-1"},
    )
    images = {"al": {"is": ALPHA}, "ka": {"is": row("0")}}
    fixed = {"1": cited("row fixed", order({"eq": "row fixed"}))}
    step = cited("row gain", cited("tail step", whole, letters=images, discharge=fixed))
    inside = {"n + m <= n + K": order({"of": "m + 1"}, {"L": "1"})}
    step = {**instance(len(AT) + 1, step, called="below", l="n+m"), "within": inside}
    return induct("m", base=order(), step=instance("IH", step, called="past", b="m"), **{"as": "b"})


def direction_is_bounded() -> Tactic:
    """(alpha s)^2 <= 2 (alpha s + kappa eta)^2 + 2 (kappa eta)^2."""
    square = {"E": {"g": "H"}, "L": f"{ALPHA} @ {tail('n', 'g')} + 2*({row('0')} @ eta[n+n, g])"}
    last = order(square, *({"of": name} for name in ("tail", "half", "whole") * 2))
    upto = len(AT) + 2
    late = {"t": "n + n", "k": "0", "K": "n + n"}
    last = cite(f"{ID}#past", late, then=last, called="whole", discharge={str(upto): order()})
    early = {"t": "n", "k": "0", "K": "n + n"}
    last = cite(f"{ID}#past", early, then=last, called="half", discharge={str(upto): {"kind": "positive"}})
    return cited("tail", last, {"m": "n", "K": "n"}, discharge={str(upto): order()})


AT = (*SIZES, *RECIPROCALS, OPTIMAL)  # what holds at one eigenvector; then EIGEN, then the bound on the drive
BOTH = {**COLUMN_STEPS, **ROW_STEPS}
ROWED: dict[str, Any] = {
    "kinds": {**language.TAIL_KINDS, "u": "vector(d)", "M": "psd(d)", **KINDS},
    "where": language.TAIL,
    "steps": {**language.TAIL_STEPS, **BOTH},
    "example": POINT,
    **SCOPE,
}
START = [{"use": "x[0]"}, {"use": "y[0]"}]
CORE: dict[str, Any] = {**LOOP, "example": POINT, **SCOPE}

CHAIN = (
    ours(
        "drive",
        "C[t+1] == A @ C[t] @ A.T + V @ N[t] @ V.T",
        "The recursion of C_t with the excess of B over B̃ in the drive N_t.",
        **CORE, given=OPTIMAL, naturals="t",
        proof=lambda claim: cite(f"{PEELED}/disp:733.1", then=order({"eq": "r"}), called="r"),
    ),
    ours(
        "covariance grows", "C[t] << C[t+1]", "C_t grows in the order of matrices.",
        **CORE, given=OPTIMAL, naturals="t", proof=lambda claim: grows(),
    ),
    ours(
        "covariance grows far", "C[t] << C[t+k]", "The same over any number of steps.",
        **CORE, given=OPTIMAL, naturals=("t", "k"), proof=lambda claim: grows_far(),
    ),
    ours(
        "drive grows", "N[t] << N[t+k]", "So the drive grows: it is a mean of congruences of C_t.",
        **CORE, given=OPTIMAL, naturals=("t", "k"),
        proof=lambda claim: cited("covariance grows far", order(
            {"of": "covariance grows far", "E": {"v": "S"}, "L": "(P[v] - moment) @ E2.T"})),
    ),
    ours(
        "drive below", "N[l] << N[K]", "Up to the horizon the drive is at most the last one.",
        **CORE, given=(OPTIMAL, "l <= K"), naturals=("l", "K"), proof=lambda claim: drive_below(),
    ),
    ours(
        "tail step",
        f"E(h, (al @ {tail('m+1')} + ka @ eta[n+m+1, h])**2) == E(h, (al @ {tail('m')} + ka @ eta[n+m, h])**2)"
        f" + {RHO} @ V @ N[n+m] @ V.T @ {RHO}.T",
        "One step of the tail sum, corrected so that nothing but fresh noise is added.",
        **CORE | {
            "kinds": {**language.TAIL_KINDS, "al": "matrix(1, 2*d)", "ka": "matrix(1, 2*d)"},
            "example": {**POINT, "al": [["0", "0"]], "ka": [["0", "0"]]},
        },
        given=(OPTIMAL, f"{RHO} @ A == ka"), naturals=("n", "m"), proof=lambda claim: tail_step(),
    ),
    ours(
        "row step", f"{row('k')} @ A == {row('k+1')}", "Rows in the direction of an eigenvector stay there.",
        **ROWED, given=(*AT, EIGEN), naturals="k",
        proof=lambda claim: order({"eq": len(AT), "T": 1, "k": f"-{GAIN}", "R": "E2.T"}, ops=ROW),
    ),
    ours(
        "past",
        f"{row('k')} @ C[t] @ {row('k')}.T <= t*j**2*{U_M_U}",
        "What the past contributes to the tail sum: at most u^T M u/λ² a step.",
        **ROWED, given=(*AT, EIGEN, driven("K"), "t <= K"), naturals=("t", "k", "K"),
        proof=lambda claim: past_is_bounded(),
    ),
    ours(
        "row fixed", f"({ALPHA} + {row('0')}) @ A == {row('0')}", "(α + κ) A = κ.",
        **ROWED, given=(*AT, EIGEN),
        proof=lambda claim: order(
            {"eq": len(AT), "T": 1, "k": "-(step*(1 + x[0]) + q*y[0])", "R": "E2.T"},
            {"eq": 7, "k": "-(1 - step*lam)", "R": "[[O(1, d), u.T]]"}, ops=START),
    ),
    ours(
        "row gain", f"({ALPHA} + {row('0')}) @ V == j*u.T", "(α + κ)(η, q)ᵀ = uᵀ/λ: lem:A-inverse.",
        **ROWED, given=(*AT, EIGEN),
        proof=lambda claim: order(
            {"eq": 7, "k": "j - step", "R": "u.T"}, {"eq": 8, "k": "-i*(q - c*step)", "R": "u.T"}, ops=START),
    ),
    ours(
        "tail",
        f"E(h, ({ALPHA} @ {tail('m')} + {row('0')} @ eta[n+m, h])**2)"
        f" <= {row('0')} @ C[n] @ {row('0')}.T + m*j**2*{U_M_U}",
        "The corrected tail sum after m steps.",
        **ROWED, given=(*AT, EIGEN, driven("n + K"), "m <= K"), naturals=("n", "m", "K"),
        proof=lambda claim: tail_is_bounded(),
    ),
    ours(
        "direction",
        f"E(h, ({ALPHA} @ {tail('n')})**2) <= 8*n*j**2*{U_M_U}",
        "The tail sum in the direction of one eigenvector.",
        **ROWED, given=(*AT, EIGEN, driven("n + n")), naturals="n", proof=lambda claim: direction_is_bounded(),
    ),
)  # fmt: skip
