"""Which step loses which factor: from the printed constant to the implied one, and from there to the sharper one; and
what another algorithm, ours, gains beyond it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.papers.sada.composition.columns import Column, Constant, columns, implied, ours, printed, sharper


@dataclass(frozen=True)
class Drop:
    """One constant replaced by another one, and what that does to the constant in front of alpha tr(H^-1 Q)/n.

    factor   what the constant of the theorem is divided by; below 1 where the printed one was too small
    """

    stage: str
    old: Constant
    new: Constant
    before: Fraction
    after: Fraction

    @property
    def factor(self) -> Fraction:
        return self.before / self.after

    def to_json(self) -> dict[str, Any]:
        return {
            "stage": self.stage,
            "symbol": self.new.symbol,
            "words": self.new.words,
            "from": {"value": str(self.old.value), "check": self.old.key},
            "to": {"value": str(self.new.value), "check": self.new.key},
            "before": str(self.before),
            "after": str(self.after),
            "factor": str(self.factor),
        }


def waterfall() -> tuple[Drop, ...]:
    """Every change in turn. The product of all factors of a stage is the quotient of its two columns."""
    repaired = [("implied", one) for one in implied().constants]
    return _drops(printed(), [*repaired, *_towards(sharper())])


def beyond() -> tuple[Drop, ...]:
    """From what we prove of the printed algorithm to what we prove of ours."""
    return _drops(sharper(), _towards(ours()))


def _drops(now: Column, changes: list[tuple[str, Constant]]) -> tuple[Drop, ...]:
    found = []
    for stage, new in changes:
        later = now.changed(new)
        if later.statistical != now.statistical:
            found.append(Drop(stage, now.constant(new.symbol), new, now.statistical, later.statistical))
        now = later
    return tuple(found)


def _towards(column: Column) -> list[tuple[str, Constant]]:
    return [(column.name, column.constant(symbol)) for symbol in ("A", "1+g", "w", "c", "s")]


def gain() -> Fraction:
    """How many times smaller the sharper constant is than the implied one."""
    return implied().statistical / sharper().statistical


def to_json() -> dict[str, Any]:
    return {
        "columns": [one.to_json() for one in columns()],
        "other": ours().to_json(),
        "drops": [one.to_json() for one in waterfall()],
        "beyond": [one.to_json() for one in beyond()],
        "gain": str(gain()),
    }
