"""Why |u_k| <= 1: in each eigen-direction the pair (x, y) = A^k (1, 1)^T stays in a region that A maps into itself.

Put a = 1 - eta*lam and delta = (q - eta)*lam. One step is x' = a*y and y' - x' = (c - delta)*(y - x) - delta*x.
delta > 0: the energy delta*(c - delta)*x**2 + a**2*(y - x)**2 never grows. delta <= 0: 0 <= x <= y, and
(1 - c + delta)*x + a*(y - x) never grows. The certificates below are these two sentences, written out.
"""

from __future__ import annotations

from theory.papers.sada.inner_loop._tail import power, rise, spread
from theory.provers.tactics import Tactic, auto, chain, cite, have, induction

A = "(1-eta*lam)"
STEP = "(c-(q-eta)*lam)"
HEIGHT = f"((q-eta)*lam*{STEP})"
GAP = "(1-c-(eta-q)*lam)"

OSCILLATING = (
    "lam > 0",
    "eta > 0",
    "eta*lam < 1",
    "c > 0",
    "c <= 1",
    "q > eta",
    "(q-eta)*lam <= c*(1-(1-eta*lam)**2)",
)
MONOTONE = (
    "lam > 0",
    "eta > 0",
    "eta*lam < 1",
    "c > 0",
    "c < 1",
    "q <= eta",
    f"{GAP} > 0",
    f"(eta-q)*lam*(1-eta*lam) <= {GAP}*eta*lam",
)
OSCILLATING_EXAMPLE = {"lam": "1/2", "eta": "1/16", "c": "3/4", "q": "1/15", "k": "3", "n": "2"}
MONOTONE_EXAMPLE = {"lam": "1/2", "eta": "1/8", "c": "3/4", "q": "1/8", "k": "3", "n": "2"}
BOUNDS = (f"{spread('k', 'n')} <= 4*k", f"{rise('k')} <= 4*k", f"{power('k')}[1] <= 1", f"{power('k')}[1] >= -1")


def _cone(*terms: tuple[list[int], str], multiplier: list[int] | None = None) -> Tactic:
    """Products of facts (by position) times squares add up to the difference; an empty square is left out."""
    listed = [{"c": "1", "of": of} | ({"sq": square} if square else {}) for of, square in terms]
    return {"kind": "cone", "terms": listed} | ({"multiplier": multiplier} if multiplier else {})


def energy(x: str, y: str) -> str:
    return f"{HEIGHT}*{x}**2+{A}**2*({y}-{x})**2 <= {HEIGHT}"


def wedge(x: str, y: str) -> list[str]:
    return [f"{x} >= 0", f"{y}-{x} >= 0", f"{GAP}*{x}+{A}*({y}-{x}) <= {GAP}"]


def _energy_stays(at: int, x: str, y: str) -> Tactic:
    return _cone(([at], ""), ([5, 0, 6], x), ([7], f"{A}*({y}-{x})"))


def _below_one(at: int, x: str, y: str) -> Tactic:
    return _cone(([at], ""), ([], f"{A}*({y}-{x})"), multiplier=[8])


def _oscillating(then: Tactic) -> Tactic:
    """Facts 7 and 8: the speed contracts, and the energy is definite."""
    definite = _cone(([5, 0, 6], ""), ([5, 0, 3, 2, 2], ""))
    return chain(f"1-c*{STEP} >= 0", (f"{HEIGHT} > 0", definite), then=then)


def energy_never_grows() -> Tactic:
    return _oscillating(induction("k", {"s": power("k")}, [energy("s1", "s2")], step=[_energy_stays(9, "s1", "s2")]))


def bounded_by_the_energy(claim: str) -> list[Tactic]:
    """The four bounds when q > eta; `claim` is the energy's key."""
    pair = have("r1**2 <= 1", _below_one(10, "r1", "r2"), then=have("r3**2 <= 1", _below_one(11, "r3", "r4")))
    both = induction(
        "k",
        {"r": spread("k", "n")[:-3]},
        [energy("r1", "r2"), energy("r3", "r4"), "r5 <= 4*k"],
        step=[_energy_stays(10, "r1", "r2"), _energy_stays(11, "r3", "r4"), pair],
    )
    one = induction(
        "k",
        {"r": rise("k")[:-3]},
        [energy("r1", "r2"), "r3 <= 4*k"],
        step=[_energy_stays(9, "r1", "r2"), have("r1**2 <= 1", _below_one(9, "r1", "r2"))],
    )
    size = cite(claim, {}, then=have(f"{power('k')}[1]**2 <= 1", _below_one(9, f"{power('k')}[1]", f"{power('k')}[2]")))
    return [_oscillating(cite(claim, {"k": "n"}, then=both)), _oscillating(one), _oscillating(size), _oscillating(size)]


def _wedge_stays(at: int) -> list[Tactic]:
    """`at` is the position of the wedge's first fact."""
    x, w, height = at, at + 1, at + 2
    return [
        _cone(([2, x], ""), ([2, w], "")),
        _cone(([3, w], ""), ([5, 0, w], ""), ([5, 0, x], "")),
        _cone(([height], ""), ([7, x], "")),
    ]


def _below_the_gap(at: int) -> Tactic:
    return _cone(([at + 2], ""), ([2, at + 1], ""), multiplier=[6])


def wedge_is_kept() -> list[Tactic]:
    return [induction("k", {"s": power("k")}, wedge("s1", "s2"), step=_wedge_stays(8)) for _ in range(3)]


def bounded_by_the_wedge(claim: str) -> list[Tactic]:
    """The four bounds when q <= eta; `claim` is the wedge's key."""
    pair = have("r1 <= 1", _below_the_gap(11), then=have("r3 <= 1", _below_the_gap(14), then=have("(r1-r3)**2 <= 4")))
    both = induction(
        "k",
        {"r": spread("k", "n")[:-3]},
        [*wedge("r1", "r2"), *wedge("r3", "r4"), "r5 <= 4*k"],
        step=[*_wedge_stays(11), *_wedge_stays(14), pair],
    )
    one = induction(
        "k",
        {"r": rise("k")[:-3]},
        [*wedge("r1", "r2"), "r3 <= 4*k"],
        step=[*_wedge_stays(8), have("r1 <= 1", _below_the_gap(8), then=have("(1-r1)**2 <= 4"))],
    )
    top = cite(claim, {}, then=_below_the_gap(8))
    return [cite(claim, {"k": "n"}, then=both), one, top, cite(claim, {}, then=auto())]
