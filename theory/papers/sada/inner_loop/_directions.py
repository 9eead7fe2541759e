"""lem:L-var in every direction: at an eigenvector u of Sigma the matrix form becomes sums of squares of powers of
A(lambda).

`Bl[k]` is A(lambda)^k, wl = (I - A(lambda))^-1 (eta, q)^T, and alpha = (u^T, 0). L_var is the sum of these over an
eigenbasis, with the weight lambda: that is what the trace with Sigma is.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.inner_loop import _matrix_form as form
from theory.papers.sada.inner_loop import _pi_of_every_size as pi
from theory.papers.sada.inner_loop._l_var_of_every_size import at, ours
from theory.provers.tactics import Tactic, cite, induct, instance, order, unroll

ID = "lem:L-var"
EIGEN, SOLVED = pi.EIGEN, "(I(2) - Al) @ wl == vb"
HALF = {"n": "p+1"}  # T = 2n with n >= 1
WHERE = {
    **form.FORM,
    **{name: pi.BLOCK_WHERE[name] for name in ("W", "Al", "vb", "mi")},
    "al": "(E1 @ u).T",
    "e1": "[[1, 0]]",
    "tail[k]": "(e1 @ (I(2) - Bl[k]) @ wl)",
    "kick[k, r]": "(e1 @ Bl[k] @ (I(2) - Bl[r+1]) @ wl)",
}
KINDS = {**pi.BLOCK["kinds"], "Bl": "matrix(2, 2)[nat]", "wl": "vector(2)"}
POINT: dict[str, Any] = {**pi.FIXED_POINT, "wl": ["1", "1"], "k": "1", "r": "1", "p": "0", "n": "1", "K": "1", "j": "1"}
DIRECTION: dict[str, Any] = {
    "kinds": KINDS,
    "where": WHERE,
    "steps": {**pi.BLOCK["steps"], "Bl[0]": "I(2)", "Bl[k+1]": "Al @ Bl[k]"},
    "example": POINT,
    "scope": "every d, every T, every nonnegative M, every eigenvector of Σ, every distribution",
}
FAMILY: dict[str, Any] = {
    "kinds": {"f": "matrix(1, 1)[nat]"}, "scope": "every family of numbers", "naturals": ("n", "j"),
    "example": {"n": "2", "j": "1", "f": {"0": "1", "1": "3"}},
}  # fmt: skip


def cited(part: str, then: Tactic, where: dict[str, str] | None = None, **more: Any) -> Tactic:
    return cite(f"{ID}#{part}", where, then=then, called=part, **more)


def empty(of: str, then: Tactic, called: str) -> Tactic:
    return unroll(of, then, end="empty", called=called)


def backwards(index: str) -> str:
    return f"sum({index}, j+1, j+{{n}}, f[{{n}}+j-{index}])"


def reversed_sum(index: str) -> Tactic:
    """f(n - 1) + … + f(0), for every shift j of the index."""
    left, right = backwards(index), "sum(i, 0, {n}-1, f[i])"
    base = order({"eq": "one"}, {"eq": "two", "k": "-1"})
    base = empty(left.replace("{n}", "0"), empty(right.replace("{n}", "0"), base, "two"), "one")
    step = order({"eq": "past"}, {"eq": "one"}, {"eq": "two", "k": "-1"})
    step = unroll(right.replace("{n}", "n+1"), step, called="two")
    step = unroll(left.replace("{n}", "(n+1)"), step, end="first", called="one")
    return induct("n", general=["j"], base=base, step=instance("IH", step, called="past", m="n", j="j+1"))


def turned(f: str, then: Tactic, part: str) -> Tactic:
    """The sum over k = 1, …, p + 1 of f(p + 1 - k), with f(0) apart: the facts `part` and "first"."""
    then = unroll(f"sum(i, 0, p, {f.replace('{}', 'i')})", then, end="first", called="first")
    image = {"f": {"at": ["i"], "is": f.replace("{}", "i")}}
    return cited(part, then, {"n": "p+1", "j": "0"}, letters=image)


COLUMN = "tr(S1 @ G({}-1) @ J(M) @ G({}-1).T)"


def other_index() -> Tactic:
    """B_m with T/2 - k for s: the new term is empty."""
    last = order({"eq": "reversed", "k": "-1"}, {"eq": "first", "k": "-1"}, ops=[{"use": "none"}])
    last = empty("G(-1)", last, "none")
    return turned(COLUMN, last, "reversed")


# ---- powers of A at an eigenvector


def block_commutes() -> Tactic:
    step = order({"eq": "past", "L": "Al"}, ops=[at("Bl", "k", "k")])
    return induct("k", base=order(ops=[{"use": "Bl[0]"}]), step=instance("IH", step, called="past", m="k"))


def power_block() -> Tactic:
    row = {"eq": 0, "T": 1, "L": "[[-step], [-q]]", "R": "E2.T @ Pw[k]"}
    step = order(row, {"eq": "past", "L": "Al"}, ops=[at("Pw", "k", "k"), at("Bl", "k", "k")])
    base = order(ops=[{"use": "Pw[0]"}, {"use": "Bl[0]"}])
    return induct("k", base=base, step=instance("IH", step, called="past", m="k"))


def sum_block() -> Tactic:
    """The sum of powers telescopes: A^k (I - A) w."""
    ops = [{"use": "zero"}, {"use": "none"}, {"use": "Pw[0]"}, at("Bl", "0", "k"), {"use": "Bl[0]"}]
    base = order({"eq": 1, "R": "u.T", "k": "-1"}, ops=ops)
    base = unroll("G(0)", empty("G(-1)", base, "none"), called="zero")
    step = order(
        {"eq": "past"},
        {"eq": "power block", "R": "V"},
        {"eq": 1, "L": "Bl[r+1]", "R": "u.T", "k": "-1"},
        {"eq": "block commutes", "R": "wl @ u.T"},
        ops=[{"use": "one"}, at("Bl", "r + 1", "k")],
    )
    step = cited("power block", cited("block commutes", step, {"k": "r+1"}), {"k": "r+1"})
    step = unroll("G(r+1)", step, called="one")
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def sum_commutes() -> Tactic:
    step = order({"eq": "past", "L": "A"}, {"eq": "swap", "R": "Pw[K]", "k": "-1"}, ops=[at("Pw", "K", "k")])
    step = cite(f"{form.ID}#geometric commutes", then=step, called="swap")
    return induct("K", base=order(ops=[{"use": "Pw[0]"}]), step=instance("IH", step, called="past", m="K"))


def square(fact: str, of: str, left: str) -> list[dict[str, Any]]:
    """`left` V = of u^T, squared with M between: the two items that say so."""
    first = {"eq": fact, "L": "e1", "R": f"M @ ({left} @ V).T"}
    second = {"eq": fact, "T": 1, "L": f"{of}*(u.T @ M)", "R": "e1.T"}
    return [first, second]


def later_part() -> Tactic:
    base = order({"eq": "two", "k": "-mi"}, ops=[{"use": "one"}])
    base = empty("Em(0)", empty("sum(i, 1, 0, tail[i]**2)", base, "two"), "one")
    step = order(
        {"eq": "past"}, *square("sum block", "tail[r+1]", "al @ G(r)"), {"eq": "two", "k": "-mi"}, ops=[{"use": "one"}]
    )
    step = unroll("Em(r+1)", unroll("sum(i, 1, r+1, tail[i]**2)", cited("sum block", step), called="two"), called="one")
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def earlier_part() -> Tactic:
    base = order({"eq": "two", "k": "-mi"}, ops=[{"use": "Pi[0]"}])
    base = empty("sum(k, 0, -1, kick[k, r]**2)", base, "two")
    step = order(
        {"eq": "past"},
        {"eq": "increment", "L": "al @ G(r)", "R": "(al @ G(r)).T"},
        *square("kicked", "kick[K, r]", "al @ G(r) @ Pw[K]"),
        {"eq": "two", "k": "-mi"},
    )
    step = unroll("sum(k, 0, K, kick[k, r]**2)", cited("kicked", step), called="two")
    step = cite(f"{pi.GROWS}#increment", {"t": "K"}, then=step, called="increment")
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


def kicked() -> Tactic:
    last = order(
        {"eq": "sum commutes", "L": "W.T", "R": "V"},
        {"eq": "power block", "R": "G(r) @ V"},
        {"eq": "sum block", "L": "Bl[K]"},
    )
    return cited("sum commutes", cited("power block", cited("sum block", last), {"k": "K"}))


# ---- the printed forms, T/2 = n = p + 1

HALVED = {**HALF, **{name: text for name, text in WHERE.items() if "(n, r)" not in name}}
IN_HALVES: dict[str, Any] = {**DIRECTION, "where": HALVED, "given": (EIGEN, SOLVED), "naturals": "p"}
EARLIER = "mi*sum(k, 0, n, kick[k, p]**2)"
LATER = "mi*sum(k, 1, n, tail[n-k]**2)"
A_HALF, B_HALF = "al @ G(p) @ Pi[n+1] @ G(p).T @ al.T", "al @ Em(p) @ al.T"


def a_half() -> Tactic:
    return cited("earlier part", order({"eq": "earlier part"}), {"r": "p", "K": "p+2"})


def b_half() -> Tactic:
    """The same sum backwards; the term with s = 0 vanishes."""
    last = order(
        {"eq": "later part"}, {"eq": "backwards", "k": "-mi"}, {"eq": "first", "k": "-mi"}, ops=[{"use": "Bl[0]"}]
    )
    return cited("later part", turned("tail[{}]**2", last, "backwards"), {"r": "p"})


CHAIN = (
    ours("reversed", f"{backwards('e').format(n='n')} == sum(i, 0, n-1, f[i])", "A sum backwards.", **FAMILY,
         proof=lambda claim: reversed_sum("e")),
    ours("backwards", f"{backwards('k').format(n='n')} == sum(i, 0, n-1, f[i])", "The same with k for the index.",
         **FAMILY, proof=lambda claim: reversed_sum("k")),
    ours("block commutes", "Al @ Bl[k] == Bl[k] @ Al", "Powers of A(λ) commute.", **DIRECTION, naturals="k",
         proof=lambda claim: block_commutes()),
    ours("power block", "W.T @ Pw[k] == Bl[k] @ W.T", "At an eigenvector A^k acts as A(λ)^k.", **DIRECTION, given=EIGEN,
         naturals="k", proof=lambda claim: power_block()),
    ours("sum block", "W.T @ G(r) @ V == (I(2) - Bl[r+1]) @ wl @ u.T", "And the sum of powers telescopes.", **DIRECTION,
         given=(EIGEN, SOLVED), naturals="r", proof=lambda claim: sum_block()),
    ours("sum commutes", "G(r) @ Pw[K] == Pw[K] @ G(r)", "The sum of powers commutes with powers.", **DIRECTION,
         naturals=("r", "K"), proof=lambda claim: sum_commutes()),
    ours("kicked", "W.T @ G(r) @ Pw[K] @ V == Bl[K] @ (I(2) - Bl[r+1]) @ wl @ u.T", "Both together.", **DIRECTION,
         given=(EIGEN, SOLVED), naturals=("r", "K"), proof=lambda claim: kicked()),
    ours("later part", "al @ Em(r) @ al.T == mi*sum(i, 1, r, tail[i]**2)", "B_m in one direction.", **DIRECTION,
         given=(EIGEN, SOLVED), naturals="r", proof=lambda claim: later_part()),
    ours("earlier part", "al @ G(r) @ Pi[K] @ G(r).T @ al.T == mi*sum(k, 0, K-1, kick[k, r]**2)",
         "A_m in one direction.", **DIRECTION, given=(EIGEN, SOLVED), naturals=("r", "K"),
         proof=lambda claim: earlier_part()),
    ours("late in one direction", f"{B_HALF} == {LATER}", "B_{T/2} in one direction, without the factor λ.",
         **IN_HALVES, proof=lambda claim: b_half()),
    ours("early in one direction", f"{A_HALF} == {EARLIER}", "A_{T/2} in one direction, without the factor λ.",
         **IN_HALVES, proof=lambda claim: a_half()),
)  # fmt: skip

# ---- w = (1, 1)/lambda (lem:A-inverse), for lem:Pi-average-bound; j is 1/lambda

AVERAGE = "lem:Pi-average-bound"
RECIPROCAL = "j*lam == 1"
ONES: dict[str, Any] = {
    **IN_HALVES,
    "kinds": {name: kind for name, kind in KINDS.items() if name != "wl"},
    "where": {**{name: text for name, text in HALVED.items() if "@ wl" not in text},
              "unit[k]": "(e1 @ Bl[k] @ (I(2) - Bl[n]) @ [[1], [1]])"},
    "given": (EIGEN, RECIPROCAL),
}  # fmt: skip
SCALED = "sum(k, 0, {K}, (e1 @ Bl[k] @ (I(2) - Bl[n]) @ (j*[[1], [1]]))**2)"


def scaled() -> Tactic:
    plain = "sum(k, 0, {K}, unit[k]**2)"
    base = order({"eq": "one"}, {"eq": "two", "k": "-j**2"}, {"eq": "none"}, {"eq": "nothing", "k": "-j**2"})
    base = empty(SCALED.replace("{K}", "-1"), empty(plain.replace("{K}", "-1"), base, "nothing"), "none")
    base = unroll(SCALED.replace("{K}", "0"), unroll(plain.replace("{K}", "0"), base, called="two"), called="one")
    step = order({"eq": "past"}, {"eq": "one"}, {"eq": "two", "k": "-j**2"})
    step = unroll(SCALED.replace("{K}", "K+1"), unroll(plain.replace("{K}", "K+1"), step, called="two"), called="one")
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


def at_ones() -> Tactic:
    last = order(
        {"eq": "a", "k": "lam"},
        {"eq": "scaled", "k": "lam*mi"},
        {"eq": 1, "k": "j*mi*sum(k, 0, n, unit[k]**2)"},
    )
    last = cite(f"{AVERAGE}#scaled", {"K": "p+1"}, then=last, called="scaled")
    solved = order({"eq": 1, "L": "vb"})
    letters = {"wl": {"is": "j*[[1], [1]]"}}
    return cite(f"{ID}#early in one direction", then=last, called="a", letters=letters, discharge={"1": solved})


SCALING = (
    ours("scaled", f"{SCALED.replace('{K}', 'K')} == j**2*sum(k, 0, K, unit[k]**2)", "1/λ² before the sum.",
         **{**ONES, "given": (), "naturals": ("p", "K")}, proof=lambda claim: scaled()),
    ours("in one direction", f"lam*({A_HALF}) == j*mi*sum(k, 0, n, unit[k]**2)",
         "lem:A-inverse turns (I − A)⁻¹(η, q)ᵀ into (1, 1)ᵀ/λ, and λm into m/λ; j = 1/λ.", **ONES,
         proof=lambda claim: at_ones()),
)  # fmt: skip
