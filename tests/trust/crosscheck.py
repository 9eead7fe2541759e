"""Every verdict of a ledger before the second opinion: witnesses, examples, worst points and random neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tests.trust.independent import NoValue
from tests.trust.independent_kinds import LeftOut, opinion
from theory.kernel import Verdict
from theory.ledger.records import Ledger, Record

HEAVY = 4_000  # characters of a goal beyond which only the recorded points are tried


@dataclass(frozen=True)
class Agreement:
    """How many points were compared, at how many a formula had no value, and where the two opinions differ.

    `left_out` names the claims that the second opinion cannot evaluate.
    """

    points: int
    without_value: int
    left_out: tuple[str, ...]
    disagreements: tuple[str, ...]


def crosscheck(ledger: Ledger, rng: np.random.Generator, neighbours: int = 2) -> Agreement:
    """A refuted claim fails at its witness; a proved one holds wherever its hypotheses do."""
    points = empty = 0
    wrong: list[str] = []
    left_out: list[str] = []
    for record in ledger.records:
        if record.verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED):
            continue
        body = record.claim.to_json()
        for point, must_apply in _points(record, rng, neighbours):
            try:
                applies, holds = opinion(body, point)
            except LeftOut:
                left_out.append(record.key)
                break
            except NoValue:
                points += 1
                empty += 1
                continue
            points += 1
            if must_apply and not applies:
                wrong.append(f"{record.key}: the hypotheses fail at {point}")
            elif applies and must_apply and record.verdict is Verdict.REFUTED and holds:
                wrong.append(f"{record.key}: holds at its witness {point}")
            elif applies and record.verdict is not Verdict.REFUTED and not holds:
                wrong.append(f"{record.key}: fails at {point}")
    return Agreement(points, empty, tuple(left_out), tuple(wrong))


def _points(record: Record, rng: np.random.Generator, neighbours: int) -> Iterator[tuple[dict[str, Any], bool]]:
    if record.evidence.witness is not None:
        yield dict(record.evidence.witness["point"]), True
        return
    example = dict(record.claim.example)
    yield example, True
    worst = (record.evidence.search or {}).get("worst_point")
    if worst:
        yield dict(worst), True
    if sum(map(len, record.claim.says)) < HEAVY:
        for _ in range(neighbours):
            moved = {name: _moved(value, rng, name in record.claim.counters) for name, value in example.items()}
            yield {name: _shares(v) if name.startswith("p_") else v for name, v in moved.items()}, False


def _shares(weights: Any) -> Any:
    """Weights that add up to one again."""
    if not isinstance(weights, list):
        return weights
    whole = sum(map(Fraction, weights), Fraction(0))
    return [str(Fraction(w) / whole) for w in weights]


def _moved(value: Any, rng: np.random.Generator, natural: bool) -> Any:
    if isinstance(value, dict):
        return {index: _moved(item, rng, natural) for index, item in value.items()}
    if isinstance(value, list):
        return [_moved(item, rng, natural) for item in value]
    if natural:
        return value
    factor = Fraction(int(rng.integers(50, 200)), 100)
    return f"{factor}*({value})" if "sqrt(" in value else str(Fraction(value) * factor)
