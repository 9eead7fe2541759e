"""A computed expectation with an estimate of its error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from numerics.designs.checks import Array

from . import quadrature

Value = TypeVar("Value", float, Array)
ROUNDING = 1e-15
ROUNDING_SHOWS = 1e-8  # differences below this that no longer shrink are rounding


@dataclass(frozen=True, eq=False)
class Estimate(Generic[Value]):
    """`value` with `error`, the estimated largest absolute error of an entry (rounding included)."""

    value: Value
    error: float


@dataclass(frozen=True, eq=False)
class Pass:
    """One evaluation of an expectation, and the size that its entries have before they cancel."""

    value: Array
    size: float


@dataclass(frozen=True)
class Accuracy:
    """Refine until two levels agree to `wanted` of the size or `evaluations` are spent; refuse beyond `tolerance`."""

    wanted: float = 2e-13
    tolerance: float = 1e-6
    evaluations: int = 30_000_000


class QuadratureError(ValueError):
    """An integral was not found to the wanted tolerance."""


def refined(evaluate: Callable[[int], Pass], *, what: str, accuracy: Accuracy) -> Estimate[Array]:
    """Refine level by level; `evaluate` raises OverflowError when a level is too costly."""
    passes: list[Pass] = []
    error = np.inf
    for level in range(quadrature.FINEST_LEVEL + 1):
        try:
            passes.append(evaluate(level))
        except OverflowError:
            break
        if level >= 2:
            error, before = _difference(passes), error
            stagnates = error > 0.3 * before and error <= ROUNDING_SHOWS * passes[-1].size
            if error <= accuracy.wanted * passes[-1].size or stagnates:
                break
    if len(passes) < 2:
        raise QuadratureError(f"{what}: the integral has too many dimensions to refine; use fewer label directions")
    error = _difference(passes) + ROUNDING * passes[-1].size
    if error > accuracy.tolerance * passes[-1].size:
        raise QuadratureError(
            f"{what}: quadrature error estimate {error:.2g} exceeds tolerance {accuracy.tolerance:g} times the size "
            f"{passes[-1].size:.3g}; smooth the loss or the label model, or raise Problem(tolerance=...)"
        )
    return Estimate(passes[-1].value, error)


def _difference(passes: list[Pass]) -> float:
    return float(np.max(np.abs(passes[-1].value - passes[-2].value), initial=0.0))
