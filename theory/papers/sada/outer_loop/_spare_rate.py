"""The recursion over k at the rate 11/12 with the printed schedule, which is made for the rate 1/2: 16c/K for 48c/K.

With b = 4/θ̃_max and θ̃_{m+j} = 4/(b + j) the product (b + j)³ L_{m+j} grows by at most 16 c (b + j) in a step.
"""

from __future__ import annotations

from typing import Any

from theory.claims.statement import Faithfulness, printed
from theory.papers.sada.outer_loop._schedule import CONSTANT, DECREASING, ID
from theory.papers.sada.outer_loop._schedule import POINT as SCHEDULED
from theory.provers.tactics import Tactic, auto, chain, cite, instance

EARLIER = "lem:auxilary-recursion"
RATE = "11/12"
POWER = f"(1 - {RATE}*top)**m"
SETTLED = f"({POWER}*L[0] + c*top/({RATE})*(1 - {POWER}))"
RECURSION = f"forall(k, 0, 2*m-1, L[k+1] <= (1 - {RATE}*th[k+1])*L[k] + c*th[k+1]**2)"
GIVEN = ("top > 0", "b*top == 4", "b >= 4", "c >= 0", "L[0] >= 0", "m >= 1", CONSTANT, DECREASING, RECURSION)
ADDED = "((b+m)**2 + (b+m) - b**2 - b)"


def fact(part: str, says: str | list[str], words: str, **more: Any) -> Any:
    return printed(says, part=part, words=words, faithfulness=Faithfulness.OURS, **more)


def cone(*terms: list[int], by: list[int]) -> Tactic:
    return {"kind": "cone", "terms": [{"c": "1", "of": of} for of in terms], "multiplier": by}


def both_ends() -> Tactic:
    """b³ ≤ (b + m)³ serves the start, m² ≤ (b + m)² b the noise."""
    return chain(
        "b > 0",
        "m > 0",
        "b + m > 0",
        "(b+m)**3 - b**3 >= 0",
        "p*y >= 0",
        "b**3*(48/11*c/b*(1-p)) <= 48/11*c*b**2",
        f"m*(48/11*b**2 + 8*{ADDED}) <= 8*(b+m)**3",
        (f"c*(48/11*b**2 + 8*{ADDED}) <= (b+m)**3*(8*c/m)", cone([1, 13], by=[8])),
        then=cone([6], [10, 11], [12], [14], by=[9, 9, 9]),
    )


def within(fact: int, index: str, bounds: tuple[str, ...], then: Tactic, name: str = "k") -> Tactic:
    return {**instance(fact, then, **{name: index}), "within": {one: auto() for one in bounds}}


def early_step() -> Tactic:
    """L[k+1] <= (1 - a top) L[k] + c top^2 for k <= m - 1."""
    last = chain("th[k+1] == top", f"L[k+1] <= (1 - {RATE}*th[k+1])*L[k] + c*th[k+1]**2")
    return within(GIVEN.index(RECURSION), "k", ("k <= 2*m - 1",), within(
        GIVEN.index(CONSTANT), "k+1", ("k + 1 <= m",), last))  # fmt: skip


def late_step() -> Tactic:
    values = {"x": "b + j + 1", "t": "th[m+j+1]", "now": "L[m+j+1]", "before": "L[m+j]"}
    last = cite(f"{ID}#late step", values)
    last = within(GIVEN.index(RECURSION), "m+j", ("m + j <= 2*m - 1",), last)
    return within(GIVEN.index(DECREASING), "m+j+1", ("m + j + 1 <= 2*m",), chain("b + j + 1 > 0", then=last))


def two_phases() -> Tactic:
    last = cite(f"{ID}#both ends", {"p": POWER, "y": "L[0]", "z": "L[2*m]"})
    last = chain(f"(b+m)**3*L[m+m] <= b**3*({POWER}*L[0] + 48/11*c/b*(1-{POWER})) + 8*c*{ADDED}", then=last)
    shifted = {"s": {"at": ["i"], "is": "L[m+i]"}}
    last = cite(
        f"{ID}#second phase", {"n": "m", "S": SETTLED}, families=shifted, discharge={"4": late_step()}, then=last
    )
    last = chain(f"1 - {POWER} >= 0", f"{SETTLED} >= 0", then=last)
    last = cite(f"{EARLIER}#power", {"x": f"1 - {RATE}*top"}, then=last)
    last = cite(f"{EARLIER}#first phase", {"a": RATE}, discharge={"4": early_step()}, then=last)
    return chain("top <= 1", f"{RATE}*top <= 1", f"1 - {RATE}*top >= 0", f"1 - {RATE}*top <= 1", then=last)


SPARE = (
    fact(
        "late step", "x**3*now <= x**2*(x - 11/3)*before + 16*c*x", "One step with θ = 4/x at the rate 11/12.",
        given=("x > 0", "t*x == 4", f"now <= (1 - {RATE}*t)*before + c*t**2"),
        example={"x": "4", "t": "1", "c": "1", "before": "1", "now": "1"},
    ),
    fact(
        "second phase", "(b+n)**3*s[n] <= b**3*S + 8*c*((b+n)**2 + (b+n) - b**2 - b)",
        "(b + j)³ L_{m+j} grows by at most 16 c (b + j) in a step.",
        given=("b >= 4", "c >= 0", "S >= 0", "s[0] <= S",
               "forall(j, 0, n-1, (b+j+1)**3*s[j+1] <= (b+j+1)**2*(b+j+1-11/3)*s[j] + 16*c*(b+j+1))"),
        naturals="n", example={"b": "4", "c": "1", "S": "1", "n": "1", "s": {"0": "1", "1": "0"}},
        scope="every sequence and every number of steps",
    ),
    fact(
        "both ends", "z <= p*y + 8*c/m", "What the two phases leave over.",
        given=("b >= 4", "c >= 0", "m >= 1", "p >= 0", "p <= 1", "y >= 0",
               f"(b+m)**3*z <= b**3*(p*y + 48/11*c/b*(1-p)) + 8*c*{ADDED}"),
        example={**dict.fromkeys(("c", "m", "p", "y"), "1"), "b": "4", "z": "0"}, proof=lambda claim: both_ends(),
    ),
    fact(
        "recursion", f"L[2*m] <= {POWER}*L[0] + 16*c/(2*m)",
        "The recursion of the outer loop at the rate 11/12, with the printed schedule: 16c/K.",
        given=GIVEN, naturals="m", example={**SCHEDULED, "c": "1", "L": {"0": "1", "1": "0", "2": "0"}},
        scope="every sequence, every even K = 2m", proof=lambda claim: two_phases(),
    ),
)  # fmt: skip
