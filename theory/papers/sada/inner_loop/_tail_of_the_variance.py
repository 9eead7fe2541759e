"""E|v|_Sigma^2 is L_var of the covariances, and L_var adds up over the layers; every dimension, T = 2n, distribution.

The tail sum s_(n+m) - s_n has E(tail eta^T) and E(tail tail^T) that obey the recursion of L_var (def:L-var) with C_t:
only E A^ = A and E zeta = 0 are used. The same holds for psi_t of disp:942.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada import language
from theory.papers.sada.inner_loop._l_var_of_every_size import ID as L_VAR
from theory.papers.sada.inner_loop._l_var_of_every_size import NOTIONS, POWERS, SIZE, at, double, l_var, ours
from theory.provers.tactics import Tactic, auto, cite, induct, instance, order, unroll

LEMMA = "lem:v-L-var"
LAYERS = "lem:layer-peeled-decomposition"


def tail(m: str, h: str = "h") -> str:
    return f"(s[n+{m}, {h}] - s[n, {h}])"


V = f"(1/n)*(E1.T @ {tail('n')})"
WHERE = {
    **NOTIONS,
    "v[h]": V,
    **{name: language.TAIL[name] for name in ("R", "zeta[w]", "calB(X)", "C[t]")},
    "calBt(X)": "A @ X @ A.T",
}
POINT: dict[str, Any] = {
    **language.POINT,
    "Sigma": [["5/2"]],
    "n": "1",
    "m": "1",
    "k": "1",
    "l": "1",
    "r": "0",
    "p": "1",
}
POINT |= {"a": {"1": "1", "2": "1"}, "eps": {"1": "1", "2": "-1"}, "K": "2"}
WHERE |= {"LvarC": l_var("C[{}]")}
LOOP: dict[str, Any] = {
    "kinds": {**language.TAIL_KINDS, "Sigma": "pd(d)", "Pw": f"{SIZE}[nat]"},
    "where": WHERE,
    "steps": {**language.TAIL_STEPS, **POWERS},
    "example": POINT,
    "scope": "every size, every distribution whose moments exist",
}
CENTRED = language.OPTIMAL


def as_a_sum(state: str, then: Tactic) -> Tactic:
    """The recursion of L_var at E(state state^T), with the means of the tail sum for Z and Y; fact 0: the noise has
    mean zero."""
    means = {
        "X": {"at": ["t"], "is": f"E(h, {state}[t, h] @ {state}[t, h].T)"},
        "Y": {"at": ["b"], "is": f"E(h, {tail('b')} @ {tail('b')}.T)"},
        "Z": {"at": ["b"], "is": f"E(h, {tail('b')} @ {state}[n+b, h].T)"},
    }
    right = {"eq": 0, "T": 1, "E": {"g": "H"}, "L": tail("m", "g"), "R": "V.T"}
    left = {"eq": 0, "E": {"g": "H"}, "L": "V", "R": tail("m", "g") + ".T"}
    shown = {
        "0": order(), "2": order(), "3": order(right, left, ops=["advance"]), "4": order(),
        "5": order(right, ops=["advance"]),
    }  # fmt: skip
    return cite(
        f"{L_VAR}#recursion", {"m": "n", "K": "n"}, then=then, called="recursion", letters=means, discharge=shown
    )


def variance(sign: str = "-") -> Tactic:
    return as_a_sum("eta", order({"eq": "recursion", "L": "S1", "tr": 1, "k": f"{sign}4/(2*n)**2"}))


PSI: dict[str, Any] = {
    **LOOP,
    "kinds": {
        "a": "vector(d)[S]", "xi": "vector(d)[S]", "H": "history(S)", "psi": "vector(2*d)[nat, H]",
        "s": "vector(2*d)[nat, H]", "Sigma": "pd(d)", "Pw": f"{SIZE}[nat]",
    },
    "where": {**NOTIONS, "Lvar": l_var("E(h, psi[{}, h] @ psi[{}, h].T)")},
    "steps": {
        "psi[0, h]": "O(2*d, 1)", "psi[t+1, h]": "A @ psi[t, h] + V @ xi[w]",
        "s[0, h]": "O(2*d, 1)", "s[t+1, h]": "s[t, h] + A @ psi[t, h] + V @ xi[w]", **POWERS,
    },
    "example": {**POINT, "xi": {"1": "1", "2": "-1"}},
}  # fmt: skip


def auxiliary() -> Tactic:
    return as_a_sum("psi", order({"eq": "recursion", "L": "S1", "tr": 1, "k": "4/(2*n)**2"}))


# ---- E eta_s eta_t^T, pair by pair


def pair(s: str, t: str) -> str:
    return f"E(h, eta[{s}, h] @ eta[{t}, h].T)"


def later_state() -> Tactic:
    fresh = {"eq": 0, "E": {"g": "H"}, "L": "V", "R": "eta[t, g].T"}
    step = order({"eq": "past", "L": "A"}, fresh, ops=["advance", at("Pw", "k", "k")])
    return induct("k", base=order(ops=[{"use": "Pw[0]"}]), step=instance("IH", step, called="past", m="k"))


def earlier_pairs(p: str, r: str) -> tuple[str, str]:
    return f"sum(j, n+1, n+{p}, {pair(f'n+{p}+{r}', 'j')})", f"sum(j, n+1, n+{p}, Pw[n+{p}+{r}-j] @ C[j])"


def later_pairs(p: str, r: str) -> tuple[str, str]:
    return f"sum(j, {p}+1, {p}+{r}, {pair(p, 'j')})", f"sum(j, {p}+1, {p}+{r}, C[{p}] @ Pw[j-({p})].T)"


def split_pairs(p: str, r: str) -> tuple[str, str, str]:
    at_s = f"n+{p}"
    ranges = (f"n+1, n+{p}+{r}", f"n+1, n+{p}", f"n+{p}+1, n+{p}+{r}")
    whole, first, second = (f"sum(j, {ends}, {pair(at_s, 'j')})" for ends in ranges)
    return whole, first, second


def all_pairs(l: str, r: str) -> tuple[str, str]:
    last = f"n+{l}+{r}"
    return f"sum(i, n+1, n+{l}, sum(j, n+1, {last}, {pair('i', 'j')}))", double("C[{}]", f"n+{l}", last)


def _sums(base: Tactic, step: Tactic, now: tuple[str, ...], then: tuple[str, ...]) -> tuple[Tactic, Tactic]:
    """Empty at the start; at the next number the last term stands apart."""
    for count, (first, later) in enumerate(zip(now, then, strict=True)):
        base = unroll(first, base, end="empty", called=f"sum {count}")
        step = unroll(later, step, called=f"sum {count}")
    return base, step


USE = [{"use": "sum 0"}, {"use": "sum 1"}]


def _later(where: dict[str, str], then: Tactic) -> Tactic:
    return cite(f"{LEMMA}#later state", where, then=then, called="later")


def earlier_terms() -> Tactic:
    step = _later({"t": "n+p+1", "k": "r"}, order({"eq": "past"}, {"eq": "later"}, ops=USE))
    base, step = _sums(order(ops=USE), step, earlier_pairs("0", "r"), earlier_pairs("p+1", "r"))
    return induct("p", general=["r"], base=base, step=instance("IH", step, called="past", m="p", r="r+1"))


def later_terms() -> Tactic:
    step = _later({"t": "p", "k": "r+1"}, order({"eq": "past"}, {"eq": "later", "T": 1}, ops=USE))
    base, step = _sums(order(ops=USE), step, later_pairs("p", "0"), later_pairs("p", "r+1"))
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def split_terms() -> Tactic:
    base = unroll(split_pairs("p", "0")[2], order(ops=[{"use": "none"}]), end="empty", called="none")
    step = order({"eq": "past"}, ops=[{"use": "whole"}, {"use": "second"}])
    whole, _, second = split_pairs("p", "r+1")
    step = unroll(whole, unroll(second, step, called="second"), called="whole")
    return induct("r", base=base, step=instance("IH", step, called="past", m="r"))


def all_terms() -> Tactic:
    parts = [{"eq": name} for name in ("past", "split", "earlier", "later")]
    step = order(*parts, ops=USE)
    step = cite(f"{LEMMA}#later pairs", {"p": "n+l+1"}, then=step, called="later")
    step = cite(f"{LEMMA}#earlier pairs", {"p": "l+1", "r": "0"}, then=step, called="earlier")
    step = cite(f"{LEMMA}#split pairs", {"p": "l+1"}, then=step, called="split")
    base, step = _sums(order(ops=USE), step, all_pairs("0", "r"), all_pairs("l+1", "r"))
    return induct("l", general=["r"], base=base, step=instance("IH", step, called="past", m="l", r="r+1"))


def pairs_in_l_var() -> Tactic:
    last = order({"eq": "pairs", "L": "S1", "tr": 1, "k": "4/(2*n)**2"})
    return cite(f"{LEMMA}#pairs", {"l": "n", "r": "0"}, then=last, called="pairs")


def square_expanded() -> Tactic:
    """Both are the double sum of L_var."""
    scaled = {"L": "S1", "tr": 1}
    both = order({"eq": "recursion", **scaled, "k": "-4/(2*n)**2"}, {"eq": "pairs", **scaled, "k": "-4/(2*n)**2"})
    both = cite(f"{LEMMA}#pairs", {"l": "n", "r": "0"}, then=both, called="pairs")
    return as_a_sum("eta", both)


TAIL_SQUARED = f"tr(S1 @ E(h, (2/(2*n)*{tail('n')}) @ (2/(2*n)*{tail('n')}).T))"
ALL_PAIRS = f"4/(2*n)**2*tr(S1 @ {all_pairs('n', '0')[0]})"


def later() -> Tactic:
    return cite(f"{LEMMA}#later state", then=order({"eq": "later"}), called="later")


def _equation(sides: tuple[str, ...]) -> str:
    return f"{sides[0]} == {' + '.join(sides[1:])}"


PAIRS = (
    ours("earlier pairs", _equation(earlier_pairs("p", "r")), "The pairs with t ≤ s, s = n + p + r, up to t = n + p.",
         **LOOP, given=CENTRED, naturals=("n", "p", "r"), proof=lambda claim: earlier_terms()),
    ours("later pairs", _equation(later_pairs("p", "r")), "The pairs with t > s = p, up to t = p + r.",
         **LOOP, given=CENTRED, naturals=("p", "r"), proof=lambda claim: later_terms()),
    ours("split pairs", _equation(split_pairs("p", "r")), "All pairs with s = n + p, cut at t = s.",
         **LOOP, naturals=("n", "p", "r"), proof=lambda claim: split_terms()),
    ours("pairs", _equation(all_pairs("l", "r")), "All pairs with s ≤ n + l and t ≤ n + l + r.",
         **LOOP, given=CENTRED, naturals=("n", "l", "r"), proof=lambda claim: all_terms()),
)  # fmt: skip


# ---- the layers in L_var

IN_LAYERS: dict[str, Any] = {
    **LOOP,
    "kinds": {**LOOP["kinds"], **language.LAYERS},
    "where": {**WHERE, "Lvar(l)": l_var("Ct[l, {}]"), "LvarRest(l)": l_var("Rest[l, {}]")},
    "steps": {**LOOP["steps"], **language.LAYER},
}
DECOM = "lem:v-decom"


def added(
    whole: str, first: str, second: str, because: Tactic, then: Tactic, numbers: tuple[str, str] = ("1", "1")
) -> Tactic:
    """L_var of a sum, from the double sums: `whole` = alpha `first` + beta `second` at every time t."""
    letters = {name: {"at": ["t"], "is": body} for name, body in (("U", whole), ("X", first), ("W", second))}
    where = {"alpha": numbers[0], "beta": numbers[1], "l": "n", "m": "n", "K": "n"}
    return cite(f"{L_VAR}#linear", where, then=then, called="linear", letters=letters, discharge={"0": because})


LINEAR = {"eq": "linear", "L": "S1", "tr": 1, "k": "4/(2*n)**2"}


def layer_apart(layer: str) -> Tactic:
    each = cite(f"{LAYERS}/disp:992.each step", {"l": layer}, then=order({"eq": "one"}), called="one")
    return added(f"Rest[{layer}+1, t]", f"Ct[{layer}+1, t]", f"Rest[{layer}+2, t]", each, order(LINEAR))


def layers_apart() -> Tactic:
    """By induction over the number of layers."""
    whole = cite(f"{LAYERS}/disp:992.whole", then=order({"eq": "whole"}), called="whole")
    base = added("C[t]", "Ct[0, t]", "Rest[1, t]", whole, order(LINEAR, {"eq": "none", "k": "-1"}))
    base = unroll("sum(l, 1, 0, Lvar(l))", base, end="empty", called="none")
    step = order({"eq": "past"}, {"eq": "layer"}, {"eq": "more", "k": "-1"})
    step = cite(f"{DECOM}#one layer", {"l": "K"}, then=step, called="layer")
    step = unroll("sum(l, 1, K + 1, Lvar(l))", step, called="more")
    return induct("K", base=base, step=instance("IH", step, called="past", m="K"))


def nothing_left() -> Tactic:
    gone = cite(f"{LAYERS}/disp:988.1", {"l": "2*n + k + 1"}, then=order({"eq": "gone"}), called="gone", discharge={
        "0": auto()})  # fmt: skip
    zero = "Rest[2*n + k + 1, t]"
    return added(zero, zero, zero, gone, order(LINEAR), ("0", "0"))


def all_layers() -> Tactic:
    last = order({"eq": "v"}, {"eq": "layers"}, {"eq": "nothing"})
    last = cite(f"{DECOM}#nothing left", then=last, called="nothing")
    last = cite(f"{DECOM}#layers", {"K": "2*n + k"}, then=last, called="layers")
    return cite(LEMMA, then=last, called="v")


BY_LAYERS = (
    ours("one layer", "LvarRest(l+1) == Lvar(l+1) + LvarRest(l+2)", "One layer more is peeled off.", **IN_LAYERS,
         given="n >= 1", naturals=("n", "l"), proof=lambda claim: layer_apart("l")),
    ours("layers", "LvarC == Lvar(0) + sum(l, 1, K, Lvar(l)) + LvarRest(K+1)", "K layers, and what is left.",
         **IN_LAYERS, given=(CENTRED, "n >= 1"), naturals=("n", "K"), proof=lambda claim: layers_apart()),
    ours("nothing left", "LvarRest(2*n + k + 1) == 0", "From T layers on nothing is left up to T.", **IN_LAYERS,
         given="n >= 1", naturals=("n", "k"), proof=lambda claim: nothing_left()),
)  # fmt: skip
