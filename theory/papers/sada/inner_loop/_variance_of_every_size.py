"""The covariance C_t as a driven sequence, and the rows at an eigenvector of Sigma that every driven sequence needs.

With N_t = R + (M - M~) C_t,22 the covariance is driven: C_(t+1) = A C_t A^T + V N_t V^T, V = (eta, q)^T, and N_t grows
with t; so it is driven by at most the last N_t (`_driven_bound`), without layers or limits.
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


def cited(part: str, then: Tactic, where: dict[str, str] | None = None, **more: Any) -> Tactic:
    return cite(f"{ID}#{part}", where, then=then, called=part, **more)


def row(k: str) -> str:
    return f"[[x[{k}]*u.T, y[{k}]*u.T]]"


def tail(m: str, h: str = "h") -> str:
    return f"(s[n+{m}, {h}] - s[n, {h}])"


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


START = [{"use": "x[0]"}, {"use": "y[0]"}]
ALONG = {**COLUMN_STEPS, **ROW_STEPS}
LINES: dict[str, Any] = {
    "kinds": {"a": "vector(d)[S]", "u": "vector(d)", **KINDS},
    "where": {name: language.TAIL[name] for name in ("P[w]", "V", "E1", "E2", "Ahat[w]", "A", "moment")},
    "steps": ALONG,
    "example": POINT,
    **SCOPE,
    "given": (*SIZES, *RECIPROCALS, EIGEN),
}
TURN = len(SIZES) + len(RECIPROCALS)
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
        "row step", f"{row('k')} @ A == {row('k+1')}", "Rows in the direction of an eigenvector stay there.",
        **LINES, naturals="k",
        proof=lambda claim: order({"eq": TURN, "T": 1, "k": f"-{GAIN}", "R": "E2.T"}, ops=ROW),
    ),
    ours(
        "row fixed", f"({ALPHA} + {row('0')}) @ A == {row('0')}", "(α + κ) A = κ.",
        **LINES,
        proof=lambda claim: order(
            {"eq": TURN, "T": 1, "k": "-(step*(1 + x[0]) + q*y[0])", "R": "E2.T"},
            {"eq": 7, "k": "-(1 - step*lam)", "R": "[[O(1, d), u.T]]"}, ops=START),
    ),
    ours(
        "row gain", f"({ALPHA} + {row('0')}) @ V == j*u.T", "(α + κ)(η, q)ᵀ = uᵀ/λ: lem:A-inverse.",
        **LINES,
        proof=lambda claim: order(
            {"eq": 7, "k": "j - step", "R": "u.T"}, {"eq": 8, "k": "-i*(q - c*step)", "R": "u.T"}, ops=START),
    ),
)  # fmt: skip
