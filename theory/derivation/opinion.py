"""A third opinion: the derived formula, evaluated with 50 digits, beside the recursion itself run with 50 digits.

Agreement is counted in digits, the scale being the largest entry; it is evidence for readers and tests, no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy

from theory.derivation.value import Derivation

DIGITS = 50
GUARD = 30  # borders lose digits: near a double root a difference of near equals is divided by a tiny number


@dataclass(frozen=True)
class Agreement:
    """At one point: how many of the digits agree."""

    where: str
    digits: float


def evaluate(expression: Any, values: Mapping[str, Any], module: Any = "mpmath") -> list[Any]:
    """All entries of the expression at these values, row by row."""
    names = sorted(expression.free_symbols, key=str)
    missing = sorted(str(name) for name in names if str(name) not in values)
    if missing:
        raise KeyError(f"no value for {', '.join(missing)}; the opinion's run must give one for each symbol")
    entries = list(expression) if isinstance(expression, sympy.MatrixBase) else [expression]
    function = sympy.lambdify(names, entries, module)
    return list(function(*(values[str(name)] for name in names)))


def flat(value: Any) -> list[Any]:
    return [one for part in value for one in flat(part)] if isinstance(value, (list, tuple)) else [value]


def gap(one: Derivation, point: Mapping[str, Any], module: Any = "mpmath") -> Any:
    """The largest difference between formula and run, relative to the largest entry of the run (or 1)."""
    assert one.opinion is not None
    values, truth = one.opinion.run(point)
    ours, theirs = evaluate(one.derived, values, module), flat(truth)
    if len(ours) != len(theirs):
        raise ValueError(f"{one.name}: the formula has {len(ours)} entries, the run {len(theirs)}")
    scale = max([abs(t) for t in theirs])
    worst = max(abs(o - t) for o, t in zip(ours, theirs, strict=True))
    return worst / scale if scale else worst


def agreement(one: Derivation, points: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Agreement]:
    """Digits of agreement at each point."""
    found = []
    with mpmath.workdps(DIGITS + GUARD):
        for where, point in points:
            difference = gap(one, {name: _exact(value) for name, value in point.items()})
            digits = float(DIGITS + GUARD) if difference == 0 else float(-mpmath.log10(difference))
            found.append(Agreement(where, digits))
    return found


def _exact(value: Any) -> Any:
    return (
        value
        if isinstance(value, int)
        else mpmath.mpf(value)
        if not hasattr(value, "numerator")
        else mpmath.mpf(value.numerator) / value.denominator
    )
