"""The printed schedule of θ̃_k: constant for k ≤ K/2, then 4/(4/θ̃_max + k − K/2). K = 2m, b = 4/θ̃_max."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theory.claims.statement import Faithfulness, printed
from theory.provers.tactics import Tactic, cases, chain, instance

ID = "thm:full-glm"
CONSTANT = "forall(k, 0, m, th[k] == top)"
DECREASING = "forall(k, m, 2*m, th[k]*(b + k - m) == 4)"
SCHEDULE = ("top > 0", CONSTANT, DECREASING, "b*top == 4")
STEP = ("th[k] > 0", "th[k+1] > 0", "th[k] >= th[k+1]", "th[k] - th[k+1] <= th[k]*th[k+1]/4", "th[k+1] <= top")
PLAIN: Tactic = {"kind": "positive"}
POINT: dict[str, Any] = {"top": "1/4", "b": "16", "m": "1", "k": "0", "th": {"0": "1/4", "1": "1/4", "2": "4/17"}}


def cone(*terms: tuple[str, list[int]], by: list[int], modulo: Sequence[tuple[int, str]] = ()) -> Tactic:
    """The product of the facts `by` and the difference is a sum of products of facts, up to equations."""
    listed = [{"c": c, "of": of} for c, of in terms]
    return {"kind": "cone", "terms": listed, "multiplier": by, "modulo": [list(one) for one in modulo]}


def at(index: str, fact: int, within: dict[str, Tactic], then: Tactic) -> Tactic:
    return {**instance(fact, then, k=index), "within": within}


def in_both_phases(second: Tactic, first: Tactic, phase: int = 5) -> Tactic:
    """th[k] and th[k + 1] in the second phase (k >= m) and in the first (k <= m - 1); the fact `phase` says which."""
    known, more = ("1", [phase]), ("1", list[int]())
    late = {"k >= m": cone(known, by=[]), "k <= 2*m": cone(("1", [4]), more, by=[])}
    later = {"k + 1 >= m": cone(known, more, by=[]), "k + 1 <= 2*m": cone(("1", [4]), by=[])}
    early, earlier = {"k <= m": cone(known, more, by=[])}, {"k + 1 <= m": cone(known, by=[])}
    found = at("k", 2, late, at("k+1", 2, later, second)), at("k", 1, early, at("k+1", 1, earlier, first))
    return {**cases("k - m", *found), "whole": True}


# facts: 0 top > 0, 3 b top == 4, 5 k >= m, 6 and 7 the schedule at k and k + 1; 8 to 10 the divisors, 11 and 12 signs
SIZE, LATER = "(b + k - m)", "(b + k + 1 - m)"
POSITIVE = (
    ("b > 0", cone(("4", []), by=[0], modulo=[(3, "1")])),
    (f"{SIZE} > 0", cone(("1", [5]), ("1", [8]), by=[])),
    (f"{LATER} > 0", cone(("1", [9]), ("1", []), by=[])),
    ("th[k] > 0", cone(("4", []), by=[9], modulo=[(6, "1")])),
    ("th[k+1] > 0", cone(("4", []), by=[10], modulo=[(7, "1")])),
)
SECOND = (
    cone(("1", [11]), by=[]),
    cone(("1", [12]), by=[]),
    cone(("4", []), by=[9, 10], modulo=[(6, LATER), (7, f"-{SIZE}")]),
    cone(by=[], modulo=[(7, "th[k]/4"), (6, "-th[k+1]/4")]),
    cone(("1", [5, 0]), ("1", [0]), by=[10], modulo=[(3, "1"), (7, "-1")]),
)
FIRST = (
    cone(("1", [0]), by=[], modulo=[(6, "1")]),
    cone(("1", [0]), by=[], modulo=[(7, "1")]),
    cone(by=[], modulo=[(6, "1"), (7, "-1")]),
    chain(
        ("th[k] > 0", cone(("1", [0]), by=[], modulo=[(6, "1")])),
        ("th[k+1] > 0", cone(("1", [0]), by=[], modulo=[(7, "1")])),
        then=cone(("1/4", [8, 9]), by=[], modulo=[(6, "-1"), (7, "1")]),
    ),
    cone(by=[], modulo=[(7, "-1")]),
)


def least(what: str | None) -> Tactic:
    """Facts: 4 k + 1 <= 2m, 5 the schedule at 2m, 6 m >= 0, 7 b > 0, 8 b + m > 0; then 9 the phase, 10 and 11 theta."""
    last = cone(("4", []), by=[8], modulo=[(5, "1")])
    if what:
        divisor = (f"{LATER} > 0", cone(("1", [9]), ("1", [7]), ("1", []), by=[]))
        late = chain(divisor, then=cone(("4", [4]), by=[8, 12], modulo=[(11, "(b + m)"), (5, f"-{LATER}")]))
        early = cone(("1", [6, 0]), by=[8], modulo=[(3, "1"), (5, "-1"), (11, "(b + m)")])
        last = in_both_phases(late, early, phase=9)
    sizes = chain(("m >= 0", PLAIN), POSITIVE[0], ("b + m > 0", cone(("1", [6]), ("1", [7]), by=[])), then=last)
    return at("2*m", 2, {}, sizes)


def ours(part: str, says: str | list[str], words: str, **more: Any) -> Any:
    return printed(says, part=part, words=words, faithfulness=Faithfulness.OURS, **more)


EVERY_STEP = (
    ours(
        "schedule", list(STEP), "The schedule decreases slowly: 1/θ̃_{k+1} − 1/θ̃_k is 0 or 1/4.",
        given=(*SCHEDULE, "k + 1 <= 2*m"), naturals=("k", "m"), example=POINT, scope="every K = 2m, every k < K",
        proof=lambda claim: [
            in_both_phases(chain(*POSITIVE, then=second), first) for second, first in zip(SECOND, FIRST, strict=True)
        ],
    ),
    ours(
        "least", ["th[2*m] > 0", "th[2*m] <= th[k+1]"], "θ̃_K is the least of all.",
        given=(*SCHEDULE, "k + 1 <= 2*m"), naturals=("k", "m"), example=POINT, scope="every K = 2m, every k < K",
        proof=lambda claim: [least(None), least("compare")],
    ),
)  # fmt: skip
