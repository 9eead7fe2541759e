"""L_var of a driven sequence, and its stationary trace, for every dimension: X_0 = O, X_(t+1) = A X_t A^T + V N_t V^T.

If O <= N_t <= M up to time T = 2n, then L_var(X) <= (16/T) tr(Sigma^-1 M) and tr(Sigma X_t,22) <= tr(Sigma^-1 M)/(16
kappa~) + eta tr M. At an eigenvector u of Sigma, alpha = (u^T, 0) and the row kappa = (1, 0) (I - A)^-1 A along u give

    (alpha + kappa) A = kappa,     (alpha + kappa) V = u^T/lambda:

each step adds u^T N_t u/lambda^2 to alpha Y alpha^T + 2 alpha Z kappa^T + kappa X kappa^T, Y and Z the tail sums
of L_var.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from theory.papers.sada.inner_loop import _pi_of_every_size as pi
from theory.papers.sada.inner_loop import _variance_bound as bound
from theory.papers.sada.inner_loop._driven import ID as DRIVEN
from theory.papers.sada.inner_loop._driven import ZERO, driven, inside, positive
from theory.papers.sada.inner_loop._l_var_of_every_size import ID as L_VAR
from theory.papers.sada.inner_loop._l_var_of_every_size import NOTIONS, POWERS, WITH_TAIL, at, l_var, ours
from theory.papers.sada.inner_loop._tail_rows import GAIN, RECIPROCALS, SIZES
from theory.papers.sada.inner_loop._tail_rows import ID as ROWS
from theory.papers.sada.inner_loop._tail_rows import KINDS as ROW_KINDS
from theory.papers.sada.inner_loop._variance_of_every_size import ALONG, ALPHA, EIGEN, U_M_U, row
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, cite, eigen, induct, instance, order

ID = "lem:Pi-average-bound"
DRIVE = "V @ N[e] @ V.T"
SCOPE = "every size, every drive O ⪯ N_t ⪯ M, every distribution whose moments exist"


def below(last: str) -> str:
    return f"forall(e, 0, {last}, N[e] << M)"


def drive(last: str) -> tuple[str, ...]:
    """X is driven by N up to this time, and O <= N <= M."""
    return ZERO, driven(last, drive=DRIVE), positive(last, "N[e]"), below(last)


def _states() -> dict[str, Any]:
    """d = 1, Sigma = 1, N = 1 and A of the example of lem:v-bound."""
    found, x, y, z = {}, Fraction(0), Fraction(0), Fraction(0)
    step, c, q = (Fraction(bound.EXAMPLE[name]) for name in ("step", "c", "q"))
    al, be = 1 - step, 1 + c - q
    for t in range(8):
        found[str(t)] = [[str(x), str(y)], [str(y), str(z)]]
        x, y, z = al**2 * z + step**2, al * (be * z - c * y) + step * q, c**2 * x - 2 * c * be * y + be**2 * z + q**2
    return found


POINT: dict[str, Any] = {
    **bound.EXAMPLE, "X": _states(), "N": {str(t): [["1"]] for t in range(8)}, "al": [["0", "0"]], "ka": [["0", "0"]],
    "n": "1", "m": "0", "K": "2", "k": "0", "t": "1",
}  # fmt: skip
LETTERS = {**WITH_TAIL["kinds"], "N": "matrix(d, d)[nat]", "M": "psd(d)"}
TAIL: dict[str, Any] = {**WITH_TAIL, "kinds": LETTERS, "example": POINT, "scope": SCOPE}
ROWED: dict[str, Any] = {
    **TAIL, "kinds": {**LETTERS, "u": "vector(d)", **ROW_KINDS}, "steps": {**WITH_TAIL["steps"], **ALONG},
}  # fmt: skip
LINES: dict[str, Any] = {
    **ROWED, "steps": ALONG,
    "kinds": {name: kind for name, kind in ROWED["kinds"].items() if name not in ("Y", "Z", "Pw")},
}  # fmt: skip
AT = (*SIZES, *RECIPROCALS, EIGEN)


def cited(part: str, then: Tactic, where: dict[str, str] | None = None, **more: Any) -> Tactic:
    return cite(f"{ID}#{part}", where, then=then, called=part, **more)


def rows(part: str, then: Tactic, where: dict[str, str] | None = None) -> Tactic:
    return cite(f"{ROWS}#{part}", where, then=then, called=part)


def as_general(part: str, then: Tactic, where: dict[str, str], first: int, **more: Any) -> Tactic:
    """A fact about any driven sequence, for the drive V N V^T; `first` is the position of X[0] == 0."""
    letters = {"G": {"at": ["e"], "is": DRIVE}}
    shown = {"2": order({"of": first + 2, "at": {"e": "e"}, "L": "V"}), **more}
    return cite(f"{DRIVEN}#{part}", where, then=then, called=part, letters=letters, discharge=shown)


def past() -> Tactic:
    """By induction over t, for all rows kappa A^k at once."""
    k, next_ = row("k"), row("k+1")
    whole = order(
        {"of": "past"},
        {"c": [{"fact": "gain bound"}], "psd": "M", "L": "u.T"},
        {"of": "below", "c": [{"sq": GAIN}], "L": "u.T"},
        {"eq": "drive", "L": k, "R": f"{k}.T", "k": "-1"},
        {"eq": "row step", "R": f"X[t] @ ({k} @ A).T", "k": "-1"},
        {"eq": "row step", "T": 1, "L": f"{next_} @ X[t]", "k": "-1"},
    )
    step = rows("gain bound", rows("row step", whole))
    step = {**instance(len(AT) + 1, step, called="drive", e="t"), "within": inside("t", "K", "t + 1")}
    step = {**instance(len(AT) + 3, step, called="below", e="t"), "within": inside("t", "K", "t + 1")}
    step = instance("IH", step, called="past", b="t", k="k+1")
    base = order({"eq": len(AT), "L": k, "R": f"{k}.T", "k": "-1"})
    return induct("t", general=["k"], base=base, step=step, **{"as": "b"})


RHO = "(al + ka)"
CORRECTED = "al @ Y[{m}] @ al.T + 2*(al @ Z[{m}] @ ka.T) + ka @ X[n+{m}] @ ka.T"


def tail_step() -> Tactic:
    """(al + ka) A = ka: nothing but the drive is added."""
    return order(
        {"eq": 0, "T": 1, "L": "2*(al @ Z[m])"},
        {"eq": 1, "L": RHO, "R": f"{RHO}.T"},
        {"eq": 0, "R": f"X[n+m] @ ({RHO} @ A).T"},
        {"eq": 0, "T": 1, "L": "ka @ X[n+m]"},
        {"eq": 2, "L": "al", "R": "ka.T"},
        ops=[at("Z", "m"), at("Y", "m")],
    )


def corrected(m: str) -> str:
    return CORRECTED.replace("{m}", m).replace("al", f"({ALPHA})").replace("ka", f"({row('0')})")


def tail() -> Tactic:
    whole = order(
        {"of": "past"},
        {"of": "below", "c": [{"sq": "j"}], "L": "u.T"},
        {"eq": "tail step", "k": "-1"},
        {"eq": "row gain", "R": f"N[n+m] @ (({ALPHA} + {row('0')}) @ V).T", "k": "-1"},
        {"eq": "row gain", "T": 1, "L": "j*u.T @ N[n+m]", "k": "-1"},
    )
    images = {"al": {"is": ALPHA}, "ka": {"is": row("0")}}
    turned = order({"eq": "state", "sym": 1, "k": "-1"})
    within = {"3": order({"of": "m + 1"})}
    symmetric = as_general("state", turned, {"t": "n+m+1", "K": "n+K"}, len(AT), **within)
    shown = {"0": rows("row fixed", order({"eq": "row fixed"})), "1": order({"eq": "drive"}), "2": symmetric}
    step = rows("row gain", cited("tail step", whole, letters=images, discharge=shown))
    step = {**instance(len(AT) + 1, step, called="drive", e="n+m"), "within": inside("n + m", "n + K", "m + 1")}
    step = {**instance(len(AT) + 3, step, called="below", e="n+m"), "within": inside("n + m", "n + K", "m + 1")}
    base = order(ops=[{"use": "Z[0]"}, {"use": "Y[0]"}])
    return induct("m", base=base, step=instance("IH", step, called="past", b="m"), **{"as": "b"})


def direction() -> Tactic:
    """(alpha s)^2 <= 2 (alpha s + kappa x)^2 + 2 (kappa x)^2, for the matrices of second moments."""
    last = order(
        {"of": "joint", "L": f"[[2*{row('0')}, {ALPHA}]]"}, *({"of": name} for name in ("tail", "half", "whole") * 2)
    )
    last = as_general("joint", last, {"m": "n", "K": "n"}, len(AT))
    upto = str(len(AT) + 4)
    late = {"t": "n + n", "k": "0", "K": "n + n"}
    last = cite(f"{ID}#past", late, then=last, called="whole", discharge={upto: order()})
    early = {"t": "n", "k": "0", "K": "n + n"}
    last = cite(f"{ID}#past", early, then=last, called="half", discharge={upto: {"kind": "positive"}})
    return cited("tail", last, {"m": "n", "K": "n"}, discharge={upto: order()})


ALL: dict[str, Any] = {**TAIL, "given": (*bound.SETTING, *drive("n + n")), "naturals": "n"}
FIRST = len(bound.SETTING)  # the position of X[0] == 0
UPPER = "(E1.T @ Y[n] @ E1)"


def tail_trace() -> Tactic:
    last = order(
        {"of": "direction", "c": [{"fact": "lam"}]},
        {"eq": "eigen", "T": 1, "R": f"{UPPER} @ u", "k": "-1"},
        {"eq": "inverse", "T": 1, "R": "M @ u", "k": "8*n"},
    )
    reciprocals = {"i": "1/((q - c*step)*lam)", "j": "1/lam"}
    last = cited("direction", last, reciprocals, discharge={str(len(AT) - 1): bound.TO_MOMENT})
    last = cite(f"{ROWS}#sizes", then=bound.with_inverse(last), called="sizes")
    return eigen("Sigma", f"Sigma @ {UPPER}", "8*n*(inv(Sigma) @ M)", then=last)


def in_l_var() -> Tactic:
    last = order({"of": "tail trace", "c": [weight("4/(2*n)**2")]},
                 {"eq": "recursion", "L": "S1", "tr": 1, "k": "-4/(2*n)**2"})  # fmt: skip
    symmetric = as_general("state", order({"eq": "state", "sym": 1, "k": "-1"}), {"K": "n+n"}, FIRST)
    last = cite(f"{L_VAR}#recursion", {"m": "n", "K": "n"}, then=last, called="recursion", discharge={"0": symmetric})
    return cited("tail trace", last)


# ---- the stationary trace

BLOCK_WHERE = {
    **NOTIONS, "W": "[[u, O(d, 1)], [O(d, 1), u]]", "Al": "[[0, 1 - step*lam], [-c, 1 + c - q*lam]]",
    "Pb": "[[p11, p12], [p12, p22]]", "vb": "[[step], [q]]",
}  # fmt: skip
PLAIN = {name: kind for name, kind in LETTERS.items() if name not in ("Y", "Z", "Pw")}
BLOCK: dict[str, Any] = {
    "kinds": {**PLAIN, "u": "vector(d)"}, "where": BLOCK_WHERE, "example": POINT, "scope": SCOPE,
}  # fmt: skip
BLOCK_GIVEN = (EIGEN, "Pb == Al @ Pb @ Al.T + vb @ vb.T", "p22 > 0", "p11*p22 - p12**2 >= 0")


def block() -> Tactic:
    first = order(
        {"psd": "M", "L": "[[p12*u.T], [p22*u.T]]"},
        {"psd": "M", "L": "[[u.T], [O(1, d)]]", "c": [{"fact": 3}]},
        {"eq": 4, "L": "W.T", "R": "W", "k": "-p22"},
        multiplier=[2],
    )
    later = order(
        {"of": "past", "L": "Al"},
        {"of": "below", "L": "[[step*u.T], [q*u.T]]"},
        {"eq": "drive", "L": "W.T", "R": "W", "k": "-1"},
        {"eq": "block row", "R": "X[t] @ (W.T @ A).T", "k": "-1"},
        {"eq": "block row", "T": 1, "L": "Al @ W.T @ X[t]", "k": "-1"},
        {"eq": 1, "k": U_M_U},
    )
    later = cited("block row", later)
    later = {**instance(5, later, called="drive", e="t"), "within": inside("t", "K", "t + 1")}
    later = {**instance(7, later, called="below", e="t"), "within": inside("t", "K", "t + 1")}
    return induct("t", base=first, step=instance("IH", later, called="past", m="t"))


LOWER = "(E2.T @ X[t] @ E2)"


def stationary() -> Tactic:
    last = order(
        {"of": "block", "L": "[[0, 1]]", "c": [{"fact": "lam"}]},
        {"c": [{"fact": "stationary entry"}], "psd": "M", "L": "u.T"},
        {"eq": "eigen", "T": 1, "R": f"{LOWER} @ u", "k": "-1"},
        {"eq": "inverse", "T": 1, "R": "M @ u", "k": "1/(16*kt)"},
    )
    last = cite(f"{ROWS}#stationary entry", then=last, called="stationary entry")
    shown = {"0": bound.TO_MOMENT, "1": order(), "2": cite(f"{ROWS}#entry"), "3": cite(f"{ROWS}#psd")}
    last = cited("block", last, {"p11": bound.P11, "p12": bound.P12, "p22": bound.P22}, discharge=shown)
    last = cite(f"{ROWS}#sizes", then=bound.with_inverse(last), called="sizes")
    last = cite(f"{ROWS}#eigenvalue low", then=cite(f"{ROWS}#eigenvalue high", then=last))
    right = "(1/(16*kt))*(inv(Sigma) @ M) + step*M"
    return cite(f"{ROWS}#kappa", then=eigen("Sigma", f"Sigma @ {LOWER}", right, then=last))


def core() -> Tactic:
    """Pi_t(M) is driven by M."""
    spare = {"tr": [{"psd": "inv(Sigma)"}, {"psd": "M"}], "c": [weight("48/(2*n)")]}
    letters = {"X": {"at": ["t"], "is": "Pi[t]"}, "N": {"at": ["t"], "is": "M"}}
    step = order(ops=[{"use": "Pi[t + 1]", "at": {"t": "e"}}])
    shown = [order(ops=[{"use": "Pi[0]"}]), step, order({"psd": "M"}), order()]
    last = order({"of": "driven"}, spare)
    return cited("driven", last, letters=letters, discharge={str(FIRST + i): one for i, one in enumerate(shown)})


PI: dict[str, Any] = {
    "kinds": {**bound.SAMPLE, "Pw": "matrix(2*d, 2*d)[nat]", "M": "psd(d)", "Pi": "matrix(2*d, 2*d)[nat]"},
    "where": {**NOTIONS, "LvarPi": l_var("Pi[{}]")},
    "steps": {**POWERS, **pi.STEPS},
    "example": {**bound.EXAMPLE, "n": "1"},
    "scope": "every d, every T = 2n, every nonnegative M, every distribution with the moments of the assumptions",
    "given": (*bound.SETTING, "n >= 1"),
    "naturals": "n",
    "proof": lambda claim: core(),
}

CHAIN = (
    ours("past", f"{row('k')} @ X[t] @ {row('k')}.T <= t*j**2*{U_M_U}",
         "What the past contributes to the tail sum: at most uᵀMu/λ² a step.",
         **LINES, given=(*AT, *drive("K"), "t <= K"), naturals=("t", "k", "K"), proof=lambda claim: past()),
    ours("tail step", f"{CORRECTED.replace('{m}', 'm+1')} == {CORRECTED.replace('{m}', 'm')}"
         f" + {RHO} @ V @ N[n+m] @ V.T @ {RHO}.T",
         "One step of the tail sum, corrected so that nothing but the drive is added.",
         **{**TAIL, "kinds": {**LETTERS, "al": "matrix(1, 2*d)", "ka": "matrix(1, 2*d)"}},
         given=(f"{RHO} @ A == ka", "X[n+m+1] == A @ X[n+m] @ A.T + V @ N[n+m] @ V.T", "X[n+m+1] == X[n+m+1].T"),
         naturals=("n", "m"), proof=lambda claim: tail_step()),
    ours("tail", f"{corrected('m')} <= {row('0')} @ X[n] @ {row('0')}.T + m*j**2*{U_M_U}",
         "The corrected tail sum after m steps.",
         **ROWED, given=(*AT, *drive("n + K"), "m <= K"), naturals=("n", "m", "K"), proof=lambda claim: tail()),
    ours("direction", f"{ALPHA} @ Y[n] @ ({ALPHA}).T <= 8*n*j**2*{U_M_U}",
         "The tail sum in the direction of one eigenvector.",
         **ROWED, given=(*AT, *drive("n + n")), naturals="n", proof=lambda claim: direction()),
    ours("tail trace", "tr(S1 @ Y[n]) <= 8*n*tr(inv(Sigma) @ M)", "Added up over an eigenbasis of Σ.", **ALL,
         proof=lambda claim: tail_trace()),
    ours("driven", "LvarX <= 16*tr(inv(Sigma) @ M)/(2*n)",
         "L_var of every sequence that is driven by at most M, with 16 in the place of 64.",
         **{**ALL, "where": {**NOTIONS, "LvarX": l_var("X[{}]")}, "given": (*ALL["given"], "n >= 1")},
         proof=lambda claim: in_l_var()),
    ours("block row", "W.T @ A == Al @ W.T", "At an eigenvector A acts as the block A(λ).", **BLOCK, given=EIGEN,
         proof=lambda claim: order({"eq": 0, "T": 1, "L": "[[-step], [-q]]", "R": "E2.T"})),
    ours("block", f"W.T @ X[t] @ W << {U_M_U}*Pb", "The block of X_t at an eigenvector stays below the stationary one.",
         **BLOCK, given=(*BLOCK_GIVEN, *drive("K"), "t <= K"), naturals=("t", "K"), proof=lambda claim: block()),
    ours("stationary", f"tr(Sigma @ {LOWER}) <= tr(inv(Sigma) @ M)/(16*kt) + step*tr(M)",
         "The stationary trace of every sequence that is driven by at most M.",
         **{**BLOCK, "kinds": PLAIN, "where": NOTIONS}, given=(*bound.SETTING, *drive("K"), "t <= K"),
         naturals=("t", "K"), proof=lambda claim: stationary()),
)  # fmt: skip
