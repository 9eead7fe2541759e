"""What a search reports, and how much it may cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Effort:
    """Work in counters, so that a result does not depend on the machine; `seconds` only with HARD.

    shapes    choices of the counting integers
    variants  for each shape, ways to choose what is free
    draws     independent draws, shared by the plans
    climbs    how many times the best starts of a goal and a plan climb
    starts    points that climb together
    rounds    of climbing
    polish    how many of them are polished by a quasi-Newton method
    calls     array operations that all climbs together may take
    exact     what exact evaluations for rounding may cost, in operations; the simplest takes about a hundred
    shrink    what exact evaluations for shrinking a witness may cost; one per cent of it for the worst point
    work      array operations of one evaluation of the goals beyond which a shape is left out
    slots     entries of families beyond which a shape is left out
    symbols   size of all hypotheses, over all shapes, that may be solved and ordered
    """

    name: str
    shapes: int
    variants: int
    draws: int
    climbs: int
    starts: int
    rounds: int
    polish: int
    calls: float
    exact: float
    shrink: float
    work: float
    slots: int
    symbols: int
    seconds: float | None = None


QUICK = Effort(
    "quick", shapes=10, variants=2, draws=12_000, climbs=2, starts=6, rounds=30, polish=2, calls=12_000, exact=30_000,
    shrink=2_000_000, work=2_000, slots=9, symbols=1_500,
)  # fmt: skip
GLANCE = Effort(
    "glance", shapes=4, variants=1, draws=2_000, climbs=1, starts=4, rounds=12, polish=1, calls=2_000, exact=10_000,
    shrink=500_000, work=2_000, slots=9, symbols=600,
)  # fmt: skip
NORMAL = Effort(
    "normal", shapes=40, variants=4, draws=300_000, climbs=16, starts=16, rounds=100, polish=6, calls=300_000,
    exact=600_000, shrink=6_000_000, work=20_000, slots=16, symbols=20_000,
)  # fmt: skip


def HARD(seconds: float) -> Effort:
    """Search for that long; the number of trials is recorded, because the machine decides it."""
    return Effort(
        "hard", shapes=40, variants=4, draws=300_000, climbs=24, starts=24, rounds=150, polish=8, calls=600_000,
        exact=2_000_000, shrink=20_000_000, work=50_000, slots=24, symbols=40_000, seconds=float(seconds),
    )  # fmt: skip


@dataclass(frozen=True)
class SearchResult:
    """A witness that the kernel accepts, or what was tried in vain.

    worst_ratio is exact at worst_point, written as a decimal; `trials` counts every point of the region at which the
    goals were evaluated, `draws` those that were drawn independently, on which the residual risk rests.
    """

    witness: dict[str, Any] | None
    worst_ratio: str
    worst_point: dict[str, Any]
    trials: int
    draws: int
    space: str
    risk: str
    seed: int

    def record(self) -> dict[str, Any]:
        """The plain dictionary for the ledger."""
        return {
            "trials": self.trials,
            "worst_ratio": self.worst_ratio,
            "worst_point": self.worst_point,
            "space": self.space,
            "risk": self.risk,
            "seed": self.seed,
        }


def risk_of(draws: int) -> str:
    """The rule of three: with no violation among N independent draws, its probability is below 3/N at 95%."""
    if draws < 3:
        return "unknown: fewer than three independent draws satisfied the hypotheses"
    return (
        f"{3 / draws:.3g}: with 95% confidence the violating set has a probability below 3/{draws} under the stated "
        "distribution, if every violation exceeds the float noise of about 1e-13 of the terms"
    )


def decimal(value: Fraction | float) -> str:
    """A ratio as a decimal that never rounds to one unless it is one."""
    number = float(value)
    short = f"{number:.12g}"
    if float(short) != 1.0 or value == 1:
        return short
    away = f"{abs(Fraction(value) - 1).__float__():.3g}"
    return f"1 {'+' if value > 1 else '-'} {away}"
