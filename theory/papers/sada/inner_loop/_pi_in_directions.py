"""The entries of Pi_inf at eigenvectors of Sigma (lem:Pi-infinity), and disp:1230: <diag(O, Sigma), Pi_inf> as a sum
over an eigenbasis.

p_i (`p[i]`) is the printed fraction, given by what it is times its divisor; eps is the e of `_pi_of_every_size`.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop import _basis as basis
from theory.papers.sada.inner_loop import _pi_of_every_size as pi
from theory.papers.sada.inner_loop import _variance_bound as bound
from theory.papers.sada.inner_loop._l_var_of_every_size import NOTIONS, ours
from theory.provers.tactics import Tactic, auto, chain, cite, have, order

LOWER = "E2.T @ Pinf @ E2"
UNITS = "forall(i, 1, d, u[i].T @ u[i] == 1)"
TOP, BOTTOM = "((1+c)*(q - c*step) + c*step*(q + c*step)*lam)", f"({bound.D1}*{bound.D2}*lam)"


def fraction(lam: str, p: str) -> str:
    return f"{p}*{BOTTOM} == {TOP}".replace("lam", lam)


FRACTION = fraction("lam", "p")
FRACTIONS = f"forall(i, 1, d, {fraction('lam[i]', 'p[i]')})"
NEAR = "Pinf << Pi[t] + eps*I(2*d)"
IN_DIRECTIONS = f"sum(i, 1, d, lam[i]*(u[i].T @ ({LOWER}) @ u[i]))"
WITH_ENTRIES = "sum(i, 1, d, lam[i]*m[i]*p[i] + eps*lam[i])"
POINT: dict[str, Any] = {
    **pi.FIXED_POINT, "u": {"1": ["1"]}, "lam": ["1"], "p": [bound.EXAMPLE["p22"]], "eps": "1",
}  # fmt: skip
OF_A_MATRIX: dict[str, Any] = {
    "kinds": {**bound.SAMPLE, "Pinf": "psd(2*d)", "u": "vector(d)[nat]"}, "where": NOTIONS, "example": POINT,
    "given": basis.LINE_599, "naturals": "d",
    "scope": "every d, every nonnegative matrix, every orthonormal eigenbasis of Σ, every distribution",
}  # fmt: skip
OF_THE_LIMIT: dict[str, Any] = {
    **pi.ALL, "kinds": {**pi.ALL["kinds"], "u": "vector(d)[nat]"},
    "where": {**NOTIONS, "m[i]": "(u[i].T @ M @ u[i])"}, "example": POINT,
    "given": (*bound.SETTING, NEAR, *basis.LINE_599[1:], UNITS, FRACTIONS), "naturals": ("t", "d"),
}  # fmt: skip


def trace_in_directions() -> Tactic:
    turned = {"eq": basis.EIGENVECTOR, "at": {"i": "b"}, "T": 1, "R": f"({LOWER}) @ u[b]"}
    last = order({"eq": "in a basis"}, {"eq": 0, "R": LOWER, "tr": 1})
    return basis.over_the_basis(LOWER, f"lam[i]*(u[i].T @ ({LOWER}) @ u[i])", order(turned), last)


def entry() -> Tactic:
    """The block of Pi_t at an eigenvector stays below the stationary one."""
    letters = {"X": {"at": ["k"], "is": "Pi[k]"}, "N": {"at": ["k"], "is": "M"}}
    shown = [order({"eq": len(bound.AT_LAM)}), order(), cite("lem:v-bound#entry"), cite("lem:v-bound#psd")]
    shown += [order(ops=[{"use": "Pi[0]"}]), order(ops=[pi.clause("e")]), order({"psd": "M"}), order(), order()]
    last = order({"of": "block", "L": "[[0, 1]]"}, {"eq": "fraction", "k": "mi"})
    last = {**have(f"p == {bound.P22}", then=last), "called": "fraction"}
    numbers = {"K": "t", "p11": bound.P11, "p12": bound.P12, "p22": bound.P22}
    found = {str(i): one for i, one in enumerate(shown)}
    last = cite(f"{pi.AVERAGE}#block", numbers, then=last, called="block", letters=letters, discharge=found)
    return cite("lem:v-bound#divisors", then=last)


ENTRY = ours(
    "entry", "u.T @ (E2.T @ Pi[t] @ E2) @ u <= mi*p", "The entry of Π̃_t at an eigenvector, for every t.",
    **{**pi.BLOCK, "example": {**pi.FIXED_POINT, "p": bound.EXAMPLE["p22"], "u": ["1"], "lam": "1"}},
    given=(*bound.AT_LAM, pi.EIGEN, FRACTION), naturals="t", proof=lambda claim: entry(),
)  # fmt: skip


def entry_by_entry() -> Tactic:
    first = len(bound.SETTING)
    here = {"letters": {"u": {"is": "u[b]"}}}
    turned = order({"eq": first + 2, "at": {"i": "b"}})
    each = order(
        {"of": "entry", "c": [{"fact": "sizes"}]},
        {"of": first, "L": "u[b].T @ E2.T", "c": [{"fact": "sizes"}]},
        {"eq": first + 3, "at": {"i": "b"}, "k": "-eps*lam[b]"},
    )
    found = {str(len(bound.AT_LAM)): turned, str(len(bound.AT_LAM) + 1): order({"eq": first + 4, "at": {"i": "b"}})}
    at_b = {"lam": "lam[b]", "p": "p[b]"}
    each = cite(f"{pi.TRACE}#entry", at_b, then=each, called="entry", discharge=found, **here)
    sizes = {
        str(first): order({"eq": first + 2, "at": {"i": "b"}}, {"eq": 0, "R": "u[b]"}),
        str(first + 1): order({"eq": first + 3, "at": {"i": "b"}}),
    }
    each = cite("lem:v-bound#sizes", {"lam": "lam[b]"}, then=each, called="sizes", discharge=sizes, **here)
    letters = {
        "f": {"at": ["i"], "is": f"lam[i]*(u[i].T @ ({LOWER}) @ u[i])"},
        "g": {"at": ["i"], "is": "lam[i]*m[i]*p[i] + eps*lam[i]"},
    }
    last = order({"of": "ordered"})
    return cite(
        f"{basis.ID}#ordered", {"K": "d", "N": "d"}, then=last, called="ordered", letters=letters, discharge={"0": each}
    )


# ---- lem:Pi-infinity: both sides of the equation, for every eps

ABOVE = "Pi[t+1] << Pinf"
ONE_ENTRY: dict[str, Any] = {
    **pi.BLOCK, "kinds": {**pi.BLOCK["kinds"], "Pinf": "psd(2*d)"}, "naturals": "t",
    "where": {**pi.BLOCK_WHERE, "slack": f"(1 + c**2)*(1 + c*(1 - step*lam))/{pi.WHOLE}"},
    "example": {**pi.FIXED_POINT, "p": bound.EXAMPLE["p22"], "u": ["1"], "lam": "1", "eps": "1"},
    "scope": "every d, every ε, every nonnegative M, every distribution, every eigenvector of Σ",
}  # fmt: skip
UNIT = "u.T @ u == 1"
DEFINED = (pi.EIGEN, UNIT, ABOVE, NEAR)


def pushed() -> Tactic:
    """Pi_inf >= Pi_(t+1) = A Pi_t A^T + J(M) >= A (Pi_inf - eps I) A^T + J(M), at an eigenvector."""
    columns = (("[[0], [-c]]", "[[0, -c]]"), ("[[1 - step*lam], [1 + c - q*lam]]", "[[1 - step*lam, 1 + c - q*lam]]"))
    return order(
        {"of": 2, "L": "W.T"},
        {"of": 3, "L": "Al @ W.T"},
        *pi.acts_as_a_block("Pi[t]"),
        *({"eq": 1, "L": left, "R": right, "k": "-eps"} for left, right in columns),
        ops=[pi.clause("t")],
    )


def from_above() -> Tactic:
    """The entry of Pi_t, and eps."""
    last = order(
        {"of": "entry"}, {"of": len(bound.AT_LAM) + 3, "L": "u.T @ E2.T"}, {"eq": len(bound.AT_LAM) + 1, "k": "-eps"}
    )
    return cite(f"{pi.TRACE}#entry", then=last, called="entry")


def from_below() -> Tactic:
    """The three entries of the block, weighted by a nonnegative matrix: g = 1 + c (1 - eta lambda)."""
    g, be = "(1 + c*(1 - step*lam))", "(1 + c - q*lam)"
    share = f"1/({pi.WHOLE}*{g})"
    last = order(
        {"of": "pushed", "L": f"[[-c*{be}, {g}]]", "c": [{"is": share, "because": auto()}]},
        {"of": "pushed", "L": "[[1, 0]]", "c": [{"is": f"c**2*({g}**2 - {be}**2)*{share}", "because": auto()}]},
        {"eq": "fraction", "k": "-mi"},
        {"c": [{"is": "eps", "because": auto()}], "L": "[[1]]"},
    )
    last = {**have(f"p == {bound.P22}", then=last), "called": "fraction"}
    last = cite(f"{pi.ENTRY}#pushed", then=last, called="pushed")
    return cite("lem:v-bound#divisors", then=chain(f"{g} > 0", f"{g} >= {be}", f"{be} > 0", then=last))
