"""What the excess risk of Algorithm 1 itself comes to, from the theorem; n = KT is (2m)(2n) in its names.

The constants are those that ≲ and Õ hide: 5/3, 46080 and 122880.
"""

from __future__ import annotations

from typing import Any

from theory.papers.sada.language import weight
from theory.papers.sada.outer_loop._algorithm import POINT, algorithm
from theory.papers.sada.outer_loop._end_to_end import (
    EXPONENTIAL,
    PRINTED_CONSTANTS,
    SAMPLES,
    WHOLE,
    noise_terms,
)
from theory.provers.tactics import Tactic, cite, order

NEAR, FAR = PRINTED_CONSTANTS
STATISTICAL = "alpha*(tr(inv(Sigma) @ Q)/Ll)"
COUPLING = noise_terms(0, FAR).split(" + ")[1]
DECAYED = f"3*{EXPONENTIAL}*(F(x0) - F(o)) <= eps"
MANY = f"{SAMPLES}*eps >= 3*{NEAR}*{STATISTICAL}"
SMALL_STEP = f"3*({COUPLING}) <= eps"
HALF = {**algorithm(naturals=("n", "m")), "given": (*WHOLE, DECAYED, MANY)}
ABOUT: dict[str, Any] = {**HALF, "example": {**POINT, "eps": "200000"}}
WITH_STEP: dict[str, Any] = {**ABOUT, "given": (*WHOLE, DECAYED, MANY, SMALL_STEP)}


def from_the_theorem(*more: dict[str, Any]) -> Tactic:
    """The two terms that DECAYED and MANY make small, and what else is given."""
    first = len(WHOLE)
    third = weight("1/3")
    last = order(
        {"of": "theorem"},
        {"of": first, "c": [third]},
        {"of": first + 1, "c": [weight(f"1/(3*{SAMPLES})")]},
        *more,
    )
    return cite("thm:full-glm/repaired", then=last, called="theorem")


def below_eps() -> Tactic:
    return from_the_theorem({"of": len(WHOLE) + 2, "c": [weight("1/3")]})
