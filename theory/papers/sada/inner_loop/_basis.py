"""Sums over i = 1, …, d: an orthonormal basis u_1, …, u_d of eigenvectors of Sigma, as line 599 chooses it.

A trace is the sum of u_i^T X u_i over the basis, so that what holds in every direction (`_directions`) adds up to the
printed sums. `Bl[i, k]` is A_i^k, w_i = (I - A_i)^-1 (eta, q)^T, and m_i = u_i^T M u_i.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop import _directions as one
from theory.papers.sada.inner_loop import _matrix_form as form
from theory.papers.sada.inner_loop._directions import cited, empty
from theory.papers.sada.inner_loop._l_var_of_every_size import ours
from theory.papers.sada.inner_loop._variance_bound import SIGMA
from theory.provers.tactics import Tactic, cite, induct, instance, order, unroll

ID = "lem:L-var"
BASIS = "sum(i, 1, d, u[i] @ u[i].T) == I(d)"
VECTORS = "forall(i, 1, d, moment @ u[i] == lam[i]*u[i])"
SOLVED = "forall(i, 1, d, (I(2) - Ai[i]) @ wi[i] == vb)"
LINE_599 = (SIGMA, BASIS, VECTORS)
EIGENVECTOR = LINE_599.index(VECTORS)

# ---- a trace in a basis

FAMILY: dict[str, Any] = {
    "kinds": {"u": "vector(d)[nat]", "X": "matrix(d, d)", "g": "matrix(1, 1)[nat]"},
    "example": {"d": "1", "u": {"1": ["1"]}, "X": [["3"]], "g": {"1": [["3"]]}, "K": "1", "N": "1"},
    "scope": "every d, every orthonormal basis, every matrix",
}
TERMS = "forall(b, 1, {}, u[b].T @ X @ u[b] == g[b])"


def added_up() -> Tactic:
    """Term by term."""
    both, names = ("sum(i, 1, {}, u[i] @ u[i].T)", "sum(i, 1, {}, g[i])"), ("vectors", "numbers")
    last: list[Tactic] = [{"eq": "vectors", "L": "X", "tr": 1}, {"eq": "numbers", "k": "-1"}]
    base, step = order(*last), order({"eq": "past"}, *last, {"eq": "here"})
    step = instance(0, step, called="here", b="K+1")
    for text, name in zip(both, names, strict=True):
        base = empty(text.replace("{}", "0"), base, name)
        step = unroll(text.replace("{}", "K+1"), step, called=name)
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


def in_a_basis() -> Tactic:
    last = order({"eq": "added up"}, {"eq": 0, "L": "-X", "tr": 1})
    return cited("added up", last, {"K": "d", "N": "d"})


def factored() -> Tactic:
    both = ("sum(k, j, j+{}, x*f[k])", "sum(k, j, j+{}, f[k])")
    last = [{"eq": "one"}, {"eq": "two", "k": "-x"}]
    base, step = order(*last, {"eq": "none"}, {"eq": "nothing", "k": "-x"}), order({"eq": "past"}, *last)
    for text, name, none in zip(both, ("one", "two"), ("none", "nothing"), strict=True):
        base = unroll(text.replace("{}", "0"), empty(text.replace("{}", "-1"), base, none), called=name)
        step = unroll(text.replace("{}", "K+1"), step, called=name)
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


def ordered() -> Tactic:
    left, right = "sum(i, 1, {}, f[i])", "sum(i, 1, {}, g[i])"
    last = [{"eq": "right"}, {"eq": "left", "k": "-1"}]
    base, step = order(*last), instance(0, order({"of": "past"}, {"of": "here"}, *last), called="here", b="K+1")
    for text, name in ((left, "left"), (right, "right")):
        base = empty(text.replace("{}", "0"), base, name)
        step = unroll(text.replace("{}", "K+1"), step, called=name)
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


CHAIN = (
    ours("ordered", "sum(i, 1, K, f[i]) <= sum(i, 1, K, g[i])", "Sums are compared term by term.",
         kinds={"f": "matrix(1, 1)[nat]", "g": "matrix(1, 1)[nat]"}, scope="every two families of numbers",
         given=("forall(b, 1, N, f[b] <= g[b])", "K <= N"), naturals=("K", "N"),
         example={"K": "1", "N": "1", "f": {"1": [["1"]]}, "g": {"1": [["3"]]}}, proof=lambda claim: ordered()),
    ours("added up", "tr(X @ sum(i, 1, K, u[i] @ u[i].T)) == sum(i, 1, K, g[i])",
         "The part of a trace that lies in K directions.", **FAMILY,
         given=(TERMS.replace("{}", "N"), "K <= N"), naturals=("K", "N"), proof=lambda claim: added_up()),
    ours("in a basis", "tr(X) == sum(i, 1, d, g[i])", "A trace is the sum over an orthonormal basis.", **FAMILY,
         given=(BASIS, TERMS.replace("{}", "d")), naturals="d", proof=lambda claim: in_a_basis()),
    ours("factor", "sum(k, j, j+K, x*f[k]) == x*sum(k, j, j+K, f[k])", "A common factor of a sum.",
         kinds={"f": "matrix(1, 1)[nat]"}, scope="every family of numbers", naturals=("j", "K"),
         example={"j": "1", "K": "1", "x": "2", "f": {"1": [["1"]], "2": [["3"]]}}, proof=lambda claim: factored()),
)  # fmt: skip

# ---- the displays

KINDS = {
    **{name: kind for name, kind in one.KINDS.items() if name not in ("u", "Bl", "wl")},
    "u": "vector(d)[nat]", "Bl": "matrix(2, 2)[nat, nat]", "wi": "vector(2)[nat]",
}  # fmt: skip
ALONG = {
    "Ai[i]": "[[0, 1 - step*lam[i]], [-c, 1 + c - q*lam[i]]]", "m[i]": "(u[i].T @ M @ u[i])",
    "vb": "[[step], [q]]", "e1": "[[1, 0]]",
    "early[i, k]": "(e1 @ Bl[i, k] @ (I(2) - Bl[i, n]) @ wi[i])",
    "late[i, k]": "(e1 @ (I(2) - Bl[i, n-k]) @ wi[i])",
}  # fmt: skip
SUMS: dict[str, Any] = {
    "kinds": KINDS,
    "where": {**form.AT_HALF["where"], **ALONG},
    "steps": {**form.CORE["steps"], "Bl[i, 0]": "I(2)", "Bl[i, k+1]": "Ai[i] @ Bl[i, k]"},
    "example": {**one.POINT, "u": {"1": ["1"]}, "lam": ["1"], "wi": {"1": ["1", "1"]}},
    "scope": "every d, every T = 2n, every nonnegative M, every orthonormal eigenbasis of Σ, every distribution",
    "given": (*LINE_599, SOLVED),
    "naturals": ("p", "d"),
}
EARLY = "sum(i, 1, d, sum(k, 0, n, lam[i]*m[i]*early[i, k]**2))"
LATE = "sum(i, 1, d, sum(k, 1, n, lam[i]*m[i]*late[i, k]**2))"


CLAUSES = (("0", {"i": "b"}), ("k + 1", {"i": "b", "k": "k"}))


def at_b(claim: str, then: Tactic, second: Tactic, with_w: bool = True, **numbers: str) -> Tactic:
    """What holds in every direction, in that of u_b, as the fact "direction"; `second` shows its second hypothesis."""
    letters: dict[str, Any] = {"u": {"is": "u[b]"}, "Bl": {"at": ["k"], "is": "Bl[b, k]"}}
    letters |= {"wl": {"is": "wi[b]"}} if with_w else {}
    here = [order({"eq": EIGENVECTOR, "at": {"i": "b"}}), second]
    here += [order(ops=[{"use": f"Bl[i, {k}]", "at": at}]) for k, at in CLAUSES]
    found = {str(number): shown for number, shown in enumerate(here)}
    numbers = {"lam": "lam[b]", **numbers}
    return cite(claim, numbers, then=then, called="direction", letters=letters, discharge=found)


def over_the_basis(inside: str, summand: str, there: Tactic, then: Tactic) -> Tactic:
    """tr(Sigma X) for X = `inside` is the sum of the summands; `there` shows it of u_b^T Sigma X u_b."""
    letters = {"X": {"is": f"moment @ ({inside})"}, "g": {"at": ["i"], "is": summand}}
    return cited("in a basis", then, letters=letters, discharge={"1": there})


def part(first: str, of: str, factor: str, inside: str, weight: str, direction: Any, then: Tactic) -> Tactic:
    """One of the two sums over i and k, from k = `first` on: u_b^T Sigma X u_b = lambda_b u_b^T X u_b, then the sum."""
    turned = {"eq": EIGENVECTOR, "at": {"i": "b"}, "T": 1, "R": f"({inside}) @ u[b]"}
    last = order(turned, {"eq": "direction", "k": weight}, {"eq": "factor", "k": "-1"})
    letters = {"f": {"at": ["k"], "is": f"{of}[b, k]**2"}}
    count = {"j": first, "K": "p+1" if first == "0" else "p", "x": factor.replace("[i]", "[b]")}
    there = direction(cited("factor", last, count, letters=letters))
    return over_the_basis(inside, f"sum(k, {first}, n, {factor}*{of}[i, k]**2)", there, then)


E_INSIDE = "E1.T @ Em(p) @ E1"
A_INSIDE = "E1.T @ G(p) @ Pi[n+1] @ G(p).T @ E1"
FOURTH_AT_B = order({"eq": len(LINE_599), "at": {"i": "b"}})


def along(lemma: str) -> Any:
    return lambda then: at_b(f"{ID}#{lemma} in one direction", then, FOURTH_AT_B)


def late() -> Tactic:
    last = order({"eq": "in a basis"}, {"eq": "traces"}, {"eq": 0, "R": E_INSIDE, "tr": 1})
    last = part("1", "late", "lam[i]*m[i]", E_INSIDE, "lam[b]", along("late"), last)
    return cite(f"{form.ID}#traces", {"r": "p"}, then=last, called="traces")


def early() -> Tactic:
    last = order({"eq": "in a basis"}, {"eq": 0, "R": A_INSIDE, "tr": 1})
    return part("0", "early", "lam[i]*m[i]", A_INSIDE, "lam[b]", along("early"), last)


def whole() -> Tactic:
    last = order({"eq": "form"}, {"eq": "early", "k": "4/(2*(p+1))**2"}, {"eq": "late", "k": "4/(2*(p+1))**2"})
    last = cite(f"{ID}/disp:1138.1", then=cite(f"{ID}/disp:1125.1", then=last, called="late"), called="early")
    return cite(form.ID, then=last, called="form")


# ---- w_i = (1, 1)/lambda_i, j_i = 1/lambda_i, for lem:Pi-average-bound

RECIPROCALS = "forall(i, 1, d, j[i]*lam[i] == 1)"
EARLY_AT_ONES = "sum(i, 1, d, sum(k, 0, n, j[i]*m[i]*unit[i, k]**2))"
SUMS_AT_ONES: dict[str, Any] = {
    **SUMS,
    "kinds": {name: kind for name, kind in KINDS.items() if name != "wi"},
    "where": {**{name: text for name, text in SUMS["where"].items() if "@ wi" not in text},
              "unit[i, k]": "(e1 @ Bl[i, k] @ (I(2) - Bl[i, n]) @ [[1], [1]])"},
    "example": {**SUMS["example"], "j": ["1"]},
    "given": (*LINE_599, RECIPROCALS),
}  # fmt: skip


def early_at_ones() -> Tactic:
    def direction(then: Tactic) -> Tactic:
        return at_b(f"{one.AVERAGE}#in one direction", then, FOURTH_AT_B, with_w=False, j="j[b]")

    last = order({"eq": "in a basis"}, {"eq": 0, "R": A_INSIDE, "tr": 1})
    return part("0", "unit", "j[i]*m[i]", A_INSIDE, "1", direction, last)
