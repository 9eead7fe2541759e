"""The core dynamics Pi_t(M), every dimension: Pi_0 = O, Pi_(t+1) = A Pi_t A^T + J(M), J(M) = V M V^T, V = (eta, q)^T.

Pi_inf, the sum of the series (disp:1188), is the limit of the growing Pi_t. Where a bound is claimed, that is said by
its definition: it lies above each Pi_t, and for every e > 0 some Pi_t has Pinf << Pi_t + e I.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop import _variance_bound as bound
from theory.papers.sada.inner_loop._l_var_of_every_size import BASE, NOTIONS, POWERS, SIZE, at
from theory.papers.sada.inner_loop._l_var_of_every_size import POINT as L_VAR_POINT
from theory.papers.sada.language import weight
from theory.provers.tactics import Tactic, cite, induct, instance, order, unroll

GROWS, ENTRY, TRACE = "lem:Pi-increasing", "lem:Pi-infinity", "lem:Pi-stationary-bound"
STEPS = {"Pi[0]": "O(2*d, 2*d)", "Pi[t+1]": "A @ Pi[t] @ A.T + J(M)"}
FIXED = "Pinf == A @ Pinf @ A.T + J(M)"
EIGEN = "moment @ u == lam*u"
SCOPE = "every size, every nonnegative M, every distribution whose moments exist"
POINT: dict[str, Any] = {**L_VAR_POINT, "M": [["2"]], "t": "2", "k": "1"}
CORE: dict[str, Any] = {
    "kinds": {**BASE["kinds"], "M": "psd(d)", "Pi": f"{SIZE}[nat]"},
    "where": NOTIONS,
    "steps": {**POWERS, **STEPS},
    "example": POINT,
    "scope": SCOPE,
}


# the block of lem:Pi-infinity, for d = 1, Sigma = M = 1
STATIONARY = [[bound.EXAMPLE["p11"], bound.EXAMPLE["p12"]], [bound.EXAMPLE["p12"], bound.EXAMPLE["p22"]]]
FIXED_POINT: dict[str, Any] = {**bound.EXAMPLE, "Pinf": STATIONARY, "t": "2"}
WITH_FIXED_POINT: dict[str, Any] = {
    **CORE, "kinds": {**CORE["kinds"], "Pinf": "psd(2*d)"}, "example": FIXED_POINT,
}  # fmt: skip


def clause(t: str) -> dict[str, Any]:
    return {"use": "Pi[t + 1]", "at": {"t": t}}


def two_steps(then: Tactic) -> Tactic:
    """The recursion at t and at t + 1, as the facts "this" and "next"."""
    return instance("Pi[t + 1]", instance("Pi[t + 1]", then, called="this", t="t"), called="next", t="t + 1")


def grows() -> Tactic:
    base = order({"psd": "M", "L": "V"}, ops=[clause("0"), {"use": "Pi[0]"}])
    step = order({"of": "past", "L": "A"}, {"eq": "next"}, {"eq": "this", "k": "-1"})
    return induct("t", base=base, step=two_steps(instance("IH", step, called="past", m="t")))


def grows_at(t: str) -> Tactic:
    return cite(f"{GROWS}#grows", {"t": t}, then=order({"of": "g"}), called="g")


def grows_far() -> Tactic:
    step = cite(f"{GROWS}#grows", {"t": "t + k"}, then=order({"of": "past"}, {"of": "g"}), called="g")
    return induct("k", base=order(), step=instance("IH", step, called="past", m="k"))


def partial(last: str) -> str:
    return f"sum(k, 0, {last}, Pw[k] @ J(M) @ Pw[k].T)"


def increment() -> Tactic:
    base = order(ops=[clause("0"), {"use": "Pi[0]"}, {"use": "Pw[0]"}])
    step = order(
        {"eq": "past", "L": "A", "R": "A.T"}, {"eq": "next"}, {"eq": "this", "k": "-1"}, ops=[at("Pw", "t", "k")]
    )
    return induct("t", base=base, step=two_steps(instance("IH", step, called="past", m="t")))


def expanded() -> Tactic:
    base = unroll(partial("-1"), order(ops=[{"use": "none"}, {"use": "Pi[0]"}]), end="empty", called="none")
    step = cite(f"{GROWS}#increment", then=order({"eq": "past"}, {"eq": "more"}, ops=[{"use": "sum"}]), called="more")
    step = unroll(partial("t"), step, called="sum")
    return induct("t", base=base, step=instance("IH", step, called="past", m="t"))


def by_expansion(*times: str, then: Tactic) -> Tactic:
    for count, time in enumerate(times):
        then = cite(f"{GROWS}/disp:1178.1", {"t": time}, then=then, called=f"sum {count}")
    return then


def series() -> Tactic:
    """Both partial sums are Pi."""
    last = order({"eq": "sum 0", "k": "-1"}, {"eq": "sum 1", "L": "A", "R": "A.T"}, {"eq": "step"})
    return instance("Pi[t + 1]", by_expansion("t + 1", "t", then=last), called="step", t="t")


def below_the_fixed_point() -> Tactic:
    step = order({"of": "past", "L": "A"}, {"eq": 0}, {"eq": "step", "k": "-1"})
    step = instance("Pi[t + 1]", step, called="step", t="t")
    base = order({"psd": "Pinf"}, ops=[{"use": "Pi[0]"}])
    return induct("t", base=base, step=instance("IH", step, called="past", m="t"))


# ---- at one eigenvector

AT = (EIGEN, FIXED)
BLOCK_WHERE = {
    **NOTIONS, "W": "[[u, O(d, 1)], [O(d, 1), u]]", "Al": "[[0, 1 - step*lam], [-c, 1 + c - q*lam]]",
    "vb": "[[step], [q]]", "mi": "(u.T @ M @ u)",
}  # fmt: skip
U_POINT = {**POINT, "a": {"1": "1", "2": "-1"}, "u": ["1"], "lam": "1", "Sigma": [["1"]]}
BLOCK: dict[str, Any] = {
    **CORE, "kinds": {**CORE["kinds"], "u": "vector(d)"}, "where": BLOCK_WHERE, "example": U_POINT,
}  # fmt: skip
FIXED_BLOCK: dict[str, Any] = {
    "kinds": {**BASE["kinds"], "M": "psd(d)", "Pinf": "psd(2*d)", "u": "vector(d)"}, "where": BLOCK_WHERE,
    "steps": POWERS, "scope": "every d, every nonnegative M, every distribution, every eigenvector of Σ",
    "example": FIXED_POINT,
}  # fmt: skip


def acts_as_a_block(x: str) -> list[dict[str, Any]]:
    """W^T A X A^T W = A(lambda) W^T X W A(lambda)^T, since Sigma u = lambda u; fact 0."""
    row = {"eq": 0, "T": 1, "L": "[[-step], [-q]]", "R": f"E2.T @ {x} @ (W.T @ A).T"}
    turned = {"eq": 0, "L": f"Al @ W.T @ {x} @ E2", "R": "[[-step, -q]]"}
    return [row, turned]


def block_recursion() -> Tactic:
    return order(*acts_as_a_block("Pi[t]"), ops=[clause("t")])


def block_fixed() -> Tactic:
    return order(*acts_as_a_block("Pinf"), {"eq": 1, "L": "W.T", "R": "W"})


WHOLE = f"((q - c*step)*{bound.D1}*{bound.D2}*lam)"


def entry() -> Tactic:
    """Three equations for the three entries of the block, solved for the last one."""
    al, be = "(1 - step*lam)", "(1 + c - q*lam)"
    first, second = "[[1, 0]]", "[[0, 1]]"
    last = order(
        {"eq": "block", "L": second, "R": f"{second}.T", "k": f"(1 + c*{al})/{WHOLE}"},
        {"eq": "block", "L": first, "R": f"{first}.T", "k": f"c**2*(1 + c*{al})/{WHOLE}"},
        {"eq": "block", "L": first, "R": f"{second}.T", "k": f"-2*c*{be}/{WHOLE}"},
    )
    return cite("lem:v-bound#divisors", then=cite(f"{ENTRY}#block", then=last, called="block"))


LOWER_U = "u.T @ (E2.T @ Pinf @ E2) @ u"
# Pi_inf is the limit of the growing Pi_t: for every e > 0 it is at most some Pi_t + e I
NEAR = "Pinf << Pi[t] + e*I(2*d)"
ALL: dict[str, Any] = {
    **CORE, "kinds": {**CORE["kinds"], "Pinf": "psd(2*d)"}, "example": {**FIXED_POINT, "e": "1"},
    "scope": "every d, every t, every ε, every nonnegative M, every distribution with the moments of the assumptions",
    "given": (*bound.SETTING, NEAR), "naturals": "t",
}  # fmt: skip
AVERAGE = "lem:Pi-average-bound"


def at_every_time() -> Tactic:
    """Pi_t is driven by M."""
    letters = {"X": {"at": ["k"], "is": "Pi[k]"}, "N": {"at": ["k"], "is": "M"}}
    shown = [order(ops=[{"use": "Pi[0]"}]), order(ops=[clause("e")]), order({"psd": "M"}), order(), order()]
    found = {str(len(bound.SETTING) + i): one for i, one in enumerate(shown)}
    last = order({"of": "stationary"})
    return cite(f"{AVERAGE}#stationary", {"K": "t"}, then=last, called="stationary", letters=letters, discharge=found)


def trace(*more: dict[str, Any]) -> Tactic:
    """1/4 and 4 from 1/16 and 1."""
    last = order(
        {"of": "time"},
        {"tr": [{"psd": "inv(Sigma)"}, {"psd": "M"}], "c": [weight("3/(16*kt)")]},
        {"tr": [{"L": "I(d)"}, {"psd": "M"}], "c": [weight("3"), {"fact": "step"}]},
        *more,
    )
    last = cite(f"{TRACE}#at every time", then=last, called="time")
    return cite("lem:v-bound#kappa", then=cite("lem:v-bound#step", then=last, called="step"))


def traces() -> list[Tactic]:
    return [trace(), trace({"tr": [{"psd": "Sigma", "L": "E2"}, {"of": len(bound.SETTING)}]})]
