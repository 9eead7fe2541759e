"""Proofs about the covariance C_t and its layers, for every dimension, time and distribution.

The operator X -> (B - B~) X is a mean of congruences: V (P - Sigma) E2^T X E2 (P - Sigma) V^T.
"""

from __future__ import annotations

from typing import Any

from theory.provers.tactics import cite, induct, instance, order, unroll

LEMMA = "lem:layer-peeled-decomposition"
EXCESS = {"E": {"v": "S"}, "L": "V @ (P[v] - Sigma) @ E2.T", "R": "E2 @ (P[v] - Sigma) @ V.T"}


def layers(last: str, time: str) -> str:
    return f"sum(l, 0, {last}, L[l, {time}])"


def mean_is_zero() -> dict[str, Any]:
    """A fresh sample is independent of the past, and E zeta = 0."""
    step = instance("IH", order({"eq": "past", "L": "A"}, {"eq": 0, "L": "V"}, ops=["advance"]), called="past", m="t")
    return induct("t", base=order(ops=[{"use": "eta[0, h]"}]), step=step)


def covariance_recursion() -> dict[str, Any]:
    """The cross terms hold E eta = 0."""
    cross = {"eq": "centred", "E": {"v": "S"}, "L": "Ahat[v]", "R": "zeta[v].T"}
    turned = {"eq": "centred", "E": {"v": "S"}, "T": 1, "L": "zeta[v]", "R": "Ahat[v].T"}
    return cite(f"{LEMMA}/disp:733.mean zero", then=order(cross, turned, ops=["advance"]), called="centred")


def layer_vanishes() -> dict[str, Any]:
    """By induction over t, for all layers l = t + k at once."""
    step = instance(
        "IH",
        instance(
            "IH",
            order(
                {"eq": "next", "L": "A", "R": "A.T"},
                {"eq": "same", **EXCESS},
                ops=[{"use": "L[l + 1, t + 1]", "at": {"l": "t + k", "t": "t"}}],
            ),
            called="same", m="t", k="k",
        ),
        called="next", m="t", k="k + 1",
    )  # fmt: skip
    return induct("t", base=order(ops=[{"use": "L[l, 0]", "at": {"l": "k"}}]), step=step, general=["k"])


def nothing_at_the_start() -> dict[str, Any]:
    first = unroll(layers("0", "0"), _empty(layers("-1", "0"), order(ops=[
        {"use": "one"}, {"use": "none"}, {"use": "L[l, 0]", "at": {"l": "0"}}])), called="one")  # fmt: skip
    more = unroll(
        layers("n + 1", "0"),
        order({"eq": "before"}, ops=[{"use": "one more"}, {"use": "L[l, 0]", "at": {"l": "n + 1"}}]),
        called="one more",
    )
    return induct("n", base=first, step=instance("IH", more, called="before", m="n"))


def _empty(of: str, then: dict[str, Any], called: str = "none") -> dict[str, Any]:
    return unroll(of, then, end="empty", called=called)


def sums_of_layers() -> dict[str, Any]:
    """The first n + 1 layers together follow the recursion of C_t with one layer less in the excess."""
    base = order(ops=[
        *({"use": name} for name in ("new", "old", "new zero", "old zero", "no new", "no old")),
        {"use": "L[0, t + 1]", "at": {"t": "t"}}, {"use": "L[l + 1, t + 1]", "at": {"l": "0", "t": "t"}},
    ])  # fmt: skip
    base = _empty(layers("-1", "t + 1"), _empty(layers("-1", "t"), base, "no old"), "no new")
    base = unroll(layers("0", "t + 1"), unroll(layers("0", "t"), base, called="old zero"), called="new zero")
    base = unroll(layers("1", "t + 1"), unroll(layers("1", "t"), base, called="old"), called="new")
    step = order({"eq": "before"}, ops=[
        {"use": "new"}, {"use": "old"}, {"use": "older"},
        {"use": "L[l + 1, t + 1]", "at": {"l": "n + 1", "t": "t"}},
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
