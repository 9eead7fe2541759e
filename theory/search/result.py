"""What a search reports, and how much it may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Effort:
    """Work in counters, so that a result does not depend on the machine; `seconds` only with HARD.

    shapes   how many choices of the counting integers are tried
    draws    independent draws, shared by the shapes
    starts   how many points climb, for every goal and shape
    rounds   of climbing
    exact    how many exact evaluations rounding may use
    shrink   how many exact evaluations the shrinking of a witness may use
    """

    name: str
    shapes: int
    draws: int
    starts: int
    rounds: int
    exact: int
    shrink: int
    seconds: float | None = None


QUICK = Effort("quick", shapes=12, draws=12_000, starts=6, rounds=25, exact=60, shrink=250)
NORMAL = Effort("normal", shapes=40, draws=300_000, starts=16, rounds=70, exact=300, shrink=1200)


def HARD(seconds: float) -> Effort:
    """Search for that long; the number of trials is recorded, because the machine decides it."""
    return Effort(
        "hard", shapes=60, draws=400_000, starts=24, rounds=120, exact=400, shrink=2500, seconds=float(seconds)
    )


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


def decimal(value: object) -> str:
    """A ratio as a decimal that does not round up to one, nor down to it."""
    number = float(value)  # type: ignore[arg-type]
    short = f"{number:.12g}"
    if float(short) == 1.0 and value != 1:
        return f"{number:.17g}" if number != 1.0 else ("1.0000000000000001" if value > 1 else "0.9999999999999999")  # type: ignore[operator]
    return short
