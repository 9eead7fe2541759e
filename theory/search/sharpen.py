"""The best constant, bracketed: the strongest value that is proved and the nearest value that a witness refutes.

A template is a claim with a free name such as C. `direction` says which way the claim gets stronger: "down" when a
smaller C says more (a constant in an upper bound), "up" when a larger one does.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from theory.kernel.claim import Claim
from theory.kernel.errors import Malformed
from theory.search.engine import search
from theory.search.result import QUICK, Effort
from theory.search.simple import simplest_between

Prover = Callable[[Claim], dict[str, Any] | None]
DIRECTIONS = ("down", "up")


@dataclass(frozen=True)
class Trial:
    """What was found out about one value of the constant: proved, refuted or open."""

    value: Fraction
    outcome: str


@dataclass(frozen=True)
class Bracket:
    """The constant lies between `refuted` and `proved`: certificate and witness are for those two values."""

    name: str
    direction: str
    proved: Fraction | None
    certificate: dict[str, Any] | None
    refuted: Fraction | None
    witness: dict[str, Any] | None
    resolution: Fraction
    trials: tuple[Trial, ...]
    stopped: bool = False  # its time was over before the two ends came as close as was asked

    @property
    def width(self) -> Fraction | None:
        """The distance between the two, or None when one is missing."""
        return None if self.proved is None or self.refuted is None else abs(self.proved - self.refuted)

    def record(self) -> dict[str, Any]:
        """The plain dictionary for the ledger and the command line."""
        return {
            "constant": self.name,
            "direction": self.direction,
            "proved": None if self.proved is None else str(self.proved),
            "certificate": self.certificate,
            "refuted": None if self.refuted is None else str(self.refuted),
            "witness": self.witness,
            "resolution": str(self.resolution),
            "trials": [[str(t.value), t.outcome] for t in self.trials],
            "stopped": self.stopped,
        }


def instance(template: Claim, name: str, value: Fraction) -> Claim:
    """The claim with the constant put in."""
    if name not in template.variables:
        raise Malformed(
            f"{template.id}: {name} is not a free name of the template; it has {', '.join(template.variables)}"
        )
    return replace(
        template,
        id=f"{template.id}@{name}={value}",
        where=((name, str(value)), *template.where),
        example=tuple((n, v) for n, v in template.example if n != name),
    )


@dataclass
class _Search:
    """Memory of one sharpening; values are ordered from strong (position 0) to weak (position 1)."""

    template: Claim
    name: str
    prove: Prover
    seed: int
    effort: Effort
    space: Mapping[str, tuple[Fraction, Fraction]] | None
    hints: list[dict[str, Any]]
    trials: list[Trial]
    seconds: float
    began: float = field(default_factory=time.process_time)
    stopped: bool = False

    def goes_on(self, one: Fraction, other: Fraction, resolution: Fraction, share: float) -> bool:
        """The two are further apart than asked, and this share of the time is not over."""
        if abs(one - other) <= resolution:
            return False
        self.stopped = time.process_time() - self.began > share * self.seconds
        return not self.stopped

    def refute(self, value: Fraction) -> dict[str, Any] | None:
        claim = instance(self.template, self.name, value)
        found = search(claim, seed=self.seed, effort=self.effort, space=self.space, hints=self.hints[-6:])
        if found.worst_point:
            self.hints.append(found.worst_point)
        if found.witness is not None:
            self.trials.append(Trial(value, "refuted"))
        return found.witness

    def certify(self, value: Fraction) -> dict[str, Any] | None:
        certificate = self.prove(instance(self.template, self.name, value))
        self.trials.append(Trial(value, "open" if certificate is None else "proved"))
        return certificate


def sharpen(
    template: Claim,
    name: str,
    direction: str,
    strong: Fraction,
    weak: Fraction,
    *,
    resolution: Fraction,
    prove: Prover,
    seed: int = 0,
    effort: Effort = QUICK,
    space: Mapping[str, tuple[Fraction, Fraction]] | None = None,
    seconds: float = math.inf,
) -> Bracket:
    """Bisect between a strong value (probably false) and a weak one (probably true) down to the resolution.

    First the search's own limit is found, the nearest value that it cannot refute; then that value is proved, or the
    nearest weaker one that can be. No new value is tried after so many seconds of this process, half of them to search.
    """
    _require(direction in DIRECTIONS, f"direction {direction!r} is neither down nor up")
    _require(resolution > 0, f"resolution {resolution} must be positive")
    _require(
        (strong < weak) == (direction == "down") and strong != weak,
        f"strong = {strong} does not say more than weak = {weak} when the claim gets stronger {direction}",
    )
    work = _Search(template, name, prove, seed, effort, space, [], [], seconds)
    refuted, witness, kept = _limit_of_search(work, strong, weak, resolution)
    proved, certificate = (None, None) if kept is None else _limit_of_proof(work, kept, weak, resolution)
    return Bracket(name, direction, proved, certificate, refuted, witness, resolution, tuple(work.trials), work.stopped)


def _require(fine: bool, message: str) -> None:
    if not fine:
        raise ValueError(f"sharpen: {message}")


def _limit_of_search(
    work: _Search, strong: Fraction, weak: Fraction, resolution: Fraction
) -> tuple[Fraction | None, dict[str, Any] | None, Fraction | None]:
    """The weakest refuted value with its witness, and the strongest value that was not refuted."""
    witness = work.refute(weak)
    if witness is not None:
        return weak, witness, None
    witness = work.refute(strong)
    if witness is None:
        return None, None, strong
    refuted, kept = strong, weak
    while work.goes_on(kept, refuted, resolution, 0.5):
        middle = _between(refuted, kept)
        found = work.refute(middle)
        refuted, witness, kept = (refuted, witness, middle) if found is None else (middle, found, kept)
    return refuted, witness, kept


def _limit_of_proof(
    work: _Search, strong: Fraction, weak: Fraction, resolution: Fraction
) -> tuple[Fraction | None, dict[str, Any] | None]:
    """The strongest value that is proved, with its certificate."""
    certificate = work.certify(strong)
    if certificate is not None or strong == weak:
        return (strong if certificate is not None else None), certificate
    best = work.certify(weak)
    if best is None:
        return None, None
    unproved, proved = strong, weak
    while work.goes_on(proved, unproved, resolution, 1):
        middle = _between(unproved, proved)
        found = work.certify(middle)
        unproved, proved, best = (middle, proved, best) if found is None else (unproved, middle, found)
    return proved, best


def _between(one: Fraction, other: Fraction) -> Fraction:
    """A simple number in the middle third."""
    low, high = min(one, other), max(one, other)
    third = (high - low) / 3
    return simplest_between(low + third, high - third)
