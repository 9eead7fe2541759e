"""Proofs about the covariance C_t and its layers, for every dimension, time and distribution.

The operator X -> (B - B~) X is a mean of congruences: V (P - Sigma) E2^T X E2 (P - Sigma) V^T.
"""

from __future__ import annotations

from typing import Any

from theory.provers.tactics import cite, induct, instance, order, unroll

LEMMA = "lem:layer-peeled-decomposition"
EXCESS = {"E": {"v": "S"}, "L": "V @ (P[v] - Sigma) @ E2.T", "R": "E2 @ (P[v] - Sigma) @ V.T"}

FULL = {"E": {"v": "S"}, "L": "Ahat[v]", "R": "Ahat[v].T"}


def layers(last: str, time: str) -> str:
    return f"sum(l, 0, {last}, Ct[l, {time}])"


def mean_is_zero() -> dict[str, Any]:
    """A fresh sample is independent of the past, and E zeta = 0."""
    step = instance("IH", order({"eq": "past", "L": "A"}, {"eq": 0, "L": "V"}, ops=["advance"]), called="past", m="t")
    return induct("t", base=order(ops=[{"use": "eta[0, h]"}]), step=step)


def covariance_recursion() -> dict[str, Any]:
    """The cross terms hold E eta = 0."""
    cross = {"eq": "centred", "E": {"v": "S"}, "L": "Ahat[v]", "R": "zeta[v].T"}
    turned = {"eq": "centred", "E": {"v": "S"}, "T": 1, "L": "zeta[v]", "R": "Ahat[v].T"}
    return cite(f"{LEMMA}/disp:733.mean zero", then=order(cross, turned, ops=["advance"]), called="centred")


