"""Nonnegative combinations of polynomials: a linear program proposes the support, exact rationals decide.

`combine(target, columns)` looks for weights c >= 0 (of any sign where a column is free) with
target = sum c * column. The program's vertex names a few columns; the weights on them are then solved for exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_mpoly, fmpq_mpoly_ctx

Exponents = tuple[int, ...]
Weighted = list[tuple[fmpq, "Column"]]
SUPPORT = 1e-9


@dataclass(frozen=True, slots=True)
class Column:
    """A polynomial that is known nonnegative: a product of facts (by number) times a square, or free (an equation)."""

    poly: fmpq_mpoly
    factors: tuple[int, ...] = ()
    square: fmpq_mpoly | None = None
    equation: int | None = None
    cofactor: fmpq_mpoly | None = None
    strict: bool = False
    cost: float = 1.0


def exponents(poly: fmpq_mpoly) -> dict[Exponents, fmpq]:
    return {tuple(int(e) for e in m): c for m, c in poly.to_dict().items()}


def degree(poly: fmpq_mpoly) -> int:
    return max(0, int(poly.total_degree()))


def to_float(value: fmpq) -> float:
    return float(Fraction(int(value.p), int(value.q)))


def rational(value: float, denominator: int) -> fmpq:
    near = Fraction(value).limit_denominator(denominator)
    return fmpq(near.numerator, near.denominator)


def monomials(ctx: fmpq_mpoly_ctx, variables: Sequence[int], top: int) -> list[fmpq_mpoly]:
    """All monomials in the given variables up to a total degree, low degrees first."""
    result = []
    for total in range(top + 1):
        for chosen in combinations_with_replacement(variables, total):
            powers = [0] * ctx.nvars()
            for i in chosen:
                powers[i] += 1
            result.append(ctx.from_dict({tuple(powers): 1}))
    return result


def products(
    ctx: fmpq_mpoly_ctx, polys: Sequence[fmpq_mpoly], top: int, limit: int, repeat: bool = True
) -> Iterator[tuple[tuple[int, ...], fmpq_mpoly]]:
    """Products of the polynomials up to a total degree, few factors first; a factor may repeat."""
    sizes = [max(1, degree(p)) for p in polys]
    layer: list[tuple[tuple[int, ...], fmpq_mpoly, int]] = [((), ctx.constant(1), 0)]
    count = 0
    while layer:
        following = []
        for chosen, poly, used in layer:
            if count >= limit:
                return
            count += 1
            yield chosen, poly
            first = (chosen[-1] if repeat else chosen[-1] + 1) if chosen else 0
            for i in range(first, len(polys)):
                if used + sizes[i] <= top:
                    following.append(((*chosen, i), poly * polys[i], used + sizes[i]))
            if len(following) > limit:
                break
        layer = following


def combine(
    target: fmpq_mpoly, columns: Sequence[Column], strict: bool, seconds: float = float("inf")
) -> Weighted | None:
    """Weights with target = sum of weight * column, one strict column with a positive weight where strict."""
    if target.is_zero() and not strict:
        return []
    distinct = _distinct(columns)
    if not distinct or (strict and not any(c.strict for c in distinct)):
        return None
    rows = sorted({m for c in distinct for m in exponents(c.poly)} | set(exponents(target)))
    place = {m: i for i, m in enumerate(rows)}
    guess = _propose(target, distinct, place, strict, seconds)
    if guess is None:
        return None
    for cut in (SUPPORT, 1e-6, 1e-12):
        support = [j for j, value in enumerate(guess) if abs(value) > cut]
        weights = _solve(target, [distinct[j] for j in support], [guess[j] for j in support], place)
        if weights is not None and (not strict or any(c > 0 and col.strict for c, col in weights)):
            return weights
    return None


def _distinct(columns: Iterable[Column]) -> list[Column]:
    """The cheapest column of every polynomial (up to a positive factor)."""
    best: dict[Any, Column] = {}
    for column in columns:
        if column.poly.is_zero():
            continue
        lead = column.poly.leading_coefficient()
        scale = lead if column.equation is not None or lead > 0 else -lead
        key = (column.equation is not None, tuple(sorted(exponents(column.poly / scale).items())))
        known = best.get(key)
        if known is None or (column.strict, -column.cost) > (known.strict, -known.cost):
            best[key] = column
    return list(best.values())


def _propose(
    target: fmpq_mpoly, columns: Sequence[Column], place: dict[Exponents, int], strict: bool, seconds: float
) -> Any:
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    data, row, col = [], [], []
    scale = np.ones(len(columns))
    for j, column in enumerate(columns):
        entries = {place[m]: to_float(c) for m, c in exponents(column.poly).items()}
        scale[j] = max(abs(v) for v in entries.values()) or 1.0
        for i, value in entries.items():
            data.append(value / scale[j])
            row.append(i)
            col.append(j)
    n = len(columns)
    b = np.zeros(len(place) + (1 if strict else 0))
    for m, c in exponents(target).items():
        b[place[m]] = to_float(c)
    size = float(np.abs(b).max()) or 1.0
    cost = np.array([c.cost for c in columns])
    bounds: list[tuple[float | None, float | None]] = [
        (None, None) if c.equation is not None else (0, None) for c in columns
    ]
    if strict:
        for j, column in enumerate(columns):
            if column.strict:
                data.append(1.0)
                row.append(len(place))
                col.append(j)
        data += [-1.0, -1.0]
        row += [len(place), len(place)]
        col += [n, n + 1]
        cost = np.append(cost, [-1e4, 0.0])
        bounds += [(0, 1), (0, None)]
    matrix = coo_array((data, (row, col)), shape=(len(b), len(bounds))).tocsc()
    cost = np.where([lo is None for lo, _ in bounds], 0.0, cost)
    answer = linprog(
        cost, A_eq=matrix, b_eq=b / size, bounds=bounds, method="highs-ds", options={"time_limit": seconds}
    )
    if answer.x is None or answer.status != 0:
        return None
    if strict and answer.x[n] < 1e-9:
        return None
    return answer.x[:n] * size / scale


def _solve(
    target: fmpq_mpoly, columns: Sequence[Column], guess: Sequence[float], place: dict[Exponents, int]
) -> Weighted | None:
    """The exact weights on a support; columns that are not determined keep a rounded guess."""
    if not columns:
        return [] if target.is_zero() else None
    used = sorted({place[m] for c in columns for m in exponents(c.poly)} | {place[m] for m in exponents(target)})
    where = {i: k for k, i in enumerate(used)}
    table = [[fmpq(0)] * (len(columns) + 1) for _ in used]
    for j, column in enumerate(columns):
        for m, c in exponents(column.poly).items():
            table[where[place[m]]][j] = c
    for m, c in exponents(target).items():
        table[where[place[m]]][len(columns)] = c
    reduced, rank = fmpq_mat(table).rref()
    rows = reduced.tolist()[:rank]
    pivots = [next(j for j, x in enumerate(r) if x != 0) for r in rows]
    if pivots and pivots[-1] == len(columns):
        return None
    loose = sorted(set(range(len(columns))) - set(pivots))
    for denominator in (1, 12, 10_000) if loose else (1,):
        values = {j: rational(guess[j], denominator) for j in loose}
        for pivot, r in zip(pivots, rows, strict=True):
            values[pivot] = r[-1] - sum((r[j] * values[j] for j in loose), fmpq(0))
        found = [(values[j], columns[j]) for j in sorted(values) if values[j] != 0]
        if found and all(value > 0 or column.equation is not None for value, column in found):
            return found
    return None