def _cases(zero: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """l = 0, and l + 1."""
    return {**induct("l", base=zero, step=more), "as": "j", "called": "case"}


START = [{"use": "upto[l, 0]", "at": {"l": "l"}}]
NONE = order(ops=[{"use": "upto[0, t + 1]", "at": {"t": "t"}}])
DOWN = {"use": "upto[l + 1, t + 1]", "at": {"l": "l", "t": "t"}}


def upto_grows() -> dict[str, Any]:
    more = {"use": "upto[l, 0]", "at": {"l": "l + 1"}}
    ops = [DOWN, {"use": "upto[l + 1, t + 1]", "at": {"l": "l + 1", "t": "t"}}]
    later = instance("IH", order({"eq": "past"}, ops=ops), called="past", m="t", l="l")
    return induct("t", base=order(ops=[*START, more]), step=_cases(NONE, later), general=["l"])


def upto_diagonal() -> dict[str, Any]:
    step = instance("IH", order({"eq": "past"}, ops=[{**DOWN, "at": {"l": "t", "t": "t"}}]), called="past", m="t")
    return induct("t", base=order(ops=[{"use": "upto[l, 0]", "at": {"l": "0"}}]), step=step)


def upto_reaches() -> dict[str, Any]:
    """From l = t on: it is 1 at l = t and grows with l."""
    base = cite(f"{LEMMA}#upto diagonal", then=order({"eq": "same"}), called="same")
    step = order({"eq": "grows"}, {"eq": "past", "k": "1 - upto[l+1, t]"})
    step = cite(f"{LEMMA}#upto grows", then=step, called="grows")
    return induct("l", start="t", base=base, step=instance("IH", step, called="past", m="l"), long=order({"of": "t"}))


def product_vanishes(name: str) -> dict[str, Any]:
    """upto[l, t] X_t^(l+k) = O, by induction over t, for all l and k at once."""
    clause = {"use": f"{name}[l + 1, t + 1]", "at": {"l": "l + k", "t": "t"}}
    carried = {"L": "A", "R": "A.T"} if name == "Ct" else FULL
    later = order({"eq": "next", **carried}, {"eq": "same", **EXCESS}, ops=[DOWN, clause])
    later = instance("IH", later, called="next", m="t", l="l", k="k + 1")
    if name == "Ct":
        later = instance("IH", later, called="same", m="t", l="l", k="k")
    else:
        later = cite(f"{LEMMA}#layer product", then=later, called="same")
    base = order(ops=[{"use": f"{name}[l, 0]", "at": {"l": "l + k"}}])
    return induct("t", base=base, step=_cases(NONE, later), general=["l", "k"])


def vanishes(name: str, product: str) -> dict[str, Any]:
    """upto[l, t] = 1 for t <= l."""
    last = order({"eq": "product"}, ops=[{"use": "one"}])
    last = cite(f"{LEMMA}#{product}", {"k": "0"}, then=last, called="product")
    return cite(f"{LEMMA}#upto", then=last, called="one")


def nothing_at_the_start() -> dict[str, Any]:
    first = unroll(layers("0", "0"), _empty(layers("-1", "0"), order(ops=[
        {"use": "one"}, {"use": "none"}, {"use": "Ct[l, 0]", "at": {"l": "0"}}])), called="one")  # fmt: skip
    more = unroll(
        layers("n + 1", "0"),
        order({"eq": "before"}, ops=[{"use": "one more"}, {"use": "Ct[l, 0]", "at": {"l": "n + 1"}}]),
        called="one more",
    )
    return induct("n", base=first, step=instance("IH", more, called="before", m="n"))


def _empty(of: str, then: dict[str, Any], called: str = "none") -> dict[str, Any]:
    return unroll(of, then, end="empty", called=called)


def sums_of_layers() -> dict[str, Any]:
    """The first n + 1 layers together follow the recursion of C_t with one layer less in the excess."""
    base = order(ops=[
        *({"use": name} for name in ("new", "old", "new zero", "old zero", "no new", "no old")),
        {"use": "Ct[0, t + 1]", "at": {"t": "t"}}, {"use": "Ct[l + 1, t + 1]", "at": {"l": "0", "t": "t"}},
    ])  # fmt: skip
    base = _empty(layers("-1", "t + 1"), _empty(layers("-1", "t"), base, "no old"), "no new")
    base = unroll(layers("0", "t + 1"), unroll(layers("0", "t"), base, called="old zero"), called="new zero")
    base = unroll(layers("1", "t + 1"), unroll(layers("1", "t"), base, called="old"), called="new")
    step = order({"eq": "before"}, ops=[
        {"use": "new"}, {"use": "old"}, {"use": "older"},
        {"use": "Ct[l + 1, t + 1]", "at": {"l": "n + 1", "t": "t"}},
    ])  # fmt: skip
    step = unroll(layers("n + 2", "t"), unroll(layers("n + 1", "t"), step, called="older"), called="old")
    step = unroll(layers("n + 2", "t + 1"), step, called="new")
    return induct("n", base=base, step=instance("IH", step, called="before", m="n"))


def enough_layers_add_up() -> dict[str, Any]:
    """C_t is the sum of the layers up to t + k, by induction over t for all k at once."""
    base = cite(
        f"{LEMMA}#start", {"n": "k"}, then=order({"eq": "zero", "k": "-1"}, ops=[{"use": "eta[0, h]"}]), called="zero"
    )
    whole = order(
        {"eq": "recursion"},
        {"eq": "more", "L": "A", "R": "A.T"},
        {"eq": "same", **EXCESS},
        {"eq": "layers", "k": "-1"},
    )
    step = cite(f"{LEMMA}#sums", {"n": "t + k"}, then=whole, called="layers")
    step = cite(f"{LEMMA}/disp:733.1", then=step, called="recursion")
    step = instance("IH", instance("IH", step, called="same", m="t", k="k"), called="more", m="t", k="k + 1")
    return induct("t", base=base, step=step, general=["k"])


def decomposition() -> dict[str, Any]:
    """The layers up to t, the first of them apart."""
    last = unroll(
        layers("t", "t"), order({"eq": "all"}, ops=[{"use": "first apart"}]), end="first", called="first apart"
    )
    return cite(f"{LEMMA}#enough", {"k": "0"}, then=last, called="all")


def _rest(layer: str) -> dict[str, Any]:
    return {"use": "Rest[l + 1, t + 1]", "at": {"l": layer, "t": "t"}}


def one_layer_off() -> dict[str, Any]:
    """Both sides start at O and obey one recursion."""
    start = [{"use": "Rest[l, 0]", "at": {"l": "l + 1"}}, {"use": "Rest[l, 0]", "at": {"l": "l + 2"}}]
    base = order(ops=[*start, {"use": "Ct[l, 0]", "at": {"l": "l + 1"}}])
    layer = {"use": "Ct[l + 1, t + 1]", "at": {"l": "l", "t": "t"}}
    step = order({"eq": "past", **FULL}, ops=[_rest("l"), _rest("l + 1"), layer])
    return induct("t", base=base, step=instance("IH", step, called="past", m="t"))


def layer_zero_off() -> dict[str, Any]:
    base = order(ops=[*({"use": name, "at": {"l": at}} for name, at in (("Rest[l, 0]", "1"), ("Ct[l, 0]", "0"))),
                      {"use": "eta[0, h]"}])  # fmt: skip
    step = order({"eq": "r"}, {"eq": "past", **FULL}, ops=[_rest("0"), {"use": "Ct[0, t + 1]", "at": {"t": "t"}}])
    step = cite(f"{LEMMA}/disp:733.1", then=step, called="r")
    return induct("t", base=base, step=instance("IH", step, called="past", m="t"))


def _off(layer: str, then: dict[str, Any], called: str) -> dict[str, Any]:
    return cite(f"{LEMMA}/disp:992.each step", {"l": layer}, then=then, called=called)


def layers_off() -> dict[str, Any]:
    base = _empty("sum(l, 1, 0, Ct[l, t])", order(ops=[{"use": "none"}]))
    step = order({"eq": "past"}, {"eq": "one"}, ops=[{"use": "more"}])
    step = unroll("sum(l, 1, n + 1, Ct[l, t])", _off("n", step, "one"), called="more")
    return induct("n", base=base, step=instance("IH", step, called="past", m="n"))


def first_line() -> dict[str, Any]:
    return _off("0", order({"eq": "one"}), "one")


def second_line() -> dict[str, Any]:
    return _off("0", _off("1", order({"eq": "one"}, {"eq": "two"}), "two"), "one")


def all_layers_off() -> dict[str, Any]:
    last = order({"eq": "some"}, {"eq": "none"})
    last = cite(f"{LEMMA}/disp:988.1", {"l": "t + 1"}, then=last, called="none")
    return cite(f"{LEMMA}/disp:992.some layers", {"n": "t"}, then=last, called="some")


def first_times(*places: tuple[int, int]) -> dict[str, Any]:
    """Layers at early times, (l, t) with t >= 1, written out one after the other."""
    ops: list[dict[str, Any]] = []
    for layer, time in places:
        at = {"t": str(time - 1)}
        clause = {"use": "Ct[0, t + 1]", "at": at}
        ops.append(clause if layer == 0 else {"use": "Ct[l + 1, t + 1]", "at": {"l": str(layer - 1), **at}})
    return order(ops=[*ops, {"use": "Ct[l, 0]", "at": {"l": "1"}}, {"use": "Ct[l, 0]", "at": {"l": "0"}}])


def first_time_of_every_layer() -> dict[str, Any]:
    start = [{"use": "Ct[l, 0]", "at": {"l": "l + 1"}}, {"use": "Ct[l, 0]", "at": {"l": "l"}}]
    return order(ops=[{"use": "Ct[l + 1, t + 1]", "at": {"l": "l", "t": "0"}}, *start])
